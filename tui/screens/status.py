"""The status screen: the whole sheet of the combatant under the cursor, and what happened to it."""

from collections.abc import Callable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.widget import Widget

from systems.encounter.amendment import names_of
from systems.encounter.events import Event
from systems.encounter.model import Combatant
from systems.language.paths import path_meant, path_words
from systems.text import plain_number
from tui.controllers.table import Table
from tui.display.meters import meter_curve
from tui.display.sheet import SheetRow, sheet_rows
from tui.display.status import change_rows, last_change, names_row, story_rows, terms_rows
from tui.display.text import Row, printable
from tui.prompts.edit_field import EditPrompt
from tui.screens.base import FightScreen
from tui.settings.keymap import bindings_of
from tui.terminal.symbols import symbols
from tui.widgets.cursor_list import CursorList
from tui.widgets.text_rows import TextRows


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


class StatusScreen(FightScreen):
    """The sheet of one combatant, with all names above it and its events at the right."""

    NAME = "status"
    BINDINGS = [*bindings_of(NAME)]
    CSS_PATH = "status.tcss"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.names = TextRows(self._names_rows, id="names")
        self.sheet = SheetList(
            moved=self._show_help, chosen=self.action_why, resized=self.show_fight, id="sheet"
        )
        self.sheet.add_class("pane")
        self.story = TextRows(self._story_rows, id="story", classes="pane")

    def compose_body(self) -> ComposeResult:
        yield self.names
        with Horizontal():
            yield self.sheet
            yield self.story

    @property
    def aside(self) -> Widget | None:
        return self.story if self.story.display else None

    def on_mount(self) -> None:
        self.story.border_title = "What happened"
        self.set_focus(self.sheet)
        self.show_fight()

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        # Keys typed ahead may already have gone to another screen.
        if self.is_current and not self.services.messages.sentence:
            self._show_help(self.sheet.cursor)

    @property
    def shown(self) -> Combatant | None:
        """Return the combatant to show: under the cursor, else with the turn, else the first."""
        session = self.table.session
        if session is None:
            return None
        encounter = session.encounter
        everybody = encounter.in_line()
        first = everybody[0] if everybody else None
        return encounter.combatants.get(self.services.cursor) or encounter.turn or first

    def show_fight(self) -> None:
        shown, session = self.shown, self.table.session
        self.names.show()
        self.story.show()
        if shown is None or session is None:
            self.sheet.border_title = ""
            self.sheet.show_sheet([])
            return
        self.sheet.border_title = f"{shown.tag} {printable(shown.name)}".replace("[", "\\[")
        cells = self.sheet.scrollable_content_region.width or 76
        meter = next(iter(session.game.meters), None)
        curve: Row = ()
        if meter is not None:
            curve = meter_curve(session.curves, session.log, shown, meter, max(10, cells - 26), symbols())
        rows = sheet_rows(session.encounter, shown, curve, cells, symbols())
        if (dangers := self.table.dangers) is not None:
            # Below the status, so that it is in sight on a small screen.
            about = dangers.on_card(session.encounter, shown.id, cells - 1)
            rows[1:1] = [SheetRow([(" ", ""), *row], "head") for row in about]
        self.sheet.show_sheet(rows)

    def find(self, text: str) -> bool:
        """Go to the first value whose row contains the text, else to the first such combatant."""
        text = text.casefold().strip()
        session = self.table.session
        if not text or session is None:
            return not text
        if (at := self.sheet.index_of(text)) is not None:
            self.sheet.cursor = at
            return True
        for combatant in session.encounter.in_line():
            if text in combatant.name.casefold():
                self.services.cursor = combatant.id
                self.show_fight()
                return True
        return False

    def way_back(self) -> Callable[[], None]:
        combatant, row = self.services.cursor, self.sheet.cursor

        def go_back() -> None:
            self.services.cursor = combatant
            self.show_fight()
            self.sheet.cursor = row

        return go_back

    # Keys

    def action_other(self, by: int) -> None:
        """Show the combatant `by` places further on in the order."""
        shown, session = self.shown, self.table.session
        if shown is None or session is None:
            return
        ids = [combatant.id for combatant in session.encounter.in_line()]
        self.services.cursor = ids[(ids.index(shown.id) + by) % len(ids)]
        self.show_fight()
        self._show_help(self.sheet.cursor)

    def action_count_condition(self, by: int) -> None:
        """Change the value of the condition on the row under the cursor, else of the newest with a value."""
        if shown := self.shown:
            self.count_condition(shown, by, self.sheet.current.condition if self.sheet.current else "")

    def action_ask(self, what: str) -> None:
        shown, current = self.shown, self.sheet.current
        if what != "edit" or shown is None:
            super().action_ask(what)
            return
        prompt = EditPrompt(self.services, shown)
        self.services.prompts.open(prompt)
        if current is not None and current.field:
            known = prompt.paths.get(current.field)
            prompt.line.set(f"{current.field} {known.line if known else ''}")
            self.services.prompts.refresh()

    def action_why(self) -> None:
        """Explain the row under the cursor: the terms of a number, or the last change of a field."""
        current = self.sheet.current
        if current is None:
            return
        if current.figure is not None:
            figure = current.figure
            title = f"{figure.label} {plain_number(figure.value)}"
            self.open_page(title, lambda cells: terms_rows(figure, cells), aside=True)
        elif (session := self.table.session) and (event := self._last_change(current)):
            names, game = names_of(session.encounter), session.game
            title = f"What last changed {self._called(current)}"
            self.open_page(title, lambda cells: change_rows(event, names, game, cells), aside=True)
        else:
            what = self._called(current) or "this"
            self.services.say(f"{what} has not changed in this fight")

    def _called(self, current: SheetRow) -> str:
        """Return the label of the field in this row."""
        shown, field = self.shown, current.field.replace('"', "")
        return path_words(type(shown.sheet), path_meant(shown.sheet, field)) if shown and field else ""

    def _last_change(self, current: SheetRow) -> Event | None:
        """Return the event that last changed the field in this row."""
        session, shown = self.table.session, self.shown
        if session is None or shown is None or not current.field:
            return None
        return last_change(session.log, shown.id, current.field)

    def _show_help(self, index: int) -> None:
        current = self.sheet.current
        if current is not None:
            self.services.say(current.help)

    # The rows around the sheet.

    def _names_rows(self, width: int, height: int) -> Sequence[Row]:
        session, shown = self.table.session, self.shown
        if session is None or shown is None:
            key = self.services.key_names["add"]
            return [[(f" nobody is in the fight: {key} adds combatants from the roster", "muted")]]
        return [names_row(session.encounter, shown, width)]

    def _story_rows(self, width: int, height: int) -> Sequence[Row]:
        session, shown = self.table.session, self.shown
        if session is None or shown is None:
            return []
        return story_rows(session.log, shown.id, session.game, width, height)
