"""One line that a seat's screen asks its player for, and what the screen asks of its connection."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from tui.display.text import Row
from tui.widgets.input_line import InputLine


class Wire(Protocol):
    """What a seat's screen asks of its connection; each answers whether the table could be reached."""

    def request(self, line: str) -> bool:
        """Ask the table to carry out a line of the command language."""
        ...

    def reply(self, ask: int, value: Any) -> bool:
        """Answer a question of the table: the face of a die, or a choice."""
        ...

    async def ask(self, what: str, **details: Any) -> Any:
        """The answer to a question, worked out from what the seat may see; None if there is none."""
        ...

    def remember(self, spot: Mapping[str, Any]) -> None:
        """Have it kept in mind where the player was."""
        ...


class SeatQuestion:
    """One line that is asked for: what for, what was typed, and what Enter does with it.

    `rows` list what helps; `finish` makes the request of the text, or a sentence that says what is wrong.
    `command`: what stands before the text in the line that is sent; None where it is no command.
    """

    def __init__(
        self,
        title: str,
        finish: Callable[[str], bool],
        rows: Callable[[str], Sequence[Row]] = lambda text: (),
        command: str | None = None,
        text: str = "",
    ) -> None:
        self.title, self.finish, self.rows, self.command = title, finish, rows, command
        self.line = InputLine(text)
        # The number of what the table asked, where it is an answer to that.
        self.asked: Any = None

    @property
    def typed(self) -> str:
        """The line of the command language as far as it is typed; "" where it is none."""
        return "" if self.command is None else f"{self.command}{self.line.text}"
