"""SRD 5.2, d20 fantasy: attacks against armour class, saves, conditions, spell slots and death saves."""

from systems.contract.ruleset import AmountAction, EscapeAction, Ruleset, SaveAction
from systems.srd5.attack import ATTACK
from systems.srd5.body import keeps_up
from systems.srd5.by_hand import SET_CONDITION
from systems.srd5.checks import CHECK, CONCEAL, INITIATIVE_ROLL, STABILIZE
from systems.srd5.classes import line_part, line_whole
from systems.srd5.concentration import CONCENTRATION
from systems.srd5.display import CONDITIONS, METERS, STATUSES, brief, figures, glance
from systems.srd5.dying import DEATH_SAVE, REVIVE
from systems.srd5.forms import CHANGE_FORM
from systems.srd5.grappling import ESCAPE, GRAPPLE, SHOVE, grappled_by
from systems.srd5.health import HARM, HEAL, STATUS, TEMPORARY, status
from systems.srd5.house import House
from systems.srd5.marks import MARKS
from systems.srd5.multiattack import MULTIATTACK
from systems.srd5.powers import POWER
from systems.srd5.reactions import LEGENDARY_ACTIONS, OPPORTUNITY_ATTACKS
from systems.srd5.resting import LONG_REST, RESTS, SHORT_REST
from systems.srd5.saving import SAVE
from systems.srd5.sheet import SECTIONS, TEMPLATES, Sheet
from systems.srd5.spells import SPELLS
from systems.srd5.turns import (
    DASH,
    DISENGAGE,
    DODGE,
    ENCOUNTER_END,
    HELP,
    HOLD_READY,
    INITIATIVE,
    LEGENDARY,
    RECHARGE,
    ROUND_START,
    STAND,
    TURN_END,
    TURN_START,
)
from systems.srd5.words import EFFECT, EFFECTS

RULESET = Ruleset(
    contract=2,
    name="srd5",
    title="SRD 5.2 (d20 fantasy)",
    also_called=("5e", "dnd", "d20 fantasy", "d20", "srd 5.2"),
    credit="System Reference Document 5.2, CC BY 4.0",
    sheet=Sheet,
    house=House,
    actions=(
        ATTACK,
        MULTIATTACK,
        POWER,
        SAVE,
        CHECK,
        INITIATIVE_ROLL,
        GRAPPLE,
        SHOVE,
        ESCAPE,
        CONCEAL,
        STABILIZE,
        DEATH_SAVE,
        CONCENTRATION,
        HARM,
        HEAL,
        TEMPORARY,
        SET_CONDITION,
        REVIVE,
        STAND,
        DODGE,
        DISENGAGE,
        HOLD_READY,
        DASH,
        HELP,
        CHANGE_FORM,
        RECHARGE,
        LEGENDARY,
        TURN_START,
        TURN_END,
        ROUND_START,
        ENCOUNTER_END,
        SHORT_REST,
        LONG_REST,
        STATUS,
        EFFECT,
    ),
    default_action="attack",
    status=status,
    statuses=STATUSES,
    meters=METERS,
    damage=AmountAction("harm"),
    heal=AmountAction("heal"),
    rests=RESTS,
    ending_save=SaveAction("save", ability="ability", difficulty="dc"),
    immune=lambda sheet, house: sheet.condition_immunities,
    keeps_up=keeps_up,
    escape=EscapeAction("escape", held=grappled_by),
    conditions=(*CONDITIONS, *MARKS),
    reactions=(LEGENDARY_ACTIONS, OPPORTUNITY_ATTACKS),
    interrupts=EFFECTS.interrupts(),
    order=lambda house: "initiative",
    initiative=INITIATIVE,
    glance=glance,
    brief=brief,
    figures=figures,
    effects=EFFECTS,
    creatures="creatures",
    tables=(SPELLS,),
    sections=SECTIONS,
    templates=lambda house: TEMPLATES,
    policy="policy",
    line_part=line_part,
    line_whole=line_whole,
    stat_blocks="systems.srd5.stat_blocks:sheet_of",
    harm=("hp",),
    seat_fields=("hp", "max_hp", "temp_hp", "ac"),
)
