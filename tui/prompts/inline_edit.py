"""A line that is edited in place, without a question in the dock."""

from collections.abc import Callable, Sequence

from textual.events import Key

from tui.display.text import Row
from tui.prompts.prompt import Prompt
from tui.services import Services
from tui.widgets.input_line import InputLine


class InlineEdit(Prompt):
    """Sends every key to `line` after `begin`.

    `show` paints the line. Enter calls `take`, Escape calls `leave`; then editing ends, unless `take` returns
    False. `other` gets all other keys first and returns whether it took one. `does`: the label for Enter.
    """

    IN_DOCK = False

    def __init__(
        self,
        services: Services,
        line: InputLine,
        show: Callable[[], None],
        take: Callable[[], bool],
        leave: Callable[[], None],
        other: Callable[[Key], bool] = lambda event: False,
        *,
        does: str = "keep it",
    ) -> None:
        super().__init__(services)
        self._does = does
        self.line = line
        self._show, self._take, self._leave, self._other = show, take, leave, other

    def begin(self) -> None:
        """Start sending every key to this line."""
        self.services.prompts.open(self)

    def opened(self) -> None:
        self._show()

    @property
    def enter_does(self) -> str:
        return self._does

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return ()

    def key(self, event: Key) -> None:
        if event.key == "escape":
            self.close()
            self._leave()
        elif event.key == "enter":
            if self._take():
                self.close()
        elif not self._other(event):
            self.line.key(event)
        self._show()

    def paste(self, text: str) -> None:
        self.line.insert(text.strip("\n"))
        self._show()
