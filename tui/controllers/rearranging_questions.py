"""The keys that delete, copy and rename on the screen of campaigns, and what they ask first."""

from collections.abc import Callable
from functools import partial

from systems.text import clean, why_too_long
from tui.campaign.encounters import EncounterInfo
from tui.campaign.folders import CampaignsFolder
from tui.campaign.listing import ListedCampaign
from tui.campaign.samples import free_name
from tui.controllers.rearranging import Rearranged, Rearranging
from tui.controllers.table import Table
from tui.prompts.question import Question


class RearrangingQuestions:
    """Asks for what is needed, changes, and hands on what came of it to `done`.

    Each is about a campaign, or about one of its encounters where one is given.
    """

    def __init__(self, table: Table, done: Callable[[Rearranged], None]) -> None:
        self.services, self._done, self.change = table.services, done, Rearranging(table)

    def _can_change(self, entry: ListedCampaign | None) -> bool:
        """Whether there is a campaign to change; says why not."""
        if entry is None or entry.sample:
            says = (
                "a sample is not changed: opening it makes a copy that is" if entry else "no campaign is here"
            )
            self.services.say(says, error=True)
        return entry is not None and not entry.sample

    def delete(
        self, place: CampaignsFolder, entry: ListedCampaign | None, info: EncounterInfo | None
    ) -> None:
        """Delete what is under the cursor; it can be brought back."""
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
            Question(
                self.services, f"What is {title} called from now on?", answered, does="rename it", text=title
            )
        )

    def copy(self, place: CampaignsFolder, entry: ListedCampaign | None, info: EncounterInfo | None) -> None:
        """Ask what the copy is called."""
        if entry is None or not self._can_change(entry):
            return
        if info is not None:
            ask, suggested = partial(self._copied, place, entry, info), f"{info.title} (copy)"
            hints = ("With all that has happened in it; s begins it afresh.",)
        else:
            ask, suggested = partial(self._copied, place, entry, None), free_name(place, f"{entry.name}-copy")
            hints = ("The name is that of its folder too. All its fights are copied.",)
        title = info.title if info is not None else entry.title
        question = f"What is the copy of {title} called?"
        self.services.prompts.open(
            Question(self.services, question, ask, does="copy it", text=suggested, hints=hints)
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
        """Prepare an encounter once more, as it was at first."""
        if entry is not None and self._can_change(entry):
            self._done(self.change.begin_afresh(place.path / entry.name, info))

    def take_back(self) -> None:
        """Bring back what was deleted last."""
        self._done(self.change.take_back())

    def _told(self, found: Rearranged) -> str | None:
        if found.is_problem:
            return found.says
        self._done(found)
        return None
