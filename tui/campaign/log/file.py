"""The log of an encounter on disk: read it, follow it, append to it.

If `LogWriter.append` returns, the event is on disk. If it raises NotSaved, the event is not.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from systems.encounter.events import Event
from systems.encounter.history import Events
from systems.frozen import evolve, field, frozen
from tui.campaign.formats import LOG_FORMAT, format_of_log
from tui.campaign.log import cache as log_cache
from tui.campaign.log.blocks import HEADER, WRONG_MARK, Blocks, LogEnd, encode, header_end, scan
from tui.campaign.log.cache import Cached
from tui.campaign.problems import UNSURE, Changed, FileProblem, NotSaved, disk_reason, disk_words
from tui.campaign.progress import Tell, silent
from tui.campaign.toml.files import read_bytes, reading, sync, sync_folder, write_all, write_atomic
from tui.campaign.toml.limits import LARGEST_LOG

_WORTH_CACHING = 400  # events; fewer are parsed as fast as a cache is read
_HEAD = 4_096  # bytes of a log that contain its format
_MUCH = 100  # events missing from the cache that make a new one worth writing when the log is closed
FileState = tuple[int, int, int]  # changes with the file: its inode, its size and its time


@frozen
class Log:
    """The contents of a log: its events in order, and how far they reach.

    `notice`: one line about a torn last block, or "". `problem`: the place at which the log is broken. Then
    `events` ends before it, and such a log must not be written to. `cached`: everything known without
    parsing. `format`: the file's format; the events are converted to the newest. `seen`: the file just before
    it was read, or None if that is unknown.
    """

    events: Sequence[Event]
    end: LogEnd
    notice: str = ""
    problem: FileProblem | None = None
    cached: Cached = field(default=Cached(), eq=False)
    format: int = LOG_FORMAT
    seen: FileState | None = field(default=None, eq=False)


def read_log(path: Path, file: str = "", *, cache: bool = True, tell: Tell = silent) -> Log:
    """Return a log's events; a missing file is an empty log. Raises FileProblem if nothing can be read.

    `tell` is called with the number of events read.
    """
    file = file or path.name
    try:
        with reading(path, file, LARGEST_LOG) as opened:
            seen = _signature(opened.fileno())
            known = log_cache.load(path, opened) if cache else Cached()
            if known.events and (log := _continued(opened, known, file)) is not None:
                return evolve(log, seen=seen)
        data = read_bytes(path, file, LARGEST_LOG)
    except FileProblem:
        if path.parent.is_dir() and not os.path.lexists(path):
            return Log([], LogEnd())
        raise
    number = format_of_log(data)
    return evolve(_read_on(data, known, file, number, tell), cached=known, format=number, seen=seen)


def _continued(opened: BinaryIO, known: Cached, file: str) -> Log | None:
    """Return the log from the end of its cache on; None if what follows is not whole. Raises OSError.

    Of a long log only the new part is held in memory.
    """
    opened.seek(0)
    head = opened.read(min(_HEAD, known.end.size))
    opened.seek(known.end.size)
    data = opened.read()
    blocks = scan(data, 0, known.end.mark)
    if blocks.broken >= 0:
        return None
    number = format_of_log(head + b"\n" + data)
    try:
        new = _events_in(data, blocks, file, number)
    except FileProblem:  # its line is known when the whole is read
        return None
    events = Events(known.events, new)
    end = LogEnd(known.end.size + len(data), blocks.mark, events[-1].n)
    return Log(events, end, cached=known, format=number)


def _events_in(data: bytes, blocks: Blocks, file: str, number: int, tell: Tell = silent) -> list[Event]:
    """Return the events of whole blocks of this format, converted to the newest. Raises FileProblem."""
    if not blocks.bounds:
        return []
    # A log that is complete in its cache does not pay for this import.
    from tui.campaign.log.parse import decode

    return decode(data, blocks, file, tell, number)


def tail(path: Path, end: LogEnd, file: str = "") -> Log:
    """Read the events appended since `end`, in the newest format, except a block still being written.

    Raises FileProblem if the file no longer continues what was read: read it again from the start.
    """
    file = file or path.name
    if end.size == 0:
        return evolve(read_log(path, file, cache=False), notice="")
    try:
        with path.open("rb") as opened:
            opened.seek(0, os.SEEK_END)
            if opened.tell() < end.size:
                raise FileProblem(file, 0, "", "is shorter than it was")
            opened.seek(0)
            head = opened.read(min(_HEAD, end.size))
            opened.seek(end.size)
            data = opened.read(LARGEST_LOG)
    except OSError as error:
        raise FileProblem(file, 0, "", f"cannot be read: {disk_words(error)}") from None
    blocks = scan(data, 0, end.mark)
    if blocks.broken >= 0 and not (blocks.torn and blocks.why != WRONG_MARK):
        raise FileProblem(file, 0, "", "was changed outside Affray")
    # An older program appends events in the file's own format.
    number = format_of_log(head + b"\n" + data)
    events = _events_in(data, blocks, file, number)
    n = events[-1].n if events else end.n
    return Log(events, LogEnd(end.size + _complete(data, blocks), blocks.mark, n), format=number)


def _read_on(data: bytes, known: Cached, file: str, number: int, tell: Tell) -> Log:
    """Return the known events and those after them."""
    blocks = scan(data, known.end.size or header_end(data, file), known.end.mark)
    new = _events_in(data, blocks, file, number, tell)
    events: Sequence[Event] = new
    if known.events:
        events = Events(known.events, new)
    elif len(new) >= _WORTH_CACHING:
        events = log_cache.packed(new)
    n = events[-1].n if events else 0
    whole = LogEnd(_complete(data, blocks), blocks.mark, n)
    if blocks.broken >= 0:
        # Only a broken log pays for these imports.
        from tui.campaign.log.divergence import why_broken
        from tui.campaign.toml.positions import line_at

        if found := why_broken(data, blocks):
            line = line_at(data, found[0])
            return Log(events, whole, problem=FileProblem(file, line, "event", found[1]))
    if blocks.torn:
        left = len(data) - whole.size
        return Log(events, whole, f"{file}: the last event was cut short and is left out ({left} bytes)")
    if blocks.broken >= 0:
        line = line_at(data, blocks.broken)
        return Log(events, whole, problem=FileProblem(file, line, "event", blocks.why))
    return Log(events, whole)


def _complete(data: bytes, blocks: Blocks) -> int:
    """Return the size of the file without a torn end; comments after the last block are not torn."""
    if blocks.broken < 0:
        return len(data)
    return blocks.broken if blocks.torn else blocks.end


class LogWriter:
    """Appends to one log, which only this process may write (see `lock.py`).

    `events`: the log's events when it was opened. `end`: how far it reaches on disk now. `notice`: one line
    about a torn last block, or "". `cached`: what was known without parsing.
    """

    def __init__(self, path: Path, file: str = "", log: Log | None = None) -> None:
        """Open a log. `log` is what was just read of it. Raises FileProblem if it is broken or unreadable."""
        self.path = path
        self.file = file or path.name
        log = log or read_log(path, self.file)
        if log.problem:
            raise log.problem
        self.events = log.events
        self.end = log.end
        self.notice = log.notice
        self.cached = log.cached
        self._seen = log.seen  # the file as it was read, or as this writer last left it
        self._debris = 0  # our own bytes after `end` that could not be removed
        self._torn = bool(log.notice)
        self._older = log.format < LOG_FORMAT
        if self._torn:
            with suppress(NotSaved):
                self._set_aside()

    def append(self, *events: Event) -> None:
        """Write events, all or none, and return when they are on disk. Raises NotSaved with the reason.

        Their numbers must continue `end.n`: ValueError otherwise. After NotSaved the log is unchanged, and
        the same events may be tried again.
        """
        if self._torn:
            self._set_aside()
        if self._older:
            self._renew()
        mark, n = self.end.mark, self.end.n
        blocks = []
        for event in events:
            block, mark = encode(event, mark)
            n += 1
            if event.n != n:
                raise ValueError(f"event {event.n} where {n} is next")
            blocks.append(block)
        if not blocks:
            return
        self._write(b"".join(blocks))
        self.end = LogEnd(self.end.size, mark, n)

    def _renew(self) -> None:
        """Rewrite a log of an older format; its original is kept in the same folder. Raises NotSaved."""
        mark, blocks = 0, [HEADER]
        for event in self.events:
            block, mark = encode(event, mark)
            blocks.append(block)
        data = b"".join(blocks)
        write_atomic(self.path, data)
        self.end = LogEnd(len(data), mark, self.end.n)
        self._older, self._seen = False, None
        self.cached = Cached()

    def _write(self, data: bytes) -> None:
        """Append and sync; remove what was written if anything fails."""
        try:
            flags = os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | (0 if self.end.size else os.O_CREAT)
            descriptor = os.open(self.path, flags, 0o666)
        except OSError as error:
            raise self._not_saved(error) from None
        try:
            self._expect(descriptor)
            old = self.end.size
            data = data if old else HEADER + data
            self._debris = len(data)
            write_all(descriptor, data)
            sync(descriptor)
            if not old:
                sync_folder(self.path.parent)
            self._seen = _signature(descriptor)  # the last step that may fail
            self._debris = 0
            self.end = evolve(self.end, size=old + len(data))
        except OSError as error:
            self._take_back(descriptor)
            raise self._not_saved(error) from None
        finally:
            with suppress(OSError):
                os.close(descriptor)

    def _expect(self, descriptor: int) -> None:
        """Raise Changed unless the file holds what is known; remove what an earlier failure left."""
        size = os.fstat(descriptor).st_size
        if self._debris and self.end.size < size <= self.end.size + self._debris:
            os.ftruncate(descriptor, self.end.size)
        elif self._seen == _signature(descriptor) or size == self.end.size == 0:
            return
        self._debris = 0
        if (data := self._known_bytes()) is None:
            raise Changed(self.file)
        self.end = evolve(self.end, size=len(data))

    def _known_bytes(self) -> bytes | None:
        """Return the file's bytes if its last mark, and so its events, are the known ones."""
        with suppress(FileProblem):
            data = read_bytes(self.path, self.file, LARGEST_LOG)
            blocks = scan(data, header_end(data, self.file), 0)
            if blocks.mark == self.end.mark and blocks.broken < 0:
                return data
        return None

    def _take_back(self, descriptor: int) -> None:
        """Cut the file to the acknowledged events. If that fails too, accept no events until it succeeds."""
        self._seen = None
        with suppress(OSError):
            os.ftruncate(descriptor, self.end.size)
            self._debris = 0
            sync(descriptor)

    def _set_aside(self) -> None:
        """Move the torn end into a new file of its own. Raises NotSaved."""
        try:
            with self.path.open("rb+") as opened:
                opened.seek(self.end.size)
                torn = opened.read()
                kept = self._keep(torn)
                opened.truncate(self.end.size)
                sync(opened.fileno())
        except OSError as error:
            raise self._not_saved(error) from None
        self._torn = False
        self._seen = None
        self.notice = f"{self.file}: the last event was cut short; its {len(torn)} bytes are kept in {kept}"

    def _keep(self, torn: bytes) -> str:
        """Write bytes into the first free `torn-N.txt` and return its name. Raises OSError."""
        for number in range(1, 10_000):
            kept = self.path.with_name(f"torn-{number}.txt")
            with suppress(FileExistsError):
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
                descriptor = os.open(kept, flags, 0o666)
                try:
                    write_all(descriptor, torn)
                    sync(descriptor)
                except OSError:
                    kept.unlink(missing_ok=True)
                    raise
                finally:
                    os.close(descriptor)
                sync_folder(kept.parent)
                return kept.name
        raise FileExistsError

    def _not_saved(self, error: OSError) -> NotSaved:
        unsure = UNSURE if self._debris else ""
        return NotSaved(f"{self.file} was not saved: {disk_words(error)}{unsure}", why=disk_reason(error))

    def keep_cache(self, events: Sequence[Event], known: int, extra: Callable[[], Any]) -> None:
        """Write a cache of the log for the next opening, if enough has changed. Never fails.

        `events`: all that the log holds now; `known`: how many of them the next opening can skip; `extra`:
        plain data to store with them.
        """
        much = len(events) == self.end.n >= _WORTH_CACHING and self.end.n - known >= _MUCH
        # Not for a file that was edited since: these events are not what it holds now.
        if much and (data := self._known_bytes()) is not None:
            end = evolve(self.end, size=len(data))
            first = self.cached.events or self.events
            log_cache.save(self.path, data, events, end, extra(), first)


def _signature(descriptor: int) -> FileState:
    found = os.fstat(descriptor)
    return (found.st_ino, found.st_size, found.st_mtime_ns)
