"""What a real die is for: which faces do what, and what is added to it, found by asking the rules."""

from collections.abc import Mapping, Sequence
from time import process_time
from typing import Any

from systems.commands.perform import perform
from systems.contract.ruleset import Ruleset
from systems.dice.sources import NeedsFace, ScriptedDice
from systems.encounter.events import results_of, tables_in, word_in
from systems.errors import InputError
from systems.frozen import frozen
from systems.text import clean, listed, plain_number, signed
from tui.session.session import Attempt

# Seconds of work for one die; a command that takes longer is not explained.
MOST_TIME = 0.1
MOST_DICE = 200
Results = Sequence[Mapping[str, Any]]
# A face after which another die decides.
_OPEN = "hangs on the next die"


@frozen
class DieMeaning:
    """What stands beside a die. `does`: `17 or more: passed`; `adds`: `melee 53 and hurt −10 = +43`."""

    does: str = ""
    adds: str = ""


def meaning_of(attempt: Attempt, needs: NeedsFace) -> DieMeaning:
    """Return what the faces of the next die come to; where that hangs on the die after it, whose that is."""
    if needs.passes_at is not None:
        return DieMeaning(_passing(needs.passes_at, needs.sides, needs.over))
    until = process_time() + MOST_TIME
    found: list[tuple[Results, Results] | None] = []
    for face in range(1, needs.sides + 1):
        low, high = (_results(attempt, face, rest) for rest in (min, max))
        if process_time() > until:
            return DieMeaning()
        # A tie that is thrown again and again by the same faces hangs on the next die.
        found.append(None if low is None or high is None else (low, high))
    known = [pair for pair in found if pair is not None]
    first = known[0][0] if known else ()
    at = next((at for low, _ in known if (at := _first_other(first, low)) is not None), None)
    if at is None or any(len(low) <= at or len(high) <= at for low, high in known):
        return DieMeaning()
    told = [_told(attempt, pair[0][at], pair[1][at]) if pair else _OPEN for pair in found]
    results = [low[at] for low, _ in known]
    if len(set(told)) == 1 and _terms(results[0]) == _terms(results[-1]):
        return DieMeaning()  # what comes of it is decided already, as for dice of damage
    if told.count(_OPEN) * 2 > len(told):
        return DieMeaning(_decider(attempt, needs), _added(results))
    does = _doing(told)
    actor = attempt.session.encounter.combatants.get(word_in(results[0], "actor"))
    if (
        does
        and actor is not None
        and needs.of in attempt.session.encounter.combatants
        and actor.id != needs.of
    ):
        does = f"for {clean(actor.name, 40)} {does}"  # what it comes to is told of who acts
    return DieMeaning(does, _added(results))


def _told(attempt: Attempt, low: Mapping[str, Any], high: Mapping[str, Any]) -> str:
    """Return what a face comes to; open where that hangs on the dice after it."""
    label = _label(attempt, low)
    return label if label == _label(attempt, high) else _OPEN


