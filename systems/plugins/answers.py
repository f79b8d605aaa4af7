"""Check what another author's action returns: that it can be applied, saved and read again.

A value that the sheet cannot hold, a condition without a name, an offer of an unknown action: each would be
saved and could never be read again, so the answer is checked first.
"""

from collections.abc import Hashable
from typing import Any, get_args

from systems.contract.action import Action
from systems.contract.outcome import Ask, Explanation, GivenCondition, Outcome, Role
from systems.contract.ruleset import Ruleset
from systems.encounter.model import FOREVER, ActiveCondition
from systems.errors import Wrong
from systems.odds import Sums
from systems.plugins.shape_checks import BadGame, check_fits, check_shape, holds, one_of
from systems.schema.fields import combatant_options, fields_of
from systems.schema.types import Text, Whole
from systems.text import shown, suggestion

_REMEMBERED = 10_000
_ROLES = get_args(Role)


class Answers:
    """Checks the answers of one game's actions."""

    def __init__(self, game: Ruleset) -> None:
        self.game = game
        self._fit: set[Hashable] = set()

    def check(self, action: Action, outcome: Any) -> None:
        """Check what every branch of the odds must satisfy. Raises BadGame."""
        if not isinstance(outcome, Outcome):
            raise BadGame(f"it answers {shown(outcome)}, not an Outcome")
        try:
            self._numbers(action, outcome)
            hash(outcome.gives)
            for role, changes in outcome.changes.items():
                if role not in _ROLES:
                    one_of("a name in its changes", role, (*_ROLES, *combatant_options(action.options)))
                for name, value in changes.items():
                    self.fit(name, value)
        except BadGame:
            raise
        except Exception:
            check_shape("", outcome, Outcome)  # This is the most likely cause.
            raise

    def check_whole(self, action: Action, outcome: Outcome) -> None:
        """Check an outcome that will be saved. Raises BadGame."""
        check_shape("", outcome, Outcome)
        for name, value in outcome.facts.items():
            if not _is_fact(value):
                raise BadGame(
                    f"the fact {name} is {shown(value)}; facts are numbers, flags, texts and tuples"
                )
        self.check_asks(outcome.asks)
        people = (*_ROLES, *combatant_options(action.options), "allies", "foes")
        for at, gives in enumerate(outcome.gives):
            one_of(f"its gives[{at}].who", gives.who, people)
            self._gives(gives)
        for at, ends in enumerate(outcome.ends):
            one_of(f"its ends[{at}].who", ends.who, (*people, "everybody"))
            self._known("it ends", ends.condition)

    def check_asks(self, asks: object) -> None:
        """Check the offers and reminders of an outcome. Raises BadGame."""
        check_shape("its asks", asks, tuple[Ask, ...])
        for ask in asks if isinstance(asks, tuple) else ():
            self._ask(ask)

    def fit(self, name: str, value: object) -> None:
        """Check that the sheet can hold a value; a value known to fit is not checked again.

        Raises BadGame.
        """
        key = _key(name, value)
        if key is not None and key in self._fit:
            return
        try:
            check_fits(self.game.sheet, name, value)
        except Wrong as wrong:
            raise BadGame(f"it sets {wrong}") from None
        if key is not None and len(self._fit) < _REMEMBERED:
            self._fit.add(key)

    def _numbers(self, action: Action, outcome: Outcome) -> None:
        facts = outcome.facts
        try:
            hash(tuple(facts.values()))
        except TypeError:
            raise BadGame("a fact is a list or a table; facts are numbers, flags, texts and tuples") from None
        amounts = ((name, int | Sums | None) for name in (action.amount, action.heals))
        for name, number in (*amounts, (action.against, int | None)):
            if name and not isinstance(facts.get(name), number):
                raise BadGame(f"the fact {name} is {shown(facts[name])}, not a number")

    def _gives(self, gives: GivenCondition) -> None:
        """Check that a given condition is declared and has a valid duration. Raises BadGame."""
        holds("the condition it gives", Text(), gives.condition)
        self._known("it gives", gives.condition)
        self._known("what it gives lasts with", gives.sustained_by)
        self._known("what it gives becomes", gives.worse)
        if gives.save and self.game.ending_save is None:
            raise BadGame("it gives a condition with a save, and the game declares no ending_save")
        _lasts(gives)

    def _known(self, what: str, name: str) -> None:
        # A creature's effects may give a condition that only its file names.
        if name and self.game.effects is None and self.game.condition(name) is None:
            known = suggestion(name, [condition.name for condition in self.game.conditions])
            raise BadGame(f"{what} {shown(name)}, which is not one of its conditions{known}")

    def _ask(self, ask: Ask) -> None:
        if not ask.text:
            raise BadGame("it asks without a sentence")
        if not ask.action:
            return
        action = self.game.action(ask.action)
        if action is None:
            raise BadGame(f"it asks for {shown(ask.action)}, which is not an action")
        known = fields_of(action.options)
        for name, value in ask.options.items():
            if name not in known:
                near = suggestion(name, known)
                raise BadGame(f"it asks for {action.name}, which has no option {shown(name)}{near}")
            if value is not None:
                holds(f"it asks for {action.name}: {name}", known[name].type, value)
        for name in ask.choose:
            if name not in known:
                near = suggestion(name, known)
                raise BadGame(
                    f"it offers the choice {shown(name)} of {action.name}, which is not an option{near}"
                )


def check_words(explanation: object) -> None:
    """Check that an explanation can be saved. Raises BadGame."""
    if not isinstance(explanation, Explanation):
        raise BadGame(f"{shown(explanation)} is not an Explanation")
    check_shape("", explanation, Explanation)


def _lasts(gives: GivenCondition) -> None:
    known = fields_of(ActiveCondition)
    what = "the condition it gives"
    if gives.value is not None:
        holds(f"{what}: its value", known["value"].type, gives.value)
    for name in ("difficulty", "escape"):
        if getattr(gives, name) is not None:
            holds(f"{what}: its {name}", known[name].type, getattr(gives, name))
    for name in ("again", "ends_when", "worse_again", "worse_ends_when", "change", "tick", "tick_at"):
        holds(f"{what}: {name}", known[name].type, getattr(gives, name))
    if gives.save and gives.difficulty is None:
        raise BadGame(f"{what} has a save without a difficulty")
    if gives.worse_rounds is not None:
        holds(f"{what}: the rounds of the worse result", Whole(1, FOREVER), gives.worse_rounds)
    if gives.rounds is not None:
        holds(f"{what}: its rounds", Whole(1, FOREVER), gives.rounds)
        if gives.until is not None:
            raise BadGame(f"{what} lasts for some rounds or until a turn, not both")


def _is_fact(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_fact, value))
    return isinstance(value, bool | int | float | str | None)


def _key(name: str, value: object) -> Hashable | None:
    """Return a hashable key of a field and its value; None for a table."""
    try:
        hash(value)
    except TypeError:
        return None
    return name, type(value), value
