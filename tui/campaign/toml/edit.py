"""Edit a file that a person wrote: change only what differs, and keep comments, order and layout."""

import tomllib
from collections.abc import Mapping
from typing import Any

from tui.campaign.problems import NotSaved
from tui.campaign.toml.files import text_of
from tui.campaign.toml.text import value as on_one_line

Tables = Mapping[str, Any]


def edited(data: bytes, new: Tables, file: str) -> bytes:
    """Return the file edited to hold `new`. Raises NotSaved if its layout would be lost."""
    # This import takes 4 ms, paid only by an edit of the roster.
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    text = text_of(data, file)
    old = tomllib.loads(text)
    if same(old, new):
        return data
    try:
        parsed = tomlkit.parse(text)
        _change_table(parsed, old, new)
        changed = tomlkit.dumps(parsed)
        if same(tomllib.loads(changed), new):
            return changed.encode()
    except (TOMLKitError, ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise _cannot(file) from error
    raise _cannot(file)


def _cannot(file: str) -> NotSaved:
    return NotSaved(f"{file} cannot be changed here without losing its layout: change it in an editor")


def same(first: Any, other: Any) -> bool:
    """Return whether two values are equal and of the same types; 1, 1.0 and true are three values."""
    match first, other:
        case dict(), dict():
            return first.keys() == other.keys() and all(same(first[name], other[name]) for name in first)
        case list(), list():
            return len(first) == len(other) and all(map(same, first, other))
        case _:
            return type(first) is type(other) and bool(first == other)


def _change_table(node: Any, old: Tables, new: Tables) -> None:
    """Change a table of the file from `old` to `new`."""
    for name in old:
        if name not in new:
            del node[name]
    for name, value in new.items():
        if name not in old:
            _add(node, name, value)
        elif not same(old[name], value):
            _change_value(node, name, old[name], value)


def _add(node: Any, name: str, value: Any) -> None:
    """Add a field to a table, before the blank lines and comments at its end.

    Those belong to the next table.
    """
    from tomlkit.items import Table

    body = node.value.body if isinstance(node, Table) else []
    end = len(body)
    while end and body[end - 1][0] is None:
        end -= 1
    trailing = body[end:]
    del body[end:]
    node[name] = value
    body.extend(trailing)


def _change_value(node: Any, name: Any, old: Any, new: Any) -> None:
    if isinstance(old, dict) and isinstance(new, dict):
        if old.keys() != new.keys() and _is_inline(node[name]):
            node[name] = _inline(new)
        else:
            _change_table(node[name], old, new)
    elif isinstance(old, list) and isinstance(new, list) and ((old and new) or _is_array(node[name])):
        _change_list(node[name], old, new)
    else:
        node[name] = new


def _is_array(node: Any) -> bool:
    """Return whether a list is written as one value, which may hold comments even if it is empty."""
    from tomlkit.items import Array

    return isinstance(node, Array)


def _is_inline(node: Any) -> bool:
    """Return whether a table is written as one value."""
    from tomlkit.items import InlineTable

    return isinstance(node, InlineTable)


def _inline(table: Tables) -> Any:
    """Return the table as one value, with the spaces that a person would write and tomlkit omits."""
    import tomlkit

    return tomlkit.parse(f"table = {on_one_line(table)}")["table"]


def _change_list(node: Any, old: list[Any], new: list[Any]) -> None:
    """Remove items that are gone, change items in their places, and append new ones."""
    old = list(old)
    gone = [at for at, item in enumerate(old) if not any(same(item, other) for other in new)]
    spare = len(old) - len(new)
    last = [at for at in reversed(range(len(old))) if at not in gone]
    for at in sorted((list(reversed(gone)) + last)[: max(0, spare)], reverse=True):
        del node[at]
        del old[at]
    for at, value in enumerate(new):
        if at >= len(old):
            node.append(_inline(value) if isinstance(value, dict) and _is_array(node) else value)
        elif not same(old[at], value):
            _change_value(node, at, old[at], value)
