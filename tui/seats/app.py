"""The application of a seat."""

from typing import TYPE_CHECKING

from textual.app import App

from systems.visibility.plain import from_plain
from systems.visibility.view import View
from tui.seats.screen import SeatScreen
from tui.terminal.driver import QuickDriver
from tui.wire.frames import Message

if TYPE_CHECKING:
    from textual.driver import Driver

    from tui.seats.wire import SeatWire


class SeatApp(App[int]):
    """Paints what the wire brings; without a wire it paints an empty page."""

    CSS_PATH = "../app.tcss"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, wire: "SeatWire | None") -> None:
        super().__init__()
        self.wire = wire
        self.seat = SeatScreen(wire)

    def get_driver_class(self) -> "type[Driver]":
        return QuickDriver

    async def on_mount(self) -> None:
        await self.push_screen(self.seat)
        if self.wire is not None:
            await self.wire.start(self.take, self.lost)

    def take(self, message: Message) -> None:
        """Show what came over the wire."""
        match message["kind"]:
            case "view":
                self.seat.show_view(from_plain(View, message["view"]))
            case "waiting" | "said":
                self.seat.say(str(message["text"]))
            case "bye":
                self.exit(0, message=str(message["text"]))

    def lost(self) -> None:
        """The server is gone."""
        self.exit(0)
