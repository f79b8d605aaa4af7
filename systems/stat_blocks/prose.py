"""The prose of a paragraph: attacks, saving throws, damage and conditions, in prose or in tagged text.

One grammar reads both: tags become prose first (tags.py). A part that was read is blanked;
sentences that still have words of their own are the part that was not understood.
"""

import re
from typing import Any, Literal

from systems.contract.stat_block import BlockAura, Feature, Paragraph
from systems.stat_blocks.figures import plain_dice
from systems.stat_blocks.known_rules import known_rules, parry
from systems.stat_blocks.multiattack import multiattack, spellcasting
from systems.stat_blocks.passage import AMOUNT, READ, Passage, any_case
from systems.stat_blocks.prose_attacks import attack_at, attack_start, damages_alone, damages_between
from systems.stat_blocks.prose_conditions import conditions_given
from systems.stat_blocks.prose_saves import has_saving_throw, saving_throw
from systems.stat_blocks.tags import without_tags

MOST_PROSE = 4_000  # characters of one paragraph
_RECHARGE = any_case(
    r"\(?\brecharge[ds]?\s{0,2}:?\s{0,2}(?:on )?(?:a )?([2-6])(?:\s?(?:-|to|or|\+)\s?(?:6|higher)?)?\)?"
)
_RESTED = any_case(r"\(?recharges?(?: after| on)? an? (short(?: or long)?|long)(?: or short)? rest\)?")
_USES = any_case(
    r"\(?\b([1-9][0-9]?) ?(?:/|per|x|times? (?:a|per|each)) ?(?:\b|(?=/))(day|long rest|short rest|rest"
    r"|turn|round)\b(?:,[^()]{0,40})?\)?"
)
_COSTS = any_case(r"\(?\bcosts? ([1-9]) (?:legendary )?actions?\)?")
_EMPTY_BRACKETS = re.compile(r"\(\s*[,;]?\s*\)")
_LINE = any_case(
    r"\b([0-9]{1,3})[- ](?:foot|feet|ft\.?)[- ]long,? ?([0-9]{1,3})[- ](?:foot|feet|ft\.?)[- ]wide line"
    r"|\b(?:([0-9]{1,3})[- ](?:foot|ft\.?)[- ])?line (?:that is |that's )?(?:([0-9]{1,3}) (?:feet|ft\.?) "
    r"long(?: and|,)? )?(?:that is )?([0-9]{1,3}) (?:feet|ft\.?) wide"
)
_SHAPE = any_case(
    r"\b([0-9]{1,3})[- ]?(?:foot|feet|ft\.?)(?:[- ]radius)?(?:, ([0-9]{1,3})[- ](?:foot|feet)[- ](?:high"
    r"|tall))?[- ](cone|sphere|cube|emanation|cylinder|square|line|radius)\b"
)
_WITHIN = any_case(
    r"\b(?:each|every|all|any)(?: [\w-]{1,20}){0,2}? (?:enem(?:y|ies)|creatures?"
    r"|targets?)(?: [^.,:]{0,40}?)? within ([0-9]{1,3}) (?:feet|ft\.?)(?: of (?:it|itself|him|her|them"
    r"|the [\w'-]{1,20}(?: [\w'-]{1,20}){0,2}?(?= must| makes?| takes?| that| can|[,.:;])))?"
)
# The distance of the targets; no game counts it.
_TARGETED = any_case(
    r"(?:\b(?:one|each|a|any) (?:creature|target|enemy)[^.,:]{0,30} within|\b(?:centered"
    r"|centred) on a point[^.,:]{0,30} within|\b(?:one|a) (?:creature"
    r"|target)[^.,:]{0,30} sees? within) [0-9]{1,4} (?:feet|ft\.?)(?: of (?:it|itself|the [\w'-]{1,20}))?"
)
_HEALS = any_case(
    rf"\b(?:regains?|restores?|heals?)(?: up to)? (?:[0-9]{{1,3}} \()?({AMOUNT}"
    rf"|[0-9]{{1,3}})\)?(?: (?:hit points|hp))?"
)
_HEALS_TARGET = any_case(
    r"\b(?:targets?|creatures?|ally|allies|one [\w-]{1,20})\b[^.]{0,60}\b(?:regains?|heals?)\b"
    r"|\b(?:restores?|heals?) (?:a|one|the) (?:creature|target|ally)"
)
_AURA_OWN = any_case(
    r"\bat the (start|end) of each of (?:its|the [\w' -]{1,40}|his|her) turns?,? (?:each|every|any|all) ("
    r"?:other )?(?:creatures?|enem(?:y|ies))[^.]{0,40}?within ([0-9]{1,3}) (?:feet|ft\.?)"
    r"(?: of (?:it|the [\w' -]{1,40}?))? takes? "
    r"|\bat the (start|end) of each of (?:its|the [\w' -]{1,40}|his|her) turns?,? (?:each|every|any|all) "
    r"creatures? in an? ([0-9]{1,3})-foot emanation[^.]{0,60}? takes? "
)
_AURA_OTHERS = any_case(
    r"\b(?:a|any|each) creature that (starts|ends) its turn within ([0-9]{1,3}) (?:feet|ft\.?)(?: of (?:it"
    r"|the [\w' -]{1,40}?))? takes? "
)
_PLAIN_WORDS = frozenset(
    "a an the target targets it its creature creatures each must make makes succeed succeeds on or and"
    " taking takes take failed save saving throw throws success successful one half as much damage of in"
    " that area is be by with to plus also hit if exhales fire acid cold lightning poison from line cone"
    " within until ends effect itself ending can repeat at end turn turns start for a instead half-damage"
    " range reach ft feet foot this against becomes being all any other attack attacks which has have"
    " conditions condition uses use used magically only dragon enemy enemies originating centered centred"
    " point originates sees see who them their they extra additional bonus he she him her his".split()
)


