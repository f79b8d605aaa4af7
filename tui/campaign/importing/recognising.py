"""Recognise by its content what a file or a pasted text holds, and read it as plain data within limits."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from systems.frozen import frozen
from systems.stat_blocks import fight_club, improved_initiative, open5e, tagged
from systems.text import clean, printable
from tui.campaign.importing.xml_data import CUT_OFF, monsters
from tui.campaign.problems import FileProblem
from tui.campaign.toml.files import read_bytes, text_of

LARGEST = 20 * 1024 * 1024  # bytes of a file
LARGEST_BLOCK = 64_000  # bytes of stat blocks as text
DEEPEST = 50  # lists and tables inside each other
TextKind = Literal[
    "pack", "toml", "csv", "stat_block", "tagged", "improved_initiative", "open5e", "fight_club"
]
KINDS: Mapping[TextKind, str] = {
    "pack": "an encounter of Affray",
    "toml": "TOML",
    "csv": "CSV",
    "stat_block": "a stat block",
    "tagged": "tagged JSON",
    "improved_initiative": "Improved Initiative's JSON",
    "open5e": "Open5e's JSON",
    "fight_club": "Fight Club's XML",
}
ACCEPTED = (
    "use a stat block as text, the JSON of 5etools, Improved Initiative or Open5e, Fight Club's XML, or "
    "Affray's TOML or CSV"
)
_PACK = re.compile(r"^pack[ \t]*=[ \t]*[\"']", re.MULTILINE)
_TABLE = re.compile(r"^[ \t]*\[", re.MULTILINE)
_TOML_LINE = re.compile(r"\[\[?[ \t]*[\w.\"' -]+\]\]?[ \t]*(?:#.*)?|[\w.\"'-]+[ \t]*=[ \t]*(?![=>]).*")
_KNOWN_BYTES = (
    *((b"%PDF-", "a PDF"), (b"PK\x03\x04", "a ZIP file or an office document"), (b"\x89PNG", "a picture")),
    *((b"\xff\xd8\xff", "a picture"), (b"\xd0\xcf\x11\xe0", "an office document")),
)
# Signs of a stat block: most blocks have nearly all, and other texts have none.
_SIGNS = tuple(
    re.compile(sign, re.IGNORECASE)
    for sign in (
        r"\b(?:armou?r class|AC)\b[\s:*|=]{0,6}[0-9]",
        r"\b(?:hit points|HP)\b[\s:*|=]{0,6}\(?[0-9]",
        r"\b(?:speed|spd)\b[\s:*|=]{0,6}(?:walk |fly |swim )?[0-9]",
        r"\bSTR\b[^\n]{0,30}[\s|]{1,6}DEX\b|\bstrength\b[\s:*|=]{0,6}[0-9]",
        r"\b(?:challenge|CR)\b[\s:*|=]{0,6}[0-9]",
        r"[+-][0-9]{1,2} to hit\b|\b(?:attack roll|weapon attack)\b:?",
        r"\bDC ?[0-9]{1,2}\b|\bsaving throws?\b",
        r"\b(?:senses|languages|skills)\b",
        r"^[\s*#_>]{0,8}(?:actions|reactions|bonus actions|traits|legendary actions)[\s*#_]{0,8}$",
    )
)
_MULTILINE = re.compile(_SIGNS[-1].pattern, re.IGNORECASE | re.MULTILINE)
_BEGINS = re.compile(
    r"^[\s*_>#|-]{0,8}(?:armou?r class|ac|hit points|hp|speed|str|challenge|actions|traits|reactions)\b",
    re.IGNORECASE | re.MULTILINE,
)
_MANY_LINES = 6_000  # characters; chance gives a text of this length two signs
_LONG = 300  # characters of one line that is no list of names


class NothingKnown(FileProblem):
    """A text in which nothing that can be imported is recognised."""


@frozen
class Content:
    """What a file or a text holds: its kind, its text, and the plain data of its creatures."""

    kind: TextKind
    text: str
    creatures: Sequence[Any] = ()


def read_file(path: Path) -> bytes:
    """Return the bytes of a file to import. Raises FileProblem."""
    return read_bytes(path, path.name, LARGEST)


def recognised(data: bytes, file: str) -> Content:
    """Return what the bytes of a file hold. Raises FileProblem if that cannot be imported."""
    if len(data) > LARGEST:
        raise FileProblem(file, 0, "", f"is larger than {LARGEST // 1024 // 1024} MB")
    for start, what in _KNOWN_BYTES:
        if data.startswith(start):
            raise FileProblem(file, 0, "", f"is {what}, which cannot be imported; {ACCEPTED}")
    is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16", "replace") if is_wide else text_of(data, file)
    try:
        return recognised_text(text, file)
    except NothingKnown:
        # A pasted line such as this is left to the game's own reading of typed lines.
        if looks_like_shorthand(text):
            return Content("stat_block", text)
        raise


def recognised_text(text: str, file: str) -> Content:
    """Return what a text holds. Raises FileProblem if that cannot be imported."""
    start = text.lstrip()[:200]
    first = start.partition("\n")[0].strip()
    is_toml_head = _TOML_LINE.fullmatch(first) is not None
    if not start:
        raise FileProblem(file, 0, "", "is empty")
    if start[0] in "{[" and not (is_toml_head and not first.startswith(("[{", "[["))) and not _is_toml(text):
        return _json(text, file)
    if start[0] == "<" and (start.startswith("<?xml") or "<monster" in text or "<!DOCTYPE" in text[:5_000]):
        return _xml(text, file)
    ending = Path(file).suffix.casefold()
    if ending == ".toml" or _is_toml(text):
        table = _TABLE.search(text)
        is_pack = _PACK.search(text, 0, table.start() if table else len(text)) is not None
        return Content("pack" if is_pack else "toml", text)
    if looks_like_stat_block(text):
        return Content("stat_block", text)
    if ending == ".csv" or _is_csv(start):
        return Content("csv", text)
    raise NothingKnown(file, 0, "", f"holds nothing that can be imported; {ACCEPTED}")


def looks_like_stat_block(text: str) -> bool:
    """Return whether a text has the marks of a stat block, or of a part of one."""
    head = text[:LARGEST_BLOCK]
    signs = sum(1 for sign in _SIGNS[:-1] if sign.search(head)) + bool(_MULTILINE.search(head))
    is_long = len(head) > _LONG and "\n" not in head.strip()
    wanted = 2 if len(head) < _MANY_LINES else 4
    return signs >= wanted and (bool(_BEGINS.search(head)) or is_long)


def looks_like_shorthand(text: str) -> bool:
    """Return whether each line of a text names armour class and hit points, as in a game master's notes."""
    lines = [line for line in text[:_MANY_LINES].splitlines() if line.strip()]
    return bool(lines) and all(sign.search(line) for line in lines for sign in _SIGNS[:2])


