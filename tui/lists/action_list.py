"""The contents of the list of actions: the offers, then all actions of the game by group."""

from collections.abc import Callable
from typing import Protocol

from systems.frozen import frozen
from tui.services import OpenPrompt


@frozen
class ActionRow:
    """One action in the list.

    `key`: the key that asks about it directly. `refused`: why the rules refuse it now, whatever its target;
    "" if they allow it.
    """

    name: str
    group: str
    title: str
    help: str = ""
    key: str = ""
    refused: str = ""


@frozen
class OfferRow:
    """One offer in the list: its command, its description, its odds, and what Enter does, in words.

    `at`: its index among all offers; of several that are one row, that of the first.
    """

    command: str
    says: str
    odds: str = ""
    does: str = ""
    at: int = 0


@frozen
class Again:
    """The last action of a character. `line` repeats it; "" if its targets must be chosen again."""

    line: str = ""
    action: str = ""
    options: tuple[tuple[str, str], ...] = ()


@frozen
class OfferWords:
    """The odds of each offer, in words."""

    words: tuple[str, ...] = ()


@frozen
class ActionList:
    """The list of actions: the actor's name, the actions with refused ones last, and the offers."""

    actor: str = ""
    actions: tuple[ActionRow, ...] = ()
    offers: tuple[OfferRow, ...] = ()


class ActionListSource(Protocol):
    """The source of a list of actions. It calls `changed` when the list has become known."""

    changed: Callable[[], None]

    def show(self) -> ActionList:
        """Return the part of the list that is known so far."""

    def is_known(self) -> bool:
        """Return whether the whole list is known."""

    def choose(self, name: str, asked_by: OpenPrompt) -> None:
        """Ask for the options and targets that the action needs, or carry it out.

        `asked_by`: the question to return to.
        """

    def take(self, at: int, asked_by: OpenPrompt) -> None:
        """Take the offer at that index. `asked_by`: the question to return to."""
