"""A combatant on a card: all that matters of it in a few lines, for whatever width there is."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len

from systems.commands.durations import left
from systems.contract.ruleset import Meter, Tone
from systems.encounter.model import Combatant
from systems.schema.fields import fields_of
from systems.schema.values import as_words
from systems.sheets import starting_afresh
from systems.text import clean, plain_number
from tui.display.plot import plot
from tui.display.text import Piece, Row, cut_row, printable, width, wrapped
from tui.session.session import Session

BAR = 20
WIDE = 48


def card_rows(session: Session, one: Combatant, cells: int) -> list[Row]:
    """The card of one combatant: meters, status, worked-out figures, sheet, conditions, notes."""
    found: list[Row] = [*_meters(session, one, cells), _state(session, one)]
    found += flowed(_marks(session, one), cells)
    found += flowed(_figures(session, one), cells)
    found += flowed(_sheet(session, one), cells)
    found += flowed(_turn(one), cells)
    for name in fields_of(type(one.sheet)):
        for entry in entries_in(one.sheet, name):
            found.append([(entry_name(entry), "strong"), (entry_rest(entry), "")])
    for row in condition_rows(session, one):
        found += _wrapped_help(row, cells)
    if one.sheet.notes:
        lines = wrapped(clean(one.sheet.notes, 300), max(8, cells - 2))
        found += [[(line, "muted")] for line in lines]
    return [cut_row([(printable(text), tones) for text, tones in row], cells) for row in found]


def meter_row(one: Combatant, meter: Meter, bar: int = BAR, *, main: bool = True) -> Row:
    """`Life 39/52  ███████▌`; the `main` one of a game has the tone of how much is left."""
    now, full = meter.of(one.sheet) or (0, 0)
    label = titled(meter.label) if len(meter.label) > 3 else meter.label
    figures: list[Piece] = [(f"{label} ", "strong"), (f"{plain_number(now)}/{full}  ", "")]
    return [*figures, *meter_bar(meter, now, full, bar, health_tone(now, full) if main else "accent")]


def meter_bar(meter: Meter, now: int, full: int, bar: int, tone: Tone) -> list[Piece]:
    """The bar or the pips of a meter alone."""
    if meter.style == "pips" and full <= bar:
        solid, hollow = meter.symbols
        held = min(max(now, 0), full)
        return [(solid * held, tone), (hollow * (full - held), "muted")]
    filled = round(bar * min(max(now, 0), full) / max(full, 1))
    filled = max(filled, 1) if now > 0 else filled
    return [("█" * filled, tone), ("░" * (bar - filled), "muted")]


def health_tone(now: int, full: int) -> Tone:
    """Good above half, warning above a quarter, danger below."""
    if now * 2 > full:
        return "good"
    return "warning" if now * 4 > full else "danger"


def condition_rows(session: Session, one: Combatant) -> Iterator[Row]:
    """Each condition with its value and when it ends; a game's own with what it means."""
    for held in one.conditions:
        known = session.game.condition(held.name)
        ends = left(session.encounter, held) or "until cleared"
        row: list[Piece] = [
            (clean(label_of(held.label)), known.tone if known else "warning"),
            (f", {ends}", "muted"),
        ]
        yield [*row, (f"  {known.help}", "muted")] if known else row


def history_of(session: Session, one: Combatant, meter: Meter, cells: int) -> str:
    """The curve of a meter through the fight; nothing while there is nothing to see."""
    now, full = getattr(one.sheet, meter.now), getattr(one.sheet, meter.full)
    values = session.curves.sampled(session.log, one.id, meter.now, now, cells)
    return plot(values, full) if len(values) > 2 else ""


def _meters(session: Session, one: Combatant, cells: int) -> Iterator[Row]:
    bar = max(5, min(BAR, cells - 18))
    for at, meter in enumerate(session.game.meters):
        if meter.of(one.sheet) is None:
            continue
        yield meter_row(one, meter, bar, main=at == 0)
        if at == 0 and (curve := history_of(session, one, meter, max(8, cells - 24))):
            yield [(curve, "accent"), ("  since the fight began", "muted")]


