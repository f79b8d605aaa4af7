"""Events of the log, format 2: each holds the result of one command, as data and as text.

Commands produce `Sentence` and `Result`. `text_of` and `plain_result` turn them into the plain data of an
event. The other functions read events. They return empty values for absent fields, so that a log edited by
hand or begun in format 1 can still be read.

Fields of an event: n, time, who (who asked for it), kind (command, undo, redo, back), command (its declared
name), action (the game's action, if one was run), round, turn, turn_of (the combatant in whose turn the
command was carried out, because a seat still saw that turn; see given_back.py of the commands), actor,
targets, options, typed, refs, titles (of undone or redone commands; see step_runs.py), text, sentences,
rolls, answers, asked (whose answers these are), suggested (whether each answer is the suggested one),
results, passing (losses as turns passed during the event of an action, see losses.py), roster (changes of
roster entries), changes, seen_changes (the changes in that turn, if they differ). A roll has `sides` and
`face`, or `dice` (such as 2d6) and `total` if only the total was given. Empty fields are left out.

An amendment holds the newer versions of earlier events in `replaced` and the numbers of events that it
dropped in `dropped` (history.py).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import attrs

from systems.contract.marked_text import MarkedText, TextMark, joined, marked, read_marks, with_marks
from systems.contract.outcome import Explanation, Fact, Step, plain_term
from systems.dice.sources import Given, Total
from systems.encounter.model import Encounter
from systems.frozen import frozen
from systems.schema.conversion import plain_of
from systems.text import clean, printable

Event = Mapping[str, Any]
Seen = Literal["all", "gm"]
# Events of these kinds change what other events did.
STEPS = ("undo", "redo", "back")
_ACTION_COMMANDS = ("action", "damage", "heal", "roll")
NOTHING_CHANGED = "Nothing changed."


@frozen
class Sentence:
    """One sentence of an event, and the ids of the combatants it is about.

    `seen`: "gm" for the game master alone, "all" for everybody; None: decided by which of the combatants in
    `about` are hidden. `owners`: the combatants whose players alone may read it. `upcoming`: it only
    announces or recalls something. `round`: the round in which it was logged, if known. `result`: the index
    of the result that it describes. `exact`: it contains exact values of the last combatant in `about`, even
    if it describes no result. `public`: the text for viewers who cannot see all combatants in `about`, with
    the ids that this text is about. `arithmetic`: it is the arithmetic of the result in the sentence before
    it.
    """

    text: MarkedText = attrs.field(converter=marked)
    about: tuple[str, ...] = ()
    seen: Seen | None = None
    owners: tuple[str, ...] = ()
    upcoming: bool = False
    round: int | None = None
    result: int | None = None
    exact: bool = False
    public: tuple[MarkedText, tuple[str, ...]] | None = None
    arithmetic: bool = False


@frozen
class TextLine:
    """One line of an event: what happened, and the arithmetic that is shown dimmed below it, or ""."""

    text: MarkedText
    arithmetic: str = ""


# The sentences of a line, and those of its arithmetic.
_Sentences = tuple[list[str], list[str]]


@frozen
class Result:
    """The result of one action for one target, or for its actor if there is no target.

    `status`: the new status of a visible target, if it changed and the actor is out of sight.
    """

    action: str
    actor: str
    target: str | None
    degree: str
    facts: Mapping[str, Fact]
    explanation: Explanation
    status: str = ""


# Writing


def out_of_sight(before: Encounter, after: Encounter) -> set[str]:
    """Return the ids hidden before or after a command, and those that have not arrived after it."""
    hidden = {combatant.id for here in (before, after) for combatant in here if combatant.state.hidden}
    newest = {**before.combatants, **after.combatants}
    return hidden | {who for who, combatant in newest.items() if combatant.state.arrives}


def text_of(
    sentences: Iterable[Sentence], hidden: Collection[str], number: int
) -> tuple[str, list[dict[str, Any]]]:
    """Return the whole line, and each sentence as plain data with its position.

    `hidden`: the ids of combatants that are out of sight before or after the command. `number`: the round in
    which the command began.
    """
    parts: list[str] = []
    plain: list[dict[str, Any]] = []
    at = 0
    for sentence in sentences:
        text = sentence.text.changed(printable)
        if not text:
            continue
        held: dict[str, Any] = {"start": at, "end": at + len(text)}
        if sentence.about:
            held["about"] = list(dict.fromkeys(sentence.about))
        held["seen"] = _seen(sentence, hidden)
        if sentence.upcoming:
            held["upcoming"] = True
        if sentence.round not in (None, number):
            held["round"] = sentence.round
        if sentence.result is not None:
            held["result"] = sentence.result
        if sentence.exact:
            held["exact"] = True
        if sentence.arithmetic:
            held["arithmetic"] = True
        if text.marks:
            held["marks"] = [mark.plain() for mark in text.marks]
        if sentence.public is not None and not {*sentence.public[1]} & {*hidden}:
            held["public"] = _plain_public(*sentence.public)
        plain.append(held)
        parts.append(text)
        at += len(text) + 1
    return " ".join(parts), plain


def _plain_public(text: MarkedText, about: Sequence[str]) -> dict[str, Any]:
    """Return the text for viewers who cannot see every combatant, as plain data."""
    text = text.changed(printable)
    held: dict[str, Any] = {"text": str(text), "about": list(about)}
    return held | ({"marks": [mark.plain() for mark in text.marks]} if text.marks else {})


def public_of(sentence: Mapping[str, Any]) -> tuple[MarkedText, Mapping[str, Any]] | None:
    """Return a sentence's text for viewers who cannot see all its combatants, with the sentence's data."""
    held = sentence.get("public")
    if not isinstance(held, Mapping):
        return None
    return with_marks(word_in(held, "text"), held.get("marks")), {**sentence, "about": held.get("about", ())}


def _seen(sentence: Sentence, hidden: Collection[str]) -> str | list[str]:
    if sentence.seen is not None:
        return sentence.seen
    only = [who for who in dict.fromkeys(sentence.about) if who in hidden]
    only += [who for who in sentence.owners if who not in only]
    return only or "all"


def plain_result(result: Result, action: str) -> dict[str, Any]:
    """Return a result as plain data. `action`: the action of the event, which is not repeated."""
    explanation = result.explanation
    found: dict[str, Any] = {"actor": result.actor}
    if result.target is not None:
        found["target"] = result.target
    if result.action != action:
        found["action"] = result.action
    facts = {name: plain_of(fact) for name, fact in result.facts.items() if fact is not None}
    parts = {
        "degree": result.degree,
        "facts": facts,
        "terms": [plain_term(term) for term in explanation.terms],
        "steps": [_plain_step(step) for step in explanation.steps],
        "rules": list(explanation.rules),
        "status": result.status,
    }
    return found | {name: part for name, part in parts.items() if part}


def _plain_step(step: Step) -> dict[str, Any]:
    terms = [plain_term(term) for term in step.terms]
    parts = {"label": step.label, "value": step.value, "note": step.note, "terms": terms}
    return {name: part for name, part in parts.items() if part or name in ("label", "value")}


# Reading


def word_in(event: Event, name: str) -> str:
    """Return a text field of an event, or ""."""
    value = event.get(name)
    return value if isinstance(value, str) else ""


def ids_in(table: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Return a list of ids in a table, or ()."""
    value = table.get(name)
    return tuple(who for who in value if isinstance(who, str)) if isinstance(value, list | tuple) else ()


