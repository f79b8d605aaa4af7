"""Check single declarations and values of another author's game; a BadGame names the mistake."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from systems.errors import InputError, Wrong, unknown
from systems.frozen import fields, has
from systems.schema.conversion import plain_of, read, write
from systems.schema.entry_lines import line_mistake
from systems.schema.fields import Entries, Entry, Field, Record, fields_of
from systems.schema.types import FieldType, ListOf, NestedType, TableOf, Whole
from systems.text import clean, shown

_WORD = re.compile(r"[a-z][a-z0-9_]*")
# Types of the contract in words for a sentence.
_PLAIN = {
    str: "text",
    int: "whole number",
    bool: "flag",
    tuple: "tuple",
    type: "class",
    Mapping: "table",
    Callable: "function",
}


class BadGame(InputError):
    """A declaration or an answer of a game is invalid; the sentence says how in a few words."""

    code = "game"


def mistake(error: BaseException) -> str:
    """Describe an exception of another author's code in a few words."""
    return clean(f"{type(error).__name__}: {error}", 160)


def check_fits(sheet: type[Any], name: str, value: object) -> None:
    """Check that a field of the sheet can hold a value from an action. Raises Wrong.

    A number outside its range fits, because it stops at the end of the range.
    """
    field = fields_of(sheet).get(name)
    if field is None:
        raise unknown(name, "the sheet has no such field", name, fields_of(sheet), "unknown_field")
    if (value is None and field.default is None) or (isinstance(field.type, Whole) and type(value) is int):
        return
    read(sheet, {name: plain_of(value)})


def check_declared(what: str, cls: object, bare: bool) -> None:
    """Check that a class is declared and its fields allow their own defaults. Raises BadGame."""
    if not isinstance(cls, type) or not has(cls):
        raise BadGame(f"{what} is not a class made by systems.schema.fields.declare")
    own = [attribute.name for attribute in fields(cls) if attribute.name not in fields_of(cls)]
    if loose := [name for name in own if not (issubclass(cls, Entry) and name == "given")]:
        raise BadGame(f"{what}: {loose[0]} is not declared with a field such as whole() or text()")
    named(f"{what}: the field", fields_of(cls))
    former = Counter(older for field in fields_of(cls).values() for older in field.formerly)
    if twice := [older for older, count in former.items() if count > 1]:
        raise BadGame(f"{what}: {twice[0]} is the former name of two fields")
    for field in fields_of(cls).values():
        default(what, cls, field, bare)
        check_nesting(f"{what}: {field.name}", field.type, inside_entry=issubclass(cls, Entry))
        if isinstance(field.type, Entries):
            check_declared(f"{what}, {field.name}", field.type.of, bare=False)
            if "name" not in fields_of(field.type.of):
                raise BadGame(f"{what}: the entries of {field.name} have no name")
            if found := line_mistake(field.type.of):
                raise BadGame(f"{what}, {field.name}: {found}")
    if bare:
        try:
            read(cls, write(cls()))
        except Wrong as wrong:
            raise BadGame(f"{what}: the default of {wrong}") from None


def check_nesting(what: str, type: FieldType, *, inside_entry: bool) -> None:
    """Check that a field type is nested no deeper than files, forms and commands support. Raises BadGame."""
    match type:
        case Entries():
            if inside_entry:
                raise BadGame(f"{what} is a list of entries inside an entry; give the sheet two lists")
        case Record():
            raise BadGame(f"{what} is a table of fields of its own; declare these fields one by one")
        case ListOf(item) | TableOf(item):
            if isinstance(item, NestedType):
                raise BadGame(f"{what} holds lists or tables; a list or a table holds single values")


def default(what: str, cls: type, field: Field, bare: bool) -> None:
    if field.same_as and field.same_as not in fields_of(cls):
        raise BadGame(f"{what}: {field.name} is the same as {field.same_as}, which does not exist")
    order = list(fields_of(cls))
    if field.same_as and order.index(field.same_as) > order.index(field.name):
        raise BadGame(f"{what}: {field.name} is the same as {field.same_as}, which is declared after it")
    if field.needed and bare:
        raise BadGame(f"{what}: {field.name} has no default, but an empty one must be valid")
    if not (field.needed or field.same_as or field.default is None):
        holds(f"{what}: the default of {field.name}", field.type, field.default)
    if field.one_off and (field.needed or field.remembered):
        why = "needed" if field.needed else "remembered"
        raise BadGame(f"{what}: {field.name} is one-off and {why}; a one-off option is left out of a repeat")


