"""Split a command line into words, quotes, options and `by WHO`, with the position of each word.

Names of several words can be typed without quotes: `joined` makes each one word, `freed` splits them again.
"""

import re
from collections.abc import Iterable

from systems.dice.sources import Given, read_given
from systems.errors import Misread
from systems.frozen import evolve, frozen
from systems.text import clean, matches, nearest, plain_word, shown, spoken

LONGEST = 2_000
_TOKEN = re.compile(r'(?P<space>\s+)|(?P<word>(?:[^\s"]|"[^"]*")+)|(?P<open>")')
_OPTION = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)=(.*)", re.DOTALL)
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")
_DICE = re.compile(r"(=?[0-9]{1,6}(,=?[0-9]{1,6})*,?)?")
_BEGINNING = 3  # letters that abbreviate an option
_MINUS = "\N{MINUS SIGN}"
# Replaces each space inside a name by one character, so that errors still point at the right place.
_HELD = "\0"
_PIECE = re.compile(r'"[^"]*"?|[^\s",=]+')


@frozen
class Word:
    """One word of a line and its position; `text` is without quotes."""

    text: str
    start: int
    end: int
    quoted: bool = False

    def wrong(self, message: str, *, names_word: bool = False) -> Misread:
        return Misread(message, self.start, self.end, names_word=names_word)

    def is_plain(self, pattern: re.Pattern[str]) -> bool:
        """Return whether the word matches a pattern, ignoring case. A quoted word never does."""
        return not self.quoted and pattern.fullmatch(self.text.casefold()) is not None

    def says(self, *texts: str) -> bool:
        """Return whether the word is one of these keywords, ignoring case. A quoted word never is."""
        return not self.quoted and self.text.casefold() in texts


def words_of(line: str) -> list[Word]:
    """Return the words of a line. Quotes keep spaces inside a word. Raises Misread for an open quote."""
    found: list[Word] = []
    at = 0
    while at < len(line):
        match = _TOKEN.match(line, at)
        assert match is not None
        if match["open"]:
            raise Misread("this quote is never closed", at, at + 1, names_word=True)
        if match["word"]:
            text = match["word"]
            found.append(Word(freed(text.replace('"', "")), at, match.end(), text.startswith('"')))
        at = match.end()
    return found


def quote(text: str, *, always: bool = False) -> str:
    """Return a text as one word of a line, in quotes if it needs them. `words_of` reads it back.

    `always`: in quotes even without need, so that a name is taken literally. Text that begins with a quote is
    returned unchanged, because it was typed that way. Other quotes inside are dropped, as in reading.
    """
    if text.startswith('"'):
        return text
    plain = text.replace('"', "")
    needs = plain.casefold() in ("", "by") or re.search(r"\s", plain) or _OPTION.fullmatch(plain)
    return f'"{plain}"' if always or needs else text


def dice_of(word: Word) -> tuple[Given, ...]:
    """Return the faces and totals that the value of `dice=` gives. Raises Misread."""
    if not _DICE.fullmatch(word.text):
        says = "dice takes faces, or totals with =, separated by commas: dice=13,17 or dice=13,=9"
        raise word.wrong(says)
    return read_given(word.text)


