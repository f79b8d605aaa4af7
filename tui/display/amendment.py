"""What an amendment of the past would change, in rows or words: what becomes of whom, then line by line."""

from collections.abc import Iterator, Mapping, Sequence

from systems.encounter.amendment import Revision, die_words, revisions
from systems.encounter.events import Event, word_in
from systems.encounter.history import History
from systems.schema.fields import Field
from tui.display.details import details_of
from tui.display.text import Row, printable, wrapped

_INDENT = 7
NOBODY = "Nobody is another now than before."


def amendment_rows(
    log: History, amendment: Event, names: Mapping[str, str], fields: Mapping[str, Field], cells: int
) -> list[Row]:
    """Return what an amendment would change. `log`: as it is before it. `names`: of combatants, by id."""
    found = revisions(log, amendment)
    rows = [*_now(amendment, names, fields, cells)]
    for words in _dice_words(found, names):
        rows += [[(f" {line}", "warning")] for line in wrapped(printable(words), max(10, cells - 2), "")]
    for revision in found:
        if revision.reads_differently:
            rows += _line(revision, cells)
    if more := _as_before(found):
        rows.append([(f"   {more}", "muted")])
    return rows


def amendment_lines(
    log: History, amendment: Event, names: Mapping[str, str], fields: Mapping[str, Field]
) -> Iterator[str]:
    """Yield what an amendment would change, a line each, for those who see no strokes through lines."""
    found = revisions(log, amendment)
    changed = details_of({"changes": amendment.get("changes", ())}, names, fields)
    yield from (f"{line.label}: {line.note}." for line in changed)
    if not changed:
        yield NOBODY
    yield from (f"{words[:1].upper()}{words[1:]}." for words in _dice_words(found, names))
    for revision in found:
        if revision.reads_differently:
            yield f"Event {revision.number} was: {word_in(revision.before, 'text')}"
            yield f"Event {revision.number} becomes: {_text_after(revision)}"
    if more := _as_before(found):
        yield f"{more}."


def _as_before(found: Sequence[Revision]) -> str:
    """How many events read as they did, in words; "" for none."""
    count = sum(not revision.reads_differently for revision in found)
    return f"{count} more read as before, with other figures behind them" if count else ""


def _text_after(revision: Revision) -> str:
    return word_in(revision.after, "text") if revision.after else "does not happen"


def _dice_words(found: Sequence[Revision], names: Mapping[str, str]) -> Iterator[str]:
    """Yield the dice that are needed no longer, and those that are newly needed."""
    for head, dice in (
        ("no longer needed", [die for each in found for die in each.spared]),
        ("newly rolled", [die for each in found for die in each.added]),
    ):
        if dice:
            yield f"{head}: {'; '.join(die_words(die, names) for die in dice)}"


def _now(
    amendment: Event, names: Mapping[str, str], fields: Mapping[str, Field], cells: int
) -> Iterator[Row]:
    """What becomes of everybody's sheet by now."""
    changed = details_of({"changes": amendment.get("changes", ())}, names, fields)
    if not changed:
        yield [(f" {NOBODY}", "muted")]
    for line in changed:
        label, *more = wrapped(f"{line.label}: {line.note}", max(10, cells - 2), "")
        yield [(f" {printable(label)}", "accent")]
        for words in more:
            yield [(f"   {printable(words)}", "accent")]


def _line(revision: Revision, cells: int) -> Iterator[Row]:
    """An event as it read, struck through, and as it reads then."""
    number = f" {revision.number:>4}  "
    room = max(10, cells - _INDENT - 1)
    for at, text in enumerate(wrapped(printable(word_in(revision.before, "text")), room, "")):
        yield [(number if not at else " " * _INDENT, "muted"), (text, "muted struck")]
    for text in wrapped(printable(_text_after(revision)), room, ""):
        yield [(" " * _INDENT, ""), (text, "")]
