"""The rows of a sheet's form, and the sheet after a row was edited.

The form works on plain data that holds only values that were written down, so that a field that copies
another keeps following it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, Literal

from systems.contract.sheet import Section, in_sections
from systems.errors import Wrong, unknown
from systems.frozen import evolve, frozen
from systems.language.readings import singular
from systems.schema.conversion import plain_of, write
from systems.schema.entries import with_known_names
from systems.schema.entry_lines import EntryLine, entry_line, entry_values
from systems.schema.fields import Entries, Entry, Field, fields_of
from systems.schema.types import Choice, FieldType, Flag, TableOf, Whole
from systems.schema.values import as_typed
from systems.text import NEAR, clean, find_word, nearest, same_word, shown, spoken
from tui.display.text import wrapped

ValuePath = tuple[str | int, ...]
_FIRST = ("name", "side", "party", "notes", "habits")


@frozen
class FormRow:
    """One row of a form.

    A "section" and a "head" are headings, a "head" above a table or list. "add" makes a new entry; an entry
    is one row. A "rest" continues the sentence of the field above it. `path`: the steps to it from the sheet,
    names or indexes from 0. `field`: the field of the sheet that contains it; `type`: what the row may hold.
    `value`: the plain data that counts now, or an entry; `given`: it was written down and does not follow
    from another field. `default`: the value without one, in words. `example`: a name that a table lacks.
    """

    path: ValuePath
    label: str
    role: Literal["section", "field", "head", "add", "rest"]
    field: Field
    type: FieldType
    value: Any = None
    given: bool = True
    default: str = ""
    example: str = "name"

    @property
    def depth(self) -> int:
        """Return how many tables, lists and entries contain it."""
        return len(self.path) - 1

    @property
    def is_layout(self) -> bool:
        """Return whether `in_sentences` has added the row: the rest of a sentence, or a blank one."""
        return self.role == "rest" or (self.role == "section" and not self.label)

    @property
    def edited(self) -> bool:
        """Return whether the row is edited by typing or cycling."""
        return self.role in ("field", "add")

    @property
    def help(self) -> str:
        """Return what may be typed here, in words: `0 to 100 · name and score`."""
        if self.role == "add":
            return f"{self.expected_new} · {self.field.help}"
        return self._accepts(self.field.help)

    @property
    def accepts(self) -> str:
        """Return what may be typed here, without what the field means."""
        return self._accepts("")

    def _accepts(self, about: str) -> str:
        says_nothing = self.depth == 1 or self.field.needed or self.default in ("absent", "empty", "")
        default = "" if says_nothing else f"default: {self.default}"
        expected = "yes or no" if isinstance(self.type, Flag) else self.type.expected
        expected = spoken(expected) if isinstance(self.type, Choice) else expected
        return " · ".join(filter(None, [expected, about, default]))

    @property
    def expected_new(self) -> str:
        """Return what may be typed to add an entry, in words, with an example for a table."""
        match self.type:
            case TableOf(item, _):
                return f"a name and {item.expected}, such as {self.example} 5"
            case Entries(of):
                return EntryLine(of).expected
        return self.type.expected

    @property
    def typed(self) -> str:
        """Return the value as it would be typed."""
        if isinstance(self.value, Entry):
            return entry_line(self.value)
        return "" if self.value is None else as_typed(self.value)

    @property
    def words(self) -> str:
        """Return the value in words; for an entry, the text after its name."""
        if self.value is None and self.depth == 0 and self.field.when_absent:
            return self.field.when_absent
        return entry_values(self.value) if isinstance(self.value, Entry) else self.field.words(self.value)


def spare_sheet(sheet: Any) -> dict[str, Any]:
    """Return a sheet as plain data without fields at their defaults or equal to the field they copy."""
    plain = write(sheet)
    for name, field in fields_of(type(sheet)).items():
        value = getattr(sheet, name)
        follows = bool(field.same_as) and value == getattr(sheet, field.same_as)
        follows = follows or (field.derive is not None and value == field.derive(sheet))
        if not field.needed and (follows or (not field.same_as and value == field.default)):
            plain.pop(name, None)
    return plain


def rows_of(
    fields: Mapping[str, Field], plain: Mapping[str, Any], sheet: Any, sections: Sequence[Section] = ()
) -> list[FormRow]:
    """Return the rows of a form: every declared field that outlasts a round, with tables and entries
    unfolded.

    Each of the `sections` has a heading; the fields that every sheet has (`_FIRST`) are above the first.
    """
    rows = _rows_in_sections(fields, plain, sheet, sections)
    return [evolve(row, default=_default(row.field, fields)) for row in rows]


def _default(field: Field, fields: Mapping[str, Field]) -> str:
    """Return the value of an omitted field in words; for a field that copies another, that field's label."""
    other = fields.get(field.same_as or "")
    return f"same as {other.label}" if other is not None else field.default_words


