"""The creatures in pasted text: stat blocks of the layouts of 2014 and 2024, and shorthand.

The lines of a paste are divided at labels and names, creatures begin at a line of size and type or at an
armour class, and the text between the labels is paragraphs.
"""

import re
from collections import deque
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from systems.contract.stat_block import BlockLine, Paragraph, Section, StatBlock
from systems.frozen import evolve, frozen
from systems.stat_blocks.abilities import (
    BEGINS,
    INSIDE,
    begins_abilities,
    is_ability_line,
    read_abilities,
    tokens_end,
)
from systems.stat_blocks.cleaning import MOST_BYTES, Line, cleaned
from systems.stat_blocks.figures import ABILITY, LABELS, SIZES, TYPES, FoundFigures, Label
from systems.stat_blocks.tags import without_tags
from systems.text import clean

_SECTIONS: dict[str, Section] = {
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
_ALIGNMENT = re.compile(
    r"\b(?:unaligned|neutral|lawful|chaotic|any alignment|any non-|any evil|any good|good|evil|alignment)\b",
    re.IGNORECASE,
)
_CREATURE_WORDS = re.compile(rf"\b(?:{_TYPE})s?\b", re.IGNORECASE)
_SMALL = (
    "of|the|and|in|to|with|from|for|on|at|by|a|an|or|as|into|its|per|vs|without|over|under|through|beyond"
    "|upon"
    "|against|before|after"
)
_WORD = rf"(?:[A-Z0-9][\w'\u00c0-\u024f/-]{{0,24}}|{_SMALL}|\+[0-9])"
_MARKS = r"(?: ?\([^()]{1,60}\)){0,2}"
_NAME = rf"[A-Z][\w'\u00c0-\u024f/-]{{0,24}},?(?: {_WORD},?){{0,7}}"
_LAZY_NAME = rf"[A-Z][\w'\u00c0-\u024f/-]{{0,24}},?(?: {_WORD},?){{0,7}}?"
_STARTS = re.compile(rf"(?P<name>{_NAME}{_MARKS})[.!](?: ?\N{{EM DASH}})?(?= |$)")
_STARTS_WITH_COLON = re.compile(rf"(?P<name>{_NAME}{_MARKS}):(?= |$)")
_STRONG = r"(?:\*?(?:Melee|Ranged)\b|[+-][0-9]{1,2}\b|DC [0-9]|\{@(?:atk|h|act|hit|damage|dc)"
_STARTS_STRONG = re.compile(
    rf"(?P<name>{_LAZY_NAME}{_MARKS})(?:[.:]|,| -| \N{{EM DASH}})? ?(?={_STRONG}|(?:"
    rf"{'|'.join(('Strength', 'Dexterity', 'Constitution', 'Intelligence', 'Wisdom', 'Charisma'))}) Savin"
    rf"g Throw:))"
)
_SHORT = re.compile(
    r"(?P<name>(?:[0-9] ?x )?[A-Za-z][\w' /-]{1,40}?(?: \([^()]{1,30}\))?)[:,.]? "
    r"(?=[+-][0-9]{1,2}\b[^.]{0,40}?[0-9]{1,2}d[0-9]|DC ?[0-9]{1,2}\b|[0-9]{1,2}d[0-9]{1,2}[^.]{0,30}\bDC"
    r" ?[0-9])",
)
_NOT_NAMES = re.compile(
    r"(?:hit|miss|hit or miss|failure|success|failure or success|(?:first|second) failure|trigger|response"
    r"|melee|ranged|(?:melee|ranged|melee or ranged) (?:weapon |spell )?attack(?: roll)?|half damage"
    rf"|(?:{ABILITY}) (?:saving throw|check)s?|at will|cantrips?|[0-9](?:st|nd|rd|th) level|[0-9]/day(?: "
    rf"each)?"
    r"|(?:the|an?|it|if|each|when|while|until|any|this|that|these|in|on|at|by|as|for|once|one|two|three|i"
    r"ts|their)"
    r"|ft|dc|hp|ac|cr|xp|pb|effect|damage|range|area|duration|note|special|level [0-9]"
    r"|blinded|charmed|deafened|frightened|grappled|incapacitated|invisible|paralyzed|petrified|poisoned|"
    r"prone"
    r"|restrained|stunned|unconscious|exhaustion|acid|bludgeoning|cold|fire|force|lightning|necrotic|piercing"
    r"|poison|psychic|radiant|slashing|thunder|strength|dexterity|constitution|intelligence|wisdom|charisma"
    r"|legendary action uses|proficiency bonus|hit points|armor class|feet|foot|short rest|long rest"
    r"|advantage|disadvantage)",
    re.IGNORECASE,
)
_FIRST_WORDS = re.compile(
    r"(?:the|an?|it|if|each|when|while|until|any|this|that|these|those|on|once|its|their|they|he|she|othe"
    r"rwise"
    r"|instead|additionally|creatures?|for|as|at|by|in|after|before|during|hit|failure|success|melee|rang"
    r"ed)\b",
    re.IGNORECASE,
)
_SCORES = re.compile(r"(?:[0-9]{1,2} ?\([+-][0-9]{1,2}\)[ ,]{0,4}){6}")
_FORM = re.compile(r"^(?:name|creature|type|size and type)\s?:\s", re.IGNORECASE)
_NO_HEADING = re.compile(
    r"(?:defen[cs]es?|statistics|stats|combat|ability scores?|attributes|stat block|offen[cs]e)[.:]?",
    re.IGNORECASE,
)
_BARE_SENSES = re.compile(
    r"(?:darkvision|blindsight|truesight|tremorsense|passive perception) [0-9]{1,3}[^.]{0,80}\.?",
    re.IGNORECASE,
)
_BARE_TRAITS = re.compile(
    r"(?:pack tactics|magic resistance|evasion|undead fortitude|amphibious|spider climb|flyby|siege monster"
    r"|sunlight sensitivity|keen (?:senses|smell|sight|hearing)[a-z ]{0,20}|legendary resistance(?: \([^("
    r")]{1,30}\))?"
    r"|regeneration [0-9]{1,3}[^.]{0,40}|nimble escape|hover)\.?",
    re.IGNORECASE,
)
_STOPPED_NAME = re.compile(r"[A-Z][\w'-]{1,24}(?: [A-Z][\w'-]{1,24}){0,3}\.")
_RATED = re.compile(
    r"[\s,(\[-]{1,4}(?P<label>CR|Challenge(?: Rating)?|challenge)[ :]{1,2}(?P<value>[0-9]{1,2}(?:/[248])?"
    r")[\])]?"
)
# No word of a name in shorthand.
_FUNCTION_WORDS = re.compile(
    r"\b(?:a|an|the|on|in|it|makes?|must|succeeds?|takes?|taking|or|and|that|is|are|by|be|target|saving|a"
    r"gainst)\b"
)
_SENTENCE_END = (".", "!", "?", ")", ":", '"', "'", "\N{EM DASH}")
_FULL_STOP = (".", "!", "?", '."', ".'", ".)")
_FULL = 0.7  # a line shorter than this part of the longest ends because its paragraph does
MOST_CREATURES = 60  # in one paste
MOST_PARAGRAPHS = 120  # of one creature
_LONG = 160  # a line longer than this may have lost its line ends


@frozen
class _Piece:
    """A line after the division at labels. `rest`: what followed a label on its line."""

    text: str
    label: Label | None = None
    word: str = ""
    section: Section | None = None
    named: str = ""
    is_type: bool = False
    is_abilities: bool = False
    is_heading: bool = False
    after_blank: bool = False
    ends_early: bool = False
    is_rest: bool = False


def creatures(text: str) -> tuple[StatBlock, ...]:
    """Return the creatures that a pasted text describes, in order; none if it is no stat block.

    Raises Wrong if the text is too long.
    """
    clean_text = cleaned(without_tags(text) if "{@" in text[:MOST_BYTES] else text)
    pieces = list(_pieces(clean_text.lines))
    starts = _starts(pieces)[:MOST_CREATURES]
    ends = [*starts[1:], len(pieces)]
    parts = [pieces[start:end] for start, end in zip(starts, ends, strict=False)]
    before = pieces[: starts[0]] if starts else pieces
    if not starts:
        parts = [pieces]
    elif before:
        # A column that was copied before the name of the creature.
        belongs = any(piece.section or piece.label or piece.is_abilities for piece in before)
        if belongs:
            parts[0] = [*parts[0], *_as_later_column(before)]
    blocks = [block for block in (_block(part) for part in parts) if block is not None]
    if blocks and clean_text.left_out:
        headers = tuple(
            BlockLine(each, problem="left out as the header of a page") for each in clean_text.left_out
        )
        blocks[0] = evolve(blocks[0], lines=(*blocks[0].lines, *headers))
    return tuple(blocks)


def _as_later_column(pieces: Sequence[_Piece]) -> Iterator[_Piece]:
    for at, piece in enumerate(pieces):
        if at == 0 and piece.section is None and piece.label is None:
            yield evolve(piece, after_blank=True)
        else:
            yield piece


# Division of lines


def _pieces(lines: Sequence[Line]) -> Iterator[_Piece]:
    """Yield the lines divided at labels, headings of sections and names of paragraphs."""
    longest = sorted(len(line.text) for line in lines)[-max(1, len(lines) // 10) :][0] if lines else 0
    for at, line in enumerate(lines):
        after = lines[at + 1] if at + 1 < len(lines) else None
        ends_early = len(line.text) < longest * _FULL or (after is not None and after.after_blank)
        yield from _divided(line, ends_early)


def _divided(line: Line, ends_early: bool) -> Iterator[_Piece]:
    """Yield the pieces of one line."""
    waiting = deque(_cut(line.text))
    first = True
    while waiting:
        text, is_rest = waiting.popleft()
        text = text.strip(" |;,/") if is_rest else _FORM.sub("", text.strip(" |/"))
        if not text or (is_rest and text in (".", "-", ")")):
            continue
        plain = _Piece(
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
            yield evolve(plain, text=word, label=_ALONE[word.casefold()], word=word)
            continue
        if _type_of(text):
            yield evolve(plain, is_type=True)
            continue
        named = line.named if is_first and text.startswith(line.named[:20]) else ""
        yield evolve(plain, named=named)


def _section(text: str) -> Section | None:
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


_ALONE: dict[str, Label] = {}
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
for _each in LABELS:
    for _word in _ALONE_WORDS[_each.kind].split("|"):
        _ALONE[_word] = _each


def _is_label_alone(text: str) -> bool:
    return text[:1].isupper() and text.rstrip(" :.=").casefold() in _ALONE


def _cut(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a line at its headings, labels and type; whether a part follows another."""
    cuts = {0, len(text)}
    for found in _HEADING_INSIDE.finditer(text):
        if len(text) > _LONG or found.start() < 60:
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


def _type_of(text: str) -> re.Match[str] | None:
    """Return the match of a line such as `Small humanoid (goblinoid), neutral evil`."""
    found = _TYPE_LINE.fullmatch(text.strip(" ._"))
    if not found or len(text) > 120:
        return None
    rest = found["rest"]
    is_known = bool(_CREATURE_WORDS.search(rest))
    if _ALIGNMENT.search(rest) and (is_known or "," in rest):
        return found
    return found if is_known and len(rest.split()) <= 5 and not text.endswith(".") else None


# Creatures


def _starts(pieces: Sequence[_Piece]) -> list[int]:
    """Return the places at which creatures begin: at the name, else at the type or the figures."""
    found: list[int] = []
    seen = set[str]()
    for at, piece in enumerate(pieces):
        kind = "type" if piece.is_type else piece.label.kind if piece.label else ""
        if kind not in ("type", "armour_class"):
            continue
        if kind == "type" and not _is_anchor(pieces, at):
            continue
        is_new = not found or kind in seen or (kind == "type" and "armour_class" in seen)
        if kind == "armour_class" and found and is_new:
            near = {each.label.kind for each in pieces[at + 1 : at + 5] if each.label}
            is_new = "hit_points" in near and _name_before(pieces, at, found[-1] + 1) is not None
        if is_new:
            least = found[-1] + 1 if found else 0
            name = _name_before(pieces, at, least)
            found.append(at if name is None else name)
            seen = set()
        seen.add(kind)
    return found


def _is_anchor(pieces: Sequence[_Piece], at: int) -> bool:
    near = pieces[max(0, at - 3) : at + 8]
    return any(piece.label or piece.is_abilities for piece in near) or bool(
        _ALIGNMENT.search(pieces[at].text)
    )


def _name_before(pieces: Sequence[_Piece], at: int, least: int) -> int | None:
    """Return the place of the creature's name before its type or its armour class, or None."""
    candidates: list[int] = []
    for place in range(at - 1, max(least, at - 4) - 1, -1):
        piece = pieces[place]
        if piece.section or piece.is_abilities or piece.is_type:
            break
        if piece.label and piece.label.kind in ("challenge", "initiative"):
            continue
        if piece.label or not _is_like_a_name(_without_stop(piece.text)):
            break
        candidates.append(place)
    if not candidates:
        return None
    if pieces[at].is_type:
        return candidates[0]
    marked = [place for place in candidates if pieces[place].is_heading or pieces[place].named]
    return (
        marked[0]
        if marked
        else next((place for place in candidates if pieces[place].after_blank), candidates[0])
    )


def _without_stop(text: str) -> str:
    """Return a name such as `Cave Squid.` without its full stop."""
    return text.removesuffix(".") if _STOPPED_NAME.fullmatch(text) else text


def _is_like_a_name(text: str) -> bool:
    words = text.split()
    return (
        0 < len(words) <= 8 and len(text) <= 70 and not text.rstrip('"').endswith((".", ";", ":", ","))
    ) or (len(words) <= 6 and text.endswith((":", ",", ";", " -", "\N{EM DASH}")))


def _block(pieces: Sequence[_Piece]) -> StatBlock | None:
    """Return the creature of these pieces, or None if they hold nothing of a stat block."""
    reader = _Reader()
    for at, piece in enumerate(pieces):
        reader.take(piece, at)
    return reader.block()


class _Reader:
    """Reads the pieces of one creature in order."""

    def __init__(self) -> None:
        self.found = FoundFigures()
        self.name = ""
        self.section: Section = "trait"
        self.has_heading = False
        self.headings = set[Section]()
        self.last_text = ""
        self.introductions: dict[Section, str] = {}
        self.paragraphs: list[tuple[Section, str, list[str]]] = []
        self.open = "name"  # what the next line may continue: name, a label, a paragraph, introduction
        self.label: tuple[Label, str, str] | None = None
        self.abilities: list[str] = []
        self.has_figures = False
        self.last_ended = True

    def take(self, piece: _Piece, at: int) -> None:
        """Read one piece."""
        if piece.section:
            self._close()
            self.section, self.open = piece.section, "introduction"
            self.has_heading = True
            self.headings.add(piece.section)
            if number := re.search(r"\(([1-9]) ?/ ?(?:turn|round)\)", piece.text, re.IGNORECASE):
                self.introductions[piece.section] = f"{number[1]} {piece.section} actions a round."
        elif piece.label and self._is_new(piece):
            self._close()
            self.label = (piece.label, piece.word, piece.text[len(piece.word) :])
            self.has_figures = True
        elif _BARE_SENSES.fullmatch(piece.text) and not (self.label and self.label[0].kind == "senses"):
            self._close()
            self.found.keep("senses", piece.text, piece.text)
        elif self.label and self._is_awaited(piece):
            label, word, _ = self.label
            self.label = (label, word, f" {piece.text}")
        elif piece.is_abilities or self._is_more_of_abilities(piece.text):
            if self.open != "abilities" and not self.abilities:
                self._close()
            self.abilities.append(piece.text)
            self.open = "abilities"
            self.has_figures = self.has_figures or piece.is_abilities
        elif piece.is_type and "kind" not in self.found.values:
            self._close()
            self._keep_type(piece.text)
            self.open = "label"
        elif self.label and self._continues_label(piece):
            label, word, value = self.label
            self.label = (label, word, f"{value} {piece.text}")
        elif (
            at == 0
            and not self.name
            and _is_like_a_name(_without_stop(piece.text))
            and not _SHORT.match(piece.text)
        ):
            self._keep_name(piece.text)
        else:
            self._close(keeps_paragraph=True)
            self._words(piece)
        self.last_text = piece.text
        self.last_ended = (
            piece.text.endswith(_SENTENCE_END) or bool(piece.section or piece.label) or piece.ends_early
        )

    def _keep_name(self, text: str) -> None:
        """Keep the name of the creature; a challenge rating next to it is a figure."""
        if rating := _RATED.search(text):
            text = text[: rating.start()] + text[rating.end() :]
            self.label = (_ALONE["cr"], rating["label"], f" {rating['value']}")
        text = _without_stop(text.strip(" ,:;-\N{EM DASH}"))
        self.name = text.title() if text.isupper() and len(text) > 3 else text

    def _is_awaited(self, piece: _Piece) -> bool:
        """Return whether a line is the value of a label that was alone on the line above."""
        assert self.label is not None
        label, word, value = self.label
        return not value.strip(" :=") and bool(label.start.match(f"{word} {piece.text}"))

    def _is_more_of_abilities(self, text: str) -> bool:
        """Return whether a line is a row of a table of abilities without a name in it."""
        is_row = self.open == "abilities" or bool(self.abilities) or not re.search("[0-9]", text)
        return is_ability_line(text) and (is_row or bool(_SCORES.fullmatch(text)))

    def _is_new(self, piece: _Piece) -> bool:
        """Return whether a label gives a figure that is not known yet."""
        assert piece.label is not None
        kind = piece.label.kind
        if kind in ("saves", "skills", "speed"):
            return kind not in self.found.values or not self.paragraphs
        return kind not in self.found.values

    def _continues_label(self, piece: _Piece) -> bool:
        """Return whether a line goes on with the value of the label above it."""
        assert self.label is not None
        label, _, value = self.label
        if not value.strip(" :="):
            return True
        if (piece.text.startswith("(") and piece.text.endswith(")")) or label.kind == "proficiency":
            return piece.text.startswith("(")
        if label.kind not in (
            "saves",
            "skills",
            "condition_immunities",
            "vulnerabilities",
            "resistances",
            "immunities",
            "senses",
            "languages",
            "gear",
            "speed",
        ):
            return False
        if piece.named or piece.is_heading or piece.after_blank:
            return False
        if value.rstrip().endswith((",", ";", " and", " or", " from", "-", " the", "assive")):
            return True
        return piece.text[:1].islower() and not self._is_unfinished() and not self._name_of(piece)

    def _is_unfinished(self) -> bool:
        """Return whether the last paragraph ends in the middle of a sentence, as in mixed columns."""
        return bool(self.paragraphs and self.paragraphs[-1][2]) and not self.paragraphs[-1][2][-1].endswith(
            _SENTENCE_END
        )

    def _close(self, keeps_paragraph: bool = False) -> None:
        """Read the figures collected so far."""
        if self.label:
            label, word, value = self.label
            self.label = None
            rest = label.read(self.found, word, value)
            if rest.strip(" ,;.|"):
                self._close()
                self._words(_Piece(rest.strip(" ,;|"), is_rest=True))
        if self.abilities and re.search("[0-9]", self.abilities[-1]):
            read_abilities(self.found, " ".join(self.abilities))
            self.abilities = []
            self.open = "label"

    def _keep_type(self, text: str) -> None:
        match = _type_of(text)
        assert match is not None
        rest = match["rest"]
        words = _CREATURE_WORDS.findall(rest)
        self.found.keep("size", match["size"].casefold(), text)
        if words:
            # A swarm is of its own size, and of the type of its parts.
            type = words[0].casefold().removesuffix("s")
            type = {"monstrositie": "monstrosity", "feys": "fey", "undea": "undead"}.get(type, type)
            self.found.keep("type", type, text)
        else:
            self.found.miss(text, "no type of creature that is known")
        self.found.keep("kind", text, text)

    # Paragraphs

    def _name_of(self, piece: _Piece) -> tuple[str, str] | None:
        """Return name and text of a paragraph that begins with this piece, or None."""
        text = piece.text
        if piece.named and not _NOT_NAMES.fullmatch(piece.named.strip(" .:")):
            name = piece.named.strip(" .:")
            rest = text[len(name) :] if text.startswith(name) else text
            marks = re.match(rf"({_MARKS})[.:,]?", rest)
            extra = marks[1] if marks else ""
            return f"{name}{extra}", rest[marks.end() if marks else 0 :].lstrip(" .:")
        for pattern, needs in ((_STARTS_STRONG, False), (_STARTS, True), (_STARTS_WITH_COLON, True)):
            found = pattern.match(text)
            if not found:
                continue
            name = found["name"].strip(" ,")
            bare = re.sub(r"\([^()]*\)", "", name).strip()
            if _NOT_NAMES.fullmatch(bare) or (_FIRST_WORDS.match(bare) and len(bare.split()) > 3):
                continue
            if pattern is _STARTS_WITH_COLON and not (piece.after_blank or self.last_ended):
                continue
            if needs and not (piece.after_blank or self.last_ended or self.open in ("label", "introduction")):
                continue
            return name, text[found.end() :].strip(" :")
        if _BARE_TRAITS.fullmatch(text) and text[0].isupper():
            name, blank, more = text.strip(" .").partition(" ")
            return (name, more) if name.casefold() == "regeneration" else (name + blank + more, "")
        continues = self._is_unfinished() and text[:1].islower() and not piece.is_rest
        if not continues and (
            self.last_ended or piece.is_rest or piece.after_blank or self.open != "paragraph"
        ):
            found = _SHORT.match(text)
            name = found["name"] if found else ""
            is_name = name and not (_FUNCTION_WORDS.search(name) or _FIRST_WORDS.match(name))
            if found and is_name and not _NOT_NAMES.fullmatch(name):
                return found["name"].strip(" ,:"), text[found.end() :].strip()
        return None

    def _words(self, piece: _Piece) -> None:
        """Read prose: the beginning of a paragraph, or more of the one above."""
        if piece.is_rest and re.search("[,;]", piece.text) and not piece.text.endswith("."):
            for words in _commas(piece.text):
                self._short(words)
            return
        parts = list(_sentences_with_names(piece)) if len(piece.text) > _LONG else [piece]
        for part in parts:
            self._paragraph(part)

    def _paragraph(self, piece: _Piece) -> None:
        named = self._name_of(piece)
        if named:
            name, text = named
            self.paragraphs.append((self.section, name, [text] if text else []))
            self.open = "paragraph"
        elif self.open == "introduction" and (
            self.has_heading and self.section in ("legendary", "mythic", "lair", "reaction", "bonus_action")
        ):
            earlier = self.introductions.get(self.section, "")
            self.introductions[self.section] = f"{earlier} {piece.text}".strip()
        elif self.paragraphs and not piece.is_rest:
            self.paragraphs[-1][2].append(piece.text)
            self.open = "paragraph"
        else:
            self._short(piece.text)

    def _short(self, text: str) -> None:
        """Read a part of a shorthand line that has no label."""
        named = self._name_of(_Piece(text, is_rest=True))
        if named:
            self.paragraphs.append((self.section, named[0], [named[1]]))
        elif self.name or self.has_figures:
            self.found.miss(text, "not understood")
        else:
            self.name = clean(text, 80).strip(" ,")

    def _ends_early(self) -> bool:
        """Return whether the last paragraph lacks the full stop that the others have."""
        if self.open != "paragraph" or not self.paragraphs or self.last_text.endswith(_FULL_STOP):
            return False
        others = [texts[-1].endswith(_FULL_STOP) for _, _, texts in self.paragraphs[:-1] if texts]
        return sum(others) * 2 > len(others)

    def block(self) -> StatBlock | None:
        """Return the creature, or None without figures and paragraphs."""
        self._close()
        values = dict(self.found.values)
        if not (self.has_figures or self.has_heading or values):
            return None
        paragraphs = tuple(
            Paragraph(section, _joined([name]), _joined(texts))
            for section, name, texts in self.paragraphs[:MOST_PARAGRAPHS]
        )
        paragraphs = tuple(_in_its_section(each, self.headings) for each in paragraphs)
        lines = list(self.found.lines)
        if not self.name:
            lines.append(BlockLine("", assumed="the text names no creature"))
        if len(self.paragraphs) > MOST_PARAGRAPHS:
            problem = f"only the first {MOST_PARAGRAPHS} paragraphs are read"
            lines.append(BlockLine(self.paragraphs[MOST_PARAGRAPHS][1], problem=problem))
        if self._ends_early():
            end = self.last_text[-60:]
            name = self.paragraphs[-1][1]
            lines.append(BlockLine(end, assumed=f"the text may end in the middle of {name}"))
        lines += _missing(values)
        return StatBlock(
            name=clean(self.name, 80),
            paragraphs=paragraphs,
            introductions={name: _joined([text]) for name, text in self.introductions.items()},
            sources=self.found.sources,
            lines=tuple(lines),
            **values,
        )


_NEEDED = {
    "armour_class": "armour class",
    "hit_points": "hit points",
    "abilities": "abilities",
    "speed": "speed",
    "challenge": "challenge rating",
}


def _missing(values: dict[str, object]) -> Iterator[BlockLine]:
    for field, words in _NEEDED.items():
        if field not in values:
            yield BlockLine("", assumed=f"no {words} in the text; the sheet's own value stays")


def _joined(texts: Sequence[str]) -> str:
    return " ".join(" ".join(texts).split())


def _commas(text: str) -> Iterator[str]:
    """Yield the parts of a shorthand line between commas outside brackets."""
    depth, start = 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if (
            letter in ",;"
            and depth <= 0
            and not re.match(
                r"[,;] ?(?:[0-9+(]|reach|range|recharge|half|one target|plus|and )", text[at : at + 12]
            )
        ):
            yield text[start:at].strip()
            start = at + 1
    if text[start:].strip():
        yield text[start:].strip()


_ATTACKS = re.compile(
    r"\b(?:Melee|Ranged)\b|to hit|Saving Throw:|[+-][0-9]{1,2}\b.{0,40}[0-9]d[0-9]|\bDC ?[0-9]|makes? (?:"
    r"\w+ ){1,4}attacks?|^[0-9] attacks"
    r"|\{@(?:atk|act)"
)


def _in_its_section(paragraph: Paragraph, headings: Collection[Section]) -> Paragraph:
    """Return a paragraph in the section of its kind if the text lacks the heading of that section."""
    name = paragraph.name.casefold()
    for words, section in (
        ("(reaction)", "reaction"),
        ("(bonus action)", "bonus_action"),
        ("(bonus)", "bonus_action"),
    ):
        if words in name:
            return evolve(paragraph, section=section, name=re.sub(r"\s?\([^()]*\)$", "", paragraph.name))
    if "action" in headings or "trait" in headings:
        return paragraph
    is_action = bool(_ATTACKS.search(paragraph.text)) or "multiattack" in paragraph.name.casefold()
    return evolve(paragraph, section="action") if is_action and paragraph.section == "trait" else paragraph


def _sentences_with_names(piece: _Piece) -> Iterator[_Piece]:
    """Yield the paragraphs of a text whose line ends are lost."""
    cuts = [0]
    for found in _AFTER_SENTENCE.finditer(piece.text):
        place = found.end()
        after = piece.text[place : place + 140]
        match = _STARTS.match(after) or _STARTS_STRONG.match(after)
        if match is None:
            continue
        bare = re.sub(r"\([^()]*\)", "", match["name"]).strip(" ,")
        follows = after[match.end() :].lstrip()
        if _NOT_NAMES.fullmatch(bare) or _FIRST_WORDS.match(bare) or not follows[:1].strip():
            continue
        if follows[0].isupper() or follows[0] in "+-{(" or follows[0].isdigit():
            cuts.append(place)
    for at, start in enumerate(cuts):
        end = cuts[at + 1] if at + 1 < len(cuts) else len(piece.text)
        text = piece.text[start:end].strip()
        if text:
            yield evolve(
                piece,
                text=text,
                after_blank=start > 0 or piece.after_blank,
                named=piece.named if start == 0 else "",
                is_rest=False,
            )


_AFTER_SENTENCE = re.compile(r"[.!?)](?<!ft\.)['\"]? (?=[A-Z])")
