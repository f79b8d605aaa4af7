"""Intents: one frozen value for each sentence of the command language.

Targets and other names stay as they were typed; `systems.commands.perform` looks them up in the encounter.
"""

from collections.abc import Mapping

import attrs

from systems.dice.sources import Given
from systems.frozen import frozen
from systems.language.tokens import Word


@frozen
class Act:
    """An action of the game: `attack guard-1 weapon=katana by okado`.

    `quoted`: the options whose values are in quotes, by name as typed: a free name is taken as it is.
    `words`: those that stand without an option's name. Only the encounter tells what they are; see
    `systems.encounter.loose_words`. `targets_at`: where the targets begin in the line.
    """

    action: str
    targets: str = ""
    options: Mapping[str, str] = attrs.field(factory=dict)
    by: str = ""
    quoted: frozenset[str] = frozenset()
    words: tuple[Word, ...] = ()
    targets_at: int = attrs.field(default=0, eq=False)


@frozen
class Start:
    """Begin the fight. `as_prepared`: keep the players' characters as they were prepared.

    `totals`: of initiative, as they were called: (who, total).
    """

    as_prepared: bool = False
    totals: tuple[tuple[str, int], ...] = ()


@frozen
class Refresh:
    """Bring the players' characters up to date with the roster."""


@frozen
class Next:
    """End the turn. `by`: whose, where several share it."""

    by: str = ""


@frozen
class Back:
    """Step back to the turn before."""


@frozen
class End:
    """End the fight."""


@frozen
class Delay:
    """Wait with the turn. `who`: "" for whose turn it is."""

    who: str = ""


@frozen
class Return:
    """Bring a delaying combatant back into the order."""

    who: str


@frozen
class Ready:
    """Get somebody ready to do something when something else happens."""

    who: str
    text: str


@frozen
class Happen:
    """Let something happen as a round begins. `hidden`: the players are not told then either."""

    text: str
    round: int
    hidden: bool = False


@frozen
class DropHappening:
    """Let one of those that are still to come not happen; `number` counts them from 1."""

    number: int


@frozen
class OrderBeside:
    """Place one combatant before or after another."""

    who: str
    beside: str
    after: bool


@frozen
class OrderValue:
    """Set a place in the order or an initiative score."""

    who: str
    value: int


# What the tracker itself takes with an amount, besides the options of the game's action.
AMOUNT_PARTS: Mapping[str, str] = {"half": "who takes half of it", "none": "who takes nothing of it"}
AMOUNT_OPTIONS: Mapping[str, str] = {"throw": "one throw for all, or one for each", **AMOUNT_PARTS}


@frozen
class DamageOrHeal:
    """`damage TARGETS AMOUNT` or, with `heals`, `heal TARGETS AMOUNT`. `by`: whose doing it is.

    `options`: those of the game's action, and `AMOUNT_OPTIONS`.
    """

    targets: str
    amount: str
    options: Mapping[str, str] = attrs.field(factory=dict)
    heals: bool = False
    by: str = ""


@frozen
class SetField:
    """Set a field of a sheet by its path. `quoted`: the path has quotes, so a new name in it is meant."""

    who: str
    field: str
    value: str
    quoted: bool = False


@frozen
class Count:
    """Add to a whole-number field: `count WHO FIELD +N|-N`."""

    who: str
    field: str
    by: int


@frozen
class SetCondition:
    """Give a condition for `rounds`, or `until` start or end `of` a turn, or until cleared.

    `quoted`: the name stood in quotes and is taken as it stands. `by`: its source.
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
class ClearCondition:
    """End a condition. `quoted`: the name stood in quotes and is taken literally."""

    targets: str
    name: str
    quoted: bool = False


@frozen
class Add:
    """Add combatants from a roster entry. `arrives`: the round of arrival, 0 for at once.

    `numbered_kind`: the kind with a number next to it, which is how many or part of a name: `add unit 7`,
    `add 4 ghouls`.
    `fallen`: of a party, the dead join as well.
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


@frozen
class Remove:
    """Remove combatants from the fight."""

    targets: str


@frozen
class Hide:
    """Hide combatants from the players, or reveal them."""

    targets: str
    hidden: bool = True


@frozen
class Group:
    """Let combatants share a turn, or with `together` False give them turns of their own again."""

    targets: str
    together: bool = True


@frozen
class RollDice:
    """Roll dice in notation. `secret`: only the game master sees it."""

    dice: str
    who: str = ""
    secret: bool = False


@frozen
class Note:
    """Write a note. `for_all`: the players see it too."""

    text: str
    for_all: bool = False


@frozen
class Keep:
    """Write to the roster what characters keep. `names`: `all`, characters, or their fields, with commas.

    `note`: goes to the notes of the party, or of the character named before a colon.
    `rest`: the figures that a rest restores first, named in the same way, or the name of a rest.
    """

    names: str
    note: str = ""
    rest: str = ""


@frozen
class Undo:
    """Undo the last `number` commands."""

    number: int = 1


@frozen
class Redo:
    """Redo the last `number` undone commands."""

    number: int = 1


@frozen
class Amend:
    """Change the past: `amend 12 cover=half dice=17 by okado`, or `amend 12 attack guard-2 cover=half`.

    `number`: of the event. `command`: the command in its place; None if its own line stays, with other
    `options`, with `dice` that fall first, or done `by` another. `never`: it did not happen at all. `drop`:
    later events that did not happen either. `keep`: later reactions that did happen, although nothing in the
    amended past causes them. `whatever_for`: dice that fell also count if they are now thrown for another
    reason, such as another weapon.
    """

    number: int
    options: Mapping[str, str] = attrs.field(factory=dict)
    dice: tuple[Given, ...] | None = None
    by: str = ""
    command: "Command | None" = None
    never: bool = False
    drop: tuple[int, ...] = ()
    keep: tuple[int, ...] = ()
    whatever_for: bool = False


Intent = (
    Act
    | Start
    | Refresh
    | Next
    | Back
    | End
    | Delay
    | Return
    | Ready
    | Happen
    | DropHappening
    | OrderBeside
    | OrderValue
    | DamageOrHeal
    | SetField
    | Count
    | SetCondition
    | ClearCondition
    | Add
    | Remove
    | Hide
    | Group
    | RollDice
    | Note
    | Keep
    | Undo
    | Redo
    | Amend
)


@frozen
class Command:
    """A parsed line: its intent, the line as typed, and the dice given with it.

    `name`: as the command is declared, or `action` for an action of the game. `turn_of`: the id of the
    combatant in whose turn it is carried out, if a seat still sees that turn and it has passed on; else "".
    """

    intent: Intent
    line: str
    dice: tuple[Given, ...] | None = None
    name: str = ""
    turn_of: str = ""
