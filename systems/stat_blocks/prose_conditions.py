"""The conditions that the prose of a paragraph gives."""

import re

from systems.contract.stat_block import BlockCondition
from systems.stat_blocks.figures import CONDITION_WORDS, CONDITIONS, SIZES
from systems.stat_blocks.passage import Passage, any_case

MOST_PARTS = 40  # most amounts or conditions that one paragraph is searched for
CONDITION = "|".join((*CONDITIONS, *CONDITION_WORDS))
_SIZES = "|".join(SIZES)
_GIVES = any_case(
    rf"\b(?:(?:has|have|gains?|gets?|suffers?) the (?P<named>{CONDITION})(?:(?:,| and|, and) (?P<second"
    rf">{CONDITION}))? conditions?"
    rf"|(?:is|are|be|becomes?|become|being|falls?|and|or|is also|knocked|is knocked|be knocked|target) (?"
    rf"P<verb>(?:knocked |automatically |also |magically )?(?:{CONDITION}))"
    rf"(?:(?:,| and|, and) (?P<verb_second>{CONDITION}))?(?! condition)"
    rf"|(?P<exhaustion>(?:gains?|suffers?|has) (?:one|1) (?:Exhaustion level|level of exhaustion)))\b"
)
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


def conditions_given(
    reading: Passage, start: int, end: int, *, to_others: bool = False
) -> tuple[BlockCondition, ...]:
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
