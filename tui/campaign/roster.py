"""Change the roster and campaign.toml, which users also edit by hand. Comments and layout stay.

A file that was changed on the disk since it was read is never overwritten: that raises Changed.
"""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from systems.contract.ruleset import FOES, Ruleset
from systems.errors import Wrong
from systems.frozen import evolve
from systems.schema.conversion import replace, write
from systems.schema.fields import NEEDED, fields_of, former_names, with_present_names
from systems.sheets import VERSION, present_fields, read_sheet, version_mark
from systems.text import clean, same_word, why_too_long
from tui.campaign.campaign import (
    ROSTER,
    TAGS,
    Campaign,
    RosterEntry,
    SeatSettings,
    Settings,
    entry_of,
    roster_file,
)
from tui.campaign.creatures import shipped
from tui.campaign.encounters import ID, free_id
from tui.campaign.folders import CAMPAIGN, check_is_there, make_folder
from tui.campaign.problems import Changed, FileProblem, NotSaved, disk_words
from tui.campaign.toml.document import document
from tui.campaign.toml.edit import edited, same
from tui.campaign.toml.files import FORMAT, parse_toml, read_bytes, write_atomic
from tui.campaign.trash import TRASH, bring_back, last_thrown, move, throw_away

_HEAD = ("format", "side", "party", TAGS)  # fields of an entry's file that are not on its sheet


def save_entry(campaign: Campaign, entry: RosterEntry, earlier: bytes | None = None) -> Campaign:
    """Write a new or changed entry; return the campaign with it. Raises NotSaved, Changed.

    `earlier`: the bytes of the file when it held this entry before; they are written back unchanged.
    """
    file = roster_file(entry.id)
    if not ID.fullmatch(entry.id):
        raise NotSaved(f"{clean(entry.id)} cannot be the name of a roster file")
    path = campaign.path / file
    _check_unchanged(path, entry.source, file)
    if entry.source is None:
        check_is_there(campaign.path)
        make_folder(path.parent)
        data = document({"format": FORMAT, **entry_tables(campaign.ruleset, entry)})
    elif earlier is not None:
        data = earlier
    else:
        source = _with_present_keys(campaign.ruleset, entry.source, file)
        data = edited(source, _changed_tables(campaign.ruleset, entry, file), file)
    if data != entry.source:
        write_atomic(path, data)
    return _with(campaign, evolve(entry, source=data))


_COPY = " (copy)"  # the name of a copy until the user types one


def new_entry(
    campaign: Campaign,
    name: str,
    side: str = FOES,
    template: Mapping[str, Any] | None = None,
    party: str = "",
) -> RosterEntry:
    """Return an unsaved entry of that name with a free id.

    `template`: its first stats as plain data; by default an untouched sheet. Raises Wrong for bad stats, and
    for a player's character that shares its name with another of the party.
    """
    check_name_is_free(campaign, name, side)
    sheet = read_sheet(campaign.ruleset, {**(template or {}), "name": clean(name) or "Nameless"}, "")
    return RosterEntry(free_id(name, taken_ids(campaign), "kind"), side, sheet, clean(party, 40))


def check_length(name: str) -> None:
    """Raise Wrong if a typed name is too long."""
    if why := why_too_long(name):
        raise Wrong("", why)


def check_name_is_free(campaign: Campaign, name: str, side: str, except_id: str = "") -> None:
    """Raise Wrong if a player's character other than `except_id` has the same name."""
    if side != campaign.table.players:
        return
    players = (entry for id, entry in campaign.roster.items() if entry.side == side and id != except_id)
    if any(same_word(entry.name, name) for entry in players):
        raise name_taken(name)


def name_taken(name: str) -> Wrong:
    """Return the error for a player's character with a name that is already in the party."""
    return Wrong("", f"{clean(name, 60)} is already in the party; each character needs a different name")


