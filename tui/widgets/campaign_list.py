"""The campaigns of the folder with the samples below them, and the encounters of one of them."""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime

import systems
from systems.text import clean
from tui.campaign.encounters import EncounterInfo
from tui.campaign.listing import ListedCampaign
from tui.display.text import Row, cut, fitted
from tui.widgets.rows import Rows

# From `ROOMY` cells on it is told when a campaign was played last.
ROOMY, GAME_WIDE, GAME_NARROW, WHEN = 60, 26, 17, 12
_STATE_TONES = {"prepared": "accent", "running": "good", "finished": "muted"}


class CampaignList(Rows):
    """One row for each campaign: title, game, when it was last played or what is wrong with it."""

    def __init__(self, *, moved: Callable[[int], None], chosen: Callable[[], None], id: str) -> None:
        super().__init__(moved=moved, chosen=chosen, id=id)
        self._shown: list[str | ListedCampaign] = []
        self._open = ""
        # The games there are, and the titles of those that were loaded.
        self._games: tuple[str, ...] = ()
        self._twice: set[str] = set()
        self._titles: dict[str, str] = {}

    @property
    def count(self) -> int:
        return len(self._shown)

    @property
    def untitled(self) -> str:
        """A game that is still listed by its name, since loading it takes a while; "" for none."""
        listed = (one.system for one in self._shown if isinstance(one, ListedCampaign))
        return next((game for game in listed if game in self._games and game not in self._titles), "")

    def call(self, game: str, title: str) -> None:
        """List a game by its title from now on."""
        self._titles[game] = title
        self.show_rows()

    @property
    def current(self) -> ListedCampaign | None:
        found = self._shown[self.cursor] if self.cursor < self.count else None
        return found if isinstance(found, ListedCampaign) else None

    def stops(self, index: int) -> bool:
        return isinstance(self._shown[index], ListedCampaign)

    def show_campaigns(self, entries: Sequence[ListedCampaign], open: str, wanted: str = "") -> None:
        """Show the entries; `open` is the name of the one that is, `wanted` where the cursor goes."""
        current = self.current
        wanted = wanted or (current.name if current else open)
        self._open, self._games = open, systems.names()
        often = Counter(one.title for one in entries)
        self._twice = {title for title, count in often.items() if count > 1}
        own = [one for one in entries if not one.sample]
        samples = [one for one in entries if one.sample]
        self._shown = [*own]
        if samples:
            self._shown += ["Samples, ready to play", *samples]
        at = next(
            (
                at
                for at, one in enumerate(self._shown)
                if isinstance(one, ListedCampaign) and one.name == wanted
            ),
            0,
        )
        self.show_rows(at)

    def wrong_with(self, one: ListedCampaign) -> str:
        """Why a campaign cannot be opened, as far as the list knows; empty where nothing is wrong."""
        if one.problem is not None:
            return str(one.problem)
        if one.system in self._games:
            return ""
        return f"no game is called {one.system}" if one.system else "it does not say which game it plays"

    def find(self, text: str) -> None:
        """Go to the first whose title or name holds the text."""
        for at, one in enumerate(self._shown):
            if isinstance(one, ListedCampaign) and text in f"{one.title} {one.name}".casefold():
                self.cursor = at
                return

    def row(self, index: int, cells: int) -> Row:
        one = self._shown[index]
        if isinstance(one, str):
            return [(f" {one}", "muted strong")]
        mark = " ▸ " if one.name == self._open else "   "
        if wrong := self.wrong_with(one):
            name = fitted(clean(one.name, 60), min(24, cells // 3))
            return [(mark, "accent"), (name, ""), ("  ! ", "danger strong"), (wrong, "danger")]
        named = self._titles.get(one.system, one.system.replace("_", " "))
        wide = GAME_WIDE if cells >= ROOMY else GAME_NARROW
        game = fitted(named, wide)
        when = fitted("sample" if one.sample else when_played(one.modified), WHEN)
        title = cells - 6 - wide - (WHEN + 2 if cells >= ROOMY else 0)
        # Of two with one title the folder tells which is which.
        called = f"{one.name} · {one.title}" if one.title in self._twice else one.title
        row: Row = [(mark, "accent strong"), (fitted(clean(called, 120), max(8, title)), "")]
        return [*row, (f"  {game}", "muted"), *([(f"  {when}", "muted")] if cells >= ROOMY else [])]


class EncounterList(Rows):
    """One row for each encounter of a campaign: title, and whether it is prepared, running or finished."""

    def __init__(self, *, chosen: Callable[[], None], id: str) -> None:
        super().__init__(chosen=chosen, id=id)
        self._shown: Sequence[EncounterInfo] = ()
        self._open = ""

    @property
    def count(self) -> int:
        return len(self._shown)

    @property
    def current(self) -> EncounterInfo | None:
        return self._shown[self.cursor] if self.cursor < self.count else None

    def show_encounters(self, found: Sequence[EncounterInfo], open: str, cursor: str = "") -> None:
        """Show encounters: running ones first, then those prepared, then those finished."""
        order = ("running", "prepared", "finished")
        self._shown = sorted(found, key=lambda one: (order.index(one.state), one.title.casefold()))
        self._open = open
        wanted = cursor or open
        self.show_rows(next((at for at, one in enumerate(self._shown) if one.id == wanted), 0))

    def row(self, index: int, cells: int) -> Row:
        one = self._shown[index]
        mark = " ▸ " if one.id == self._open else "   "
        if one.problem is not None:
            return [
                (mark, "accent"),
                (clean(one.id, 40), ""),
                ("  ! ", "danger strong"),
                (str(one.problem), "danger"),
            ]
        events = f"{one.n} event{'' if one.n == 1 else 's'}" if one.n else ""
        title = cut(clean(one.title, 120), max(8, cells - 28))
        room = max(8, cells - 28)
        state = fitted(one.state, 10)
        return [
            (mark, "accent strong"),
            (fitted(title, room), ""),
            (f"  {state}", _STATE_TONES[one.state]),
            (events, "muted"),
        ]


def when_played(modified: float) -> str:
    """`today 20:14`, else the day."""
    if not modified:
        return ""
    then = datetime.fromtimestamp(modified).astimezone()
    now = datetime.now().astimezone()
    if then.date() == now.date():
        return f"today {then:%H:%M}"
    return f"{then.day} {then:%b %Y}"
