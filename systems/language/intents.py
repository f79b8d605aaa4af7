"""Intents: one frozen value for each kind of command.

Targets and other names stay as typed; `systems.commands.perform` looks them up in the encounter.
"""

from collections.abc import Mapping
from typing import ClassVar

import attrs

from systems.dice.sources import Given
from systems.frozen import frozen
from systems.language.tokens import Word


@frozen
class Intent:
    """What a command asks for. `command_name`: the declared name, if it is not that of the typed word."""

    command_name: ClassVar[str] = ""


@frozen
class Act(Intent):
    """An action of the game: `attack guard-1 weapon=katana by okado`.

    `quoted`: options with quoted values, by name as typed; a quoted value is taken literally. `words`: words
    without an option's name. Their meaning depends on the encounter, see `systems.encounter.loose_words`.
    `targets_at`: the index of the targets in the line.
    """

    action: str
    targets: str = ""
    options: Mapping[str, str] = attrs.field(factory=dict)
    by: str = ""
    quoted: frozenset[str] = frozenset()
    words: tuple[Word, ...] = ()
    targets_at: int = attrs.field(default=0, eq=False)


@frozen
class Start(Intent):
    """Begin the fight. `as_prepared`: leave the players' characters as prepared.

    `totals`: the initiative totals that players rolled, as (who, total).
    """

    as_prepared: bool = False
    totals: tuple[tuple[str, int], ...] = ()


@frozen
class Refresh(Intent):
    """Bring the players' characters up to date with the roster."""


@frozen
class Next(Intent):
    """End the turn. `by`: the combatant whose turn ends, if several share the turn."""

    by: str = ""


@frozen
class Back(Intent):
    """Step back to the previous turn."""


@frozen
class End(Intent):
    """End the fight."""


@frozen
class Delay(Intent):
    """Delay a turn. `who`: "" for the combatant whose turn it is."""

    who: str = ""


@frozen
class Return(Intent):
    """Bring a delaying combatant back into the order."""

    who: str


@frozen
class Ready(Intent):
    """Ready an action. `text`: the action and its trigger."""

    who: str
    text: str


@frozen
class Happen(Intent):
    """Schedule an event for the beginning of a round. `hidden`: only the game master reads it."""

    text: str
    round: int
    hidden: bool = False


@frozen
class DropHappening(Intent):
    """Cancel a scheduled event; `number` counts them from 1."""

    number: int


@frozen
class OrderBeside(Intent):
    """Place one combatant before or after another."""

    who: str
    beside: str
    after: bool


@frozen
class OrderValue(Intent):
    """Set a place in the order or an initiative score."""

    who: str
    value: int


# Options of the tracker itself that go with an amount, in addition to those of the game's action.
AMOUNT_PARTS: Mapping[str, str] = {"half": "targets that take half", "none": "targets that take nothing"}
AMOUNT_OPTIONS: Mapping[str, str] = {"throw": "one roll for all, or one for each", **AMOUNT_PARTS}


@frozen
class DamageOrHeal(Intent):
    """`damage TARGETS AMOUNT` or, with `heals`, `heal TARGETS AMOUNT`.

    `by`: the combatant that causes it. `options`: those of the game's action, and `AMOUNT_OPTIONS`.
    """

    targets: str
    amount: str
    options: Mapping[str, str] = attrs.field(factory=dict)
    heals: bool = False
    by: str = ""


@frozen
class SetField(Intent):
    """Set a field of a sheet by its path. `quoted`: the path has quotes, so an unknown name is a new one."""

    who: str
    field: str
    value: str
    quoted: bool = False


@frozen
class Count(Intent):
    """Add to a whole-number field: `count WHO FIELD +N|-N`."""

    who: str
    field: str
    by: int


@frozen
class SetCondition(Intent):
    """Give a condition for `rounds`, or `until` the start or end `of` a turn, or until it is cleared.

    `quoted`: the name was quoted and is taken literally. `by`: the combatant it comes from.
    """

    targets: str
    name: str
    value: int | None = None
    rounds: int | None = None
    until: str = ""
    of: str = ""
    quoted: bool = False
    secret: bool = False
    by: str = ""


@frozen
class ClearCondition(Intent):
    """End a condition. `quoted`: the name was quoted and is taken literally."""

    targets: str
    name: str
    quoted: bool = False
    # `condition 3 -prone` ends a condition.
    command_name: ClassVar[str] = "clear"


@frozen
class Add(Intent):
    """Add combatants from a roster entry. `arrives`: the round of arrival, 0 for the present.

    `numbered_kind`: the kind together with a number next to it, which is a count or part of a name: `add unit
    7`, `add 4 ghouls`. `fallen`: the dead of a party join as well. `quoted_side`: the side was quoted and is
    taken literally.
    """

    kind: str
    number: int | None = None
    name: str = ""
    side: str = ""
    hidden: bool = False
    arrives: int = 0
    group: bool = False
    numbered_kind: str = ""
    fallen: bool = False
    quoted_side: bool = False


@frozen
class Remove(Intent):
    """Remove combatants from the fight."""

    targets: str


@frozen
class Hide(Intent):
    """Hide combatants from the players, or reveal them."""

    targets: str
    hidden: bool = True


@frozen
class Group(Intent):
    """Let combatants share a turn, or separate them again if `together` is False."""

    targets: str
    together: bool = True


@frozen
class RollDice(Intent):
    """Roll dice in notation. `secret`: only the game master sees it."""

    dice: str
    who: str = ""
    secret: bool = False


@frozen
class Keep(Intent):
    """Save values of characters to the roster.

    `names`: `all`, characters, or their fields, separated by commas. `note`: added to the notes of the party,
    or of the character named before a colon. `rest`: the values that a rest restores first, named in the same
    way, or the name of a rest.
    """

    names: str
    note: str = ""
    rest: str = ""


@frozen
class Undo(Intent):
    """Undo the last `number` commands."""

    number: int = 1


@frozen
class Redo(Intent):
    """Redo the last `number` undone commands."""

    number: int = 1


@frozen
class Amend(Intent):
    """Change an earlier event: `amend 12 cover=half dice=17 by okado`, or `amend 12 attack guard-2`.

    `number`: the event. `command`: the new command; None keeps the old one, with other `options`, with `dice`
    to use first, or `by` another combatant. `never`: the event did not happen. `drop`: later events that did
    not happen either. `keep`: later reactions that did happen, although their cause is gone.
    `any_reason`: earlier dice are used even if they are now rolled for another reason, such as another
    weapon.
    """

    number: int
    options: Mapping[str, str] = attrs.field(factory=dict)
    dice: tuple[Given, ...] | None = None
    by: str = ""
    command: "Command | None" = None
    never: bool = False
    drop: tuple[int, ...] = ()
    keep: tuple[int, ...] = ()
    any_reason: bool = False


@frozen
class Command:
    """A parsed line: its intent, the line as typed, and the dice given with it.

    `name`: the declared name of the command, or `action` for an action of the game. `turn_of`: the id of the
    combatant in whose turn it is carried out, if a seat still sees that turn although it has passed; else "".
    """

    intent: Intent
    line: str
    dice: tuple[Given, ...] | None = None
    name: str = ""
    turn_of: str = ""
