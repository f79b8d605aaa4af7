"""Frozen value classes: `attrs.frozen` in the form that starts and reads quickest.

The rules and a game are a hundred classes. With slots attrs makes each of them a second time, and for each
it compiles methods that write it as text and compare it. Here the class stays the one that was written, its
values are kept where Python keeps attributes anyway, one function writes them all, in the same words, and
comparing takes no code of its own: it reads all fields at once. attrs does its work at the first value of a
class, or when somebody asks for its fields, since a start needs half of them: `finish_classes` does the rest.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter
from threading import RLock
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import attrs

if TYPE_CHECKING:
    from attrs import frozen as frozen
else:

    def frozen(cls: type | None = None, *, eq: bool = True, **how: Any) -> Any:
        """Make a class of frozen values; see `attrs.frozen`."""
        if cls is None:
            return lambda cls: frozen(cls, eq=eq, **how)
        unfinished = _Unfinished(cls, eq, how)
        cls.__attrs_attrs__, cls.__init__ = unfinished, unfinished.constructor()
        return cls


class _Unfinished:
    """A class that attrs has not worked on yet; it stands where attrs looks for the fields."""

    waiting: ClassVar[set["_Unfinished"]] = set()
    # Two threads may make the first value of a class at the same moment.
    _lock = RLock()

    def __init__(self, cls: Any, eq: bool, how: Mapping[str, Any]) -> None:
        self._cls, self._eq, self._how = cls, eq, how
        self.waiting.add(self)

    def __get__(self, value: object, cls: type) -> Any:
        self.finish()
        return self._cls.__attrs_attrs__

    def constructor(self) -> Callable[..., None]:
        """Return a constructor that finishes the class and then is the true one."""

        def construct(value: Any, /, *given: Any, **named: Any) -> None:
            self.finish()
            self._cls.__init__(value, *given, **named)

        return construct

    def finish(self) -> None:
        """Have attrs do its work, if it has not."""
        with self._lock:
            if vars(self._cls)["__attrs_attrs__"] is self:
                _finish(self._cls, self._eq, self._how)
                self.waiting.discard(self)


def finish_classes() -> None:
    """Have attrs work on all classes that are there, in a moment when nobody waits for one."""
    while _Unfinished.waiting:
        _Unfinished.waiting.pop().finish()


def _finish(cls: Any, eq: bool, how: Mapping[str, Any]) -> None:
    if "__repr__" not in vars(cls):
        cls.__repr__ = _text
    compared = eq and "__eq__" not in vars(cls)
    # attrs' own frozen classes without slots are three times slower to read than these.
    attrs.define(cls, init=True, slots=False, eq=False, on_setattr=attrs.setters.frozen, **how)
    cls.__delattr__ = _refuse
    if compared:
        _compare(cls)


def _refuse(self: Any, name: str) -> NoReturn:
    raise attrs.exceptions.FrozenInstanceError


def _text(self: Any) -> str:
    inside = (
        f"{field.name}={getattr(self, field.name)!r}" for field in attrs.fields(type(self)) if field.repr
    )
    return f"{type(self).__qualname__.rpartition('>.')[2]}({', '.join(inside)})"


def _compare(cls: Any) -> None:
    """Add `__eq__` and `__hash__` by class and fields."""
    names = [field.name for field in attrs.fields(cls) if field.eq]
    values: Callable[[Any], object] = attrgetter(*names) if names else type

    def equal(self: Any, other: Any) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    def hashed(self: Any) -> int:
        return hash(values(self))

    cls.__eq__, cls.__hash__ = equal, hashed
