"""What an import would add to a roster: an entry for each creature, compared with the existing ones.

Nothing is written before `keep`, which changes an existing entry only with `existing="replace"`.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Literal

from systems.contract.ruleset import FOES
from systems.contract.stat_block import BlockLine, StatBlock
from systems.errors import InputError, Wrong
from systems.frozen import evolve, frozen
from systems.language.readings import SheetLine
from systems.schema.conversion import replace
from systems.sheets import read_sheet, version_mark
from systems.stat_blocks.improved_initiative import FoundCreature
from systems.stat_blocks.reading import sheet_of
from systems.stat_blocks.text import creatures as creatures_in_text
from systems.text import clean, plain_word
from tui.campaign.campaign import ROSTER, Campaign, RosterEntry, entry_of, roster_file
from tui.campaign.encounters import free_id
from tui.campaign.folders import check_is_there, make_folder
from tui.campaign.importing.compare import Difference, differences
from tui.campaign.importing.recognising import KINDS, MAPPINGS, Content, NothingKnown
from tui.campaign.importing.tables import MOST, TableEntry, found_in_tables, read_found
from tui.campaign.problems import Changed, FileProblem, NotSaved, disk_words
from tui.campaign.progress import Tell, silent
from tui.campaign.rearrange import next_title
from tui.campaign.roster import entry_tables, save_entry, taken_ids
from tui.campaign.toml.document import document
from tui.campaign.toml.files import FORMAT, replace_file, sync, sync_folder, write_atomic

_BEGINS = re.compile(r"^[\s*_>#|-]{0,8}(?:armou?r class|ac)\b", re.IGNORECASE | re.MULTILINE)
_PIECE = 40_000  # characters of stat blocks that are read at once
_AT_ONCE = 40  # creatures
_FRAGMENT = "a part of a stat block, without armour class and hit points; paste the whole block"

# What to do with a creature that differs from the entry of its name: nothing, add it under a free name, or
# replace the entry.
Existing = Literal["leave", "both", "replace"]


@frozen
class Proposal:
    """One creature or character of an import.

    `entry`: the entry that it would become; None if it can't be read. `fields`: its sheet as plain data.
    `lines`: what each piece of a stat block became. `problems`: the parts that were left out, in words.
    `typed`: the meaning of a typed line. `here`: the existing entry of its name. `changes`: the fields in
    which that entry differs.
    """

    place: str
    entry: RosterEntry | None
    fields: Mapping[str, Any] = {}
    lines: tuple[BlockLine, ...] = ()
    problems: tuple[str, ...] = ()
    typed: SheetLine | None = None
    here: RosterEntry | None = None
    changes: tuple[Difference, ...] = ()

    @property
    def name(self) -> str:
        return self.entry.name if self.entry is not None else self.place

    @property
    def is_new(self) -> bool:
        """Return whether no entry has its name."""
        return self.entry is not None and self.here is None

    @property
    def differs(self) -> bool:
        """Return whether an entry of its name has other fields."""
        return self.entry is not None and bool(self.changes)

    @property
    def is_whole(self) -> bool:
        """Return whether everything was understood."""
        return self.entry is not None and not self.problems and not any(line.problem for line in self.lines)

    @property
    def assumed(self) -> int:
        """Return how many things were assumed."""
        return sum(1 for line in self.lines if line.assumed)

    @property
    def not_understood(self) -> int:
        """Return how many pieces were not understood."""
        return len(self.problems) + sum(1 for line in self.lines if line.problem)


@frozen
class Proposals:
    """All creatures of an import, in order, and problems with the whole of it."""

    each: tuple[Proposal, ...]
    kind: str
    problems: tuple[str, ...] = ()

    @property
    def new(self) -> tuple[Proposal, ...]:
        return tuple(proposal for proposal in self.each if proposal.is_new)

    @property
    def differing(self) -> tuple[Proposal, ...]:
        return tuple(proposal for proposal in self.each if proposal.differs)


def proposed(campaign: Campaign, content: Content, file: str, tell: Tell = silent) -> Proposals:
    """Return what an import of this content would add. `tell` is called with the number done and the total.

    Raises FileProblem if there is nothing in it.
    """
    problems: list[str] = []
    if content.kind in ("toml", "csv"):
        found, problems = found_in_tables(campaign, content.text, file, is_toml=content.kind == "toml")
        makers: list[Callable[[], Proposal]] = [partial(_of_tables, campaign, each) for each in found]
    elif content.kind == "stat_block":
        makers = list(_in_text(campaign, content.text, file))
    else:
        makers = list(_in_data(campaign, content))
    each = _compared(campaign, makers[:MOST], tell)
    if len(makers) > MOST:
        problems.append(f"{file} holds {len(makers):,}; the first {MOST:,} were read")
    return Proposals(tuple(each), KINDS[content.kind], tuple(problems))


def _in_text(campaign: Campaign, text: str, file: str) -> Iterator[Callable[[], Proposal]]:
    """Yield a function for each stat block in a text that reads it. Raises FileProblem."""
    blocks: list[StatBlock] = []
    for piece in _pieces(text.replace("\r\n", "\n")):
        try:
            blocks += creatures_in_text(piece)
        except Wrong as wrong:
            raise FileProblem(file, 0, wrong.field, wrong.message) from None
    if not blocks:
        raise NothingKnown(file, 0, "", "holds no stat block that can be read")
    for number, block in enumerate(blocks, 1):
        yield partial(_of_text, campaign, f"creature {number}", block)


def _pieces(text: str) -> Iterator[str]:
    """Yield a long text in pieces that begin with a creature, at the last blank line before its armour class.

    A piece in which no creature begins stays too long, and is refused by its reader.
    """
    start = 0
    while True:
        begins = [found.start() for found in _BEGINS.finditer(text, start, start + _PIECE)]
        if len(text) - start <= _PIECE and len(begins) <= _AT_ONCE:
            break
        end = text.rfind("\n\n", start, begins[: _AT_ONCE + 1][-1]) if len(begins) > 1 else -1
        if end <= start:
            break
        yield text[start:end]
        start = end
    yield text[start:]


def _of_text(campaign: Campaign, place: str, block: StatBlock) -> Proposal:
    """Return what a stat block in a text becomes, unless it is only the end of a block."""
    if block.armour_class is None and block.hit_points is None:
        return Proposal(place, None, problems=(f"{place}: {_FRAGMENT}",))
    return _of_block(campaign, place, block, FOES)


def _in_data(campaign: Campaign, content: Content) -> Iterator[Callable[[], Proposal]]:
    """Yield a function for each creature of another program's data that reads it."""
    mapping = MAPPINGS[content.kind]
    for number, held in enumerate(content.creatures, 1):
        data, side = held, FOES
        if isinstance(held, FoundCreature):
            data, side = held.data, campaign.table.players if held.is_player else FOES
        yield partial(_of_data, campaign, f"creature {number}", mapping, data, side)


