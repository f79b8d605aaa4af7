"""The log as people read it: entries by round, what marks them, what is behind them, and a filter."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from systems.encounter.events import (
    Event,
    concerned,
    ids_in,
    is_secret,
    names_in,
    results_of,
    subject_of,
    tables_in,
    word_in,
)
from systems.encounter.history import History
from systems.encounter.model import FOREVER, Encounter
from systems.frozen import frozen
from systems.schema.values import as_words
from systems.text import clean, plain_number

LONGEST = 1_000
_STEPS = ("undo", "redo", "back")
_FILTER = re.compile(r'(?:(who|what)\s*:\s*)?("[^"]*"|\S+)', re.IGNORECASE)


@frozen(eq=False)
class LogEntry:
    """One event of the log and the round it belongs to; `undone`: it was taken back and stands no more."""

    event: Event
    round: int
    undone: bool

    @property
    def number(self) -> int:
        return int(self.event["n"])

    @property
    def text(self) -> str:
        """Its sentence, on one line and without control characters."""
        return clean(str(self.event.get("text", "")), LONGEST)

    @property
    def marks(self) -> tuple[str, ...]:
        """What is to be said of it in a word: undone, secret, note."""
        event = self.event
        found = ["undone"] if self.undone else []
        found += ["secret"] if is_secret(event) else []
        found += ["note"] if event.get("command") == "note" else []
        return tuple(found)

    @property
    def asked(self) -> str:
        """Who asked for it, when that was not the game master."""
        who = str(self.event.get("who", "gm"))
        return "" if who == "gm" else clean(who, 60)

    @property
    def is_step(self) -> bool:
        """An undo, a redo or a step back, which tells of other events."""
        return self.event.get("kind") in _STEPS


def entries(log: History, start: int = 0) -> list[LogEntry]:
    """The entries of a log, from the one at index `start` on."""
    standing = set(log.standing)
    return [entry(event, standing) for event in log.events[start:]]


def entry(event: Event, standing: set[int]) -> LogEntry:
    """One event as an entry. What never counted as a command of its own cannot be undone."""
    undone = event.get("kind") not in ("undo", "redo") and event["n"] not in standing
    return LogEntry(event, round_of(event), undone)


def round_of(event: Event) -> int:
    """The round that an event belongs to: the one that it begins, if it begins one."""
    if event.get("kind") in _STEPS:
        return int(event.get("round", 0))
    for change in event.get("changes", ()):
        if change.get("who"):
            break
        if change.get("field") == "round":
            return int(change.get("after") or 0)
    return int(event.get("round", 0))


def heading(number: int) -> str:
    """What stands above the entries of a round."""
    return f"Round {number}" if number else "Before the fight"


def names_of(encounter: Encounter) -> dict[str, str]:
    """How those of the fight are called, by id."""
    return {one.id: clean(one.name, 60) for one in encounter}


@frozen
class LogLine:
    """One line of the reckoning: what, how much, why. `head`: a heading above such lines."""

    label: str
    value: str = ""
    note: str = ""
    head: bool = False


def reckoning(event: Event, names: Mapping[str, str]) -> list[LogLine]:
    """All that is behind an event: dice, terms with their total, steps, what changed, the rules."""
    found = list(_dice(tables_in(event, "rolls"), names))
    told = [result for result in results_of(event) if result.get("terms") or result.get("steps")]
    behind = [[(term, _thrown(term, found)) for term in tables_in(result, "terms")] for result in told]
    for result, terms in zip(told, behind, strict=True):
        if len(told) > 1:
            who = subject_of(result)
            found.append(LogLine(names.get(who, clean(who, 60)), head=True))
        found += _sum(terms)
        found += [_step(step) for step in tables_in(result, "steps")]
    found += _changes(tables_in(event, "changes"), names)
    rules = dict.fromkeys(rule for result in results_of(event) for rule in ids_in(result, "rules"))
    if rules:
        found.append(LogLine("rules", clean(" ".join(rules), 300)))
    return found


def _step(one: Mapping[str, Any]) -> LogLine:
    label, value, note = (clean(str(one.get(part, "")), 200) for part in ("label", "value", "note"))
    return LogLine(label, value, note)


def _dice(rolls: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> Iterator[LogLine]:
    for one in rolls:
        who = str(one.get("of", ""))
        why = clean(str(one.get("why", "")), 80)
        of = names.get(who, "" if who == "gm" else who)
        yield LogLine(
            f"d{one.get('sides')}", str(one.get("face")), ", ".join(part for part in (why, of) if part)
        )


def _number(term: Mapping[str, Any]) -> str:
    return plain_number(int(term.get("value", 0)))


def _thrown(term: Mapping[str, Any], dice: list[LogLine]) -> str:
    """What the die was for that is this term: it stands among them, once, and not among the others."""
    for one in dice:
        if (one.label, one.value) == (term.get("label"), _number(term)):
            dice.remove(one)
            return one.note
    return ""


def _sum(terms: Sequence[tuple[Mapping[str, Any], str]]) -> list[LogLine]:
    """The terms, each with what its die was for, and their total where there are several."""
    found = []
    for one, thrown in terms:
        label, note = (clean(str(one.get(part, "")), 200) for part in ("label", "note"))
        found.append(LogLine(label, _number(one), note or thrown))
    if len(found) > 1:
        found.append(LogLine("total", plain_number(sum(int(one.get("value", 0)) for one, _ in terms))))
    return found


def _changes(changes: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> Iterator[LogLine]:
    """What changed on each sheet; where the fight stands is told by the sentence already."""
    moved: dict[str, list[str]] = {}
    for one in changes:
        who, field = str(one.get("who", "")), str(one.get("field", ""))
        if who and field.startswith(("sheet.", "conditions")):
            label = clean(field.removeprefix("sheet.").replace("_", " "), 80)
            before, after = one.get("before"), one.get("after")
            inside = list(_inside(before, after, names)) if field.startswith("sheet.") else []
            whole = f"{label} {_word(before, names)} → {_word(after, names)}"
            moved.setdefault(who, []).extend(inside or [whole])
    for who, what in moved.items():
        yield LogLine(names.get(who, clean(who, 60)), "", ", ".join(what))


def _inside(before: Any, after: Any, names: Mapping[str, str]) -> Iterator[str]:
    """What changed in entries that are all still there, such as the shots in a weapon."""
    if not (isinstance(before, list) and isinstance(after, list) and len(before) == len(after)):
        return
    for old, new in zip(before, after, strict=True):
        if not (isinstance(old, Mapping) and isinstance(new, Mapping) and old.get("name") == new.get("name")):
            return
        for part in dict.fromkeys((*old, *new)):
            if old.get(part) != new.get(part):
                # What had stood at its default is not written down.
                steps = (_word(each.get(part), names) for each in (old, new) if part in each)
                yield f"{_named(new, names)} {clean(part.replace('_', ' '), 80)} {' → '.join(steps)}"


def _word(value: Any, names: Mapping[str, str]) -> str:
    """A value before or after a change; conditions with how long they last."""
    match value:
        case [Mapping(), *_] if "name" in value[0]:
            return ", ".join(_named(entry, names) for entry in value)
        case Mapping() if "name" in value:
            return _named(value, names)
    return as_words(value, 60)


def _named(value: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """What has a name; of a condition also how strong it is and until when it lasts."""
    words = clean(str(value["name"]).replace("_", " "), 60)
    if isinstance(value.get("value"), int):
        words += f" {value['value']}"
    last, until = value.get("last_round"), value.get("until")
    if isinstance(last, int) and last < FOREVER:
        words += f" through round {last}"
    if until:
        who = str(value.get("of", ""))
        words += f" until the {until} of {names.get(who, clean(who, 60))}'s turn"
    return words


@frozen
class Filter:
    """What the filter line asks for; all of it has to fit."""

    who: tuple[str, ...] = ()
    what: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.who or self.what or self.words)

    def fits(self, entry: LogEntry, names: Mapping[str, str]) -> bool:
        """Whether an entry is among those asked for. `names`: how those of the fight are called, by id."""
        event = entry.event
        text, typed = _plain(word_in(event, "text")), _plain(word_in(event, "typed"))
        if not all(word in text or word in typed for word in self.words):
            return False
        return all(_concerns(event, who, names) for who in self.who) and all(
            _is_about(entry, what) for what in self.what
        )


def read_filter(text: str) -> Filter:
    """The filter that a line says: `who: okado`, `what: damage`, and words that occur. Never fails."""
    found: dict[str, list[str]] = {"who": [], "what": [], "": []}
    for match in _FILTER.finditer(text):
        if word := _plain(match[2].strip('"')):
            found[(match[1] or "").casefold()].append(word)
    return Filter(tuple(found["who"]), tuple(found["what"]), tuple(found[""]))


def _plain(text: str) -> str:
    return text.casefold().replace("-", " ")


def _concerns(event: Event, who: str, names: Mapping[str, str]) -> bool:
    """Whether an event concerns who is meant, or was asked for by a seat of that name.

    An id or a name in full means only those who have it: `guard-1` is not `guard-10`. Else it is the
    beginning of an id or of a word of a name.
    """
    if _plain(word_in(event, "who")) == who:
        return True
    known = {**names_in(event), **names}
    if exact := {each for each, name in known.items() if who in (_plain(each), _plain(name))}:
        return bool(exact & concerned(event))
    return any(_begins(who, each, known.get(each, "")) for each in concerned(event))


def _begins(start: str, who: str, name: str) -> bool:
    words = _plain(name)
    return _plain(who).startswith(start) or words.startswith(start) or f" {start}" in words


def _is_about(entry: LogEntry, what: str) -> bool:
    """Whether an event is of a sort: its command, action or degree, a step or term, one of its marks."""
    event = entry.event
    words = [word_in(event, "command"), word_in(event, "action"), word_in(event, "kind"), *entry.marks]
    for result in results_of(event):
        words += [word_in(result, "action"), word_in(result, "degree")]
        words += [word_in(line, "label") for part in ("steps", "terms") for line in tables_in(result, part)]
    return any(_plain(word.replace("_", " ")).startswith(what) for word in words if word)
