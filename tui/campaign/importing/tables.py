"""Read characters and creatures from a TOML or CSV text.

TOML holds one entry, or lists of tables such as `[[creatures]]`. CSV begins with a line of field names, such
as `name,max_hp,abilities.melee,weapons.sword.damage`, or of the words that a sheet's typed line takes (`Max
life`, `Melee`). Anything that a sheet can't hold is left out and reported.
"""

import csv
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Any

from systems.contract.ruleset import FOES, Ruleset
from systems.errors import Wrong, unknown
from systems.frozen import frozen
from systems.language.readings import SheetLine
from systems.language.sheet_labels import known_names, near_label
from systems.language.sheet_lines import meant_path, read_sheet_line
from systems.language.sheet_words import lines_of
from systems.schema.conversion import plain_of, type_at
from systems.schema.entries import with_known_names
from systems.schema.entry_lines import EntryLine
from systems.schema.fields import Entries, Entry, Record, fields_of, former_names, with_present_names
from systems.sheets import VERSION, present_fields, read_sheet
from systems.text import clean, find_word, shown, spelled, spoken
from tui.campaign.campaign import TAGS, Campaign, RosterEntry
from tui.campaign.problems import FileProblem
from tui.campaign.toml.limits import TOO_DEEP, too_costly

MOST = 5_000
_TRACKERS = ("format", "kind")
_NOT_ON_SHEET = ("side", "party")  # fields of an entry that are not on its sheet
_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


@frozen
class TableEntry:
    """One entry of a file: its place there, its fields as plain data, and the problems found so far."""

    place: str
    tables: dict[str, Any]
    problems: tuple[str, ...] = ()
    line: SheetLine | None = None


def found_in_tables(
    campaign: Campaign, text: str, file: str, *, is_toml: bool
) -> tuple[list[TableEntry], list[str]]:
    """Return the entries of a TOML or CSV text, and the problems of its heading. Raises FileProblem."""
    if not is_toml:
        return _of_csv(campaign, text, file)
    if too_costly(text.encode()):
        raise FileProblem(file, 0, "", TOO_DEEP)
    return list(_of_toml(campaign, text, file)), []


def read_found(campaign: Campaign, found: TableEntry) -> tuple[RosterEntry | None, tuple[str, ...]]:
    """Return an entry without an id, or None if it was left out, and its problems."""
    ruleset, tables, problems = campaign.ruleset, dict(found.tables), list(found.problems)
    name = clean(tables.get("name") or "") if isinstance(tables.get("name", ""), str) else ""
    if not name:
        return None, (*problems, f"{found.place}: it has no name, and was left out")
    extra = {word: tables.pop(word, default) for word, default in (("side", FOES), ("party", ""))}
    for word, value in extra.items():
        if not isinstance(value, str) or (word == "side" and not clean(value)):
            problems.append(f"{found.place}, {name}: {word}: expected a text, got {shown(value)}")
            extra[word] = FOES if word == "side" else ""
    for word in (*_TRACKERS, TAGS):
        tables.pop(word, None)
    try:
        tables = _present_version(ruleset, tables)
    except Wrong as wrong:
        return None, (*problems, f"{found.place}, {name}: {wrong.as_written}; it was left out")
    sheet = _sheet(ruleset, {**tables, "name": name}, f"{found.place}, {name}", problems)
    entry = RosterEntry("", clean(extra["side"], 40), sheet, clean(extra["party"], 40))
    return entry, tuple(clean(problem, 300) for problem in problems)


def _present_version(ruleset: Ruleset, tables: dict[str, Any]) -> dict[str, Any]:
    """Return the tables with the fields of the game's present version. Raises Wrong for a newer version's."""
    if tables.get(VERSION, 1) == ruleset.version:
        return {word: value for word, value in tables.items() if word != VERSION}
    return present_fields(ruleset, tables)


def _sheet(ruleset: Ruleset, tables: dict[str, Any], place: str, problems: list[str]) -> Any:
    """Return a sheet of all fields that it can hold. Others are reported and left out."""
    tables = dict(_present_names(ruleset, tables, place, problems))
    tables = dict(_read_lists(ruleset, tables, place, problems))
    while True:
        try:
            return read_sheet(ruleset, with_present_names(ruleset.sheet, tables), "")
        except Wrong as wrong:
            problems.append(f"{place}: {wrong.as_written}")
            _leave_out(tables, wrong.field)


def _present_names(
    ruleset: Ruleset, tables: Mapping[str, Any], place: str, problems: list[str]
) -> Iterator[tuple[str, Any]]:
    """Return the tables with the sheet's own field names. Unknown fields are reported and left out."""
    known = fields_of(ruleset.sheet)
    for word, value in tables.items():
        try:
            yield _field(ruleset, word), value
        except Wrong as wrong:
            if word not in known:
                problems.append(f"{place}: {wrong.as_written}")


