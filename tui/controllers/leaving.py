"""The question before the program closes while events are not saved."""

from collections.abc import Callable, Sequence

from textual.events import Key

from tui.display.text import Row, printable, wrapped
from tui.prompts.prompt import ALL_ROWS, Prompt
from tui.services import Services
from tui.session.write_queue import Saved


class LeavingPrompt(Prompt):
    """Lists what is not saved, and why. The program closes by itself once everything is saved."""

    ENTER = "try again"
    ESCAPE = "play on"

    def __init__(
        self,
        services: Services,
        saved: Callable[[], Saved],
        retry: Callable[[], None],
        leave: Callable[[], None],
    ) -> None:
        super().__init__(services)
        self._saved, self._retry, self._leave = saved, retry, leave
        # The text being typed is still there if you go on playing.
        self._before = services.prompts.current

    def wanted_rows(self, width: int) -> int:
        return len(self.rows(width, ALL_ROWS))

    def rows(self, width: int, height: int) -> Sequence[Row]:
        saved = self._saved()
        events = f"{saved.waiting} event{'s are' if saved.waiting != 1 else ' is'}"
        why = saved.why or "the disk has not answered yet"
        said = f"{events} not saved since {saved.since}: {why}."
        found: list[Row] = [[(f" {line}", "danger strong")] for line in wrapped(printable(said), width - 2)]
        for key, does in (
            ("Enter", "try again, and quit once everything is saved"),
            ("l", "quit now; Affray tries to save the events in another folder"),
            ("Esc", "play on"),
        ):
            found.append([(f" {key:>5} ", "strong"), (does, "muted")])
        return found[:height]

    def key(self, event: Key) -> None:
        match event.key:
            case "enter":
                self._retry()
            case "l":
                self.close()
                self._leave()
            case "escape":
                self.close()
                if self._before is not None and self._before is not self:
                    self._before.resume()
                self.services.say("You can play on; Affray keeps trying to save.")