def holds(what: str, type: FieldType, value: object) -> None:
    """Check that a field type allows a value, including lists and tables. Raises BadGame."""
    try:
        if isinstance(type, ListOf) and not isinstance(value, tuple):
            raise Wrong("", f"expected {type.expected}, got {shown(value)}")
        type.check(plain_of(value), "")
    except Wrong as wrong:
        raise BadGame(f"{what}: {wrong.message}") from None


def tried(what: str, call: Callable[..., Any], *given: object) -> Any:
    try:
        return call(*given)
    except Exception as error:
        raise BadGame(f"{what} fails on an untouched sheet: {mistake(error)}") from error


def are(found: object, kind: type[Any], what: str) -> Iterator[Any]:
    """Return the items of a tuple. Raises BadGame unless it is a tuple of this type."""
    if not isinstance(found, tuple):
        raise BadGame(f"its {what} are not a tuple")
    for member in found:
        if not isinstance(member, kind):
            raise BadGame(
                f"its {what} have {shown(member)} among them, which is not {_with_article(kind.__name__)}"
            )
    return iter(found)


def named(what: str, names: Iterable[Any]) -> None:
    """Check that names are typable words, each used once. Raises BadGame."""
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str) or not _WORD.fullmatch(name):
            raise BadGame(f"{what} {shown(name)} is not lower_snake_case")
        if name in seen:
            raise BadGame(f"{what} {name} is used twice")
        seen.add(name)


def one_of(what: str, value: object, known: Iterable[str]) -> None:
    known = tuple(known)
    if value not in known:
        raise BadGame(f"{what} is {shown(value)}, not one of {', '.join(known)}")


def check_shape(what: str, value: Any, hint: Any) -> None:
    """Check that a value has its type in the contract, including the fields it declares. Raises BadGame."""
    if isinstance(hint, str):
        return  # a type that the contract doesn't import at run time; the code that uses the value checks it
    origin, parts = get_origin(hint) or hint, get_args(hint)
    if origin is Literal:
        one_of(what, value, parts)
    elif origin in (UnionType, Union):
        if value is not None or type(None) not in parts:
            _check_one_of(what, value, [part for part in parts if part is not type(None)])
    elif origin is int and type(value) is not int:
        raise BadGame(f"{what} is {shown(value)}, not a whole number")
    elif not _is(value, origin):
        raise BadGame(f"{what} is {shown(value)}, not {_with_article(_PLAIN.get(origin) or origin.__name__)}")
    elif origin is tuple:
        hints = [parts[0]] * len(value) if parts[-1] is ... else parts
        if len(value) != len(hints):
            raise BadGame(f"{what} has {len(value)} parts and not {len(hints)}")
        for at, (part, inside) in enumerate(zip(value, hints, strict=True)):
            check_shape(f"{what}[{at}]", part, inside)
    elif origin is Mapping:
        for name, part in value.items():
            check_shape(f"a name in {what}", name, parts[0])
            check_shape(f"{what}, {name}", part, parts[1])
    elif has(origin):
        for field in fields(origin):
            check_shape(
                f"{what}.{field.name}" if what else f"its {field.name}",
                getattr(value, field.name),
                _annotation(origin, field.name),
            )


def _annotation(cls: type, field: str) -> Any:
    """Return the declared type of a field, which may come from a base class."""
    return next(
        base.__annotations__[field] for base in cls.__mro__ if field in vars(base).get("__annotations__", {})
    )


def _check_one_of(what: str, value: Any, hints: list[Any]) -> None:
    """Check that a value has one of these types; the error message is that of the first."""
    fits = [hint for hint in hints[1:] if _is(value, get_origin(hint) or hint)]
    check_shape(what, value, fits[0] if fits else hints[0])


def _is(value: object, kind: Any) -> bool:
    if kind in (Any, object):
        return True
    return callable(value) if kind is Callable else isinstance(value, kind)


def _with_article(name: str) -> str:
    """Return a name after `a` or `an`."""
    return f"{'an' if name[0] in 'AEIOaeio' else 'a'} {name}"
