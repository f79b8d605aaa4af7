"""Encounters to pass on: an encounter, its creatures and the house rules, in one TOML file.

A pack holds the tables of each file as they are in the campaign: `[encounter]` those of `opening.toml`,
`[roster.guard]` those of `roster/guard.toml` with its comments, and `[house]` the house rules that differ
from their defaults. Players' characters, the log and the seats are left out. An import compares each part
with the campaign and changes nothing that exists.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from systems.encounter.campaign_rules import CONDITION, METER
from systems.encounter.model import Combatant, Encounter
from systems.encounter.serialize import plain, read_encounter
from systems.encounter.tags import leave
from systems.errors import Wrong
from systems.frozen import evolve, frozen
from systems.schema.conversion import read, without_defaults, write
from systems.schema.fields import fields_of
from systems.schema.values import as_typed
from systems.text import clean, listed, same_word, shown
from tui.campaign.campaign import ROSTER, Campaign, RosterEntry, entry_of, load, roster_file
from tui.campaign.creatures import shipped
from tui.campaign.encounters import FOLDER, ID, OPENING, folder_of, free_id, info_of
from tui.campaign.folders import CAMPAIGN, make_folder
from tui.campaign.importing.compare import differences, is_called
from tui.campaign.openings import new_encounter
from tui.campaign.problems import FileProblem
from tui.campaign.rearrange import delete_encounter, next_title
from tui.campaign.roster import taken_ids
from tui.campaign.samples import copy_files
from tui.campaign.toml.document import document
from tui.campaign.toml.edit import edited, same
from tui.campaign.toml.files import FORMAT, parse_toml, text_of, write_atomic
from tui.campaign.toml.text import key

PACK = "pack"
_ENCOUNTER, _HOUSE = "encounter", "house"
_TABLES = (_HOUSE, CONDITION, METER, _ENCOUNTER, ROSTER)
_KEYS = ("format", PACK, "system", *_TABLES)
_HEADING = "# An encounter of Affray, its creatures and house rules: affray import CAMPAIGN FILE\n"
_TABLE = re.compile(r"^([ \t]*\[{1,2}[ \t]*)", re.MULTILINE)

# Takes a campaign's folder and the id of an encounter, and returns the encounter's opening with everything
# that was prepared before its first turn.
AsBegun = Callable[[Path, str], bytes]


# Writing


@frozen
class Packed:
    """A pack as the text of its file, and what it leaves out, in words."""

    text: str
    left_out: tuple[str, ...] = ()


def pack(campaign: Campaign, encounter: str, opening: bytes) -> Packed:
    """Return an encounter of a campaign as a pack. `opening`: its opening as begun. Raises FileProblem."""
    tables = parse_toml(opening, f"{FOLDER}/{encounter}/{OPENING}")
    fight = _read(campaign, tables)
    left = [each for each in fight if each.side == fight.players]
    title = clean(fight.progress.title or encounter, 200)
    rules = parse_toml(campaign.source, CAMPAIGN)
    house = without_defaults(campaign.house)
    head: dict[str, Any] = {"format": FORMAT, PACK: title, "system": campaign.system}
    own = {name: rules[name] for name in (CONDITION, METER) if rules.get(name)}
    parts = [_HEADING, document({**head, **({_HOUSE: house} if house else {}), **own}).decode()]
    parts.append(document({_ENCOUNTER: _without_players(fight)}).decode())
    creatures = list(_creatures(campaign, fight))
    parts += [_nested(entry) for entry in creatures]
    names = [f"the players' characters ({listed([each.name for each in left])})"] if left else []
    return Packed("\n".join(parts), (*names, "the log", "the seats"))


def _read(campaign: Campaign, tables: Mapping[str, Any]) -> Encounter:
    """Return the fight that an opening begins. Raises Wrong."""
    return read_encounter(campaign.ruleset, campaign.house, campaign.order, tables, campaign.table.players)


def _without_players(fight: Encounter) -> dict[str, Any]:
    """Return a fight without the players' characters, as plain data."""
    players = [each.id for each in fight if each.side == fight.players]
    rest = leave(fight, players).with_progress(departed=())
    stays = [_without_conditions_of(each, players) for each in rest]
    order = tuple(who for who in rest.progress.order if who not in players)
    return plain(rest.with_combatants(*stays).with_progress(order=order, turn=None))


