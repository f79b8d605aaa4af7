"""The log of an encounter as text: the block of one event, and which blocks are whole.

A block is whole only with its end mark: the checksum of its text, seeded with the mark of the previous block.
So a torn block, a changed block and a missing block can all be detected, and two copies of a campaign that
diverged have different marks from there on.
"""

import re
import zlib

from systems.codec.events import plain_event
from systems.encounter.events import Event
from systems.frozen import frozen
from tui.campaign.formats import LOG_FORMAT
from tui.campaign.problems import FileProblem
from tui.campaign.toml.files import LARGEST, parse_toml

HEADER = f"format = {LOG_FORMAT}\n".encode()
BEGIN = b"[[event]]\n"
_BEGIN = re.compile(rb"^\[\[event\]\][ \t]*\r?\n", re.MULTILINE)
_END = re.compile(rb'end = "([0-9a-f]{8})"[ \t]*(?:\r?\n|\Z)')
_ASIDE = re.compile(rb"(?:[ \t]*+(?:#[^\n]*+)?(?:\n|\r\n|\Z))*+")
NO_MARK = "this event is not complete: it has no end mark"
WRONG_MARK = "this event was changed or damaged, or one before it is missing: its end mark is wrong"
NO_EVENT = "there is text here that is not an event"


@frozen
class LogEnd:
    """The end of the known part of a log: its size in bytes, the last end mark, the last event's number."""

    size: int = 0
    mark: int = 0
    n: int = 0


@frozen
class Blocks:
    """The whole blocks in a range of bytes: the bounds of each, and the mark after the last one.

    `broken`: the offset of the first incomplete block, or -1. `torn`: no whole block comes after it, so it is
    the rest of an interrupted write.
    """

    bounds: list[tuple[int, int]]
    mark: int
    end: int
    broken: int = -1
    torn: bool = False
    why: str = ""


def encode(event: Event, mark: int) -> tuple[bytes, int]:
    """Return the block of one event and its mark, which the next block needs.

    Raises TypeError for a value that TOML cannot hold.
    """
    # Nothing is written before the first command, so the first screen does not pay for this import.
    from tui.campaign.toml import text as toml_text

    body = "".join([toml_text.pair(name, content) for name, content in plain_event(event).items()]).encode()
    mark = zlib.crc32(body, mark)
    return b"\n" + BEGIN + body + b'end = "%08x"\n' % mark, mark


def scan(data: bytes, begin: int, mark: int) -> Blocks:
    """Find the whole blocks from `begin` on. The first of them follows the block with this mark."""
    starts = _BEGIN.finditer(data, begin)
    following = next(starts, None)
    bounds: list[tuple[int, int]] = []
    end = begin
    while following is not None:
        start, body = following.span()
        following = next(starts, None)
        last = following is None
        stop = len(data) if following is None else following.start()
        if (aside := _aside(data, end, start)) != start:
            return Blocks(bounds, mark, end, aside, False, NO_EVENT)
        found = _END.match(data, max(body, data.find(b"\nend = ", body - 1, stop) + 1), stop)
        if found is None:
            return Blocks(bounds, mark, end, start, last, NO_MARK)
        written = int(found.group(1), 16)
        if not _is_sum(data[body : found.start()], mark, written):
            return Blocks(bounds, mark, end, start, last, WRONG_MARK)
        mark, end = written, found.end()
        bounds.append((start, end))
    if (aside := _aside(data, end, len(data))) != len(data):
        return Blocks(bounds, mark, end, aside, True, NO_EVENT)
    return Blocks(bounds, mark, end)


def marks_of(data: bytes, blocks: Blocks) -> list[int]:
    """Return the end mark of each whole block."""
    found = (_END.match(data, data.rfind(b"end = ", *bounds)) for bounds in blocks.bounds)
    return [int(mark_found.group(1), 16) for mark_found in found if mark_found]


def block_at(data: bytes, begin: int) -> tuple[bytes, int] | None:
    """Return the body and the end mark of the block that begins there; None if it has no mark."""
    head = _BEGIN.match(data, begin)
    if head is None:
        return None
    following = _BEGIN.search(data, head.end())
    stop = following.start() if following else len(data)
    body = head.end()
    end = _END.match(data, max(body, data.find(b"\nend = ", body - 1, stop) + 1), stop)
    return (data[body : end.start()], int(end.group(1), 16)) if end else None


def resume(data: bytes, blocks: Blocks) -> tuple[int, int]:
    """Return where to continue after a broken block that is not the last, and the mark before it."""
    following = _BEGIN.search(data, blocks.broken + 1)
    begin = following.start() if following else len(data)
    marks = _END.findall(data, blocks.broken, begin)
    return begin, int(marks[-1], 16) if marks else blocks.mark


def _aside(data: bytes, begin: int, stop: int) -> int:
    """Return the end of the empty lines and comments that users may leave between blocks."""
    if data[begin:stop] in (b"", b"\n"):
        return stop
    found = _ASIDE.match(data, begin, stop)
    return found.end() if found else begin


def _is_sum(body: bytes, mark: int, written: int) -> bool:
    """Return whether the end mark is right, even if a tool has rewritten all line endings."""
    if zlib.crc32(body, mark) == written:
        return True
    return b"\r\n" in body and zlib.crc32(body.replace(b"\r\n", b"\n"), mark) == written


def header_end(data: bytes, file: str) -> int:
    """Return where the blocks begin, after the line with the format. Raises FileProblem.

    An empty file, and one cut off within that line, has no blocks: 0.
    """
    first = _BEGIN.search(data)
    if first is None and HEADER.startswith(data.rstrip(b"\0")):
        return 0
    begin = first.start() if first else _whole_lines(data)
    if begin > LARGEST:
        raise FileProblem(file, 1, "event", NO_EVENT)
    parse_toml(data[:begin], file, LOG_FORMAT)
    return begin


def _whole_lines(data: bytes) -> int:
    """Return the end of the complete lines of a file whose first block was cut off in its first line.

    After a power failure a file may keep its length but not its bytes: those are zeros.
    """
    last = data.rfind(b"\n") + 1
    return last if data[last:] and BEGIN.startswith(data[last:].rstrip(b"\0")) else len(data)
