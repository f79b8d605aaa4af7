"""Find the options of an action that can change its result for this actor and target, by trying them.

The action is run with a few fixed series of dice, first unchanged and then with other values of each option.
If all values of an option give the same result, it is not worth asking for.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from systems.commands.scenes import outcome_of, scene_of
from systems.contract.action import Action, Scene
from systems.contract.outcome import Outcome
from systems.contract.table import Suggested, Table, WrongChoice
from systems.dice.expression import DiceError
from systems.encounter.completion import lists_names, option_words
from systems.encounter.model import Encounter
from systems.errors import Refused, Wrong
from systems.frozen import asdict, evolve, once_a_class
from systems.schema.conversion import replace
from systems.schema.fields import Field, fields_of
from systems.schema.types import ListOf, Whole
from systems.schema.values import as_typed
from systems.text import clean

# How high each die rolls, from 0 to 1, repeated. They give hits and misses in every game, strong and weak.
THROWS = ((0.95, 0.6, 0.3), (0.05, 0.4, 0.75), (0.5, 0.9, 0.1), (1.0, 0.1, 0.5), (0.0, 0.9, 0.5))
# Steps added to a number to see whether it matters. Its highest and lowest values are tried first.
STEPS = (1, -1, 10, 40, 100)
ENOUGH = 3  # values of a number that change nothing, its limits first, after which no more are tried
# After this many runs of the action, all remaining options count as relevant.
MOST_RUNS = 600
CANNOT_BE = (Wrong, Refused, WrongChoice, DiceError)


class _FixedThrows:
    """Dice that replay one series of THROWS."""

    def __init__(self, heights: tuple[float, ...]) -> None:
        self._heights, self._at = heights, 0

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        height = self._heights[self._at % len(self._heights)]
        self._at += 1
        return 1 + round(height * (sides - 1))


def refusal_of(encounter: Encounter, action: Action, actor: str, target: str | None, options: Any) -> str:
    """Return the sentence with which the rules refuse an action, or "".

    They do so before any die is rolled, so any dice will do. A missing option does not count as a refusal.
    """
    table = Table(_FixedThrows(THROWS[0]), Suggested())
    try:
        outcome = outcome_of(action, scene_of(encounter, action, actor, target, options), table)
    except WrongChoice:  # these dice decide nothing, however often they are rolled
        return ""
    except CANNOT_BE as error:
        return "" if isinstance(error, Wrong) and error.code == "needed" else clean(str(error))
    return outcome.tell().text if outcome.refused is not None else ""


def relevant_options(
    encounter: Encounter, action: Action, actor: str, target: str | None, options: Any
) -> dict[str, str]:
    """Return the options that can matter, each with its current value as typed, in the order of declaration.

    For an absent option, the value is the one that the rules use instead: the only value that gives the same
    result. It is "" if there is no such value.
    """
    return dict(_Trial(encounter, action, actor, target, options).relevant())


_READ = "_read"


def recording_reads(options: Any) -> tuple[Any, set[str]]:
    """Return the same options as a value that records which of them are read, and that record."""
    recording, read = _recording(type(options))(**asdict(options)), set[str]()
    vars(recording)[_READ] = read
    return recording, read


@once_a_class
def _recording(options: Any) -> Any:
    """Return a class of options that records reads."""
    names = frozenset(fields_of(options))

    def read(self: Any, name: str) -> Any:
        # A changed copy reads them all.
        if name in names or name == "__replace__":
            record = object.__getattribute__(self, "__dict__").get(_READ, set())
            record.update(names if name == "__replace__" else (name,))
        return object.__getattribute__(self, name)

    def hashed(self: Any) -> int:
        vars(self).get(_READ, set()).update(names)
        return hash(options.__hash__(self))

    return type("Recording", (options,), {"__getattribute__": read, "__hash__": hashed})


class _Trial:
    """One action on one target, run repeatedly with different options."""

    def __init__(
        self, encounter: Encounter, action: Action, actor: str, target: str | None, options: Any
    ) -> None:
        self.encounter, self.action, self.actor, self.target = encounter, action, actor, target
        self.options = options
        self.runs = 0
        # What the action reads about the fight is the same for all options.
        self._fight = scene_of(encounter, action, actor, target, options).look

    def relevant(self) -> Iterator[tuple[str, str]]:
        recording, read = recording_reads(self.options)
        usual = list(self._results(recording))
        for name, field in fields_of(self.action.options).items():
            now = getattr(self.options, name)
            word = "" if now is None else as_typed(now)
            if field.needed or None in usual or self.runs > MOST_RUNS:
                yield name, word
                continue
            if name not in read and self._others(field) is not None:
                continue
            matters, same = self._tried(field, usual)
            if matters:
                yield name, word or same

    def _tried(self, field: Field, usual: list[Any]) -> tuple[bool, str]:
        """Return whether any value changes the result, and the one value that leaves it the same, or ""."""
        others = self._others(field)
        if others is None:
            return True, ""
        matters, same = False, []
        # An absent option has a value only if no other gives the same result.
        all_of_them = getattr(self.options, field.name) is None and bool(field.when_absent)
        for value in others:
            is_other, is_same = self._compare(field, value, usual)
            matters |= is_other
            same += [value] if is_same else []
            if matters and (len(same) > 1 or not all_of_them):
                break
            if isinstance(field.type, Whole) and len(same) == ENOUGH and not all_of_them:
                break
        if len(same) != 1 or not all_of_them:
            return matters, ""
        # Results can be equal by chance, for example without an attribute and with one of 0. The sentences
        # differ.
        is_said = self._told(replace(self.options, **{field.name: same[0]})) == self._told(self.options)
        return matters, as_typed(same[0]) if is_said else ""

    def _compare(self, field: Field, value: Any, usual: list[Any]) -> tuple[bool, bool]:
        """Return whether a value makes the option worth asking for, and whether it gives the same result."""
        options = replace(self.options, **{field.name: value})
        for found, before in zip(self._results(options), usual, strict=True):
            if found is None:
                return False, False
            if found != before:
                # A value that the rules refuse does not make it relevant, but a limit of a number does.
                return found[0] is None or isinstance(field.type, Whole), False
        return False, True

    def _others(self, field: Field) -> list[Any] | None:
        """Return the values to try instead of the current one, or None if they cannot be listed."""
        now = getattr(self.options, field.name)
        found = self._values(field, now)
        # A given option may also be left out, for example the only manoeuvre that a character has learned.
        may_be_absent = now is not None and field.default is None and not field.needed
        return [*found, None] if found is not None and may_be_absent else found

    def _values(self, field: Field, now: Any) -> list[Any] | None:
        """Return all values except the current one, or None if they cannot be listed."""
        if isinstance(field.type, Whole):
            low, high = field.type.low, field.type.high
            start = now if now is not None else field.type.nearest(0)
            found: list[Any] = [high, low, *(start + step for step in STEPS)]
            return [number for number in dict.fromkeys(found) if low <= number <= high and number != now]
        if isinstance(field.type, ListOf) and isinstance(field.type.item, Whole):
            return [(field.type.item.high,), (field.type.item.low,)]
        people = self.encounter.combatants
        other = people[self.target].sheet if self.target else None
        words = option_words(people[self.actor].sheet, field, other)
        if not words:
            return [] if lists_names(people[self.actor].sheet, field.name) else None
        return [value for word in words if (value := field.type.typed(word)) != now]

    def _results(self, options: Any) -> Iterator[tuple[Any, ...] | None]:
        """Yield the result with each series of dice, for comparison; None for invalid options."""
        try:
            scene = self._scene(options)
        except CANNOT_BE:
            yield from (None for _ in THROWS)
            return
        for throw in THROWS:
            self.runs += 1
            try:
                outcome = outcome_of(self.action, scene, Table(_FixedThrows(throw), Suggested()))
            except CANNOT_BE:
                yield None
            else:
                yield (outcome.refused, *_compared(outcome))

    def _scene(self, options: Any) -> Scene[Any, Any, Any]:
        """Return the scene with these options; runs of one scene share what does not depend on dice."""
        scene = scene_of(self.encounter, self.action, self.actor, self.target, options)
        return evolve(scene, look=self._fight)

    def _told(self, options: Any) -> str:
        """Return the sentence for the first series of dice."""
        table = Table(_FixedThrows(THROWS[0]), Suggested())
        return outcome_of(self.action, self._scene(options), table).tell().text


def _compared(outcome: Outcome) -> tuple[Any, ...]:
    asks = tuple((ask.action, dict(ask.options)) for ask in outcome.asks)
    changes: Mapping[Any, Any] = {role: dict(fields) for role, fields in outcome.changes.items()}
    return (outcome.degree, dict(outcome.facts), changes, outcome.gives, outcome.ends, asks)
