"""Report how far long work has come, let the receiver stop it, and keep it fast."""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

# Called with the number done and the total. It may raise Stopped.
Tell = Callable[[int, int], None]
T = TypeVar("T")
_OFTEN = 256


class Stopped(Exception):
    """The user stopped long work."""


def silent(done: int, of: int) -> None:
    """Report nothing."""


def counted(items: Iterable[T], of: int, tell: Tell) -> Iterator[T]:
    """Yield the items, and report how many have been done."""
    for done, item in enumerate(items):
        if not done % _OFTEN:
            tell(done, of)
        yield item


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Pause garbage collection. The results of long work stay alive, so scanning them only costs time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
