"""The log screen: the events by rounds, with their dice and terms on request."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.events import Key

from systems.commands.replay import check_amendable
from systems.contract.marked_text import possessive
from systems.encounter.history import Event, History, encounter_after
from systems.encounter.model import Encounter
from systems.encounter.recap import Recap, recap_of
from systems.errors import Refused
from systems.visibility.parts import meter_columns
from systems.visibility.rows import row_maker
from tui.campaign.progress import Stopped, Tell, counted
from tui.controllers.amending import AmendRunner
from tui.controllers.long_work import LongWork
from tui.controllers.questions import why
from tui.controllers.table import Table
from tui.display.log_filter import read_filter
from tui.display.order import OrderPainter, measured
from tui.display.recap import recap_rows
from tui.display.text import Row, cut_row, printable, wrapped
from tui.display.text import width as width_of
from tui.prompts.amend import AmendPrompt
from tui.prompts.inline_edit import InlineEdit
from tui.screens.base import FightScreen
from tui.screens.log.export import LogExport
from tui.settings.keymap import bindings_of
from tui.terminal.symbols import symbols
from tui.widgets.input_line import InputLine
from tui.widgets.log_lines import LogLines, ReadAhead
from tui.widgets.text_rows import TextRows

if TYPE_CHECKING:
    from tui.session.session import Session


T = TypeVar("T")
MANY = 5_000  # events that are not read while a key is waiting
_NOT_DRAWN = "  K plays the fight again and shows it."


class LogScreen(FightScreen):
    """The log with its filter line."""

    NAME = "log"
    BINDINGS = [*bindings_of(NAME)]
    CSS_PATH = "log.tcss"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.wanted = InputLine(changed=self._narrow)
        self.filter_line = TextRows(self._filter_rows, id="filter")
        self.lines = LogLines(fill=self._fill, id="lines")
        self._reads = False

    def compose_body(self) -> ComposeResult:
        yield self.filter_line
        yield self.lines

    def on_mount(self) -> None:
        self.set_focus(self.lines)
        self.show_fight()

    def show_fight(self) -> None:
        session = self.table.session
        if session is not None and not self._reads:
            self._tell_empty()
            if self.lines.unread(session.log) > MANY:
                self._read_long(session)
            else:
                self.lines.show_log(session.log, session.encounter)
        self.filter_line.show()

    def _read_long(self, session: "Session") -> None:
        """Show a long log once it is read; Escape goes home."""

        def read(ahead: ReadAhead) -> None:
            self._reads = False
            if session is self.table.session:
                self.lines.show_log(session.log, session.encounter, ahead)
            self.show_fight()

        def failed(error: Exception) -> None:
            self._reads = False
            if isinstance(error, Stopped):
                self.app.switch_mode("initiative")
            else:
                self.services.program.handle_error(error)

        self._reads = True
        work = self.lines.reader(session.log)
        LongWork(self.services, "Reading the log, events", work, done=read, failed=failed).go()

    def find(self, text: str) -> bool:
        """Show only matching events:

        `who: okado`, `what: damage`, and any words; an empty log says so itself.
        """
        self.wanted.set(text)
        return True

    def _tell_empty(self) -> None:
        """Say in an empty log why it is empty, and which key changes that."""
        keys, session = self.services.key_names, self.table.session
        somebody = session is not None and session.encounter.progress.ids
        adds = "" if somebody else "Enter adds combatants, then "
        nothing = f"Nothing has happened yet: {adds}{keys['next']} begins the fight."
        self.lines.empty = "No event matches. Esc shows all." if self.wanted.text else nothing

    def _fill(self) -> None:
        """If the fight has no combatants, go to the order and add one."""
        session = self.table.session
        if session is not None and not session.encounter.progress.ids and not self.wanted.text:
            self.call_later(self.app.run_action, "go('initiative', 'offer', '')", self.app)

    def _narrow(self) -> None:
        self._tell_empty()
        self.lines.narrow(read_filter(self.wanted.text))
        if not self.lines.count and (why := self.lines.why_empty):
            self.lines.empty = f"{why}{'' if why.endswith('?') else '.'} Esc shows all."
        self.filter_line.show()
        self.keys.show()

    def _filter_rows(self, width: int, height: int) -> list[Row]:
        shown, there = self.lines.found
        text = printable(self.wanted.text)
        count = f"{shown} of {there}" if text else f"{there} event{'' if there == 1 else 's'}"
        if isinstance(self.services.prompts.current, InlineEdit):
            row = [(" / ", "accent strong"), *self.wanted.row(max(10, width - 20))]
        else:
            row = [(" / ", "strong"), (text or self._how(), "accent" if text else "muted")]
        row = cut_row(row, max(0, width - cell_len(count) - 2))
        blank = " " * (width - width_of(row) - cell_len(count) - 1)
        return [[*row, (blank, ""), (count, "muted")]]

    def _how(self) -> str:
        """Return an example of a filter, with a combatant of this fight."""
        session = self.table.session
        names = [combatant.name for combatant in session.encounter] if session else []
        who = next((name for name in names if " " not in name), "")
        return f"{f'who: {printable(who)}  ' if who else ''}what: damage  round: 2  or any words"

    # Keys

    def action_why(self) -> None:
        """Show the dice and terms of the event under the cursor."""
        current = self.lines.current
        why(self.table, current.event if current else None)

    def action_recap(self) -> None:
        """Open the recap of the fight."""
        if (session := self.table.session) is not None:
            encounter, log = session.encounter, session.log
            self._work(
                "Summing up the fight, events",
                lambda tell: recap_of(encounter, log, _told(log, tell)),
                lambda recap: self.services.open_page("Recap", partial(self._recap_rows, session, recap)),
            )

    def _recap_rows(self, session: "Session", recap: Recap, cells: int) -> list[Row]:
        """Return a recap, and where the finished fight turned if that was calculated."""
        rows = recap_rows(recap, session.game, cells)
        if session.encounter.progress.over:
            forecasts = self.table.forecasts
            turned = forecasts.turning_rows(session, cells) if forecasts is not None else ()
            rows += [[], [("Where it turned", "strong")], *(turned or [[(_NOT_DRAWN, "muted")]])]
        return rows

    def _work(self, what: str, work: Callable[[Tell], T], show: Callable[[T], None]) -> None:
        """Calculate something from the whole log, which may be long, and show it."""

        def waits() -> None:
            # A page with a previous and a next one would take the keys that stop the work.
            if self.has_page:
                self.panel.close()

        LongWork(self.services, what, work, done=show, waits=waits).go()

    def action_look_back(self) -> None:
        """Open the page of the table after the event under the cursor; arrows lead to others."""
        session, current = self.table.session, self.lines.current
        if session is None or current is None:
            self.services.say("no event is under the cursor", error=True)
            return
        number, log = int(current.event.n), session.log
        now = session.encounter
        self._work(
            "Going back, events",
            lambda tell: encounter_after(now, log, number, _told(log, tell)),
            lambda then: self.panel.open(
                past_title(then, number),
                lambda cells: past_rows(then, log, number, cells),
                turned=self._look_beside,
            ),
        )

    def _look_beside(self, by: int) -> None:
        """Look back from the event before or after; the cursor goes with it, so that `e` amends that one."""
        before = self.lines.current
        self.lines.action_move(by)
        if self.lines.current is not before:
            self.action_look_back()

    def action_amend(self) -> None:
        """Open the line of the event under the cursor, to correct it."""
        if event := self._amendable():
            self.services.prompts.open(AmendPrompt(self.services, event))

    def action_never_happened(self) -> None:
        """Show what would change without the event under the cursor."""
        if event := self._amendable():
            AmendRunner(self.table, f"amend {event.n} never", shows_first=True).go()

    def _amendable(self) -> Event | None:
        """Return the event under the cursor; report why if it can't be amended."""
        session, current = self.table.session, self.lines.current
        if session is None or current is None:
            self.services.say("no event is under the cursor", error=True)
            return None
        try:
            check_amendable(session.log, current.number)
        except Refused as refused:
            self.services.say(str(refused), error=True)
            return None
        return current.event

    def action_unfold_all(self) -> None:
        self.lines.fold_all(self.lines.any_open)

    @property
    def escape_does(self) -> str:
        return "show all" if self.wanted.text else "order"

    async def action_unfilter(self) -> None:
        """Show all events again; if all are shown, go to the order."""
        if self.wanted.text:
            self.wanted.set("")
        else:
            await self.action_show("initiative")

    def action_ask(self, what: str) -> None:
        if what != "find":
            super().action_ask(what)
            return
        show = self.filter_line.show
        InlineEdit(
            self.services, self.wanted, show, lambda: True, lambda: self.wanted.set(""), self._move
        ).begin()

    def _move(self, event: Key) -> bool:
        """Let Up and Down move through the results while the filter is typed."""
        if event.key not in ("up", "down"):
            return False
        self.lines.action_move(1 if event.key == "down" else -1)
        return True

    def action_export(self) -> None:
        if self.table.session is None:
            self.services.say("no fight is open; choose a campaign first", error=True)
        else:
            self.services.prompts.open(LogExport(self.table).question())


def _told(log: History, tell: Tell) -> Callable[[Iterable[Event]], Iterator[Event]]:
    return partial(counted, of=len(log.events), tell=tell)


def past_title(encounter: Encounter, number: int) -> str:
    """Return the title of the page: `After event 12, round 2, Okado's turn`."""
    turn = f", {possessive(encounter.turn.name)} turn" if encounter.turn else ""
    when = f"round {encounter.progress.round}{turn}" if encounter.progress.round else "before the fight"
    return printable(f"After event {number}, {when}")


def past_rows(before: Encounter, log: History, number: int, cells: int) -> list[Row]:
    """Return the event's own line, and all combatants at that moment, in the order of turns."""
    maker = row_maker(before)
    rows = [maker.row(combatant) for combatant in before.in_line()]
    meters = meter_columns(before.game.meters)
    painter = OrderPainter(meters, measured(rows, len(meters)), cells, symbols())
    told = wrapped(printable(log.as_amended[number - 1].text), cells)
    return [*([(line, "muted")] for line in told), [], *(painter.row(row) for row in rows)]
