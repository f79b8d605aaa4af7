"""What the screens show: bars, marks, briefings, worked-out numbers and the conditions."""

from collections.abc import Mapping
from functools import partial

from systems.contract.condition import LISTED, VALUE, Condition
from systems.contract.display import Figure, Mark, Meter, StatusWord, Tone
from systems.contract.outcome import Term
from systems.srd5.body import (
    Vitals,
    body_of,
    given,
    has_death_saves,
    held_by,
    is_dead,
    is_unseen,
    usual_walk,
    walking_speed,
    without,
    woken,
)
from systems.srd5.house import House
from systems.srd5.sheet import NO_CONCENTRATION, NO_FORM, Attack, Power, Sheet, ability_modifier, save_bonus
from systems.text import listed, plain_number

METERS = (
    Meter("hp", "hp", "max_hp"),
    Meter("legendary", "legendary_actions_left", "legendary_actions", "pips", ("◆", "◇"), letter="L"),
    Meter("resists", "legendary_resistances_left", "legendary_resistances", "pips", ("■", "□"), letter="R"),
)
STATUSES = (
    StatusWord("active", "good"),
    StatusWord("bloodied", "notice"),
    StatusWord("incapacitated", "warning", acts=False),
    StatusWord("unconscious", "danger", acts=False),
    StatusWord("stable", "warning", acts=False),
    StatusWord("dying", "danger", acts=False),
    StatusWord("dead", "muted", acts=False, in_order=False),
)
_HELPS = {
    "blinded": "cannot see: attacks against it have advantage, its own disadvantage",
    "charmed": "does not harm its charmer",
    "deafened": "cannot hear",
    "frightened": "attacks and checks with disadvantage while the source is in sight",
    "grappled": "speed 0; disadvantage against all but the grappler",
    "incapacitated": "cannot act; concentration ends",
    "invisible": "attacks against it have disadvantage, its own advantage",
    "paralyzed": "cannot act; hits from within 5 feet are critical",
    "petrified": "stone: cannot act, resists all damage",
    "poisoned": "attacks and checks with disadvantage",
    "prone": "lies on the ground: advantage from within 5 feet, else disadvantage",
    "restrained": "speed 0; attacks against it have advantage, its own disadvantage",
    "stunned": "cannot act; attacks against it have advantage",
    "unconscious": "cannot act, prone; hits from within 5 feet are critical",
}
_UNDER_WAY = {"dodging": "dodges", "readied": "ready", "distracted": "distracted", "helped": "helped"}


def _tone(condition: str) -> Tone:
    if condition == "unconscious":
        return "danger"
    return "good" if condition == "invisible" else "warning"


def _with_condition(condition: str, sheet: Sheet, house: House, held: bool) -> Mapping[str, object]:
    """Return all that changes on a sheet when a condition is given or taken by hand."""
    body = body_of(sheet)
    if held:
        return given(body, (condition,), sheet.escape_dc)[0].changes()
    after = woken(body) if condition == "unconscious" and body.hp else without(body, condition)
    return after.changes()


CONDITIONS = (
    *(
        Condition(
            name,
            words,
            _tone(name),
            field="conditions",
            on=LISTED,
            also_changes=partial(_with_condition, name),
            # A grapple ends when the grappler can no longer act (SRD-72).
            ends_when=("source_falls",) if name == "grappled" else (),
        )
        for name, words in _HELPS.items()
    ),
    Condition(
        "exhaustion",
        "its value twice off every d20, dead at 6",
        field="exhaustion",
        on=VALUE,
        off=0,
        counted=True,
        most=6,
        begin_words="is exhausted",
        end_words="is no longer exhausted",
    ),
)


