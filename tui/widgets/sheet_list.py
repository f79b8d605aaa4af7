"""The sheet of one combatant as a list with a cursor."""

from collections.abc import Callable

from textual import events
from textual.binding import Binding

from tui.display.sheet import SheetRow
from tui.display.text import Row
from tui.widgets.cursor_list import CursorList


class SheetList(CursorList, inherit_bindings=False):
    """The rows of one combatant's sheet.

    Left and Right belong to the screen: they go to the next combatant.
    """

    BINDINGS = [
        Binding("up", "move(-1)", "up", show=False, tooltip="One figure up.", id="sheet.up"),
        Binding("down", "move(1)", "down", show=False, tooltip="One figure down.", id="sheet.down"),
        Binding("pageup", "page(-1)", "page up", show=False, tooltip="A page up.", id="sheet.pageup"),
        Binding("pagedown", "page(1)", "page down", show=False, tooltip="A page down.", id="sheet.pagedown"),
        Binding("home", "end(-1)", "first", show=False, tooltip="The first figure.", id="sheet.home"),
        Binding("end", "end(1)", "last", show=False, tooltip="The last figure.", id="sheet.end"),
        Binding("enter", "choose", "explain", show=False, tooltip="Explain it.", id="sheet.choose"),
    ]

    def __init__(
        self,
        *,
        moved: Callable[[int], None],
        chosen: Callable[[], None],
        resized: Callable[[], None],
        id: str,
    ) -> None:
        super().__init__(moved=moved, chosen=chosen, id=id)
        self._resized = resized
        self._shown: list[SheetRow] = []

    def on_resize(self, event: events.Resize) -> None:
        # The content of a row depends on its width.
        self._resized()

    @property
    def count(self) -> int:
        return len(self._shown)

    @property
    def current(self) -> SheetRow | None:
        return self._shown[self.cursor] if self.cursor < self.count else None

    def stops(self, index: int) -> bool:
        return self._shown[index].role == "line"

    def show_sheet(self, rows: list[SheetRow]) -> None:
        """Show these rows; the cursor stays on its field or figure if that is still shown."""
        current = self.current
        self._shown = rows
        self.show_rows(self._same(current))

    def index_of(self, text: str) -> int | None:
        """Return the index of the first row that contains the lower-case text."""
        for at, row in enumerate(self._shown):
            if row.role == "line" and text in "".join(part for part, _ in row.row).casefold():
                return at
        return None

    def _same(self, wanted: SheetRow | None) -> int | None:
        if wanted is None:
            # Start at the first figure with an explanation, so that the bars show their colours.
            return next((at for at, row in enumerate(self._shown) if row.figure is not None), 0)
        label = wanted.figure.label if wanted.figure else ""
        for at, row in enumerate(self._shown):
            same_figure = row.figure is not None and row.figure.label == label
            if row.role == "line" and (same_figure or (wanted.field and row.field == wanted.field)):
                return at
        return None

    def row(self, index: int, cells: int) -> Row:
        return self._shown[index].row
