"""The prose of a paragraph: attacks, saving throws, damage and conditions, in prose or in tagged text.

One grammar reads both: tags become prose first (tags.py). A part that was read is blanked;
sentences that still have words of their own are the part that was not understood.
"""

import re
from typing import Any, Literal

from systems.contract.stat_block import (
    BlockAttack,
    BlockAura,
    BlockCondition,
    BlockDamage,
    BlockSave,
    Feature,
    Paragraph,
)
from systems.frozen import evolve
from systems.stat_blocks.figures import (
    ABILITY,
    CONDITION_WORDS,
    CONDITIONS,
    SIZES,
    ability,
    average,
    plain_dice,
)
from systems.stat_blocks.known_rules import known_rules, parry
from systems.stat_blocks.multiattack import multiattack, spellcasting
from systems.stat_blocks.passage import AMOUNT, READ, TYPES, Passage, any_case
from systems.stat_blocks.tags import without_tags

MOST_PROSE = 4_000  # characters of one paragraph
MOST_PARTS = 40  # most amounts or conditions that one paragraph is searched for
_CONDITIONS = "|".join((*CONDITIONS, *CONDITION_WORDS))
_SIZES = "|".join(SIZES)


# Marks of a name


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


# Attacks


_ATTACK = any_case(
    r"\b(melee or ranged|ranged or melee|melee|ranged)(?: (?:weapon|spell|power|touch))?(?: (?:weapon"
    r"|spell))? attack(?: roll)?\s?[:.,]?\s{0,2}(?:([+-]\s?[0-9]{1,2})(?:\s?to hit)?"
    r"|(?:bonus )?to hit:? ([+-]\s?[0-9]{1,2}))"
)
_TO_HIT = any_case(
    r"(?:(?:\bto hit:?|\battack(?: bonus| roll)?:?)\s{0,2}(?P<after>[+-]\s?[0-9]{1,2})"
    r"|(?P<before>[+-]\s?[0-9]{1,2}) to hit)\b(?: to hit)?"
)
_BARE_BONUS = re.compile(
    r"^\s?(?:\([^()]{1,40}\) ?)?(?:(?:melee|ranged)[,:]? )?([+-][0-9]{1,2})\b(?! ?(?:ft|feet))"
)
_REACH = any_case(r"(?:,|\bwith)?\s?(?:a )?\breach:?(?: of)? ([0-9]{1,3})(?:\s?(?:ft\.?|feet|foot|'))?")
_RANGE = any_case(
    r"(?:,|\bor|\bwith)?\s?(?:a )?\branged?:?(?: of)? ([0-9]{1,4})(?:\s?(?:ft\.?"
    r"|feet))?(?:\s?/\s?([0-9]{1,4}))?(?:\s?(?:ft\.?|feet|foot|'))?"
)
_OR_MELEE = any_case(r"\bmelee or\b|\bor melee\b")
_NAMED_RANGE = any_case(r"\b([1-9][0-9]{1,2})(?:/([0-9]{2,4}))? ?(?:ft|feet)\b")
_BARE_RANGE = any_case(r"\b([0-9]{2,3})/([0-9]{2,4})(?: ?ft\.?| feet)?")
_TARGETS = any_case(
    r",?\s?(?:one|two|three|each|any)(?: willing)? (?:target|creature|object)s?(?: (?:per|in|within) [^.:"
    r"]{1,40})?\.?"
)
_HIT = any_case(r"\b(?:hit or miss|hit)\s?:|\bon a hit,?")
_MISS = any_case(r"\bmiss\s?:")
_TYPED = rf"(?:{TYPES})"
_DAMAGE = any_case(
    rf"(?:\b(?P<average>[0-9]{{1,3}})\s?)?(?P<open>[(\[]\s?)?(?P<dice>{AMOUNT})(?:\s(?P<inner>{_TYPED}))?"
    rf"(?P<close>\s?[)\]])?(?:\s(?:of )?(?:extra |bonus |additional )?(?P<type>{_TYPED})"
    rf"(?:(?:,| or|,? and)? (?P<other>{_TYPED}))?)?(?P<word>\s(?:damage|dmg)\b)?"
)
_FLAT = any_case(
    rf"\b(?P<flat>[0-9]{{1,3}})\s(?P<type>{_TYPED})(?:(?:,| or)? (?P<other>{_TYPED}))?(?:\s(?:damage|dmg)\b)?"
)
_FLAT_UNTYPED = any_case(r"\b(?P<flat>[0-9]{1,3})\s(?:damage|dmg)\b")
_JOINS = any_case(r"^(?:,|;|\0|\s|\bplus\b|\band\b|\+|&|\ban extra\b|\banother\b){1,8}$")
_TAKES = any_case(r"\b(?:takes?|deals?|inflicts?|suffers?|dealing|taking) (?=[0-9])")
_CONDITIONAL = any_case(r"\b(?:if|when|whenever|while|each time|until|reduced?)\b")
_TWO_HANDS = any_case(r"\bif (?:it is )?used with (?:two|both) hands[^,.]{0,40}")
_STARTS_ANOTHER = any_case(r"\b(?:if|while|when|start|end of|each|regains?)\b")
_IF_ROLLED = any_case(r"\s?,?\s?if the attack roll had (advantage|disadvantage)\b")
_IF = any_case(
    r"^\s?,?\s?\b(?:if|while|when|unless|against|to (?:undead|fiends?|objects?)|instead|on a critical|the"
    r" next)\b"
)
_OR_BEFORE = any_case(r"\bor\s?(?:\()?$")


