"""What the list of actions shows: all actions of the game by group, below what is on offer."""

from collections.abc import Callable
from typing import Protocol

from systems.frozen import frozen
from tui.services import Question


@frozen
class ActionRow:
    """An action. `key`: what asks for it at once; `refused`: why the rules refuse it now, against anybody."""

    name: str
    group: str
    title: str
    help: str = ""
    key: str = ""
    refused: str = ""


@frozen
class OfferRow:
    """What is on offer: the command, what it is, its odds and what is done in words."""

    command: str
    says: str
    odds: str = ""
    does: str = ""


@frozen
class Again:
    """What somebody did last: the line that does it again, "" where the targets have to be asked for."""

    line: str = ""
    action: str = ""
    options: tuple[tuple[str, str], ...] = ()


@frozen
class OfferWords:
    """The odds of each thing on offer, in words."""

    words: tuple[str, ...] = ()


@frozen
class ActionList:
    """Who acts, the actions that are not refused first, and what is on offer."""

    actor: str = ""
    actions: tuple[ActionRow, ...] = ()
    offers: tuple[OfferRow, ...] = ()


class ActionListSource(Protocol):
    """Where the list of actions gets what it shows. `changed` is called when it has become known."""

    changed: Callable[[], None]

    def show(self) -> ActionList:
        """Return the list as far as it is known."""

    def is_known(self) -> bool:
        """Return whether the list is known."""

    def choose(self, name: str, asked_by: Question) -> None:
        """Ask for what the action needs, or do it. `asked_by`: the question to go back to."""

    def take(self, at: int, asked_by: Question) -> None:
        """Take the offer at that place."""
