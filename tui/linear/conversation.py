"""Write and read lines: with editing and completion at a terminal, plain for other programs."""

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from systems.text import as_sentence, clean

if TYPE_CHECKING:
    from tui.controllers.seat_asks import SeatAsks

LONGEST = 4_000


class Ended(Exception):
    """The player has left: the input ended, or Ctrl+C was pressed at the prompt for a command."""


class PlayersSeats(Protocol):
    """The open seats of players, while lines are read; see `tui.controllers.spoken_seats`."""

    def wait_for(self, read: Callable[[], str], prompt: str) -> str:
        """Return the line that `read` returns, and serve the seats meanwhile. Raises AnsweredAtSeat."""

    def interrupt(self) -> None:
        """Stop waiting for a line, because a player has answered the question."""

    def seat_asks(self) -> "SeatAsks | None":
        """Return what asks seats for dice and choices, or None if none listens."""


class Conversation:
    """Writes lines to standard output and prompts for lines on standard input.

    `complete`: returns the completions of a line's last word. `seats`: serves the players while a line is
    read, once their seats are open.
    """

    def __init__(self, complete: Callable[[str], Sequence[str]]) -> None:
        self.seats: PlayersSeats | None = None
        self._at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        if self._at_terminal:
            _complete_by_tab(complete)

    @property
    def at_terminal(self) -> bool:
        """Return whether a person types the lines."""
        return self._at_terminal

    def say(self, text: str) -> None:
        """Write one line at once, without control characters, and with commas for the dots of columns."""
        print(clean(text, LONGEST).replace(" · ", ", "), flush=True)

    def say_error(self, text: str) -> None:
        """Write the sentence of an error."""
        self.say(as_sentence(text))

    def ask(self, prompt: str) -> str:
        """Return the next line without blanks at its ends.

        Raises Ended and KeyboardInterrupt, and AnsweredAtSeat if a player has answered the question.
        """
        return self.ask_text(prompt).strip()

    def ask_text(self, prompt: str) -> str:
        """Return the next line with the blanks at its beginning. Raises the same."""
        try:
            if self.seats is None:
                return self._read(prompt).rstrip()
            return self.seats.wait_for(lambda: self._read(prompt), prompt).rstrip()
        except EOFError:
            raise Ended from None
        except UnicodeDecodeError:
            self.say("That line is not UTF-8.")
            return self.ask_text(prompt)

    def _read(self, prompt: str) -> str:
        """Return the next line. Raises EOFError and KeyboardInterrupt."""
        if self._at_terminal:
            return input(f"{clean(prompt, 80)} ")
        if not (line := sys.stdin.readline()):
            raise EOFError
        return line


def _complete_by_tab(complete: Callable[[str], Sequence[str]]) -> None:
    """Let Tab complete, and the arrow keys recall earlier lines, if the platform has the library."""
    try:
        import readline
    except ImportError:
        return
    found: list[str] = []

    def word(text: str, state: int) -> str | None:
        if state == 0:
            found[:] = complete(readline.get_line_buffer()[: readline.get_endidx()])
        return found[state] if state < len(found) else None

    readline.set_completer_delims(" ")
    readline.set_completer(word)
    readline.parse_and_bind("tab: complete")
