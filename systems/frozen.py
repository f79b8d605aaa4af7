"""Frozen value classes: `attrs.frozen` in the form that is fastest to create and to read.

The rules and a game have about a hundred classes. With slots, attrs creates each class twice and compiles
methods for its text and its comparison. Here the class is created once, its values are ordinary attributes,
one function makes the text of all classes, and comparison reads all fields at once.
"""

from collections.abc import Callable, Collection, Mapping
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, cast

import attrs
from attrs import Factory as Factory
from attrs import field as field
from attrs import fields as fields
from attrs import has as has

T = TypeVar("T")

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


def once_a_class(find: Callable[[type[Any]], T]) -> Callable[[type[Any]], T]:
    """Let a function of a class work out its result once for each class."""
    return cast(Callable[[type[Any]], T], cache(find))


def evolve(value: T, /, **changes: object) -> T:
    """Return a frozen value with some fields changed, like `attrs.evolve` but several times as fast.

    Only the changed fields are converted. Raises TypeError for an unknown field.
    """
    cls = type(value)
    known_fields = _fields(cls)
    if known_fields is None:
        return cast(T, attrs.evolve(cast(Any, value), **changes))
    converters, are_decoded_late = known_fields
    known = value.__dict__.copy()
    if known.keys() != converters.keys() if are_decoded_late else len(known) != len(converters):
        _keep_fields(known, value, converters, are_decoded_late)
    for name, given in changes.items():
        if name not in converters:
            raise TypeError(f"{cls.__name__} has no field {name}")
        convert = converters[name]
        known[name] = given if convert is None else convert(given)
    new = object.__new__(cls)
    object.__setattr__(new, "__dict__", known)
    return new


def _keep_fields(
    known: dict[str, Any], value: Any, converters: Collection[str], are_decoded_late: bool
) -> None:
    """Leave out what was worked out about the old value, which may be wrong for the new one."""
    # That was usually added after all fields. A stored event decodes a field only when it is first used.
    are_known = not are_decoded_late
    while are_known and len(known) > len(converters):
        are_known = known.popitem()[0] not in converters
    if not are_known:
        known.clear()
        known.update((name, getattr(value, name)) for name in converters)


@once_a_class
def _fields(cls: Any) -> tuple[Mapping[str, Callable[[Any], Any] | None], bool] | None:
    """Return the fields of a class with their converters, and whether some values lack fields at first.

    None if its `__init__` does more than convert.
    """
    declared = fields(cls)
    is_plain = all(
        each.init and each.alias == each.name and not each.validator for each in declared
    ) and not any(isinstance(each.converter, attrs.Converter) for each in declared)
    if not is_plain or hasattr(cls, "__attrs_post_init__") or hasattr(cls, "__slots__"):
        return None
    return {each.name: each.converter for each in declared}, hasattr(cls, "__getattr__")


def _refuse(self: Any, name: str) -> NoReturn:
    raise attrs.exceptions.FrozenInstanceError


def _text(self: Any) -> str:
    inside = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(type(self)) if each.repr)
    return f"{type(self).__qualname__.rpartition('>.')[2]}({', '.join(inside)})"


def _compare(cls: Any) -> None:
    """Add `__eq__` and `__hash__` by class and fields."""
    names = [each.name for each in fields(cls) if each.eq]
    values: Callable[[Any], object] = attrgetter(*names) if names else type

    def equal(self: Any, other: Any) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    def hashed(self: Any) -> int:
        return hash(values(self))

    cls.__eq__, cls.__hash__ = equal, hashed
