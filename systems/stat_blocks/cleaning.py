"""Pasted text as clean lines: plain characters, no markdown, whole words, columns one after the other.

Every pattern here works on one line and takes linear time.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from systems.errors import Wrong
from systems.frozen import frozen
from systems.text import plain_number

MOST_BYTES = 64_000  # of one paste
_CHARACTERS = {
    **dict.fromkeys(
        map(ord, "\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}\N{EN DASH}\N{MINUS SIGN}"), "-"
    ),
    **dict.fromkeys(map(ord, "\N{SMALL HYPHEN-MINUS}\N{FULLWIDTH HYPHEN-MINUS}"), "-"),
    **dict.fromkeys(map(ord, "\N{HORIZONTAL BAR}\N{TWO-EM DASH}"), "\N{EM DASH}"),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u00b4`"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u2033\u00ab\u00bb"), '"'),
    **dict.fromkeys(map(ord, "\N{MULTIPLICATION SIGN}\u2715\u2a2f"), "x"),
    **dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u200e\u200f"), ""),
    **dict.fromkeys(map(ord, "\u2022\u25cf\u25e6\u25aa\u2023\u00b7\u2043\u25b6\u25ba\u25c6"), "\u2022"),
    ord("\N{FRACTION SLASH}"): "/",
    ord("\N{SOFT HYPHEN}"): "\N{SOFT HYPHEN}",
    ord("\N{VULGAR FRACTION ONE EIGHTH}"): " 1/8",
    ord("\N{VULGAR FRACTION ONE QUARTER}"): " 1/4",
    ord("\N{VULGAR FRACTION ONE HALF}"): " 1/2",
    ord("\f"): "\n",
    ord("\v"): "\n",
    ord("\N{LINE SEPARATOR}"): "\n",
    ord("\N{PARAGRAPH SEPARATOR}"): "\n\n",
    ord("\N{NEXT LINE}"): "\n",
}
_HTML_BREAK = re.compile(r"</?(?:br|p|div|li|tr|h[1-6]|ul|ol|table|hr)\b[^<>]{0,200}>", re.IGNORECASE)
_HTML_CELL = re.compile(r"</?(?:td|th)\b[^<>]{0,200}>", re.IGNORECASE)
_HTML = re.compile(r"</?[a-z][a-z0-9]{0,15}\b[^<>]{0,200}>", re.IGNORECASE)
_ENTITIES = {
    "&nbsp;": " ",
    "&amp;": "&",
    "&minus;": "-",
    "&ndash;": "-",
    "&mdash;": "\N{EM DASH}",
    "&shy;": "",
}
_ENTITIES |= {"&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&rsquo;": "'", "&times;": "x"}
_ENTITY = re.compile("|".join(map(re.escape, _ENTITIES)))
_QUOTE = re.compile(r"^[ \t]{0,8}(?:> ?){1,8}")
_RULE = re.compile(r"^[\s_*=~\-\u2014|:+]{2,400}$")
_HEADING = re.compile(r"^\s{0,8}#{1,6}\s{1,8}(.*?)[\s#]{0,20}$")
_BULLET = re.compile(r"^\s{0,40}(?:[\u2022]|[*+-] )\s{0,8}")
# A name in bold or bold italics at the beginning of a paragraph, also in the middle of a line.
_EMPHASIS = r"(\*{1,3}|_{1,3})"
_NAMED = re.compile(rf"{_EMPHASIS}(?P<name>[^*_\n]{{2,90}}?)(?P<end>[.:]?)\1(?P<after>[.:]?)")
_STARS = re.compile(r"\*{1,3}|(?<![A-Za-z0-9])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![A-Za-z0-9])")
_HOMEBREWERY = re.compile(r"^\s{0,8}(?:\{\{[^{}]{0,200}|\}\}|:{1,4}|\\(?:page|column)(?:break)?)\s{0,8}$")
_SPACES = re.compile(r"[ \t]+")
_GAP = re.compile(r"(?<=\S)(?:[ ]{3,}|[ ]{0,9}\t[ \t]{0,40})(?=\S)")
_HEADER = re.compile(
    r"(?:page )?[0-9]{1,4}(?: ?(?:of|/) ?[0-9]{1,4})?|-+ ?[0-9]{1,4} ?-+"
    r"|(?:chapter|appendix) (?:[0-9]{1,3}|[a-z]|[ivx]{1,5})\b[^.]{0,60}",
    re.IGNORECASE,
)
_RUNNING_HEAD = re.compile(r"[0-9]{1,4} {1,3}[A-Z][A-Z' :&,-]{5,60}|[A-Z][A-Z' :&,-]{5,60} {1,3}[0-9]{1,4}")
_LEAST_SPLIT = 5  # lines of a page with two columns
_PROSE = 15  # characters of the lines of a column on average
_LONGEST_OPEN = 200  # characters of a line with an open bracket


@frozen
class Line:
    """One line of pasted text. `named`: the name in bold that begins it."""

    text: str
    named: str = ""
    is_heading: bool = False
    after_blank: bool = False


@frozen
class CleanText:
    """The lines of a paste, and those left out as headers of a page."""

    lines: tuple[Line, ...]
    left_out: tuple[str, ...]


def cleaned(text: str) -> CleanText:
    """Return pasted text as clean lines. Raises Wrong if it is longer than 64 kB."""
    if len(text) > MOST_BYTES or len(text.encode("utf-8", "replace")) > MOST_BYTES:
        most = plain_number(MOST_BYTES // 1000)
        raise Wrong("", f"a stat block may have {most} kB of text; paste fewer creatures at once")
    raw = _characters(text).split("\n")
    raw = _one_column(raw)
    lines = list(_lines(raw))
    kept, left_out = _without_headers(lines)
    return CleanText(tuple(_joined_words(kept)), tuple(left_out))


def _characters(text: str) -> str:
    """Return the text in plain characters: no ligatures, entities, HTML or control characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_CHARACTERS)
    text = text.replace("\N{SOFT HYPHEN}\n", "").replace("\N{SOFT HYPHEN}", "")
    if "&" in text:
        text = _ENTITY.sub(lambda found: _ENTITIES[found[0]], text)
    if "<" in text:
        text = _HTML.sub("", _HTML_CELL.sub(" ", _HTML_BREAK.sub("\n", text)))
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return "".join(letter for letter in text if letter in "\n\t" or letter.isprintable())