def _decider(attempt: Attempt, needs: NeedsFace) -> str:
    """Return whose die decides with this one: `Guard 1's d20 decides with it`; "" where that is none."""
    session = attempt.session
    faces, choices = [*attempt.faces, (needs.sides + 1) // 2], _AnswersThenSuggested(attempt.answers)
    try:
        perform(session.encounter, session.log, session.roster, attempt.command, ScriptedDice(faces), choices)
    except NeedsFace as following:
        owner = session.encounter.combatants.get(following.of)
        if owner is not None and following.of != needs.of:
            return f"{clean(owner.name, 40)}'s d{following.sides} decides with it"
    except (InputError, ValueError):
        pass
    return ""


def _passing(at: int, sides: int, over: bool) -> str:
    possible = at <= sides if over else at >= 1
    always = at <= 1 if over else at >= sides
    if not possible:
        return "no face passes"
    return "every face passes" if always else f"{at} or {'more' if over else 'less'} passes"


class _Rest:
    """The faces given so far, the one in question, then the lowest or the highest of each die."""

    def __init__(self, faces: Sequence[int], rest: Any) -> None:
        self._faces, self._rest, self._at = faces, rest, 0

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        at, self._at = self._at, self._at + 1
        if at >= MOST_DICE:
            raise InputError("too many dice")
        return self._faces[at] if at < len(self._faces) else int(self._rest(1, sides))


class _AnswersThenSuggested:
    """The answers given so far, then what is suggested."""

    def __init__(self, answers: Sequence[Any]) -> None:
        self._answers = list(answers)

    def answer(self, question: str, choices: Sequence[Any], of: str, suggest: Any) -> Any:
        return self._answers.pop(0) if self._answers else suggest


def _results(attempt: Attempt, face: int, rest: Any) -> Results | None:
    """Return the results of the command with that face, None where it cannot be."""
    session = attempt.session
    dice = _Rest([*attempt.faces, face], rest)
    try:
        done = perform(
            session.encounter,
            session.log,
            session.roster,
            attempt.command,
            dice,
            _AnswersThenSuggested(attempt.answers),
        )
    except (InputError, ValueError):
        return None
    return results_of(done.event)


def _first_other(some: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]]) -> int | None:
    """Return the place of the first result that is not the same."""
    for at, (first, second) in enumerate(zip(some, others, strict=False)):
        if first != second:
            return at
    return None


def _label(attempt: Attempt, result: Mapping[str, Any]) -> str:
    """Return in a word what a result comes to."""
    game: Ruleset = attempt.session.game
    action = game.action(word_in(result, "action") or getattr(attempt.command.intent, "action", ""))
    facts = result.get("facts")
    degree = word_in(result, "degree").replace("_", " ")
    if (
        degree in ("", "success", "failure")
        and action is not None
        and action.success
        and isinstance(facts, Mapping)
    ):
        name = action.success.replace("_", " ")
        return name if action.succeeds(facts.get(action.success)) else f"not {name}"
    if not degree and isinstance(facts, Mapping) and isinstance(facts.get("passed"), bool):
        return "passed" if facts["passed"] else "not passed"
    return clean(degree, 40)


def _doing(labels: Sequence[str]) -> str:
    """Return `17 or more: passed` for two groups of faces, else each group: `1 missed, 2 to 12 hit, …`."""
    groups: list[tuple[int, int, str]] = []
    for face, label in enumerate(labels, 1):
        if groups and groups[-1][2] == label:
            groups[-1] = (groups[-1][0], face, label)
        else:
            groups.append((face, face, label))
    if not all(label for *_, label in groups) or len(groups) > 5:
        return ""
    last = len(labels)
    if len(groups) == 1:
        return f"every face: {groups[0][2]}"
    if len(groups) == 2 and _OPEN not in labels:
        first, second = groups
        if second[2].startswith("not ") or second[2] in ("failure", "failed", "miss"):
            return f"{first[1]}{' or less' if first[1] > 1 else ''}: {first[2]}"
        return f"{second[0]}{' or more' if second[0] < last else ''}: {second[2]}"
    told = [
        f"{low} or more {label}"
        if high == last and low < last
        else f"{low} {label}"
        if low == high
        else f"{low} to {high} {label}"
        for low, high, label in groups
    ]
    return ", ".join(told)


def _terms(result: Mapping[str, Any]) -> dict[str, object]:
    return {word_in(term, "label"): term.get("value") for term in tables_in(result, "terms")}


def _added(results: Sequence[Mapping[str, Any]]) -> str:
    """Return the terms of the total that do not change with the die, and their sum."""
    sums = [_terms(each) for each in results]
    middle = sums[len(sums) // 2 : len(sums) // 2 + 2]
    if len(middle) < 2 or middle[0] == middle[1]:
        return ""  # the die is not part of the sum
    fixed = {label: value for label, value in middle[0].items() if middle[1].get(label) == value}
    some = {label: int(value) for label, value in fixed.items() if isinstance(value, int) and value}
    if not some:
        return ""
    total = f" = {signed(sum(some.values()))}" if len(some) > 1 else ""
    words = [f"{clean(label, 30)} {plain_number(value)}" for label, value in some.items()]
    return f"{listed(words)}{total}"
