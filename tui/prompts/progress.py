"""The progress of a long task. Escape stops it."""

from collections.abc import Callable, Sequence

from textual.events import Key

from tui.display.text import Row, printable, wrapped
from tui.prompts.prompt import ALL_ROWS, Prompt
from tui.services import Services


class ProgressPrompt(Prompt):
    """Shows the progress of a long task. Other keys than Escape are kept in `held` for later.

    `done` of `count` steps if the number is known; otherwise `seconds` shows the time so far.
    """

    ESCAPE = "stop"

    def __init__(self, services: Services, what: str, stop: Callable[[], None]) -> None:
        super().__init__(services)
        self.what, self._stop = what, stop
        self.done = self.count = self.seconds = 0
        self.held: list[Key] = []

    @property
    def enter_does(self) -> str:
        return ""

    def wanted_rows(self, width: int) -> int:
        return len(self.rows(width, ALL_ROWS))

    def rows(self, width: int, height: int) -> Sequence[Row]:
        far = f"{self.done:,} of {self.count:,}" if self.count else f"{self.seconds} s"
        said = f"{printable(self.what)}: {far} · Esc stops"
        return [[(f" {line}", "strong accent")] for line in wrapped(said, width - 2)][:height]

    def type_held(self) -> None:
        """Type the keys that were held back, now that the task is over."""
        for event in self.held:
            self.services.program.post_message(Key(event.key, event.character))

    def key(self, event: Key) -> None:
        if event.key == "escape":
            self.held.clear()
            self._stop()
        else:
            self.held.append(event)
