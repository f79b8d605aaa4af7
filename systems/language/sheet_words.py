"""The words of a typed sheet line, and the lines of a text with several sheets."""

import re
from collections.abc import Iterator

from systems.frozen import evolve, frozen
from systems.language.sheet_labels import SheetLabels
from systems.text import find_word

_SHEETS = re.compile(r'(?:"(?:[^"\\\n]|\\.)*"|[^;\n])+')
_EQUALS = re.compile(r"([^\"=:]+)[=:](.*)")
_WORDS = re.compile(r'(?P<comma>,)(?=\s|$)|(?P<word>(?:[^\s",]|,(?!\s|$)|"(?:[^"\\]|\\.)*")+)')
_GLUED = re.compile(r"([^\W\d_]+)([0-9]+(?:/[0-9]+)?)")  # a label and its number without a space: hp24


@frozen
class SheetWord:
    """A word of a line and its position. `piece`: the number of commas before it."""

    text: str
    start: int
    end: int
    piece: int


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, each with one sheet. A semicolon ends a line as a line break does."""
    return [line for line, _ in lines_and_ends(text)]


def lines_and_ends(text: str) -> list[tuple[str, int]]:
    """Return the lines of a text, each with one sheet, and the position in the text at which each ends."""
    found = _SHEETS.finditer(text.replace("\r", "\n"))
    return [(line[0].strip(), line.start() + len(line[0].rstrip())) for line in found if line[0].strip()]


class SheetWords:
    """The words of a line, with the labels that they may be.

    `melee=45`, `melee: 45` and `melee45` are two words each.
    """

    def __init__(self, labels: SheetLabels, line: str) -> None:
        self.labels, self.line = labels, line
        self.words = list(self._split_words())

    def _split_words(self) -> Iterator[SheetWord]:
        """Yield the words of the line, with `melee=45`, `melee: 45` and `melee45` split into two."""
        piece = 0
        for match in _WORDS.finditer(self.line):
            if match["comma"]:
                piece += 1
                continue
            word = SheetWord(match["word"], match.start(), match.end(), piece)
            found = _EQUALS.fullmatch(word.text)
            if found and (not found[2] or self._may_be_label(found[1])):
                at = word.start + len(found[1])
                yield evolve(word, text=found[1], end=at)
                if found[2]:
                    yield evolve(word, text=found[2], start=at + 1)
            elif (glued := self._glued(word)) is not None:
                at = word.start + len(glued[1])
                yield evolve(word, text=glued[1], end=at)
                yield evolve(word, text=glued[2], start=at)
            else:
                yield word

    def _may_be_label(self, word: str) -> bool:
        return bool(find_word(word, self.labels.meanings) or self.labels.begun_by(word))

    def _glued(self, word: SheetWord) -> re.Match[str] | None:
        """Return the label and the number of a word such as `hp24`. A name with a capital is left alone."""
        is_name = word.start == 0 and not word.text.islower()
        found = None if is_name else _GLUED.fullmatch(word.text)
        return found if found and self.labels.is_number(found[1]) else None

    def _end_of_piece(self, at: int) -> int:
        """Return the index of the first word after the next comma."""
        piece = self.words[at].piece
        return next(
            (end for end in range(at, len(self.words)) if self.words[end].piece != piece), len(self.words)
        )

    def _texts(self, start: int, end: int) -> list[str]:
        return [word.text for word in self.words[start:end]]

    def _text(self, start: int, end: int) -> str:
        """Return these words as typed, with the commas between them."""
        return self.line[self.words[start].start : self.words[end - 1].end] if end > start else ""
