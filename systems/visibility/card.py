"""Make the values of a combatant's card: the whole combatant as text and numbers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from systems.contract.display import Figure
from systems.encounter.durations import left, until_event, way_out
from systems.encounter.model import ActiveCondition, Combatant, Encounter
from systems.frozen import frozen
from systems.schema.entry_lines import entry_values
from systems.schema.fields import visible_fields
from systems.schema.types import Choice
from systems.sheets import with_fresh_turn
from systems.text import clean, listed, plain_word, signed, singulars, with_label
from systems.visibility.parts import Card, ConditionLine, ShownFigure, ShownWord
from systems.visibility.rows import LONGEST_NAME, condition_tone, level_of, mark_tone

LONGEST_NOTE = 300


@frozen
class _SheetParts:
    """The parts of a card that depend only on the sheet and the house rules."""

    marks: tuple[ShownWord, ...]
    figures: tuple[ShownFigure, ...]
    fields: tuple[tuple[str, str], ...]
    this_turn: tuple[tuple[str, str], ...]
    entries: tuple[tuple[str, str], ...]


class CardCache:
    """Makes successive cards of one fight, and reuses the parts that depend only on the sheet."""

    def __init__(self) -> None:
        self._parts: dict[str, tuple[Any, Any, _SheetParts]] = {}

    def card(self, encounter: Encounter, combatant: Combatant) -> Card:
        """Return the card of one combatant: status, meters, marks, numbers, sheet, conditions and notes."""
        known = self._parts.get(combatant.id)
        if known is None or known[0] is not combatant.sheet or known[1] is not encounter.house:
            parts = _parts_of(encounter, combatant.sheet)
            known = self._parts[combatant.id] = combatant.sheet, encounter.house, parts
        return _card(encounter, combatant, known[2])


def card(encounter: Encounter, combatant: Combatant) -> Card:
    """Return the card of one combatant. For many cards, use CardCache."""
    return _card(encounter, combatant, _parts_of(encounter, combatant.sheet))


def _card(encounter: Encounter, combatant: Combatant, parts: _SheetParts) -> Card:
    status = clean(encounter.status(combatant).name.replace("_", " "))
    own, others = _parted_by(status, combatant, encounter)
    ends = [until for held in own if (until := left(encounter, held))]
    known = [encounter.game.condition(held.name) for held in combatant.conditions]
    condition_labels = {plain_word(each.label) for each in known if each and each.field}
    return Card(
        name=clean(combatant.name, LONGEST_NAME),
        side=clean(combatant.side, LONGEST_NAME),
        status=ShownWord(", ".join([status, *ends]), encounter.status(combatant).tone),
        levels=tuple(level_of(combatant, meter) for meter in encounter.game.meters),
        state=tuple(_state(encounter, combatant)),
        marks=parts.marks,
        figures=parts.figures,
        fields=tuple(field for field in parts.fields if plain_word(field[0]) not in condition_labels),
        this_turn=parts.this_turn,
        entries=parts.entries,
        conditions=tuple(condition_lines(encounter, others)),
        notes=clean(combatant.sheet.notes or "", LONGEST_NOTE),
    )


def _parted_by(
    status: str, combatant: Combatant, encounter: Encounter
) -> tuple[Sequence[ActiveCondition], Sequence[ActiveCondition]]:
    """Return the conditions that equal the status, which is shown once, and all others."""
    own = [
        held
        for held in combatant.conditions
        if plain_word(held.label_in(encounter.game)) == plain_word(status)
    ]
    return own, [held for held in combatant.conditions if held not in own]


def _parts_of(encounter: Encounter, sheet: Any) -> _SheetParts:
    game = encounter.game
    figures = game.figures(sheet, encounter.house)
    fields = tuple(_fields(encounter, sheet, figures))
    this_turn = tuple(_this_turn(sheet))
    labels = {figure.label for figure in figures} | {name for name, _, _ in (*fields, *this_turn)}
    return _SheetParts(
        # A mark about the turn belongs to the values of this turn.
        marks=tuple(
            ShownWord(clean(with_label(mark.text, mark.column)), mark_tone(mark))
            for mark in game.glance(sheet, encounter.house)
            if not mark.of_turn and mark.tells not in labels
        ),
        figures=tuple(ShownFigure(clean(each.label), each.value, clean(each.note)) for each in figures),
        fields=tuple((label, text) for _, label, text in fields),
        this_turn=tuple((label, text) for _, label, text in this_turn),
        entries=tuple(_entries(sheet, figures)),
    )


def _state(encounter: Encounter, combatant: Combatant) -> Iterator[str]:
    """Yield the tracker's own states as text."""
    state = combatant.state
    if state.hidden:
        yield "(hidden)"
    if state.arrives:
        yield combatant.arrival
    if state.waits:
        yield "delays its turn"
    if state.ready:
        yield f"ready: {clean(state.ready, 200)}"
    if near := encounter.neighbours(combatant):
        yield f"near {listed(clean(other.name, LONGEST_NAME) for other in near)}"


