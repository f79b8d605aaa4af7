"""A cache next to the log that reopens a long fight quickly. Deleting it loses nothing.

It holds the parsed events of the log's first bytes, and what its owner knew of the fight at their end. It is
trusted only if those bytes are unchanged and this user made it: its checksum includes a secret that never
leaves the user's state folder. A cache that came with another person's campaign is never unpacked.
"""

import marshal
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, overload
from zlib import compress, crc32, decompress

from systems.codec.events import plain_event, read_event
from systems.encounter.events import Event
from systems.frozen import frozen
from tui.campaign.formats import LOG_FORMAT
from tui.campaign.log.blocks import LogEnd
from tui.campaign.toml.files import replace_file
from tui.campaign.user_folders import state_folder

NAME = ".log.cache"
# The format of marshal may differ between versions of Python.
_MAGIC = f"affray log cache {LOG_FORMAT}.6, Python {sys.version_info[:3]}\n".encode()
_SUM = 32
_KEY = 32
_AT_ONCE = 64  # events of a pack
_PART = 1 << 18  # bytes of a log that are read at once


class PackedEvents(Sequence[Event]):
    """Events kept in packs and unpacked on demand.

    Of the unpacked packs, the newest (used most often) and the most recently used ones stay in memory.
    """

    __slots__ = ("_length", "_newest", "_open", "_packs")

    def __init__(self, packs: Sequence[bytes], length: int) -> None:
        self._packs, self._length = packs, length
        self._newest = _unpack(packs[-1])
        self._open = len(packs) - 1, self._newest

    def __len__(self) -> int:
        return self._length

    @property
    def full_packs(self) -> Sequence[bytes]:
        """Return the packs that a longer sequence of events shares."""
        return self._packs[: self._length // _AT_ONCE]

    @overload
    def __getitem__(self, at: int) -> Event: ...
    @overload
    def __getitem__(self, at: slice) -> list[Event]: ...
    def __getitem__(self, at: int | slice) -> Event | list[Event]:
        if isinstance(at, slice):
            return [self[index] for index in range(*at.indices(self._length))]
        if not -self._length <= at < self._length:
            raise IndexError(at)
        number, place = divmod(at % self._length, _AT_ONCE)
        return self._unpacked(number)[place]

    def __iter__(self) -> Iterator[Event]:
        return chain.from_iterable(map(self._unpacked, range(len(self._packs))))

    def _unpacked(self, number: int) -> list[Event]:
        if number == len(self._packs) - 1:
            return self._newest
        # Read and change in one step: the thread that saves may read too.
        opened, events = self._open
        if number != opened:
            events = _unpack(self._packs[number])
            self._open = number, events
        return events


@frozen(eq=False)
class Cached:
    """The events of a log up to `end`, and the data saved with them."""

    events: Sequence[Event] = ()
    end: LogEnd = LogEnd()
    extra: Any = None


def load(path: Path, log: BinaryIO) -> Cached:
    """Return the cached part of an open log; empty without a valid cache. Raises OSError of the log."""
    try:
        held = path.with_name(NAME).read_bytes()
        key = _key_file().read_bytes()
    except OSError:
        return Cached()
    head = len(_MAGIC) + _SUM
    if not held.startswith(_MAGIC) or len(key) != _KEY:
        return Cached()
    size = int.from_bytes(held[head : head + 8], "big")
    if size > log.seek(0, os.SEEK_END):
        return Cached()
    if held[len(_MAGIC) : head] != _sum(key, memoryview(held)[head:], _log_sum(log, size)):
        return Cached()
    # From here on these are bytes that this program wrote for this very log.
    mark, n, extra, packs = marshal.loads(memoryview(held)[head + 8 :])
    return Cached(PackedEvents(packs, n), LogEnd(size, mark, n), extra)


def _log_sum(log: BinaryIO, size: int) -> int:
    """Return the checksum of a log's first bytes.

    They are read in parts, since memory for all of them would cost more time than the sum.
    """
    log.seek(0)
    found = 0
    while size > 0 and (part := log.read(min(size, _PART))):
        found = crc32(part, found)
        size -= len(part)
    return found


def save(
    path: Path,
    log: bytes,
    events: Sequence[Event],
    end: LogEnd,
    extra: Any = None,
    first: Sequence[Event] = (),
) -> None:
    """Write the cache of these events, which are those of `log` up to `end`. Never fails.

    `extra`: plain data that is returned with them. `first`: the first of them in packed form.
    """
    try:
        inside = end.size.to_bytes(8, "big")
        inside += marshal.dumps((end.mark, end.n, extra, _packs(events, first)))
        summed = _sum(_own_key(), memoryview(inside), crc32(memoryview(log)[: end.size]))
        replace_file(path.with_name(NAME), _MAGIC + summed + inside, durable=False)
    except (OSError, ValueError):
        # No cache for a read-only folder, or for an event with a date, which marshal cannot hold.
        return


def packed(events: list[Event]) -> Sequence[Event]:
    """Return the same events in a fiftieth of the memory."""
    try:
        return PackedEvents(_packs(events), len(events))
    except ValueError:  # one has a date
        return events


def _packs(events: Sequence[Event], first: Sequence[Event] = ()) -> list[bytes]:
    packs = [*first.full_packs] if isinstance(first, PackedEvents) else []
    begin = len(packs) * _AT_ONCE
    return packs + [_pack(events[at : at + _AT_ONCE]) for at in range(begin, len(events), _AT_ONCE)]


def _pack(events: Sequence[Event]) -> bytes:
    return compress(marshal.dumps([plain_event(event) for event in events]), 1)


def _unpack(pack: bytes) -> list[Event]:
    return [read_event(plain) for plain in marshal.loads(decompress(pack))]


def _sum(key: bytes, inside: memoryview, log: int) -> bytes:
    """Return the checksum of a cache with this user's secret. `log` is that of the log's bytes.

    The contents must be this user's own. For the log it is enough to detect changes, which costs a fifth.
    """
    from hashlib import blake2b

    summed = blake2b(inside, key=key, digest_size=_SUM)
    summed.update(log.to_bytes(4, "big"))
    return summed.digest()


def _key_file() -> Path:
    return state_folder() / "cache.key"


def _own_key() -> bytes:
    """Return this user's secret, created on first use. Raises OSError."""
    with suppress(FileNotFoundError):
        key = _key_file().read_bytes()
        if len(key) == _KEY:
            return key
    key = os.urandom(_KEY)
    _key_file().parent.mkdir(parents=True, exist_ok=True)
    new = _key_file().with_suffix(f".{os.getpid()}")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, key)
    finally:
        os.close(descriptor)
    new.replace(_key_file())
    return key
