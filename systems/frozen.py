"""Frozen value classes: structs of msgspec, written as decorated classes.

msgspec creates a class in a tenth of the time of attrs or dataclasses, and creates, compares and changes
values ten times as fast. Every value also has a dictionary for what is worked out from it once
(`functools.cached_property`). A changed copy starts with an empty one.
"""

from collections.abc import Callable, Collection, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, cast, dataclass_transform

import msgspec
from msgspec import Struct
from msgspec.structs import asdict as _asdict
from msgspec.structs import force_setattr, replace

T = TypeVar("T")
NOTHING = msgspec.UNSET
_NOT_COPIED = frozenset(("__dict__", "__weakref__"))


class Attribute(Struct, frozen=True):
    """How a field of a frozen class is declared.

    `default`: NOTHING if there is none. `derive`: makes the default from the other fields of the value.
    `converter`: makes the value of the field from a given one. `eq`: whether the field counts in comparisons,
    and whether the text of a value shows it. `metadata`: what else the declaration says.
    """

    name: str = ""
    default: Any = NOTHING
    derive: Callable[[Any], Any] | None = None
    converter: Callable[[Any], Any] | None = None
    eq: bool = True
    metadata: Mapping[str, Any] = {}

    @property
    def needed(self) -> bool:
        return self.default is NOTHING and self.derive is None


def field(
    *,
    default: Any = NOTHING,
    converter: Callable[[Any], Any] | None = None,
    eq: bool = True,
    metadata: Mapping[str, Any] | None = None,
) -> Any:
    """Declare a field of a frozen class; see `Attribute`."""
    return Attribute("", default, None, converter, eq, metadata or {})


def derived(derive: Callable[[Any], Any], metadata: Mapping[str, Any] | None = None) -> Any:
    """Declare a field whose default is made from the fields before it; see `Attribute`."""
    return Attribute(derive=derive, metadata=metadata or {})


# msgspec does not name the class of its classes.
class _Frozen(type(Struct)):  # type: ignore[misc]
    """The class of frozen classes. It carries out what `field` and `derived` declare."""

    def __new__(
        meta, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any
    ) -> "_Frozen":
        own = {key: given for key, given in namespace.items() if type(given) is Attribute}
        for key, given in own.items():
            if given.needed:
                del namespace[key]
            else:
                namespace[key] = given.default
        declared: dict[str, Attribute] = {}
        for base in bases:
            declared |= getattr(base, "__declared__", {})
            options.setdefault("kw_only", getattr(base, "__kw_only__", False))
        declared |= own
        namespace["__declared__"] = declared
        namespace["__kw_only__"] = options.get("kw_only", False)
        inherited = (getattr(base, "__then__", None) for base in bases)
        namespace["__then__"] = namespace.get("__post_init__") or next(filter(None, inherited), None)
        _add_methods(namespace, declared.values(), own.values(), options.get("eq", True))
        try:
            made = super().__new__(meta, name, bases, namespace, **options)
        except TypeError as error:
            raise TypeError(f"{name}: {error}") from None
        for untyped in own.keys() - set(made.__struct_fields__):
            raise TypeError(f"{name}.{untyped} has no type; write it as {untyped}: int, or what it holds")
        return cast(_Frozen, made)


def _add_methods(
    namespace: dict[str, Any], declared: Collection[Attribute], own: Collection[Attribute], eq: bool
) -> None:
    """Add the methods that declared fields need beyond those of msgspec; a class inherits those it lacks."""
    if any(each.derive or each.converter for each in declared):
        namespace["__post_init__"] = _completing(namespace["__then__"])
    if not all(each.eq for each in own):
        namespace.setdefault("__repr__", _text)
        if eq and "__eq__" not in namespace:
            namespace["__eq__"], namespace["__hash__"] = _equal, _hashed


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: Any = None, *, eq: bool = True, kw_only: bool = False) -> Any:
    """Make a class of frozen values. A class below a frozen class only needs this for type checkers.

    `eq`: values with equal fields are equal; else each value equals only itself. `kw_only`: values are made
    from named fields only, also those of classes below.
    """
    if cls is None:
        return lambda cls: frozen(cls, eq=eq, kw_only=kw_only)
    if isinstance(cls, _Frozen):
        if (eq, kw_only) != (True, False) and (eq, kw_only) != (cls.__struct_config__.eq, cls.__kw_only__):
            raise TypeError(f"{cls.__name__} has the options of the class above it")
        return cls
    bases = tuple(base for base in cls.__bases__ if base is not object)
    namespace = {name: held for name, held in vars(cls).items() if name not in _NOT_COPIED}
    return _Frozen(
        cls.__name__,
        (Struct, *bases),
        namespace,
        frozen=True,
        dict=True,
        weakref=True,
        eq=eq,
        kw_only=kw_only,
    )


def evolve(value: T, /, **changes: object) -> T:
    """Return a frozen value with some fields changed. Raises TypeError for an unknown field."""
    return cast(T, cast(Any, value).__replace__(**changes))


def asdict(value: object) -> dict[str, Any]:
    """Return the fields of a frozen value by name."""
    return _asdict(cast(Struct, value))


def once_a_class(find: Callable[[type[Any]], T]) -> Callable[[type[Any]], T]:
    """Let a function of a class work out its result once for each class."""
    return cast(Callable[[type[Any]], T], cache(find))


def has(cls: object) -> bool:
    """Return whether this is a frozen class."""
    return hasattr(cls, "__declared__")


@once_a_class
def fields(cls: Any) -> tuple[Attribute, ...]:
    """Return the fields of a frozen class in order."""
    names, defaults = cls.__struct_fields__, cls.__struct_defaults__
    plain = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))
    found = []
    for name in names:
        declared = cls.__declared__.get(name)
        if declared is None:
            # A needed field may follow others if it must be named.
            default = plain.get(name, NOTHING)
            declared = Attribute(default=NOTHING if default is msgspec.NODEFAULT else default)
        found.append(replace(declared, name=name))
    return tuple(found)


def _completing(then: Callable[[Any], None] | None) -> Callable[[Any], None]:
    """Return a method that converts and derives fields, and then does what the class says."""

    def complete(self: Any) -> None:
        # A class below that calls it with super() has done the fields already.
        if self.__class__.__post_init__ is complete:
            converted, derived = _steps(self.__class__)
            for name, convert in converted:
                given = getattr(self, name)
                if (made := convert(given)) is not given:
                    force_setattr(self, name, made)
            for name, derive in derived:
                if getattr(self, name) is NOTHING:
                    force_setattr(self, name, derive(self))
        if then is not None:
            then(self)

    return complete


_Steps = tuple[tuple[str, Callable[[Any], Any]], ...]


@once_a_class
def _steps(cls: Any) -> tuple[_Steps, _Steps]:
    """Return the fields that are converted and those that are derived."""
    found = fields(cls)
    return (
        tuple((each.name, each.converter) for each in found if each.converter),
        tuple((each.name, each.derive) for each in found if each.derive),
    )


@once_a_class
def _compared(cls: Any) -> Callable[[Any], object]:
    return attrgetter(*(each.name for each in fields(cls) if each.eq))


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    values = _compared(self.__class__)
    return values(self) == values(other)


def _hashed(self: Any) -> int:
    return hash(_compared(self.__class__)(self))


def _text(self: Any) -> str:
    inside = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(type(self)) if each.eq)
    return f"{type(self).__name__}({', '.join(inside)})"
