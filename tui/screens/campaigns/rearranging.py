"""Delete, copy, rename and restart campaigns and encounters, and the questions of the keys that do it."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path

from systems.frozen import evolve, frozen
from systems.text import clean, why_too_long
from tui.campaign import rearrange
from tui.campaign.campaign import load
from tui.campaign.encounters import EncounterInfo, encounters_of
from tui.campaign.folders import CampaignsFolder
from tui.campaign.listing import ListedCampaign
from tui.campaign.lock import READ_ONLY
from tui.campaign.problems import NotSaved
from tui.campaign.roster import save_settings
from tui.campaign.samples import free_name
from tui.controllers.choosing import CANNOT_OPEN
from tui.controllers.table import Table
from tui.prompts.question import TextPrompt
from tui.session.beginning import opening_as_begun


@frozen
class Rearranged:
    """The result of a change: a sentence or a problem, and the items for the cursors."""

    says: str
    campaign: str = ""
    encounter: str = ""
    is_problem: bool = False


class Rearranging:
    """Changes campaigns and encounters immediately. Deletions can be undone."""

    def __init__(self, table: "Table") -> None:
        self.table = table
        self._deleted: list[Callable[[], Rearranged]] = []

    def _is_open(self, path: Path) -> bool:
        return self.table.campaign is not None and self.table.campaign.path == path

    def _is_shown(self, path: Path, info: EncounterInfo) -> bool:
        """Return whether that encounter is the open fight."""
        fight = self.table.fight
        return self._is_open(path) and fight is not None and fight.encounter == info.id

    def _writing(self, path: Path) -> AbstractContextManager[object]:
        """Hold the lock of a campaign. The open campaign's lock is already held. Raises NotSaved."""
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
        """Reload the encounters of the open campaign after a change."""
        mine = self.table.campaign
        if mine is not None and mine.path == path:
            self.table.campaign = evolve(mine, encounters=encounters_of(path)[0])

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
        """Give a campaign another title. Its folder keeps its name."""
        path = place.path / entry.name

        def do() -> Rearranged:
            with self._writing(path):
                mine = self.table.campaign if self._is_open(path) else None
                renamed = save_settings(mine or load(path), title=title)
            if mine is not None:
                self.table.campaign = renamed
            return Rearranged(f"Renamed to {renamed.title}. The folder is still {entry.name}.", entry.name)

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
        """Copy an encounter with all its events."""

        def do() -> Rearranged:
            with self._writing(path):
                new = rearrange.copy_encounter(path, info.id, title)
            self._read_encounters(path)
            says = f"{clean(title, 60)} is a copy of {info.title}. Enter opens it."
            return Rearranged(says, path.name, new)

        return self._tried(do)

    def begin_afresh(self, path: Path, info: EncounterInfo) -> Rearranged:
        """Prepare a copy of an encounter in the state in which its fight began."""

        def do() -> Rearranged:
            titles = {other.title for other in encounters_of(path)[0].values()}
            title = rearrange.next_title(info.title, titles)
            with self._writing(path):
                new = rearrange.copy_encounter(path, info.id, title, opening_as_begun(path, info.id))
            self._read_encounters(path)
            says = f"{clean(title, 60)} is {info.title} from its start. Enter opens it."
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
            return Rearranged(f"Renamed to {clean(title, 60)}.", path.name, info.id)

        return self._tried(do)

    # Taken back

    def take_back(self) -> Rearranged:
        """Restore the last deleted campaign or encounter."""
        if not self._deleted:
            return Rearranged("nothing deleted here is left to restore", is_problem=True)
        found = self._tried(self._deleted[-1])
        if not found.is_problem:
            self._deleted.pop()
        return found


class RearrangingQuestions:
    """Asks the questions, makes the change, and calls `done` with the result.

    Each method is about a campaign, or about one of its encounters if `info` is given.
    """

    def __init__(self, table: Table, done: Callable[[Rearranged], None]) -> None:
        self.services, self._done, self.change = table.services, done, Rearranging(table)

    def _can_change(self, entry: ListedCampaign | None) -> bool:
        """Return whether the campaign can be changed. If not, say why."""
        if entry is None or entry.sample:
            says = (
                "samples can't be changed: open one to get a copy that you can change"
                if entry
                else "no campaign is here"
            )
            self.services.say(says, error=True)
        return entry is not None and not entry.sample

    def delete(
        self, place: CampaignsFolder, entry: ListedCampaign | None, info: EncounterInfo | None
    ) -> None:
        """Delete the campaign or encounter under the cursor. This can be undone."""
        if entry is None or not self._can_change(entry):
            return
        if info is None:
            found = self.change.delete_campaign(place, entry)
        else:
            found = self.change.delete_encounter(place.path / entry.name, info)
        if not found.is_problem:
            says = f"{found.says} {self.services.key_names['deleted_back']} undoes it."
            found = Rearranged(says, entry.name if info is not None else "")
        self._done(found)

    def rename(
        self, place: CampaignsFolder, entry: ListedCampaign | None, info: EncounterInfo | None
    ) -> None:
        """Ask for another title."""
        if entry is None or not self._can_change(entry):
            return
        title = info.title if info is not None else entry.title

        def answered(word: str) -> str | None:
            if not clean(word):
                return "it needs a title"
            if why := why_too_long(word):
                return why
            if info is None:
                return self._told(self.change.rename_campaign(place, entry, word))
            return self._told(self.change.rename_encounter(place.path / entry.name, info, word))

        self.services.prompts.open(
            TextPrompt(self.services, f"New title of {title}?", answered, does="rename it", text=title)
        )

    def copy(self, place: CampaignsFolder, entry: ListedCampaign | None, info: EncounterInfo | None) -> None:
        """Ask for the name of the copy."""
        if entry is None or not self._can_change(entry):
            return
        if info is not None:
            ask, suggested = partial(self._copied, place, entry, info), f"{info.title} (copy)"
            hints = ("Copies all its events. Press s instead to start it again.",)
        else:
            ask, suggested = partial(self._copied, place, entry, None), free_name(place, f"{entry.name}-copy")
            hints = ("The folder gets the same name. All fights are copied.",)
        title = info.title if info is not None else entry.title
        question = f"Name of the copy of {title}?"
        self.services.prompts.open(
            TextPrompt(self.services, question, ask, does="copy it", text=suggested, hints=hints)
        )

    def _copied(
        self, place: CampaignsFolder, entry: ListedCampaign, info: EncounterInfo | None, word: str
    ) -> str | None:
        if not clean(word):
            return "it needs a name"
        if why := why_too_long(word):
            return why
        if info is not None:
            return self._told(self.change.copy_encounter(place.path / entry.name, info, word))
        title = f"{entry.title} (copy)" if word == free_name(place, f"{entry.name}-copy") else word
        return self._told(self.change.copy_campaign(place, entry, word, title))

    def begin_afresh(self, place: CampaignsFolder, entry: ListedCampaign | None, info: EncounterInfo) -> None:
        """Prepare a copy of an encounter in the state in which its fight began."""
        if entry is not None and self._can_change(entry):
            self._done(self.change.begin_afresh(place.path / entry.name, info))

    def take_back(self) -> None:
        """Restore the last deleted campaign or encounter."""
        self._done(self.change.take_back())

    def _told(self, found: Rearranged) -> str | None:
        if found.is_problem:
            return found.says
        self._done(found)
        return None