class TokenLine:
    """The words of one line, taken from the left. Options and `by` are kept separately."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.form = ""  # the form of the command, shown if something is missing
        self.options: dict[str, Word] = {}
        self._accepted: list[str] = []  # the options that the command has looked for
        self.words: list[Word] = []
        self._by: Word | None = None
        self._aims = False
        words = words_of(line)
        while words:
            word = words.pop(0)
            option = None if word.quoted else _OPTION.fullmatch(word.text)
            if option and self.words:
                is_quoted = line[word.start : word.end].partition("=")[2].startswith('"')
                value = evolve(word, text=option[2], quoted=is_quoted)
                self._set_aside(option[1].casefold(), value)
            elif word.says("by") and self.words:
                if not words:
                    raise word.wrong('the name after "by" is missing', names_word=True)
                if self._by is not None:
                    raise word.wrong('"by" is used twice', names_word=True)
                self._by = words.pop(0)
                while words and (self._by.text.endswith(",") or words[0].text.startswith(",")):
                    more = words.pop(0)
                    self._by = evolve(self._by, text=self._by.text + more.text, end=more.end)
            else:
                self.words.append(word)

    def _set_aside(self, name: str, word: Word) -> None:
        if name in self.options:
            raise word.wrong(f"{spoken(clean(name, 40))} is given twice")
        self.options[name] = word

    def take(self, what: str) -> Word:
        """Take the next word. Raises Misread that names the missing part."""
        if not self.words:
            raise self.missing(what)
        return self.words.pop(0)

    def missing(self, what: str) -> Misread:
        form = f": {self.form}" if self.form else ""
        return Misread(f"{what} is missing{form}", len(self.line), len(self.line))

    def take_word(self, *texts: str) -> Word | None:
        """Take the next word if it is one of `texts`, else return None."""
        if self.words and self.words[0].says(*texts):
            return self.words.pop(0)
        return None

    def take_number(self, what: str, expected: str = "a whole number") -> int:
        word = self.take(what)
        if not _NUMBER.fullmatch(word.text.replace(_MINUS, "-")):
            raise word.wrong(f"{what}: expected {expected}, got {shown(word.text)}", names_word=True)
        return int(word.text.replace(_MINUS, "-"))

    def take_value(self) -> int | None:
        """Take the next word if it is a number of at most three digits, such as `2` or `=2`, else return
        None.
        """
        word = self.words[0].text.replace(_MINUS, "-").removeprefix("=") if self.words else ""
        if re.fullmatch(r"[+-]?[0-9]{1,3}", word):
            del self.words[0]
            return int(word)
        return None

    def take_targets(self) -> str:
        """Take the words of TARGETS: one, and more if a comma continues the list."""
        self._aims = True
        text = self.take("the name").text
        while self.words and (text.endswith(",") or self.words[0].text.startswith(",")):
            text += self.words.pop(0).text
        return text

    @property
    def quoted_options(self) -> frozenset[str]:
        """Return the options with quoted values, by name as typed."""
        return frozenset(name for name, word in self.options.items() if word.quoted)

    def take_options(self) -> dict[str, str]:
        """Take all options, by name as typed."""
        found = {name: word.text for name, word in self.options.items()}
        self.options.clear()
        return found

    def take_by(self) -> str:
        """Take the name after `by`, or ""."""
        word, self._by = self._by, None
        return word.text if word else ""

    def take_option(self, name: str) -> Word | None:
        """Take the value of an option of a command, given by its name or a beginning, or return None."""
        self._accepted.append(name)
        for typed in self.options:
            if matches(typed, [name], least=_BEGINNING):
                return self.options.pop(typed)
        return None

    def take_dice(self) -> tuple[Given, ...] | None:
        """Take the faces and totals of `dice=`, or None if no dice are given."""
        self._accepted.append("dice")
        word = self.options.pop("dice", None)
        return None if word is None else dice_of(word)

    def take_event_numbers(self, name: str) -> tuple[int, ...]:
        """Take the numbers of an option such as `drop=14,15`, or () if it is not given."""
        self._accepted.append(name)
        word = self.options.pop(name, None)
        if word is None:
            return ()
        if not re.fullmatch(r"[0-9]{1,6}(,[0-9]{1,6})*", word.text):
            raise word.wrong(f"{name}: expected event numbers, such as {name}=14,15")
        return tuple(map(int, word.text.split(",")))

    def rest(self, what: str) -> Word:
        """Take all remaining words as one, as typed. Raises Misread if none is left."""
        if not self.words:
            raise self.missing(what)
        start, end = self.words[0].start, self.words[-1].end
        text = " ".join(freed(self.line[word.start : word.end]) for word in self.words)
        self.words.clear()
        return Word(text, start, end)

    def end(self) -> None:
        """Raise Misread if anything is left over."""
        if self.words:
            hint = "; separate several targets with commas: 1,3" if self._aims else ""
            says = f"{shown(self.words[0].text)} is one word too many{hint}"
            raise self.words[0].wrong(says, names_word=True)
        for name, word in self.options.items():
            meant = nearest(name, self._accepted)
            hint = f"; did you mean {meant}?" if meant else ""
            raise word.wrong(f"this command takes no option {clean(name, 40)}{hint}")
        if self._by is not None:
            raise self._by.wrong('this command takes no "by"')


def joined(line: str, names: Iterable[str], *, first_only: bool = False) -> str:
    """Return the line with the words of each name joined, longest names first. `freed` splits them again.

    Only whole names after the first word count. `first_only`: only a name directly after it.
    """
    known = {plain_word(name) for name in names if " " in name}
    if not known:
        return line
    longest = max(name.count("_") for name in known) + 1
    pieces, found = list(_PIECE.finditer(line)), list(line)
    at = 1
    while at < (min(2, len(pieces)) if first_only else len(pieces)):
        end = _end_of_name(line, pieces[at : at + longest], known)
        last = at
        while pieces[last].end() < end:
            found[pieces[last].end() : pieces[last + 1].start()] = _HELD * (
                pieces[last + 1].start() - pieces[last].end()
            )
            last += 1
        at = last + 1
    return "".join(found)


def joined_before_last(line: str, names: Iterable[str]) -> str:
    """Return the line with the words of names joined, except in the last word, which is still being typed."""
    end = max(line.rfind(" "), line.rfind(",")) + 1
    return joined(line[:end], names) + line[end:]


def last_of(text: str) -> str:
    """Return the text after the last space, including a space inside a name."""
    return text.rpartition(_HELD)[2]


def _end_of_name(line: str, pieces: list[re.Match[str]], known: set[str]) -> int:
    """Return the end of the longest name that begins with the first of these pieces, or 0."""
    start, end, name, found = pieces[0].start(), pieces[0].start(), "", 0
    for piece in pieces:
        if piece[0].startswith('"') or (not line[end : piece.start()].isspace() and end > start):
            break
        end = piece.end()
        name = f"{name} {piece[0]}"
        if " " in name[1:] and plain_word(name) in known:
            found = end
    return found


def freed(text: str) -> str:
    """Return text of a joined line with the spaces in its names restored."""
    return re.sub(f"{_HELD}+", " ", text)
