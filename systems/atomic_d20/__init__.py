"""Atomic D20, by Matt Ciocchi: boons and banes on a d20, hearts and brains, and a choice in death."""

from systems.atomic_d20.attack import ATTACK
from systems.atomic_d20.checks import MANEUVER
from systems.atomic_d20.death import DEATH_CHOICE
from systems.atomic_d20.display import CONDITIONS, METERS, STATUSES, brief, figures, glance, join, status
from systems.atomic_d20.health import DAY_HEAL, HEAL, MAJOR_HEAL, REST_HALF_HOUR, RESTS, STATUS
from systems.atomic_d20.house import House
from systems.atomic_d20.practice import NEW_DAY, PRACTICE
from systems.atomic_d20.progression import PROGRESSION
from systems.atomic_d20.sheet import SECTIONS, TEMPLATES, Sheet
from systems.atomic_d20.spells import CAST
from systems.atomic_d20.turns import INITIATIVE, TURN_END, TURN_START, order
from systems.atomic_d20.wounds import LOCATION, WOUND
from systems.contract.ruleset import AmountAction, Ruleset

RULESET = Ruleset(
    contract=2,
    name="atomic_d20",
    title="Atomic D20",
    also_called=("d20",),
    credit="Matt Ciocchi, CC BY-SA 4.0",
    sheet=Sheet,
    house=House,
    actions=(
        ATTACK,
        CAST,
        MANEUVER,
        DEATH_CHOICE,
        WOUND,
        HEAL,
        LOCATION,
        STATUS,
        REST_HALF_HOUR,
        DAY_HEAL,
        MAJOR_HEAL,
        PRACTICE,
        NEW_DAY,
        PROGRESSION,
        TURN_START,
        TURN_END,
    ),
    default_action="attack",
    status=status,
    stored_status=True,
    statuses=STATUSES,
    meters=METERS,
    damage=AmountAction("wound", "damage"),
    heal=AmountAction("heal"),
    rests=RESTS,
    conditions=CONDITIONS,
    order=order,
    initiative=INITIATIVE,
    join=join,
    glance=glance,
    brief=brief,
    figures=figures,
    creatures="creatures",
    sections=SECTIONS,
    templates=lambda house: TEMPLATES,
    harm=("hearts", "brains", "stamina"),
    seat_fields=("hearts", "max_hearts", "brains", "max_brains", "stamina", "max_stamina"),
    policy="policy",
)
