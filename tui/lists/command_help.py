"""What the command line shows of what is typed: what it is, how it goes on, and what is wrong with it."""

from collections.abc import Callable
from typing import Protocol

from systems.frozen import frozen

NOTHING_TYPED = "Command · Tab completes, Up brings back"


@frozen
class CommandHelp:
    """What helps with a line.

    `title`: what the line is; `words`: what its last word may become, each with what that is; `says`: what
    the line would come to. `wrong`: why it cannot be read, with the part that is meant, `start` to `end`.
    """

    title: str = NOTHING_TYPED
    words: tuple[tuple[str, str], ...] = ()
    says: str = ""
    wrong: str = ""
    start: int = 0
    end: int = 0


class CommandSource(Protocol):
    """Where the command line gets its help.

    `changed` is called when more is known. `does`: what Enter does with a line.
    """

    changed: Callable[[], None]
    does: str

    def show(self, line: str, at: int) -> CommandHelp:
        """Return the newest help: at a seat it may be for what was typed before."""

    def is_known(self, line: str, at: int) -> bool:
        """Return whether the newest help is for this line."""
