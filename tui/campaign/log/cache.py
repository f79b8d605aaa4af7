"""A cache beside the log, so that a long fight reopens fast. Deleting it loses nothing.

It holds the parsed events of the log's first bytes, and what its owner knew of the fight at their end. It
is believed only when those bytes are the ones it was made from, and when it was made by this user: its
checksum takes a secret that never leaves this user's state folder, so a cache that came with somebody
else's campaign is not even looked into.
"""

import marshal
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, overload
from zlib import compress, crc32, decompress

from systems.frozen import frozen
from tui.campaign.formats import LOG_FORMAT
from tui.campaign.log.blocks import Event, LogEnd
from tui.campaign.user_folders import state_folder

NAME = ".log.cache"
# What marshal writes may differ from one Python to the next.
_MAGIC = f"affray log cache {LOG_FORMAT}.6, Python {sys.version_info[:3]}\n".encode()
_SUM = 32
_KEY = 32
_AT_ONCE = 64  # events of a pack
_PART = 1 << 18  # bytes of a log that are read at once


class Past(Sequence[Event]):
    """Events that are kept packed, some at a time, and unpacked when they are looked at.

    Of what was unpacked the newest stay, which are looked at most, and those that were looked at last.
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
        """Return the packs that longer events begin with, too."""
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
        # One look and one change: the thread that saves may read too.
        opened, events = self._open
        if number != opened:
            events = _unpack(self._packs[number])
            self._open = number, events
        return events


@frozen(eq=False)
class Cached:
    """The events of a log up to `end`, and what was left beside them."""

    events: Sequence[Event] = ()
    end: LogEnd = LogEnd()
    beside: Any = None


def load(path: Path, log: BinaryIO) -> Cached:
    """What is cached of an opened log; nothing without a right cache. Raises OSError of the log."""
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
    mark, n, beside, packs = marshal.loads(memoryview(held)[head + 8 :])
    return Cached(Past(packs, n), LogEnd(size, mark, n), beside)


def _log_sum(log: BinaryIO, size: int) -> int:
    """The checksum of a log's first bytes, some at a time: memory for all of them costs more than the sum."""
    log.seek(0)
    found = 0
    while size > 0 and (part := log.read(min(size, _PART))):
        found = crc32(part, found)
        size -= len(part)
    return found


def save(
    path: Path,
    log: bytes,
    events: Sequence[Mapping[str, Any]],
    end: LogEnd,
    beside: Any = None,
    first: Sequence[Event] = (),
) -> None:
    """Write the cache of these events, which are what `log` holds up to `end`. Never fails.

    `beside`: plain data that is given back with them. `first`: the first of them as they were read, which
    need not be packed again.
    """
    from tui.campaign.toml.files import replace_file

    try:
        inside = end.size.to_bytes(8, "big")
        inside += marshal.dumps((end.mark, end.n, beside, _packs(events, first)))
        summed = _sum(_own_key(), memoryview(inside), crc32(memoryview(log)[: end.size]))
        replace_file(path.with_name(NAME), _MAGIC + summed + inside, durable=False)
    except (OSError, ValueError):
        # A read-only folder, or an event with a date, which marshal cannot hold: then there is no cache.
        return


def packed(events: list[Event]) -> Sequence[Event]:
    """The same events in a fiftieth of the memory."""
    try:
        return Past(_packs(events), len(events))
    except ValueError:  # one has a date
        return events


def _packs(events: Sequence[Mapping[str, Any]], first: Sequence[Event] = ()) -> list[bytes]:
    packs = [*first.full_packs] if isinstance(first, Past) else []
    begin = len(packs) * _AT_ONCE
    return packs + [_pack(events[at : at + _AT_ONCE]) for at in range(begin, len(events), _AT_ONCE)]


def _pack(events: Sequence[Mapping[str, Any]]) -> bytes:
    return compress(marshal.dumps([dict(event) for event in events]), 1)


def _unpack(pack: bytes) -> list[Event]:
    events: list[Event] = marshal.loads(decompress(pack))
    return events


def _sum(key: bytes, inside: memoryview, log: int) -> bytes:
    """The checksum of a cache with this user's secret. `log`: that of the log's bytes.

    What is inside must be this user's own. The log need only be seen to have changed, which costs a fifth.
    """
    from hashlib import blake2b

    summed = blake2b(inside, key=key, digest_size=_SUM)
    summed.update(log.to_bytes(4, "big"))
    return summed.digest()


def _key_file() -> Path:
    return state_folder() / "cache.key"


def _own_key() -> bytes:
    """This user's secret, made when first needed. Raises OSError."""
    with suppress(FileNotFoundError):
        key = _key_file().read_bytes()
        if len(key) == _KEY:
            return key
    key = os.urandom(_KEY)
    _key_file().parent.mkdir(parents=True, exist_ok=True)
    beside = _key_file().with_suffix(f".{os.getpid()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, key)
    finally:
        os.close(descriptor)
    beside.replace(_key_file())
    return key
