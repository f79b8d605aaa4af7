"""What an amendment of the past would change, in rows: what becomes of whom, then line by line."""

from collections.abc import Iterator, Mapping

from systems.encounter.amendment import Revision, die_words, revisions
from systems.encounter.events import Event, word_in
from systems.encounter.history import History
from systems.schema.fields import Field
from tui.display.details import details_of
from tui.display.text import Row, printable, wrapped

_INDENT = 7


def amendment_rows(
    log: History, amendment: Event, names: Mapping[str, str], fields: Mapping[str, Field], cells: int
) -> list[Row]:
    """Return what an amendment would change. `log`: as it is before it. `names`: of combatants, by id."""
    found = revisions(log, amendment)
    rows = [
        *_now(amendment, names, fields, cells),
        *_dice("no longer needed", [die for each in found for die in each.spared], names, cells),
        *_dice("newly rolled", [die for each in found for die in each.added], names, cells),
    ]
    for revision in found:
        if revision.reads_differently:
            rows += _line(revision, cells)
    if more := sum(not revision.reads_differently for revision in found):
        rows.append([(f"   {more} more read as before, with other figures behind them", "muted")])
    return rows


def _now(
    amendment: Event, names: Mapping[str, str], fields: Mapping[str, Field], cells: int
) -> Iterator[Row]:
    """What becomes of everybody's sheet by now."""
    changed = details_of({"changes": amendment.get("changes", ())}, names, fields)
    if not changed:
        yield [(" Nobody is another now than before.", "muted")]
    for line in changed:
        label, *more = wrapped(f"{line.label}: {line.note}", max(10, cells - 2), "")
        yield [(f" {printable(label)}", "accent")]
        for words in more:
            yield [(f"   {printable(words)}", "accent")]


def _dice(head: str, dice: list[Mapping[str, object]], names: Mapping[str, str], cells: int) -> Iterator[Row]:
    if dice:
        words = f"{head}: {'; '.join(die_words(die, names) for die in dice)}"
        for line in wrapped(printable(words), max(10, cells - 2), ""):
            yield [(f" {line}", "warning")]


def _line(revision: Revision, cells: int) -> Iterator[Row]:
    """An event as it read, struck through, and as it reads then."""
    number = f" {revision.number:>4}  "
    room = max(10, cells - _INDENT - 1)
    for at, text in enumerate(wrapped(printable(word_in(revision.before, "text")), room, "")):
        yield [(number if not at else " " * _INDENT, "muted"), (text, "muted struck")]
    after = word_in(revision.after, "text") if revision.after else "does not happen"
    for text in wrapped(printable(after), room, ""):
        yield [(" " * _INDENT, ""), (text, "")]
