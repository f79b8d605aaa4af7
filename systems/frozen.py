"""Frozen value classes: `attrs.frozen` in the form that is fastest to create and to read.

The rules and a game have about a hundred classes. With slots, attrs creates each class twice and compiles
methods for its text and its comparison. Here the class is created once, its values are ordinary attributes,
one function makes the text of all classes, and comparison reads all fields at once.

attrs builds a class when it is first used, and not when it is imported: the first picture uses three of five
classes that are imported for it, and a whole fight no more than half.
"""

from collections.abc import Callable, Collection, Mapping
from functools import cache, partial
from operator import attrgetter
from threading import RLock
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
        own = vars(cls)
        if "__repr__" not in own:
            cls.__repr__ = _text
        cls.__delattr__ = _refuse
        compared = eq and "__eq__" not in own
        names = ["__attrs_attrs__", "__match_args__"]
        names += ["__init__"] if "__init__" not in own else []
        names += ["__eq__", "__hash__"] if compared else []
        how["init"] = "__init__" in names
        build = cache(partial(_build, cls, compared, how))
        for name in names:
            setattr(cls, name, _Later(name, build))
        return cls


# Long commands are carried out in a thread, so two threads may use a class for the first time.
_building = RLock()


class _Later:
    """Stands in for an attribute that attrs makes. Reading it builds the class."""

    def __init__(self, name: str, build: Callable[[], None]) -> None:
        self._name, self._build = name, build

    def __get__(self, value: object, cls: type[Any]) -> Any:
        with _building:
            self._build()
        return getattr(cls if value is None else value, self._name)


def _build(cls: Any, compared: bool, how: Mapping[str, Any]) -> None:
    """Complete a class with attrs."""
    # attrs' own frozen classes without slots are three times slower to read than these. Without detection it
    # replaces what stands in for its methods.
    on_set = attrs.setters.frozen
    attrs.define(cls, slots=False, eq=False, repr=False, auto_detect=False, on_setattr=on_set, **how)
    matched = (each.name for each in fields(cls) if each.init and not each.kw_only)
    cls.__match_args__ = tuple(matched)  # type: ignore[misc]  # it is added to the class
    if compared:
        _compare(cls)


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
