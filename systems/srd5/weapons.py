"""The usual weapons: damage type, reach and range, for attacks of characters typed as one line."""

from collections.abc import Mapping
from typing import Any

from systems.srd5.sheet import USUAL_DAMAGE
from systems.text import plain_word

_BLUDGEONING, _PIERCING = "bludgeoning", "piercing"
# Weapons that are thrown or shot: type, range and long range in feet.
_THROWN: Mapping[str, tuple[str, int, int]] = {
    "dagger": (_PIERCING, 20, 60),
    "handaxe": (USUAL_DAMAGE, 20, 60),
    "javelin": (_PIERCING, 30, 120),
    "light hammer": (_BLUDGEONING, 20, 60),
    "spear": (_PIERCING, 20, 60),
    "trident": (_PIERCING, 20, 60),
}
_SHOT: Mapping[str, tuple[str, int, int]] = {
    "blowgun": (_PIERCING, 25, 100),
    "dart": (_PIERCING, 20, 60),
    "hand crossbow": (_PIERCING, 30, 120),
    "heavy crossbow": (_PIERCING, 100, 400),
    "light crossbow": (_PIERCING, 80, 320),
    "longbow": (_PIERCING, 150, 600),
    "shortbow": (_PIERCING, 80, 320),
    "sling": (_BLUDGEONING, 30, 120),
}
# Weapons of melee that do not slash, and those with a longer reach.
_TYPES = {
    **dict.fromkeys(("club", "flail", "greatclub", "mace", "maul", "quarterstaff"), _BLUDGEONING),
    **dict.fromkeys(("unarmed strike", "warhammer"), _BLUDGEONING),
    **dict.fromkeys(("lance", "morningstar", "pike", "rapier", "shortsword", "war pick"), _PIERCING),
}
_LONG = ("glaive", "halberd", "lance", "pike", "whip")


def as_usual(attack: Mapping[str, Any]) -> dict[str, Any]:
    """Return a plain attack with the facts of its weapon, as far as it says nothing else."""
    name = plain_word(str(attack.get("name", ""))).replace("_", " ")
    ranged = _THROWN.get(name) or _SHOT.get(name)
    type = ranged[0] if ranged else _TYPES.get(name, USUAL_DAMAGE)
    found = {**attack, "damage": [_of_type(text, type) for text in attack.get("damage", ())]}
    if ranged and not {"kind", "range", "long_range"} & set(attack):
        kind = "either" if name in _THROWN else "ranged"
        found |= {"kind": kind, "range": ranged[1], "long_range": ranged[2]}
    if name in _LONG and "reach" not in attack:
        found["reach"] = 10
    return found


def _of_type(text: str, type: str) -> str:
    """Return a damage text with the type of its weapon in place of the usual one."""
    amount, _, known = text.partition(" ")
    return f"{amount} {type}" if known == USUAL_DAMAGE else text
