"""The lines of a stat block, divided at headings, labels and the line of size and type."""

import re
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import pairwise

from systems.contract.stat_block import BlockSection
from systems.frozen import evolve, frozen
from systems.stat_blocks.abilities import BEGINS, INSIDE, begins_abilities, is_ability_line, tokens_end
from systems.stat_blocks.cleaning import Line
from systems.stat_blocks.figures import LABELS, SIZES, TYPES, FoundFigures, Label

_SECTIONS: dict[str, BlockSection] = {
    "traits": "trait",
    "trait": "trait",
    "features": "trait",
    "abilities": "trait",
    "specialabilities": "trait",
    "actions": "action",
    "action": "action",
    "attacks": "action",
    "bonusactions": "bonus_action",
    "bonusaction": "bonus_action",
    "reactions": "reaction",
    "reaction": "reaction",
    "legendaryactions": "legendary",
    "mythicactions": "mythic",
    "lairactions": "lair",
    "regionaleffects": "lair",
    "villainactions": "legendary",
}
_HEADINGS = (
    "Bonus Actions|Legendary Actions|Mythic Actions|Lair Actions|Regional Effects|Reactions|Actions|Traits"
)
_HEADING_INSIDE = re.compile(
    rf"(?:(?<=[.)!?:;])|(?<=[0-9a-z])) ({_HEADINGS}|{_HEADINGS.upper()}) (?=[A-Z][\w' -]{{1,60}}(?:\([^()"
    rf"]{{1,40}}\))?[.:]|The |[A-Z]\w+ can )"
)
_SIZE = "|".join(size.title() for size in SIZES)
_TYPE = "|".join(TYPES)
_TYPE_LINE = re.compile(
    rf"(?P<size>{_SIZE})(?: (?:or|to) (?:{_SIZE}))?,? (?P<rest>[A-Za-z][^.:;]{{2,110}})", re.IGNORECASE
)
_TYPE_INSIDE = re.compile(
    rf"\b(?:{_SIZE})(?: or (?:{_SIZE}))? (?:swarm of (?:{_SIZE}) )?(?i:{_TYPE})s?\b",
)
ALIGNMENT = re.compile(
    r"\b(?:unaligned|neutral|lawful|chaotic|any alignment|any non-|any evil|any good|good|evil|alignment)\b",
    re.IGNORECASE,
)
CREATURE_WORDS = re.compile(rf"\b(?:{_TYPE})s?\b", re.IGNORECASE)
_FORM = re.compile(r"^(?:name|creature|type|size and type)\s?:\s", re.IGNORECASE)
_NO_HEADING = re.compile(
    r"(?:defen[cs]es?|statistics|stats|combat|ability scores?|attributes|stat block|offen[cs]e)[.:]?",
    re.IGNORECASE,
)
_FULL = 0.7  # a line shorter than this part of the longest ends because its paragraph does
LONG = 160  # a line longer than this may have lost its line ends
_ALONE_WORDS = {
    "armour_class": "armor class|armour class|ac",
    "hit_points": "hit points|hp",
    "speed": "speed",
    "initiative": "initiative",
    "saves": "saving throws|saves",
    "skills": "skills",
    "condition_immunities": "condition immunities",
    "vulnerabilities": "damage vulnerabilities|vulnerabilities",
    "resistances": "damage resistances|resistances",
    "immunities": "damage immunities|immunities",
    "senses": "senses",
    "languages": "languages",
    "challenge": "challenge|challenge rating|cr",
    "proficiency": "proficiency bonus|pb",
    "gear": "gear",
}
ALONE = {word: label for label in LABELS for word in _ALONE_WORDS[label.kind].split("|")}


@frozen
class BlockPiece:
    """A line after the division at labels. `rest`: what followed a label on its line."""

    text: str
    label: Label | None = None
    word: str = ""
    section: BlockSection | None = None
    named: str = ""
    is_type: bool = False
    is_abilities: bool = False
    is_heading: bool = False
    after_blank: bool = False
    ends_early: bool = False
    is_rest: bool = False


