"""Write and read lines: with editing and completion at a terminal, plain for other programs."""

import sys
from collections.abc import Callable, Sequence

from systems.text import as_sentence, clean

LONGEST = 4_000


class Ended(Exception):
    """The player has left: the input ended, or Ctrl+C was pressed at the prompt for a command."""


class Conversation:
    """Writes lines to standard output and prompts for lines on standard input.

    `complete`: returns the completions of a line's last word. `wait_for`: calls a function that reads a line,
    and returns the line; it may do other work meanwhile.
    """

    def __init__(self, complete: Callable[[str], Sequence[str]]) -> None:
        self.wait_for: Callable[[Callable[[], str]], str] = lambda read: read()
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
        """Return the next line without blanks at its ends. Raises Ended and KeyboardInterrupt."""
        try:
            return self.wait_for(lambda: self._read(prompt)).strip()
        except EOFError:
            raise Ended from None
        except UnicodeDecodeError:
            self.say("That line is not UTF-8.")
            return self.ask(prompt)

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