def glance(sheet: Sheet, house: House) -> tuple[Mark, ...]:
    """Return marks for the armour class, temporary hit points, conditions and declared actions."""
    body, marks = body_of(sheet), [Mark(f"AC {sheet.ac}", "muted", tells="ac", column="AC")]
    if sheet.temp_hp:
        marks.append(Mark(f"+{sheet.temp_hp} hp", "good", column="temporary"))
    out = body.hp == 0 or sheet.knocked_out
    known = ("unconscious", "prone") if out else ()
    marks += [Mark(name, _tone(name), tells="conditions") for name in sheet.conditions if name not in known]
    if sheet.exhaustion:
        marks.append(Mark(f"exhaustion {sheet.exhaustion}", "warning", tells="exhaustion"))
    if has_death_saves(body) and (sheet.death_successes or sheet.death_failures):
        words = f"+{sheet.death_successes} −{sheet.death_failures}"
        marks.append(Mark(words, "danger", column="saves"))
    if sheet.concentrating != NO_CONCENTRATION:
        marks.append(Mark(f"conc. {sheet.concentrating}", "accent", tells="concentrating"))
    if is_unseen(body, sheet.hidden_dc) and sheet.hidden_dc:
        marks.append(Mark(f"hidden {sheet.hidden_dc}", "good", tells="hidden_dc"))
    marks += [Mark(word, "plain", tells=name) for name, word in _UNDER_WAY.items() if getattr(sheet, name)]
    if sheet.form != NO_FORM:
        marks.append(Mark(f"{sheet.form} form", "plain", tells="form"))
    entries: tuple[Attack | Power, ...] = (*sheet.attacks, *sheet.powers)
    spent = [entry.name for entry in entries if entry.spent]
    if spent:
        marks.append(Mark(f"{listed(spent)} spent", "muted"))
    if sheet.reaction_used:
        marks.append(Mark("no reaction", "muted", tells="reaction_used"))
    return tuple(marks)


def brief(sheet: Sheet, house: House) -> tuple[str, ...]:
    """Return the briefing at the start of the turn."""
    body, lines = body_of(sheet), []
    if sheet.spell_slots:
        slots = [f"level {slots.level}: {slots.left}/{slots.total}" for slots in sheet.spell_slots]
        lines.append(f"Slots {', '.join(slots)}")
    if sheet.multiattack:
        parts = [f"{each.name} × {each.times}" if each.times > 1 else each.name for each in sheet.multiattack]
        lines.append(f"Multiattack: {listed(parts)}")
    if sheet.concentrating != NO_CONCENTRATION:
        lines.append(f"Concentrates on {sheet.concentrating}")
    if has_death_saves(body):
        lines.append(f"Death saves: {sheet.death_successes} passed, {sheet.death_failures} failed")
    return tuple(lines)


def figures(sheet: Sheet, house: House) -> tuple[Figure, ...]:
    """Return each attack as it is rolled, the walking speed and the saves."""
    body = body_of(sheet)
    return (
        *(_attack_figure(attack) for attack in sheet.attacks),
        _speed_figure(body),
        *(
            Figure(f"{ability} save", save_bonus(sheet, ability), _save_terms(sheet, ability))
            for ability in sheet.saves
        ),
    )


def _speed_figure(body: Vitals) -> Figure:
    """Return the walking speed, and what lowers it now (SRD-92)."""
    speed, usual = walking_speed(body), usual_walk(body.sheet)
    if why := "dead" if is_dead(body) else listed(held_by(body)):
        return Figure("walking speed", speed, note=why)
    terms = (Term("usual", usual), Term("exhaustion", speed - usual)) if speed != usual else ()
    return Figure("walking speed", speed, terms)


def _save_terms(sheet: Sheet, ability: str) -> tuple[Term, ...]:
    own = ability_modifier(sheet, ability)
    more = save_bonus(sheet, ability) - own
    return (Term(ability, own), Term("trained", more)) if more else (Term(ability, own),)


def _attack_figure(attack: Attack) -> Figure:
    parts = [listed(list(attack.damage))] if attack.damage else []
    if attack.save:
        parts.append(f"{attack.save} save {plain_number(attack.save_dc)}")
    return Figure(attack.name, attack.to_hit, (Term("to hit", attack.to_hit),), "; ".join(parts))
