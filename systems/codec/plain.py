"""Convert frozen values to plain data and back: tables, lists, texts, numbers and flags.

A fraction is a text such as `1/3`, and the keys of a table are texts.
"""

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from systems.frozen import evolve, fields, has, once_a_class

T = TypeVar("T")
Reader = Callable[[Any], Any]


_NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


class BadPlainData(ValueError):
    """Raised if plain data does not fit the class that reads it. `path`: the field, such as `where.port`.

    The sentence repeats nothing of the data, which may be a secret.
    """

    def __init__(self, says: str, path: str = "") -> None:
        self.says, self.path = says, path
        super().__init__(f"{path or 'the data'} {says}")

    def inside(self, name: str) -> "BadPlainData":
        """Return the error for a table that has the bad data in this field."""
        return BadPlainData(self.says, f"{name}.{self.path}" if self.path else name)


def to_plain(value: Any) -> dict[str, Any]:
    """Return a frozen value as a table. Fields at their defaults are left out."""
    return {
        field.name: plain_value(held)
        for field in fields(type(value))
        if (held := getattr(value, field.name)) != field.default
    }


def plain_value(value: Any) -> Any:
    """Return a frozen value, a tuple of them, or a value of JSON as plain data."""
    match value:
        case None | str() | int() | float():
            return value
        case Fraction():
            return str(value)
        case tuple() | list():
            return [plain_value(item) for item in value]
        case frozenset():
            return sorted(value)
        case Mapping():
            return {str(name): plain_value(item) for name, item in value.items()}
    return to_plain(value)


def plain_difference(value: Any, base: Any) -> dict[str, Any]:
    """Return the fields of a frozen value that differ from those of another one of its class."""
    compared = (field.name for field in fields(type(value)) if field.eq)
    return {
        name: plain_value(held) for name in compared if (held := getattr(value, name)) != getattr(base, name)
    }


def with_difference(base: T, given: object) -> T:
    """Return a frozen value with the fields in `given`, which `plain_difference` has made.

    Raises BadPlainData for unknown or wrongly typed fields.
    """
    if not isinstance(given, Mapping):
        raise BadPlainData("should be a table")
    types = _compared_types(type(base))
    if any(name not in types for name in given):
        raise BadPlainData("has an unknown field")
    return evolve(base, **_fields_read({name: _reader(types[name]) for name in given}, given))


def from_plain(cls: type[T], given: object) -> T:
    """Return plain data as a value of this class.

    Raises BadPlainData for unknown, missing or wrongly typed fields.
    """
    return cast(T, _reader(cast(Hashable, cls))(given))


@cache
def _reader(kind: Any) -> Reader:
    """Return a function that reads plain data as a value of this type."""
    if kind in (str, int, bool):
        return lambda given: _exactly(kind, given)
    if kind is float:
        return lambda given: float(given) if type(given) is int else _exactly(float, given)
    if kind is Fraction:
        return _fraction
    if kind is object:
        return lambda given: given
    if has(kind):
        return _class_reader(kind)
    inner = get_args(kind)
    origin = get_origin(kind)
    if origin is Mapping:
        name, item = inner
        return _mapping_reader(_number_in_text if name is int else _reader(name), _reader(item))
    if origin is frozenset:
        texts = _tuple_reader((*inner, Ellipsis))
        return lambda given: frozenset(texts(given))
    if origin is Literal:
        return lambda given: _among(inner, given)
    if origin is tuple:
        return _tuple_reader(inner)
    if origin in (Union, UnionType) and len(inner) == 2 and NoneType in inner:
        read = _reader(next(each for each in inner if each is not NoneType))
        return lambda given: None if given is None else read(given)
    if origin in (Union, UnionType) and all(each in _NAMES for each in inner):
        return lambda given: _any_of(inner, given)
    raise TypeError(f"{kind} is not sent as plain data")


def _exactly(kind: type, given: object) -> object:
    if type(given) is not kind:
        raise BadPlainData(f"should be {_NAMES[kind]}")
    return given


def _any_of(kinds: tuple[type, ...], given: object) -> object:
    if type(given) not in kinds:
        raise BadPlainData(f"should be {' or '.join(_NAMES[kind] for kind in kinds)}")
    return given


def _fraction(given: object) -> Fraction:
    if not isinstance(given, str):
        raise BadPlainData("should be a fraction as text")
    try:
        return Fraction(given)
    except (ValueError, ZeroDivisionError):
        raise BadPlainData("should be a fraction such as 1/3") from None


def _number_in_text(given: object) -> int:
    if not isinstance(given, str) or not given.isdecimal():
        raise BadPlainData("should have whole numbers as names")
    return int(given)


def _among(words: tuple[object, ...], given: object) -> object:
    if given not in words or type(given) not in map(type, words):
        raise BadPlainData("has an unknown word")
    return given


def _tuple_reader(inner: tuple[Any, ...]) -> Reader:
    """Return a reader for a tuple of one type of any length, or of several types in turn."""
    readers = [_reader(each) for each in inner if each is not Ellipsis]

    def read(given: object) -> tuple[object, ...]:
        if not isinstance(given, list | tuple):
            raise BadPlainData("should be a list")
        if Ellipsis in inner:
            return tuple(readers[0](item) for item in given)
        if len(given) != len(readers):
            raise BadPlainData(f"should have {len(readers)} values")
        return tuple(each(item) for each, item in zip(readers, given, strict=True))

    return read


def _mapping_reader(read_name: Reader, read_value: Reader) -> Reader:
    def read(given: object) -> object:
        if not isinstance(given, Mapping):
            raise BadPlainData("should be a table")
        return {read_name(name): read_value(value) for name, value in given.items()}

    return read


@once_a_class
def _compared_types(cls: Any) -> Mapping[str, Any]:
    """Return the type of each field that counts when values of a class are compared."""
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in fields(cls) if field.eq}


def _class_reader(cls: Any) -> Reader:
    hints = get_type_hints(cls)
    readers = {field.name: _reader(hints[field.name]) for field in fields(cls)}
    needed = [field.name for field in fields(cls) if field.needed]

    def read(given: object) -> object:
        if not isinstance(given, Mapping):
            raise BadPlainData("should be a table")
        if any(name not in readers for name in given):
            raise BadPlainData("has an unknown field")
        if missing := [name for name in needed if name not in given]:
            raise BadPlainData("is missing", missing[0])
        return cls(**_fields_read(readers, given))

    return read


def _fields_read(readers: Mapping[str, Reader], given: Mapping[str, object]) -> dict[str, Any]:
    """Return the fields of a table, each read by its reader. Raises BadPlainData for the first bad one."""
    name = ""
    found = {}
    try:
        for name, value in given.items():
            found[name] = readers[name](value)
    except BadPlainData as error:
        raise error.inside(name) from None
    return found