# Saving throws


_SAVE_2024 = any_case(rf"\b({ABILITY})(?: or ({ABILITY}))? saving throw\s?:\s?DC\s?([0-9]{{1,2}})")
_SAVE = any_case(
    rf"\bDC\s?:?\s?([0-9]{{1,2}})\s?,?\s?({ABILITY})(?:\s?\(?\s?(?:or|/) ({ABILITY})\)?)?"
    rf"(?!\s(?:\([a-z]+\) )?checks?)(?:\s(?:saving throws?|saves?))?"
)
_SAVE_REVERSED = any_case(
    rf"\b({ABILITY}) (?:saving throws?|saves?)[\s,]{{0,2}}(?:\(?\s?(?:vs\.?|against|of|with a?)?\s?(?:a )"
    rf"?)DC\s?:?\s?([0-9]{{1,2}})\)?"
)
_PARTS = any_case(
    r"\b(failure or success|first failure|second failure|third failure|failure by [0-9] or more|failure"
    r"|success)\s?:"
)
_HALF = any_case(
    r"(?:,? ?or |,? ?and |\()?(?:\bhalf(?: as much| of the| the| that)?(?: [a-z]{4,11})? damage"
    r"|\bhalf as much\b|\bfor half\b|\bhalves\b|\bhalf(?=\s?(?:$|[,.;()\0]|on |if "
    r"|only)))(?: only)?(?: damage)?(?: on an? (?:successful|success)(?: (?:one|save|saving throw))?"
    r"| (?:on|if) (?:a )?(?:success|save|saved|successful))?\)?(?:,? and (?:isn't|is not|doesn't|does not"
    r"|suffers no|has no)[^.,;]{0,40})?"
)
_WHEN_DAMAGED = any_case(r"\b(?:whenever|each time|when) it takes (?:any )?damage")
_REPEATS = any_case(
    r"[^.]{0,80}\b(?:repeats? (?:the|this|its) sav(?:e|ing throw)|(?:makes?|attempts?) another sav(?:e"
    r"|ing throw)|save (?:again )?ends)(?:[^.]{0,40}?\b(?:at the )?(end|start) of (?:each of )?(?:its"
    r"|their|his|her|the target's)(?: next)? turns?|[^.]{0,60}\b(whenever|each time"
    r"|when) it takes (?:any )?damage)?[^.]{0,120}"
)


# Conditions


