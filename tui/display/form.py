"""A sheet as the rows of a form: what each row holds, and what becomes of the sheet when one changes.

The form works on plain data in which only what was given stands, so that what follows another field
goes on following it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Literal

import attrs

from systems.contract.notation import DiceNotation
from systems.errors import Wrong, unknown
from systems.schema.conversion import plain_of, write
from systems.schema.fields import Entries, Field, fields_of
from systems.schema.types import Choice, DiceText, FieldType, Flag, ListOf, TableOf, Text, Whole
from systems.schema.values import as_typed
from systems.text import clean, find_word

Path = tuple[str | int, ...]


@attrs.frozen
class FormRow:
    """One row. A `head` stands above a table or list; an `add` row makes a new entry of it.

    `value` is what counts now; `given` says whether it was written down or follows from elsewhere.
    """

    path: Path
    label: str
    role: Literal["field", "head", "entry", "add"]
    field: Field
    kind: FieldType
    value: Any = None
    given: bool = True
    depth: int = 0

    @property
    def edited(self) -> bool:
        """Whether it is changed by typing or cycling."""
        return self.role in ("field", "add")

    @property
    def help(self) -> str:
        """What may stand here, in words: `0 to 100 · name and score`."""
        if self.role == "add":
            return f"{_expected_new(self.kind)} · {self.field.help}"
        default = self.field.default_text
        says_nothing = self.depth == 1 or self.field.needed or default in ("absent", "empty")
        absent = "" if says_nothing else f" · left out: {default}"
        about = f" · {self.field.help}" if self.field.help else ""
        return f"{self.kind.expected}{about}{absent}"

    @property
    def typed(self) -> str:
        """The value as it would be typed."""
        return "" if self.value is None else as_typed(self.value)


def _expected_new(kind: FieldType) -> str:
    match kind:
        case TableOf(item, _):
            return f"a name and {item.expected}, such as name 5"
        case _:
            return "the name of a new entry"


def spare_sheet(sheet: Any) -> dict[str, Any]:
    """Plain data of a sheet without what stands at its default or follows another field."""
    plain = write(sheet)
    for name, field in fields_of(type(sheet)).items():
        value = getattr(sheet, name)
        follows = field.same_as and value == getattr(sheet, field.same_as)
        if not field.needed and (follows or (not field.same_as and value == field.default)):
            plain.pop(name, None)
    return plain


def rows_of(fields: Mapping[str, Field], plain: Mapping[str, Any], sheet: Any) -> list[FormRow]:
    """The rows of a form: every declared field that outlasts a round, tables and entries unfolded."""
    found: list[FormRow] = []
    for name, field in fields.items():
        if field.is_of_the_turn:
            continue
        value = plain.get(name, plain_of(getattr(sheet, name, None)))
        match field.type:
            case TableOf() as kind:
                found += _table(name, field, kind, value or {})
            case Entries() as kind:
                found += _entries(name, field, kind, value or [], getattr(sheet, name))
            case kind:
                found.append(FormRow((name,), _label(name), "field", field, kind, value, name in plain))
    return found


def _table(name: str, field: Field, kind: TableOf, value: Mapping[str, Any]) -> Iterator[FormRow]:
    yield FormRow((name,), _label(name), "head", field, kind)
    for key in kind.names or tuple(value):
        given = key in value
        yield FormRow((name, key), clean(key, 40), "field", field, kind.item, value.get(key), given, 1)
    if not kind.names:
        yield FormRow((name, ""), "add", "add", field, kind, depth=1)


def _entries(
    name: str, field: Field, kind: Entries, value: Sequence[Mapping[str, Any]], entries: Sequence[Any]
) -> Iterator[FormRow]:
    yield FormRow((name,), _label(name), "head", field, kind)
    for at, (plain, entry) in enumerate(zip(value, entries, strict=False)):
        label = clean(str(plain.get("name", at + 1)), 40)
        yield FormRow((name, at), label, "entry", field, kind, depth=1)
        for inner, about in fields_of(kind.of).items():
            now = plain.get(inner, plain_of(getattr(entry, inner)))
            given = inner in plain
            yield FormRow((name, at, inner), _label(inner), "field", about, about.type, now, given, 2)
    yield FormRow((name, ""), "add", "add", field, kind, depth=1)


def _label(name: str) -> str:
    return name.replace("_", " ")


def changed(plain: Mapping[str, Any], row: FormRow, word: str) -> dict[str, Any]:
    """The data with what was typed in a row; an empty word leaves the field out. Raises Wrong."""
    found = deepcopy(dict(plain))
    if row.role == "add":
        return _with_new(found, row, word)
    if not word:
        if row.field.needed and row.depth != 1:
            raise Wrong("", f"is needed: {row.kind.expected}")
        return without(found, row.path)
    # The field is known by where the error stands, so its path would only take room.
    try:
        value = plain_of(row.kind.typed(word, ""))
        if naming := row.field.naming:
            value = naming.check(value, [plain.get(naming.field, ())], "")
    except Wrong as wrong:
        raise wrong.at("") from None
    _holder(found, row.path)[row.path[-1]] = value
    return found


def without(plain: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The data without a field, a name of a table, or an entry of a list."""
    found = deepcopy(dict(plain))
    holder = _holder(found, path)
    if isinstance(holder, list):
        del holder[int(path[-1])]
    else:
        holder.pop(path[-1], None)
    if len(path) > 1 and not holder:
        found.pop(str(path[0]), None)
    return found


