"""Enter the Waygate, by Michael Sankovich: d20 tests, guns that jam, Aether Marks, and slow death."""

from systems.contract.ruleset import AmountAction, Ruleset
from systems.waygate.attack import ATTACK
from systems.waygate.checks import TEST
from systems.waygate.death import BRING_BACK, HOUR_PASSES, NEW_CHARACTER_LEVEL
from systems.waygate.display import CONDITIONS, METERS, STATUSES, brief, figures, glance, status
from systems.waygate.firearms import RELOAD, UNJAM
from systems.waygate.healing_spell import HEALING_SPELL
from systems.waygate.health import HARM, HEAL, RESTS, STATUS
from systems.waygate.house import House
from systems.waygate.marks import AWARD_MARK
from systems.waygate.opposed import OPPOSED
from systems.waygate.sheet import SECTIONS, TEMPLATES, Sheet
from systems.waygate.spells import MYSTIC, ROLL_MAYHEM
from systems.waygate.turns import BLEED, BURN, INITIATIVE, TURN_END, TURN_START

RULESET = Ruleset(
    contract=2,
    name="waygate",
    title="Enter the Waygate",
    credit="Michael Sankovich",
    sheet=Sheet,
    house=House,
    actions=(
        ATTACK,
        RELOAD,
        UNJAM,
        TEST,
        OPPOSED,
        MYSTIC,
        HEALING_SPELL,
        ROLL_MAYHEM,
        HARM,
        HEAL,
        STATUS,
        AWARD_MARK,
        BRING_BACK,
        HOUR_PASSES,
        NEW_CHARACTER_LEVEL,
        BLEED,
        BURN,
        TURN_START,
        TURN_END,
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
    glance=glance,
    brief=brief,
    figures=figures,
    creatures="creatures",
    sections=SECTIONS,
    templates=lambda house: TEMPLATES,
    seat_fields=("hp", "max_hp"),
    policy="policy",
)
