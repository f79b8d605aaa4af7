"""A combatant on a card: all that matters of it in a few lines, for whatever width there is."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from systems.contract import Meter, Tone
from systems.durations import left
from systems.encounter import Combatant
from systems.fields import fields_of
from systems.words import clean, plain_number
from tui.session import Session
from tui.widgets.history_plot import CURVES, plot
from tui.widgets.inks import NO_COLOURS, Inks

BAR = 20
_STRONG = Style(bold=True)


def card_lines(session: Session, one: Combatant, width: int, inks: Inks = NO_COLOURS) -> list[Text]:
    """The card of one combatant: meters, status, worked-out figures, sheet, conditions, notes."""
    found = [*_meters(session, one, width, inks), _state(session, one, inks)]
    if marks := _marks(session, one, inks):
        found += wrapped(marks, width)
    found += wrapped(_figures(session, one, inks), width)
    found += wrapped(_sheet(session, one, inks), width)
    for field in fields_of(type(one.sheet)).values():
        for entry in entries_in(one.sheet, field.name):
            found.append(cut(Text.assemble("", (entry_name(entry), _STRONG), entry_rest(entry)), width))
    found += [cut(line, width) for line in condition_lines(session, one, inks)]
    if one.sheet.notes:
        found += wrapped([Text.assemble(("notes ", inks.muted), clean(one.sheet.notes, 300))], width)
    return found


def meter_line(one: Combatant, meter: Meter, inks: Inks, bar: int = BAR) -> Text:
    """`Life 39/52  ███████▌`, with the tone of how much is left."""
    now, full = getattr(one.sheet, meter.now), getattr(one.sheet, meter.full)
    tone = health_tone(now, full)
    line = Text.assemble((f"{titled(meter.label)} ", _STRONG), f"{plain_number(now)}/{full}  ")
    if meter.style == "pips" and full <= bar:
        solid, hollow = meter.symbols
        held = min(max(now, 0), full)
        return line.append(solid * held, inks.of(tone)).append(hollow * (full - held), inks.muted)
    filled = round(bar * min(max(now, 0), full) / max(full, 1))
    filled = max(filled, 1) if now > 0 else filled
    return line.append("█" * filled, inks.of(tone)).append("░" * (bar - filled), inks.muted)


def health_tone(now: int, full: int) -> Tone:
    """Good above half, warning above a quarter, danger below."""
    if now * 2 > full:
        return "good"
    return "warning" if now * 4 > full else "danger"


def condition_lines(session: Session, one: Combatant, inks: Inks) -> Iterator[Text]:
    """Each condition with its value and when it ends; a game's own with what it means."""
    for held in one.conditions:
        known = session.game.condition(held.name)
        ends = left(session.encounter, held)
        line = Text(held.label, inks.of(known.tone if known else "warning"))
        line.append(f", {ends}" if ends else ", until cleared", inks.muted)
        if known:
            line.append(f"  {known.help}", inks.muted)
        yield line


def history_line(session: Session, one: Combatant, meter: Meter, width: int) -> str:
    """The curve of a meter through the fight; nothing while there is nothing to see."""
    now, full = getattr(one.sheet, meter.now), getattr(one.sheet, meter.full)
    values = CURVES.sampled(session.log, one.id, meter.now, now, width)
    return plot(values, full) if len(values) > 2 else ""


def _meters(session: Session, one: Combatant, width: int, inks: Inks) -> Iterator[Text]:
    bar = max(5, min(BAR, width - 18))
    for at, meter in enumerate(session.game.meters):
        yield cut(meter_line(one, meter, inks, bar), width)
        if at == 0 and (curve := history_line(session, one, meter, max(8, width - 24))):
            yield cut(Text.assemble((curve, inks.accent), ("  since the fight began", inks.muted)), width)