_GIVES = any_case(
    rf"\b(?:(?:has|have|gains?|gets?|suffers?) the (?P<named>{_CONDITIONS})(?:(?:,| and|, and) (?P<second"
    rf">{_CONDITIONS}))? conditions?"
    rf"|(?:is|are|be|becomes?|become|being|falls?|and|or|is also|knocked|is knocked|be knocked|target) (?"
    rf"P<verb>(?:knocked |automatically |also |magically )?(?:{_CONDITIONS}))"
    rf"(?:(?:,| and|, and) (?P<verb_second>{_CONDITIONS}))?(?! condition)"
    rf"|(?P<exhaustion>(?:gains?|suffers?|has) (?:one|1) (?:Exhaustion level|level of exhaustion)))\b"
)
_SHORT_GIVES = any_case(rf"\b(?:or|and|plus|,) (?P<short>{_CONDITIONS})\b(?! condition)")
_NOT_GIVEN = any_case(
    r"(?:\bif (?:it|the target|a creature|the creature)[^,.]{0,30}|\bwhile[^,.]{0,40}|\bcan't[^,.]{0,30}"
    r"|\bcannot[^,.]{0,30}|\bisn't[^,.]{0,20}|\bimmun\w+[^,.]{0,30}|\balready|\bnot|\bthat|\bwho"
    r"|\bwhen[^,.]{0,40}|\bif [^,.]{0,60}|\bagainst[^,.]{0,20}|\bthe condition [^.]{0,20}"
    r"|\bto avoid [^.]{0,20}|\buntil it)\s?$"
)
_SIZE_IF = any_case(
    rf"\bif (?:the target|it|the creature) is (?:an? )?(?:creature )?(?:of )?(?P<size>{_SIZES}) (?:size )"
    rf"?or smaller(?: creature)?,?"
    rf"|\bif (?:the target|it) is an? (?P<size2>{_SIZES}) or smaller[^,.]{{0,30}},"
)
_OTHERS = any_case(r"\b(?:targets?|creatures?|enem(?:y|ies)|attacker|foes?)\b")
_MOVED = any_case(r"\b(?:moved|moves) (?:at least )?[0-9]{1,3}")
_CREATURE_IF = any_case(r"\bif (?:the target|it) is a creature(?: other than [^,.]{0,60})?,?")
_ESCAPE = any_case(r"^\s?\(?(?:with an? )?escape DC:?\s?([0-9]{1,2})\)?(?: from [^.,;]{0,60})?")
_LASTS = any_case(
    r"^[^.;:]{0,12}?\b(?:until the (?P<moment>end|start) of (?P<whose>its|their|the target's|his|her|the "
    r"[\w' -]{1,40}?'s?|[A-Z][\w -]{1,30}'s?) (?P<next>next )?turn"
    r"|for (?P<count>[0-9]{1,3}|one) (?P<unit>round|minute|hour|day|turn)s?)"
)
_GRAPPLE_ENDS = any_case(r"\buntil (?:the|this) grapple ends,?")
MINUTE = 10  # rounds


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


# What an attack or a save does


def _resolved(reading: Passage) -> dict[str, Any]:
    """Return attack, save, damage, conditions, area and healing of a paragraph."""
    values: dict[str, Any] = {}
    if (area := _area(reading)) is not None:
        values["area"] = area
    attack = _attack(reading)
    if attack is not None:
        start, to_hit, kind = attack
        values["attack"] = _attack_of(reading, start, to_hit, kind)
    save = _save(reading, has_attack=attack is not None)
    if save is not None:
        values["save"] = save
    reading.take(_TARGETED)
    if attack is None:
        if healing := _healing(reading):
            values["healing"] = healing
        if aura := _aura(reading):
            values["aura"] = aura
        if save is None and "aura" not in values:
            found = _plain_damages(reading)
            if found:
                values["damage"] = found
            if given := _given(reading, 0, len(reading.rest), to_others=True):
                values["conditions"] = given
    return values


def _attack(reading: Passage) -> tuple[int, int, str] | None:
    """Return where the text after an attack's bonus begins, the bonus, and its kind; None without one."""
    if found := reading.take(_ATTACK):
        kind = found[1].casefold()
        return found.end(), _bonus(found[2] or found[3]), "either" if " or " in kind else kind
    if found := reading.take(_TO_HIT):
        way = re.search(r"\b(melee|ranged)\b", reading.text[: found.start() + 1], re.IGNORECASE)
        return found.end(), _bonus(found["after"] or found["before"]), way[1].casefold() if way else ""
    if (found := _BARE_BONUS.match(reading.rest)) and _DAMAGE.search(reading.rest, found.end()):
        reading.used(*found.span())
        return found.end(), _bonus(found[1]), "ranged" if "ranged" in found[0].casefold() else ""
    return None


def _bonus(text: str) -> int:
    return int(text.replace(" ", ""))


