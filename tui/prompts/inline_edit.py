"""A line that is edited where it stands, with no question in the dock."""

from collections.abc import Callable, Sequence

from textual.events import Key

from tui.display.text import Row
from tui.prompts.prompt import Prompt
from tui.services import Services
from tui.widgets.input_line import InputLine


class InlineEdit(Prompt):
    """Every key is for `line` from `begin` on. `show` paints it.

    Enter calls `take`, Escape `leave`, and it is over then, unless `take` says False. `other` is
    offered all other keys first and says whether it took one. `does`: what Enter does, for the footer.
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
        """Send every key to this line from now on."""
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
