"""The roster as a list with a cursor."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from systems.contract.display import Meter, StatusWord
from systems.encounter.model import Combatant
from tui.campaign.campaign import Campaign, RosterEntry
from tui.campaign.creatures import Creature
from tui.campaign.problems import FileProblem
from tui.display.roster import Heading, RosterRow, fighting, roster_row, roster_rows, roster_status
from tui.display.text import Row
from tui.widgets.cursor_list import CursorList


class RosterList(CursorList):
    """One row for each roster entry, under a heading for its side."""

    FILLED_BY_ENTER = True

    def __init__(self, *, moved: Callable[[int], None], chosen: Callable[[], None], id: str) -> None:
        super().__init__(moved=moved, chosen=chosen, id=id)
        self._shown: list[RosterRow] = []
        self._fighting: Mapping[str, int] = {}
        self._meter: Meter | None = None
        self._campaign: Campaign | None = None
        self._sought = ""

    @property
    def current(self) -> RosterEntry | None:
        """Return the roster entry under the cursor."""
        shown = self._under_cursor
        if isinstance(shown, Creature):
            with suppress(FileProblem):
                return shown.entry()
        return shown if isinstance(shown, RosterEntry) else None

    @property
    def has_own(self) -> bool:
        """Return whether the list shows anything from the campaign itself, including bad files."""
        return any(isinstance(row, RosterEntry | FileProblem) for row in self._shown)

    @property
    def problem(self) -> FileProblem | None:
        """Return the problem with the file under the cursor if it cannot be read, or None."""
        shown = self._under_cursor
        if isinstance(shown, Creature):
            try:
                shown.entry()
            except FileProblem as problem:
                return problem
        return shown if isinstance(shown, FileProblem) else None

    @property
    def _under_cursor(self) -> RosterRow | None:
        return self._shown[self.cursor] if self.cursor < self.count else None

    def stops(self, index: int) -> bool:
        return not isinstance(self._shown[index], Heading)

    def show_roster(self, campaign: Campaign, combatants: Sequence[Combatant], wanted: str = "") -> None:
        """Show the current roster. The cursor goes to the entry with this id, or stays on its entry."""
        current = self.current
        wanted = wanted or (current.id if current else "")
        self._fighting = fighting(combatants)
        self._meter = next(iter(campaign.ruleset.meters), None)
        self._campaign = campaign
        self._shown = roster_rows(campaign, self._sought)
        self.show_rows(self._index_of(lambda entry: entry.id == wanted))

    def find(self, text: str) -> bool:
        """Go to the first entry whose name contains the text, or else to the game's first match.

        Of the game's own creatures, only those that match by name, tag or level stay in the list. Return
        whether there is any match.
        """
        if self._campaign is None:
            return False
        wanted = self.current.id if self.current else ""
        self._sought, text = text, text.casefold().strip()
        self._shown = roster_rows(self._campaign, self._sought)
        at = self._index_of(lambda entry: isinstance(entry, RosterEntry) and text in entry.name.casefold())
        if at is None and text:
            at = self._index_of(lambda entry: isinstance(entry, Creature))
        self.show_rows(self._index_of(lambda entry: entry.id == wanted) if at is None else at)
        return at is not None or not text

    def way_back(self) -> Callable[[], None]:
        """Return a function that shows the present rows again, with the cursor on its present entry."""
        sought, wanted = self._sought, self.current.id if self.current else ""

        def go_back() -> None:
            if self._campaign is not None:
                self._sought = sought
                self._shown = roster_rows(self._campaign, sought)
                self.show_rows(self._index_of(lambda entry: entry.id == wanted))

        return go_back

    def _index_of(self, wanted: Callable[[RosterEntry | Creature], bool]) -> int | None:
        rows = enumerate(self._shown)
        return next((at for at, row in rows if isinstance(row, RosterEntry | Creature) and wanted(row)), None)

    def row(self, index: int, cells: int) -> Row:
        return roster_row(self._shown[index], self._meter, self._fighting, cells, self._status_of)

    def _status_of(self, entry: RosterEntry) -> StatusWord:
        assert self._campaign is not None
        return roster_status(self._campaign, entry)
