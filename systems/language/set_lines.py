"""Read `set WHO FIELD VALUE` with the words of a typed line: `weapon axe 20`, `no armour`."""

from collections.abc import Mapping
from typing import Any

from systems.contract.ruleset import Ruleset
from systems.errors import Wrong
from systems.language.paths import path_meant
from systems.language.readings import LinePart, SheetLine, singular
from systems.language.sheet_labels import TRACKERS, known_names
from systems.language.sheet_lines import read_sheet_parts
from systems.language.tokens import quote
from systems.schema.conversion import write
from systems.schema.fields import Entries, fields_of
from systems.schema.types import TableOf
from systems.text import same_word


def parts_set(
    game: Ruleset, sheet: Any, field: str, value: str, *, quoted: bool = False
) -> tuple[LinePart, ...]:
    """Return the parts that FIELD and VALUE give, read as in a typed line, or () if FIELD is a path.

    `quoted`: FIELD is in quotes, so it is the name of an entry. Raises Wrong if it is neither.
    """
    first = quote(field, always=True) if quoted else field
    found = read_sheet_parts(game, f"{first} {value}".strip(), known_names(game, [write(sheet)]))
    if kept := next((part.path[0] for part in found.parts if part.path[:1] and part.path[0] in TRACKERS), ""):
        raise Wrong(kept, "belongs to the roster, not to a fight; change it there")
    if _is_of_a_line(game, field, found):
        if not found.wrong:
            return found.parts
        _ask_about_near_miss(found)
    try:
        path_meant(sheet, field, quoted=quoted)
    except Wrong as wrong:
        if wrong.code == "unknown_field" and not found.wrong:
            return found.parts
        if wrong.code == "ambiguous":
            # More words may tell which field is meant: `per attack 8`.
            _ask_about_near_miss(found)
        raise
    return ()


def _ask_about_near_miss(found: SheetLine) -> None:
    """Raise Wrong with the suggestion if the line only has misspellings."""
    if found.instead:
        near = next(part for part in found.parts if part.kind == "near")
        raise Wrong("", near.says, suggestion=near.suggestion, word=near.text)


def _is_of_a_line(game: Ruleset, field: str, found: SheetLine) -> bool:
    """Return whether FIELD is a word of typed lines: `no`, a list's name, or a number with its maximum."""
    if same_word(field, "no"):
        return True
    lists = (each for each in fields_of(game.sheet).values() if isinstance(each.type, Entries | TableOf))
    if any(same_word(field, singular(each)) or same_word(field, each.label) for each in lists):
        return True
    return any(isinstance(part.value, Mapping) and len(part.path) == 1 and part.text for part in found.parts)
