"""Report how far long work has come, and let the receiver stop it."""

from collections.abc import Callable, Iterable, Iterator
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
