"""Sheets as plain data: read, written with their status, changed by an outcome."""

from collections.abc import Mapping
from typing import Any

from systems.contract.display import StatusWord
from systems.contract.ruleset import Ruleset
from systems.errors import Wrong
from systems.schema.conversion import read, replace, with_defaults, within, write
from systems.schema.fields import Entries, Lifetime, fields_of, with_present_names
from systems.text import shown

# How long values last that do not outlast an encounter.
_PASSING: tuple[Lifetime, ...] = ("turn", "round", "encounter")
_EMPTY = (None, ())
# The version of the game in a file or an event, if it is not 1.
VERSION = "game_version"


def read_sheet(game: Ruleset, given: object, path: str) -> Any:
    """Read a sheet from plain data; a derived `status` is accepted and ignored. Raises Wrong."""
    if isinstance(given, Mapping) and "status" in given and not game.stored_status:
        if not isinstance(given["status"], str) or not given["status"]:
            raise Wrong(f"{path}.status", f"expected a text, got {shown(given['status'])}")
        given = {name: value for name, value in given.items() if name != "status"}
    return read(game.sheet, given, path)


def converted(game: Ruleset, version: int, sheet: Mapping[str, Any], to: int | None = None) -> dict[str, Any]:
    """Convert a plain sheet of an older game version to a later one, by default the current one.

    Raises Wrong when the game cannot convert it.
    """
    found = dict(sheet)
    for step in range(version, game.version if to is None else to):
        found = dict(game.migrate(step, found))
    return found


def check_version(game: Ruleset, version: object) -> int:
    """Return the game version that wrote a file. Raises Wrong for a newer one."""
    if type(version) is not int or version < 1:
        raise Wrong(VERSION, f"expected a whole number from 1 on, got {shown(version)}", code="wrong_type")
    if version > game.version:
        says = (
            f"was written by version {version} of {game.title}; the one installed is version {game.version}"
        )
        raise Wrong(VERSION, says, code="newer")
    return version


def version_mark(game: Ruleset) -> dict[str, int]:
    """Return the game version as a file or event stores it: nothing for version 1."""
    return {} if game.version == 1 else {VERSION: game.version}


def present_fields(game: Ruleset, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a sheet's own file in the game's present version. Raises Wrong."""
    fields = {name: value for name, value in given.items() if name != VERSION}
    version = check_version(game, given.get(VERSION, 1))
    return dict(with_present_names(game.sheet, converted(game, version, fields)))


def write_sheet(game: Ruleset, sheet: Any, house: Any) -> dict[str, Any]:
    """Return the whole sheet as plain data, with its status."""
    return {**write(sheet), "status": game.status(sheet, house)}


def status_on_joining(game: Ruleset, sheet: Any, house: Any, *, is_player: bool) -> StatusWord:
    """Return the status that a combatant made from a roster's sheet begins with."""
    return game.status_word(game.status(changed(sheet, game.join(sheet, is_player)), house))


def with_fresh_turn(sheet: Any) -> Any:
    """Return the sheet with turn and round fields at their default, as an encounter begins."""
    return with_defaults(sheet, ("turn", "round"))


def kept_fields(before: Any, after: Any) -> dict[str, object]:
    """Return the fields of `after` that differ from `before` and outlast an encounter.

    Fields of entries that do not outlast it, such as a power's recharge, are left at their defaults.
    """
    found: dict[str, object] = {}
    for name, field in fields_of(type(after)).items():
        old, new = getattr(before, name), getattr(after, name)
        if isinstance(field.type, Entries) and old != new:
            old, new = (tuple(with_defaults(entry, _PASSING) for entry in part) for part in (old, new))
        # An absent list and an empty one, such as a creature's habits, say the same.
        if field.is_kept and old != new and not (old in _EMPTY and new in _EMPTY):
            found[name] = new
    return found


def changed(sheet: Any, changes: Mapping[str, object]) -> Any:
    """Return the sheet with an outcome's changes; a number stops at the end of its field's range."""
    if not changes:
        return sheet
    known = fields_of(type(sheet))
    return replace(sheet, **{name: within(known[name].type, value) for name, value in changes.items()})