def _attack_of(reading: Passage, start: int, to_hit: int, kind: str) -> BlockAttack:
    hit = _HIT.search(reading.rest)
    header = hit.start() if hit else len(reading.rest)
    if hit:
        reading.used(*hit.span())
    reach = reading.take(_REACH, 0, header)
    ranged = reading.take(_RANGE, 0, header)
    if reach is None and ranged is None and (bare := _BARE_RANGE.search(reading.rest, 0, header)):
        reading.used(*bare.span())
        ranged = bare
    if reach is None and ranged is None:
        ranged = _NAMED_RANGE.search(reading.name)
    reading.take(_TARGETS, 0, header)
    if not kind:
        both = ranged and (reach or _OR_MELEE.search(reading.text[:header]))
        kind = "either" if both else "ranged" if ranged else "melee"
    elif (reach and ranged) or (ranged and _OR_MELEE.search(reading.text[:header])):
        kind = "either"
    way: Literal["melee", "ranged", "either"] = (
        "either" if kind == "either" else "ranged" if kind == "ranged" else "melee"
    )
    miss = _MISS.search(reading.rest)
    end = miss.start() if miss else len(reading.rest)
    # What a save decides is not part of the hit.
    saves = [
        found.start()
        for pattern in (_SAVE_2024, _SAVE, _SAVE_REVERSED)
        if (found := pattern.search(reading.rest))
    ]
    begin = hit.end() if hit else start
    limit = min([end, *(place for place in saves if place >= begin)])
    damage = _damages(reading, begin, limit, is_hit=True)
    if (
        hit
        and not damage
        and not re.search(r"\bDC\b|condition|damage|\bis\b", reading.text[begin:], re.IGNORECASE)
    ):
        reading.assume(reading.text[begin:].strip() or reading.name, "no damage could be read from the hit")
    return BlockAttack(
        to_hit,
        way,
        int(reach[1]) if reach else None,
        int(ranged[1]) if ranged else None,
        int(ranged[2]) if ranged and ranged[2] else None,
        damage,
        _given(reading, begin, limit),
    )


def _damages(reading: Passage, start: int, end: int, *, is_hit: bool = False) -> tuple[BlockDamage, ...]:
    """Return the damage of a part of the text that counts without further conditions."""
    found: list[BlockDamage] = []
    place = start
    for _ in range(MOST_PARTS):
        match = _first_damage(reading.rest, place, end)
        if match is None:
            break
        before, after = reading.rest[place : match.start()], reading.rest[match.end() : end]
        groups = match.groupdict()
        place = match.end()
        is_amount = (
            groups.get("word") or groups.get("type") or groups.get("inner") or groups.get("flat") or is_hit
        )
        if groups.get("open") and not groups.get("close"):
            # The text ends in the middle of an amount.
            reading.assume(match[0], "the amount is not complete; it is left out")
            continue
        if not is_amount:
            continue
        if is_hit and (rolled := _IF_ROLLED.match(after)):
            found.append(evolve(_damage_of(reading, match), roll=rolled[1].casefold()))
            reading.used(match.start(), match.end() + rolled.end())
            place = match.end() + rolled.end()
            continue
        if _IF.match(after) or (found and _OR_BEFORE.search(before)):
            continue
        if (
            found
            and is_hit
            and not _JOINS.match(before)
            and _STARTS_ANOTHER.search(_TWO_HANDS.sub("", before))
        ):
            continue
        if re.search(
            r"\bregains?\b[^.]{0,40}$|\breduced? by (?:an amount equal to )?$|\btemporary\b[^.]{0,20}$"
            r"|\bmaximum\b[^.]{0,40}$",
            before,
            re.IGNORECASE,
        ):
            continue
        found.append(_damage_of(reading, match))
        reading.used(*match.span())
    return tuple(found)


def _plain_damages(reading: Passage) -> tuple[BlockDamage, ...]:
    """Return the damage of a paragraph without a roll, if it says that something takes it or deals it."""
    found = _TAKES.search(reading.rest)
    if found is None:
        return ()
    sentence = reading.rest[max(reading.rest.rfind(".", 0, found.start()), 0) : found.start()]
    if _CONDITIONAL.search(sentence):
        return ()
    end = reading.rest.find(". ", found.end())
    return _damages(reading, found.end(), end if end >= 0 else len(reading.rest))


