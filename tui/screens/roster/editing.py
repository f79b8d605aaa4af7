"""Changes to the roster and to the rules of an open campaign. Each can be undone."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from systems.commands.keep import saved_values
from systems.contract.ruleset import FOES
from systems.encounter.model import Combatant
from systems.errors import Wrong
from systems.frozen import evolve, frozen
from systems.schema.conversion import replace
from systems.schema.fields import Field
from systems.schema.types import Text
from systems.text import clean, same_word, several
from tui.campaign.campaign import Campaign, RosterEntry, SeatSettings, Settings
from tui.campaign.lock import READ_ONLY
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.roster import (
    check_length,
    check_name_is_free,
    delete,
    duplicate,
    new_entry,
    save_entry,
    save_settings,
    undelete,
    with_fitting_id,
)
from tui.campaign.watch import conflict_of

if TYPE_CHECKING:
    from systems.language.readings import SheetLine
    from tui.campaign.watch import Conflict
    from tui.controllers.table import Table


# Prefixes of their field names, see CampaignRules.
TABLE, SEATS = "table", "seats"


@frozen
class CampaignRules:
    """The decisions of campaign.toml as one sheet of a form.

    The fields of a part have names such as `table dice`. A house rule has its own name, which contains no
    space.
    """

    house: Any
    table: Settings
    seats: SeatSettings

    def __getattr__(self, key: str) -> Any:
        part, _, name = key.partition(" ")
        if not name:
            return getattr(self.house, key)
        return getattr(self.table if part == TABLE else self.seats, name)


def rules_of(campaign: Campaign) -> CampaignRules:
    """Return the rules of a campaign."""
    return CampaignRules(campaign.house, campaign.table, campaign.seats)


SIDE = Field(
    name="side",
    type=Text(),
    default="foes",
    same_as="",
    help="the side it fights on: players for the party, or any other name",
    when_absent="",
    label="side",
)
PARTY = evolve(
    SIDE,
    name="party",
    label="party",
    default="",
    help="the group it fights in: add with the party's name adds all its members",
    when_absent="none",
)


@frozen
class RosterEdit:
    """One change to the roster that can be undone. `before`: the previous entry, or None.

    `also`: the number of earlier changes undone together with it. `wrote`: the entry's file after the change.
    """

    says: str
    id: str
    before: RosterEntry | None = None
    deleted: bool = False
    also: int = 0
    wrote: bytes | None = None

    def renamed(self, id: str) -> "RosterEdit":
        """Return the same change for an entry whose id is now `id`."""
        before = evolve(self.before, id=id) if self.before is not None else None
        return evolve(self, id=id, before=before)


@frozen
class RulesChange:
    """One change of house rules or settings that can be undone. `before`: the previous rules.

    `source` and `wrote`: campaign.toml before and after the change.
    """

    says: str
    before: "CampaignRules"
    source: bytes
    wrote: bytes


@frozen
class ImportStep:
    """One import that can be undone. `undo` returns the campaign without it, and the names of what stays."""

    says: str
    first: str
    undo: "Callable[[Campaign], tuple[Campaign, list[str]]]"


class RosterEdits:
    """Saves changes immediately. Every method returns why a change could not be saved, or None."""

    def __init__(self, table: "Table") -> None:
        self.table = table
        self._past: list[RosterEdit | RulesChange | ImportStep] = []

    @property
    def campaign(self) -> Campaign:
        campaign = self.table.campaign
        assert campaign is not None
        return campaign

    def save(self, entry: RosterEntry) -> str | None:
        """Save a changed roster entry."""
        before = self.campaign.roster.get(entry.id)
        self.made = entry.id
        if before == entry:
            return None
        if before is not None and (before.name, before.side) != (entry.name, entry.side):
            try:
                check_length(entry.name if entry.name != before.name else "")
                check_name_is_free(self.campaign, entry.name, entry.side, entry.id)
            except Wrong as wrong:
                return str(wrong)
        past = RosterEdit(f"The change to {entry.name} is undone.", entry.id, before)
        problem = self._do(lambda: save_entry(self.campaign, entry), past)
        if problem is None and before is not None:
            self._follow_name(entry.id, before.name)
        return problem

    def left_behind(self, before: RosterEntry, after: RosterEntry) -> list[RosterEntry]:
        """Return the other members of a party after one of them was given the name of a new party."""
        others = [entry for entry in self.campaign.roster.values() if entry.id != after.id]
        is_new = not any(same_word(entry.party, after.party) for entry in others)
        if not (before.party and after.party and is_new) or same_word(before.party, after.party):
            return []
        return [entry for entry in others if same_word(entry.party, before.party)]

    def take_along(self, others: "Sequence[RosterEntry]", party: str) -> str | None:
        """Move other members into the new party. A single undo takes all of it back."""
        for number, entry in enumerate(others, 1):
            past = RosterEdit("The party has its previous name again.", entry.id, entry, also=number)
            changed = evolve(entry, party=party)
            if problem := self._do(partial(save_entry, self.campaign, changed), past):
                return f"{clean(entry.name, 40)}: {problem}"
        return None

    def _follow_name(self, id: str, before: str) -> None:
        """Give a copy with its first real name a matching id, and update the undo steps."""
        try:
            campaign, self.made = with_fitting_id(self.campaign, id, before)
        except (NotSaved, FileProblem):
            return  # the name is saved; only the id stays unchanged
        if self.made == id:
            return
        self._use(campaign)
        self._past = [
            past.renamed(self.made) if isinstance(past, RosterEdit) and past.id == id else past
            for past in self._past
        ]

    def conflict(self, mine: RosterEntry) -> "Conflict | None":
        """Return the conflict between an entry that could not be saved and its file."""
        return conflict_of(self.campaign, mine)

    def settle(self, conflict: "Conflict", mine: bool) -> str | None:
        """Take the other program's version. With `mine`, my changes win in fields that both have changed."""
        id, theirs = conflict.mine.id, conflict.theirs
        rest = {other: entry for other, entry in self.campaign.roster.items() if other != id}
        found = rest if theirs is None else {**rest, id: theirs}
        self._use(evolve(self.campaign, roster=dict(sorted(found.items()))))
        if theirs is None:
            return self.save(evolve(conflict.mine, source=None)) if mine else None
        merged = conflict.with_mine() if mine else conflict.with_theirs()
        return self.save(merged) if merged is not None else None

    def make(self, lines: "Sequence[SheetLine]", side: str) -> str | None:
        """Make roster entries of typed lines, on the line's own side or else on `side`."""
        made: list[str] = []
        for line in lines:
            try:
                entry = new_entry(self.campaign, line.name, line.side or side, line.fields, line.party)
            except Wrong as wrong:
                return self._stopped_at(line.name, made, str(wrong))
            says = f"{several([*made, entry.name])} {'are' if made else 'is'} removed again."
            past = RosterEdit(says, entry.id, also=len(made))
            if problem := self._do(partial(save_entry, self.campaign, entry), past):
                return self._stopped_at(line.name, made, problem)
            made.append(entry.name)
            self.made = entry.id
        return None

    def _stopped_at(self, name: str, made: Sequence[str], problem: str) -> str:
        there = f"{several(made)} {'is' if len(made) == 1 else 'are'} made; " if made else ""
        return f"{there}{clean(name, 40)}: {problem}"

    def copy(self, id: str) -> str | None:
        """Make a copy of a roster entry."""
        try:
            campaign, self.made = duplicate(self.campaign, id)
        except (NotSaved, FileProblem) as problem:
            return str(problem)
        name = campaign.roster[self.made].name
        return self._do(lambda: campaign, RosterEdit(f"{name} is removed again.", self.made))

    def delete(self, id: str) -> str | None:
        """Delete a roster entry. Combatants in the fight stay."""
        if id not in self.campaign.roster:
            return "it comes with the game and can't be deleted"
        name = self.campaign.roster[id].name
        return self._do(lambda: delete(self.campaign, id), RosterEdit(f"{name} is back.", id, deleted=True))

    def keep_rules(self, rules: "CampaignRules", says: str) -> str | None:
        """Save house rules and settings, which take effect immediately. `says`: the message of its undo."""
        before, source = rules_of(self.campaign), self.campaign.source
        if before == rules:
            return None
        if (problem := self._use_rules(rules)) is None:
            self._past.append(RulesChange(says, before, source, self.campaign.source))
        return problem

    def _use_rules(self, rules: "CampaignRules", earlier: bytes | None = None) -> str | None:
        session = self.table.session
        if session is not None and session.read_only:
            return READ_ONLY
        try:
            changed = save_settings(
                self.campaign, table=rules.table, house=rules.house, seats=rules.seats, earlier=earlier
            )
        except (NotSaved, FileProblem) as problem:
            return str(problem)
        return self.table.background.bring_in(changed) or None

    @property
    def can_take_back(self) -> bool:
        """Return whether there is a change to undo."""
        return bool(self._past)

    def take_back(self) -> tuple[str, bool]:
        """Undo the last change. Return a sentence, and whether it succeeded."""
        if not self._past:
            return "no change is left to undo", False
        last = self._past[-1]
        if isinstance(last, RosterEdit):
            return self._take_back(last)
        if isinstance(last, ImportStep):
            return self._take_back_import(last)
        # Later changes by others stay. Without any, the file is restored byte for byte.
        earlier = last.source if self.campaign.source == last.wrote else None
        if problem := self._use_rules(last.before, earlier):
            return problem, False
        self._past.pop()
        self.made = ""
        return last.says[:1].upper() + last.says[1:], True

    def _take_back(self, last: RosterEdit) -> tuple[str, bool]:
        """Undo a change of an entry together with the changes made in the same step."""
        for _ in range(1 + last.also):
            past = self._past[-1]
            assert isinstance(past, RosterEdit)
            campaign = self.campaign
            try:
                if past.deleted:
                    campaign = undelete(campaign, past.id)
                elif past.before is None:
                    campaign = delete(campaign, past.id)
                else:
                    source = campaign.roster[past.id].source
                    earlier = past.before.source if source == past.wrote else None
                    campaign = save_entry(campaign, evolve(past.before, source=source), earlier)
            except (NotSaved, FileProblem, KeyError) as problem:
                return str(problem), False
            self._past.pop()
            self.made = past.id
            self._use(campaign)
        return last.says, True

    @property
    def is_read_only(self) -> bool:
        """Return whether nothing can be written."""
        return self.table.session is not None and self.table.session.read_only

    def bring_in(self, campaign: Campaign) -> str:
        """Use a campaign whose rules an import has changed. Return why the open fight can't, or ""."""
        return self.table.background.bring_in(campaign)

    def imported(self, written: "Sequence[RosterEntry]", step: ImportStep) -> None:
        """Take over entries that an import has written, as one step that can be undone."""
        roster = {**self.campaign.roster, **{entry.id: entry for entry in written}}
        self._past.append(step)
        self.made = step.first
        self._use(evolve(self.campaign, roster=dict(sorted(roster.items()))))

    def _take_back_import(self, last: ImportStep) -> tuple[str, bool]:
        try:
            campaign, stay = last.undo(self.campaign)
        except (NotSaved, FileProblem) as problem:
            return str(problem), False
        self._past.pop()
        self.made = ""
        if misfit := self.bring_in(campaign):
            return misfit, False
        left = f" {several(stay)} changed since, and stay{'s' if len(stay) == 1 else ''}." if stay else ""
        return f"{last.says}{left}", True

    made = ""  # the id of the last created or restored entry

    def _do(self, change: Any, past: RosterEdit) -> str | None:
        session = self.table.session
        if session is not None and session.read_only:
            return READ_ONLY
        try:
            campaign = change()
        except (NotSaved, FileProblem) as problem:
            return str(problem)
        entry = campaign.roster.get(past.id)
        self._past.append(evolve(past, wrote=entry.source if entry is not None else None))
        self._use(campaign)
        return None

    def _use(self, campaign: Campaign) -> None:
        self.table.campaign = campaign
        if self.table.session is not None:
            self.table.session.roster = campaign.joinable


def kept_by(campaign: Campaign, entry: RosterEntry, combatant: Combatant) -> dict[str, Any]:
    """Return the lasting fields in which a combatant differs from its roster entry.

    Raises Wrong if the game can't tell which values the tracker fills in.
    """
    is_player = combatant.side == campaign.table.players
    return saved_values(campaign.ruleset, entry.sheet, combatant, is_player=is_player)


def with_kept(entry: RosterEntry, kept: dict[str, Any]) -> RosterEntry:
    """Return the roster entry with those fields on its sheet."""
    return evolve(entry, sheet=replace(entry.sheet, **kept))


def plain_side(side: object) -> str:
    """Return a side as the roster writes it. The default is `foes`."""
    return clean(str(side or ""), 40) or FOES


def plain_party(party: object) -> str:
    """Return a party as the roster writes it, or ""."""
    return clean(str(party or ""), 40)