def _is_toml(text: str) -> bool:
    """Return whether a text is TOML: its first line is a field or a heading of a table, and it has no error.

    A text with an error counts as TOML if most of its lines are fields and headings.
    """
    lines = [line.strip() for line in text[:20_000].splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if not lines or not _TOML_LINE.fullmatch(lines[0]):
        return False
    fields = sum(1 for line in lines if _TOML_LINE.fullmatch(line))
    if fields * 2 > len(lines):
        return True
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _is_csv(start: str) -> bool:
    """Return whether the first line names fields, one of them `name`."""
    heading = start.partition("\n")[0]
    between = max(",;\t", key=heading.count)
    return "name" in (word.strip(" \"'").casefold() for word in heading.split(between)) and between in heading


# JSON


def _json(text: str, file: str) -> Content:
    try:
        data = json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise FileProblem(file, 0, "", f"is nested more than {DEEPEST} deep") from None
    except json.JSONDecodeError as error:
        if not text.rstrip().endswith(("}", "]")):
            raise FileProblem(file, 0, "", CUT_OFF) from None
        raise FileProblem(file, error.lineno, "", f"is not JSON: {_reason(error)}") from None
    except ValueError as error:
        raise FileProblem(file, 0, "", f"is not JSON: {clean(str(error), 100)}") from None
    data = plain(data, file)
    readers: tuple[tuple[TextKind, Any], ...] = (
        ("improved_initiative", improved_initiative.creatures),
        ("open5e", open5e.creatures),
        ("tagged", tagged.creatures),
    )
    for kind, creatures in readers:
        if found := creatures(data):
            return Content(kind, text, found)
    raise FileProblem(file, 0, "", f"is JSON without a creature in a known form; {ACCEPTED}")


def _reason(error: json.JSONDecodeError) -> str:
    return clean(error.msg[:1].lower() + error.msg[1:], 100)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number")


def plain(data: Any, file: str) -> Any:
    """Return data with the values that are JSON in a text read as well, and without control characters.

    Raises FileProblem if it is nested too deep.
    """
    holder = [data]
    waiting: list[tuple[Any, int]] = [(holder, 0)]
    while waiting:
        outer, depth = waiting.pop()
        if depth > DEEPEST:
            raise FileProblem(file, 0, "", f"is nested more than {DEEPEST} deep")
        for key, value in _items(outer):
            inner = _unpacked(value) if isinstance(value, str) else value
            outer[key] = inner
            if isinstance(inner, dict | list):
                waiting.append((inner, depth + 1))
    return holder[0]


def _items(outer: Any) -> Iterator[tuple[Any, Any]]:
    yield from list(outer.items()) if isinstance(outer, dict) else enumerate(outer)


def _unpacked(value: str) -> Any:
    """Return the data in a text that is itself JSON; else the text without control characters."""
    if value[:1] in ("{", "[") and value[-1:] in ("}", "]"):
        try:
            found = json.loads(value, parse_constant=_refuse)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict | list):
            return found
    if value.isprintable():
        return value
    return "\n".join(printable(line) for line in value.split("\n"))


# XML


def _xml(text: str, file: str) -> Content:
    found = monsters(text, file)
    if not found:
        raise FileProblem(file, 0, "", f"is XML without a monster of Fight Club; {ACCEPTED}")
    return Content("fight_club", text, found)


MAPPINGS: Mapping[TextKind, Any] = {
    "tagged": tagged.creature,
    "improved_initiative": improved_initiative.creature,
    "open5e": open5e.creature,
    "fight_club": fight_club.creature,
}