def _one_column(lines: list[str]) -> list[str]:
    """Return the lines of a page with two columns side by side, the left column first."""
    by_tab = [line.split("\t") for line in lines if line.strip()]
    rights = [parts[1] for parts in by_tab if len(parts) == 2 and parts[0].strip() and parts[1].strip()]
    if len(rights) >= _LEAST_SPLIT and sum(map(len, rights)) > _PROSE * len(rights):
        parted = [line.partition("\t") for line in lines]
        return [*(left for left, _, _ in parted), *(right for _, _, right in parted if right.strip())]
    starts: Counter[int] = Counter()
    filled = 0
    for line in lines:
        filled += bool(line.strip())
        if "|" not in line:
            starts.update({found.end() for found in _GAP.finditer(line.expandtabs(8))})
    if not starts:
        return lines
    column, times = max(starts.items(), key=lambda item: (item[1], item[0]))
    if times < _LEAST_SPLIT or times * 10 < filled * 3:
        return lines
    left, right = list[str](), list[str]()
    for line in (each.expandtabs(8) for each in lines):
        is_split = len(line) > column and not line[max(0, column - 2) : column].strip()
        left.append(line[:column].rstrip() if is_split else line)
        if is_split:
            right.append(line[column:])
    return [*left, "", *right]


def _lines(raw: Sequence[str]) -> Iterator[Line]:
    """Yield the lines without markdown; a name in bold begins a line of its own."""
    after_blank = True
    for each in raw:
        line = _QUOTE.sub("", each)
        if not line.strip() or _HOMEBREWERY.match(line):
            after_blank = True
            continue
        if _RULE.match(line):
            after_blank = after_blank or "|" not in line
            continue
        heading = _HEADING.match(line)
        text = heading[1] if heading else line
        text = text.replace(" :: ", " ").replace("::", " ")
        is_bullet = bool(_BULLET.match(text)) and not re.match(r"\s*-\s*[0-9]", text)
        if is_bullet:
            text = _BULLET.sub("", text, count=1)
        for start, name, part in _parts(text):
            words = _SPACES.sub(" ", _STARS.sub("", part).replace("|", " ")).strip()
            if words:
                yield Line(words, name, heading is not None and start == 0, after_blank or is_bullet)
                after_blank = False


