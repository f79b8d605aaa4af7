"""Rules for any game: hit points, armour, attacks by any dice, counters; roll over, under, in bands or a
pool.
"""

from systems.contract.ruleset import AmountAction, EscapeAction, Ruleset, SaveAction
from systems.simple.area import AREA
from systems.simple.attack import ATTACK
from systems.simple.checks import CHECK, SAVE
from systems.simple.counters import REGAIN, SPEND
from systems.simple.display import CONDITIONS, METERS, STATUSES, brief, figures, glance, status
from systems.simple.health import HARM, HEAL, REST, RESTS, STATUS
from systems.simple.house import House
from systems.simple.reactions import EXTRA_ACTION
from systems.simple.sheet import SECTIONS, Sheet, templates
from systems.simple.turns import ENCOUNTER_END, ROUND_START, TURN_START, initiative, join
from systems.simple.words import EFFECT, EFFECTS

RULESET = Ruleset(
    contract=2,
    name="simple",
    title="Any game",
    also_called=("d20", "pathfinder", "osr", "generic", "home-brew", "other"),
    credit="Affray",
    sheet=Sheet,
    house=House,
    actions=(
        ATTACK,
        AREA,
        CHECK,
        SAVE,
        SPEND,
        REGAIN,
        HARM,
        HEAL,
        REST,
        STATUS,
        TURN_START,
        ROUND_START,
        ENCOUNTER_END,
        EFFECT,
    ),
    default_action="attack",
    status=status,
    statuses=STATUSES,
    meters=METERS,
    damage=AmountAction("harm"),
    heal=AmountAction("heal"),
    rests=RESTS,
    ending_save=SaveAction("save", ability="save"),
    escape=EscapeAction("check", options={"skill": "athletics"}),
    immune=lambda sheet, house: sheet.immunities,
    conditions=CONDITIONS,
    reactions=(EXTRA_ACTION, *EFFECTS.reactions("attack", "area")),
    interrupts=EFFECTS.interrupts(),
    order=lambda house: house.order,
    initiative=initiative,
    join=join,
    glance=glance,
    brief=brief,
    figures=figures,
    effects=EFFECTS,
    creatures="creatures",
    sections=SECTIONS,
    templates=templates,
    stat_blocks="systems.simple.stat_blocks:sheet_of",
    seat_fields=("hp", "max_hp", "temporary_hp"),
    policy="policy",
)
