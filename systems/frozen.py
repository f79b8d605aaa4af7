"""Frozen value classes: declared like those of attrs, but created in a tenth of the time.

A start creates more than a hundred of these classes before its first picture. attrs compiles methods for each
of them at once. Here all classes share their methods, and a class compiles its `__init__` when that is first
needed. Type checkers and attrs itself take these classes for classes of attrs; attrs is imported only when
one of its own functions asks for the fields.
"""

from collections.abc import Callable, Hashable, Mapping
from copy import copy
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar, cast

T = TypeVar("T")

if TYPE_CHECKING:
    from attrs import NOTHING as NOTHING
    from attrs import Factory as Factory
    from attrs import define as define
    from attrs import field as field
    from attrs import fields as fields
    from attrs import frozen as frozen
    from attrs import has as has
else:
    NOTHING = object()

    def frozen(cls: type | None = None, *, eq: bool = True, kw_only: bool = False) -> Any:
        """Make a class of frozen values; see `attrs.frozen`. `eq`: values are compared by their fields."""
        if cls is None:
            return lambda cls: frozen(cls, eq=eq, kw_only=kw_only)
        _declare(cls, kw_only)
        cls.__setattr__ = cls.__delattr__ = _refuse
        if eq and "__eq__" not in vars(cls):
            names = [each.name for each in fields(cls) if each.eq]
            cls.__eq__, cls.__hash__ = _comparison(attrgetter(*names) if names else type)
        return cls

    def define(cls: type) -> type:
        """Make a class whose fields may change, compared by identity; see `attrs.define`."""
        _declare(cls)
        return cls

    def field(
        *, default: Any = NOTHING, factory: Callable[[], Any] | None = None, **details: Any
    ) -> "FrozenField":
        """Declare a field; see `attrs.field`. Known: converter, eq, repr, init, kw_only and metadata."""
        return FrozenField(default if factory is None else _Factory(factory), **details)

    def Factory(factory: Callable[..., Any], takes_self: bool = False) -> "_Factory":  # noqa: N802 - its name in attrs
        """Make the default of a field for each value; see `attrs.Factory`."""
        return _Factory(factory, takes_self)

    def fields(cls: Any) -> "tuple[Any, ...]":
        """Return the fields of a class of this module or of attrs; see `attrs.fields`."""
        if hasattr(cls, "__frozen_fields__"):
            return cls.__frozen_fields__
        return _attrs().fields(cls)

    def has(cls: Any) -> bool:
        """Return whether a class has such fields; see `attrs.has`."""
        return hasattr(cls, "__frozen_fields__") or hasattr(cls, "__attrs_attrs__")


class _Factory:
    """A default that is made for each value, from that value if `takes_self`."""

    __slots__ = ("factory", "takes_self")

    def __init__(self, factory: Callable[..., Any], takes_self: bool = False) -> None:
        self.factory, self.takes_self = factory, takes_self


class FrozenField:
    """A field of a frozen class. `alias`: its name as an argument of `__init__`."""

    __slots__ = (
        "name", "alias", "type", "default", "converter", "eq", "repr", "init", "kw_only", "metadata",
    )  # fmt: skip

    def __init__(
        self,
        default: Any = NOTHING,
        *,
        converter: Callable[[Any], Any] | None = None,
        eq: bool = True,
        repr: bool = True,
        init: bool = True,
        kw_only: bool = False,
        metadata: Mapping[Any, Any] | None = None,
    ) -> None:
        self.name = self.alias = ""
        self.type: Any = None
        self.default, self.converter, self.eq, self.repr = default, converter, eq, repr
        self.init, self.kw_only, self.metadata = init, kw_only, metadata or {}


def evolve(value: T, /, **changes: object) -> T:
    """Return a frozen value with some fields changed, like `attrs.evolve` but several times as fast.

    Only the changed fields are converted. Raises TypeError for an unknown field.
    """
    converters = _converters(cast(Hashable, type(value)))
    if converters is None:
        return cast(T, _attrs().evolve(value, **changes))
    held, new = value.__dict__, object.__new__(type(value))
    known = new.__dict__
    for name in converters:
        # A stored event decodes a field when it is first used.
        known[name] = held[name] if name in held else getattr(value, name)
    for name, given in changes.items():
        if name not in converters:
            raise TypeError(f"{type(value).__name__} has no field {name}")
        convert = converters[name]
        known[name] = given if convert is None else convert(given)
    return new


@cache
def _converters(cls: Any) -> Mapping[str, Callable[[Any], Any] | None] | None:
    """Return the fields of a class with their converters, or None if `__init__` does more than convert."""
    declared = vars(cls).get("__frozen_fields__", ())
    is_plain = declared and all(each.init and each.alias == each.name for each in declared)
    if not is_plain or hasattr(cls, "__attrs_post_init__"):
        return None
    return {each.name: each.converter for each in declared}


def _declare(cls: Any, kw_only: bool = False) -> None:
    """Give a class its fields, its constructor and its text."""
    cls.__frozen_fields__ = declared = tuple(_declared(cls, kw_only).values())
    places = [each for each in declared if each.init and not each.kw_only]
    if (optional := [each.default is not NOTHING for each in places]) != sorted(optional):
        raise TypeError(f"{cls.__qualname__}: fields without a default must come first")
    cls.__match_args__ = tuple(each.name for each in places)  # type: ignore[misc]  # of any class
    cls.__attrs_attrs__, cls.__init__ = _FIELDS_FOR_ATTRS, _Constructor(cls)
    if "__repr__" not in vars(cls):
        cls.__repr__ = _text