def _first_damage(text: str, start: int, end: int) -> re.Match[str] | None:
    matches = [
        found for pattern in (_DAMAGE, _FLAT, _FLAT_UNTYPED) if (found := pattern.search(text, start, end))
    ]
    return min(matches, key=lambda found: (found.start(), -found.end())) if matches else None


def _damage_of(reading: Passage, match: re.Match[str]) -> BlockDamage:
    groups = match.groupdict()
    amount = plain_dice(groups["dice"]) if groups.get("dice") else groups["flat"]
    type = (groups.get("inner") or groups.get("type") or "").casefold()
    if groups.get("other"):
        reading.assume(match[0], f"{type}, the first of the types", f"{amount} {type}")
    if not type:
        reading.assume(match[0], "the text names no type of damage", amount)
    if groups.get("average") and int(groups["average"]) != average(amount):
        reading.assume(
            match[0], f"the dice count; {amount} is {average(amount)} on average", f"{amount} {type}".strip()
        )
    return BlockDamage(amount, type)


# Conditions


def _given(reading: Passage, start: int, end: int, *, to_others: bool = False) -> tuple[BlockCondition, ...]:
    """Return the conditions that a part of the text gives, with their ends.

    `to_others`: only those of a sentence about a target, because the creature may give itself others.
    """
    found: list[BlockCondition] = []
    size_match = _SIZE_IF.search(reading.rest, start, end)
    creature = _CREATURE_IF.search(reading.rest, start, end)
    place = start
    for _ in range(MOST_PARTS):
        match = _GIVES.search(reading.rest, place, end)
        if match is None:
            break
        place = match.end()
        before = reading.rest[max(start, match.start() - 70) : match.start()]
        sentence = max(before.rfind("."), before.rfind("\0\0"))
        since = before[sentence + 1 :]
        size = ""
        whole = max(reading.text.rfind(". ", start, match.start()), start)
        if _MOVED.search(reading.text, whole, match.start()):
            continue
        if to_others and not _OTHERS.search(reading.text, whole, match.start()):
            continue
        if size_match and size_match.end() <= match.start() + 1:
            size = (size_match["size"] or size_match["size2"]).casefold()
        elif _NOT_GIVEN.search(since) and not (creature and creature.end() >= match.start() - 30):
            continue
        names = _condition_names(match)
        after = reading.rest[match.end() : min(end, match.end() + 160)]
        escape = _ESCAPE.match(after)
        if escape:
            reading.used(match.end(), match.end() + escape.end())
            after = after[escape.end() :]
        shift = match.end() + (escape.end() if escape else 0)
        until, rounds = "", None
        if lasts := _LASTS.match(after):
            until, rounds = _lasting(lasts)
            if until or rounds:
                reading.used(shift, shift + lasts.end())
        reading.used(*match.span())
        if size_match and size:
            reading.used(*size_match.span())
        if grapple := _GRAPPLE_ENDS.search(reading.rest, max(start, match.start() - 60), match.start()):
            reading.used(*grapple.span())
        for name in names:
            if all(name != each.name for each in found):
                number = int(escape[1]) if escape and name in ("grappled", "restrained") else None
                found.append(BlockCondition(name, size, until, rounds, (), number))
    return tuple(found)


def _condition_names(match: re.Match[str]) -> list[str]:
    if match["exhaustion"]:
        return ["exhaustion"]
    words = [match["named"], match["second"], match["verb"], match["verb_second"]]
    plain = [word.casefold().split()[-1] for word in words if word]
    return [CONDITION_WORDS.get(word, word) for word in plain]


def _lasting(match: re.Match[str]) -> tuple[str, int | None]:
    """Return the end of a condition as effects have it: a moment, or a number of rounds."""
    if match["moment"]:
        is_target = match["whose"].casefold() in ("its", "their", "the target's", "his", "her")
        return f"{'target' if is_target else 'source'}_{match['moment'].casefold()}", None
    count = 1 if match["count"].casefold() == "one" else int(match["count"])
    rounds = {"round": 1, "turn": 1, "minute": MINUTE, "hour": 60 * MINUTE}.get(match["unit"].casefold())
    return "", count * rounds if rounds and count * rounds <= 9999 else None


# Saving throws