def _of_data(
    campaign: Campaign, place: str, mapping: Callable[[Any], StatBlock], data: Any, side: str
) -> Proposal:
    try:
        block = mapping(data)
    except Wrong as wrong:
        return Proposal(place, None, problems=(f"{place}: {wrong.as_written}",))
    return _of_block(campaign, place, block, side)


def _of_block(campaign: Campaign, place: str, block: StatBlock, side: str) -> Proposal:
    """Return what a stat block becomes in this game."""
    try:
        made = sheet_of(campaign.ruleset, block)
        sheet = read_sheet(campaign.ruleset, made.fields, "")
    except (Wrong, InputError) as wrong:
        return Proposal(place, None, problems=(f"{place}, {block.name}: {wrong}",))
    return Proposal(place, RosterEntry("", side, sheet), made.fields, made.lines)


def _of_tables(campaign: Campaign, found: TableEntry) -> Proposal:
    """Return what a table or a line of Affray's own formats becomes."""
    entry, problems = read_found(campaign, found)
    return Proposal(found.place, entry, problems=problems, typed=found.line)


def _compared(campaign: Campaign, makers: Sequence[Callable[[], Proposal]], tell: Tell) -> Iterator[Proposal]:
    """Yield the proposals, each compared with the roster and with the earlier ones, and with a free id."""
    known = {plain_word(word): entry for entry in campaign.roster.values() for word in (entry.id, entry.name)}
    taken = taken_ids(campaign)
    for done, make in enumerate(makers):
        tell(done, len(makers))
        proposal = make()
        if (entry := proposal.entry) is None:
            yield proposal
            continue
        if (here := known.get(plain_word(clean(entry.name)))) is not None:
            yield evolve(proposal, here=here, changes=differences(here, entry))
            continue
        entry = evolve(entry, id=free_id(entry.name, taken, "kind"))
        taken.add(entry.id)
        known[plain_word(clean(entry.name))] = known[plain_word(entry.id)] = entry
        yield evolve(proposal, entry=entry)


# Keeping


@frozen
class Kept:
    """The result of an import: the campaign, the new entries, and the replaced ones before the import."""

    campaign: Campaign
    made: tuple[RosterEntry, ...] = ()
    replaced: tuple[RosterEntry, ...] = ()


