"""Read the tables that a game ships, such as its spells, each when it is first needed.

A table is one TOML file in the game's package, with a table of fields for each entry: `[fireball]`. The index
next to it, `spells.json`, holds the names of all entries. `affray systems GAME --index` writes it.
"""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from systems.contract.ruleset import Ruleset
from systems.contract.tables import GameTable
from systems.errors import Wrong
from systems.schema.fields import Record, fields_of
from systems.text import clean, shown, spoken
from tui.campaign.creatures import index_bytes, package_folder
from tui.campaign.encounters import pointed
from tui.campaign.problems import FileProblem, NotSaved, disk_words
from tui.campaign.toml.files import parse_toml, write_atomic

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def supply(game: Ruleset) -> Ruleset:
    """Let the tables of a game read their files; return the game."""
    for table in game.tables:
        table.supply(partial(_entries, game, table), partial(_names, game, table))
    return game


def _entries(game: Ruleset, table: GameTable[Any]) -> Mapping[str, Any]:
    return read_table(game, table)[0]


def _names(game: Ruleset, table: GameTable[Any]) -> Mapping[str, str]:
    """Return the names by id from the index; from the entries if there is no readable index."""
    try:
        found = json.loads((_folder(game) / f"{table.name}.json").read_bytes())
        return {str(id): str(name) for id, name in found.items()}
    except (OSError, ValueError, AttributeError):
        return _names_of(table.entries)


def _names_of(entries: Mapping[str, Any]) -> dict[str, str]:
    return {id: str(getattr(entry, "name", None) or spoken(id)) for id, entry in entries.items()}


def _folder(game: Ruleset) -> "Traversable":
    folder = package_folder(game)
    if folder is None:
        raise FileProblem("", 0, "", f"{clean(game.title)} has no folder for its tables")
    return folder


def read_table(game: Ruleset, table: GameTable[Any]) -> tuple[dict[str, Any], list[FileProblem]]:
    """Return the entries of a table by id, and the problems of bad ones."""
    file = f"{table.name}.toml"
    try:
        data = (_folder(game) / file).read_bytes()
        tables = parse_toml(data, file)
    except OSError as error:
        return {}, [FileProblem(file, 0, "", f"cannot be read: {disk_words(error)}")]
    except FileProblem as problem:
        return {}, [problem]
    del tables["format"]
    found: dict[str, Any] = {}
    problems: list[FileProblem] = []
    for id, fields in tables.items():
        try:
            with pointed(file, data):
                found[id] = _entry(table, id, fields)
        except FileProblem as problem:
            problems.append(problem)
    return found, problems


def _entry(table: GameTable[Any], id: str, fields: object) -> Any:
    """Return one entry. Raises Wrong."""
    if not id.isidentifier() or id != id.lower():
        raise Wrong(id, "expected an id of lower-case letters, digits and underscores")
    if not isinstance(fields, dict):
        raise Wrong(id, f"expected a table of fields, got {shown(fields)}")
    is_named = "name" in fields_of(table.of) and "name" not in fields
    named = {"name": spoken(id).capitalize(), **fields} if is_named else fields
    return Record(table.of).check(named, id)


def write_indexes(game: Ruleset) -> tuple[dict[str, int], list[FileProblem]]:
    """Write the index of each table; return the numbers of entries by table, and the problems.

    Raises NotSaved if the game is inside a zip file.
    """
    counts: dict[str, int] = {}
    problems: list[FileProblem] = []
    for table in game.tables:
        folder = _folder(game)
        if not isinstance(folder, Path):
            raise NotSaved(f"{clean(game.title)} has no writable folder")
        entries, bad = read_table(game, table)
        write_atomic(folder / f"{table.name}.json", index_bytes(_names_of(entries)))
        counts[table.name] = len(entries)
        problems += bad
    return counts, problems