def divided(lines: Sequence[Line]) -> Iterator[BlockPiece]:
    """Yield the lines divided at labels, headings of sections and names of paragraphs."""
    longest = sorted(len(line.text) for line in lines)[-max(1, len(lines) // 10) :][0] if lines else 0
    for at, line in enumerate(lines):
        after = lines[at + 1] if at + 1 < len(lines) else None
        ends_early = len(line.text) < longest * _FULL or (after is not None and after.after_blank)
        yield from _parts_of(line, ends_early)


def _parts_of(line: Line, ends_early: bool) -> Iterator[BlockPiece]:
    """Yield the pieces of one line."""
    waiting = deque(_cut(line.text))
    first = True
    while waiting:
        text, is_rest = waiting.popleft()
        text = text.strip(" |;,/") if is_rest else _FORM.sub("", text.strip(" |/"))
        if not text or (is_rest and text in (".", "-", ")")):
            continue
        plain = BlockPiece(
            text,
            after_blank=line.after_blank and first,
            is_heading=line.is_heading and first,
            ends_early=ends_early and not waiting,
            is_rest=is_rest,
        )
        is_first, first = first, False
        if _NO_HEADING.fullmatch(text):
            continue
        if section := _section(text):
            yield evolve(plain, section=section)
            continue
        if begins_abilities(text) and is_ability_line(text):
            yield evolve(plain, is_abilities=True)
            continue
        if BEGINS.match(text):
            end = tokens_end(text)
            yield evolve(plain, text=text[:end], is_abilities=True)
            waiting.appendleft((text[end:], True))
            continue
        if label := _label_at(text):
            found = label.start.match(text)
            assert found is not None
            rest = label.read(FoundFigures(), found[0], text[found.end() :])
            used = text[: len(text) - len(rest)] if rest else text
            yield evolve(plain, text=used, label=label, word=found[0])
            if rest:
                waiting.appendleft((rest, True))
            continue
        if _is_label_alone(text):
            word = text.rstrip(" :.=")
            yield evolve(plain, text=word, label=ALONE[word.casefold()], word=word)
            continue
        if type_of(text):
            yield evolve(plain, is_type=True)
            continue
        named = line.named if is_first and text.startswith(line.named[:20]) else ""
        yield evolve(plain, named=named)


def _section(text: str) -> BlockSection | None:
    """Return the section that a line is the heading of; small capitals leave blanks inside words."""
    if len(text) > 40:
        return None
    plain = re.sub(r"\([^()]{0,30}\)|[\s:.]", "", text).casefold()
    found = _SECTIONS.get(plain)
    if found and (text[:1].isupper() or text[:1] == "("):
        return found
    return None


def _label_at(text: str) -> Label | None:
    return next((label for label in LABELS if label.start.match(text)), None)


def _is_label_alone(text: str) -> bool:
    return text[:1].isupper() and text.rstrip(" :.=").casefold() in ALONE


def _cut(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a line at its headings, labels and type; whether a part follows another."""
    cuts = {0, len(text)}
    for found in _HEADING_INSIDE.finditer(text):
        if len(text) > LONG or found.start() < 60:
            cuts |= {found.start(1), found.end(1)}
    places = {label.kind: match.start() for label in LABELS if (match := label.start.search(text))}
    if abilities := INSIDE.search(text):
        places["abilities"] = abilities.start()
    inside = {place for place in places.values() if place > 0 and not _in_brackets(text, place)}
    begins = 0 in places.values()
    kind = _TYPE_INSIDE.search(text)
    if len(places) >= 3 or (begins and inside) or (kind is not None and len(places) >= 2):
        cuts |= inside
        if kind and not begins and (not inside or kind.start() < min(inside)):
            cuts.add(kind.start())
    for start, end in pairwise(sorted(cuts)):
        yield text[start:end], start > 0


def _in_brackets(text: str, place: int) -> bool:
    return text.count("(", 0, place) > text.count(")", 0, place)


def type_of(text: str) -> re.Match[str] | None:
    """Return the match of a line such as `Small humanoid (goblinoid), neutral evil`."""
    found = _TYPE_LINE.fullmatch(text.strip(" ._"))
    if not found or len(text) > 120:
        return None
    rest = found["rest"]
    is_known = bool(CREATURE_WORDS.search(rest))
    if ALIGNMENT.search(rest) and (is_known or "," in rest):
        return found
    return found if is_known and len(rest.split()) <= 5 and not text.endswith(".") else None
