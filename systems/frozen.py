"""Frozen value classes, declared in the words of attrs and made in a tenth of its time.

A start makes a hundred of them before its first picture. attrs makes each class twice, since slots need a
class of their own, and compiles its methods at once: half a millisecond a class. Here the class stays the
one that was written, its values are written where Python keeps attributes anyway, which is as quick to read
as a slot, and the constructor is compiled when the first value is made. Type checkers take these classes
for classes of attrs, and so does attrs: its own functions work on them.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

if TYPE_CHECKING:
    from attrs import NOTHING as NOTHING
    from attrs import Factory as Factory
    from attrs import asdict as asdict
    from attrs import define as define
    from attrs import evolve as evolve
    from attrs import field as field
    from attrs import fields as fields
    from attrs import frozen as frozen
    from attrs import has as has
else:
    NOTHING = object()

    def frozen(cls: type | None = None, *, eq: bool = True, kw_only: bool = False, slots: bool = True) -> Any:
        """Make a class of frozen values; see `attrs.frozen`.

        `eq`: compared by value. `slots=False`: a value with many attributes is made faster, and is larger.
        """
        if cls is None:
            return lambda cls: frozen(cls, eq=eq, kw_only=kw_only, slots=slots)
        _declare(cls, kw_only, slots)
        cls.__setattr__ = cls.__delattr__ = _refuse
        if eq and "__eq__" not in vars(cls):
            _compare(cls)
        return cls

    def define(cls: type | None = None, *, eq: bool = True) -> Any:
        """Make a class whose attributes may change; see `attrs.define`."""
        if cls is None:
            return lambda cls: define(cls, eq=eq)
        _declare(cls)
        if eq:
            _compare(cls)
            cls.__hash__ = None
        return cls

    def field(
        *, default: Any = NOTHING, factory: Callable[[], Any] | None = None, **details: Any
    ) -> "_Attribute":
        """Declare an attribute; see `attrs.field`. Known: eq, repr, init, kw_only, converter and metadata."""
        return _Attribute(default if factory is None else _Factory(factory), **details)

    def Factory(factory: Callable[..., Any], takes_self: bool = False) -> "_Factory":  # noqa: N802
        """Make the default of an attribute when it is needed; see `attrs.Factory`."""
        return _Factory(factory, takes_self)

    def has(cls: type) -> bool:
        """Return whether that is a class of this module; see `attrs.has`."""
        return hasattr(cls, "__attributes__")

    def fields(cls: type) -> "tuple[_Attribute, ...]":
        """Return the attributes of a class; see `attrs.fields`."""
        return cls.__attributes__

    def evolve(value: Any, /, **changes: Any) -> Any:
        """Return a copy of a value with changes; see `attrs.evolve`."""
        cls = value.__class__
        for attribute in cls.__attributes__:
            if attribute.init and attribute.alias not in changes:
                changes[attribute.alias] = getattr(value, attribute.name)
        return cls(**changes)

    def asdict(value: Any) -> dict[str, Any]:
        """Return the attributes by name, and so on inside them; see `attrs.asdict`."""
        return {each.name: _plain(getattr(value, each.name)) for each in value.__attributes__}


def _plain(value: Any) -> Any:
    match value:
        case tuple() | list() | set() | frozenset():
            return [_plain(part) for part in value]
        case dict():
            return {_plain(name): _plain(part) for name, part in value.items()}
    return asdict(value) if has(type(value)) else value


class _Factory:
    """What makes a default, from the value that is being made where it takes that."""

    __slots__ = ("factory", "takes_self")

    def __init__(self, factory: Callable[..., Any], takes_self: bool = False) -> None:
        self.factory, self.takes_self = factory, takes_self


class _Attribute:
    """An attribute of a class. `default`: NOTHING where there is none.

    `alias`: its name as an argument of the constructor.
    """

    __slots__ = (
        "name", "alias", "type", "default", "converter", "metadata", "eq", "repr", "init", "kw_only",
    )  # fmt: skip

    def __init__(
        self,
        default: Any = NOTHING,
        *,
        converter: Callable[[Any], Any] | None = None,
        metadata: Any = None,
        eq: bool = True,
        repr: bool = True,
        init: bool = True,
        kw_only: bool = False,
    ) -> None:
        self.name = self.alias = ""
        self.type: Any = None
        self.default, self.converter, self.metadata = default, converter, metadata or {}
        self.eq, self.repr, self.init, self.kw_only = eq, repr, init, kw_only


class _AttributesForAttrs:
    """The attributes of a class in the words of attrs, made when attrs asks for them."""

    def __get__(self, value: object, cls: Any) -> "tuple[Any, ...]":
        import attrs

        cls.__attrs_attrs__ = made = tuple(_for_attrs(attrs, attribute) for attribute in cls.__attributes__)
        return made


def _for_attrs(attrs: Any, attribute: _Attribute) -> Any:
    default = attribute.default
    if isinstance(default, _Factory):
        default = attrs.Factory(default.factory, default.takes_self)
    return attrs.Attribute(
        name=attribute.name,
        alias=attribute.alias,
        type=attribute.type,
        default=attrs.NOTHING if default is NOTHING else default,
        converter=attribute.converter,
        metadata=attribute.metadata,
        eq=attribute.eq,
        repr=attribute.repr,
        init=attribute.init,
        kw_only=attribute.kw_only,
        validator=None,
        cmp=None,
        hash=None,
        inherited=False,
    )


def _declare(cls: Any, kw_only: bool = False, slots: bool = True) -> Any:
    """Give a class its attributes, those of its bases first, and the methods that every frozen value has."""
    found: dict[str, _Attribute] = {}
    for base in reversed(cls.__mro__[1:]):
        for attribute in vars(base).get("__attributes__", ()):
            found.pop(attribute.name, None)
            found[attribute.name] = attribute
    written = vars(cls)
    for name, annotation in cls.__annotations__.items():
        if _is_of_the_class(annotation):
            continue
        attribute = written.get(name, NOTHING)
        if name in written:
            delattr(cls, name)
        if not isinstance(attribute, _Attribute):
            if type(attribute).__module__.startswith("attr."):
                raise TypeError(f"{cls.__qualname__}.{name} needs the field() of systems.frozen")
            attribute = _Attribute(attribute)
        attribute.name, attribute.alias, attribute.type = name, name.lstrip("_"), annotation
        attribute.kw_only = attribute.kw_only or kw_only
        found.pop(name, None)
        found[name] = attribute
    cls.__attributes__ = attributes = tuple(found.values())
    cls.__attrs_attrs__ = _ATTRIBUTES_FOR_ATTRS
    cls.__match_args__ = tuple(  # type: ignore[misc]
        each.name for each in attributes if each.init and not each.kw_only
    )
    if "__repr__" not in written:
        cls.__repr__ = _text
    cls.__init__ = _constructor_at_first(cls, slots)
    return cls


_ATTRIBUTES_FOR_ATTRS = _AttributesForAttrs()


def _is_of_the_class(annotation: Any) -> bool:
    """Return whether an annotation is a ClassVar."""
    if isinstance(annotation, str):
        return annotation.startswith("ClassVar")
    return annotation is ClassVar or getattr(annotation, "__origin__", None) is ClassVar


def _refuse(self: Any, *what: Any) -> NoReturn:
    from attrs.exceptions import FrozenInstanceError

    raise FrozenInstanceError


def _constructor_at_first(cls: Any, slots: bool) -> Callable[..., None]:
    """Return a constructor that compiles the true one when the first value is made."""

    def construct(self: Any, *values: Any, **named: Any) -> None:
        cls.__init__ = _constructor(cls, slots)
        cls.__init__(self, *values, **named)

    return construct


def _constructor(cls: Any, slots: bool) -> Any:
    """Compile the constructor of a class, as a person would write it for these attributes.

    It writes them one by one, or a dictionary of them all at once.
    """
    known: dict[str, Any] = {"_set": object.__setattr__, "_NOTHING": NOTHING}
    for attribute in cls.__attributes__:
        default = attribute.default
        known[f"_default_{attribute.alias}"] = default.factory if isinstance(default, _Factory) else default
        known[f"_convert_{attribute.alias}"] = attribute.converter
    values = {attribute.name: _value(attribute) for attribute in cls.__attributes__}
    if slots:
        lines = [f"_set(self, {name!r}, {value})" for name, value in values.items()]
    else:
        inside = (f"{name!r}: {value}" for name, value in values.items())
        lines = [f"_set(self, '__dict__', {{{', '.join(inside)}}})"]
    if hasattr(cls, "__attrs_post_init__"):
        lines.append("self.__attrs_post_init__()")
    source = f"def __init__({_arguments(cls.__attributes__)}):\n    " + "\n    ".join(lines or ["pass"])
    exec(source, known)
    made = known["__init__"]
    made.__qualname__, made.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    return made


def _arguments(attributes: tuple[_Attribute, ...]) -> str:
    """Write the arguments of a constructor, `self, name, damage=_default_damage, *, hidden`."""
    given = [each for each in attributes if each.init]
    places = [_argument(each) for each in given if not each.kw_only]
    named = [_argument(each) for each in given if each.kw_only]
    return ", ".join(("self", *places, *(["*"] if named else []), *named))


def _argument(attribute: _Attribute) -> str:
    if attribute.default is NOTHING:
        return attribute.alias
    made = isinstance(attribute.default, _Factory)
    return f"{attribute.alias}={'_NOTHING' if made else f'_default_{attribute.alias}'}"


def _value(attribute: _Attribute) -> str:
    """Write the value that an attribute gets from its argument and its default."""
    value, default = attribute.alias, f"_default_{attribute.alias}"
    if isinstance(attribute.default, _Factory):
        made = f"{default}({'self' if attribute.default.takes_self else ''})"
        value = f"{made} if {value} is _NOTHING else {value}" if attribute.init else made
    elif not attribute.init:
        value = default
    return f"_convert_{attribute.alias}({value})" if attribute.converter else value


def _text(self: Any) -> str:
    inside = (
        f"{attribute.name}={getattr(self, attribute.name)!r}"
        for attribute in type(self).__attributes__
        if attribute.repr
    )
    return f"{type(self).__qualname__.rpartition('>.')[2]}({', '.join(inside)})"


def _compare(cls: Any) -> None:
    """Add `__eq__` and `__hash__` by class and attributes."""
    names = [attribute.name for attribute in cls.__attributes__ if attribute.eq]
    values: Callable[[Any], object] = attrgetter(*names) if names else type

    def equal(self: Any, other: Any) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    def hashed(self: Any) -> int:
        return hash(values(self))

    cls.__eq__, cls.__hash__ = equal, hashed
