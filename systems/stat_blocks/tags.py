"""Tagged text, such as `{@hit 5}` and `{@actSave dex}`, as prose."""

import re

from systems.stat_blocks.figures import ability_in

_TAG = re.compile(r"\{@([A-Za-z0-9]{1,24})(?:\s([^{}]{0,400}))?\}")
_DEPTH = 6  # tags inside tags
_ATTACKS = {"m": "Melee", "r": "Ranged", "mw": "Melee Weapon", "rw": "Ranged Weapon", "ms": "Melee Spell"}
_ATTACKS |= {"rs": "Ranged Spell", "mp": "Melee Power", "rp": "Ranged Power", "g": "Magical", "a": "Area"}
_FIXED = {
    "h": "Hit: ",
    "m": "Miss: ",
    "hom": "Hit or Miss: ",
    "actsavefail": "Failure:",
    "actsavesuccess": "Success:",
    "actsavesuccessorfail": "Failure or Success:",
    "acttrigger": "Trigger:",
    "actresponse": "Response:",
    "hityourspellattack": "your spell attack modifier",
    "dcyourspellsave": "your spell save DC",
}
_ORDINALS = ("", "First ", "Second ", "Third ", "Fourth ")
# In these tags the text after a bar is no text to show.
_AS_GIVEN = frozenset(
    ("damage", "dice", "hit", "d20", "scaledamage", "scaledice", "chance", "recharge", "dc")
)


def without_tags(text: str) -> str:
    """Return tagged text as prose."""
    for _ in range(_DEPTH):
        if "{@" not in text:
            break
        text = _TAG.sub(lambda found: _shown(found[1].casefold(), found[2] or ""), text)
    return text


def _shown(tag: str, content: str) -> str:
    parts = [part.strip() for part in content.split("|")]
    if tag in ("atk", "atkr"):
        return _attack(parts[0], is_roll=tag == "atkr")
    if tag == "recharge":
        return f"(Recharge {parts[0]}-6)" if parts[0] not in ("", "6") else "(Recharge 6)"
    if tag == "actsave":
        return f"{ability_in(parts[0]).title() or parts[0]} Saving Throw:"
    if tag == "actsavefail" and parts[0].isdigit():
        return f"{_ORDINALS[min(int(parts[0]), 4)]}Failure:"
    if tag == "actsavefailby":
        return f"Failure by {parts[0]} or More:"
    if tag == "acttrigger" or tag in _FIXED:
        return _FIXED[tag]
    if tag == "actresponse":
        return "Response:"
    if tag == "hit":
        return parts[0] if parts[0][:1] in "+-" else f"+{parts[0]}"
    if tag == "dc":
        return f"DC {parts[0]}"
    if tag == "chance":
        return f"{parts[0]} percent"
    if tag in ("damage", "dice"):
        return parts[1] if len(parts) > 1 and parts[1] and tag == "dice" else parts[0].replace("{}", "")
    if tag in _AS_GIVEN:
        return parts[0]
    # The third part is what people read, such as `{@creature goblin|MM|goblins}`.
    shown = parts[2] if len(parts) > 2 and parts[2] else parts[0]
    return re.sub(r"\s?\[[^\[\]]{0,40}\]$", "", shown)


def _attack(kinds: str, *, is_roll: bool) -> str:
    names = [_ATTACKS.get(kind.strip(), "") for kind in kinds.split(",")]
    names = [name for name in names if name]
    if is_roll:
        return f"{' or '.join(names) or 'Melee'} Attack Roll:"
    if len(names) > 1:
        ways, _, kind = names[-1].partition(" ")
        return f"{names[0].split()[0]} or {ways} {kind} Attack:"
    return f"{names[0] if names else 'Melee Weapon'} Attack:"
