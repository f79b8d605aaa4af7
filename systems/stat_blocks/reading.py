"""A stat block as a sheet of one game, with a line of the report for each piece of its text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from systems.contract.ruleset import Ruleset
from systems.contract.stat_block import ABILITIES, BlockLine, BlockSheet, Feature, StatBlock, StatBlockReader
from systems.plugins.loading import declared_function
from systems.schema.conversion import every_error
from systems.schema.fields import Record, visible_fields
from systems.schema.types import Whole
from systems.stat_blocks.prose import feature
from systems.text import clean, plain_word

MOST_NOTES = 8_000  # characters of a sheet's notes
_SCALE = "the number is taken over; the scale of this game may differ"


def sheet_of(game: Ruleset, block: StatBlock) -> BlockSheet:
    """Return the plain sheet of a stat block, which the game has checked, and the lines of the report.

    A field that the game refuses is left out and reported as a problem. Raises NoSuchGame if the game's own
    reader cannot be loaded.
    """
    features = tuple(feature(paragraph) for paragraph in block.paragraphs)
    reader: StatBlockReader | None = declared_function(game.stat_blocks) if game.stat_blocks else None
    found = reader(block, features) if reader else _by_label(game, block, features)
    fields, refused = _without_errors(game, {"name": clean(block.name) or "Nameless", **found.fields})
    return BlockSheet(fields, (*block.lines, *found.lines, *refused))


def _without_errors(game: Ruleset, given: dict[str, Any]) -> tuple[dict[str, Any], list[BlockLine]]:
    """Return the fields that the game accepts, and a line for each part that it refuses."""
    fields, lines = dict(given), list[BlockLine]()
    while errors := list(every_error(Record(game.sheet), fields)):
        for path in sorted({_whole_part(error.path) for error in errors}, reverse=True):
            error = next(each for each in errors if _whole_part(each.path) == path)
            left = _left_out(fields, path)
            lines.append(BlockLine(left or error.path, problem=str(error)))
    return fields, lines


def _whole_part(path: str) -> str:
    """Return the path of the field or the list entry that a path leads into: `attacks[1]`, `saves.wisdom`."""
    found = re.match(r"(\w+)(\[[0-9]{1,4}\]|\.\w+)?", path)
    return found[0] if found else path


def _left_out(fields: dict[str, Any], path: str) -> str:
    """Remove the part at a path; return its name if it has one."""
    name, is_entry, index = path.partition("[")
    field, is_key, key = path.partition(".")
    if is_entry:
        entry = fields[name][int(index[:-1])]
        fields[name] = [each for at, each in enumerate(fields[name]) if at != int(index[:-1])]
        return str(entry.get("name", "")) if isinstance(entry, dict) else str(entry)
    if is_key and isinstance(fields.get(field), dict) and key in fields[field]:
        fields[field] = {each: value for each, value in fields[field].items() if each != key}
        return path
    fields.pop(field if is_key else name, None)
    return ""


# Games without a reader of their own


def _by_label(game: Ruleset, block: StatBlock, features: Sequence[Feature]) -> BlockSheet:
    """Return the name and the figures whose labels are those of the block's figures; the rest as notes."""
    known = {plain_word(label): (source, number) for label, source, number in _labelled(block)}
    fields: dict[str, Any] = {}
    lines: list[BlockLine] = []
    placed = set[str]()
    for name, field in visible_fields(game.sheet).items():
        label = next((word for word in (plain_word(field.label), plain_word(name)) if word in known), "")
        if label and isinstance(field.type, Whole) and not field.same_as:
            source, number = known[label]
            fields[name] = number
            placed.add(source)
            text = block.sources.get(source, "") or f"{label} {number}"
            lines.append(BlockLine(text, f"{field.label} {number}", _SCALE))
    left = {source: text for source, text in block.sources.items() if source not in placed and text}
    lines += [BlockLine(text, problem="no such field in this game") for text in dict.fromkeys(left.values())]
    lines += [
        BlockLine(each.name, "a note", problem="not understood in this game; kept as a note")
        for each in features
    ]
    if text := notes_of(features):
        fields["notes"] = text
    return BlockSheet(fields, tuple(lines))


def _labelled(block: StatBlock) -> Iterator[tuple[str, str, int]]:
    """Yield each figure with a label that a game may give it, and the field of the block."""
    if block.hit_points is not None:
        for label in ("hit points", "hp", "max hp", "max hit points", "maximum hit points"):
            yield label, "hit_points", block.hit_points
    if block.armour_class is not None:
        yield from ((label, "armour_class", block.armour_class) for label in ("armour class", "ac"))
    if block.initiative is not None:
        yield "initiative", "initiative", block.initiative
    for ability in ABILITIES:
        if ability in block.abilities:
            yield ability, f"abilities.{ability}", block.abilities[ability]
            yield ability[:3], f"abilities.{ability}", block.abilities[ability]
    for skill, bonus in block.skills.items():
        yield skill, "skills", bonus


def notes_of(features: Iterable[Feature]) -> str:
    """Return paragraphs as the text of a sheet's notes."""
    return "\n".join(f"{each.name}: {each.text}" if each.text else each.name for each in features)[
        :MOST_NOTES
    ]
