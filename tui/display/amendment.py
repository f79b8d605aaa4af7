"""Show the effects of an amendment in rows or lines: first the combatants, then each event."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from systems.contract.ruleset import Ruleset
from systems.encounter.amendment import Revision, revisions, thrown_and_asked
from systems.encounter.events import Change, Event
from systems.encounter.history import History
from tui.display.details import change_lines
from tui.display.text import Row, printable, wrapped

_INDENT = 7
_MOST_SHOWN = 3
UNCHANGED = "The fight is unchanged"


def amendment_rows(
    log: History, amendment: Event, names: Mapping[str, str], game: Ruleset, cells: int
) -> list[Row]:
    """Return the effects of an amendment as rows.

    `log` is the log before it, `names` those of combatants by id.
    """
    found = revisions(log, amendment)
    rows: list[Row] = []
    for words in _present_changes(amendment, names, game):
        label, *more = wrapped(words, max(10, cells - 2), "")
        rows.append([(f" {printable(label)}", "muted" if words == UNCHANGED else "accent")])
        rows += [[(f"   {printable(line)}", "accent")] for line in more]
    for words in _dice_words(found, names):
        rows += [[(f" {line}", "warning")] for line in wrapped(printable(words), max(10, cells - 2), "")]
    for revision in found:
        if revision.reads_differently:
            rows += _line(revision, cells)
    if others := _unchanged_words(found):
        rows.append([(f"   {others}", "muted")])
    return rows


def amendment_lines(log: History, amendment: Event, names: Mapping[str, str], game: Ruleset) -> Iterator[str]:
    """Yield the effects of an amendment, one line each, without struck-through text."""
    found = revisions(log, amendment)
    yield from (f"{words}." for words in _present_changes(amendment, names, game))
    yield from (f"{words}." for words in _dice_words(found, names))
    for revision in found:
        if revision.reads_differently:
            yield f"Event {revision.number} was: {revision.before.text}"
            yield f"Event {revision.number} becomes: {_text_after(revision)}"
    if more := _unchanged_words(found):
        yield f"{more}."


def amendment_sentence(amendment: Event, names: Mapping[str, str], game: Ruleset, undo: str) -> str:
    """Return the result of an amendment that applied at once. `undo` is the key that takes it back."""
    count = len(amendment.replaced) + len(amendment.dropped)
    number = next(iter(amendment.refs), 0)
    also = f", and {count - 1} later event{'s' * (count > 2)}" if count > 1 else ""
    found = _present_changes(amendment, names, game)
    shown = (
        found
        if len(found) <= _MOST_SHOWN
        else [*found[: _MOST_SHOWN - 1], f"… {len(found) - _MOST_SHOWN + 1} more"]
    )
    return f"Amended event {number}{also}; {undo} takes it back. {'; '.join(shown)}."


def conflict_words(title: str, why: str) -> str:
    """Return why a later event does not fit an amendment. `why` is the rules' reason, or ""."""
    return f"{title}: {why}" if why else f"{title} has lost its cause"


def with_later_events(line: str, drop: Iterable[int], keep: Iterable[int]) -> str:
    """Return the line of an amendment that removes some later events and keeps others."""
    given = (("drop", drop), ("keep", keep))
    named = [f"{name}={','.join(map(str, found))}" for name, numbers in given if (found := [*numbers])]
    return " ".join((line, *named))


def _unchanged_words(found: Sequence[Revision]) -> str:
    """Return how many events are unchanged, in words, or ""."""
    count = sum(not revision.reads_differently for revision in found)
    same = "1 more reads" if count == 1 else f"{count} more read"
    return f"{same} the same, with different numbers" if count else ""


def _text_after(revision: Revision) -> str:
    return revision.after.text if revision.after else "does not happen"


def _dice_words(found: Sequence[Revision], names: Mapping[str, str]) -> Iterator[str]:
    """Yield the dice and questions that are no longer needed, and the new dice."""
    for head, items in thrown_and_asked(found, names):
        yield f"{head}: {'; '.join(words for words, _ in items)}"


def _present_changes(amendment: Event, names: Mapping[str, str], game: Ruleset) -> list[str]:
    """Return the differences in the present: turn, round, combatants and their sheets."""
    changes = amendment.changes
    found = [*_turn_changes(changes, names), *_membership_changes(changes, names)]
    found += [f"{line.label}: {line.note}" for line in change_lines(changes, names, game)]
    return found or [UNCHANGED]


def _turn_changes(changes: Sequence[Change], names: Mapping[str, str]) -> Iterator[str]:
    """Yield the turn and the round if they differ: `Turn: Tamsin → Guard 1`."""
    for change in changes:
        match change.who, change.field:
            case "", "turn":
                was, now = (str(side or "") for side in (change.before, change.after))
                yield f"Turn: {names.get(was) or 'nobody'} → {names.get(now) or 'nobody'}"
            case "", "round":
                yield f"Round: {change.before or 0} → {change.after or 0}"
            case "", "over":
                yield "The fight is over" if change.after else "The fight is not over"


def _membership_changes(changes: Sequence[Change], names: Mapping[str, str]) -> Iterator[str]:
    """Yield combatants that are now in the fight and were not, and the reverse."""
    for change in changes:
        if change.who and not change.field:
            yield f"{names.get(change.who, change.who)} {'is' if change.after else 'is not'} in the fight"


def _line(revision: Revision, cells: int) -> Iterator[Row]:
    """Yield an event's old line, struck through, and its new one."""
    number = f" {revision.number:>4}  "
    room = max(10, cells - _INDENT - 1)
    for at, text in enumerate(wrapped(printable(revision.before.text), room, "")):
        yield [(number if not at else " " * _INDENT, "muted"), (text, "muted struck")]
    for text in wrapped(printable(_text_after(revision)), room, ""):
        yield [(" " * _INDENT, ""), (text, "")]
