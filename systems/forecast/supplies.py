"""What a fight uses up: the points of a sheet's meters, and every number that is declared as a supply."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from systems.contract.ruleset import Ruleset
from systems.schema.conversion import entry_named
from systems.schema.fields import Entries, Field, fields_of


def used_between(game: Ruleset, before: Any, after: Any) -> Iterator[tuple[str, int]]:
    """Yield how much less is left on a sheet after a fight, by the path of each number.

    Meters come first, then supplies such as `aether_marks` and `spell_slots.level 1.left` in the order of the
    sheet. The number is below 0 if more is left than before. Meters that end with the encounter, such as
    action points, are left out.
    """
    meters = {meter.now for meter in game.meters}
    kept = fields_of(game.sheet)
    for meter in game.meters:
        if kept[meter.now].is_kept and (had := meter.of(before)):
            yield meter.now, had[0] - (meter.of(after) or (0, 0))[0]
    of: Any = type(before)
    for name, declared in _supplies(of):
        if name not in meters:
            yield name, _used(declared, before, after)
    for name, of_entry in _entries(of):
        for entry in getattr(before, name):
            left = None if entry.refills_in_fight else entry_named(getattr(after, name), entry.name)
            for inner, declared in of_entry if left is not None else ():
                yield f"{name}.{entry.name}.{inner}", _used(declared, entry, left)


def supply_words(game: Ruleset, path: str) -> str:
    """Return what the number at a path of `used_between` counts, such as `level 1 spell slots`."""
    name, _, rest = path.partition(".")
    declared = fields_of(game.sheet)[name]
    if not rest or not isinstance(declared.type, Entries):
        return declared.label
    entry, _, inner = rest.rpartition(".")
    return f"{entry} {fields_of(declared.type.of)[inner].supply_of}".rstrip()


def _used(declared: Field, before: Any, after: Any) -> int:
    had, has = getattr(before, declared.name), getattr(after, declared.name)
    if had == has or had is None or has is None:
        return 0
    return int(had) - int(has) if declared.supply == "left" else int(has) - int(had)


@cache
def _supplies(of: Any) -> tuple[tuple[str, Field], ...]:
    return tuple((name, each) for name, each in fields_of(of).items() if each.supply)


@cache
def _entries(of: Any) -> tuple[tuple[str, tuple[tuple[str, Field], ...]], ...]:
    """Return the lists of entries that have supplies, each with these fields of an entry."""
    lists = ((name, each.type.of) for name, each in fields_of(of).items() if isinstance(each.type, Entries))
    return tuple((name, found) for name, entry in lists if (found := _supplies(entry)))
