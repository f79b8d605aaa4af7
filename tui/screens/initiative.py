"""The home screen: the order of turns, the card of the combatant under the cursor, the end of the log."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.binding import Binding
from textual.widget import Widget

from systems.encounter.model import Encounter
from systems.encounter.roster import Roster
from systems.visibility.log_view import LogReader
from systems.visibility.parts import OrderRow, meter_columns
from systems.visibility.rows import NO_CHANGES, RowCache
from tui.controllers.table import Table
from tui.display.order import rows_wanted
from tui.display.text import Row, cut, printable, up_to, wrapped
from tui.screens.base import Body, FightScreen
from tui.services import OpenPrompt
from tui.settings.keymap import bindings_of
from tui.widgets.order_list import NOBODY, OrderList
from tui.widgets.text_rows import TextRows

if TYPE_CHECKING:
    from systems.encounter.model import Combatant
    from systems.forecast.found import Danger
    from tui.screens.card_pane import CardPane
    from tui.session.session import Session

# The lines around order and dock, apart from the message: header and keys.
FRAME_ROWS = 2
# Rows for the card next to a shorter order.
CARD_ROWS = 16
# Rows of the recap so far below the order, with its frame; fewer are not worth it.
LEAST_SO_FAR = 5
# Rows for what the next combatants would most likely do, below the recap so far.
LIKELY_ROWS = 3
# The log keeps this many rows, with its frame, next to a longer card or recap.
LOG_NEXT_TO_PANES = 14
# Seconds until a wide screen adds the recap so far.
AFTER_FIRST_PICTURE = 0.1
# Rows for the odds of a prepared fight.
ODDS_ROWS = 2
# Rows of the log above a prompt; fewer are not worth the line between them.
LEAST_LOG = 2
# Rows for a shorter order: an empty one says there what to do.
LEAST_ROWS = 6
# Seconds in which a second digit makes a tag longer.
_NEXT_DIGIT = 1.5
NOBODY_AT_ALL = " No combatants yet: Enter creates the first character."
_NO_DANGERS: "Mapping[str, Danger]" = {}


def _dimmed(row: Row) -> Row:
    """Return a row of the log as shown while a prompt is open, which is more important."""
    return [(text, "struck muted" if "struck" in tone else "muted") for text, tone in row]


class InitiativeScreen(FightScreen):
    """The order of turns, with a cursor that the other screens share."""

    NAME = "initiative"
    DOCK_STAYS, DOCK_TITLE = True, "Log"
    HORIZONTAL_BREAKPOINTS = [*FightScreen.HORIZONTAL_BREAKPOINTS, (170, "-widest")]
    BINDINGS = [
        *bindings_of(NAME),
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j", "move(1)", "down", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
        Binding("home", "move(-99999)", "first", show=False),
        Binding("end", "move(99999)", "last", show=False),
        *(Binding(f"{digit}", f"go_to_tag({digit})", "to a tag", show=False) for digit in range(10)),
    ]

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.order = OrderList(id="order")
        self.card = TextRows(self._card_rows, id="card")
        self.order.border_title = "Order"
        # The recap below the order of a wide screen, added when there is room for it.
        self._recap: TextRows | None = None
        self._awaits_recap = False
        self._card_pane: CardPane | None = None
        # The height that the cards have needed so far, with the frame.
        self._card_height = 0
        self._turn: str | None = None
        # The digits typed so far of the tag to go to, when the last one came, and the fight at that moment.
        self._tag = ""
        self._tag_time = 0.0
        self._tag_fight: Encounter | None = None
        # The combatant on the card while a prompt is about it; "" for the one under the cursor.
        self._subject = ""
        self._cache = RowCache()
        self._log_reader = LogReader()
        self._shown: tuple[Encounter, Sequence[OrderRow], Sequence[str]] | None = None
        # The dangers in the rows shown.
        self._dangers = _NO_DANGERS

    def compose_body(self) -> ComposeResult:
        with Body(id="left"):
            yield self.order
        yield self.card

    @property
    def escape_does(self) -> str:
        return ""

    @property
    def aside(self) -> Widget | None:
        return self.card if self.card.display else None

    def show_fight(self) -> None:
        session = self.table.session
        turn = session.encounter.progress.turn or "" if session else self._turn
        if turn != self._turn:
            # The cursor follows the turn, so that the card shows its combatant. A fight that is reopened
            # keeps its cursor, and a read-only viewer may be reading another card.
            reads = session is not None and session.read_only and self.services.cursor != self._turn
            stays = self.services.cursor if self._turn is None or reads else ""
            self._turn = turn
            self.services.cursor = stays or turn or self.services.cursor
        if session is not None:
            encounter, rows, keys = self._rows_of(session)
            self.order.empty = NOBODY if rows or self._has_own(session) else NOBODY_AT_ALL
            grouped = [encounter.combatants[who].state.group or "" for who in keys]
            groups = grouped if any(grouped) else ()
            meters = meter_columns(encounter.game.meters)
            if self.table.desk is not None:
                empty = self.table.desk.server.empty_characters
                people = (each for each in encounter if empty and (each.state.kind or each.id) in empty)
                self.order.mark_empty(frozenset(each.id for each in people))
            self.order.show_rows(rows, keys, meters, self.services.cursor, groups)
            self._share_room()
        self.services.cursor = self.order.under_cursor or self.services.cursor
        self._show_card()
        if self._recap is not None:
            self._recap.show()
        self.dock.show()

    def _rows_of(self, session: "Session") -> tuple[Encounter, Sequence[OrderRow], Sequence[str]]:
        """Return the rows of the encounter and their ids; the same objects while nothing changes."""
        encounter = session.encounter
        known = self.table.dangers
        dangers = known.shown(encounter) if known is not None else _NO_DANGERS
        if self._shown is None or self._shown[0] is not encounter or dangers is not self._dangers:
            last = NO_CHANGES
            if session.log.events:
                from systems.visibility.last_change import last_changes

                last = last_changes(encounter, session.log)
            rows = self._cache.rows(encounter, last)
            ids, self._dangers = self._cache.ids, dangers
            if known is not None:
                rows = known.in_order(rows, ids)
            self._shown = (encounter, rows, ids)
        return self._shown

    def action_move(self, by: int) -> None:
        self._tag = ""
        self.order.move(by)
        self._moved()

    def action_go_to_tag(self, digit: int) -> None:
        """Move the cursor to the combatant with this tag; a second digit, typed at once, makes it longer."""
        session = self.table.session
        if session is None:
            return
        fight, now = session.encounter, self.services.now()
        tags = {each.tag: each.id for each in fight.in_line()}
        goes_on = fight is self._tag_fight and now - self._tag_time < _NEXT_DIGIT
        typed = f"{self._tag if goes_on else ''}{digit}"
        self._tag = typed if typed in tags else f"{digit}"
        self._tag_time, self._tag_fight = now, fight
        if self._tag in tags:
            self.order.put_cursor(tags[self._tag])
            self.order.show()
            self._moved()

    def action_page(self, by: int) -> None:
        self.action_move(by * max(1, self.order.content_size.height - 1))

    def on_order_list_moved(self, message: OrderList.Moved) -> None:
        self._moved()

    def _has_own(self, session: "Session") -> bool:
        """Return whether the campaign has entries of its own to add, in addition to the game's creatures."""
        roster = session.roster
        return bool(roster.own if isinstance(roster, Roster) else roster)

    def action_offer(self) -> None:
        """Accept the offer; in an empty fight add a combatant, or create a first roster entry."""
        session = self.table.session
        if session is None or session.encounter.progress.ids or any(self._offer_and_request()):
            super().action_offer()
        elif self._has_own(session):
            self.action_ask("add")
        else:
            # The roster opens its own prompt then, which nothing covers.
            self.call_later(self.app.run_action, "go('roster', 'kind_new', '')", self.app)

    def find(self, text: str) -> bool:
        """Move the cursor to the next combatant whose name holds `text`."""
        plain, rows = text.casefold(), self.order.rows
        for by in range(len(rows)):
            at = (self.order.cursor + by) % len(rows)
            if plain in rows[at].name.casefold():
                self.action_move(at - self.order.cursor)
                return True
        return not text

    def way_back(self) -> Callable[[], None]:
        combatant = self.order.under_cursor

        def go_back() -> None:
            self.order.put_cursor(combatant)
            self.action_move(0)

        return go_back

    def prompt_changed(self) -> None:
        self._share_room()
        super().prompt_changed()
        self.order.dim(self.services.prompts.current is not None)
        self._show_subject()

    def show_prompt(self) -> None:
        self._share_room()
        super().show_prompt()
        self._show_subject()

    def show_message(self) -> None:
        super().show_message()
        if self.services.prompts.current is not None:
            self._share_room()

    def on_resize(self) -> None:
        super().on_resize()
        self._card_height = 0
        self._share_room()
        self._show_card()

    def _share_room(self) -> None:
        """Give the log the rows that the other panes leave, and a prompt the rows of its list.

        Side by side the log is as high as the screen.
        """
        prompt = self.services.prompts.current
        wanted = self.rows_wanted(prompt, self.size.width) if prompt is not None and prompt.IN_DOCK else 0
        if self.has_class("-widest"):
            if self.dock.styles.inline.has_rule("height"):
                self.set_height(self.dock, None)
            self._name_dock(wanted, self.dock.content_size.height)
            self._fit_panes(self.size.height - FRAME_ROWS - self._message_lines)
            return
        dock, frame = self.dock.styles.gutter.height, self.order.styles.gutter.height
        room = self.size.height - FRAME_ROWS - self._message_lines
        people = max(LEAST_ROWS, rows_wanted(self.order.rows)) + frame
        height = max(self._least_dock, room - self._panes_wanted(people, frame, room))
        if wanted:
            # A list may hide half of the order. The end of the log stays above it only if that hides nothing.
            most, with_log = max(room - people, (room - frame) // 2), wanted + 1 + LEAST_LOG
            height = max(height, min(wanted + dock, most), min(with_log + dock, room - people))
        self._give_height(self.dock, height)
        self._name_dock(wanted, height - dock)
        self._fit_panes(room - height)

    def _panes_wanted(self, people: int, frame: int, room: int) -> int:
        """Return the height of order, card and recap that leaves the log its rows. `people`: the order's."""
        if not self.has_class("-wide"):
            return people
        log = LOG_NEXT_TO_PANES if self._has_log else self._least_dock
        recap = people + self._recap_wanted
        more = (LIKELY_ROWS, 0) if self._recap_wanted else (0,)
        recap = next((recap + rows for rows in more if room - recap - rows >= LOG_NEXT_TO_PANES), 0)
        return max(people, CARD_ROWS + frame, min(self._card_height, room - log), recap)

    @property
    def _has_log(self) -> bool:
        """Return whether the log has lines; a prepared fight has only its odds to show there."""
        session = self.table.session
        return session is None or bool(session.log.events)

    @property
    def _least_dock(self) -> int:
        """Return the rows that the log keeps in any case, with its frame."""
        usual = self.dock.styles.base.height
        least = int(usual.value) if usual is not None and usual.is_cells else 0
        return least if self._has_log else min(least, 1 + ODDS_ROWS + self.dock.styles.gutter.height)

    def _give_height(self, widget: Widget, height: int | None) -> None:
        now = widget.styles.height if widget.styles.inline.has_rule("height") else None
        if height != (now.value if now else None):
            self.set_height(widget, height)

    @property
    def _recap_wanted(self) -> int:
        """Return the rows for the recap so far: one for each combatant, the heaviest blow, and a frame."""
        session = self.table.session
        if session is None or not session.encounter.progress.round:
            return 0
        return sum(not combatant.state.arrives for combatant in session.encounter) + 3

    def _fit_panes(self, body: int) -> None:
        """Make order and card of a wide screen as high as their content; free rows show the recap so far."""
        if not (self.has_class("-wide") or self.has_class("-widest")):
            self._give_height(self.order, None)
            if self._recap is not None:
                self.set_display(self._recap, is_shown=False)
            return
        frame = self.order.styles.gutter.height
        order = min(body, max(2, rows_wanted(self.order.rows)) + frame)
        self._give_height(self.order, order)
        self._give_height(self.card, min(body, self._card_height or CARD_ROWS + frame))
        wanted = self._recap_wanted
        self._show_recap(min(body - order, wanted + LIKELY_ROWS) if wanted else 0)

    def _show_recap(self, height: int) -> None:
        """Show the recap so far in a number of rows, or hide it if they are too few."""
        shows = height >= LEAST_SO_FAR
        if self._recap is None:
            if shows and not self._awaits_recap:
                self._awaits_recap = True
                self.set_timer(AFTER_FIRST_PICTURE, self._add_recap)
            return
        if self._recap.display != shows:
            self.set_display(self._recap, is_shown=shows)
        if shows:
            self._give_height(self._recap, height)

    def _add_recap(self) -> None:
        """Add the recap so far. Nothing on the first picture waits for it."""
        from tui.widgets.so_far import SoFarPane

        self._recap = SoFarPane(lambda: self.table.session, self._next_rows)
        self.query_one("#left").mount(self._recap)
        self._share_room()

    def _next_rows(self, cells: int) -> Sequence[Row]:
        """Return the rows about what the next combatants would most likely do."""
        session, dangers = self.table.session, self.table.dangers
        if session is None or dangers is None:
            return ()
        return dangers.next_rows(session.encounter, cells)

    def _name_dock(self, wanted: int, height: int) -> None:
        """Title the dock as the log while there is room for it next to the rows of a prompt."""
        has_log = height - wanted - 1 >= LEAST_LOG or self.services.prompts.current is None
        self.dock.change_title(self.DOCK_TITLE if has_log else "")

    def rows_above(self, prompt: OpenPrompt, width: int, height: int) -> tuple[Sequence[Row], int]:
        """Return the end of the log, dimmed, with a line between it and the prompt."""
        wanted = self.rows_wanted(prompt, width)
        room = height - wanted - 1
        if not wanted or room < LEAST_LOG:
            return (), height
        log = [_dimmed(row) for row in self.resting_rows(width, height) if row][-room:]
        # The input line is right above the keys; if that is far away, right below the log.
        blank: list[Row] = [] if self.has_class("-widest") else [()] * (room - len(log))
        return [*log, *blank, [("─" * width, "edge")]], wanted

    def _show_subject(self) -> None:
        """Show the card of the combatant that the prompt is about."""
        prompt = self.services.prompts.current
        subject = prompt.subject if prompt is not None and prompt.IN_DOCK else ""
        if subject != self._subject:
            self._subject = subject
            self._show_card()

    def _moved(self) -> None:
        self.services.cursor = self.order.under_cursor
        self._show_card()

    @property
    def _on_card(self) -> "Combatant | None":
        """Return the combatant for the card: the prompt's, or the one under the cursor."""
        session = self.table.session
        return session.encounter.combatants.get(self._subject or self.order.under_cursor) if session else None

    def _show_card(self) -> None:
        # Before the rows are made: a title or a height that changes later would cost a second frame.
        on_card, width = self._on_card, self.card.content_size.width
        self.card.change_title(printable(on_card.name) if on_card else "")
        wanted = len(self._whole_card(width)) + self.card.styles.gutter.height if width else 0
        if wanted > self._card_height:
            # It keeps the greatest height, so that moving the cursor moves nothing.
            self._card_height = wanted
            self._share_room()
        self.card.show()

    def _card_rows(self, width: int, height: int) -> Sequence[Row]:
        shows_all = f"{self.services.key_names['status']} shows all"
        return up_to(self._whole_card(width), height, shows_all)

    def _whole_card(self, width: int) -> Sequence[Row]:
        """Return all rows of the card."""
        session, combatant = self.table.session, self._on_card
        if session is None or combatant is None:
            return []
        if self._card_pane is None:
            # Imported when there is room for it: a narrow screen shows no card.
            from tui.screens.card_pane import CardPane

            self._card_pane = CardPane()
        dangers = self.table.dangers
        danger = dangers.on_card(session.encounter, combatant.id, width) if dangers is not None else ()
        return self._card_pane.rows(session, combatant, width, danger)

    @property
    def shows_newest_line(self) -> bool:
        session, (width, height) = self.table.session, self.dock.content_size
        if session is None or self.services.prompts.current is not None or self.has_page:
            return False
        if not session.log.events:
            return False
        from tui.display.log_tail import lines_that_fit

        lines = self._log_reader.lines(session.encounter, session.log, height)
        return lines_that_fit(lines[-1:], width, height) > 0

    def resting_rows(self, width: int, height: int) -> Sequence[Row]:
        session, keys = self.table.session, self.services.key_names
        if session is None:
            return []
        forecasts = self.table.forecasts
        odds = forecasts.prepared_words(session.encounter) if forecasts is not None else ""
        words = wrapped(f"{odds}.", width - 1)[:ODDS_ROWS] if odds else []
        below: list[Row] = [[(cut(f" {line}", width), "muted")] for line in words]
        if session.log.events:
            # A fight that has not begun shows no line.
            from tui.display.log_tail import still_tail_rows

            room = height - len(below)
            lines = self._log_reader.lines(session.encounter, session.log, room)
            return [*still_tail_rows(lines, self._log_reader.before, width, room), *below]
        begins = f"{keys['next']} begins the fight, " if session.encounter.progress.ids else ""
        first = f" Nothing has happened yet: {begins}{keys['add']} adds combatants."
        return [[(cut(first, width), "muted")], *below]
