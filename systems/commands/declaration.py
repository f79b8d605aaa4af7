"""The declaration of a command: everything about it, in one value.

Each command has a module with its declaration. `table.py` lists them all. Every other module looks a command
up in a table and calls its functions, so a new command is one module and one line in the table.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

from systems.commands.transaction import Transaction
from systems.contract.ruleset import Ruleset
from systems.encounter.events import Event
from systems.encounter.model import Combatant, Encounter
from systems.errors import Refused
from systems.frozen import frozen
from systems.language.declaration import Declaration
from systems.language.intents import Intent
from systems.text import clean

_LONGEST = 40


@frozen
class Earlier:
    """An event whose command is carried out again in an amended history.

    `then`: the original encounter before the event. `here`: the encounter in which it is carried out again.
    """

    event: Event
    then: Encounter
    here: Encounter


@frozen
class Described:
    """An event with names in place of ids, for its title. `game`: the source of labels, if it is known."""

    event: Event
    actor: str
    targets: str
    turn: str
    game: Ruleset | None

    def option(self, name: str) -> str:
        """Return an option of the event as short text, or ""."""
        return clean(str(self.event.options.get(name) or ""), _LONGEST)


class Asker(Protocol):
    """The viewer of a seat that asks for a command. Names and tags mean what the seat shows.

    Each method raises Refused with one sentence.
    """

    @property
    def seen(self) -> Encounter:
        """The fight as the seat sees it."""

    def actor(self, named: str) -> Combatant:
        """Return the named character of the viewer, else the only one, else the one with the turn."""

    def own(self, named: str) -> Combatant:
        """Return the viewer's character with this name."""

    def all_own(self, named: str) -> Sequence[Combatant]:
        """Return the viewer's characters with these names."""

    def single(self, named: str) -> Combatant:
        """Return the one combatant with this name."""

    def targets(self, named: str) -> Sequence[str]:
        """Return the ids of all combatants with these names."""

    def has_turn(self, combatant: Combatant) -> bool:
        """Return whether the seat sees that it is this combatant's turn."""


# A request that need not wait for the game master, unless every request does.
GoesThrough = Literal["never", "in own turn", "always"]
Own = Callable[[Asker, Any], tuple[Combatant, Intent]]


def _not_carried_out(transaction: Transaction, intent: Any) -> None:
    raise AssertionError("this command is not carried out in one transaction")


def _without_line(intent: Any) -> str:
    return ""


def _unchanged(intent: Any, earlier: Earlier) -> Intent:
    found: Intent = intent
    return found


def _without_options(intent: Any, given: Mapping[str, str], by: str, game: Ruleset) -> Intent:
    if given or by:
        raise Refused("this command has no options; amend it with the whole command")
    found: Intent = intent
    return found


def _as_typed(described: Described) -> str:
    return ""


def _without_words(encounter: Encounter, intent: Any) -> str:
    return ""


@frozen
class CommandKind(Declaration):
    """A command of the tracker.

    `carry_out`: changes the transaction's encounter and records the content of the event.
    `line`: writes an intent as a line. `words`: describes it with names in place of ids.
    `again`: returns the intent of an event with stored ids, to carry it out again in an amended history.
    `amended`: returns the intent with other options or another actor.
    `title`: names an event in a few words; "" means the line as typed.
    `own`: checks a request of a seat and returns the viewer's character that acts and the intent with ids.
    Without it, only the game master may ask.
    `goes_through`: which requests need not wait for the game master if the table lets players act in turn.
    `needs_no_turn`: it means the same in every turn. `gives_up_turn`: it can end a turn.
    """

    carry_out: Callable[[Transaction, Any], None] = _not_carried_out
    line: Callable[[Any], str] = _without_line
    again: Callable[[Any, Earlier], Intent] = _unchanged
    amended: Callable[[Any, Mapping[str, str], str, Ruleset], Intent] = _without_options
    title: Callable[[Described], str] = _as_typed
    words: Callable[[Encounter, Any], str] = _without_words
    own: Own | None = None
    goes_through: GoesThrough = "never"
    needs_no_turn: bool = False
    gives_up_turn: bool = False


Commands = Mapping[str, CommandKind]
