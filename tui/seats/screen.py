"""The screen of a seat: the order, the player's own characters, and the log or a prompt.

It is painted from a `View` and knows nothing else of the fight. Its prompts are those of the table, with
lists from the server.
"""

from collections.abc import Callable, Sequence
from typing import Any

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.events import Key, Paste
from textual.geometry import Size

from systems.frozen import evolve
from systems.text import listed
from systems.visibility.view import View
from tui.display.banner import banner_rows
from tui.display.order import rows_wanted
from tui.display.seat import (
    OwnCards,
    call,
    call_row,
    gives_way,
    header_row,
    help_rows,
    is_own_turn,
)
from tui.display.text import Row, printable, up_to
from tui.seats.log_reading import LogReading
from tui.seats.message_line import MessageLine
from tui.seats.playing import SeatPlay
from tui.seats.seat_messages import SeatSpot
from tui.seats.table_questions import TableQuestion
from tui.seats.typed_ahead import LONGEST_LINE, TypedAhead
from tui.seats.wire_lists import Wire
from tui.services import FinderRows, OpenPrompt, PageRows, Program, Services
from tui.terminal.symbols import symbols
from tui.terminal.themed_app import write_title
from tui.widgets.order_list import OrderList
from tui.widgets.panel import BORDERS
from tui.widgets.question_screen import QuestionScreen
from tui.widgets.text_rows import TONE_CLASSES, TextRows
from tui.wire.request_list import ListedRequest

AROUND_TARGETS = 4  # title, rule, total and input line
NOBODY = " No combatants yet."
# A phone is enough to watch, but not for the prompts of a player.
LEAST_TO_WATCH = Size(44, 20)
NO_OLDER = "The table does not answer; PgUp asks again for older lines."
_TURN_KEYS = (("a", "attack"), ("r", "roll"), ("n", "done"), ("x", "actions"))
_KEYS = (("r", "roll"), ("x", "actions"), (":", "command"))
_PLAN = ("a", "plan")
_RECAP = ("v", "recap")
_HELP = ("?", "help")
_LEAVE = ("Ctrl+Q", "leave")
HOW_TO_LEAVE = "Ctrl+Q leaves the table; ? shows all keys."
_LOG_BELOW_BANNER = 5  # rows


