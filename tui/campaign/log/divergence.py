"""Recognise and compare two copies of a campaign that diverged; never mix them.

Each event's end mark continues the previous one, so two logs are equal up to the last mark they share, and
two different fights after it. They meet as a file with conflict marks (a merge), as two files in one folder
(a synchronised folder), or as one file in which the second tail follows the first.
"""

import re
import zlib
from pathlib import Path
from typing import Literal

from systems.frozen import frozen
from systems.text import clean
from tui.campaign.encounters import LOG, names_in
from tui.campaign.log.blocks import WRONG_MARK, Blocks, block_at, header_end, marks_of, scan
from tui.campaign.log.parse import decode
from tui.campaign.problems import FileProblem
from tui.campaign.toml.positions import line_at

Relation = Literal["same", "older", "newer", "parted", "unreadable"]

_MARKS = re.compile(rb"^(<{7}|\|{7}|={7}|>{7})(?:[ \t][^\n]*)?\r?$\n?", re.MULTILINE)
_BEGIN = re.compile(rb"^<{7}(?:[ \t]|\r?$)", re.MULTILINE)
MERGED = (
    "two versions of this file were merged here, and neither is complete; affray check --repair keeps one"
)


@frozen
class Parting:
    """How another copy of a log relates to the log: the events they share, and those each has after that.

    `older`: the other one ends where the log continues; `newer`: it continues where the log ends. `line`: the
    line of its first event that the log does not have, or 0.
    """

    relation: Relation
    common: int = 0
    here: int = 0
    there: int = 0
    line: int = 0
    says: str = ""


def copies_in(folder: Path) -> list[str]:
    """Return the names of other copies of an encounter's log, as left by a synchronised folder."""
    return [name for name in names_in(folder) if is_copy(name)]


def is_copy(name: str) -> bool:
    """Return whether a file of this name in an encounter's folder is another copy of its log."""
    return name != LOG and name.casefold().startswith("log") and name.casefold().endswith(".toml")


def compare(here: bytes, there: bytes) -> Parting:
    """Compare another copy with a log. If the log itself is broken, only the part before that counts."""
    try:
        own = scan(here, header_end(here, LOG), 0)
        other = scan(there, header_end(there, LOG), 0)
        if other.broken >= 0 and not other.torn:
            return Parting("unreadable", says="is another copy of this fight's log, and is broken itself")
        if not own.bounds and not other.bounds:
            return Parting("same", says="is a second, empty log of this fight")
        return _parting(here, own, there, other)
    except FileProblem:
        return Parting("unreadable", says="is another copy of this fight's log that cannot be read")


def _parting(here: bytes, own: Blocks, there: bytes, other: Blocks) -> Parting:
    mine, theirs = marks_of(here, own), marks_of(there, other)
    common = next(
        (at for at, (block, two) in enumerate(zip(mine, theirs, strict=False)) if block != two),
        min(len(mine), len(theirs)),
    )
    left, right = len(mine) - common, len(theirs) - common
    if not right:
        relation: Relation = "older" if left else "same"
        says = f"is an older copy of this fight's log: it ends after event {common}, where log.toml goes on"
        says = says if left else "is a copy of this fight's log and holds the same events"
        return Parting(relation, common, left, right, 0, says)
    line = line_at(there, other.bounds[common][0])
    goes_on = f"{_told(there, other, common)} and {_more(right - 1)}"
    if not left:
        says = f"is a newer copy of this fight's log: after event {common}, its last, it has {goes_on}"
        return Parting("newer", common, left, right, line, says)
    says = (
        f"is another copy of this fight's log; the two differ after event {common}: "
        f"log.toml goes on with {_told(here, own, common)} and {_more(left - 1)}, this one with {goes_on}"
    )
    return Parting("parted", common, left, right, line, says)


def _told(data: bytes, blocks: Blocks, at: int) -> str:
    """Return an event's name for a message: its command, in quotation marks."""
    try:
        (event,) = decode(data, Blocks([blocks.bounds[at]], 0, 0), LOG)
        said = clean(event.typed or event.text, 60)
    except FileProblem:
        said = ""
    return f'"{said}"' if said else "an event"


def _more(number: int) -> str:
    return "nothing more" if not number else f"{number} more event{'' if number == 1 else 's'}"


def why_broken(data: bytes, blocks: Blocks) -> tuple[int, str] | None:
    """Return where and why a broken log is two copies in one file; None if it is something else."""
    if blocks.broken < 0:
        return None
    if marked := _BEGIN.search(data, blocks.broken):
        return marked.start(), MERGED
    if blocks.why == WRONG_MARK and (after := _follows(data, blocks)) is not None:
        last = len(blocks.bounds)
        return blocks.broken, (
            f"this event does not follow event {last} but event {after}: two copies of this log "
            f"follow one another here, and they differ from event {after} on"
        )
    return None


def _follows(data: bytes, blocks: Blocks) -> int | None:
    """Return the number of the event after which a misplaced block was written, or None."""
    found = block_at(data, blocks.broken)
    if found is None:
        return None
    body, written = found
    body = body.replace(b"\r\n", b"\n")
    marks = [0, *marks_of(data, blocks)]
    return next((n for n, mark in enumerate(marks) if zlib.crc32(body, mark) == written), None)


def versions(data: bytes) -> tuple[bytes, bytes] | None:
    """Return the two versions in a file with conflict marks; None without marks, or if they do not match."""
    if not _BEGIN.search(data):
        return None
    ours: list[bytes] = []
    theirs: list[bytes] = []
    into: tuple[list[bytes], ...] = (ours, theirs)
    expected, at = b"<", 0
    for found in _MARKS.finditer(data):
        mark = found.group(1)[:1]
        if mark not in expected:
            # A line of equals signs may be part of a text outside any conflict.
            if mark == b"=" and expected == b"<":
                continue
            return None
        for version in into:
            version.append(data[at : found.start()])
        at = found.end()
        into = {b"<": (ours,), b"|": (), b"=": (theirs,), b">": (ours, theirs)}[mark]
        expected = {b"<": b"|=", b"|": b"=", b"=": b">", b">": b"<"}[mark]
    if expected != b"<":
        return None
    for version in into:
        version.append(data[at:])
    return b"".join(ours), b"".join(theirs)
