"""A call soon after something in some folders has changed, in the event loop and without a thread.

Linux tells of changes by itself, within a millisecond. Every half second the folders are looked at
anyway: other systems tell nothing, and no system tells what another host did on a disk that both share.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

EVERY = 0.5
# Modified, closed after writing, moved from and to, created, deleted.
_MASK = 0x2 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200


class Notify:
    """Calls `call` after changes in `folders`, and at least every `every` seconds, from `start` to `stop`.

    `call` is to find out what changed, if anything did.
    """

    def __init__(
        self, folders: Callable[[], Iterable[Path]], call: Callable[[], None], every: float = EVERY
    ) -> None:
        self._folders, self._call, self._every = folders, call, every
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._told: _Inotify | None = None

    def start(self) -> None:
        """Begin, in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._told = _Inotify.open()
        if self._told:
            self._loop.add_reader(self._told.descriptor, self._changed)
            self._told.watch(self._folders())
        self._timer = self._loop.call_later(self._every, self._look)

    def stop(self) -> None:
        """No more calls. A second time it does nothing."""
        if self._timer:
            self._timer.cancel()
        if self._told and self._loop:
            self._loop.remove_reader(self._told.descriptor)
            self._told.close()
        self._loop = self._timer = self._told = None

    def _changed(self) -> None:
        if self._told:
            self._told.empty()
            self._call()

    def _look(self) -> None:
        if self._loop is None:
            return
        self._timer = self._loop.call_later(self._every, self._look)
        if self._told:
            self._told.watch(self._folders())
        self._call()


class _Inotify:
    """What Linux tells of some folders; which change it was, is not asked."""

    def __init__(self, library: Any, descriptor: int) -> None:
        self._library, self.descriptor = library, descriptor

    @classmethod
    def open(cls) -> "_Inotify | None":
        """None where the system has no such thing, or has no more of it to give."""
        if not sys.platform.startswith("linux"):
            return None
        try:
            import ctypes

            library = ctypes.CDLL(None, use_errno=True)
            descriptor = int(library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        except (ImportError, OSError, AttributeError):
            return None
        return cls(library, descriptor) if descriptor >= 0 else None

    def watch(self, folders: Iterable[Path]) -> None:
        """Watch these folders too; one that is watched already stays so, one that is not there is skipped."""
        for folder in folders:
            self._library.inotify_add_watch(self.descriptor, os.fsencode(folder), _MASK)

    def empty(self) -> None:
        with suppress(OSError):
            while os.read(self.descriptor, 65_536):
                pass

    def close(self) -> None:
        os.close(self.descriptor)
