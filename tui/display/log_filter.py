"""Filter the log by combatant, kind, round and words, and explain why nothing fits."""

import re
from collections.abc import Mapping, Sequence

from systems.encounter.events import Event, combatants_in, names_in
from systems.frozen import frozen
from systems.text import clean, suggestion
from systems.visibility.log_entries import LogEntry

_FILTER = re.compile(r'(?:(who|what|round)\s*:\s*)?("[^"]*"|\S+)', re.IGNORECASE)


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
    """Return whether an event is about this combatant, or came from a seat of this name.

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