def feature(paragraph: Paragraph) -> Feature:
    """Return what a paragraph says; the prose that is not understood is in `left`."""
    text = " ".join(without_tags(paragraph.text).split())[:MOST_PROSE]
    name, values = _marks(without_tags(paragraph.name), text)
    reading = Passage(name, text)
    for pattern in (_RECHARGE, _RESTED, _COSTS):
        found = pattern.search(reading.rest)
        if found and (found.start() == 0 or found[0].startswith("(")):
            reading.used(*found.span())
    if found := _USES.match(reading.rest):
        reading.used(*found.span())
    kind = name.casefold()
    if "multiattack" in kind:
        values["multiattack"] = tuple(multiattack(reading))
    elif "spellcasting" in kind:
        values |= spellcasting(reading)
    else:
        values |= known_rules(reading, kind)
        values |= _resolved(reading)
        if paragraph.section == "reaction":
            values |= parry(reading)
        if not name and not text:
            values["left"] = ""
    return Feature(
        paragraph.section,
        name,
        text,
        left=_left(reading),
        lines=tuple(reading.lines),
        **values,
    )


def _marks(name: str, text: str) -> tuple[str, dict[str, Any]]:
    """Return the name without marks such as `(Recharge 5-6)`, and what they say."""
    values: dict[str, Any] = {}
    # Some layouts have the mark at the beginning or the end of the text.
    for place in (name, text[:60], text[-60:]):
        if "recharge" not in values and (found := _RECHARGE.search(place)):
            values["recharge"] = int(found[1])
        if "uses" not in values and (found := _RESTED.search(place)):
            is_short = "short" in found[0].casefold()
            values |= {"uses": 1, "back_after": "short_rest" if is_short else "long_rest"}
        if "cost" not in values and (found := _COSTS.search(place)):
            values["cost"] = int(found[1])
    found = _USES.search(name) or _USES.match(text)
    if found and "uses" not in values and found[2].casefold() not in ("turn", "round"):
        after: Literal["day", "short_rest", "long_rest"] = "day"
        if "rest" in found[2].casefold():
            after = "short_rest" if "short" in found[2].casefold() else "long_rest"
        values |= {"uses": int(found[1]), "back_after": after}
    bare = name
    for pattern in (_RECHARGE, _RESTED, _USES, _COSTS):
        bare = pattern.sub("", bare, count=1)
    bare = _EMPTY_BRACKETS.sub("", bare)
    if bare.count("(") != bare.count(")"):
        bare = name
    return " ".join(bare.split()).strip(" .,:"), values


