"""The screen of campaigns: the user's own, the samples, and the encounters of the chosen campaign."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container
from textual.timer import Timer

import systems
from systems.errors import Wrong
from systems.frozen import evolve
from systems.text import clean, listed, why_too_long
from tui.campaign.campaign import Campaign, load, new_campaign
from tui.campaign.encounters import EncounterInfo
from tui.campaign.folders import CampaignsFolder, check_name, where
from tui.campaign.listing import ListedCampaign, campaigns, find, find_to_play
from tui.campaign.openings import new_encounter
from tui.campaign.samples import copy_sample
from tui.campaign.summary import summary_of
from tui.controllers import choosing
from tui.controllers.other_fight import open_in_place
from tui.controllers.table import Table
from tui.display.campaigns import summary_rows
from tui.display.frame import Header
from tui.display.text import Row, printable, wrapped
from tui.prompts.question import TextPrompt
from tui.screens.base import FightScreen
from tui.settings.keymap import bindings_of
from tui.widgets.campaign_list import CampaignList, EncounterList
from tui.widgets.text_rows import TextRows

if TYPE_CHECKING:
    from tui.screens.campaigns.rearranging import Rearranged, RearrangingQuestions
    from tui.session.opening import OpenEncounter

# Seconds between loading two games for their titles.
BETWEEN_GAMES = 0.05


class CampaignsScreen(FightScreen):
    """The list of campaigns and, at its right, the encounters of the chosen one."""

    NAME = "campaigns"
    BINDINGS = [*bindings_of(NAME)]
    CSS_PATH = "campaigns.tcss"

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.state: CampaignsFolder = CampaignsFolder(where().path, "")
        self.list = CampaignList(moved=self._other_campaign, chosen=self._open_campaign, id="campaigns")
        self.encounters = EncounterList(
            moved=lambda index: self.about.show(), chosen=self._open_encounter, id="encounters"
        )
        self.about = TextRows(self._about_rows, id="about")
        self._titling: Timer | None = None
        # The encounters of each campaign by its name, while a search is open.
        self._searched: dict[str, Sequence[EncounterInfo]] = {}
        self._rearranging: RearrangingQuestions | None = None

    def compose_body(self) -> ComposeResult:
        for pane in (self.list, self.encounters):
            pane.add_class("pane")
        with Container(id="lists"):
            yield self.list
            yield self.encounters
        yield self.about

    def on_mount(self) -> None:
        self.list.border_title = "Campaigns"
        self.set_focus(self.list)
        self._titling = self.set_interval(BETWEEN_GAMES, self._title_one)
        self.show_fight()

    def _header(self) -> Header:
        """Return a header with only the unsaved work of the open fight, because its round has nothing to do
        with this list.
        """
        saved = self.table.background.saved
        return Header("Campaigns", unsaved=saved.words, unsaved_brief=saved.brief, is_refused=bool(saved.why))

    def on_screen_resume(self) -> None:
        # The folder may hold other campaigns by now.
        if self.is_mounted and self.list.is_mounted:
            self.refresh_all()

    def show_fight(self, wanted: str = "") -> None:
        self.state = where(self.table.folder)
        # Shown again for a reason other than a key: the cursors stay in place.
        before, encounter = self.list.current, self.encounters.current
        self.list.show_campaigns(campaigns(self.state), self._open_name(), wanted)
        if self._titling is not None:
            self._titling.resume()
        now = self.list.current
        stays = before is not None and encounter is not None and now is not None and now.name == before.name
        self._other_campaign(self.list.cursor, encounter.id if stays and encounter else "")

    def prompt_changed(self) -> None:
        # On a low screen a prompt takes the place of the summary, not of the lists.
        self.set_class(self.services.prompts.current is not None, "-asking")
        if self._searched and self.services.prompts.current is None:
            # The search is over: show all campaigns, with the cursors on the results.
            self._searched.clear()
            encounter = self.encounters.current
            self.list.show_those(lambda entry: True)
            self._other_campaign(self.list.cursor, encounter.id if encounter else "")
        super().prompt_changed()

    def _title_one(self) -> None:
        """Replace one more game's id by its title; one at a time, so that no key waits longer."""
        if game := self.list.untitled:
            self.list.title_game(game, choosing.title_of(game))
        elif self._titling is not None:
            self._titling.pause()

    def find(self, text: str) -> bool:
        """Show only the campaigns that hold the text: in a name, the game, or an encounter and its state.

        Other names of games, such as 5e, count if nothing else does, because every game is loaded for them.
        """
        text = text.casefold().strip()
        is_found = self.list.show_those(lambda entry: text in self._words_of(entry))
        if not is_found:
            is_found = self.list.show_those(
                lambda entry: any(text in name for name in choosing.other_names(entry.system))
            )
        fitting = (info for info in self._known_encounters(self.list.current) if text in _words(info))
        found = next(fitting, None) if text else None
        self._other_campaign(self.list.cursor, found.id if found else "")
        return is_found

    def way_back(self) -> Callable[[], None]:
        campaign, encounter = self.list.current, self.encounters.current

        def go_back() -> None:
            self.list.show_those(lambda entry: True)
            if campaign is not None:
                self.list.go_to(campaign.name)
            self._other_campaign(self.list.cursor, encounter.id if encounter else "")

        return go_back

    def _known_encounters(self, entry: ListedCampaign | None) -> Sequence[EncounterInfo]:
        """Return the encounters of a campaign; during a search each folder is read once."""
        if entry is None:
            return ()
        if entry.name not in self._searched:
            self._searched[entry.name] = choosing.encounters_in(choosing.folder_of(self.state, entry))
        return self._searched[entry.name]

    def _words_of(self, entry: ListedCampaign) -> str:
        names = f"{entry.title} {entry.name} {self.list.title_of(entry.system)}".casefold()
        return "\n".join([names, *map(_words, self._known_encounters(entry))])

    def _open_name(self) -> str:
        """Return the name of the open campaign, if it is in this folder."""
        campaign = self.table.campaign
        if not isinstance(campaign, Campaign) or campaign.path.parent != self.state.path:
            return ""
        return campaign.name

    def _encounter_of(self, entry: ListedCampaign) -> str:
        fight = self.table.fight
        return fight.encounter if fight is not None and entry.name == self._open_name() else ""

    def _other_campaign(self, index: int, cursor: str = "") -> None:
        entry = self.list.current
        found = choosing.encounters_in(choosing.folder_of(self.state, entry)) if entry else []
        self.encounters.show_encounters(found, self._encounter_of(entry) if entry else "", cursor)
        title = f"Encounters of {printable(entry.title)}" if entry else "Encounters"
        self.encounters.border_title = title.replace("[", "\\[")
        self.about.show()

    def _about_rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the whole problem of the campaign under the cursor, and the folder of campaigns with its
        reason.
        """
        entry = self.list.current
        rows: list[Row] = []
        if entry is not None and (wrong := self.list.problem_with(entry)):
            # The problem to repair matters more than the folder's path.
            lines = wrapped(wrong, width - 4)
            more = " …" if len(lines) > height else ""
            rows += [[(f" {line}", "danger")] for line in lines[:height]]
            rows[-1] = [*rows[-1], (more, "danger")]
            return rows
        if entry is not None:
            rows += self._summary_rows(entry, width, max(1, height - 2))
        if entry is not None and entry.sample:
            rows.append([(" Opening a sample copies it into the folder.", "muted")])
        elif self._encounter is not None or choosing.sample_of(entry):
            key = self.services.key_names["sample_afresh"]
            what = "encounter" if self._encounter else "sample"
            rows.append([(f" {key} starts this {what} again as a new copy.", "muted")])
        elif entry is not None and not self.encounters.count:
            rows.append([(" No encounter yet; e prepares one.", "muted")])
        elif entry is None:
            rows.append(
                [(f" No campaign yet; {self.services.key_names['campaign_new']} creates one.", "muted")]
            )
        where_it_is = f"{_short(self.state.path)}, {self.state.why}"
        rows += [[(f" {line}", "muted")] for line in wrapped(where_it_is, width - 2)]
        return rows[:height]

    def _summary_rows(self, entry: ListedCampaign, width: int, height: int) -> Sequence[Row]:
        """Return the combatants of the encounter under the cursor, its state, and its last event."""
        info, folder = self.encounters.current, choosing.folder_of(self.state, entry)
        if info is None or folder is None or info.problem is not None:
            return []
        return summary_rows(info, summary_of(folder, info), width, height)

    # Keys

    def action_into_form(self) -> None:
        """Go from the campaigns to the encounters of the chosen campaign."""
        self.set_focus(self.encounters)

    @property
    def escape_does(self) -> str:
        if self.focused is self.encounters:
            return "campaigns"
        return "order" if self.table.session is not None else ""

    def on_descendant_focus(self) -> None:
        self.keys.show()
        self.about.show()

    async def action_out_of_form(self) -> None:
        """Go from the encounters back to the campaigns, and from there to the order of the open fight."""
        if self.focused is self.encounters:
            self.set_focus(self.list)
        elif self.table.session is not None:
            await self.action_show("initiative")

    def _open_campaign(self) -> None:
        entry = self.list.current
        if entry is not None and not self.encounters.count and not self.list.problem_with(entry):
            # Without an encounter, prepare one first.
            self.action_encounter_new()
        elif entry is not None:
            self._open(entry, None)

    def _open_encounter(self) -> None:
        entry, info = self.list.current, self.encounters.current
        if entry is not None and info is not None:
            self._open(entry, info.id)
        elif not self.encounters.count:
            self.action_encounter_new()

    def _open(self, entry: ListedCampaign, encounter: str | None) -> None:
        self._open_and(entry, encounter, lambda: self.app.switch_mode("initiative"))

    def _open_and(self, entry: ListedCampaign, encounter: str | None, then: Callable[[], object]) -> None:
        """Open a campaign instead of the current one and continue; report why if that fails."""
        saved = self.table.background.saved
        if saved.why:
            # Closing the fight waits for unsaved events, which a failing disk may never take.
            self.services.say(
                f"{saved.words}; another fight can be opened once everything is saved", error=True
            )
            return
        before, state = self.table.fight, self.state

        def opened(fight: "OpenEncounter") -> None:
            self._use(fight, before)
            then()

        open_in_place(
            self.table, lambda tell: choosing.open_entry(state, entry, encounter, before, tell), opened
        )

    def _use(self, fight: "OpenEncounter", before: "OpenEncounter | None") -> None:
        """Show the fight that was opened in place of `before`."""
        before_path = before.campaign.path if before else None
        if fight.campaign.path != before_path:
            self.table.cursors.clear()
        elif before:
            self.table.cursors[before.encounter] = self.services.cursor
        self.table.open(fight)
        self.services.cursor = ""
        self.services.say(fight.notice, error=bool(fight.notice))

    # A new campaign.

    def action_campaign_new(self) -> None:
        self.services.prompts.open(
            TextPrompt(
                self.services,
                "Name of the new campaign?",
                self._named,
                does="continue",
                hints=("Its folder gets the same name.",),
            )
        )

    def _named(self, name: str) -> str | None:
        try:
            check_name(name)
        except ValueError as error:
            return str(error)
        if (self.state.path / name).exists():
            return f"a folder {clean(name, 60)} already exists"
        games = [(game, f"{at} {choosing.title_of(game)}") for at, game in enumerate(systems.names(), 1)]
        self.services.prompts.open(
            TextPrompt(
                self.services,
                f"Which game for {name}?",
                lambda word: self._made(name, word),
                does="create",
                choices=games,
                meant=choosing.game_meant,
            )
        )
        return None

    def _made(self, name: str, word: str) -> str | None:
        try:
            campaign = new_campaign(self.state, name, choosing.game_named(word))
        except (*choosing.CANNOT_OPEN, Wrong) as error:
            return str(error)
        self.show_fight(campaign.name)
        entry = self.list.current
        # The roster screen must show this campaign.
        if entry is not None and entry.name == campaign.name:
            self._open_and(entry, None, lambda: self._say_made(campaign.name))
        return None

    def _say_made(self, name: str) -> None:
        self.show_fight(name)
        self.services.say(f"{clean(name)} is created and open. Press R to create characters in the roster.")

    # Delete, copy or rename: the encounter under the cursor if the cursor is in that list.

    @property
    def _encounter(self) -> EncounterInfo | None:
        return self.encounters.current if self.focused is self.encounters else None

    @property
    def rearranging(self) -> "RearrangingQuestions":
        if self._rearranging is None:
            from tui.screens.campaigns.rearranging import RearrangingQuestions

            self._rearranging = RearrangingQuestions(self.table, self._rearranged)
        return self._rearranging

    def _rearranged(self, found: "Rearranged") -> None:
        """Show the changes, with the cursors on them, and a message."""
        if not found.is_problem:
            self.show_fight(found.campaign)
            if found.encounter:
                self._other_campaign(self.list.cursor, found.encounter)
            self.header.show()
        self.services.say(found.says, error=found.is_problem)

    def action_delete(self) -> None:
        self.rearranging.delete(self.state, self.list.current, self._encounter)

    def action_rename(self) -> None:
        self.rearranging.rename(self.state, self.list.current, self._encounter)

    def action_duplicate(self) -> None:
        self.rearranging.copy(self.state, self.list.current, self._encounter)

    def action_deleted_back(self) -> None:
        self.rearranging.take_back()

    def action_sample_afresh(self) -> None:
        """Start the encounter under the cursor again as a new copy, or else the campaign's sample."""
        if self._encounter is not None:
            self.rearranging.begin_afresh(self.state, self.list.current, self._encounter)
        else:
            self._copy_sample()

    def _copy_sample(self) -> None:
        name = choosing.sample_of(self.list.current)
        if not name:
            key = self.services.key_names["into_form"]
            says = f"choose a sample that you have opened, or go to an encounter with {key}"
            self.services.say(says, error=True)
            return
        try:
            copy = copy_sample(self.state, name, again=True)
        except choosing.CANNOT_OPEN as error:
            self.services.say(str(error), error=True)
            return
        self.show_fight(copy.name)
        self.services.say(f"{clean(copy.name)} is a new copy of the sample. Enter opens it.")

    # A new encounter.

    def action_encounter_new(self) -> None:
        entry = self.list.current
        if entry is None or self.list.problem_with(entry):
            self.services.say("first choose a campaign that can be opened", error=True)
            return
        question = f"Title of the new encounter of {entry.title}?"
        self.services.prompts.open(
            TextPrompt(self.services, question, lambda title: self._titled(entry, title), does="continue")
        )

    def _titled(self, entry: ListedCampaign, title: str) -> str | None:
        if not clean(title):
            return "an encounter needs a title"
        if why := why_too_long(title):
            return why
        try:
            # A sample is copied only when the encounter is made.
            campaign = load(find(self.state, entry.name))
        except choosing.CANNOT_OPEN as error:
            return str(error)
        dead = choosing.dead_characters(campaign)
        party, others = (
            [
                choosing.typed_for(campaign, entry)
                for entry in campaign.roster.values()
                if (entry.side == campaign.table.players) is of_players and entry.id not in dead
            ]
            for of_players in (True, False)
        )
        hints = [
            f"Separate names with commas: {listed([*party, *others][:14]) or 'the roster is still empty'}.",
            "Examples: guard x4, wolf in round 3, raider hidden. Enter alone prepares it empty.",
        ]
        if dead:
            names = choosing.named_dead(campaign, dead)
            hints.insert(0, f"Not in the line: {names}. Type the name to add a character anyway.")
        self.services.prompts.open(
            TextPrompt(
                self.services,
                f"Who is in {clean(title, 60)}?",
                lambda people: self._prepared(entry, title, people),
                does="prepare",
                text="".join(f"{name}, " for name in party),
                hints=hints,
            )
        )
        return None

    def _prepared(self, entry: ListedCampaign, title: str, people: str) -> str | None:
        try:
            # Refuse unknown names before a sample is copied.
            choosing.opening_with(load(find(self.state, entry.name)), title, people)
            campaign = load(find_to_play(self.state, entry.name))
            opening = choosing.opening_with(campaign, title, people)
            campaign, encounter = new_encounter(campaign, title, opening.document)
        except (*choosing.CANNOT_OPEN, Wrong) as error:
            return str(error)
        mine = self.table.campaign
        if mine is not None and mine.path == campaign.path:
            # Otherwise the program's own file would look like a change from outside.
            self.table.campaign = evolve(mine, encounters=campaign.encounters)
        self.show_fight(campaign.name)
        self._other_campaign(self.list.cursor, encounter)
        self.set_focus(self.encounters)
        left = f" {opening.left_out}." if opening.left_out else ""
        self.services.say(f"{clean(title, 60)} is prepared.{left} Enter opens it.")
        return None


def _words(info: EncounterInfo) -> str:
    """Return the words that a search for an encounter matches."""
    state = "running in progress" if info.state == "running" else info.state
    return f"{info.title} {info.id} {state}".casefold()


def _short(path: Path) -> str:
    """Return a path as a person writes it, with the home folder as `~`."""
    home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where there is no home
    shown = printable(str(path))
    return f"~{shown[len(home) :]}" if home != "/" and shown.startswith(f"{home}/") else shown