def _rows_in_sections(
    fields: Mapping[str, Field], plain: Mapping[str, Any], sheet: Any, sections: Sequence[Section]
) -> list[FormRow]:
    shown = [name for name, field in fields.items() if not field.is_of_the_turn and not field.internal]
    first = [name for name in shown if name in _FIRST] if sections else shown
    rows = [row for name in first for row in _field_rows(fields[name], plain, sheet)]
    for title, names in in_sections(sections, [name for name in shown if name not in first]):
        rows.append(FormRow((f"[{title}]",), title, "section", fields[names[0]], fields[names[0]].type))
        for at, name in enumerate(names):
            found = list(_field_rows(fields[name], plain, sheet))
            # A table or list that is alone in its section, or has its name, needs no second heading.
            named = at == 0 and fields[name].label.casefold() == title.casefold()
            rows += found[1:] if (len(names) == 1 or named) and found[0].role == "head" else found
    return rows


def _field_rows(field: Field, plain: Mapping[str, Any], sheet: Any) -> Iterator[FormRow]:
    """Yield the rows of a field of the sheet; `plain` holds what was written down of it."""
    inside, given = getattr(sheet, field.name, None), field.name in plain
    now = plain[field.name] if given else plain_of(inside)
    yield from _rows_inside((field.name,), field.label, field, field.type, now, inside, given)


def _rows_inside(
    path: ValuePath, label: str, field: Field, type: FieldType, plain: Any, value: Any, given: bool
) -> Iterator[FormRow]:
    """Yield the rows of one value; a nested value is walked through its type."""
    match type:
        case TableOf(item, names):
            yield FormRow(path, label, "head", field, type)
            table = plain or {}
            for key in names or tuple(table):
                inner = table.get(key)
                yield from _rows_inside((*path, key), clean(key, 40), field, item, inner, inner, key in table)
            if not names:
                lacking = next((name for name in field.suggested if name not in table), "name")
                yield FormRow((*path, ""), "add", "add", field, type, example=lacking)
        case Entries(of):
            yield FormRow(path, label, "head", field, type)
            for at, entry in enumerate(value or ()):
                yield FormRow((*path, at), clean(str(entry.name), 40), "field", field, EntryLine(of), entry)
            yield FormRow((*path, ""), "add", "add", field, type)
        case _:
            yield FormRow(path, label, "field", field, type, plain, given)


def in_sentences(rows: Iterable[FormRow], cells: int, *, is_below: bool) -> Iterator[FormRow]:
    """Yield the rows with the meaning of each field as a sentence in place of its name.

    A blank row is above each further section. A sentence that is longer than `cells` cells continues in rows
    of its own. `is_below`: all of it is below the value.
    """
    for at, row in enumerate(rows):
        if row.role != "field":
            if at and row.role == "section":
                yield evolve(row, label="")
            yield row
            continue
        help = row.field.help
        first, *more = [""] * is_below + wrapped(help[:1].upper() + help[1:], cells, "")
        yield evolve(row, label=first)
        yield from (evolve(row, role="rest", label=line) for line in more)


def changed(plain: Mapping[str, Any], row: FormRow, word: str) -> dict[str, Any]:
    """Return the data with the text typed in a row; an empty text leaves the field out. Raises Wrong."""
    found = deepcopy(dict(plain))
    if row.role == "add":
        return _with_new(found, row, word)
    if not word:
        if isinstance(row.type, EntryLine):
            raise Wrong("", f"expected {row.type.expected}; Delete removes it")
        return without(found, row.path)
    # The position of the error already shows the field, so its path would only take room.
    try:
        value = plain_of(_read(row.type, word, plain))
        if naming := row.field.naming:
            value = naming.check(value, [plain.get(naming.field, ())], "")
    except Wrong as wrong:
        raise wrong.at("") from None
    _holder(found, row.path)[row.path[-1]] = value
    return found