class SeatScreen(QuestionScreen):
    """Everything that a seat shows. `show_view` takes a new view, `say` a sentence of the table."""

    COMPONENT_CLASSES = TONE_CLASSES
    AUTO_FOCUS = ""
    BINDINGS = [Binding("ctrl+q", "leave", "leave", show=False, priority=True)]
    CSS_PATH = "seat.tcss"
    HORIZONTAL_BREAKPOINTS = [
        (0, "-small"),
        (LEAST_TO_WATCH.width, "-slim"),
        *QuestionScreen.HORIZONTAL_BREAKPOINTS[1:],
    ]

    def __init__(self, program: Program, wire: Wire | None = None) -> None:
        super().__init__()
        self.wire = wire
        self.view = View()
        self.services = Services(program, lambda: self, {})
        self.play = SeatPlay(self.services, wire, self._run, self._take_ahead, self._page_cells)
        self._ahead = TypedAhead(
            lambda: self.services.prompts.current,
            self._take_key,
            self.play.replaces_line,
            lambda: self.play.is_waiting,
        )
        self.bell = True
        self.reading = LogReading(wire, self._run, self._show_log, lambda: self.say(NO_OLDER, error=True))
        self.message_line = MessageLine(self.services, self.play, self.reading)
        self._cursor = ""
        self._spot = SeatSpot()
        self._cards = OwnCards()
        self._shapes = symbols()
        self.header = TextRows(self._header_rows, id="header")
        self.banner = TextRows(self._banner_rows, id="banner")
        self.order = OrderList(id="order", empty="")
        self.card = TextRows(self._card_rows, id="card")
        self.side_card = TextRows(self._card_rows, id="right")
        self.dock = TextRows(self.dock_rows, id="log")
        self.message = TextRows(self.message_line.rows, id="message")
        self.keys = TextRows(self.footer_rows, id="keys")

    def _run(self, work: Any) -> object:
        """Run a coroutine in the background."""
        return self.run_worker(work)

    def compose(self) -> ComposeResult:
        yield self.header
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield self.banner
                yield self.order
                yield self.card
                yield self.dock
            yield self.side_card
        yield self.message
        yield self.keys

    @property
    def least(self) -> Size:
        return super().least if self.view.own else LEAST_TO_WATCH

    # Messages from the wire

    def show_view(self, view: View) -> None:
        """Show a new view of the fight. Ring the bell if the player's own turn begins."""
        began = is_own_turn(view) and not is_own_turn(self.view)
        self.reading.log.follow(view.log, view.older)
        if self.message_line.is_lost:
            self.message_line.is_lost = False
            self.say("")
        before, is_first = self.view, not self.view.rows
        self.view = self.message_line.view = view
        self.set_class(bool(view.own), "-plays")
        super().on_resize()
        self._cursor = self._cursor or view.turn
        self.order.empty = NOBODY
        if (began and not is_first) or (self.message_line.passes and gives_way(before, view)):
            self.say("")
        self.play.show_view(view)
        if view.recap != before.recap and before.rows:
            # The game master has just shown it, or taken that back.
            if view.recap:
                self.play.recap()
            elif self.has_page:
                self.panel.close()
        write_title(self.app, call(view) or view.title or "Affray")
        if began and self.bell:
            self.app.bell()
        self.refresh_all()

    @property
    def sentence(self) -> str:
        """Return the text of the message line."""
        return self.services.messages.sentence

    def say(self, sentence: str, *, passes: bool = False, error: bool = False) -> None:
        """Show a sentence. `passes`: it repeats the log, and disappears with the turn."""
        self.message_line.passes = passes
        self.services.say(printable(sentence), error=error)

    def hear(self, sentence: str, *, passes: bool = False, error: bool = False) -> None:
        """Show an answer of the table. A refusal reopens the prompt of the refused line."""
        self.play.hear(error=error)
        self.say(sentence, passes=passes, error=error)

    def sit_down(self, spot: SeatSpot, missed: int) -> None:
        """Restore the player's place, and mark the log lines that arrived in the meantime."""
        self._cursor, self.bell = spot.cursor, bool(spot.bell)
        self.reading.log.missed = missed
        if spot.plan:
            self.play.plan.restore(spot.plan[:LONGEST_LINE], spot.fight)
        if spot.line:
            begin = self.play.write_plan if spot.planned else self.play.command
            begin(spot.line[:LONGEST_LINE])
        if missed:
            self.say(f"{missed} {'line' if missed == 1 else 'lines'} since you left; PgUp shows them")
        self._spot = spot

    def set_table(self, is_there: bool) -> None:
        """Handle a connection or disconnection of the game master's program."""
        self.message_line.table_is_there = is_there
        if not is_there:
            if self.view.rows and not self.message_line.is_lost:
                # A returning player first reads how many lines they missed.
                self.say("")
            self.set_turn_over(False)
            self.play.table_left()
        self.show_message()

    def set_turn_over(self, is_over: bool) -> None:
        """Show whether the player's request to end the turn is open at the table."""
        self.play.plan.is_turn_over = is_over
        self.play.plan.look()
        self.show_message()
        self.keys.show()

    def set_empty_seats(self, names: frozenset[str]) -> None:
        """Mark the rows of players whose seats are empty."""
        self.order.mark_empty(names)

    def say_news(self, sentence: str) -> None:
        """Say that a player's line was lost or is back, unless an error should be read first."""
        if not self.services.messages.is_error:
            self.say(sentence)

    def set_requests(self, listed: Sequence[ListedRequest]) -> None:
        """Show the requests of this seat, and why others did not come about."""
        self.play.requests = listed
        self.services.prompts.refresh()
        self.show_message()

    def ask_for(self, question: TableQuestion) -> None:
        """Show a question of the table: the face of a real die, or a choice."""
        if self.play.ask_for(question) and self.bell:
            self.app.bell()
        self.show_message()

    def ask_no_more(self, number: object) -> None:
        """Withdraw a question of the table."""
        self.play.ask_no_more(number)
        self.show_message()

    def set_missing(self, names: Sequence[str]) -> None:
        """Show which players have not rolled yet, while several roll at the same time."""
        self.play.missing = names
        self.show_message()

    def lose(self, sentence: str) -> None:
        """Report that the table can't be reached. The last view stays visible."""
        self.message_line.is_lost = True
        self.say(sentence)
        self.refresh_all()

    # Interface for the services of prompts

    @property
    def screen_name(self) -> str:
        """Return the name for the table of keys: "", because a seat is not in it."""
        return ""

    def show_message(self) -> None:
        """Refresh the message line. It takes two rows if a sentence precedes an offer."""
        if not self.is_mounted:
            return
        height = max(1, len(self.message_line.rows(self.size.width, 2)))
        if self.message.styles.height is None or self.message.styles.height.value != height:
            self.message.styles.height = height
        self.message.show()

    def show_header(self) -> None:
        """Refresh the header."""
        self.header.show()

    def show_prompt(self) -> None:
        """Refresh the prompt and its keys."""
        self.dock.show()
        self.keys.show()

    def prompt_changed(self) -> None:
        """Show the open prompt or the log. An open prompt dims the cursor of the order."""
        self.order.dim(self.services.prompts.current is not None)
        if self.has_page:
            self.panel.close()
        if self.is_mounted:
            self._share_room()
        self.show_prompt()
        self.show_message()

    def show_change(self) -> None:
        """Refresh everything after a change."""
        self.refresh_all()

    def refresh_all(self) -> None:
        """Refresh everything on the screen."""
        if not self.is_mounted:
            return
        self._share_room()
        names = [row.name for row in self.view.rows]
        self.order.show_rows(self.view.rows, names, self.view.meters, self._cursor)
        if self.has_page:
            self.panel.renew()
        for lines in (self.header, self.banner, self.card, self.side_card, self.dock, self.keys):
            lines.show()
        self.show_message()

    def open_page(
        self, title: str, rows: PageRows, *, aside: bool = False, closed: Callable[[], None] | None = None
    ) -> None:
        """Open a page over the screen."""
        self.panel.open(title, rows, closed=closed)

    def renew_page(self) -> None:
        """Show the changed rows of the open page."""
        self.panel.renew()

    def _page_cells(self) -> int:
        """Return the width of the rows of a page."""
        return self.size.width - BORDERS

    def open_finder(self, title: str, rows: FinderRows) -> None:
        """Do nothing: a seat has no searchable page."""

    def find(self, text: str) -> bool:
        """Return False: a seat shows everything on one screen, so nothing is searched."""
        del text
        return False

    def way_back(self) -> Callable[[], None]:
        """Return a function that does nothing: nothing is searched at a seat."""
        return lambda: None

    # Room

    def _share_room(self) -> None:
        """Share the height: the order gets at most half of it, the own card at most a third.

        Without own characters, as on a screen for the whole table, a banner comes first and the order is
        spaced. The log keeps a few rows.

        A pane that changes its height has the whole screen laid out and painted again, so the card keeps the
        greatest height that it has needed.
        """
        room = max(4, self.size.height - 4)
        banner = len(self._banner_rows(self.size.width, self.size.height))
        wanted = rows_wanted(self.view.rows) or 2
        self.order.may_space = bool(banner)
        free = room - banner - _LOG_BELOW_BANNER
        order = max(1, min(2 * wanted, free) if banner else min(wanted, room // 2))
        self.set_class(not self.view.own, "-public")
        card = (
            0
            if self.has_class("-wide")
            else min(self._cards.height(self.view, max(20, self.size.width - 2), self._shapes), room // 3)
        )
        if self.services.prompts.current is not None and len(self.view.rows) > 4:
            # The list of a prompt needs the room.
            card = 0
        self.card.set_class(not card, "-away")
        for widget, height in ((self.banner, banner), (self.order, order), (self.card, card)):
            if widget.styles.height is None or widget.styles.height.value != height:
                widget.styles.height = height

    def on_resize(self) -> None:
        if self.has_page:
            # The server made its rows for another width.
            self.panel.close()
        self.refresh_all()

    def on_mount(self) -> None:
        self.refresh_all()

    # Rows

    def _header_rows(self, width: int, height: int) -> Sequence[Row]:
        return [header_row(self.view, width)]

    def _banner_rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the banner of a screen without own characters, or no rows."""
        is_public = not self.view.own and self.services.prompts.current is None
        return banner_rows(self.view, width, self.size.height, self._shapes) if is_public else []

    def _card_rows(self, width: int, height: int) -> Sequence[Row]:
        return up_to(self._cards.rows(self.view, width, self._shapes), height, "S shows all")

    def rows_above(self, prompt: OpenPrompt, width: int, height: int) -> tuple[Sequence[Row], int]:
        """Return no rows, and the height of a prompt, so that its input line follows its list.

        The targets arrive from the server a moment later. Room for them is reserved from the first frame on.
        """
        targets = len(self.view.rows) + AROUND_TARGETS if prompt.LISTS_TARGETS else 0
        return (), min(height, max(targets, self.rows_wanted(prompt, width)))

    def resting_rows(self, width: int, height: int) -> Sequence[Row]:
        return self.reading.rows(width, height)

    def resting_keys(self, width: int) -> Row:
        recap = [_RECAP] if self.view.recap else []
        if not self.view.own:
            return call_row(self.view, [*recap, _HELP, _LEAVE], width, 2)
        letters = [(each.letter, each.title) for each in self.view.actions if each.letter]
        if is_own_turn(self.view):
            return call_row(
                self.view, [*_TURN_KEYS, *letters, _HELP], width, is_over=self.play.plan.is_turn_over
            )
        plan = [_PLAN] if self.play.plan.can_plan else []
        return call_row(self.view, [*recap, *plan, *_KEYS, *letters, _HELP, _LEAVE], width, 2)

    # Keys

    def action_leave(self) -> None:
        self.app.exit(0)

    def on_order_list_moved(self, message: OrderList.Moved) -> None:
        self._cursor = self.order.under_cursor
        self._remember()

    def on_key(self, event: Key) -> None:
        event.stop()
        self._take(event)

    def on_paste(self, event: Paste) -> None:
        event.stop()
        self._take(event)

    def _take(self, event: Key | Paste) -> None:
        if self.is_too_small or (isinstance(event, Key) and self.take_for_page(event)):
            return
        if isinstance(event, Key) and event.key == "f1":
            self._open_help()
            return
        self.play.ask_again()
        self._ahead.take(event)
        self._after_keys()

    def _take_ahead(self) -> None:
        """Process the waiting keys, because an answer has arrived."""
        self._ahead.go_on()
        self._after_keys()

    def _after_keys(self) -> None:
        """Open the page of keys if it was chosen by name, and store the player's place."""
        if self.services.chosen_action == "help":
            self.services.chosen_action = ""
            self._open_help()
        self._remember()

    def _open_help(self) -> None:
        self.open_page("Keys", lambda cells: help_rows(self.view, cells))

    def _remember(self) -> None:
        """Have the server store the player's place for the next login."""
        line, plan = self.play.typed()[:LONGEST_LINE], self.play.plan.plan
        spot = SeatSpot(self._cursor[:80], 1 if self.bell else 0, line)
        if line and self.play.is_planning:
            spot = evolve(spot, planned=1)
        if plan is not None:
            spot = evolve(spot, plan=plan.line, fight=plan.title)
        if spot != self._spot and self.wire is not None and self.view.own:
            self._spot = spot
            self.wire.remember(spot)

    def _take_key(self, event: Key) -> None:
        """Handle a key while no prompt is open."""
        if self._moves(event.key):
            return
        if not self.message_line.is_lost:
            self.say("")
        character = event.character or event.key
        self.play.chosen = self._chosen_character
        match character:
            case "?":
                self._open_help()
            case "q":
                self.say(HOW_TO_LEAVE)
            case _ if self.view.own and (name := self._action_of(character)):
                self.play.action_called(name)
            case "s" | "S":
                self.open_page(self._own_names, self._own_rows)
            case "v" if self.view.recap:
                self.play.recap()
            case "b":
                self.bell = not self.bell
                self.say(f"The bell is {'on' if self.bell else 'off'}.")
            case _ if self.view.own:
                self._play_key(character)
        self.show_message()

    @property
    def _chosen_character(self) -> str:
        """Return the player's character under the cursor that may act or plan; "" for an only one."""
        own = [row for row in self.view.rows if row.own]
        may_plan = not is_own_turn(self.view)
        names = (row.name for row in own if row.name == self._cursor and (row.turn or may_plan))
        return next(names, "") if len(own) > 1 else ""

    def _play_key(self, character: str) -> None:
        """Handle a key of a player who has characters here."""
        match character:
            case "a":
                self.play.main_action()
            case "x":
                self.play.actions()
            case ".":
                self.play.repeat()
            case "w":
                self.play.list_requests()
            case "r":
                self.play.roll()
            case "o":
                self.play.odds(self._cursor)
            case "n":
                self.play.end_turn()
            case ":":
                self.play.command()
            case "\r" | "enter" if self.play.enter_takes_plan:
                plan = self.play.plan
                if not plan.is_ready or self.services.first_look.takes(plan.first_look):
                    self.play.take_plan()
            case "\r" | "enter" if self._takes_offer():
                self.play.take_offer()
            case "backspace" | "\x7f" | "\x08":
                self.play.drop_plan()

    def _takes_offer(self) -> bool:
        """Return whether Enter may accept the offer now. A question of the table is only opened by Enter."""
        offer = self.play.offer
        return self.play.asked.oldest is not None or offer is None or self.services.first_look.takes(offer)

    @property
    def _own_names(self) -> str:
        return listed(card.name for card in self.view.own) or "No characters"

    def _own_rows(self, cells: int) -> Sequence[Row]:
        rows = self._cards.rows(self.view, cells, self._shapes)
        # The title already names a single character.
        return rows[1:] if len(self.view.own) == 1 else rows

    def _action_of(self, letter: str) -> str:
        """Return the name of the action with this letter, or ""."""
        return next((each.name for each in self.view.actions if letter and each.letter == letter), "")

    def _moves(self, key: str) -> bool:
        """Move in the order or the log. Return whether the key does so."""
        match key:
            case "up" | "k" | "down" | "j":
                self.order.move(-1 if key in ("up", "k") else 1)
                self._cursor = self.order.under_cursor
            case "pageup" | "pagedown":
                size = self.dock.size
                self.reading.scroll(1 if key == "pageup" else -1, size.width, size.height)
                self._show_log()
            case "end":
                self.reading.log.to_newest()
                self._show_log()
            case _:
                return False
        return True

    def _show_log(self) -> None:
        self.dock.show()
        self.show_message()