def _parts(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the parts of a line that begin with a name in bold: place, name and text."""
    if "*" not in text and "_" not in text:
        yield 0, "", text
        return
    cuts: list[tuple[int, str]] = []
    for found in _NAMED.finditer(text):
        before = text[: found.start()].rstrip()
        ends = bool(found["end"] or found["after"])
        is_bold = len(found[1]) >= 2
        if not before or (ends and is_bold and before[-1] in ".!?)"):
            cuts.append((found.start(), found["name"].strip(" .:") if ends or is_bold else ""))
    if not cuts or cuts[0][0] > 0:
        cuts.insert(0, (0, ""))
    for at, (start, name) in enumerate(cuts):
        end = cuts[at + 1][0] if at + 1 < len(cuts) else len(text)
        yield start, name, text[start:end]


def _without_headers(lines: Sequence[Line]) -> tuple[list[Line], list[str]]:
    """Return the lines without page numbers and running heads, and those left out."""
    kept, left_out = list[Line](), list[str]()
    for line in lines:
        text = line.text
        is_header = _HEADER.fullmatch(text) or (_RUNNING_HEAD.fullmatch(text) and not _is_figure(text))
        if is_header and not _belongs_to_a_table(text, kept):
            left_out.append(text)
        else:
            kept.append(line)
    return kept, left_out


_FIGURE_WORDS = re.compile(
    r"\b(?:STR|DEX|CON|INT|WIS|CHA|AC|HP|CR|XP|PB|ARMOU?R|HIT|SPEED|CHALLENGE|INITIATIVE|STRENGTH|DEXTERITY"
    r"|CONSTITUTION|INTELLIGENCE|WISDOM|CHARISMA|RECHARGE|LEVEL)\b"
)


_LABEL_ALONE = re.compile(
    r"(?:(?:STR|DEX|CON|INT|WIS|CHA|strength|dexterity|constitution|intelligence|wisdom|charisma|mod|save"
    r"|armou?r class|AC|hit points|HP|challenge(?: rating)?|CR)[ :|]{0,4}){1,9}",
    re.IGNORECASE,
)


def _is_figure(text: str) -> bool:
    return bool(_FIGURE_WORDS.search(text))


def _belongs_to_a_table(text: str, before: Sequence[Line]) -> bool:
    """Return whether a number alone on a line is a score below or next to the name of an ability."""
    if not text.isdigit() or int(text) > 99:
        return False
    return any(_LABEL_ALONE.fullmatch(line.text) for line in before[-8:])


def _joined_words(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines with a word that a hyphen divides between two lines in one piece."""
    held: Line | None = None
    for line in lines:
        if held is None:
            held = line
        elif _is_open(held.text, line):
            held = Line(f"{held.text} {line.text}", held.named, held.is_heading, held.after_blank)
        elif _is_divided(held.text, line):
            end = line.text.partition(" ")[0]
            keeps = held.text[-2:-1].isdigit() or "-" in held.text.split(" ")[-1][:-1]
            word = held.text if keeps or _keeps_hyphen(held.text, end) else held.text[:-1]
            held = Line(word + line.text, held.named, held.is_heading, held.after_blank)
        else:
            yield held
            held = line
    if held is not None:
        yield held


def _is_open(text: str, after: Line) -> bool:
    """Return whether a bracket of a line is closed in the next."""
    return (
        len(text) < _LONGEST_OPEN
        and text.rfind("(") > text.rfind(")")
        and 0 <= after.text.find(")") < _LONGEST_OPEN
        and "(" not in after.text[: after.text.find(")")]
        and not (after.is_heading or after.named or after.after_blank)
    )


def _is_divided(text: str, after: Line) -> bool:
    return (
        len(text) > 2
        and text[-1] == "-"
        and text[-2].isalnum()
        and after.text[:1].isalnum()
        and (after.text[:1].islower() or text[-2].isdigit())
        and not after.is_heading
        and not after.named
    )


_WHOLE_FIRST = frozenset(
    "half non self hit one two three multi long short cold life death first second".split()
)
_WHOLE_LAST = frozenset("foot feet wide long radius mile minute hour level tall high thick".split())


def _keeps_hyphen(text: str, end: str) -> bool:
    """Return whether a hyphen at the end of a line is one of the word, as in `15-foot`."""
    first = text.rsplit(" ", maxsplit=1)[-1][:-1].casefold()
    return first in _WHOLE_FIRST or end.strip(".,;:").casefold().split("-")[0] in _WHOLE_LAST
