"""The questions of the keys that delete, copy and rename on the screen of campaigns."""

from collections.abc import Callable
from functools import partial

from systems.text import clean, why_too_long
from tui.campaign.encounters import EncounterInfo
from tui.campaign.folders import CampaignsFolder
from tui.campaign.listing import ListedCampaign
from tui.campaign.samples import free_name
from tui.controllers.rearranging import Rearranged, Rearranging
from tui.controllers.table import Table
from tui.prompts.question import TextPrompt


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
