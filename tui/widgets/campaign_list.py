"""Two lists: of campaigns, and of a campaign's encounters."""

from collections.abc import Callable, Sequence

import systems
from systems.frozen import evolve
from tui.campaign.encounters import EncounterInfo
from tui.campaign.listing import ListedCampaign
from tui.display.campaigns import (
    ListedGames,
    campaign_problem,
    campaign_row,
    encounter_row,
    encounters_in_order,
    shared_titles,
    with_heading,
)
from tui.display.text import Row
from tui.widgets.cursor_list import CursorList


class CampaignList(CursorList):
    """One row for each campaign, with the samples under a heading."""

    def __init__(self, *, moved: Callable[[int], None], chosen: Callable[[], None], id: str) -> None:
        super().__init__(moved=moved, chosen=chosen, id=id)
        self._shown: list[str | ListedCampaign] = []
        # All campaigns. A search shows a part of them.
        self._all: Sequence[ListedCampaign] = ()
        self._open = ""
        self._games = ListedGames()
        self._shared: frozenset[str] = frozenset()

    @property
    def untitled(self) -> str:
        """Return a game still listed by its id because its title is not loaded yet; "" if there is none."""
        games = self._games
        listed = (campaign.system for campaign in self._shown if isinstance(campaign, ListedCampaign))
        return next((game for game in listed if game in games.names and game not in games.titles), "")

    def title_game(self, game: str, title: str) -> None:
        """Show a game by its title from now on."""
        self._games = evolve(self._games, titles={**self._games.titles, game: title})
        self.show_rows()

    @property
    def current(self) -> ListedCampaign | None:
        """Return the campaign under the cursor."""
        shown = self._shown[self.cursor] if self.cursor < self.count else None
        return shown if isinstance(shown, ListedCampaign) else None

    def stops(self, index: int) -> bool:
        return isinstance(self._shown[index], ListedCampaign)

    def show_campaigns(self, campaigns: Sequence[ListedCampaign], open: str, wanted: str = "") -> None:
        """Show campaigns. `open` is the name of the open one; the cursor goes to `wanted`."""
        current = self.current
        wanted = wanted or (current.name if current else open)
        self._open = open
        self._games = evolve(self._games, names=systems.names())
        self._shared = shared_titles(campaigns)
        self._all, self._shown = campaigns, with_heading(campaigns)
        self.show_rows(self._index_of(lambda campaign: campaign.name == wanted) or 0)

    def go_to(self, name: str) -> None:
        """Move the cursor to the campaign with this name, if it is shown."""
        self.show_rows(self._index_of(lambda campaign: campaign.name == name))

    def problem_with(self, campaign: ListedCampaign) -> str:
        """Return why a campaign cannot be opened, as far as the list knows, or ""."""
        return campaign_problem(campaign, self._games)

    def show_those(self, fits: Callable[[ListedCampaign], bool]) -> bool:
        """Show only the campaigns that fit, or all of them if none does; return whether any fits.

        The cursor stays on its campaign if that is shown.
        """
        found, current = [campaign for campaign in self._all if fits(campaign)], self.current
        self._shown = with_heading(found or self._all)
        at = self._index_of(lambda campaign: current is not None and campaign.name == current.name)
        self.show_rows(at if at is not None else self._index_of(lambda campaign: True) or 0)
        return bool(found)

    def title_of(self, game: str) -> str:
        """Return the title of a game as the list shows it."""
        return self._games.title_of(game)

    def _index_of(self, wanted: Callable[[ListedCampaign], bool]) -> int | None:
        return next(
            (
                at
                for at, campaign in enumerate(self._shown)
                if isinstance(campaign, ListedCampaign) and wanted(campaign)
            ),
            None,
        )

    def row(self, index: int, cells: int) -> Row:
        match self._shown[index]:
            case str() as heading:
                return [(f" {heading}", "muted strong")]
            case campaign:
                is_open = campaign.name == self._open
                return campaign_row(campaign, self._games, self._shared, is_open, cells)


class EncounterList(CursorList):
    """One row for each encounter of a campaign."""

    FILLED_BY_ENTER = True

    def __init__(self, *, moved: Callable[[int], None], chosen: Callable[[], None], id: str) -> None:
        super().__init__(moved=moved, chosen=chosen, id=id)
        self._shown: Sequence[EncounterInfo] = ()
        self._open = ""

    @property
    def current(self) -> EncounterInfo | None:
        """Return the encounter under the cursor."""
        return self._shown[self.cursor] if self.cursor < self.count else None

    def show_encounters(self, encounters: Sequence[EncounterInfo], open: str, cursor: str = "") -> None:
        """Show encounters. `open` is the id of the open one; the cursor goes to `cursor`."""
        self._shown, self._open = encounters_in_order(encounters), open
        wanted = cursor or open
        at = next((at for at, encounter in enumerate(self._shown) if encounter.id == wanted), 0)
        self.show_rows(at)

    def row(self, index: int, cells: int) -> Row:
        encounter = self._shown[index]
        return encounter_row(encounter, encounter.id == self._open, cells)
