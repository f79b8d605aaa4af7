"""The help that the command line shows for a typed line: its meaning, completions and errors."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from systems.frozen import frozen

if TYPE_CHECKING:
    from systems.language.intents import Command

NOTHING_TYPED = "Command · Tab completes, Up brings back"


@frozen
class CommandHelp:
    """The help for one line.

    `title`: the usage of its command. `words`: completions of its last word, each with an explanation.
    `says`: the odds of the line. `wrong`: why a seat's line can't be read; `start` and `end` mark the faulty
    part. The table reads a line only when it is entered.
    """

    title: str = NOTHING_TYPED
    words: tuple[tuple[str, str], ...] = ()
    says: str = ""
    wrong: str = ""
    start: int = 0
    end: int = 0


class CommandSource(Protocol):
    """The source of help for the command line.

    It calls `changed` when more is known. `does`: the label for Enter.
    """

    changed: Callable[[], None]
    does: str

    def show(self, line: str, at: int) -> CommandHelp:
        """Return the newest help. At a seat it may still be for an earlier line."""

    def is_known(self, line: str, at: int) -> bool:
        """Return whether the newest help is for this line."""

    def read(self, line: str) -> "Command | None":
        """Return the command of an entered line, None if only others can read it. Raises Misread."""
