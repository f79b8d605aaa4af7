"""One creature from the pieces of its stat block."""

import re
from collections.abc import Collection, Iterator, Sequence

from systems.contract.stat_block import BlockLine, BlockSection, Paragraph, StatBlock
from systems.frozen import evolve
from systems.stat_blocks.abilities import is_ability_line, read_abilities
from systems.stat_blocks.figures import FoundFigures, Label
from systems.stat_blocks.names import (
    is_like_a_name,
    is_shorthand,
    paragraph_name,
    sentences_with_names,
    without_stop,
)
from systems.stat_blocks.pieces import ALONE, CREATURE_WORDS, LONG, BlockPiece, type_of
from systems.text import clean

_SCORES = re.compile(r"(?:[0-9]{1,2} ?\([+-][0-9]{1,2}\)[ ,]{0,4}){6}")
_BARE_SENSES = re.compile(
    r"(?:darkvision|blindsight|truesight|tremorsense|passive perception) [0-9]{1,3}[^.]{0,80}\.?",
    re.IGNORECASE,
)
_RATED = re.compile(
    r"[\s,(\[-]{1,4}(?P<label>CR|Challenge(?: Rating)?|challenge)[ :]{1,2}(?P<value>[0-9]{1,2}(?:/[248])?"
    r")[\])]?"
)
_SENTENCE_END = (".", "!", "?", ")", ":", '"', "'", "\N{EM DASH}")
_FULL_STOP = (".", "!", "?", '."', ".'", ".)")
MOST_PARAGRAPHS = 120  # of one creature
_NEEDED = {
    "armour_class": "armour class",
    "hit_points": "hit points",
    "abilities": "abilities",
    "speed": "speed",
    "challenge": "challenge rating",
}
_ATTACKS = re.compile(
    r"\b(?:Melee|Ranged)\b|to hit|Saving Throw:|[+-][0-9]{1,2}\b.{0,40}[0-9]d[0-9]|\bDC ?[0-9]|makes? (?:"
    r"\w+ ){1,4}attacks?|^[0-9] attacks"
    r"|\{@(?:atk|act)"
)


def creature_of(pieces: Sequence[BlockPiece]) -> StatBlock | None:
    """Return the creature of these pieces, or None if they hold nothing of a stat block."""
    reader = _CreatureReader()
    for at, piece in enumerate(pieces):
        reader.take(piece, at)
    return reader.block()


class _CreatureReader:
    """Reads the pieces of one creature in order."""

    def __init__(self) -> None:
        self.found = FoundFigures()
        self.name = ""
        self.section: BlockSection = "trait"
        self.has_heading = False
        self.headings = set[BlockSection]()
        self.last_text = ""
        self.introductions: dict[BlockSection, str] = {}
        self.paragraphs: list[tuple[BlockSection, str, list[str]]] = []
        self.open = "name"  # what the next line may continue: name, a label, a paragraph, introduction
        self.label: tuple[Label, str, str] | None = None
        self.abilities: list[str] = []
        self.has_figures = False
        self.last_ended = True

    def take(self, piece: BlockPiece, at: int) -> None:
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
            and is_like_a_name(without_stop(piece.text))
            and not is_shorthand(piece.text)
        ):
            self._keep_name(piece.text)
        else:
            self._close()
            self._words(piece)
        self.last_text = piece.text
        self.last_ended = (
            piece.text.endswith(_SENTENCE_END) or bool(piece.section or piece.label) or piece.ends_early
        )

    def _keep_name(self, text: str) -> None:
        """Keep the name of the creature; a challenge rating next to it is a figure."""
        if rating := _RATED.search(text):
            text = text[: rating.start()] + text[rating.end() :]
            self.label = (ALONE["cr"], rating["label"], f" {rating['value']}")
        text = without_stop(text.strip(" ,:;-\N{EM DASH}"))
        self.name = text.title() if text.isupper() and len(text) > 3 else text

    def _is_awaited(self, piece: BlockPiece) -> bool:
        """Return whether a line is the value of a label that was alone on the line above."""
        assert self.label is not None
        label, word, value = self.label
        return not value.strip(" :=") and bool(label.start.match(f"{word} {piece.text}"))

    def _is_more_of_abilities(self, text: str) -> bool:
        """Return whether a line is a row of a table of abilities without a name in it."""
        is_row = self.open == "abilities" or bool(self.abilities) or not re.search("[0-9]", text)
        return is_ability_line(text) and (is_row or bool(_SCORES.fullmatch(text)))

    def _is_new(self, piece: BlockPiece) -> bool:
        """Return whether a label gives a figure that is not known yet."""
        assert piece.label is not None
        kind = piece.label.kind
        if kind in ("saves", "skills", "speed"):
            return kind not in self.found.values or not self.paragraphs
        return kind not in self.found.values

    def _continues_label(self, piece: BlockPiece) -> bool:
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

    def _close(self) -> None:
        """Read the figures collected so far."""
        if self.label:
            label, word, value = self.label
            self.label = None
            rest = label.read(self.found, word, value)
            if rest.strip(" ,;.|"):
                self._close()
                self._words(BlockPiece(rest.strip(" ,;|"), is_rest=True))
        if self.abilities and re.search("[0-9]", self.abilities[-1]):
            read_abilities(self.found, " ".join(self.abilities))
            self.abilities = []
            self.open = "label"

    def _keep_type(self, text: str) -> None:
        match = type_of(text)
        assert match is not None
        rest = match["rest"]
        words = CREATURE_WORDS.findall(rest)
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

    def _name_of(self, piece: BlockPiece) -> tuple[str, str] | None:
        """Return name and text of a paragraph that begins with this piece, or None."""
        return paragraph_name(piece, self.open, self.last_ended, self._is_unfinished())

    def _words(self, piece: BlockPiece) -> None:
        """Read prose: the beginning of a paragraph, or more of the one above."""
        if piece.is_rest and re.search("[,;]", piece.text) and not piece.text.endswith("."):
            for words in _commas(piece.text):
                self._short(words)
            return
        parts = list(sentences_with_names(piece)) if len(piece.text) > LONG else [piece]
        for part in parts:
            self._paragraph(part)

    def _paragraph(self, piece: BlockPiece) -> None:
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
        named = self._name_of(BlockPiece(text, is_rest=True))
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


def _in_its_section(paragraph: Paragraph, headings: Collection[BlockSection]) -> Paragraph:
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