def duplicate(campaign: Campaign, id: str, name: str = "") -> tuple[Campaign, str]:
    """Copy an entry under a new name, with its comments; return the campaign and the new id.

    Raises NotSaved, and FileProblem for a bad file of a shipped creature.
    """
    old = campaign.roster.get(id) or shipped(campaign.ruleset)[id].entry()
    name = clean(name) or f"{clean(old.name, 70)}{_COPY}"
    new = evolve(
        old, id=free_id(name, taken_ids(campaign), "kind"), sheet=replace(old.sheet, name=name), source=None
    )
    if old.source is None:
        return save_entry(campaign, new), new.id
    file = roster_file(new.id)
    copied = evolve(new, source=old.source)
    data = edited(old.source, _changed_tables(campaign.ruleset, copied, file), file)
    _check_unchanged(campaign.path / file, None, file)
    write_atomic(campaign.path / file, data)
    return _with(campaign, evolve(new, source=data)), new.id


def with_fitting_id(campaign: Campaign, id: str, before: str) -> tuple[Campaign, str]:
    """Change a copy's id to fit its first real name; return the campaign and the id it has now.

    `before`: its earlier name. An id stays if it came from a real name, or if an encounter or a seat refers
    to it. Raises NotSaved.
    """
    entry = campaign.roster[id]
    is_first_name = before.endswith(_COPY) and not entry.name.endswith(_COPY)
    if not is_first_name or _is_referred_to(campaign.path, id):
        return campaign, id
    new = free_id(entry.name, taken_ids(campaign), "kind")
    file = roster_file(new)
    _check_unchanged(campaign.path / file, None, file)
    try:
        move(campaign.path / roster_file(id), campaign.path / file)
    except OSError as error:
        raise NotSaved(f"{file} was not created: {disk_words(error)}") from None
    rest = _without(campaign, id)
    return _with(evolve(campaign, roster=rest), evolve(entry, id=new)), new


def _is_referred_to(folder: Path, id: str) -> bool:
    """Return whether a seat or an encounter refers to that id; True if their files can't be read."""
    wanted = id.encode()
    try:
        files = [folder / "seats.toml", *(folder / "encounters").glob("*/*.toml")]
        return any(wanted in file.read_bytes() for file in files if file.exists())
    except OSError:
        return True


def delete(campaign: Campaign, id: str) -> Campaign:
    """Remove an entry from the roster; `undelete` restores it. Raises NotSaved, Changed."""
    old, file = campaign.roster[id], roster_file(id)
    path = campaign.path / file
    _check_unchanged(path, old.source, file)
    throw_away(path, campaign.path / TRASH, id, file)
    return evolve(campaign, roster=_without(campaign, id))


def undelete(campaign: Campaign, id: str) -> Campaign:
    """Restore the entry of that id that was deleted last. Raises NotSaved, FileProblem."""
    file = roster_file(id)
    path, thrown = campaign.path / file, last_thrown(campaign.path / TRASH, id)
    if thrown is None:
        raise NotSaved(f"no deleted {clean(id)} is left to restore")
    _check_unchanged(path, None, file)
    bring_back(thrown, path, file)
    return _with(campaign, entry_of(id, read_bytes(path, file), campaign.ruleset, file))


def save_settings(
    campaign: Campaign,
    *,
    title: str | None = None,
    table: Settings | None = None,
    house: Any = None,
    seats: SeatSettings | None = None,
    earlier: bytes | None = None,
) -> Campaign:
    """Write the changes of the title, the settings and the house rules. Raises NotSaved, Changed.

    `earlier`: the bytes of the file when it held exactly these before; they are written back unchanged.
    """
    path = campaign.path / CAMPAIGN
    _check_unchanged(path, campaign.source, CAMPAIGN)
    new = parse_toml(campaign.source, CAMPAIGN)
    if title is not None and (title := clean(title, 200)):
        new["title"] = title
    parts = (
        ("table", campaign.table, table),
        ("house", campaign.house, house),
        ("seats", campaign.seats, seats),
    )
    for name, before, after in parts:
        if after is not None and after != before:
            new[name] = _merged(new.get(name, {}), write(before), write(after))
    data = edited(campaign.source, new, CAMPAIGN) if earlier is None else earlier
    if data != campaign.source:
        write_atomic(path, data)
    return evolve(
        campaign,
        title=title or campaign.title,
        table=table or campaign.table,
        house=campaign.house if house is None else house,
        seats=seats or campaign.seats,
        source=data,
    )


