"""The roster as a list: the party first, below it the kinds of creatures, by side."""

from collections.abc import Callable, Mapping, Sequence

import attrs
from rich.cells import cell_len

from systems.schema.values import as_words
from systems.text import clean
from tui.campaign.campaign import ROSTER, Campaign, RosterEntry
from tui.campaign.problems import FileProblem
from tui.display.card import titled
from tui.display.text import Row, cut, fitted, width
from tui.session.session import Session
from tui.widgets.rows import Rows


@attrs.frozen
class Heading:
    """Above those of one side: its name and what stands below it, the longest words first."""

    words: tuple[str, ...]


class RosterList(Rows):
    """One row for each kind of the roster, under a heading for its side."""

    def __init__(self, *, moved: Callable[[int], None], chosen: Callable[[], None], id: str) -> None:
        super().__init__(moved=moved, chosen=chosen, id=id)
        self._shown: list[Heading | RosterEntry | FileProblem] = []
        self._fighting: Mapping[str, int] = {}
        self._meter = ("", "")

    @property
    def count(self) -> int:
        return len(self._shown)

    @property
    def current(self) -> RosterEntry | None:
        """The one under the cursor."""
        found = self._shown[self.cursor] if self.cursor < self.count else None
        return found if isinstance(found, RosterEntry) else None

    @property
    def problem(self) -> FileProblem | None:
        """What is wrong with the file under the cursor, where it is one that cannot be read."""
        found = self._shown[self.cursor] if self.cursor < self.count else None
        return found if isinstance(found, FileProblem) else None

    def stops(self, index: int) -> bool:
        return not isinstance(self._shown[index], Heading)

    def show_roster(self, campaign: Campaign, session: Session | None, wanted: str = "") -> None:
        """Show the roster as it is now, the cursor on the one of that id, else where it was."""
        current = self.current
        wanted = wanted or (current.id if current else "")
        self._fighting = _fighting(session)
        meter = campaign.ruleset.meters[0] if campaign.ruleset.meters else None
        self._meter = (meter.label, meter.full) if meter else ("", "")
        self._shown = []
        kinds = sorted(campaign.roster.values(), key=lambda one: one.name.casefold())
        sides = {one.side: one.side != campaign.table.players for one in kinds}
        for side in sorted(sides, key=lambda one: (sides[one], one)):
            below = ("creature kinds", "kinds") if sides[side] else ("the party", "party")
            name = clean(titled(side), 60)
            self._shown.append(Heading((*(f"{name}, {words}" for words in below), name)))
            self._shown += [one for one in kinds if one.side == side]
        if bad := [one for one in campaign.problems if one.file.startswith(f"{ROSTER}/")]:
            self._shown += [Heading(("Cannot be read",)), *bad]
        at = next(
            (at for at, one in enumerate(self._shown) if isinstance(one, RosterEntry) and one.id == wanted),
            None,
        )
        self.show_rows(at)

    def find(self, text: str) -> None:
        """Go to the first whose name holds the text."""
        text = text.casefold().strip()
        for at, one in enumerate(self._shown):
            if isinstance(one, RosterEntry) and text in one.name.casefold():
                self.cursor = at
                return

    def row(self, index: int, cells: int) -> Row:
        one = self._shown[index]
        label, full = self._meter
        if isinstance(one, Heading):
            # What the figures are is said once, so that the room goes to the names.
            room = cells - cell_len(label) - 1
            words = next((one for one in one.words if cell_len(one) + 2 <= room), one.words[-1])
            has_figures = at_kinds(self._shown, index)
            return [(fitted(f" {words}", room), "muted strong"), (label if has_figures else "", "muted")]
        if isinstance(one, FileProblem):
            return [(" ! ", "danger strong"), (one.file.removeprefix(f"{ROSTER}/"), "danger")]
        figure = as_words(getattr(one.sheet, full)) if full else ""
        fights = self._fighting.get(one.id, 0)
        tail: Row = [(f"×{fights} ", "accent") if fights else ("", ""), (f"{figure:>3} ", "muted")]
        room = max(4, cells - width(tail) - 4)
        return [("   ", ""), (fitted(cut(clean(one.name), room), room), ""), (" ", ""), *tail]


def at_kinds(shown: Sequence[object], index: int) -> bool:
    """Whether the heading in that row stands above kinds."""
    return isinstance(shown[index + 1] if index + 1 < len(shown) else None, RosterEntry)


def _fighting(session: Session | None) -> dict[str, int]:
    """How many of each kind are in the fight."""
    found: dict[str, int] = {}
    for one in session.encounter if session else ():
        if one.state.kind:
            found[one.state.kind] = found.get(one.state.kind, 0) + 1
    return found