def without(plain: Mapping[str, Any], path: ValuePath) -> dict[str, Any]:
    """Return the data without a field, a name of a table, or an entry of a list."""
    found = deepcopy(dict(plain))
    holder = _holder(found, path)
    if isinstance(holder, list):
        del holder[int(path[-1])]
    else:
        holder.pop(path[-1], None)
    if len(path) > 1 and not holder:
        found.pop(str(path[0]), None)
    return found


def _holder(plain: dict[str, Any], path: ValuePath) -> Any:
    """Return the table or list that holds the last step of a path, created if necessary."""
    inner: Any = plain
    for step in path[:-1]:
        inner = inner[step] if isinstance(step, int) else inner.setdefault(step, {})
    return inner


def _with_new(plain: dict[str, Any], row: FormRow, word: str) -> dict[str, Any]:
    name = str(row.path[0])
    first, _, rest = word.strip().partition(" ")
    if rest and same_word(first, singular(row.field)):
        # The row already says what is added: `weapon axe 20` is the axe.
        word = rest
    match row.type:
        case TableOf(item, _):
            typed, _, number = word.replace(":", " ").replace("=", " ").strip().rpartition(" ")
            key = typed.strip().strip('"')
            if not key:
                raise Wrong("", f"expected {row.expected_new}")
            if not typed.startswith('"'):
                _check_new_name(key, (*row.field.suggested, *plain.get(name, ())))
            if key in plain.get(name, {}):
                raise Wrong("", f"{clean(key, 40)} is in the list already; edit its row")
            plain.setdefault(name, {})[key] = item.typed(number, "")
        case Entries(of):
            plain.setdefault(name, []).append(plain_of(_read(EntryLine(of), word, plain)))
    return plain


def _check_new_name(key: str, known: Sequence[str]) -> None:
    """Raise Wrong for a new name that is nearly a known one; quotes would force it."""
    if not find_word(key, known) and (near := nearest(key, known, NEAR)):
        says = f"{shown(key)} is not known here; did you mean {near}? To add a new one, put it in quotes"
        raise Wrong("", says, code="unknown_name", suggestion=near, word=key)


def _read(type: FieldType, word: str, plain: Mapping[str, Any]) -> Any:
    """Return the text typed in a row as a value, with names spelled as on this sheet. Raises Wrong."""
    value = type.typed(word, "")
    return with_known_names(value, lambda name: plain.get(name, ())) if isinstance(value, Entry) else value


def cycled(row: FormRow, by: int) -> str | None:
    """Return the next value of a flag, choice or number as it would be typed; None for other types."""
    match row.type:
        case Flag():
            return "no" if row.value else "yes"
        case Choice(values):
            at = values.index(row.value) if row.value in values else -1 if by > 0 else 0
            return values[(at + by) % len(values)]
        case Whole(low, high) if type(row.value) is int:
            return str(max(low, min(high, row.value + by)))
        case _:
            return None


def row_at(rows: Sequence[FormRow], path: ValuePath) -> int | None:
    """Return the index of the row of a path."""
    return next((at for at, row in enumerate(rows) if row.path == path), None)


def row_of_error(rows: Sequence[FormRow], field: str) -> int | None:
    """Return the index of the row that an error's path, such as `weapons[1].damage`, is about."""
    wanted = [part for part in field.replace("[", ".").replace("]", "").split(".") if part]
    for length in range(len(wanted), 0, -1):
        path = tuple(int(step) if step.isdecimal() else step for step in wanted[:length])
        if (at := row_at(rows, path)) is not None:
            return at
    return None


def named_field(name: str, fields: Iterable[str]) -> str:
    """Return the field that a typed name means. Raises Wrong with the known fields."""
    fields = list(fields)
    found = find_word(name, fields)
    if found is None:
        raise unknown("", f"there is no field {clean(name, 40)}", name, fields)
    return found
