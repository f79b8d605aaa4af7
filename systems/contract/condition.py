"""A condition of a game, and its effects on the options of actions."""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from systems.contract.display import Tone
from systems.contract.outcome import EndEvent, Role
from systems.frozen import derived, field, frozen
from systems.text import spoken, without_rules


@frozen
class Effect:
    """An effect of a condition on the option of an action while a combatant has it.

    `role`: the role of the combatant with the condition. `amount` None takes the condition's own value. A
    number is added, a list gets one more entry (`value` if it is not a list of numbers), anything else is set
    to `value`. `sets`: a number is set to the amount instead of added. `when(actor's sheet, options)`:
    whether it counts for this action, such as an attack in melee. `against`: whether it counts against
    anyone, only against the condition's source, or only against all others. For a target's condition that is
    the actor, for an actor's condition the target.
    """

    action: str
    option: str
    role: Role = "actor"
    amount: int | None = None
    value: object = None
    when: Callable[[Any, Any], bool] = lambda actor, options: True
    sets: bool = False
    against: Literal["anyone", "source", "others"] = "anyone"


class _Marker:
    """A marker in `Condition.on` that is no value of a field."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


VALUE = _Marker("VALUE")  # the condition's own value
LISTED = _Marker("LISTED")  # the condition's name, in a list of names


@frozen
class Condition:
    """A condition of the game.

    `field`: the field of the sheet that it represents, set to `on` and back to `off`. With `on=VALUE` a
    number is set to the condition's value, and the value follows the field when an action changes it. With
    `on=LISTED` the field is a list of names, and the condition's own name is in it.
    `also_changes(sheet, house, held)`: other changes to the sheet when that field is set or reset.
    `each_turn`: the action of the game that runs on the combatant when its turn begins, such as bleeding.
    `valued`: it has a value, such as the size of a boon, even if no effect here uses it. `counted`: giving it
    again adds to its value, up to `most`; it begins at 1, and the amounts of its effects count once for each
    point. `fades`: its value drops by 1 at that moment of its combatant's turns, and at 0 it ends. `acting`:
    it ends as soon as its combatant can't act, such as concentration. `foreseen`: the odds name it next to a
    roll that gives or ends it; not if another effect already says as much. `by_source`: each source gives
    one of its own, and each ends alone, such as two grapples. `ends_when`: events that end it if a combatant
    gave it, as in GivenCondition. `then`: the condition that its combatant has when it ends. `lines()`: the
    effects that it gives its combatant (systems.effects), `value_lines(value)`: those that depend on its
    value. `begin_words`, `end_words`: the words after the name for its begin and its end, such as `cannot
    regenerate` and `regenerates again`; by default `is` and `is no longer` with the label. `label`: its name
    on the screen; by default the name without underscores. `status`: the status of the game that it brings,
    if the sheet gives no worse one, such as stunned.
    """

    name: str
    help: str = field(converter=without_rules)
    tone: Tone = "warning"
    field: str = ""
    on: object = True
    off: object = False
    also_changes: Callable[[Any, Any, bool], Mapping[str, object]] = lambda sheet, house, held: {}
    effects: tuple[Effect, ...] = ()
    rules: tuple[str, ...] = ()
    each_turn: str = ""
    valued: bool = False
    counted: bool = False
    most: int = 999
    fades: Literal["", "turn_start", "turn_end"] = ""
    acting: bool = False
    foreseen: bool = True
    label: str = derived(lambda self: spoken(self.name))
    by_source: bool = False
    ends_when: tuple[EndEvent, ...] = ()
    then: str = ""
    begin_words: str = ""
    end_words: str = ""
    status: str = ""
    lines: Callable[[], tuple[Any, ...]] = lambda: ()
    value_lines: Callable[[int], tuple[Any, ...]] = lambda value: ()

    def is_on(self, value: Any) -> bool:
        """Return whether this value of its field means that the sheet has the condition."""
        if self.on is LISTED:
            return self.name in (value or ())
        return bool(value != self.off if self.on is VALUE else value == self.on)

    def field_value(self, now: Any, number: int | None, held: bool) -> object:
        """Return what its field becomes when the condition is given or cleared. `number`: its value."""
        if self.on is LISTED:
            others = tuple(name for name in now if name != self.name)
            return others if not held else now if self.name in now else (*now, self.name)
        if not held:
            return self.off
        return number if self.on is VALUE else self.on

    @property
    def takes_value(self) -> bool:
        """Return whether a number after its name is its value; else it is a number of rounds."""
        if self.valued or self.counted or self.fades or self.on is VALUE:
            return True
        return any(effect.amount is None and effect.value is None for effect in self.effects)


def is_set(condition: Condition, sheet: Any) -> bool:
    """Return whether a sheet holds the field value of a condition."""
    return condition.is_on(getattr(sheet, condition.field))
