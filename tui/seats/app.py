"""The application of a seat: shows the messages of its wire and opens no file."""

from typing import TYPE_CHECKING

from textual.binding import Binding

from systems.codec.plain import BadPlainData, from_plain
from systems.visibility.changes import with_changes
from systems.visibility.view import View
from tui.display.seat import GONE
from tui.seats.screen import HOW_TO_LEAVE, SeatScreen
from tui.seats.seat_messages import SeatSpot
from tui.seats.table_questions import table_question
from tui.terminal.private import has
from tui.terminal.seat_driver import SeatDriver
from tui.terminal.themed_app import ThemedApp
from tui.wire.frames import Message
from tui.wire.messages import content
from tui.wire.request_list import ListOfSeat

if TYPE_CHECKING:
    from textual.driver import Driver

    from tui.seats.wire import SeatWire

_LEAVING = 1.5  # seconds for which the last sentence stays visible


class SeatApp(ThemedApp):
    """The application that one seat runs. Without a wire it paints an empty page."""

    TITLE = "Affray"
    CSS_PATH = "../app.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [Binding("ctrl+c", "help_quit", show=False, priority=True)]

    def __init__(self, wire: "SeatWire | None") -> None:
        super().__init__()
        self.wire = wire

    def get_driver_class(self) -> "type[Driver]":
        return SeatDriver if has("the quick driver") else super().get_driver_class()

    async def on_mount(self) -> None:
        self.seat = SeatScreen(self, self.wire)
        await self.push_screen(self.seat)
        if self.wire is not None:
            await self.wire.start(self.take, self.lost)

    @property
    def sentence(self) -> str:
        """Return the text of the message line."""
        return self.seat.sentence

    def say(self, sentence: str, error: bool = False) -> None:
        """Show a sentence on the message line."""
        self.seat.say(sentence, error=error)

    def choose_colours(self, theme: str) -> None:
        """Use these colours from now on."""
        self.theme, self.has_chosen_theme = theme, True

    def preview_colours(self, theme: str) -> None:
        """Show these colours as a preview."""
        self.theme = theme or self.theme

    def use_own_keys(self, said: str = "") -> None:
        """Do nothing: every seat uses the default keys."""

    def action_help_quit(self) -> None:
        """Explain how to leave, because Ctrl+C leaves most other programs."""
        self.say(HOW_TO_LEAVE)

    def take(self, message: Message) -> None:
        """Apply a message from the wire."""
        match message["kind"]:
            case "view":
                self._show(message)
            case "ask":
                if (question := table_question(message)) is not None:
                    self.seat.ask_for(question)
            case "unask":
                self.seat.ask_no_more(message["ask"])
            case "missing":
                self.seat.set_missing([str(name) for name in message["names"]])
            case "said":
                passes, error = bool(message.get("passes")), bool(message.get("error"))
                self.seat.hear(str(message["text"]), passes=passes, error=error)
            case "turn_over":
                self.seat.set_turn_over(bool(message["is_open"]))
            case "empty":
                self.seat.set_empty_seats(frozenset(map(str, message["names"])))
            case "news":
                self.seat.say_news(str(message["text"]))
            case "requests":
                self.seat.set_requests(content(message, ListOfSeat).requests)
            case "seat":
                self.seat.sit_down(from_plain(SeatSpot, message["spot"]), int(message.get("missed", 0)))
            case "table":
                self.seat.set_table(bool(message["there"]))
            case "bye":
                self.exit(0)

    def _show(self, message: Message) -> None:
        """Show a view that was sent either in full or as changes to the previous one."""
        try:
            if "view" in message:
                view = from_plain(View, message["view"])
            else:
                view = with_changes(self.seat.view, message["changes"])
            self.seat.show_view(view)
        except BadPlainData:
            self.seat.lose(GONE)

    def lost(self) -> None:
        """Report that the server is gone, and exit after a moment."""
        self.seat.lose(GONE)
        self.set_timer(_LEAVING, lambda: self.exit(0))
