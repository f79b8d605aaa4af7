"""Intents: one frozen value for each kind of command.

Targets and other names stay as typed; `systems.commands.dispatcher` looks them up in the encounter.
"""

from collections.abc import Mapping
from typing import ClassVar

from systems.dice.sources import Given
from systems.frozen import field, frozen
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
    `targets_at`: the index of the targets in the line. `reaction`: the name of the reaction that it takes
    up, if several have the same line.
    """

    action: str
    targets: str = ""
    options: Mapping[str, str] = {}
    by: str = ""
    quoted: frozenset[str] = frozenset()
    words: tuple[Word, ...] = ()
    targets_at: int = field(default=0, eq=False)
    reaction: str = ""


# Options of the tracker itself that go with an amount, in addition to those of the game's action.
AMOUNT_PARTS: Mapping[str, str] = {"half": "targets that take half", "none": "targets that take nothing"}
AMOUNT_OPTIONS: Mapping[str, str] = {"throw": "one roll for all, or one for each", **AMOUNT_PARTS}


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
class Amend(Intent):
    """Change an earlier event: `amend 12 cover=half dice=17 by okado`, or `amend 12 attack guard-2`.

    `number`: the event. `command`: the new command; None keeps the old one, with other `options`, with `dice`
    to use first, other `answers` to its questions, or `by` another combatant. `never`: the event did not
    happen. `drop`: later events that did not happen either. `keep`: later reactions that did happen,
    although their cause is gone. `any_reason`: earlier dice are used even if they are now rolled for another
    reason, such as another weapon.
    """

    number: int
    options: Mapping[str, str] = {}
    dice: tuple[Given, ...] | None = None
    by: str = ""
    command: "Command | None" = None
    never: bool = False
    drop: tuple[int, ...] = ()
    keep: tuple[int, ...] = ()
    any_reason: bool = False
    answers: tuple[str, ...] = ()


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
