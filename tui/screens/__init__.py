"""The screens: initiative, roster, log, status, and the campaigns to choose from; each loads when shown."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.screen import Screen


def _initiative() -> "Screen[Any]":
    from tui.screens.initiative import InitiativeScreen

    return InitiativeScreen()


def _roster() -> "Screen[Any]":
    from tui.screens.roster import RosterScreen

    return RosterScreen()


def _log() -> "Screen[Any]":
    from tui.screens.log import LogScreen

    return LogScreen()


def _status() -> "Screen[Any]":
    from tui.screens.status import StatusScreen

    return StatusScreen()


def _campaigns() -> "Screen[Any]":
    from tui.screens.campaigns import CampaignsScreen

    return CampaignsScreen()


SCREENS: dict[str, "Callable[[], Screen[Any]]"] = {
    "initiative": _initiative,
    "roster": _roster,
    "log": _log,
    "status": _status,
    "campaigns": _campaigns,
}