def condition_lines(encounter: Encounter, conditions: Sequence[ActiveCondition]) -> Iterator[ConditionLine]:
    """Yield each condition with its value and end; a condition of the game also with its meaning."""
    for held in conditions:
        known = encounter.game.condition(held.name)
        yield ConditionLine(
            clean(held.label_in(encounter.game)),
            condition_tone(known),
            _lasting(encounter, held),
            ", ".join(filter(None, (known.help if known else "", _does(held)))),
        )


def _does(held: ActiveCondition) -> str:
    """Return what a condition changes and does by itself: `ac -2, 1d6 fire at the start of its turn`."""
    ticks = [f"{clean(damage, 40)} at the {held.tick_at} of its turn" for damage in held.tick]
    return ", ".join([*(clean(each.replace(":", " "), 40) for each in held.change), *ticks])


def _lasting(encounter: Encounter, held: ActiveCondition) -> str:
    """Return when a condition ends and its source: `2 rounds, from Okado`."""
    source = encounter.combatants.get(held.source or "")
    parts = (left(encounter, held), until_event(encounter, held), way_out(held))
    until = ", ".join(filter(None, parts)) or "until cleared"
    if source and held.sustained:
        return f"{until} or while {clean(source.name)} is {encounter.game.condition_label(held.sustained)}"
    is_named = source is None or held.ends_with_source
    return until if is_named or source is None else f"{until}, from {clean(source.name)}"


def _fields(encounter: Encounter, sheet: Any, figures: tuple[Figure, ...]) -> Iterator[tuple[str, str, str]]:
    """Yield name, label and value of fields not at their defaults, without meters and entries."""
    labels = {figure.label.casefold() for figure in figures}
    meters = (name for meter in encounter.game.meters for name in (meter.now, meter.full))
    shown = {"name", "notes", "habits", *meters}
    for name, field in visible_fields(type(sheet)).items():
        value, label = getattr(sheet, name), clean(field.label, 40)
        copied = bool(field.same_as) and value == getattr(sheet, field.same_as)
        # A calculated number of the same name shows the current value.
        if (
            name in shown
            or value == field.default
            or copied
            or label.casefold() in labels
            or _is_entries(value)
        ):
            continue
        if field.is_of_the_turn:
            continue
        if isinstance(value, Mapping):
            # A calculated number may name the field, too: `strength save` for `strength` of `saves`.
            ends = ("", *(f" {word}" for word in singulars(label.casefold())))
            yield from (
                (name, clean(key, 40), field.words(held))
                for key, held in value.items()
                if labels.isdisjoint(f"{key.casefold()}{end}" for end in ends)
            )
        elif isinstance(field.type, Choice):
            # A choice may be the name of a condition, which has the same label everywhere.
            yield name, label, encounter.game.choice_words(value)
        else:
            yield name, label, field.words(value)


def _this_turn(sheet: Any) -> Iterator[tuple[str, str, str]]:
    """Yield name, label and value of fields for this turn or round that have changed in it."""
    fresh = with_fresh_turn(sheet)
    for name, field in visible_fields(type(sheet)).items():
        value = getattr(sheet, name)
        if field.is_of_the_turn and value != getattr(fresh, name):
            yield name, clean(field.label, 40), field.words(value)


def _entries(sheet: Any, figures: tuple[Figure, ...]) -> Iterator[tuple[str, str]]:
    """Yield each entry of the sheet, such as a weapon: its name, and the rest of its line.

    An entry of which a calculated number shows everything, such as `sword +5 1d6`, is left out.
    """
    shown = {(each.label, f"{signed(each.value)} {each.note}") for each in figures}
    for name in visible_fields(type(sheet)):
        value = getattr(sheet, name)
        for entry in value if _is_entries(value) else ():
            values = entry_values(entry)
            if (str(entry.name), values) not in shown:
                yield clean(str(entry.name), 60), clean(values, LONGEST_NOTE)


def _is_entries(value: Any) -> bool:
    return isinstance(value, tuple) and bool(value) and hasattr(value[0], "given")