def keep(
    campaign: Campaign,
    proposals: Iterable[Proposal],
    existing: Existing = "leave",
    tell: Tell = silent,
) -> Kept:
    """Write the new creatures to the roster, all or none. Raises NotSaved, or what `tell` raises.

    `existing`: what to do with creatures that differ from the entry of the same name.
    """
    chosen = [each for each in proposals if each.is_new or (each.differs and existing != "leave")]
    check_is_there(campaign.path)
    make_folder(campaign.path / ROSTER)
    roster, taken = dict(campaign.roster), taken_ids(campaign)
    made: list[RosterEntry] = []
    replaced: list[RosterEntry] = []
    try:
        for done, proposal in enumerate(chosen):
            tell(done, len(chosen))
            entry = proposal.entry
            assert entry is not None
            if proposal.is_new:
                written = _written(campaign, entry, proposal)
            elif existing == "replace" and proposal.here is not None and proposal.here.id in roster:
                here = roster[proposal.here.id]
                saved = save_entry(campaign, evolve(here, side=entry.side, sheet=entry.sheet))
                roster[here.id] = saved.roster[here.id]
                replaced.append(here)
                continue
            else:
                name = next_title(entry.name, [other.name for other in roster.values()])
                id = free_id(name, taken, "kind")
                named = evolve(entry, id=id, sheet=replace(entry.sheet, name=name))
                written = _written(campaign, named, proposal)
            roster[written.id] = written
            taken.add(written.id)
            made.append(written)
        _sync(campaign, made)
    except BaseException:
        _remove(campaign, made, replaced)
        raise
    found = evolve(campaign, roster=dict(sorted(roster.items())))
    return Kept(found, tuple(made), tuple(replaced))


def _written(campaign: Campaign, entry: RosterEntry, proposal: Proposal) -> RosterEntry:
    """Write a new entry, still without waiting for the disk; return it. Raises NotSaved."""
    if proposal.fields:
        party = {"party": entry.party} if entry.party else {}
        fields = {name: value for name, value in proposal.fields.items() if name != "name"}
        head = {**version_mark(campaign.ruleset), "name": entry.name, "side": entry.side}
        tables = {**head, **party, **fields}
    else:
        tables = entry_tables(campaign.ruleset, entry)
    data = document({"format": FORMAT, **tables})
    file = roster_file(entry.id)
    if os.path.lexists(campaign.path / file):
        raise Changed(file)
    try:
        replace_file(campaign.path / file, data, durable=False)
    except OSError as error:
        raise NotSaved(f"{file} was not saved: {disk_words(error)}") from None
    return evolve(entry, source=data)


def _sync(campaign: Campaign, made: Sequence[RosterEntry]) -> None:
    """Wait until all new entries are on the disk, which takes far less time than one by one."""
    if not made:
        return
    try:
        for entry in made:
            with (campaign.path / roster_file(entry.id)).open("rb") as file:
                sync(file.fileno())
        sync_folder(campaign.path / ROSTER)
    except OSError as error:
        raise NotSaved(f"the import was not saved: {disk_words(error)}") from None


def _remove(
    campaign: Campaign,
    made: Iterable[RosterEntry],
    replaced: Iterable[RosterEntry],
) -> None:
    """Remove what was written before an error."""
    for entry in made:
        (campaign.path / roster_file(entry.id)).unlink(missing_ok=True)
    for entry in replaced:
        if entry.source is not None:
            write_atomic(campaign.path / roster_file(entry.id), entry.source)


def take_back(campaign: Campaign, kept: Kept) -> tuple[Campaign, list[str]]:
    """Undo an import; return the campaign, and the names of entries that were changed since and stay.

    Raises NotSaved.
    """
    roster, stay = dict(campaign.roster), list[str]()
    for entry in kept.made:
        now = roster.get(entry.id)
        if now is None:
            continue
        if now.source != entry.source:
            stay.append(now.name)
            continue
        try:
            (campaign.path / roster_file(entry.id)).unlink(missing_ok=True)
        except OSError as error:
            raise NotSaved(f"{roster_file(entry.id)} was not removed: {disk_words(error)}") from None
        del roster[entry.id]
    for before in kept.replaced:
        now = roster.get(before.id)
        if now is None or now.source != kept.campaign.roster[before.id].source or before.source is None:
            stay.append(before.name)
            continue
        file = roster_file(before.id)
        write_atomic(campaign.path / file, before.source)
        roster[before.id] = entry_of(before.id, before.source, campaign.ruleset, file)
    return evolve(campaign, roster=roster), stay
