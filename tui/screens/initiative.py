"""The order of turns: home. Beside it the card of the one under the cursor, below it the last of the log."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.binding import Binding

from systems.encounter.model import Combatant
from tui.display.log_tail import tail_rows
from tui.display.text import Row, cut, printable
from tui.screens.base import FightScreen
from tui.settings.keys import bindings_of
from tui.widgets.lines import Lines
from tui.widgets.order_list import OrderList


class InitiativeScreen(FightScreen):
    """The order of turns, with a cursor that the other screens share."""

    NAME = "initiative"
    DOCK_STAYS, DOCK_TITLE = True, "Log"
    BINDINGS = [
        *bindings_of(NAME),
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j", "move(1)", "down", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
        Binding("home", "move(-99999)", "first", show=False),
        Binding("end", "move(99999)", "last", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.order = OrderList(id="order")
        self.card = Lines(self._card_rows, id="card")
        # They stay as they are: a title that changes has the whole of its panel painted again.
        self.order.border_title, self.card.border_title = "Order", "Status"
        self._turn: str | None = None

    def compose_body(self) -> ComposeResult:
        yield self.order
        yield self.card

    def show_fight(self) -> None:
        session = self.affray.session
        turn = session.encounter.progress.turn or "" if session else self._turn
        if turn != self._turn:
            # The cursor goes with the turn, so that the card shows whoever has it; a fight that is opened
            # again has its cursor where it was left, and whoever looks on may be reading another card.
            reads = session is not None and session.read_only and self.affray.cursor != self._turn
            stays = self.affray.cursor if self._turn is None or reads else ""
            self._turn = turn
            self.affray.cursor = stays or turn or self.affray.cursor
        self.order.show_encounter(session.encounter if session else None, self.affray.cursor)
        if self.order.under_cursor:
            self.affray.cursor = self.order.under_cursor.id
        self.card.show()
        self.dock.show()

    def action_move(self, by: int) -> None:
        self.order.move(by)
        self._moved()

    def action_page(self, by: int) -> None:
        self.action_move(by * max(1, self.order.content_size.height - 1))

    def on_order_list_moved(self, message: OrderList.Moved) -> None:
        self._moved()

    def find(self, text: str) -> None:
        """The cursor on the next one whose name holds `text`, from the cursor on."""
        plain, everybody = text.casefold(), self.order.everybody
        for by in range(len(everybody)):
            at = (self.order.cursor + by) % len(everybody)
            if plain in everybody[at].name.casefold():
                self.action_move(at - self.order.cursor)
                return
        self.affray.say(f"nobody here has {text!r} in the name" if text else "")

    def _moved(self) -> None:
        one = self.order.under_cursor
        self.affray.cursor = one.id if one else ""
        self.card.show()

    def _card_rows(self, width: int, height: int) -> Sequence[Row]:
        one: Combatant | None = self.order.under_cursor
        session = self.affray.session
        if one is None or session is None:
            return []
        # Imported when there is room for it: a narrow screen shows no card.
        from tui.display.card import card_rows

        return [[(printable(one.name), "strong accent")], *card_rows(session, one, width)]

    def resting_rows(self, width: int, height: int) -> Sequence[Row]:
        session, keys = self.affray.session, self.affray.key_names
        if session is None or session.log.events:
            return tail_rows(session, width, height) if session else []
        first = f" Nothing has happened yet: {keys['next']} begins the fight, {keys['add']} adds somebody."
        return [[(cut(first, width), "muted")]]
