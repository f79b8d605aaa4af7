"""Which options of an action can change anything for this actor and target, found by asking the rules.

The action is run with a few fixed throws of the dice, first as it stands and then with other values of each
option. An option whose values all come to the same is not worth asking for.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from systems.commands.scenes import outcome_of, scene_of
from systems.contract.outcome import Outcome
from systems.contract.ruleset import Action
from systems.contract.table import NeedsChoice, Suggested, Table, WrongChoice
from systems.dice.expression import DiceError
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace
from systems.encounter.completion import lists_names, option_words
from systems.encounter.model import Encounter
from systems.errors import Refused, Wrong
from systems.schema.conversion import replace
from systems.schema.fields import Field, fields_of
from systems.schema.types import ListOf, Whole
from systems.schema.values import as_typed
from systems.text import clean

# How high each die falls, from 0 to 1, over and over: hits and misses of every game, strong and weak blows.
THROWS = ((0.95, 0.6, 0.3), (0.05, 0.4, 0.75), (0.5, 0.9, 0.1), (1.0, 0.1, 0.5), (0.0, 0.9, 0.5))
# What is added to a number to see whether it matters, besides its lowest and highest value.
STEPS = (1, 10, 40, 100, -1)
# Beyond so many runs of the action the remaining options are taken to matter.
MOST_RUNS = 600
CANNOT_BE = (Wrong, Refused, WrongChoice, DiceError)


class _FixedThrows:
    """Dice that fall as one of THROWS says."""

    def __init__(self, heights: tuple[float, ...]) -> None:
        self._heights, self._at = heights, 0

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        height = self._heights[self._at % len(self._heights)]
        self._at += 1
        return 1 + round(height * (sides - 1))


def refusal_of(encounter: Encounter, action: Action, actor: str, target: str | None, options: Any) -> str:
    """Return the sentence with which the rules refuse an action, before any die falls, or "".

    An option that has yet to be given is no refusal.
    """
    table = Table(ScriptedDice([]), Suggested())
    try:
        outcome = outcome_of(action, scene_of(encounter, action, actor, target, options), table)
    except (NeedsFace, NeedsChoice):
        return ""
    except CANNOT_BE as error:
        return "" if isinstance(error, Wrong) and error.code == "needed" else clean(str(error))
    return outcome.tell().text if outcome.refused is not None else ""


def relevant_options(
    encounter: Encounter, action: Action, actor: str, target: str | None, options: Any
) -> dict[str, str]:
    """Return the options that can matter, each with the word for what it is now; "" where that is not known.

    What the rules work out for an absent option is the only value that comes to the same. In the order of
    declaration.
    """
    return dict(_Trial(encounter, action, actor, target, options).relevant())


class _Trial:
    """One action on one target, run again and again with other options."""

    def __init__(
        self, encounter: Encounter, action: Action, actor: str, target: str | None, options: Any
    ) -> None:
        self.encounter, self.action, self.actor, self.target = encounter, action, actor, target
        self.options = options
        self.runs = 0

    def relevant(self) -> Iterator[tuple[str, str]]:
        usual = [self._result(self.options, throw) for throw in THROWS]
        for name, field in fields_of(self.action.options).items():
            now = getattr(self.options, name)
            word = "" if now is None else as_typed(now)
            if field.needed or None in usual or self.runs > MOST_RUNS:
                yield name, word
                continue
            matters, same = self._tried(field, usual)
            if matters:
                yield name, word or same

    def _tried(self, field: Field, usual: list[Any]) -> tuple[bool, str]:
        """Whether some value comes to something else, and the word of one that comes to the same."""
        others = self._others(field)
        if others is None:
            return True, ""
        matters, same = False, []
        # What stands for an absent option is only known once all values were tried.
        all_of_them = getattr(self.options, field.name) is None and bool(field.when_absent)
        for value in others:
            is_other, is_same = self._compare(field, value, usual)
            matters |= is_other
            same += [value] if is_same else []
            if matters and not all_of_them:
                break
        if len(same) != 1 or not all_of_them:
            return matters, ""
        # Figures may agree by chance, as those of no attribute and of one that is 0: the words do not.
        is_said = self._told(replace(self.options, **{field.name: same[0]})) == self._told(self.options)
        return matters, as_typed(same[0]) if is_said else ""

    def _compare(self, field: Field, value: Any, usual: list[Any]) -> tuple[bool, bool]:
        """Whether a value is a reason to ask for the option, and whether it comes to the same as now."""
        options = replace(self.options, **{field.name: value})
        for throw, before in zip(THROWS, usual, strict=True):
            found = self._result(options, throw)
            if found is None:
                return False, False
            if found != before:
                # A value that the rules refuse is no reason to ask; a limit of a number is one.
                return found[0] is None or isinstance(field.type, Whole), False
        return False, True

    def _others(self, field: Field) -> list[Any] | None:
        """Values to try in place of the present one; None where they cannot be listed."""
        now = getattr(self.options, field.name)
        found = self._values(field, now)
        # One that is given may also be left out, as the only manoeuvre that is practised.
        may_be_absent = now is not None and field.default is None and not field.needed
        return [*found, None] if found is not None and may_be_absent else found

    def _values(self, field: Field, now: Any) -> list[Any] | None:
        """The values besides the present one; None where they cannot be listed."""
        if isinstance(field.type, Whole):
            low, high = field.type.low, field.type.high
            start = now if now is not None else field.type.nearest(0)
            found: list[Any] = [*(start + step for step in STEPS), high, low]
            return [number for number in dict.fromkeys(found) if low <= number <= high and number != now]
        if isinstance(field.type, ListOf) and isinstance(field.type.item, Whole):
            return [(field.type.item.high,), (field.type.item.low,)]
        people = self.encounter.combatants
        other = people[self.target].sheet if self.target else None
        words = option_words(people[self.actor].sheet, field, other)
        if not words:
            return [] if lists_names(people[self.actor].sheet, field.name) else None
        return [value for word in words if (value := field.type.typed(word)) != now]

    def _result(self, options: Any, throw: tuple[float, ...]) -> tuple[Any, ...] | None:
        """What the action comes to with that throw, to be compared; None for options that cannot be."""
        self.runs += 1
        try:
            scene = scene_of(self.encounter, self.action, self.actor, self.target, options)
            outcome = outcome_of(self.action, scene, Table(_FixedThrows(throw), Suggested()))
        except CANNOT_BE:
            return None
        return (outcome.refused, *_compared(outcome))

    def _told(self, options: Any) -> str:
        """Return the sentence for the first throw."""
        scene = scene_of(self.encounter, self.action, self.actor, self.target, options)
        return outcome_of(self.action, scene, Table(_FixedThrows(THROWS[0]), Suggested())).tell().text


def _compared(outcome: Outcome) -> tuple[Any, ...]:
    asks = tuple((ask.action, dict(ask.options)) for ask in outcome.asks)
    changes: Mapping[Any, Any] = {role: dict(fields) for role, fields in outcome.changes.items()}
    return (outcome.degree, dict(outcome.facts), changes, outcome.gives, outcome.ends, asks)