def _without_conditions_of(combatant: Combatant, players: Sequence[str]) -> Combatant:
    """Return a combatant without the conditions that name a player's character."""
    stay = tuple(held for held in combatant.conditions if not {held.source, held.of} & {*players})
    return evolve(combatant, conditions=stay)


def _creatures(campaign: Campaign, fight: Encounter) -> Iterator[RosterEntry]:
    """Yield the roster entries of the creatures in a fight, and of creatures that those can bring."""
    waiting = [each.state.kind or "" for each in fight if each.side != fight.players]
    waiting += [each.state.form for each in fight if each.side != fight.players and each.state.form]
    known: dict[str, RosterEntry] = {}
    while waiting:
        entry = campaign.roster.get(waiting.pop())
        if entry is None or entry.id in known or entry.side == campaign.table.players:
            continue
        known[entry.id] = entry
        words = set(_texts(write(entry.sheet)))
        waiting += [id for id, other in campaign.roster.items() if id in words or other.name in words]
    return (known[id] for id in sorted(known))


def _texts(value: Any) -> Iterator[str]:
    """Yield every text in plain data."""
    match value:
        case str():
            yield value
        case Mapping():
            for inner in value.values():
                yield from _texts(inner)
        case list() | tuple():
            for inner in value:
                yield from _texts(inner)


def _nested(entry: RosterEntry) -> str:
    """Return an entry's file as a table of a pack, with its comments if its layout allows it."""
    data = entry.source or b""
    path = f"{ROSTER}.{key(entry.id)}"
    own = text_of(data, roster_file(entry.id))
    text = f"[{path}]\n" + _TABLE.sub(lambda opened: f"{opened[1]}{path}.", own)
    tables = tomllib.loads(data.decode("utf-8-sig"))
    with suppress(ValueError):
        if same(tomllib.loads(text), {ROSTER: {entry.id: tables}}):
            return text if text.endswith("\n") else f"{text}\n"
    return document({ROSTER: {entry.id: tables}}).decode()


# Reading


@frozen
class Unpacked:
    """The result of importing a pack: the campaign, a sentence for each part, and whether any is new.

    `creatures`: the ids of the new creatures. `encounter`: the id of the new encounter, or "". `before`: the
    bytes of campaign.toml before the import.
    """

    campaign: Campaign
    sentences: tuple[str, ...]
    is_new: bool
    creatures: tuple[str, ...] = ()
    encounter: str = ""
    before: bytes = b""

    @property
    def changes_rules(self) -> bool:
        """Return whether the import has changed campaign.toml."""
        return self.campaign.source != self.before


def unpack(campaign: Campaign, data: bytes, file: str, as_begun: AsBegun) -> Unpacked:
    """Keep the parts of a pack that are new in a campaign. Raises FileProblem, NotSaved; then keeps none."""
    tables = parse_toml(data, file)
    _check(campaign, tables, file)
    return _Unpacking(campaign, tables, text_of(data, file), file, as_begun).all()


def tried(campaign: Campaign, data: bytes, file: str, as_begun: AsBegun) -> Unpacked:
    """Return the result of an import that is made in a copy of the campaign.

    Raises FileProblem, NotSaved, and OSError if there is no room for the copy.
    """
    with TemporaryDirectory() as folder:
        copy = Path(folder) / campaign.path.name
        copy.mkdir()
        copy_files(campaign.path, copy)
        return unpack(load(copy), data, file, as_begun)


