"""Delete, copy and rename what the screen of campaigns shows, and begin a fight afresh."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from systems.text import clean
from tui.campaign import rearrange
from tui.campaign.campaign import load
from tui.campaign.encounters import EncounterInfo, encounters_of
from tui.campaign.folders import CampaignsFolder
from tui.campaign.listing import ListedCampaign
from tui.campaign.lock import READ_ONLY
from tui.campaign.problems import NotSaved
from tui.campaign.roster import save_settings
from tui.controllers.choosing import CANNOT_OPEN

if TYPE_CHECKING:
    from tui.controllers.table import Table


@attrs.frozen
class Rearranged:
    """What came of a change: a sentence, the campaign and encounter that the cursors go to; or a problem."""

    says: str
    campaign: str = ""
    encounter: str = ""
    is_problem: bool = False


class Rearranging:
    """Changes campaigns and encounters at once; what was deleted can be taken back."""

    def __init__(self, table: "Table") -> None:
        self.table = table
        self._deleted: list[Callable[[], Rearranged]] = []

    def _is_open(self, path: Path) -> bool:
        return self.table.campaign is not None and self.table.campaign.path == path

    def _is_shown(self, path: Path, info: EncounterInfo) -> bool:
        """Whether that encounter is the fight that is open."""
        fight = self.table.fight
        return self._is_open(path) and fight is not None and fight.encounter == info.id

    def _writing(self, path: Path) -> AbstractContextManager[object]:
        """Hold the lock of a campaign; that of the open one is held already. Raises NotSaved."""
        if not self._is_open(path):
            return rearrange.writing(path)
        if self.table.session is not None and self.table.session.read_only:
            raise NotSaved(READ_ONLY)
        return nullcontext()

    def _tried(self, do: Callable[[], Rearranged]) -> Rearranged:
        try:
            return do()
        except CANNOT_OPEN as error:
            return Rearranged(str(error), is_problem=True)

    def _read_encounters(self, path: Path) -> None:
        """Take the encounters of the open campaign as they are now: this program has changed them."""
        mine = self.table.campaign
        if mine is not None and mine.path == path:
            self.table.campaign = attrs.evolve(mine, encounters=encounters_of(path)[0])

    # Campaigns

    def delete_campaign(self, place: CampaignsFolder, entry: ListedCampaign) -> Rearranged:
        """Move a campaign into the trash, unless it is open."""
        path = place.path / entry.name
        if self._is_open(path):
            return Rearranged(f"{entry.title} is open; open another one first", is_problem=True)

        def do() -> Rearranged:
            with self._writing(path):
                thrown = rearrange.delete_campaign(path)
            self._deleted.append(lambda: self._undelete_campaign(thrown, path, entry))
            return Rearranged(f"{entry.title} is deleted, with all its fights.")

        return self._tried(do)

    def _undelete_campaign(self, thrown: Path, path: Path, entry: ListedCampaign) -> Rearranged:
        rearrange.undelete_campaign(thrown, path)
        return Rearranged(f"{entry.title} is back.", entry.name)

    def copy_campaign(
        self, place: CampaignsFolder, entry: ListedCampaign, name: str, title: str
    ) -> Rearranged:
        """Copy a campaign with all its fights."""

        def do() -> Rearranged:
            copy = rearrange.copy_campaign(place, place.path / entry.name, name, title)
            return Rearranged(f"{clean(title, 60)} is a copy of {entry.title}. Enter opens it.", copy.name)

        return self._tried(do)

    def rename_campaign(self, place: CampaignsFolder, entry: ListedCampaign, title: str) -> Rearranged:
        """Give a campaign another title; its folder keeps its name."""
        path = place.path / entry.name

        def do() -> Rearranged:
            with self._writing(path):
                mine = self.table.campaign if self._is_open(path) else None
                renamed = save_settings(mine or load(path), title=title)
            if mine is not None:
                self.table.campaign = renamed
            return Rearranged(
                f"It is called {renamed.title} now; its folder is still {entry.name}.", entry.name
            )

        return self._tried(do)

    # Encounters

    def delete_encounter(self, path: Path, info: EncounterInfo) -> Rearranged:
        """Move an encounter into the trash, unless it is open."""
        if self._is_shown(path, info):
            return Rearranged(f"{info.title} is open; open another one first", is_problem=True)

        def do() -> Rearranged:
            with self._writing(path):
                thrown = rearrange.delete_encounter(path, info.id)
            self._read_encounters(path)
            self._deleted.append(lambda: self._undelete_encounter(thrown, path, info))
            return Rearranged(f"{info.title} is deleted.")

        return self._tried(do)

    def _undelete_encounter(self, thrown: Path, path: Path, info: EncounterInfo) -> Rearranged:
        with self._writing(path):
            rearrange.undelete_encounter(thrown, path, info.id)
        self._read_encounters(path)
        return Rearranged(f"{info.title} is back.", path.name, info.id)

    def copy_encounter(self, path: Path, info: EncounterInfo, title: str) -> Rearranged:
        """Copy an encounter with all that has happened in it."""

        def do() -> Rearranged:
            with self._writing(path):
                new = rearrange.copy_encounter(path, info.id, title)
            self._read_encounters(path)
            says = f"{clean(title, 60)} is a copy of {info.title}. Enter opens it."
            return Rearranged(says, path.name, new)

        return self._tried(do)

    def begin_afresh(self, path: Path, info: EncounterInfo) -> Rearranged:
        """Prepare an encounter once more, as it was when the fight began."""

        def do() -> Rearranged:
            from tui.session.restart import opening_as_begun

            titles = {other.title for other in encounters_of(path)[0].values()}
            title = rearrange.next_title(info.title, titles)
            with self._writing(path):
                new = rearrange.copy_encounter(path, info.id, title, opening_as_begun(path, info.id))
            self._read_encounters(path)
            says = f"{clean(title, 60)} begins as {info.title} began. Enter opens it."
            return Rearranged(says, path.name, new)

        return self._tried(do)

    def rename_encounter(self, path: Path, info: EncounterInfo, title: str) -> Rearranged:
        """Give an encounter another title."""

        def do() -> Rearranged:
            with self._writing(path):
                rearrange.rename_encounter(path, info.id, title)
            self._read_encounters(path)
            session = self.table.session
            if session is not None and self._is_shown(path, info):
                session.encounter = session.encounter.with_progress(title=clean(title, 200))
            return Rearranged(f"It is called {clean(title, 60)} now.", path.name, info.id)

        return self._tried(do)

    # Taken back

    def take_back(self) -> Rearranged:
        """Bring back what was deleted last."""
        if not self._deleted:
            return Rearranged("nothing that was deleted here is left to bring back", is_problem=True)
        found = self._tried(self._deleted[-1])
        if not found.is_problem:
            self._deleted.pop()
        return found
