"""The application of a seat."""

from typing import TYPE_CHECKING, Any

from textual.app import App, ComposeResult
from textual.widgets import Static

from tui.terminal.driver import QuickDriver
from tui.wire.frames import Message

if TYPE_CHECKING:
    from textual.driver import Driver

    from tui.seats.wire import SeatWire


class SeatApp(App[int]):
    """Paints what the wire brings; without a wire it paints an empty page."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, wire: "SeatWire | None") -> None:
        super().__init__()
        self.wire = wire
        self.view: dict[str, Any] = {}

    def get_driver_class(self) -> "type[Driver]":
        return QuickDriver

    def compose(self) -> ComposeResult:
        yield Static("", id="page", markup=False)

    async def on_mount(self) -> None:
        if self.wire is not None:
            await self.wire.start(self.take, self.lost)

    def take(self, message: Message) -> None:
        """Show what came over the wire."""
        match message["kind"]:
            case "view":
                self.view = dict(message["view"])
                self.show()
            case "waiting" | "said":
                self.query_one("#page", Static).update(str(message["text"]))
            case "bye":
                self.exit(0, message=str(message["text"]))

    def lost(self) -> None:
        """The server is gone."""
        self.exit(0)

    def show(self) -> None:
        view = self.view
        rows = [f"{row.get('tag', '')} {row['name']}" for row in view.get("rows", ())]
        lines = [line["text"] for line in view.get("log", ())]
        head = f"{view.get('title', '')}  round {view.get('round', 0)}  {view.get('turn', '')}"
        self.query_one("#page", Static).update("\n".join([head, *rows, "", *lines[-8:]]))