def tables_in(table: Mapping[str, Any], name: str) -> tuple[Mapping[str, Any], ...]:
    """Return a list of tables in a table, or ()."""
    value = table.get(name)
    if not isinstance(value, list | tuple):
        return ()
    return tuple(inner for inner in value if isinstance(inner, Mapping))


def given_in(event: Event) -> list[Given]:
    """Return the dice of an event in the form used for real dice: a face for each die, or the total of
    several.
    """
    found: list[Given] = []
    for roll in tables_in(event, "rolls"):
        total, face = roll.get("total"), roll.get("face")
        if isinstance(total, int):
            found.append(Total(total))
        else:
            found.append(face if isinstance(face, int) else 1)
    return found


def options_of(event: Event) -> Mapping[str, Any]:
    """Return the options given with the command, by name."""
    value = event.get("options")
    return value if isinstance(value, Mapping) else {}


def results_of(event: Event) -> tuple[Mapping[str, Any], ...]:
    """Return the results of an event: one table for each target, or one for the actor if there are no
    targets.
    """
    return tables_in(event, "results")


def subject_of(result: Mapping[str, Any]) -> str:
    """Return the id that a result is about: its target, else its actor."""
    return word_in(result, "target") or word_in(result, "actor")


def sentences_of(event: Event) -> Iterator[tuple[MarkedText, Mapping[str, Any]]]:
    """Yield each sentence of an event with its marks and its data. An event of format 1 has none."""
    text = word_in(event, "text")
    for sentence in tables_in(event, "sentences"):
        start, end = sentence.get("start"), sentence.get("end")
        if isinstance(start, int) and isinstance(end, int):
            yield with_marks(text[start:end], sentence.get("marks")), sentence


def whole_text_of(event: Event) -> MarkedText:
    """Return the text of an event with the marks of its sentences."""
    text = word_in(event, "text")
    marks: list[TextMark] = []
    for held in tables_in(event, "sentences"):
        start, end = held.get("start"), held.get("end")
        if "marks" in held and isinstance(start, int) and isinstance(end, int) and 0 <= start <= end:
            marks += read_marks(held["marks"], min(end, len(text)) - start, start)
    return MarkedText(text, marks)