def _resolved(reading: Passage) -> dict[str, Any]:
    """Return attack, save, damage, conditions, area and healing of a paragraph."""
    values: dict[str, Any] = {}
    if (area := _area(reading)) is not None:
        values["area"] = area
    attack = attack_start(reading)
    if attack is not None:
        start, to_hit, kind = attack
        values["attack"] = attack_at(reading, start, to_hit, kind)
    save = saving_throw(reading, has_attack=attack is not None)
    if save is not None:
        values["save"] = save
    reading.take(_TARGETED)
    if attack is None:
        if healing := _healing(reading):
            values["healing"] = healing
        if aura := _aura(reading):
            values["aura"] = aura
        if save is None and "aura" not in values:
            found = damages_alone(reading)
            if found:
                values["damage"] = found
            if given := conditions_given(reading, 0, len(reading.rest), to_others=True):
                values["conditions"] = given
    return values


def _area(reading: Passage) -> str | None:
    if found := reading.take(_LINE):
        long, wide = found[1] or found[3] or found[4], found[2] or found[5]
        return f"{long}-foot line, {wide} wide" if long else None
    if found := reading.take(_SHAPE):
        shape = found[3].casefold()
        high = f", {found[2]} high" if found[2] else ""
        return f"{found[1]}-foot {'sphere' if shape == 'radius' else shape}{high}"
    if re.search(
        r"\b(?:start|end) of each\b|\bstarts its turn\b|\bends its turn\b", reading.text, re.IGNORECASE
    ):
        return None
    if (found := _WITHIN.search(reading.rest)) and has_saving_throw(reading.text):
        reading.used(*found.span())
        return f"within {found[1]} feet"
    return None


def _healing(reading: Passage) -> str:
    if not _HEALS_TARGET.search(reading.rest) and not re.match(r"heals? ", reading.rest, re.IGNORECASE):
        return ""
    found = reading.take(_HEALS)
    return plain_dice(found[1]) if found else ""


def _aura(reading: Passage) -> BlockAura | None:
    own = _AURA_OWN.search(reading.text)
    others = None if own else _AURA_OTHERS.search(reading.text)
    found = own or others
    if not found:
        return None
    damage = damages_between(reading, found.end(), len(reading.rest))
    if not damage:
        return None
    reading.used(*found.span())
    if own:
        when: Literal["start", "end"] = "end" if (own[1] or own[3]).casefold() == "end" else "start"
        return BlockAura(when, "own", int(own[2] or own[4]), damage)
    when = "end" if found[1].casefold() == "ends" else "start"
    return BlockAura(when, "others", int(found[2]), damage)


def _left(reading: Passage) -> str:
    """Return the sentences that still have words of their own."""
    left: list[str] = []
    start = 0
    for found in re.finditer(r"[.!?](?= |$)|$", reading.text):
        unread, whole = reading.rest[start : found.end()], reading.text[start : found.end()]
        start = found.end()
        words = re.findall(r"[A-Za-z']{3,}", unread.replace(READ, " "))
        own_words = set(reading.name.casefold().split())
        content = [
            word for word in words if word.casefold() not in _PLAIN_WORDS and word.casefold() not in own_words
        ]
        numbers = re.findall(r"[0-9]", unread)
        if len(content) >= 2 or (content and numbers) or len(numbers) >= 2:
            left.append(whole.strip())
    return " ".join(left)
