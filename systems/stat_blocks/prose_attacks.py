"""The attacks and the damage in the prose of a paragraph."""

import re
from typing import Literal

from systems.contract.stat_block import BlockAttack, BlockDamage
from systems.frozen import evolve
from systems.stat_blocks.figures import ABILITY, average, plain_dice
from systems.stat_blocks.passage import AMOUNT, TYPES, Passage, any_case
from systems.stat_blocks.prose_conditions import MOST_PARTS, conditions_given

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
CONDITIONAL = any_case(r"\b(?:if|when|whenever|while|each time|until|reduced?)\b")
_TWO_HANDS = any_case(r"\bif (?:it is )?used with (?:two|both) hands[^,.]{0,40}")
_STARTS_ANOTHER = any_case(r"\b(?:if|while|when|start|end of|each|regains?)\b")
_IF_ROLLED = any_case(r"\s?,?\s?if the attack roll had (advantage|disadvantage)\b")
_IF = any_case(
    r"^\s?,?\s?\b(?:if|while|when|unless|against|to (?:undead|fiends?|objects?)|instead|on a critical|the"
    r" next)\b"
)
_OR_BEFORE = any_case(r"\bor\s?(?:\()?$")
SAVE_2024 = any_case(rf"\b({ABILITY})(?: or ({ABILITY}))? saving throw\s?:\s?DC\s?([0-9]{{1,2}})")
SAVE = any_case(
    rf"\bDC\s?:?\s?([0-9]{{1,2}})\s?,?\s?({ABILITY})(?:\s?\(?\s?(?:or|/) ({ABILITY})\)?)?"
    rf"(?!\s(?:\([a-z]+\) )?checks?)(?:\s(?:saving throws?|saves?))?"
)
SAVE_REVERSED = any_case(
    rf"\b({ABILITY}) (?:saving throws?|saves?)[\s,]{{0,2}}(?:\(?\s?(?:vs\.?|against|of|with a?)?\s?(?:a )"
    rf"?)DC\s?:?\s?([0-9]{{1,2}})\)?"
)


def attack_start(reading: Passage) -> tuple[int, int, str] | None:
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


def attack_at(reading: Passage, start: int, to_hit: int, kind: str) -> BlockAttack:
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
        for pattern in (SAVE_2024, SAVE, SAVE_REVERSED)
        if (found := pattern.search(reading.rest))
    ]
    begin = hit.end() if hit else start
    limit = min([end, *(place for place in saves if place >= begin)])
    damage = damages_between(reading, begin, limit, is_hit=True)
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
        conditions_given(reading, begin, limit),
    )


def damages_between(
    reading: Passage, start: int, end: int, *, is_hit: bool = False
) -> tuple[BlockDamage, ...]:
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


def damages_alone(reading: Passage) -> tuple[BlockDamage, ...]:
    """Return the damage of a paragraph without a roll, if it says that something takes it or deals it."""
    found = _TAKES.search(reading.rest)
    if found is None:
        return ()
    sentence = reading.rest[max(reading.rest.rfind(".", 0, found.start()), 0) : found.start()]
    if CONDITIONAL.search(sentence):
        return ()
    end = reading.rest.find(". ", found.end())
    return damages_between(reading, found.end(), end if end >= 0 else len(reading.rest))


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