def _ids_with_own_line(event: Event) -> set[str]:
    """Return the ids of the combatants that each have a line in an event's text; empty if it is one line."""
    if word_in(event, "command") not in ("action", "damage", "heal"):
        return set()
    each = {*ids_in(event, "targets"), *map(subject_of, results_of(event))}
    return each if len(each) > 1 else set()


def is_arithmetic(sentence: Mapping[str, Any]) -> bool:
    """Return whether a sentence is the arithmetic of the result before it."""
    return sentence.get("arithmetic") is True


def is_one_line(event: Event) -> bool:
    """Return whether `lines_of` has one line, without arithmetic."""
    return not any(map(is_arithmetic, tables_in(event, "sentences"))) and not _ids_with_own_line(event)


def lines_of(event: Event) -> list[TextLine]:
    """Return the text of an event in lines, each with its arithmetic.

    An event with several targets has a line for each of them, after a heading: a sentence belongs to the
    line of the last target it is about. Other events are one line, but each line has only one arithmetic.
    """
    if is_one_line(event):
        return [TextLine(whole_text_of(event))]
    each = _ids_with_own_line(event)
    lines: list[_Sentences] = []
    subject, is_heading = "", True
    for text, sentence in sentences_of(event):
        if lines and is_arithmetic(sentence):
            lines[-1][1].append(text)
            continue
        about = ids_in(sentence, "about")
        last = about[-1] if about and about[-1] in each else ""
        is_heading = is_heading and len(each & {*about}) > 1 and sentence.get("result") is None
        is_next_result = bool(lines and lines[-1][1]) and sentence.get("result") is not None
        if lines and not is_next_result and (is_heading or not last or last == subject):
            lines[-1][0].append(text)
        else:
            lines.append(([text], []))
        subject = "" if is_heading else last or subject
    return [_text_line(*line) for line in lines] or [TextLine(whole_text_of(event))]


def _text_line(said: Sequence[str], arithmetic: Sequence[str]) -> TextLine:
    return TextLine(joined(said), " ".join(arithmetic))


def combatants_in(event: Event) -> frozenset[str]:
    """Return the ids of all combatants an event involves: its actor, targets and those in its sentences.

    An event of format 1 has no sentences. There, the ids are those of rolls and of changed sheets or
    conditions.
    """
    found = {word_in(event, "actor"), *ids_in(event, "targets")}
    for result in results_of(event):
        found |= {word_in(result, "actor"), word_in(result, "target")}
    sentences = tables_in(event, "sentences")
    for sentence in sentences:
        if not sentence.get("upcoming"):
            found.update(ids_in(sentence, "about"))
    if not sentences:
        found |= {word_in(die, "of") for die in tables_in(event, "rolls")}
        for change in tables_in(event, "changes"):
            if word_in(change, "field").startswith(("sheet.", "conditions")) or not change.get("field"):
                found.add(word_in(change, "who"))
    return frozenset(found - {"", "gm"})


def round_of(event: Event) -> int:
    """Return the round that an event belongs to: the round that it begins, if any, else its own.

    An action belongs to the round in which it is done, even if turns pass afterwards in the same event.
    """
    if event.get("kind") in STEPS or event.get("command") in _ACTION_COMMANDS:
        return int(event.get("round", 0))
    for change in event.get("changes", ()):
        if change.get("who"):
            break
        if change.get("field") == "round":
            return int(change.get("after") or 0)
    return int(event.get("round", 0))


def lines_about(event: Event, who: str) -> list[TextLine]:
    """Return the lines about one combatant; the whole text of an event without sentences."""
    if who not in combatants_in(event):
        return []
    if not tables_in(event, "sentences"):
        return [TextLine(MarkedText(word_in(event, "text")))]
    lines: list[_Sentences] = []
    for text, sentence in sentences_of(event):
        if who not in ids_in(sentence, "about"):
            continue
        if lines and is_arithmetic(sentence):
            lines[-1][1].append(text)
        elif lines and not (lines[-1][1] and sentence.get("result") is not None):
            lines[-1][0].append(text)
        else:
            lines.append(([text], []))
    return [_text_line(*line) for line in lines]


def seen_of(event: Event) -> Seen | None:
    """Return "gm" if only the game master saw an event, else None.

    None means that visibility depends on the combatants it is about. Sentences of format 1 have no viewers.
    """
    seen = [sentence.get("seen") for sentence in tables_in(event, "sentences")]
    return "gm" if all(viewers == "gm" for viewers in seen) else None


def is_secret(event: Event) -> bool:
    """Return whether an event is a secret roll."""
    return event.get("command") == "roll" and options_of(event).get("secret") is True


def names_in(event: Event) -> dict[str, str]:
    """Return the names of combatants that an event added or removed, by id."""
    found = {}
    for change in tables_in(event, "changes"):
        for side in ("before", "after"):
            whole = change.get(side)
            if not change.get("field") and isinstance(whole, Mapping) and (name := word_in(whole, "name")):
                found[word_in(change, "who")] = clean(name, 60)
    return found
