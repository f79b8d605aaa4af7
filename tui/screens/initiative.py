"""The order of turns: home."""

from textual.app import ComposeResult

from tui.keys import bindings_of
from tui.screens.base import FightScreen
from tui.widgets.lines import Lines


class InitiativeScreen(FightScreen):
    NAME = "initiative"
    BINDINGS = bindings_of(NAME)

    def __init__(self) -> None:
        super().__init__()
        self.order = Lines(self._rows, id="order")

    def compose_body(self) -> ComposeResult:
        yield self.order

    def _rows(self, width, height):
        session = self.affray.session
        return [[(one.name, "")] for one in session.encounter.in_line()] if session else []

    def show_fight(self) -> None:
        self.order.show()