def _field(ruleset: Ruleset, word: str) -> str:
    """Return the field of the sheet that a word spells, ignoring case and spelling. Raises Wrong."""
    known, former = fields_of(ruleset.sheet), former_names(ruleset.sheet)
    found = spelled(word, [*known, *former])
    if len(found) != 1:
        raise unknown(word, "unknown field", word, known, "unknown_field")
    return former.get(found[0], found[0])


def _leave_out(tables: dict[str, Any], field: str) -> None:
    """Remove the value at a path from plain data; if there is none, remove the value it is missing from."""
    steps: list[Any] = [int(at) if at else word for at, word in _STEP.findall(field)]
    holders: list[Any] = [tables]
    for step in steps:
        inside = _inside(holders[-1], step)
        if inside is None:
            break
        holders.append(inside)
    at = len(holders) - 1
    if at < 1:
        tables.pop(steps[0] if steps else "", None) if steps and steps[0] in tables else tables.clear()
        return
    del holders[at - 1][steps[at - 1]]


def _inside(holder: Any, step: Any) -> Any:
    if isinstance(holder, dict):
        return holder.get(step)
    if isinstance(holder, list) and isinstance(step, int) and step < len(holder):
        return holder[step]
    return None


# TOML


def _of_toml(campaign: Campaign, text: str, file: str) -> Iterator[TableEntry]:
    """Yield the entries of a TOML file: each table or typed line of its lists, else the whole file."""
    try:
        tables = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileProblem(file, 0, "", f"is not TOML: {error}") from None
    typed = {name: rows for name, rows in tables.items() if _is_list_of_texts(rows)}
    if "name" not in tables and typed:
        for name, rows in typed.items():
            for number, row in enumerate(rows, 1):
                yield _of_line(campaign, f"{name} {number}", row)
        return
    lists = {
        name: rows
        for name, rows in tables.items()
        if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows)
    }
    if "name" in tables or not lists:
        yield TableEntry(file, tables)
        return
    head = {VERSION: tables[VERSION]} if VERSION in tables else {}
    for name, rows in lists.items():
        for number, row in enumerate(rows, 1):
            yield TableEntry(f"{name} {number}", {**head, **row})


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(text, str) for text in value)


def _of_line(campaign: Campaign, place: str, line: str) -> TableEntry:
    """Return the entry of a typed line, such as `Sera melee 45 life 50`. Unknown parts are reported."""
    ruleset = campaign.ruleset
    found = read_sheet_line(ruleset, line, _known(campaign))
    extra = {word: value for word, value in (("side", found.side), ("party", found.party)) if value}
    wrong = [f"{place}: {part.says}" for part in found.parts if part.kind in ("error", "near")]
    tables = {VERSION: ruleset.version, "name": found.name, **found.fields, **extra}
    return TableEntry(place, tables, tuple(wrong), found)


def _known(campaign: Campaign) -> dict[str, str]:
    """Return the names of tables that typed lines of a campaign may use."""
    templates = campaign.ruleset.templates(campaign.house)
    return known_names(campaign.ruleset, [templates.player, templates.creature])


def _read_lists(
    ruleset: Ruleset, tables: Mapping[str, Any], place: str, problems: list[str]
) -> Iterator[tuple[str, Any]]:
    """Yield the fields, with each entry of a list that is a text read as a typed line."""
    known = fields_of(ruleset.sheet)
    read: dict[str, Any] = dict(tables)
    for name, value in tables.items():
        type = known[name].type if name in known else None
        if isinstance(type, Entries) and isinstance(value, list):
            read[name] = list(_entries_of_lines(type, name, value, place, problems))
    # Names are checked when every list is read, because a weapon may name a counter of a later list.
    for name, value in read.items():
        yield (
            name,
            list(_plain_entries(name, value, read, place, problems)) if value is not tables[name] else value,
        )


def _entries_of_lines(
    type: Entries, name: str, value: Sequence[Any], place: str, problems: list[str]
) -> Iterator[Any]:
    """Yield the entries of a list, each text read as a typed line; report a bad one and leave it out."""
    for number, entry in enumerate(value, 1):
        try:
            yield EntryLine(type.of).typed(entry) if isinstance(entry, str) else entry
        except Wrong as wrong:
            problems.append(f"{place}: {name} {number}: {wrong.message}")


def _plain_entries(
    name: str, entries: Sequence[Any], tables: Mapping[str, Any], place: str, problems: list[str]
) -> Iterator[Any]:
    """Yield entries as plain data, their names spelled as on the sheet; a near miss is reported."""
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, Entry):
            yield entry
            continue
        try:
            yield plain_of(with_known_names(entry, lambda table: tables.get(table) or ()))
        except Wrong as wrong:
            problems.append(f"{place}: {name} {number}: {wrong.message}")


# CSV


