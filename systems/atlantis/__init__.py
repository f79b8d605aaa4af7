"""Atlantis, by Carlo Nicora: open-ended d20, resistance, multiplied damage, ablative armour."""

from systems.atlantis.attack import ATTACK
from systems.atlantis.checks import CHECK, CONTEST, ROLL
from systems.atlantis.display import CONDITIONS, METERS, STATUSES, brief, figures, glance, join, status
from systems.atlantis.health import COUP_DE_GRACE, HARM, HEAL, REPAIR, RESTS, STATUS
from systems.atlantis.house import House
from systems.atlantis.learning import ENCOUNTER_END, LEARN
from systems.atlantis.sheet import SECTIONS, TEMPLATES, Sheet
from systems.atlantis.turns import DEFEND, ROUND_START
from systems.contract.ruleset import AmountAction, Ruleset

RULESET = Ruleset(
    contract=2,
    name="atlantis",
    title="Atlantis",
    credit="Carlo Nicora",
    sheet=Sheet,
    house=House,
    actions=(
        ATTACK,
        DEFEND,
        COUP_DE_GRACE,
        CHECK,
        CONTEST,
        ROLL,
        HARM,
        HEAL,
        REPAIR,
        LEARN,
        STATUS,
        ROUND_START,
        ENCOUNTER_END,
    ),
    default_action="attack",
    status=status,
    statuses=STATUSES,
    meters=METERS,
    damage=AmountAction("harm"),
    heal=AmountAction("heal"),
    rests=RESTS,
    conditions=CONDITIONS,
    order=lambda house: "manual",
    join=join,
    glance=glance,
    brief=brief,
    figures=figures,
    creatures="creatures",
    sections=SECTIONS,
    templates=lambda house: TEMPLATES,
    seat_fields=("life", "max_life"),
    policy="policy",
)
