"""The XCOM-inspired game, unofficial, by Mason Bially: d100 under a target value, cover, flanks, grazes."""

from systems.contract.ruleset import AmountAction, Ruleset
from systems.xcom.attack import ATTACK
from systems.xcom.checks import CHECK, SOCIAL
from systems.xcom.display import CONDITIONS, METERS, STATUSES, brief, figures, glance, status
from systems.xcom.explosions import EXPLOSION, GAS
from systems.xcom.health import HARM, HEAL, RESTS, STATUS
from systems.xcom.house import House
from systems.xcom.movement import MOVE
from systems.xcom.overwatch import OVERWATCH, REACTION_SHOT
from systems.xcom.psionics import PSI
from systems.xcom.sheet import SECTIONS, TEMPLATES, Sheet
from systems.xcom.turns import ACT, TURN_START, spent_turn

RULESET = Ruleset(
    contract=2,
    name="xcom",
    title="XCOM-inspired (unofficial)",
    also_called=("x-com",),
    credit="Mason Bially; an unofficial fan work, not for sale",
    sheet=Sheet,
    house=House,
    actions=(
        ATTACK,
        OVERWATCH,
        EXPLOSION,
        GAS,
        MOVE,
        ACT,
        PSI,
        CHECK,
        SOCIAL,
        HARM,
        HEAL,
        STATUS,
        TURN_START,
    ),
    default_action="attack",
    status=status,
    statuses=STATUSES,
    meters=METERS,
    damage=AmountAction("harm"),
    heal=AmountAction("heal"),
    rests=RESTS,
    conditions=CONDITIONS,
    reactions=(REACTION_SHOT,),
    order=lambda house: "sides",
    spent=spent_turn,
    glance=glance,
    brief=brief,
    figures=figures,
    creatures="creatures",
    sections=SECTIONS,
    templates=lambda house: TEMPLATES,
    seat_fields=("health", "max_health", "actions_left", "cover"),
    policy="policy",
)
