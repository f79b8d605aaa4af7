"""Everything that is wrong with a table of declared fields, where reading it stops at the first."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from systems.contract.ruleset import Ruleset
from systems.encounter.model import ActiveCondition, CombatantState
from systems.encounter.serialize import read_combatant
from systems.errors import Wrong
from systems.schema.conversion import every_error
from systems.schema.fields import Record

MOST = 50  # problems of one file


def every_wrong(cls: type, reads: Callable[[Any], object], given: Any, path: str = "") -> Iterator[Wrong]:
    """What is wrong with a table of a declared class: with each of its fields, and with it as a whole."""
    found: dict[str, Wrong] = {}
    for wrong in islice(every_error(Record(cls), given, path), MOST):
        found.setdefault(wrong.field, wrong)
    try:
        reads(given)
    except Wrong as wrong:
        found.setdefault(wrong.field, wrong)
    yield from found.values()


def combatant_wrongs(ruleset: Ruleset, given: dict[str, Any], path: str) -> Iterator[Wrong]:
    """What is wrong with one combatant of an opening: the tracker's fields, its conditions, its sheet."""
    tracked = {name: one for name, one in given.items() if name not in ("id", "conditions", "sheet")}
    yield from every_error(Record(CombatantState), tracked, path)
    held = given.get("conditions", [])
    for at, one in enumerate(held if isinstance(held, list) else []):
        yield from every_error(Record(ActiveCondition), one, f"{path}.conditions[{at}]")
    if isinstance(sheet := given.get("sheet"), dict):
        yield from every_error(Record(ruleset.sheet), without_status(ruleset, sheet), f"{path}.sheet")
    yield from _wrong(read_combatant, ruleset, given, path)


def without_status(ruleset: Ruleset, sheet: dict[str, Any]) -> dict[str, Any]:
    """A sheet without what the game works out itself, which is accepted and not looked at."""
    if ruleset.stored_status or "status" not in sheet:
        return sheet
    return {name: one for name, one in sheet.items() if name != "status"}


def _wrong(reads: Callable[..., object], *given: Any) -> Iterator[Wrong]:
    try:
        reads(*given)
    except Wrong as wrong:
        yield wrong
