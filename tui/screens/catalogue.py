"""The screens of the program; each is imported when it is shown for the first time."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.screen import Screen

    from tui.controllers.table import Table


def _initiative(table: "Table") -> "Screen[Any]":
    from tui.screens.initiative import InitiativeScreen

    return InitiativeScreen(table)


def _roster(table: "Table") -> "Screen[Any]":
    from tui.screens.roster import RosterScreen

    return RosterScreen(table)


def _log(table: "Table") -> "Screen[Any]":
    from tui.screens.log import LogScreen

    return LogScreen(table)


def _status(table: "Table") -> "Screen[Any]":
    from tui.screens.status import StatusScreen

    return StatusScreen(table)


def _campaigns(table: "Table") -> "Screen[Any]":
    from tui.screens.campaigns import CampaignsScreen

    return CampaignsScreen(table)


_MAKERS = {
    "initiative": _initiative,
    "roster": _roster,
    "log": _log,
    "status": _status,
    "campaigns": _campaigns,
}
SCREEN_NAMES = tuple(_MAKERS)


def screens_of(table: "Table") -> "dict[str, Callable[[], Screen[Any]]]":
    """Return a function that makes each screen, by the screen's name in the table of keys."""
    return {name: partial(maker, table) for name, maker in _MAKERS.items()}
