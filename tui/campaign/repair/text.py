"""Repairs for a file that cannot be read at all: bytes, lines and names."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from systems.text import clean
from tui.campaign.campaign import ROSTER, roster_file
from tui.campaign.encounters import free_id, names_in
from tui.campaign.formats import FORMAT
from tui.campaign.log.divergence import versions
from tui.campaign.problems import FileProblem
from tui.campaign.repair.choice import RepairChoice, aside
from tui.campaign.toml.files import parse_toml
from tui.campaign.toml.text import quoted

_FAR = 10**9
_LARGE = 200_000  # bytes; a larger file was not typed, and every try takes time
_CURLY = str.maketrans("“”„‟«»‘’‚", '""""""\'\'\'')
_WORDS = {"yes": "true", "on": "true", "no": "false", "off": "false", "true": "true", "false": "false"}
_PAIR = re.compile(r"^(\s*[\w.\"'-]+\s*=\s*)([^\s\"'\[{#][^#]*?)(\s*(?:#.*)?)$")
_COLON = re.compile(r"^(\s*[\w.-]+)\s*:\s+(?=\S)")
_HEADING = re.compile(r"^(\s*\[\[?[\w. -]+?)\s*\]*\s*$")


def name_choices(campaign: Path, problem: FileProblem, data: bytes) -> Iterator[RepairChoice]:
    """Yield repairs for a file whose name is the problem."""
    folder, _, name = problem.file.rpartition("/")
    if problem.code == "not_an_id" and folder == ROSTER:
        taken = {name.removesuffix(".toml") for name in names_in(campaign / ROSTER)}
        new = roster_file(free_id(name.removesuffix(".toml"), taken, "kind"))
        yield RepairChoice(f"call it {new}", {problem.file: None, new: data})
    elif problem.code == "not_read":
        kept = aside(campaign, problem.file)
        yield RepairChoice(f"set it aside as {kept}", {problem.file: None, kept: data})


def text_choices(problem: FileProblem, data: bytes) -> Iterator[RepairChoice]:
    """Yield repairs for a file that is not TOML: those that remove the error or move it further down."""
    file = problem.file
    if two := versions(data):
        yield RepairChoice("keep the first of the two versions that were merged", {file: two[0]})
        yield RepairChoice("keep the second of the two versions that were merged", {file: two[1]})
        return
    reach = _reach(data, file)
    for says, changed in chain(_of_bytes(data), _of_line(data, problem.line)):
        if changed != data and _reach(changed, file) > reach:
            yield RepairChoice(says, {file: changed})
            return


def _reach(data: bytes, file: str) -> int:
    """Return how far a file can be read: the line of the first error in its text."""
    try:
        parse_toml(data, file)
    except FileProblem as problem:
        if problem.field:
            return _FAR
        return problem.line - (_FAR if problem.code == "encoding" else 0)
    return _FAR


def _of_bytes(data: bytes) -> Iterator[tuple[str, bytes]]:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        yield "write it as UTF-8 instead of UTF-16", data.decode("utf-16", "replace").encode()
    if b"\0" in data:
        yield "take out the zero bytes", data.replace(b"\0", b"")
    try:
        data.decode()
    except UnicodeDecodeError:
        words = "read it as Windows text and write it as UTF-8"
        yield words, data.decode("cp1252", "replace").encode()
    if b"\r" in data.replace(b"\r\n", b""):
        yield "end its lines as TOML does", data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _of_line(data: bytes, number: int) -> Iterator[tuple[str, bytes]]:
    """Yield the file with one line changed in every plausible way, and last commented out."""
    lines = data.split(b"\n")
    if not 1 <= number <= len(lines):
        return
    # An unclosed text or list is discovered only on a later line.
    for at in (number - 1, *range(number - 2, max(-1, number - 4), -1)):
        old = lines[at].decode(errors="replace").rstrip("\r")
        for new in _meant(old) if old.strip() and len(data) < _LARGE else ():
            changed = b"\n".join([*lines[:at], new.encode(), *lines[at + 1 :]])
            yield f"line {at + 1}: write {clean(new, 80)}", changed
    old = lines[number - 1].decode(errors="replace").rstrip("\r")
    changed = b"\n".join([*lines[: number - 1], f"# {old}".encode(), *lines[number:]])
    yield f"line {number}: turn it into a comment: # {clean(old, 80)}", changed


def _meant(line: str) -> Iterator[str]:
    """Yield what a line may have been meant to be."""
    plain = line.translate(_CURLY)
    yield plain
    equal = _COLON.sub(r"\1 = ", plain)
    yield equal
    if found := _PAIR.match(equal):
        start, word, rest = found.groups()
        if word.casefold() in _WORDS:
            yield f"{start}{_WORDS[word.casefold()]}{rest}"
        if re.fullmatch(r"[+-]?0+[0-9]+", word):
            yield f"{start}{int(word)}{rest}"
        yield f"{start}{quoted(word)}{rest}"
    if found := _HEADING.match(equal):
        yield found.group(1) + ("]]" if "[[" in found.group(1) else "]")
    for end in ('"', "'", "]", "}", '"]', '" }', " }]", '" }]'):
        yield equal + end


def with_format(data: bytes, number: int = FORMAT) -> bytes:
    """Return the file with a line for its format, below the comments at its top."""
    mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    rest = data[len(mark) :]
    comments = re.match(rb"(?:[ \t]*#[^\n]*\n)*", rest)
    at = comments.end() if comments else 0
    return mark + rest[:at] + b"format = %d\n" % number + rest[at:]