def _without(campaign: Campaign, id: str) -> dict[str, RosterEntry]:
    return {other: entry for other, entry in campaign.roster.items() if other != id}


def _with(campaign: Campaign, entry: RosterEntry) -> Campaign:
    return evolve(campaign, roster=dict(sorted({**campaign.roster, entry.id: entry}.items())))


def taken_ids(campaign: Campaign) -> set[str]:
    """Return the ids that a new entry cannot have, including those of unreadable files."""
    with suppress(OSError):
        return {*campaign.roster, *(file.stem for file in (campaign.path / ROSTER).iterdir())}
    return set(campaign.roster)


def _check_unchanged(path: Path, source: bytes | None, file: str) -> None:
    """Raise Changed unless the file still has the bytes that were read. None: it did not exist."""
    if source is None:
        if os.path.lexists(path):
            raise Changed(file)
        return
    try:
        if read_bytes(path, file) == source:
            return
    except FileProblem:
        pass
    raise Changed(file)


def _merged(tables: Mapping[str, Any], old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return a file's tables with only the differences between `old` and `new` applied."""
    found = {name: content for name, content in tables.items() if name in new or name not in old}
    changed = {
        name: content for name, content in new.items() if name not in old or not same(old[name], content)
    }
    return {**found, **changed}


def _changed_tables(ruleset: Ruleset, entry: RosterEntry, file: str) -> dict[str, Any]:
    """Return the tables to write for an entry, as close as possible to those in its file."""
    source = entry.source or b""
    before = entry_of(entry.id, source, ruleset, file)
    wanted = write(entry.sheet)
    tables = _merged(_present_tables(ruleset, source, file), write(before.sheet), wanted)
    if before.side != entry.side:
        tables["side"] = entry.side
    if before.party != entry.party:
        tables["party"] = entry.party
    if not entry.party:
        tables.pop("party", None)
    # A field that was left out may follow another field that has changed.
    now = write(read_sheet(ruleset, _sheet_of(tables), ""))
    return _merged(tables, now, wanted)


def _with_present_keys(ruleset: Ruleset, source: bytes, file: str) -> bytes:
    """Return the file with the current names of its fields, renamed in place so that comments stay."""
    former = former_names(ruleset.sheet)
    if not former:
        return source
    keys = b"|".join(re.escape(name.encode()) for name in former)
    pattern = re.compile(rb"^([ \t]*(?:\[\[?[ \t]*)?)(" + keys + rb")(?=[ \t]*[=.\]])", re.MULTILINE)
    changed = pattern.sub(lambda key: key[1] + former[key[2].decode()].encode(), source)
    with suppress(FileProblem):
        before, after = (parse_toml(data, file) for data in (source, changed))
        if after == with_present_names(ruleset.sheet, before):
            return changed
    return source


def _present_tables(ruleset: Ruleset, source: bytes, file: str) -> dict[str, Any]:
    """Return a file's tables with the fields of the game's present version."""
    tables = parse_toml(source, file)
    head: dict[str, Any] = {name: tables.pop(name) for name in _HEAD if name in tables}
    return {**head, **version_mark(ruleset), **present_fields(ruleset, tables)}


def _sheet_of(tables: Mapping[str, Any]) -> dict[str, Any]:
    return {name: content for name, content in tables.items() if name not in (*_HEAD, VERSION)}


def entry_tables(ruleset: Ruleset, entry: RosterEntry) -> dict[str, Any]:
    """Return the shortest tables that read as that entry, without the file's format."""
    sheet = write(entry.sheet)
    for name in reversed(list(sheet)):
        if fields_of(ruleset.sheet)[name].default is NEEDED:
            continue
        fewer = {field: value for field, value in sheet.items() if field != name}
        with suppress(Wrong):
            if read_sheet(ruleset, fewer, "") == entry.sheet:
                sheet = fewer
    head = {name: sheet.pop(name) for name in ("name",) if name in sheet}
    notes = {name: sheet.pop(name) for name in ("notes",) if name in sheet}
    party = {"party": entry.party} if entry.party else {}
    return {**version_mark(ruleset), **head, "side": entry.side, **party, **notes, **sheet}
