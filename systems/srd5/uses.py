"""What effects of a sheet carry out, and what pays for them."""

import re
from collections.abc import Mapping
from typing import Any

from systems.schema.conversion import change_entry, entry_named
from systems.srd5.sheet import Attack, Power, Sheet

LEGENDARY = "legendary"
_COMMON = {"dash": "dash", "disengage": "disengage", "dodge": "dodge", "hide": "conceal"}
_SEVERAL = re.compile(r"([2-9]) (.+)")


def use(sheet: Sheet, name: str) -> tuple[str, Mapping[str, object]] | None:
    """Return the action that uses an attack or a power, or a common action such as dash, with its options.

    `3 Scorching Ray` is a multiattack with three of them.
    """
    if (attack := entry_named(sheet.attacks, name)) is not None:
        return "attack", {"weapon": attack.name}
    if (power := entry_named(sheet.powers, name)) is not None:
        return "power", {"power": power.name}
    if name in _COMMON:
        return _COMMON[name], {}
    several = _SEVERAL.fullmatch(name)
    ray = entry_named(sheet.attacks, several[2]) if several else None
    return ("multiattack", {"weapons": (ray.name,) * int(several[1])}) if several and ray else None


def counters(sheet: Sheet) -> tuple[str, ...]:
    """Return what can pay for effects: legendary actions, and attacks and powers that are counted."""
    return (LEGENDARY, *(entry.name for entry in _counted(sheet)))


def left(sheet: Sheet, counter: str) -> int | None:
    """Return what is left of a counter; None if the sheet has no such counter."""
    if counter == LEGENDARY:
        return sheet.legendary_actions_left
    entry = next((each for each in _counted(sheet) if each.name == counter), None)
    if entry is None:
        return None
    if entry.uses_per_day:
        return max(0, entry.uses_per_day - entry.used)
    return int(not entry.spent)


def spend(sheet: Sheet, counter: str, amount: int) -> Mapping[str, object]:
    """Return the changes of the sheet when an effect spends from a counter."""
    if counter == LEGENDARY:
        return {"legendary_actions_left": sheet.legendary_actions_left - amount}
    for field in ("attacks", "powers"):
        entry = entry_named(getattr(sheet, field), counter)
        if entry is not None:
            more: dict[str, object] = {"used": entry.used + amount} if entry.uses_per_day else {"spent": True}
            return {field: change_entry(getattr(sheet, field), entry, **more)}
    return {}


def _counted(sheet: Sheet) -> list[Attack | Power]:
    entries: tuple[Any, ...] = (*sheet.attacks, *sheet.powers)
    return [entry for entry in entries if entry.uses_per_day or entry.recharge]
