"""The screens, each imported when it is first shown, and the modules to import soon after the start."""

# ruff: noqa: F401 - import_later() imports modules so that others find them imported

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.screen import Screen

    from tui.controllers.table import Table


def _initiative(table: "Table") -> "Screen[Any]":
    from tui.screens.initiative import InitiativeScreen

    return InitiativeScreen(table)


def _roster(table: "Table") -> "Screen[Any]":
    from tui.screens.roster.screen import RosterScreen

    return RosterScreen(table)


def _log(table: "Table") -> "Screen[Any]":
    from tui.screens.log.screen import LogScreen

    return LogScreen(table)


def _status(table: "Table") -> "Screen[Any]":
    from tui.screens.status import StatusScreen

    return StatusScreen(table)


def _campaigns(table: "Table") -> "Screen[Any]":
    from tui.screens.campaigns.screen import CampaignsScreen

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


def import_later() -> "Iterator[None]":
    """Import what the first keys need and the first picture does not, a few modules with each step.

    Each step imports little, since a key that is pressed meanwhile waits for it.
    """
    yield
    import systems.commands.dispatcher

    yield
    import systems.language.parser

    yield
    import tui.campaign.toml.text
    import tui.controllers.command_runner

    yield
    import tui.prompts.targets

    yield
    import tui.prompts.amounts
    import tui.prompts.conditions

    yield
    import tui.prompts.command
    import tui.prompts.membership

    yield
    import tui.prompts.edit_field
    import tui.prompts.table_lists

    yield
    import tui.controllers.questions

    yield
    import tui.controllers.amending

    yield
    import tui.screens.log.screen
    import tui.screens.status

    yield
    import tui.screens.roster.screen

    yield
    import tui.controllers.seats
