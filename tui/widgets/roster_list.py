"""The roster as a list with a cursor."""

from collections.abc import Callable, Mapping, Sequence

from systems.contract.ruleset import Meter
from systems.encounter.model import Combatant
from tui.campaign.campaign import Campaign, RosterEntry
from tui.campaign.problems import FileProblem
from tui.display.roster import Heading, RosterRow, fighting, roster_row, roster_rows
from tui.display.text import Row
from tui.widgets.rows import Rows


class RosterList(Rows):
    """One row for each roster entry, under a heading for its side."""

    def __init__(self, *, moved: Callable[[int], None], chosen: Callable[[], None], id: str) -> None:
        super().__init__(moved=moved, chosen=chosen, id=id)
        self._shown: list[RosterRow] = []
        self._fighting: Mapping[str, int] = {}
        self._meter: Meter | None = None

    @property
    def count(self) -> int:
        return len(self._shown)

    @property
    def current(self) -> RosterEntry | None:
        """The roster entry under the cursor."""
        shown = self._under_cursor
        return shown if isinstance(shown, RosterEntry) else None

    @property
    def problem(self) -> FileProblem | None:
        """What is wrong with the file under the cursor, where it is one that cannot be read."""
        shown = self._under_cursor
        return shown if isinstance(shown, FileProblem) else None

    @property
    def _under_cursor(self) -> RosterRow | None:
        return self._shown[self.cursor] if self.cursor < self.count else None

    def stops(self, index: int) -> bool:
        return not isinstance(self._shown[index], Heading)

    def show_roster(self, campaign: Campaign, combatants: Sequence[Combatant], wanted: str = "") -> None:
        """Show the roster as it is now; the cursor goes to the entry of that id, else stays on its own."""
        current = self.current
        wanted = wanted or (current.id if current else "")
        self._fighting = fighting(combatants)
        self._meter = next(iter(campaign.ruleset.meters), None)
        self._shown = roster_rows(campaign)
        self.show_rows(self._index_of(lambda entry: entry.id == wanted))

    def find(self, text: str) -> None:
        """Go to the first whose name holds the text."""
        text = text.casefold().strip()
        if (at := self._index_of(lambda entry: text in entry.name.casefold())) is not None:
            self.cursor = at

    def _index_of(self, wanted: Callable[[RosterEntry], bool]) -> int | None:
        return next(
            (at for at, shown in enumerate(self._shown) if isinstance(shown, RosterEntry) and wanted(shown)),
            None,
        )

    def row(self, index: int, cells: int) -> Row:
        return roster_row(self._shown[index], self._meter, self._fighting, cells)
