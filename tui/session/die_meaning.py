"""Explain a real die by asking the rules: what its faces do, what is added to it, its place in the pool."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import groupby
from time import process_time
from typing import Any

from systems.commands.dispatcher import perform
from systems.contract.action import Action
from systems.contract.marked_text import possessive
from systems.contract.outcome import Step
from systems.contract.ruleset import Ruleset
from systems.contract.table import Choices, NeedsChoice, ScriptedChoices, interruption_of
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import Dice, DiceCounts, DieRequest, Given, NeedsFace, TakesTotals, given_of
from systems.encounter.events import Event, Result
from systems.errors import InputError
from systems.frozen import evolve, frozen
from systems.text import clean, listed, plain_number, signed, spoken
from tui.session.attempt import Attempt

# Seconds of work for one die. A command that takes longer is not explained.
MOST_TIME = 0.1
MOST_DICE = 200
# With more groups of faces than these, none is listed.
MOST_GROUPS = 8
Results = Sequence[Result]
# The words for a face after which another die decides.
_OPEN = "depends on the next die"
# With more dice than these, the pool is not counted in advance.
MOST_COUNTED = 300


class GivenThenMadeUp(TakesTotals):
    """A source that returns the given dice, then made-up faces: `made_up` maps the sides of a die to a face.

    `asked`: sides, reason and owner of every die so far. `begins`: the index of the first made-up one. Raises
    ValueError after `most` dice.
    """

    def __init__(self, given: Sequence[Given], made_up: Callable[[int], int], most: int) -> None:
        self._given, self._made_up, self._most = ScriptedDice(given), made_up, most
        self.asked: list[tuple[int, str, str]] = []
        self.begins: int | None = None

    def total(self, dice: DiceCounts, why: str = "", of: str = "") -> int | None:
        total = self._given.total(dice, why, of)
        if total is not None:
            self.asked += [(sides, why, of) for number, sides in dice for _ in range(number)]
        return total

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        if len(self.asked) >= self._most:
            raise ValueError("too many dice")
        if self._given.left:
            face = self._given.face(sides, why, of)
        else:
            self.begins = len(self.asked) if self.begins is None else self.begins
            face = self._made_up(sides)
        self.asked.append((sides, why, of))
        return face


class MadeUpRun:
    """The command that needs a die: an attempt, or the command that an amendment replays.

    `faces` and `answers`: those given so far. Running it changes nothing.
    """

    def __init__(self, attempt: Attempt, needs: DieRequest) -> None:
        self._attempt, self._again = attempt, needs.again
        in_past = needs.again is not None
        before: Sequence[Given] = [given_of(roll) for roll in needs.before]
        # The interruptions that would probably be used after a face, by face.
        self.interruptions: dict[int, dict[str, None]] = {}
        self.faces: Sequence[Given] = before if in_past else attempt.faces
        self.answers: Sequence[Any] = needs.answers if in_past else attempt.answers

    def event(self, dice: Dice, choices: Choices) -> Event:
        """Return the event of the command. Raises what `perform` raises."""
        if self._again is not None:
            event: Event = self._again(dice, choices)
            return event
        session, command = self._attempt.session, self._attempt.command
        return perform(session.encounter, session.log, session.roster, command, dice, choices)


@frozen
class Added:
    """The bonus to a die: in words, `melee 53 and hurt −10 = +43`, and as a number; None if unknown."""

    words: str = ""
    bonus: int | None = 0


@frozen
class DieMeaning:
    """The effect of a die's faces, `17 or more: passed`, and the bonus to it.

    `made_of`: the parts of the number that the die has to stay within, `aim 65, cover −20`.
    """

    does: str = ""
    added: Added = Added()
    made_of: str = ""

    @property
    def adds(self) -> str:
        """Return what is added to the die, in words."""
        return self.added.words

    @property
    def does_in_full(self) -> str:
        """Return what the faces do, and why: `45 or less: passed (aim 65, cover −20)`."""
        return f"{self.does} ({self.made_of})" if self.made_of else self.does


def meaning_of(attempt: Attempt, needs: DieRequest) -> DieMeaning:
    """Return what the faces of the next die do. If a later die decides, name its owner."""
    run = MadeUpRun(attempt, needs)
    if needs.lowest_first is not None:
        return DieMeaning(f"the {'lowest' if needs.lowest_first else 'highest'} goes first")
    if needs.outcome_of is not None:
        does = _doing([needs.outcome_of(face) for face in range(1, needs.sides + 1)])
        return DieMeaning(does, _first_added(*_in_the_middle(run, needs)))
    if needs.passes_at is not None:
        return _meaning_of_check(run, needs, needs.passes_at)
    added = Added(signed(needs.adds), needs.adds) if needs.adds else Added()
    if needs.at_once is not None:
        return DieMeaning(added=added)
    found = _tried(run, needs)
    if found is None:
        return DieMeaning(added=added if needs.adds is not None else Added(bonus=None))
    known = [pair for pair in found if pair is not None and all(pair)]
    first = known[0][0] if known else ()
    at = next((at for low, _ in known if (at := _first_other(first, low)) is not None), None)
    if at is None or any(len(low) <= at or len(high) <= at for low, high in known):
        return DieMeaning(added=added)
    outcomes = _unless_interrupted(_face_outcomes(attempt, found, at), run.interruptions)
    results = [low[at] for low, _ in known]
    is_own = needs.of in ("", results[0].actor)
    if len(set(outcomes)) == 1 and is_own and results[0].terms == results[-1].terms:
        amounts = _amounts(attempt, known, at)  # the outcome is decided: this die is for damage
        return DieMeaning(amounts, Added() if amounts else added)
    # Dice that fall after this one differ between low and high, so they are no bonus to it.
    summed = _added([pair[face % 2][at] for face, pair in enumerate(known)])
    added = summed if summed.words else added
    if outcomes.count(_OPEN) * 2 > len(outcomes):
        return DieMeaning(_decider(attempt, run, needs), added)
    return DieMeaning(_doing_for(attempt, needs, results[0].actor, _doing(outcomes)), added)


def _meaning_of_check(run: MadeUpRun, needs: DieRequest, passes_at: int) -> DieMeaning:
    """Return the meaning of a die that passes from a number on, or up to it."""
    if needs.is_counted:
        return DieMeaning(_passing(needs, passes_at))
    middle = _in_the_middle(run, needs)
    # The number to pass is only known for the first die; a later one may have its own.
    made_of = "" if needs.over or run.faces else _made_of(middle[0], passes_at)
    return DieMeaning(_passing(needs, passes_at), _first_added(*middle), made_of)


def _tried(run: MadeUpRun, needs: DieRequest) -> list[tuple[Results, Results] | None] | None:
    """Return the results of each face with the lowest and the highest later dice; None if it takes too long.

    A face has none if the runs do not end, such as a tie that is rolled with the same faces again.
    """
    until = process_time() + MOST_TIME
    found: list[tuple[Results, Results] | None] = []
    for face in range(1, needs.sides + 1):
        low, high = (_results(run, face, rest) for rest in (min, max))
        if process_time() > until:
            return None
        found.append(None if low is None or high is None else (low, high))
    return found


def _doing_for(attempt: Attempt, needs: DieRequest, actor: str, does: str) -> str:
    """Return the effect of the faces. It names the actor, whose outcome it is, if another one rolls."""
    combatants = attempt.session.encounter.combatants
    if not does or actor not in combatants or needs.of not in combatants or actor == needs.of:
        return does
    return f"for {clean(combatants[actor].name, 40)}, {does}"


def _amounts(attempt: Attempt, known: Sequence[tuple[Results, Results]], at: int) -> str:
    """Return the damage of groups of faces, or "": `1 to 6 damage 4, 7 or more damage 5`."""
    found = [tuple(_amount(attempt, each[at]) for each in pair) for pair in known]
    if len(set(found)) in (1, len(found)) or any(low != high for low, high in found):
        return ""
    return _doing([low for low, _ in found], each=True)


def _amount(attempt: Attempt, result: Result) -> str:
    action, facts = _action(attempt, result), result.facts
    if action is None or not action.amount:
        return ""
    # A roll that is shared by several targets is shown as rolled, before a target takes half.
    rolled = facts.get("rolled")
    amount = sum(rolled) if isinstance(rolled, list) else facts.get(action.amount)
    return f"{action.amount.replace('_', ' ')} {amount}"


def _action(attempt: Attempt, result: Result) -> Action | None:
    game: Ruleset = attempt.session.game
    return game.action(result.action)


def _face_outcomes(attempt: Attempt, found: Sequence[tuple[Results, Results] | None], at: int) -> list[str]:
    """Return the outcome of each face; open if it depends on later dice.

    If faces of one degree do different amounts, each names its own: `critical hit (3 damage)`.
    """
    outcomes = [_outcome(attempt, pair, at) for pair in found]
    words = list(map(_in_words, outcomes))
    amounts = [_decided_amount(attempt, pair, at) for pair in found]
    several = len(set(zip(outcomes, amounts, strict=True))) > len(set(outcomes)) > 1
    if _OPEN in words or None in amounts or not several:
        return words
    full = [_in_words((*parts, amount or "")) for parts, amount in zip(outcomes, amounts, strict=True)]
    return full if len(list(groupby(full))) <= MOST_GROUPS else words


def _unless_interrupted(outcomes: Sequence[str], interruptions: Mapping[int, Collection[str]]) -> list[str]:
    """Return the outcomes of the faces, each with the reactions that may stop it: `hit, unless Shield`."""
    return [
        f"{outcome}, unless {listed(interruptions[face], 'or')}" if interruptions.get(face) else outcome
        for face, outcome in enumerate(outcomes, 1)
    ]


def _outcome(attempt: Attempt, pair: tuple[Results, Results] | None, at: int) -> tuple[str, ...]:
    """Return the degree of a face and its side effects; open if other dice decide."""
    if pair is None:
        return (_OPEN,)
    labels = {(_label(attempt, each[at]), *_side_effects(attempt, each[at])) for each in pair}
    return labels.pop() if len(labels) == 1 else (_OPEN,)


def _in_words(outcome: Sequence[str]) -> str:
    """Return the label of an outcome, such as `miss (Magical Mayhem)`."""
    degree, *more = outcome
    also = ", ".join(filter(None, more))
    return f"{degree} ({also})" if also else degree


def _decided_amount(attempt: Attempt, pair: tuple[Results, Results] | None, at: int) -> str | None:
    """Return the amount of a face, such as `3 damage`, or "" for none; None if other dice decide."""
    if pair is None:
        return None
    amounts = {_fact_of_amount(attempt, results[at]) for results in pair}
    return amounts.pop() if len(amounts) == 1 else None


def _fact_of_amount(attempt: Attempt, result: Result) -> str:
    action, facts = _action(attempt, result), result.facts
    amount = facts.get(action.amount) if action else None
    return f"{amount} {spoken(action.amount)}" if action and amount and type(amount) is int else ""


def _decider(attempt: Attempt, run: MadeUpRun, needs: DieRequest) -> str:
    """Return which other die decides, such as `depends on Guard 1's d20 too`, or ""."""
    faces = [*run.faces, (needs.sides + 1) // 2]
    try:
        run.event(ScriptedDice(faces), _AnswersThenSuggested(run.answers))
    except NeedsFace as following:
        die = following.request
        owner = attempt.session.encounter.combatants.get(die.of)
        if owner is not None and die.of != needs.of:
            return f"depends on {possessive(clean(owner.name, 40))} d{die.sides} too"
    except (InputError, ValueError):
        pass
    return ""


def _passing(needs: DieRequest, at: int) -> str:
    """Return which faces pass, or count in a pool. `at` is the lowest or highest of them."""
    sides, over = needs.sides, needs.over
    possible = at <= sides if over else at >= 1
    always = at <= 1 if over else at >= sides
    faces = f"{at} or {'more' if over else 'less'}"
    if needs.is_counted:
        return "no face counts" if not possible else "every face counts" if always else f"{faces} counts"
    if not possible:
        return "every face: not passed"
    return "every face: passed" if always else f"{faces}: passed"


class _AnswersThenSuggested:
    """Choices that return the given answers first, then the suggested ones.

    Nobody interrupts. `interruptions`: the names of the suggested interruptions.
    """

    def __init__(self, answers: Sequence[Any]) -> None:
        self._answers = list(answers)
        self.interruptions: dict[str, None] = {}

    def answer(self, question: str, choices: Sequence[Any], of: str, suggest: Any, id: str = "") -> Any:
        if self._answers:
            return self._answers.pop(0)
        if suggest and (name := interruption_of(id)):
            self.interruptions[name] = None
            return choices[0]
        return suggest


def _results(run: MadeUpRun, face: int, rest: Any) -> Results | None:
    """Return the results of the command with that face, each with its action.

    None if the command does not end, such as a tie that is rolled again and again.
    """
    choices = _AnswersThenSuggested(run.answers)
    try:
        dice = GivenThenMadeUp([*run.faces, face], lambda sides: int(rest(1, sides)), MOST_DICE)
        event = run.event(dice, choices)
    except (InputError, ValueError):
        return None
    run.interruptions[face] = run.interruptions.get(face, {}) | choices.interruptions
    return event.results


def _first_other(some: Sequence[Result], others: Sequence[Result]) -> int | None:
    """Return the index of the first result that differs, or None."""
    for at, (first, second) in enumerate(zip(some, others, strict=False)):
        if first != second:
            return at
    return None


def _label(attempt: Attempt, result: Result) -> str:
    """Return the outcome of a result in a word or two."""
    action, facts = _action(attempt, result), result.facts
    degree = result.degree.replace("_", " ")
    if degree in ("", "success", "failure") and action is not None and action.success:
        name = action.success.replace("_", " ")
        return name if action.succeeds(facts.get(action.success)) else f"not {name}"
    if not degree and isinstance(facts.get("passed"), bool):
        return "passed" if facts["passed"] else "not passed"
    if not degree and action is not None and action.total in facts:
        return f"{action.total.replace('_', ' ')} {facts[action.total]}"
    return clean(degree, 40)


def _side_effects(attempt: Attempt, result: Result) -> tuple[str, ...]:
    """Return the words for side effects of a result that its degree does not include."""
    action, facts = _action(attempt, result), result.facts
    if action is None:
        return ()
    degree = result.degree
    came = (effect for effect in action.side_effects if facts.get(effect.fact) == effect.value)
    return tuple(clean(effect.words, 40) for effect in came if effect.adds_to(degree))


def _doing(labels: Sequence[str], *, each: bool = False) -> str:
    """Return which faces pass, `17 or more: passed`, or every group: `1 missed, 2 to 12 hit, …`.

    `each`: name both groups if there are only two.
    """
    groups: list[tuple[int, int, str]] = []
    for face, label in enumerate(labels, 1):
        if groups and groups[-1][2] == label:
            groups[-1] = (groups[-1][0], face, label)
        else:
            groups.append((face, face, label))
    if not all(label for *_, label in groups) or len(groups) > MOST_GROUPS:
        return ""
    last = len(labels)
    if len(groups) == 1:
        return f"every face: {groups[0][2]}"
    if len(groups) == 2 and _OPEN not in labels and not each:
        first, second = groups
        if second[2].startswith("not ") or second[2] in ("failure", "failed", "miss"):
            return f"{first[1]}{' or less' if first[1] > 1 else ''}: {first[2]}"
        return f"{second[0]}{' or more' if second[0] < last else ''}: {second[2]}"
    between = "; " if any(", unless" in label for _, _, label in groups) else ", "
    words = [
        f"{low} or more {label}"
        if high == last and low < last
        else f"{low} {label}"
        if low == high
        else f"{low} to {high} {label}"
        for low, high, label in groups
    ]
    return between.join(words)


def added_to_a_defence(attempt: Attempt, needs: DieRequest) -> Added:
    """Return what is added to a defender's die; nothing for a die of the actor."""
    low, high = _in_the_middle(MadeUpRun(attempt, needs), needs)
    met = [[_without_terms(result) for result in found if result.actor != needs.of] for found in (low, high)]
    return _first_added(*met)


