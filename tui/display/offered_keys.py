"""Which keys the footer offers: those that can do something as the fight stands."""

from collections.abc import Sequence

from systems.encounter.model import Encounter
from systems.frozen import frozen
from tui.settings.keys import KEYS, Key

# What nobody can do while nobody is there, or before somebody has a turn.
_WITH_SOMEBODY = frozenset({"action", "next", "damage", "heal", "condition", "edit", "why"})
_WITH_TURN = frozenset({"action"})
_ADD = next(key for key in KEYS if key.id == "add")
_ROSTER = next(key for key in KEYS if key.id == "roster")


@frozen
class Standing:
    """What of a fight the footer depends on."""

    is_empty: bool = False
    begun: bool = True
    has_past: bool = True


def standing_of(encounter: Encounter, *, has_past: bool) -> Standing:
    """Return how a fight stands; `has_past`: whether there is something to undo."""
    progress = encounter.progress
    return Standing(not progress.ids, bool(progress.round), has_past)


def offered(keys: Sequence[Key], standing: Standing) -> list[tuple[Key, str]]:
    """Return those keys that can do something now, each with its label; what comes next stands first."""
    found = [key for key in keys if not (key.id == "undo" and not standing.has_past)]
    if standing.is_empty:
        rest = [key for key in found if key.id not in _WITH_SOMEBODY]
        return [(key, key.label) for key in (_ADD, _ROSTER, *rest)]
    if standing.begun:
        return [(key, key.label) for key in found]
    begins = [(key, "begin") for key in found if key.id == "next"]
    rest = [key for key in found if key.id not in _WITH_TURN and key.id != "next"]
    return [*begins, (_ADD, _ADD.label), *((key, key.label) for key in rest)]