def _save(reading: Passage, *, has_attack: bool) -> BlockSave | None:
    """Return the saving throw of a paragraph and what it decides."""
    if found := reading.take(_SAVE_2024):
        name, dc, other = found[1], int(found[3]), found[2]
    elif found := reading.take(_SAVE):
        name, dc, other = found[2], int(found[1]), found[3]
    elif found := reading.take(_SAVE_REVERSED):
        name, dc, other = found[1], int(found[2]), None
    else:
        return None
    if other:
        reading.assume(found[0], f"{ability(name)}, the first of the abilities", f"{ability(name)} save")
    start, end = found.end(), len(reading.rest)
    parts = list(_PARTS.finditer(reading.rest, start))
    worse: tuple[BlockCondition, ...] = ()
    repeats = _REPEATS.search(reading.rest, start)
    half = False
    if parts:
        damage: tuple[BlockDamage, ...] = ()
        conditions: tuple[BlockCondition, ...] = ()
        for at, part in enumerate(parts):
            kind, begin = part[1].casefold(), part.end()
            until = parts[at + 1].start() if at + 1 < len(parts) else end
            reading.used(*part.span())
            if kind in ("failure", "first failure"):
                damage = _damages(reading, begin, until)
                conditions = _given(reading, begin, until)
            elif kind == "second failure":
                worse = _given(reading, begin, until)
            elif kind == "success" and (success := _HALF.search(reading.rest, begin, until)):
                half = True
                reading.used(*success.span())
    else:
        if success := _HALF.search(reading.rest, start):
            half = True
            reading.used(*success.span())
        damage = _damages(reading, start, end)
        conditions = _given(reading, start, end) or _short_conditions(reading, start)
        if not damage and not has_attack and not _CONDITIONAL.search(reading.text[: found.start()]):
            # `4d6 fire, DC 13 Dex half`
            damage = _damages(reading, 0, found.start())
    if repeats:
        reading.used(*repeats.span())
        moments = [repeats[1].casefold()] if repeats[1] else []
        if _WHEN_DAMAGED.search(repeats[0]):
            moments.append("damaged")
        again = tuple(moments or ["end"])
        conditions = tuple(evolve(each, again=again) for each in conditions)
    return BlockSave(ability(name), dc, damage, half, conditions, worse)


def _short_conditions(reading: Passage, start: int) -> tuple[BlockCondition, ...]:
    found = reading.take(_SHORT_GIVES, start)
    return (
        (BlockCondition(CONDITION_WORDS.get(found["short"].casefold(), found["short"].casefold())),)
        if found
        else ()
    )


# Areas, healing, auras


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
    if (found := _WITHIN.search(reading.rest)) and _has_save(reading.text):
        reading.used(*found.span())
        return f"within {found[1]} feet"
    return None


def _has_save(text: str) -> bool:
    return any(pattern.search(text) for pattern in (_SAVE_2024, _SAVE, _SAVE_REVERSED))


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


def _healing(reading: Passage) -> str:
    if not _HEALS_TARGET.search(reading.rest) and not re.match(r"heals? ", reading.rest, re.IGNORECASE):
        return ""
    found = reading.take(_HEALS)
    return plain_dice(found[1]) if found else ""


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


def _aura(reading: Passage) -> BlockAura | None:
    own = _AURA_OWN.search(reading.text)
    others = None if own else _AURA_OTHERS.search(reading.text)
    found = own or others
    if not found:
        return None
    damage = _damages(reading, found.end(), len(reading.rest))
    if not damage:
        return None
    reading.used(*found.span())
    if own:
        when: Literal["start", "end"] = "end" if (own[1] or own[3]).casefold() == "end" else "start"
        return BlockAura(when, "own", int(own[2] or own[4]), damage)
    when = "end" if found[1].casefold() == "ends" else "start"
    return BlockAura(when, "others", int(found[2]), damage)


# The unread part


_PLAIN_WORDS = frozenset(
    "a an the target targets it its creature creatures each must make makes succeed succeeds on or and"
    " taking takes take failed save saving throw throws success successful one half as much damage of in"
    " that area is be by with to plus also hit if exhales fire acid cold lightning poison from line cone"
    " within until ends effect itself ending can repeat at end turn turns start for a instead half-damage"
    " range reach ft feet foot this against becomes being all any other attack attacks which has have"
    " conditions condition uses use used magically only dragon enemy enemies originating centered centred"
    " point originates sees see who them their they extra additional bonus he she him her his".split()
)


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
