"""Frozen value classes: `attrs.frozen` in the form that is fastest to create and to read.

The rules and a game have about a hundred classes. With slots, attrs creates each class twice and compiles
methods for its text and its comparison. Here the class is created once, its values are ordinary attributes,
one function makes the text of all classes, and comparison reads all fields at once.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

import attrs

if TYPE_CHECKING:
    from attrs import frozen as frozen
else:

    def frozen(cls: type | None = None, *, eq: bool = True, **how: Any) -> Any:
        """Make a class of frozen values; see `attrs.frozen`."""
        if cls is None:
            return lambda cls: frozen(cls, eq=eq, **how)
        if "__repr__" not in vars(cls):
            cls.__repr__ = _text
        compared = eq and "__eq__" not in vars(cls)
        # attrs' own frozen classes without slots are three times slower to read than these.
        made = attrs.define(cls, slots=False, eq=False, on_setattr=attrs.setters.frozen, **how)
        made.__delattr__ = _refuse
        if compared:
            _compare(made)
        return made


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
