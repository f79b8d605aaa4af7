"""The log as entries: the round that each belongs to, what marks it, and a filter over them."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from systems.encounter.events import (
    STEPS,
    Event,
    TextLine,
    combatants_in,
    is_secret,
    lines_of,
    names_in,
    round_of,
)
from systems.encounter.history import AMEND, History
from systems.encounter.model import Encounter
from systems.encounter.step_runs import continues, in_one_line
from systems.frozen import frozen
from systems.text import clean, suggestion

LONGEST = 1_000
_FILTER = re.compile(r'(?:(who|what|round)\s*:\s*)?("[^"]*"|\S+)', re.IGNORECASE)


@frozen(eq=False)
class LogEntry:
    """One event of the log and the round it belongs to. `undone`: it no longer counts.

    `amended`: its text is that of an amendment, or it did not happen. `continues`: it is an undo after an
    undo, or a redo after a redo. Its text covers the whole run, so the entry before it is not shown.
    """

    event: Event
    round: int
    undone: bool
    amended: bool = False
    continues: bool = False

    @property
    def number(self) -> int:
        return int(self.event.n)

    @property
    def text(self) -> str:
        """Return the whole text of the event, on one line and without control characters."""
        return clean(self.event.text, LONGEST)

    @property
    def lines(self) -> list[TextLine]:
        """Return the text in lines, one for each target if there are several, each with its arithmetic."""
        return [
            TextLine(line.text.changed(lambda text: clean(text, LONGEST)), clean(line.arithmetic, LONGEST))
            for line in lines_of(self.event)
        ]

    @property
    def marks(self) -> tuple[str, ...]:
        """Return the words that mark it: undone, amended, secret, note."""
        event = self.event
        found = ["amended"] if self.amended else ["undone"] if self.undone else []
        found += ["secret"] if is_secret(event) else []
        found += ["note"] if event.command == "note" else []
        return tuple(found)

    @property
    def seat(self) -> str:
        """Return the seat that asked for it; "" for the game master."""
        who = self.event.who or "gm"
        return "" if who == "gm" else clean(who, 60)

    @property
    def is_step(self) -> bool:
        """Return whether it is an undo, a redo, a step back or an amendment, which are about other events."""
        return self.event.kind in STEPS or self.event.command == AMEND


def entries_of(log: History) -> list[LogEntry]:
    """Return all entries of a log, the oldest first."""
    return list(new_entries(log, 0, set(log.standing)))


def new_entries(log: History, known: int, standing: set[int]) -> Iterator[LogEntry]:
    """Yield the entries of a log after the first `known` events. `standing`: see entry_of."""
    events = log.as_amended
    before = events[known - 1] if known else None
    for event in in_one_line(events, known):
        yield entry_of(event, standing, log.amended, continues(event, before))
        before = event


def in_lines(entries: Iterable[LogEntry]) -> Iterator[LogEntry]:
    """Yield the entries without those of which the next one tells, too."""
    before: LogEntry | None = None
    for entry in entries:
        if before is not None and not entry.continues:
            yield before
        before = entry
    if before is not None:
        yield before


def entry_of(
    event: Event, standing: set[int], amended: Container[int] = (), goes_on: bool = False
) -> LogEntry:
    """Return one event as an entry. `standing`: the numbers of the events that count; `amended`: see History.

    An undo or redo is never marked as undone: it was no command of its own. `goes_on`: see LogEntry.
    """
    undone = event.kind not in ("undo", "redo") and event.n not in standing
    return LogEntry(event, round_of(event), undone, event.n in amended, goes_on)


def heading(number: int) -> str:
    """Return the heading above the entries of a round."""
    return f"Round {number}" if number else "Before the fight"


def names_of(encounter: Encounter) -> dict[str, str]:
    """Return the names of all combatants, by id."""
    return {combatant.id: clean(combatant.name, 60) for combatant in encounter}


@frozen
class Filter:
    """What an entry has to be about to be shown; all parts have to fit."""

    who: tuple[str, ...] = ()
    what: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    rounds: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.who or self.what or self.words or self.rounds)

    def fits(self, entry: LogEntry, names: Mapping[str, str]) -> bool:
        """Return whether an entry is to be shown. `names`: of the combatants, by id."""
        if self.rounds and not any(_is_round(entry.round, wanted) for wanted in self.rounds):
            return False
        event = entry.event
        text, typed = _plain(event.text), _plain(event.typed)
        if not all(word in text or word in typed for word in self.words):
            return False
        return all(_concerns(event, who, names) for who in self.who) and all(
            _is_about(entry, what) for what in self.what
        )


def read_filter(text: str) -> Filter:
    """Read a filter line: `who: okado`, `what: damage`, `round: 2-3`, words that occur. Raises nothing."""
    found: dict[str, list[str]] = {"who": [], "what": [], "round": [], "": []}
    for match in _FILTER.finditer(text):
        if word := _plain(match[2].strip('"')):
            found[(match[1] or "").casefold()].append(word)
    return Filter(tuple(found["who"]), tuple(found["what"]), tuple(found[""]), tuple(found["round"]))


def _plain(text: str) -> str:
    return text.casefold().replace("-", " ")


def _is_round(number: int, wanted: str) -> bool:
    """Return whether a round is the wanted one, or in the range `2 3`, which `2-3` was read as."""
    first, _, last = wanted.partition(" ")
    if not (first.isdecimal() and (last or first).isdecimal() and len(wanted) < 12):
        return False
    return int(first) <= number <= int(last or first)


def _concerns(event: Event, who: str, names: Mapping[str, str]) -> bool:
    """Return whether an event is about this combatant, or was requested by a seat of this name.

    A whole id or name means only that combatant: `guard-1` is not `guard-10`. Other words are the beginning
    of an id or of a word of a name.
    """
    if _plain(event.who) == who:
        return True
    known = {**names_in(event), **names}
    if exact := {id for id, name in known.items() if who in (_plain(id), _plain(name))}:
        return bool(exact & combatants_in(event))
    return any(_begins(who, id, known.get(id, "")) for id in combatants_in(event))


def _begins(start: str, id: str, name: str) -> bool:
    words = _plain(name)
    return _plain(id).startswith(start) or words.startswith(start) or f" {start}" in words


def _is_about(entry: LogEntry, what: str) -> bool:
    """Return whether an event is of a kind: its command, action, degree, step, term or mark."""
    return any(word.startswith(what) for word in _sorts(entry))


def _sorts(entry: LogEntry) -> list[str]:
    """Return the sorts that an event is of, as they are typed."""
    event = entry.event
    words = [event.command, event.action, event.kind, *entry.marks]
    for result in event.results:
        words += [result.action, result.degree]
        words += [step.label for step in result.steps] + [term.label for term in result.terms]
    return [_plain(word.replace("_", " ")) for word in words if word]


def why_nothing_fits(wanted: Filter, entries: Sequence[LogEntry], names: Mapping[str, str]) -> str:
    """Return which part of a filter fits no event, with a suggestion; "" if each part fits some."""
    for number in wanted.rounds:
        if not all(part.isdecimal() for part in number.split()):
            return f'round: expected a number such as 2, or 2-3, got "{clean(number, 40)}"'
    known = {who: name for entry in entries for who, name in names_in(entry.event).items()} | dict(names)
    for who in wanted.who:
        if not any(_concerns(entry.event, who, known) for entry in entries):
            return f'No event is about "{clean(who, 40)}"{suggestion(who, known.values())}'
    for what in wanted.what:
        sorts = {word for entry in entries for word in _sorts(entry)}
        if not any(word.startswith(what) for word in sorts):
            return f'No event is of kind "{clean(what, 40)}"{suggestion(what, sorted(sorts))}'
    for word in wanted.words:
        name, colon, _ = word.partition(":")
        if colon and not any(word in _plain(entry.event.text) for entry in entries):
            return f'A filter begins with who:, what: or round:, not "{clean(name, 40)}:"'
    return ""