def remove(campaign: Campaign, done: Unpacked) -> tuple[Campaign, list[str]]:
    """Undo the import of a pack; return the campaign, and the parts that were changed since and stay.

    Raises NotSaved.
    """
    stay: list[str] = []
    for id in done.creatures:
        path = campaign.path / roster_file(id)
        if (entry := campaign.roster.get(id)) is not None and entry.source == done.campaign.roster[id].source:
            path.unlink(missing_ok=True)
        elif entry is not None:
            stay.append(entry.name)
    if done.encounter:
        info = info_of(folder_of(campaign.path, done.encounter), done.encounter)
        made = done.campaign.encounters[done.encounter]
        if info.n or info.source != made.source:
            stay.append(made.title)
        else:
            delete_encounter(campaign.path, done.encounter)
    if done.changes_rules and campaign.source == done.campaign.source:
        write_atomic(campaign.path / CAMPAIGN, done.before)
    elif done.changes_rules:
        stay.append(CAMPAIGN)
    return load(campaign.path), stay


def _check(campaign: Campaign, tables: Mapping[str, Any], file: str) -> None:
    """Raise FileProblem if a pack is for another game or is incomplete."""
    game = tables.get("system")
    if game != campaign.system:
        said = f"the pack is for {clean(str(game), 60)}, and {campaign.name} plays {campaign.system}"
        raise FileProblem(file, 0, "system", said)
    for name in (PACK, *_TABLES):
        wanted: type[Any] = str if name == PACK else list if name in (CONDITION, METER) else dict
        if not isinstance(tables.get(name, wanted()), wanted):
            words = "a text" if wanted is str else "a list of tables" if wanted is list else "a table"
            raise FileProblem(file, 0, name, f"expected {words}, got {shown(tables[name])}")


