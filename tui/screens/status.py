"""The status: the whole sheet of the one under the cursor, and what happened to it."""

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Horizontal

from systems.contract.ruleset import Figure
from systems.encounter.events import Event, text_about
from systems.encounter.model import Combatant
from systems.text import clean, plain_number
from tui.controllers.table import Table
from tui.display.log import LONGEST, LogLine, entry, names_of, reckoning, round_of
from tui.display.text import Piece, Row, fitted, printable, wrapped
from tui.screens.base import FightScreen
from tui.settings.keymap import bindings_of
from tui.widgets.lines import Lines
from tui.widgets.sheet_rows import SheetRow, SheetRows, sheet_rows


class StatusScreen(FightScreen):
    NAME = "status"
    BINDINGS = [*bindings_of(NAME)]
    CSS_PATH = "status.tcss"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.people = Lines(self._people_rows, id="people")
        self.sheet = SheetRows(moved=self._told, chosen=self.action_why, resized=self.show_fight, id="sheet")
        self.story = Lines(self._story_rows, id="story")

    def compose_body(self) -> ComposeResult:
        yield self.people
        with Horizontal():
            yield self.sheet
            yield self.story

    def on_mount(self) -> None:
        self.story.border_title = "What happened"
        self.set_focus(self.sheet)
        self.show_fight()

    def on_screen_resume(self) -> None:
        super().on_screen_resume()
        # Keys that were typed ahead may have gone on to another screen by now.
        if self.is_current and not self.services.messages.sentence:
            self._told(self.sheet.cursor)

    @property
    def one(self) -> Combatant | None:
        """Whose sheet it is: the one under the cursor, else whose turn it is, else the first."""
        session = self.table.session
        if session is None:
            return None
        encounter = session.encounter
        everybody = encounter.in_line()
        first = everybody[0] if everybody else None
        return encounter.combatants.get(self.services.cursor) or encounter.turn or first

    def show_fight(self) -> None:
        one, session = self.one, self.table.session
        self.people.show()
        self.story.show()
        if one is None or session is None:
            self.sheet.border_title = ""
            self.sheet.show_sheet([])
            return
        self.sheet.border_title = f"{one.tag} {printable(one.name)}".replace("[", "\\[")
        cells = self.sheet.scrollable_content_region.width or 76
        self.sheet.show_sheet(sheet_rows(session, one, cells))

    def find(self, text: str) -> None:
        """Go to the first figure whose row holds the text, else to the first such combatant."""
        text = text.casefold().strip()
        session = self.table.session
        if not text or session is None:
            return
        if (at := self.sheet.index_of(text)) is not None:
            self.sheet.cursor = at
            return
        for one in session.encounter.in_line():
            if text in one.name.casefold():
                self.services.cursor = one.id
                self.show_fight()
                return

    # Keys

    def action_other(self, by: int) -> None:
        """The next combatant of the order, or the one before."""
        one, session = self.one, self.table.session
        if one is None or session is None:
            return
        ids = [each.id for each in session.encounter.in_line()]
        self.services.cursor = ids[(ids.index(one.id) + by) % len(ids)]
        self.show_fight()
        self._told(self.sheet.cursor)

    def action_ask(self, what: str) -> None:
        one, current = self.one, self.sheet.current
        if what != "edit" or one is None:
            super().action_ask(what)
            return
        from tui.prompts.edit_field import EditPrompt

        prompt = EditPrompt(self.services, one)
        self.services.prompts.open(prompt)
        if current is not None and current.field:
            prompt.line.set(f"{current.field} ")
            self.services.prompts.refresh()

    def action_why(self) -> None:
        """The terms of the figure under the cursor, or what last changed the field under it."""
        current = self.sheet.current
        if current is None:
            return
        if current.figure is not None:
            figure = current.figure
            self.panel.open(
                f"{figure.label} {plain_number(figure.value)}", lambda cells: _terms(figure, cells)
            )
        elif found := self._last_change(current):
            last, names = found
            self.panel.open(f"What last changed {current.field}", lambda cells: _change(last, names, cells))
        else:
            what = current.field.replace("_", " ").replace(".", ", ") or "this"
            self.services.say(f"{what} has not changed in this fight")

    def _last_change(self, current: SheetRow) -> tuple[Event, Mapping[str, str]] | None:
        """The event that last changed the field, and the names of those in the fight."""
        session, one = self.table.session, self.one
        if session is None or one is None or not current.field:
            return None
        path = current.field.split(".")[0]
        for event in reversed(session.log.events):
            for change in event.get("changes", ()):
                field = str(change.get("field", ""))
                if change.get("who") == one.id and field.startswith(f"sheet.{path}"):
                    return event, names_of(session.encounter)
        return None

    def _told(self, index: int) -> None:
        current = self.sheet.current
        if current is not None:
            self.services.say(current.help)

    # What stands beside the sheet

    def _people_rows(self, width: int, height: int) -> Sequence[Row]:
        """Everybody by tag and name, whose turn it is marked, the one shown reversed."""
        session, shown = self.table.session, self.one
        if session is None or shown is None:
            return [[(" nobody is in the fight", "muted")]]
        pieces: list[tuple[str, str]] = []
        for one in session.encounter.in_line():
            mark = "▸" if session.encounter.turn and one.id == session.encounter.turn.id else " "
            tone = "strong reverse" if one.id == shown.id else "muted"
            pieces.append((f"{mark}{one.tag} {printable(one.name)} ", tone))
        at = next(at for at, piece in enumerate(pieces) if "reverse" in piece[1])
        while sum(cell_len(text) for text, _ in pieces[: at + 1]) > width - 2 and at:
            pieces.pop(0)
            at -= 1
        row: list[Piece] = [(" ", ""), *pieces]
        return [row]

    def _story_rows(self, width: int, height: int) -> Sequence[Row]:
        """The newest events that concern the one shown, the last at the bottom."""
        session, one = self.table.session, self.one
        if session is None or one is None or not height:
            return []
        rows: list[Row] = []
        for event in session.log.newest():
            said = clean(text_about(event, one.id), LONGEST)
            if not said:
                continue
            lines = wrapped(f"R{round_of(event)} {said}", width)
            rows[:0] = [[(line, "")] for line in lines]
            if len(rows) >= height:
                break
        return rows[-height:] or [[("nothing yet in this fight", "muted")]]


