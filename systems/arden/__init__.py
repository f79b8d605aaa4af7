"""The Ages of Arden, by Four Heroes Gaming: one die read twice, action points, counterattacks."""

from systems.arden.attack import ATTACK, COUNTER
from systems.arden.awareness import PERCEPTION
from systems.arden.checks import CHECK
from systems.arden.display import CONDITIONS, METERS, STATUSES, brief, figures, glance, status
from systems.arden.health import HARM, HEAL, RESTS, STATUS
from systems.arden.house import House
from systems.arden.sheet import SECTIONS, TEMPLATES, Sheet
from systems.arden.turns import ENCOUNTER_END, INITIATIVE, MINOR, MOVE, REST, TURN_END, TURN_START, spent_turn
from systems.contract.ruleset import AmountAction, Ruleset

RULESET = Ruleset(
    contract=2,
    name="arden",
    title="The Ages of Arden",
    credit="Four Heroes Gaming",
    sheet=Sheet,
    house=House,
    actions=(
        ATTACK,
        COUNTER,
        CHECK,
        PERCEPTION,
        MOVE,
        MINOR,
        REST,
        HARM,
        HEAL,
        STATUS,
        TURN_START,
        TURN_END,
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
    order=lambda house: "initiative",
    initiative=INITIATIVE,
    spent=spent_turn,
    glance=glance,
    brief=brief,
    figures=figures,
    creatures="creatures",
    sections=SECTIONS,
    templates=lambda house: TEMPLATES,
    seat_fields=("hp", "max_hp", "ap", "max_ap"),
    policy="policy",
)