def _of_csv(campaign: Campaign, text: str, file: str) -> tuple[list[TableEntry], list[str]]:
    """Return the entries of a CSV file, one per line, and the problems of its heading. Raises FileProblem."""
    heading = text.lstrip("\n").partition("\n")[0]
    between = max(",;\t", key=heading.count)
    reader = csv.reader(StringIO(text, newline=""), delimiter=between, skipinitialspace=True)
    try:
        rows = [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise FileProblem(file, reader.line_num, "", f"is not CSV: {error}") from None
    if not rows:
        raise FileProblem(file, 0, "", "is empty: the first line names the fields, such as name,max_hp")
    problems: list[str] = []
    columns = list(_columns(campaign, [word.strip() for word in rows[0][1]], problems))
    if ("name",) not in columns:
        raise FileProblem(
            file, rows[0][0], "", "the first line must list the fields, and one of them must be name"
        )
    return [_of_row(campaign.ruleset, line, row, columns) for line, row in rows[1:]], problems


def _columns(campaign: Campaign, heading: Sequence[str], problems: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the path of fields that each heading means; () for an unknown one, which is reported.

    If a value has no column for its maximum, its column is the maximum, as in a typed line: `HP` alone is max
    HP.
    """
    ruleset, known = campaign.ruleset, _known(campaign)
    found: list[tuple[str, ...]] = []
    for word in heading:
        try:
            found.append(_column(ruleset, word, known) if word else ())
        except Wrong as wrong:
            problems.append(f"the column {wrong.as_written}")
            found.append(())
    fields = fields_of(ruleset.sheet)
    for path in found:
        full = fields[path[0]].same_as if len(path) == 1 and path[0] in fields else ""
        yield (full,) if full and (full,) not in found else path


def _column(ruleset: Ruleset, word: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """Return the path of fields that a heading means. Raises Wrong."""
    steps = tuple(step.strip() for step in word.split("."))
    if extra := find_word(steps[0], _NOT_ON_SHEET):
        return (extra,)
    try:
        first = _field(ruleset, steps[0])
    except Wrong:
        if path := meant_path(ruleset, word, known):
            return path
        if near := near_label(ruleset, word, known):
            says = f"unknown field; did you mean {near}?"
            raise Wrong(word, says, code="unknown_field", suggestion=near, word=word) from None
        raise
    return (first, *_inner_steps(ruleset, first, steps[1:]))


def _inner_steps(ruleset: Ruleset, first: str, steps: Sequence[str]) -> Iterator[str]:
    """Yield the steps of a path below a field, each field by its declared name. Raises Wrong."""
    outer = type_at(Record(ruleset.sheet), (first,))
    for step in steps:
        is_entry = isinstance(outer, Entries)
        known = fields_of(outer.of) if isinstance(outer, Record) else ()
        name = next(iter(spelled(step, known)), step)
        inner = type_at(outer, (0 if is_entry else name,)) if outer is not None else None
        if inner is None:
            path = ".".join((first, *steps))
            raise unknown(path, "unknown field", step, map(spoken, known), "unknown_field")
        outer = inner
        yield name


def _of_row(
    ruleset: Ruleset, line: int, row: Sequence[str], columns: Sequence[tuple[str, ...]]
) -> TableEntry:
    """Return the entry in one line of a CSV file."""
    # Cells are always typed for the current version of the game.
    tables: dict[str, Any] = {VERSION: ruleset.version}
    problems: list[str] = []
    for path, cell in zip(columns, row, strict=False):
        word = cell.strip()
        if not path or not word:
            continue
        try:
            _put(ruleset, tables, path, word)
        except Wrong as wrong:
            problems.append(f"line {line}: {wrong.as_written}")
    if len(row) > len(columns):
        extra = len(row) - len(columns)
        problems.append(f"line {line}: {extra} value{'' if extra == 1 else 's'} without a column")
    return TableEntry(f"line {line}", tables, tuple(problems))


def _put(ruleset: Ruleset, tables: dict[str, Any], path: tuple[str, ...], word: str) -> None:
    """Put the value of a cell at a path of the sheet. Raises Wrong if it is invalid there."""
    if path[0] in _NOT_ON_SHEET:
        tables[path[0]] = word
        return
    type: Any = Record(ruleset.sheet)
    holder: Any = tables
    for at, step in enumerate(path):
        place = ".".join(path[: at + 1])
        is_entry = isinstance(type, Entries)
        type = type_at(type, (0 if is_entry else step,))
        if at == len(path) - 1:
            if is_entry:
                _entry_of(holder, step).update(plain_of(EntryLine(type.of, step).typed(word, place)))
            elif isinstance(type, Entries):
                # Read after the rest of the row, since a weapon may name an ability of the same row.
                holder[step] = [line for line in lines_of(word) if line.strip()]
            else:
                holder[step] = plain_of(type.typed(word, place))
        elif is_entry:
            holder = _entry_of(holder, step)
        else:
            holder = holder.setdefault(step, [] if isinstance(type, Entries) else {})


def _entry_of(entries: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """Return the entry of that name in a list; add it if it is missing."""
    for entry in entries:
        if entry.get("name") == name:
            return entry
    entries.append({"name": name})
    return entries[-1]