def _wrapped_help(row: Row, cells: int) -> list[Row]:
    """A row whose last piece goes on below where it does not fit."""
    *head, (help, tone) = row
    used = width(head)
    if used + cell_len(help) <= cells or not help.startswith("  ") or cells - 2 < 10:
        return [row]
    return [head, *([("  ", ""), (line, tone)] for line in wrapped(help.strip(), cells - 2, ""))]


def _state(session: Session, one: Combatant) -> Row:
    status = session.encounter.status(one)
    rest = [clean(one.side, 40)]
    rest += ["(hidden)"] if one.state.hidden else []
    rest += [f"arrives in round {one.state.arrives}"] if one.state.arrives else []
    rest += ["waits with the turn"] if one.state.waits else []
    return [(titled(status.name), status.tone), (" · " + " · ".join(rest), "muted")]


def _marks(session: Session, one: Combatant) -> list[Row]:
    return [[(mark.text, mark.tone)] for mark in session.game.glance(one.sheet, session.house)]


def _figures(session: Session, one: Combatant) -> list[Row]:
    """The worked-out numbers, each with its note."""
    found: list[Row] = []
    for figure in session.game.figures(one.sheet, session.house):
        note = f" ({figure.note})" if figure.note else ""
        found.append(
            [(f"{clean(figure.label)} ", "muted"), (plain_number(figure.value), ""), (note, "muted")]
        )
    return found


def _sheet(session: Session, one: Combatant) -> list[Row]:
    """What the sheet holds besides meters and entries, where it is not as every sheet begins."""
    figures = {figure.label for figure in session.game.figures(one.sheet, session.house)}
    shown = {"name", "notes"} | {name for meter in session.game.meters for name in (meter.now, meter.full)}
    found: list[Row] = []
    for name, field in fields_of(type(one.sheet)).items():
        value = getattr(one.sheet, name)
        if name in shown or value == field.default or entries_in(one.sheet, name) or field.is_of_the_turn:
            continue
        if field.same_as and value == getattr(one.sheet, field.same_as):
            continue
        if label_of(name) in figures:
            # It is told above, as it counts now.
            continue
        if isinstance(value, Mapping):
            pairs = [(clean(key, 40), as_words(worth)) for key, worth in value.items() if key not in figures]
            found += [[(f"{key} ", "muted"), (worth, "")] for key, worth in pairs]
        else:
            found.append([(f"{label_of(name)} ", "muted"), (as_words(value), "")])
    return found


def _turn(one: Combatant) -> list[Row]:
    """What counts for this turn or round only, under its own heading, where it is not as a turn begins."""
    sheet, afresh = one.sheet, starting_afresh(one.sheet)
    found: list[Row] = [
        [(f"{label_of(name)} ", "muted"), (as_words(getattr(sheet, name)), "")]
        for name, field in fields_of(type(sheet)).items()
        if field.is_of_the_turn and getattr(sheet, name) != getattr(afresh, name)
    ]
    return [[("This turn", "strong")], *found] if found else []


def entries_in(sheet: Any, name: str) -> tuple[Any, ...]:
    """The entries of a field, or nothing when it holds none."""
    value = getattr(sheet, name)
    is_entries = isinstance(value, tuple) and value and hasattr(value[0], "given")
    return value if is_entries else ()


def entry_name(entry: Any) -> str:
    """What an entry is called, as one line."""
    return clean(str(getattr(entry, "name", "")), 60)


def entry_rest(entry: Any) -> str:
    """The figures of an entry that were given, after its name."""
    given = [name for name in fields_of(type(entry)) if name in entry.given and name != "name"]
    return "".join(f"  {label_of(name)} {as_words(getattr(entry, name))}" for name in given)


def label_of(name: str) -> str:
    """A field's name as a person reads it."""
    return name.replace("_", " ")


def titled(word: str) -> str:
    """With a capital at the beginning, the rest as it is."""
    return word[:1].upper() + word[1:]


def flowed(parts: Sequence[Row], cells: int) -> list[Row]:
    """Parts side by side at two or three stops, as many to a row as there is room for."""
    stop = max(1, cells // (3 if cells >= WIDE else 2))
    rows: list[Row] = []
    for part in parts:
        used = width(rows[-1]) if rows else cells
        begin = -(-(used + 2) // stop) * stop
        if begin + width(part) <= cells:
            rows[-1] = [*rows[-1], (" " * (begin - used), ""), *part]
        else:
            rows.append(list(part))
    return rows