def _holder(plain: dict[str, Any], path: Path) -> Any:
    """The table or list that holds the last step of a path; made where it is not there yet."""
    inner: Any = plain
    for step in path[:-1]:
        inner = inner[step] if isinstance(step, int) else inner.setdefault(step, {})
    return inner


def _with_new(plain: dict[str, Any], row: FormRow, word: str) -> dict[str, Any]:
    name = str(row.path[0])
    match row.kind:
        case TableOf(item, _):
            key, _, number = word.replace(":", " ").replace("=", " ").strip().rpartition(" ")
            key = key.strip()
            if not key:
                raise Wrong("", f"expected {_expected_new(row.kind)}")
            if key in plain.get(name, {}):
                raise Wrong("", f"{clean(key, 40)} is there already")
            plain.setdefault(name, {})[key] = item.typed(number, "")
        case Entries(of):
            if not word:
                raise Wrong("", "a new entry needs a name")
            plain.setdefault(name, []).append(_fresh(of, word))
    return plain


def _fresh(of: type, name: str) -> dict[str, Any]:
    """A new entry: the name that was typed, and the least that its needed fields may be."""
    needed = {inner: field for inner, field in fields_of(of).items() if field.needed}
    found = {inner: _least(field.type) for inner, field in needed.items()}
    return {**found, "name": clean(name)} if "name" in fields_of(of) else found


def _least(kind: FieldType) -> Any:
    match kind:
        case Whole(low, high):
            return max(low, min(high, 0))
        case Choice(values):
            return values[0]
        case Flag():
            return False
        case DiceText(sides):
            return "1d6" if 6 in sides else f"1d{sides[0]}"
        case DiceNotation():
            return "1d6"
        case Text():
            return "new"
        case ListOf(item, lengths):
            return [_least(item)] * (min(lengths) if lengths else 0)
        case _:
            return {} if isinstance(kind, TableOf) else []


def cycled(row: FormRow, by: int) -> str | None:
    """What the next value of a flag, a choice or a number would be typed as; None for other kinds."""
    match row.kind:
        case Flag():
            return "no" if row.value else "yes"
        case Choice(values):
            at = values.index(row.value) if row.value in values else -1 if by > 0 else 0
            return values[(at + by) % len(values)]
        case Whole(low, high) if type(row.value) is int:
            return str(max(low, min(high, row.value + by)))
        case _:
            return None


def row_at(rows: Sequence[FormRow], path: Path) -> int | None:
    """The row of a path."""
    return next((at for at, row in enumerate(rows) if row.path == path), None)


def row_of_error(rows: Sequence[FormRow], field: str) -> int | None:
    """The row that an error's path such as `weapons[1].damage` is about."""
    wanted = [part for part in field.replace("[", ".").replace("]", "").split(".") if part]
    for length in range(len(wanted), 0, -1):
        path = tuple(int(one) if one.isdecimal() else one for one in wanted[:length])
        if (at := row_at(rows, path)) is not None:
            return at
    return None


def named_field(name: str, fields: Iterable[str]) -> str:
    """The field of those that a person means. Raises Wrong with what there is."""
    fields = list(fields)
    found = find_word(name, fields)
    if found is None:
        raise unknown("", f"there is no field {clean(name, 40)}", name, fields)
    return found