class _Unpacking:
    """One import of a pack. If a part can't be written, the parts written before it are removed again."""

    def __init__(
        self, campaign: Campaign, tables: Mapping[str, Any], text: str, file: str, as_begun: AsBegun
    ) -> None:
        self._campaign, self._tables, self._text = campaign, tables, text
        self._file, self._as_begun = file, as_begun
        self._says: list[str] = []
        self._kinds: dict[str, str] = {}  # ids in the campaign by ids in the pack
        self._written: list[str] = []  # ids of new entries
        self._is_new = False

    def all(self) -> Unpacked:
        before = self._campaign.source
        try:
            self._rules()
            for id, tables in self._tables.get(ROSTER, {}).items():
                self._creature(str(id), tables)
            encounter = self._encounter()
        except BaseException:
            self._remove(before)
            raise
        for name in self._tables:
            if name not in _KEYS:
                self._says.append(f"{clean(name, 40)}: not a part of a pack, left out")
        return Unpacked(
            self._campaign, tuple(self._says), self._is_new, tuple(self._written), encounter, before
        )

    def _remove(self, campaign_file: bytes) -> None:
        """Remove what was written before an error."""
        for id in self._written:
            (self._campaign.path / roster_file(id)).unlink(missing_ok=True)
        if self._campaign.source != campaign_file:
            write_atomic(self._campaign.path / CAMPAIGN, campaign_file)

    def _say(self, sentence: str) -> None:
        self._says.append(clean(sentence, 600))

    # House rules, conditions and meters

    def _rules(self) -> None:
        """Add the rules that the campaign lacks. Its own rules stay, and each difference is named."""
        own = parse_toml(self._campaign.source, CAMPAIGN)
        new = dict(own)
        for kind in (CONDITION, METER):
            added = [part for part in self._tables.get(kind, []) if self._is_lacking(kind, part, own)]
            if added:
                new[kind] = [*own.get(kind, []), *added]
        if house := dict(self._lacking_rules(own.get(_HOUSE, {}))):
            new[_HOUSE] = {**own.get(_HOUSE, {}), **house}
        if new == own:
            return
        data = edited(self._campaign.source, new, CAMPAIGN)
        write_atomic(self._campaign.path / CAMPAIGN, data)
        self._campaign, self._is_new = evolve(self._campaign, source=data), True
        self._campaign = load(self._campaign.path)

    def _is_lacking(self, kind: str, part: Any, own: Mapping[str, Any]) -> bool:
        """Return whether the campaign lacks a condition or a meter, and report it."""
        if not isinstance(part, dict) or not isinstance(name := part.get("name"), str):
            raise FileProblem(self._file, 0, kind, f"expected a table with a name, got {shown(part)}")
        mine = next((each for each in own.get(kind, []) if same_word(str(each.get("name")), name)), None)
        if mine is None:
            self._say(f"{kind} {name}: added to campaign.toml")
        elif same(mine, part):
            self._say(f"{kind} {name}: the same is already here")
        else:
            changed = [field for field in {**mine, **part} if mine.get(field) != part.get(field)]
            differ = "differs" if len(changed) == 1 else "differ"
            self._say(f"{kind} {name}: not changed; {listed(changed)} {differ} in the pack")
        return mine is None

    def _lacking_rules(self, own: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """Yield the house rules to add: those not in campaign.toml, as long as no fight has begun."""
        campaign = self._campaign
        known = fields_of(campaign.ruleset.house)
        for name, value in self._tables.get(_HOUSE, {}).items():
            try:
                theirs = getattr(read(campaign.ruleset.house, {name: value}, _HOUSE), name)
            except Wrong as wrong:
                self._say(f"house rule {clean(name, 40)}: {wrong.as_written}; left out")
                continue
            label, mine = known[name].label, getattr(campaign.house, name)
            if mine == theirs:
                self._say(f"house rule {label}: the same is already here")
            elif name not in own and not any(info.begun for info in campaign.encounters.values()):
                self._say(f"house rule {label}: {as_typed(theirs)}, added to campaign.toml")
                yield name, value
            else:
                self._say(
                    f"house rule {label}: {as_typed(mine)} here, {as_typed(theirs)} in the pack; not changed"
                )

    # Creatures

    def _creature(self, id: str, tables: Any) -> None:
        """Add a creature unless the campaign has the same."""
        theirs = self._entry(id, tables)
        campaign = self._campaign
        named = [entry for entry in campaign.roster.values() if is_called(entry, theirs.name)]
        if not named and (ours := shipped(campaign.ruleset).get(id)) and ours.entry().name == theirs.name:
            named = [ours.entry()]
        numbered = re.compile(rf"{re.escape(theirs.name)} \([0-9]+\)")
        alike = [entry for entry in campaign.roster.values() if numbered.fullmatch(entry.name)]
        for here in (*named, *alike):
            if not differences(here, theirs):
                self._kinds[id] = here.id
                is_own = here.id in campaign.roster
                self._say(
                    f"{here.name}: the same {'is already in the roster' if is_own else 'comes with the game'}"
                )
                return
        name = theirs.name
        if named:
            name = next_title(name, [entry.name for entry in campaign.roster.values()])
        taken = taken_ids(campaign)
        new = id if ID.fullmatch(id) and id not in taken and not named else free_id(name, taken, "kind")
        self._write(theirs, new, name)
        self._kinds[id] = new
        if not named:
            self._say(f"{theirs.name}: added to the roster")
            return
        changes = "; ".join(map(str, differences(named[0], theirs)))
        self._say(f"{theirs.name} differs from the one in the roster and is kept as {name} · {changes}")

    def _entry(self, id: str, tables: Any) -> RosterEntry:
        """Return a creature of the pack with its comments. Raises FileProblem."""
        if not isinstance(tables, dict):
            raise FileProblem(self._file, 0, f"{ROSTER}.{id}", f"expected a table, got {shown(tables)}")
        file = f"{self._file}: {ROSTER}.{clean(id, 60)}"
        tables = {"format": FORMAT, **tables}
        data = _single(self._text, id, tables)
        return entry_of(id, data if data is not None else document(tables), self._campaign.ruleset, file)

    def _write(self, theirs: RosterEntry, id: str, name: str) -> None:
        """Write a creature with its comments under this id and name. Raises NotSaved."""
        file = roster_file(id)
        data = theirs.source or b""
        if name != theirs.name:
            data = edited(data, {**parse_toml(data, file), "name": name}, file)
        campaign = self._campaign
        make_folder(campaign.path / ROSTER)
        self._written.append(id)
        write_atomic(campaign.path / file, data)
        entry = entry_of(id, data, campaign.ruleset, file)
        self._campaign = evolve(campaign, roster=dict(sorted({**campaign.roster, id: entry}.items())))
        self._is_new = True

    # The encounter

    def _encounter(self) -> str:
        """Add the encounter unless the campaign has the same; return its id, or ""."""
        tables = self._tables.get(_ENCOUNTER)
        if tables is None:
            return ""
        title = clean(str(tables.get("title") or self._tables[PACK]), 200)
        opening = {**tables, "combatant": [self._with_kind(each) for each in tables.get("combatant", ())]}
        try:
            fight = _without_players(_read(self._campaign, opening))
        except Wrong as wrong:
            raise FileProblem.of(self._file, 0, Wrong(f"{_ENCOUNTER}.{wrong.field}", wrong.message)) from None
        fight.pop("title", None)
        titles = {info.title for info in self._campaign.encounters.values()}
        for info in self._campaign.encounters.values():
            if info.title.startswith(title) and self._opening_of(info.id) == fight:
                self._say(f"{info.title}: the same encounter is already here ({info.id})")
                return ""
        is_taken = title in titles
        kept = next_title(title, titles) if is_taken else title
        self._campaign, encounter = new_encounter(self._campaign, kept, fight)
        self._is_new = True
        if is_taken:
            self._say(f"{title} differs from the encounter here and is kept as {kept} ({encounter})")
        else:
            self._say(f"{title}: added as the encounter {encounter}")
        return encounter

    def _with_kind(self, combatant: Any) -> Any:
        """Return a combatant of the pack with the ids that its creatures have in the campaign."""
        if not isinstance(combatant, dict):
            return combatant
        changed = {
            name: self._kinds.get(combatant[name], combatant[name])
            for name in ("kind", "form")
            if isinstance(combatant.get(name), str)
        }
        return {**combatant, **changed}

    def _opening_of(self, encounter: str) -> Mapping[str, Any] | None:
        """Return an existing encounter as a pack holds it, without its title; None if it is unreadable."""
        try:
            found = _without_players(
                _read(self._campaign, parse_toml(self._as_begun(self._campaign.path, encounter), OPENING))
            )
        except (FileProblem, Wrong):
            return None
        return {name: value for name, value in found.items() if name != "title"}


def _single(text: str, id: str, tables: Mapping[str, Any]) -> bytes | None:
    """Return the text of one creature in a pack as a file of its own; None if its layout can't be kept."""
    path = f"{ROSTER}.{key(id)}"
    start = re.search(rf"^\[{re.escape(path)}\][ \t]*\r?\n", text, re.MULTILINE)
    if start is None:
        return None
    end = re.compile(rf"^[ \t]*\[(?!\[?[ \t]*{re.escape(path)}\.)", re.MULTILINE).search(text, start.end())
    own = text[start.end() : end.start() if end else len(text)]
    single = re.sub(rf"^([ \t]*\[{{1,2}}[ \t]*){re.escape(path)}\.", r"\g<1>", own, flags=re.MULTILINE)
    with suppress(ValueError):
        if same(tomllib.loads(single), tables):
            return f"{single.rstrip()}\n".encode()
    return None
