"""A sheet as plain data: read, written with its status, and changed by an outcome."""

from collections.abc import Mapping
from typing import Any

from systems.contract.ruleset import Ruleset
from systems.errors import Wrong
from systems.schema.conversion import read, replace, with_defaults, within, write
from systems.schema.fields import fields_of
from systems.text import shown


def read_sheet(game: Ruleset, given: object, path: str) -> Any:
    """A sheet of the game from plain data; a derived `status` is accepted and ignored. Raises Wrong."""
    if isinstance(given, Mapping) and "status" in given and not game.stored_status:
        if not isinstance(given["status"], str) or not given["status"]:
            raise Wrong(f"{path}.status", f"expected a text, got {shown(given['status'])}")
        given = {name: value for name, value in given.items() if name != "status"}
    return read(game.sheet, given, path)


def write_sheet(game: Ruleset, sheet: Any, house: Any) -> dict[str, Any]:
    """The whole sheet as plain data, with its status."""
    return {**write(sheet), "status": game.status(sheet, house)}


def starting_afresh(sheet: Any) -> Any:
    """The sheet as an encounter begins: what lasts a turn or a round is at its default."""
    return with_defaults(sheet, ("turn", "round"))


def kept_fields(before: Any, after: Any) -> dict[str, object]:
    """The fields of `after` that differ from `before` and outlast an encounter, with their values."""
    return {
        name: getattr(after, name)
        for name, field in fields_of(type(after)).items()
        if field.is_kept and getattr(before, name) != getattr(after, name)
    }


def changed(sheet: Any, changes: Mapping[str, object]) -> Any:
    """The sheet with an outcome's changes applied; a number stops at the end of its field's range."""
    if not changes:
        return sheet
    known = fields_of(type(sheet))
    return replace(sheet, **{name: within(known[name].type, value) for name, value in changes.items()})
