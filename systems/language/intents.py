"""What somebody wants: one frozen value for each sentence of the command language.

Targets and other names stay as they were typed; `systems.commands.perform` looks them up in the encounter.
"""

from collections.abc import Mapping

import attrs

from systems.frozen import frozen


@frozen
class Act:
    """An action of the game: `attack guard-1 weapon=katana by okado`."""

    action: str
    targets: str = ""
    options: Mapping[str, str] = attrs.field(factory=dict)
    by: str = ""


@frozen
class Start:
    """`as_prepared`: leave the players' characters as the encounter was prepared."""

    as_prepared: bool = False


@frozen
class Refresh:
    """Bring the players' characters up to date with the roster."""


@frozen
class Next:
    by: str = ""


@frozen
class Back:
    pass


@frozen
class End:
    pass


@frozen
class Delay:
    who: str = ""


@frozen
class Return:
    who: str


@frozen
class OrderBeside:
    who: str
    beside: str
    after: bool


@frozen
class OrderValue:
    who: str
    value: int


@frozen
class Hurt:
    """`damage TARGETS AMOUNT` or, with `heals`, `heal TARGETS AMOUNT`. `by`: whose doing it is."""

    targets: str
    amount: str
    options: Mapping[str, str] = attrs.field(factory=dict)
    heals: bool = False
    by: str = ""


@frozen
class SetField:
    who: str
    field: str
    value: str


@frozen
class Count:
    """`count WHO FIELD +N|-N`: add to a whole number."""

    who: str
    field: str
    by: int


@frozen
class SetCondition:
    """`rounds`, or `until` start or end `of` somebody's turn, or neither: until cleared.

    `quoted`: the name stood in quotes and is taken as it stands.
    """

    targets: str
    name: str
    value: int | None = None
    rounds: int | None = None
    until: str = ""
    of: str = ""
    quoted: bool = False
    secret: bool = False


@frozen
class ClearCondition:
    targets: str
    name: str
    quoted: bool = False


@frozen
class Add:
    kind: str
    number: int | None = None
    name: str = ""
    side: str = ""
    hidden: bool = False
    arrives: int = 0
    group: bool = False


@frozen
class Remove:
    targets: str


@frozen
class Hide:
    targets: str
    hidden: bool = True


@frozen
class RollDice:
    dice: str
    who: str = ""
    secret: bool = False


@frozen
class Note:
    """`for_all`: the players see it, too."""

    text: str
    for_all: bool = False


@frozen
class Undo:
    number: int = 1


@frozen
class Redo:
    number: int = 1


Intent = (
    Act
    | Start
    | Refresh
    | Next
    | Back
    | End
    | Delay
    | Return
    | OrderBeside
    | OrderValue
    | Hurt
    | SetField
    | Count
    | SetCondition
    | ClearCondition
    | Add
    | Remove
    | Hide
    | RollDice
    | Note
    | Undo
    | Redo
)


@frozen
class Command:
    """A line understood: what is wanted, the dice given by hand, and the line as typed.

    `name`: as the command is declared, or `action` for an action of the game.
    """

    intent: Intent
    line: str
    dice: tuple[int, ...] | None = None
    name: str = ""
