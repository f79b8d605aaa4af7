"""How far long work has come: who reads many things tells it, and who is told may stop it."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

# Called with how many of how many are done. It may raise Stopped.
Tell = Callable[[int, int], None]
T = TypeVar("T")
_OFTEN = 256


class Stopped(Exception):
    """Whoever waited for long work has stopped it."""


def silent(done: int, of: int) -> None:
    """Tell nobody."""


def counted(items: Iterable[T], of: int, tell: Tell) -> Iterator[T]:
    """Yield the items and tell how many there have been."""
    for done, item in enumerate(items):
        if not done % _OFTEN:
            tell(done, of)
        yield item
