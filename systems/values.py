"""Frozen values: `attrs.frozen`, in two thirds of the time.

The rules and a game are a hundred classes, and for each of them attrs compiles a method that writes it
as text. Here one function writes them all, in the same words.
"""

from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from attrs import frozen as frozen
else:

    def frozen(cls: type | None = None, **how: Any) -> Any:
        """Make a class of frozen values; see `attrs.frozen`."""
        if cls is None:
            return lambda cls: frozen(cls, **how)
        if "__repr__" not in vars(cls):
            cls.__repr__ = _text
        return attrs.frozen(cls, **how)


def _text(self: Any) -> str:
    inside = (f"{one.name}={getattr(self, one.name)!r}" for one in attrs.fields(type(self)) if one.repr)
    return f"{type(self).__qualname__.rpartition('>.')[2]}({', '.join(inside)})"
