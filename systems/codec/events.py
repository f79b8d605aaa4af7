"""Encode events as plain data and decode them again.

A stored event has the names of the fields of `Event`; empty fields are left out. A sentence is stored by its
place in the text. A roll has `sides` and `face`, or `dice` (such as 2d6) and `total` if only the total was
given. The answers are lists next to each other: `answers`, `asked`, `suggested` and `questions`.

Decoding accepts a log that was edited by hand: a field of the wrong type counts as absent. Only changes
must be right, because the state of the fight comes from them.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, get_args

from systems.contract.marked_text import MarkedText, marked, with_marks
from systems.contract.outcome import OWNERS, Answer, Explanation, Step, Term, Whose, plain_term
from systems.dice.sources import Roll, TotalRoll
from systems.encounter.events import (
    Change,
    Event,
    EventKind,
    Loss,
    ReactionTaken,
    Result,
    RosterChange,
    Sentence,
    stored_event,
)
from systems.errors import Wrong
from systems.frozen import frozen

Plain = Mapping[str, Any]


# Encoding


def plain_event(event: Event) -> dict[str, Any]:
    """Return an event as the log stores it. An event from a log is unchanged, with all its fields."""
    stored = event.__dict__.get("_stored")
    if isinstance(stored, _Stored):
        return dict(stored.plain)
    head: dict[str, Any] = {"n": event.n, "time": event.time, "who": event.who}
    head = {name: value for name, value in head.items() if value}
    head |= {"kind": event.kind, "command": event.command, "typed": event.typed}
    head |= {"round": event.round, "turn": event.turn}
    parts = {
        "turn_of": event.turn_of,
        "refs": list(event.refs),
        "titles": list(event.titles),
        "dropped": list(event.dropped),
        "action": event.action,
        "actor": event.actor,
        "targets": list(event.targets),
        "options": dict(event.options),
        "actors": list(event.actors),
        "batch": event.batch,
        "text": event.text,
        "sentences": [*_plain_sentences(event.sentences)],
        "rolls": [_plain_roll(roll) for roll in event.rolls],
        **_plain_answers(event.answers),
        "reactions": [_plain_reaction(reaction) for reaction in event.reactions],
        "results": [_plain_result(result, event.action) for result in event.results],
        "passing": [_plain_loss(loss) for loss in event.passing],
        "roster": [_plain_roster_change(change) for change in event.roster],
        "seen_changes": [plain_change(change) for change in event.seen_changes],
        "replaced": [plain_event(replaced) for replaced in event.replaced],
    }
    found = {**head, **{name: part for name, part in parts.items() if part}}
    if event.intent is not None:
        # An empty table differs from none.
        found["intent"] = dict(event.intent)
    found["changes"] = [plain_change(change) for change in event.changes]
    return found if event.game_version == 1 else found | {"game_version": event.game_version}


def plain_change(change: Change) -> dict[str, Any]:
    """Return a change as plain data."""
    return _present(who=change.who, field=change.field, before=change.before, after=change.after)


def _plain_roster_change(change: RosterChange) -> dict[str, Any]:
    return _present(entry=change.entry, field=change.field, before=change.before, after=change.after)


def _present(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _plain_sentences(sentences: Sequence[Sentence]) -> Iterator[dict[str, Any]]:
    at = 0
    for sentence in sentences:
        end = at + len(sentence.text)
        held: dict[str, Any] = {"start": at, "end": end}
        if sentence.about:
            held["about"] = list(sentence.about)
        held["seen"] = list(sentence.seen) if isinstance(sentence.seen, tuple) else sentence.seen or "all"
        if sentence.upcoming:
            held["upcoming"] = True
        if sentence.round is not None:
            held["round"] = sentence.round
        if sentence.result is not None:
            held["result"] = sentence.result
        if sentence.exact:
            held["exact"] = True
        if sentence.arithmetic:
            held["arithmetic"] = True
        held |= _plain_marks(marked(sentence.text))
        if sentence.public is not None:
            text, about = sentence.public
            held["public"] = {"text": str(text), "about": list(about), **_plain_marks(text)}
        yield held
        at = end + 1


def _plain_marks(text: MarkedText) -> dict[str, Any]:
    return {"marks": [mark.plain() for mark in text.marks]} if text.marks else {}


def _plain_roll(roll: Roll | TotalRoll) -> dict[str, Any]:
    if isinstance(roll, TotalRoll):
        return {"dice": roll.dice, "total": roll.total, "why": roll.why, "of": roll.of}
    return {"sides": roll.sides, "face": roll.face, "why": roll.why, "of": roll.of}


def _plain_reaction(reaction: ReactionTaken) -> dict[str, Any]:
    found: dict[str, Any] = {"actor": reaction.actor, "action": reaction.action}
    return {**found, "options": dict(reaction.options)} if reaction.options else found


def _plain_answers(answers: Sequence[Answer]) -> dict[str, Any]:
    """Return the answers as lists next to each other, one item for each answer."""
    if not answers:
        return {}
    found: dict[str, Any] = {"answers": [answer.value for answer in answers]}
    if all(answer.of is not None for answer in answers):
        found["asked"] = [answer.of for answer in answers]
    found["suggested"] = [answer.suggested for answer in answers]
    if any(answer.question for answer in answers):
        found["questions"] = [answer.question for answer in answers]
    return found


def _plain_result(result: Result, action: str) -> dict[str, Any]:
    """Return a result as plain data. `action`: the action of the event, which is not repeated."""
    explanation = result.explanation
    found: dict[str, Any] = {"actor": result.actor}
    if result.target is not None:
        found["target"] = result.target
    if result.action != action:
        found["action"] = result.action
    parts = {
        "degree": result.degree,
        "facts": dict(result.facts),
        "terms": [_plain_term(term) for term in explanation.terms],
        "steps": [_plain_step(step) for step in explanation.steps],
        "rules": list(explanation.rules),
        "status": result.status,
        "lost": result.lost,
        "felled": result.felled,
        "shows": list(result.shows),
    }
    return found | {name: part for name, part in parts.items() if part}


def _plain_term(term: Term) -> dict[str, Any]:
    plain = plain_term(term)
    if term.public_label != term.label:
        plain["public"] = term.public_label
    return {**plain, "of": term.of} if term.of else plain


def _plain_step(step: Step) -> dict[str, Any]:
    terms = [_plain_term(term) for term in step.terms]
    parts = {"label": step.label, "value": step.value, "note": step.note, "terms": terms, "of": step.of}
    return {name: part for name, part in parts.items() if part or name in ("label", "value")}


def _plain_loss(loss: Loss) -> dict[str, Any]:
    found: dict[str, Any] = {"who": loss.who, "lost": loss.lost}
    return {**found, "felled": True} if loss.felled else found


# Decoding


def read_event(plain: Plain) -> Event:
    """Return a stored event. Its fields are decoded when they are first used."""
    number = plain.get("n")
    return stored_event(number if type(number) is int else 0, _Stored(_upcast(plain)))


def _upcast(plain: Plain) -> Plain:
    """Return an event as it is written now.

    `schedule` and `unschedule` were `happening` and `happening drop`.
    """
    if plain.get("command") != "happening":
        return plain
    _, _, rest = _text(plain, "typed").strip().partition(" ")
    dropped = re.fullmatch(r"\s*drop\s+([0-9]+)\s*", rest, re.IGNORECASE)
    command, typed = ("unschedule", dropped[1]) if dropped else ("schedule", rest.strip())
    return {**plain, "command": command, "typed": f"{command} {typed}"}


def read_change(given: Plain) -> Change:
    """Read a change from plain data."""
    return Change(given.get("who", ""), given.get("field", ""), given.get("before"), given.get("after"))


@frozen(eq=False)
class _Stored:
    """A stored event, of which one field at a time is decoded."""

    plain: Plain

    def decoded(self, name: str) -> Any:
        decode = _DECODERS.get(name)
        return _text(self.plain, name) if decode is None else decode(self.plain, name)


def _text(table: Plain, name: str) -> str:
    value = table.get(name)
    return value if isinstance(value, str) else ""


def _number(table: Plain, name: str) -> int:
    value = table.get(name)
    return value if type(value) is int else 0


def _texts(table: Plain, name: str) -> tuple[str, ...]:
    value = table.get(name)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list | tuple) else ()


def _numbers(table: Plain, name: str) -> tuple[int, ...]:
    value = table.get(name)
    return tuple(item for item in value if type(item) is int) if isinstance(value, list | tuple) else ()


def _table(table: Plain, name: str) -> Plain:
    value = table.get(name)
    return value if isinstance(value, Mapping) else {}


def _tables(table: Plain, name: str) -> tuple[Plain, ...]:
    value = table.get(name)
    if not isinstance(value, list | tuple):
        return ()
    return tuple(inner for inner in value if isinstance(inner, Mapping))


def _values(table: Plain, name: str) -> tuple[Any, ...]:
    value = table.get(name)
    return tuple(value) if isinstance(value, list | tuple) else ()


def _kind(plain: Plain, name: str) -> EventKind:
    value: Any = plain.get(name)
    return value if value in get_args(EventKind) else "command"


def _version(plain: Plain, name: str) -> Any:
    """Return the version of the game as it is written; `check_version` of the sheets checks it."""
    return plain.get(name, 1)


def _sentences(plain: Plain, name: str) -> tuple[Sentence, ...]:
    text = _text(plain, "text")
    return tuple(
        _sentence(text, held)
        for held in _tables(plain, name)
        if type(held.get("start")) is int and type(held.get("end")) is int
    )


def _sentence(text: str, held: Plain) -> Sentence:
    number, result, public = held.get("round"), held.get("result"), held.get("public")
    return Sentence(
        with_marks(text[held["start"] : held["end"]], held.get("marks")),
        _texts(held, "about"),
        _viewers(held),
        (),
        held.get("upcoming") is True,
        number if type(number) is int else None,
        result if type(result) is int else None,
        held.get("exact") is True,
        _public(public) if isinstance(public, Mapping) else None,
        held.get("arithmetic") is True,
    )


def _viewers(held: Plain) -> Any:
    """Return who may read a sentence; only the game master if it does not say."""
    seen = held.get("seen", "gm")
    return _texts(held, "seen") if not isinstance(seen, str) else "all" if seen == "all" else "gm"


def _public(held: Plain) -> tuple[MarkedText, tuple[str, ...]]:
    return with_marks(_text(held, "text"), held.get("marks")), _texts(held, "about")


def _rolls(plain: Plain, name: str) -> tuple[Roll | TotalRoll, ...]:
    """Return the dice of an event. Dice without numbers are left out."""
    found: list[Roll | TotalRoll] = []
    for roll in _tables(plain, name):
        why, of = _text(roll, "why"), _text(roll, "of")
        total, sides, face = roll.get("total"), roll.get("sides"), roll.get("face")
        if type(total) is int:
            found.append(TotalRoll(_text(roll, "dice"), total, why, of))
        elif type(sides) is int and type(face) is int:
            found.append(Roll(sides, face, why, of))
    return tuple(found)


def _answers(plain: Plain, name: str) -> tuple[Answer, ...]:
    values = _values(plain, name)
    asked, suggested, questions = (
        found if len(found) == len(values) else (absent,) * len(values)
        for found, absent in (
            (_values(plain, "asked"), None),
            (_values(plain, "suggested"), False),
            (_values(plain, "questions"), ""),
        )
    )
    return tuple(
        Answer(value, of if isinstance(of, str) else None, is_suggested is True, str(question))
        for value, of, is_suggested, question in zip(values, asked, suggested, questions, strict=True)
    )


def _intent(plain: Plain, name: str) -> Plain | None:
    value = plain.get(name)
    return value if isinstance(value, Mapping) else None


def _reactions(plain: Plain, name: str) -> tuple[ReactionTaken, ...]:
    return tuple(
        ReactionTaken(_text(held, "actor"), _text(held, "action"), _table(held, "options"))
        for held in _tables(plain, name)
    )


def _results(plain: Plain, name: str) -> tuple[Result, ...]:
    action = _text(plain, "action")
    return tuple(_result(held, action) for held in _tables(plain, name))


def _result(held: Plain, action: str) -> Result:
    explanation = Explanation(
        "",
        tuple(map(_term, _tables(held, "terms"))),
        tuple(map(_step, _tables(held, "steps"))),
        _texts(held, "rules"),
    )
    return Result(
        _text(held, "action") or action,
        _text(held, "actor"),
        _text(held, "target") or None,
        _text(held, "degree"),
        _table(held, "facts"),
        explanation,
        _text(held, "status"),
        _number(held, "lost"),
        held.get("felled") is True,
        _texts(held, "shows"),
    )


def _term(held: Plain) -> Term:
    label, note, public = (_text(held, name) for name in ("label", "note", "public"))
    return Term(label, _number(held, "value"), note, _whose(held), public)


def _whose(held: Plain) -> Whose:
    """Return the owner of a figure; "" for an unknown one, so that nobody reads it."""
    of = held.get("of")
    return next((known for known in OWNERS if known == of), "")


def _step(held: Plain) -> Step:
    terms = tuple(map(_term, _tables(held, "terms")))
    return Step(_text(held, "label"), str(held.get("value", "")), _text(held, "note"), terms, _whose(held))


def _losses(plain: Plain, name: str) -> tuple[Loss, ...]:
    return tuple(
        Loss(_text(held, "who"), held["lost"], held.get("felled") is True)
        for held in _tables(plain, name)
        if type(held.get("lost")) is int
    )


def _roster_changes(plain: Plain, name: str) -> tuple[RosterChange, ...]:
    return tuple(
        RosterChange(_text(held, "entry"), _text(held, "field"), held.get("before"), held.get("after"))
        for held in _tables(plain, name)
    )


def _changes(plain: Plain, name: str) -> tuple[Change, ...]:
    """Return changes. Raises Wrong if they cannot be read."""
    try:
        return tuple([read_change(held) for held in plain.get(name, ())])
    except (AttributeError, TypeError):
        raise Wrong(name, "expected a list of changes") from None


def _replaced(plain: Plain, name: str) -> tuple[Event, ...]:
    return tuple(map(read_event, _tables(plain, name)))


# A field without a decoder is a text.
_DECODERS: Mapping[str, Callable[[Plain, str], Any]] = {
    "kind": _kind,
    "round": _number,
    "targets": _texts,
    "options": _table,
    "intent": _intent,
    "actors": _texts,
    "batch": _number,
    "refs": _numbers,
    "titles": _texts,
    "dropped": _numbers,
    "sentences": _sentences,
    "rolls": _rolls,
    "answers": _answers,
    "reactions": _reactions,
    "results": _results,
    "passing": _losses,
    "roster": _roster_changes,
    "seen_changes": _changes,
    "replaced": _replaced,
    "changes": _changes,
    "game_version": _version,
}