def _state(session: Session, one: Combatant, inks: Inks) -> Text:
    status = session.encounter.status(one)
    line = Text.assemble((titled(status.name), inks.of(status.tone)), (f" · {one.side}", inks.muted))
    if one.place.hidden:
        line.append(" · (hidden)", inks.muted)
    if one.place.arrives:
        line.append(f" · arrives in round {one.place.arrives}", inks.muted)
    return line.append(" · waits" if one.place.waits else "", inks.muted)


def _marks(session: Session, one: Combatant, inks: Inks) -> list[Text]:
    marks = session.game.glance(one.sheet, session.house)
    return [Text(mark.text, inks.of(mark.tone)) for mark in marks]


def _figures(session: Session, one: Combatant, inks: Inks) -> list[Text]:
    """The worked-out numbers, each with its note."""
    found = []
    for figure in session.game.figures(one.sheet, session.house):
        text = Text.assemble((f"{figure.label} ", inks.muted), plain_number(figure.value))
        found.append(text.append(f" ({figure.note})" if figure.note else "", inks.muted))
    return found


def _sheet(session: Session, one: Combatant, inks: Inks) -> list[Text]:
    """What the sheet holds besides meters and entries, where it is not as every sheet begins."""
    figures = {figure.label for figure in session.game.figures(one.sheet, session.house)}
    shown = {"name", "notes"} | {name for meter in session.game.meters for name in (meter.now, meter.full)}
    found = []
    for name, field in fields_of(type(one.sheet)).items():
        value = getattr(one.sheet, name)
        if name in shown or value == field.default or entries_in(one.sheet, name):
            continue
        if field.same_as and value == getattr(one.sheet, field.same_as):
            continue
        if isinstance(value, Mapping):
            pairs = [(key, worth) for key, worth in value.items() if key not in figures]
            found += [Text.assemble((f"{key} ", inks.muted), str(worth)) for key, worth in pairs]
        else:
            found.append(Text.assemble((f"{label_of(name)} ", inks.muted), word_of(value)))
    return found


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
    return "".join(f"  {label_of(name)} {word_of(getattr(entry, name))}" for name in given)


def label_of(name: str) -> str:
    """A field's name as a person reads it."""
    return name.replace("_", " ")


def titled(word: str) -> str:
    """With a capital at the beginning, the rest as it is."""
    return word[:1].upper() + word[1:]


def word_of(value: Any) -> str:
    """A field's value as a person reads it, on one line."""
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case int():
            return plain_number(value)
        case tuple():
            return ", ".join(word_of(one) for one in value) or "none"
        case Mapping():
            return ", ".join(f"{name} {word_of(one)}" for name, one in value.items()) or "none"
        case _:
            return clean(str(value), 300)


def wrapped(parts: Sequence[Text], width: int) -> list[Text]:
    """Parts side by side, as many to a line as there is room for."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + 2 + part.cell_len <= width:
            lines[-1].append("  ").append_text(part)
        elif part.cell_len > width:
            lines += broken(part, width)
        else:
            lines.append(part.copy())
    return lines


def broken(text: Text, width: int) -> list[Text]:
    """A long text over several lines, broken between words, a word cut where it is too long."""
    lines: list[Text] = []
    rest = text
    while rest.cell_len > width > 0:
        head = _head(rest.plain, width)
        space = head.rfind(" ")
        at = space if space > 0 else len(head)
        first, rest = rest.divide([at])
        rest = rest[1:] if rest.plain.startswith(" ") else rest
        lines.append(first)
    return [*lines, rest]


def _head(plain: str, width: int) -> str:
    """The beginning of a text that fits, at least one character of it."""
    at, used = 0, 0
    for at, one in enumerate(plain):
        used += cell_len(one)
        if used > width:
            return plain[: max(1, at)]
    return plain


def cut(text: Text, width: int) -> Text:
    """A text on one line, with an ellipsis where it does not fit."""
    if text.cell_len > width:
        text = text.copy()
        text.truncate(max(1, width), overflow="ellipsis")
    return text