def _declared(cls: Any, kw_only: bool) -> dict[str, FrozenField]:
    """Return the fields of a class and its bases. Removes their declarations from the class."""
    found: dict[str, FrozenField] = {}
    for base in reversed(cls.__mro__[1:]):
        for each in vars(base).get("__frozen_fields__", ()):
            found.pop(each.name, None)
            found[each.name] = each
    written = vars(cls)
    for name, kind in written.get("__annotations__", {}).items():
        if _is_class_variable(kind):
            continue
        given = written.get(name, NOTHING)
        if given is not NOTHING:
            delattr(cls, name)
        if type(given).__module__.startswith("attr."):
            raise TypeError(f"{cls.__qualname__}.{name}: use the field of systems.frozen, not that of attrs")
        declared = given if isinstance(given, FrozenField) else FrozenField(given)
        if declared.name:  # the same declaration serves two fields
            declared = copy(declared)
        declared.name, declared.alias, declared.type = name, name.lstrip("_"), kind
        declared.kw_only = declared.kw_only or kw_only
        found.pop(name, None)
        found[name] = declared
    return found


def _is_class_variable(kind: Any) -> bool:
    if isinstance(kind, str):
        return kind.startswith("ClassVar")
    return kind is ClassVar or getattr(kind, "__origin__", None) is ClassVar


class _Constructor:
    """The `__init__` of a frozen class until it is first needed; then it replaces itself.

    Two threads that need it at the same moment compile the same function twice, which does no harm.
    """

    def __init__(self, cls: Any) -> None:
        self._cls = cls

    def __get__(self, value: object, cls: Any = None) -> Any:
        made = self._cls.__init__ = _constructor(self._cls)
        return made if value is None else made.__get__(value)


def _constructor(cls: Any) -> Any:
    """Compile the `__init__` of a class: it takes the fields in order, converts them and sets them."""
    declared: tuple[FrozenField, ...] = cls.__frozen_fields__
    names: dict[str, Any] = {"_set": object.__setattr__, "_nothing": NOTHING}
    for each in declared:
        is_made = isinstance(each.default, _Factory)
        names[f"_default_{each.alias}"] = each.default.factory if is_made else each.default
        names[f"_convert_{each.alias}"] = each.converter
    places = [_argument(each) for each in declared if each.init and not each.kw_only]
    named = [_argument(each) for each in declared if each.init and each.kw_only]
    lines = [f"_set(self, {each.name!r}, {_value(each)})" for each in declared]
    if hasattr(cls, "__attrs_post_init__"):
        lines.append("self.__attrs_post_init__()")
    arguments = ", ".join(("self", *places, *(["*"] if named else []), *named))
    source = f"def __init__({arguments}):\n    " + "\n    ".join(lines or ["pass"])
    exec(compile(source, f"<the constructor of {cls.__qualname__}>", "exec"), names)
    made = names["__init__"]
    made.__qualname__, made.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    made.__annotations__ = {each.alias: each.type for each in declared if each.init and not each.converter}
    made.__annotations__["return"] = None
    return made


def _argument(field: FrozenField) -> str:
    if field.default is NOTHING:
        return field.alias
    return f"{field.alias}={'_nothing' if isinstance(field.default, _Factory) else f'_default_{field.alias}'}"


def _value(field: FrozenField) -> str:
    """Return the expression of a field's value, from its argument and its default."""
    value = given = field.alias
    if isinstance(field.default, _Factory):
        value = f"_default_{given}({'self' if field.default.takes_self else ''})"
        if field.init:
            value = f"{value} if {given} is _nothing else {given}"
    elif not field.init:
        value = f"_default_{given}"
    return f"_convert_{given}({value})" if field.converter else value


class _FieldsForAttrs:
    """The fields of a class in the form of attrs, made when attrs asks for them."""

    def __get__(self, value: object, cls: Any) -> Any:
        attrs = _attrs()
        made = {each.name: _for_attrs(each, attrs) for each in cls.__frozen_fields__}
        cls.__attrs_attrs__ = found = attrs.fields(attrs.make_class(cls.__name__, made))
        return found


_FIELDS_FOR_ATTRS = _FieldsForAttrs()


def _for_attrs(field: FrozenField, attrs: Any) -> Any:
    default = field.default
    if isinstance(default, _Factory):
        default = attrs.Factory(default.factory, default.takes_self)
    return attrs.field(
        default=attrs.NOTHING if default is NOTHING else default,
        **{name: getattr(field, name) for name in FrozenField.__slots__ if name not in ("name", "default")},
    )


def _attrs() -> Any:
    """Return the package attrs, which a start does not import."""
    import attrs

    return attrs


def _refuse(self: Any, *_: Any) -> NoReturn:
    raise _attrs().exceptions.FrozenInstanceError


def _text(self: Any) -> str:
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(type(self)) if each.repr)
    return f"{type(self).__qualname__.rpartition('>.')[2]}({', '.join(shown)})"


def _comparison(values: Callable[[Any], object]) -> tuple[Callable[..., Any], Callable[..., int]]:
    """Return `__eq__` and `__hash__` by class and the values of the fields."""

    def equal(self: Any, other: Any) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    def hashed(self: Any) -> int:
        return hash(values(self))

    return equal, hashed
