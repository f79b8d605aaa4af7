"""A cache beside the log, so that a long fight reopens fast. Deleting it loses nothing.

It holds the parsed events of the log's first bytes. It is believed only when those bytes are the ones it
was made from, and when it was made by this user: its checksum takes a secret that never leaves this
user's state folder, so a cache that came with somebody else's campaign is not even looked into.
"""

import gc
import marshal
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from tui.campaign.formats import FORMAT
from tui.campaign.log_text import Event, LogEnd
from tui.campaign.places import state_folder

NAME = ".log.cache"
# What marshal writes may differ from one Python to the next.
_MAGIC = f"affray log cache {FORMAT}, Python {sys.version_info[:3]}\n".encode()
_SUM = 32
_KEY = 32


def load(path: Path, log: bytes) -> tuple[list[Event], LogEnd]:
    """The cached events of a log with these bytes, and how far they reach; none without a right cache."""
    nothing: tuple[list[Event], LogEnd] = ([], LogEnd())
    try:
        held = path.with_name(NAME).read_bytes()
        key = _key_file().read_bytes()
    except OSError:
        return nothing
    head = len(_MAGIC) + _SUM
    if not held.startswith(_MAGIC) or len(key) != _KEY:
        return nothing
    size = int.from_bytes(held[head : head + 8], "big")
    if size > len(log):
        return nothing
    summed = _sum(key, memoryview(held)[head:], memoryview(log)[:size])
    from hmac import compare_digest

    if not compare_digest(summed, held[len(_MAGIC) : head]):
        return nothing
    # From here on these are bytes that this program wrote for this very log.
    mark, events = _loads(memoryview(held)[head + 8 :])
    return events, LogEnd(size, mark, events[-1]["n"])


def save(path: Path, log: bytes, events: list[Event], end: LogEnd) -> None:
    """Write the cache of these events, which are what `log` holds up to `end`. Never fails."""
    from tui.campaign.toml_file import replace_file

    try:
        inside = end.size.to_bytes(8, "big") + marshal.dumps((end.mark, _shared(events, {})))
        summed = _sum(_own_key(), memoryview(inside), memoryview(log)[: end.size])
        replace_file(path.with_name(NAME), _MAGIC + summed + inside, durable=False)
    except (OSError, ValueError):
        # A read-only folder, or an event with a date, which marshal cannot hold: then there is no cache.
        return


def _loads(data: memoryview) -> Any:
    """Undo `marshal.dumps`, twice as fast without the collector, which has nothing to find in new data."""
    collects = gc.isenabled()
    gc.disable()
    try:
        return marshal.loads(data)
    finally:
        if collects:
            gc.enable()


def _shared(value: Any, known: dict[str, str]) -> Any:
    """The same data in which equal texts are one object, which marshal writes once."""
    if isinstance(value, dict):
        return {known.setdefault(name, name): _shared(one, known) for name, one in value.items()}
    if isinstance(value, list):
        return [_shared(one, known) for one in value]
    return known.setdefault(value, value) if isinstance(value, str) else value


def _sum(key: bytes, inside: memoryview, log: memoryview) -> bytes:
    from hashlib import blake2b

    summed = blake2b(key=key, digest_size=_SUM)
    summed.update(inside)
    summed.update(log)
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
