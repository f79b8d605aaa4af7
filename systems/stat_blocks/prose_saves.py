"""The saving throws in the prose of a paragraph."""

from systems.contract.stat_block import BlockCondition, BlockDamage, BlockSave
from systems.frozen import evolve
from systems.stat_blocks.figures import CONDITION_WORDS, ability
from systems.stat_blocks.passage import Passage, any_case
from systems.stat_blocks.prose_attacks import CONDITIONAL, SAVE, SAVE_2024, SAVE_REVERSED, damages_between
from systems.stat_blocks.prose_conditions import CONDITION, conditions_given

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
_SHORT_GIVES = any_case(rf"\b(?:or|and|plus|,) (?P<short>{CONDITION})\b(?! condition)")


def saving_throw(reading: Passage, *, has_attack: bool) -> BlockSave | None:
    """Return the saving throw of a paragraph and what it decides."""
    if found := reading.take(SAVE_2024):
        name, dc, other = found[1], int(found[3]), found[2]
    elif found := reading.take(SAVE):
        name, dc, other = found[2], int(found[1]), found[3]
    elif found := reading.take(SAVE_REVERSED):
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
                damage = damages_between(reading, begin, until)
                conditions = conditions_given(reading, begin, until)
            elif kind == "second failure":
                worse = conditions_given(reading, begin, until)
            elif kind == "success" and (success := _HALF.search(reading.rest, begin, until)):
                half = True
                reading.used(*success.span())
    else:
        if success := _HALF.search(reading.rest, start):
            half = True
            reading.used(*success.span())
        damage = damages_between(reading, start, end)
        conditions = conditions_given(reading, start, end) or _short_conditions(reading, start)
        if not damage and not has_attack and not CONDITIONAL.search(reading.text[: found.start()]):
            # `4d6 fire, DC 13 Dex half`
            damage = damages_between(reading, 0, found.start())
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


def has_saving_throw(text: str) -> bool:
    return any(pattern.search(text) for pattern in (SAVE_2024, SAVE, SAVE_REVERSED))