def _terms(figure: Figure, cells: int) -> list[Row]:
    """The terms of a figure, and their sum."""
    rows: list[Row] = []
    for term in figure.terms:
        rows += _numbered(term.label, fitted(plain_number(term.value), 6, right=True), term.note, "", cells)
    total = fitted(plain_number(figure.value), 6, right=True)
    return [*rows, *_numbered(figure.label, total, figure.note, "strong", cells)]


def _change(event: Event, names: Mapping[str, str], cells: int) -> list[Row]:
    """What an event was, and what it came to."""
    said = entry(event, {int(event["n"])}).text
    rows: list[Row] = [[(line, "strong")] for line in wrapped(printable(said), cells)]
    return [*rows, [], *(row for line in reckoning(event, names) for row in _told_line(line, cells))]


def _told_line(line: LogLine, cells: int) -> list[Row]:
    if line.head:
        return [[(line.label, "strong")]]
    if not line.value:
        return [[(part, "muted")] for part in wrapped(f"{line.label}: {line.note}", cells)]
    return _numbered(
        line.label, fitted(line.value, max(9, cell_len(line.value)), right=True), line.note, "", cells
    )


def _numbered(label: str, value: str, note: str, tone: str, cells: int) -> list[Row]:
    """A number with its name and its reason, which goes on below itself."""
    head = fitted(label, 24) + value
    first, *more = wrapped(printable(note), max(10, cells - cell_len(head) - 3), "")
    row: Row = [(fitted(label, 24), tone), (value, tone), (f"   {first}", "muted")]
    return [row, *([(" " * (cell_len(head) + 3) + line, "muted")] for line in more)]
