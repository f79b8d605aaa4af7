"""Call a function soon after files in some folders change, in the event loop and without a thread.

Linux reports changes within a millisecond. The folders are also checked every half second, because other
systems report nothing, and no system reports what another host did on a shared disk.
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

    `call` has to find out whether anything changed.
    """

    def __init__(
        self, folders: Callable[[], Iterable[Path]], call: Callable[[], None], every: float = EVERY
    ) -> None:
        self._folders, self._call, self._every = folders, call, every
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._told: _Inotify | None = None

    def start(self) -> None:
        """Start, in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._told = _Inotify.open()
        if self._told:
            self._loop.add_reader(self._told.descriptor, self._changed)
            self._told.watch(self._folders())
        self._timer = self._loop.call_later(self._every, self._look)

    def stop(self) -> None:
        """Stop all calls. A second call does nothing."""
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
    """Linux's reports of changes in some folders. The kind of change is not read."""

    def __init__(self, library: Any, descriptor: int) -> None:
        self._library, self.descriptor = library, descriptor

    @classmethod
    def open(cls) -> "_Inotify | None":
        """Return the reports of this system; None if it has none, or has no more to give."""
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
        """Watch these folders too. A watched one stays watched, a missing one is skipped."""
        for folder in folders:
            self._library.inotify_add_watch(self.descriptor, os.fsencode(folder), _MASK)

    def empty(self) -> None:
        with suppress(OSError):
            while os.read(self.descriptor, 65_536):
                pass

    def close(self) -> None:
        os.close(self.descriptor)