def _without_terms(result: Result) -> Result:
    return evolve(result, explanation=evolve(result.explanation, terms=()))


def _in_the_middle(run: MadeUpRun, needs: DieRequest) -> tuple[Results, Results]:
    """Return the results of the two faces in the middle of the die."""
    low, high = (_results(run, needs.sides // 2 + more, min) or () for more in (0, 1))
    return low, high


def _first_added(low: Results, high: Results) -> Added:
    """Return what is added to the die whose faces led to these results."""
    differing = ([first, second] for first, second in zip(low, high, strict=False) if first != second)
    return next((added for added in map(_added, differing) if added.words), Added())


def _made_of(results: Results, number: int) -> str:
    """Return the terms of the first result if they add up to that number, else ""."""
    some = {label: value for result in results[:1] for label, value in _terms_of(result).items() if value}
    values = [value for value in some.values() if isinstance(value, int)]
    if len(some) < 2 or len(values) < len(some) or sum(values) != number:
        return ""
    return ", ".join(
        f"{clean(label, 30)} {plain_number(value)}" for label, value in zip(some, values, strict=True)
    )


def _sums(result: Result) -> list[dict[str, object]]:
    """Return the sums in a result, the total first and then its steps, each as terms by label."""
    return [_terms_of(result), *map(_terms_of, result.steps)]


def _terms_of(part: Result | Step) -> dict[str, object]:
    """Return terms by label. Terms with the same label are added up, such as the banes of two wounds."""
    found: dict[str, object] = {}
    for term in part.terms:
        label, value = term.label, term.value
        before = found.get(label)
        if isinstance(before, int) and isinstance(value, int):
            value += before
        found[label] = value
    return found


def _added(results: Sequence[Result]) -> Added:
    """Return the terms of the die's sum that do not depend on its face, and their total."""
    middle = results[(len(results) - 1) // 2 :][:2]
    if len(middle) < 2:
        return Added()
    pairs = zip(*map(_sums, middle), strict=False)
    low, high = next((pair for pair in pairs if pair[0] != pair[1]), ({}, {}))
    fixed = {label: value for label, value in low.items() if high.get(label) == value}
    some = {label: int(value) for label, value in fixed.items() if isinstance(value, int) and value}
    if not some:
        return Added()
    bonus = sum(some.values())
    total = f" = {signed(bonus)}" if len(some) > 1 else ""
    words = [f"{clean(label, 30)} {plain_number(value)}" for label, value in some.items()]
    return Added(f"{listed(words)}{total}", bonus)


def place_of(attempt: Attempt, needs: DieRequest) -> tuple[int, int | None]:
    """Return the place of the next die in its run of equal dice, and the length of that run.

    The length is None if it depends on the faces: the dice are counted once with the lowest and once with the
    highest faces.
    """
    run = MadeUpRun(attempt, needs)
    counts: set[int | None] = set()
    place = 1
    for made_up in (lambda sides: 1, lambda sides: sides):
        dice = GivenThenMadeUp(run.faces, made_up, MOST_COUNTED)
        ended, asked, here = _is_whole(run, dice), dice.asked, dice.begins
        if here is None:
            return 1, None
        start = end = here
        while start and asked[start - 1] == asked[here]:
            start -= 1
        while end < len(asked) and asked[end] == asked[here]:
            end += 1
        place = here - start + 1
        counts.add(end - start if ended or end < len(asked) else None)
    return place, counts.pop() if len(counts) == 1 else None


def _is_whole(run: MadeUpRun, dice: GivenThenMadeUp) -> bool:
    """Run the command with these dice; return whether it needs no more."""
    try:
        run.event(dice, ScriptedChoices(run.answers))
    except NeedsChoice:
        # The dice before a choice are all known.
        return True
    except Exception:  # noqa: BLE001 - an error is reported when it happens, not while dice are counted
        return False
    return True
