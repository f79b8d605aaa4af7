"""Write and read an entry of a sheet as one line, such as `sword 15 melee, range 40 m`.

The name comes first, then the fields that the class of the entry names in LINE. Each other field that differs
from its default follows after a comma, with its label. A part of LINE may be two fields in one word:
`damage+bonus` is written `1d6+2`, and `now/full` is `3/5`, or `5` if `now` follows `full`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from systems.errors import Wrong, unknown
from systems.frozen import frozen
from systems.schema.conversion import plain_of
from systems.schema.fields import Entry, Field, Record, fields_of
from systems.schema.types import Choice, Flag, ListOf, NestedType, SpacedList, TableOf, Text, Whole
from systems.schema.values import as_typed
from systems.text import NEAR, json, matches, nearest, plain_number, same_word, shown

# Compiled when a line is read, because the first screen reads none.
_TOKEN = r'\s+|(?P<comma>,)(?=\s|$)|(?P<word>(?:[^\s",]|,(?!\s|$)|"(?:[^"\\]|\\.)*")+)|(?P<open>")'
_SUM = r'("(?:[^"\\]|\\.)*"|[^"]+?)([+\N{MINUS SIGN}-][0-9]+)'
_NUMBER = r"[+\N{MINUS SIGN}-]?[0-9]+"
_MINUS = "\N{MINUS SIGN}"
_NOT = ("not", "no")
_MOST_NAME_WORDS = 12  # of a name without quotes
BEGINNING = 3  # letters that abbreviate a known word, if no other begins with them
_COUNTED = r"[xX×]([0-9]+)"
_SIGNED = r"[+\N{MINUS SIGN}-][0-9]+"


@frozen
class EntryLine:
    """The type of a whole entry that is typed as one line.

    `name`: the entry's name if it is not part of the line; else the line begins with it.
    """

    of: type
    name: str = ""

    @property
    def expected(self) -> str:
        """Return how a line is written: `name damage ability, range … m, firearm`."""
        fields = fields_of(self.of)
        parts = [_pair(part) for part in _class(self.of).LINE]
        words = ["name"] if not self.name else []
        words += [sign.join(fields[name].label for name in names) for names, sign in parts]
        bare = {"name", *(name for names, _ in parts for name in names)}
        rest = [
            "x…" if name == _class(self.of).COUNTED else _labelled(field, "…")
            for name, field in fields.items()
            if name not in bare
        ]
        return ", ".join(part for part in (" ".join(words), *rest) if part)

    def check(self, value: object, path: str = "") -> Any:
        return Record(self.of).check(value, path)

    def typed(self, word: str, path: str = "") -> Any:
        return read_entry(self.of, word, path, self.name)


def _class(of: type) -> type[Entry]:
    assert issubclass(of, Entry)
    return of


def _pair(part: str) -> tuple[tuple[str, ...], str]:
    """Return the fields of one part of LINE, and the sign between them, "" for a single field."""
    sign = next((sign for sign in "+/" if sign in part), "")
    return (tuple(part.split(sign)) if sign else (part,)), sign


def line_mistake(of: type) -> str:
    """Return what is wrong with the LINE of a class of entries in a few words, or ""."""
    fields, seen = fields_of(of), {"name"}
    for part in getattr(of, "LINE", ()):
        for name in _pair(part)[0]:
            if name not in fields or name in seen:
                return f"LINE has {shown(name)}, which is {'there already' if name in seen else 'no field'}"
            if isinstance(fields[name].type, Flag):
                return f"LINE has {name}; a flag is written as its label"
            seen.add(name)
    for sign in ("SIGNED", "COUNTED"):
        name = getattr(of, sign, "")
        if name and not (name in fields and isinstance(fields[name].type, Whole)):
            return f"{sign} has {shown(name)}, which is not a field for a whole number"
    return ""


# Writing


def entry_line(entry: Entry) -> str:
    """Return an entry as typed. Reading it gives the same values."""
    return _written(entry, named=True)


def entry_values(entry: Entry) -> str:
    """Return an entry as `entry_line` does, without its name. Cards show it again after each event."""
    try:
        return _remembered_values(entry, entry.given)
    except TypeError:  # an entry with a table has no hash
        return _written(entry, named=False)


@lru_cache(maxsize=1024)
def _remembered_values(entry: Entry, given: frozenset[str]) -> str:
    # Equal entries are written differently if other fields of theirs were given.
    return _written(entry, named=False)


def _written(entry: Entry, named: bool) -> str:
    found = _line(entry, named, careful=False)
    try:
        name = "" if named else str(entry.name)  # type: ignore[attr-defined]  # called for entries with names
        if read_entry(type(entry), found, "", name) == entry:
            return found
    except Wrong:
        pass
    return _line(entry, named, careful=True)


def _line(entry: Entry, named: bool, careful: bool) -> str:
    fields = fields_of(type(entry))
    written = {name: getattr(entry, name) for name, field in fields.items() if _is_written(entry, field)}
    name = written.pop("name", None)
    words = [_name_word(str(name), careful)] if named and name is not None else []
    if entry.SIGNED and fields[entry.SIGNED].needed:
        words.append(f"{written.pop(entry.SIGNED):+}".replace("-", _MINUS))
    for part in _bare_parts(entry, written):
        names, sign = _pair(part)
        words.append(_joined(entry, names, sign, written, careful))
        written = {name: value for name, value in written.items() if name not in names}
    rest = [
        f"x{written[name]}"
        if name == entry.COUNTED
        else _labelled(fields[name], _word(fields[name], written[name], careful), written[name])
        for name in written
    ]
    return ", ".join(part for part in (" ".join(words), *rest) if part)


def _is_written(entry: Entry, field: Field) -> bool:
    """Return whether a field has to be written."""
    value = getattr(entry, field.name)
    if field.needed or field.same_as:
        return field.needed or field.name in entry.given
    return bool(value != field.default)


def _bare_parts(entry: Entry, written: Mapping[str, Any]) -> Sequence[str]:
    """Return the parts of LINE to write: up to the last one that is needed, without a gap."""
    found: list[str] = []
    last = 0
    for part in entry.LINE:
        names, sign = _pair(part)
        must = names[-1] if sign == "/" else names[0]
        if getattr(entry, must) is None or (fields_of(type(entry))[must].same_as and must not in written):
            break
        found.append(part)
        if any(name in written or name in entry.given for name in names):
            last = len(found)
    return found[:last]


def _joined(entry: Entry, names: Sequence[str], sign: str, written: Mapping[str, Any], careful: bool) -> str:
    """Return the word of one part of LINE."""
    fields = fields_of(type(entry))
    words = [_word(fields[name], getattr(entry, name), careful) for name in names]
    if not sign:
        return words[0]
    first, second = words
    if sign == "/":
        return f"{first}/{second}" if names[0] in written else second
    if names[1] not in written:
        return first
    return f"{first}{second if getattr(entry, names[1]) < 0 else f'+{second}'}"


def _labelled(field: Field, word: str, value: object = True) -> str:
    if isinstance(field.type, Flag):
        return field.label if value else f"not {field.label}"
    return f"{field.label} {word}{f' {field.unit}' if field.unit else ''}"


def _word(field: Field, value: Any, careful: bool) -> str:
    """Return a value as one word of a line."""
    match value:
        case bool() | None:
            return as_typed(value)
        case int():
            return plain_number(value)
        case str():
            return _quoted(value) if careful or not _is_plain(value) else value
    if isinstance(field.type, SpacedList):
        return " ".join(value) if value else "[]"
    plain = plain_of(value)
    word = as_typed(plain)
    if not careful and _is_list_of_texts(field) and all(map(_is_spaced, value)):
        texts = ",".join(value)
        if value and field.type.typed(texts) == value:
            return texts
    try:
        if _is_plain(word) and field.type.typed(word) == value:
            return word
    except Wrong:
        pass
    return _escaped(json().dumps(plain, ensure_ascii=False, separators=(",", ":")))


def _name_word(name: str, careful: bool) -> str:
    first, *more = name.split(" ")
    if careful or not _is_plain(first) or not all(_goes_on_name(word) for word in more):
        return _quoted(name)
    return name


def _goes_on_name(word: str) -> bool:
    """Return whether an unquoted name can contain this word after its first word."""
    return _is_plain(word) and word[0].isalpha()


def _is_plain(word: str) -> bool:
    """Return whether a word needs no quotes."""
    return bool(word) and word.isprintable() and not re.search(r'[\s"\\]|^[\[{]|,$', word)


def _is_spaced(text: str) -> bool:
    """Return whether a text needs quotes only because of its spaces."""
    return text == " ".join(text.split()) and all(
        _is_plain(word) and "," not in word for word in text.split()
    )


def _quoted(text: str) -> str:
    return _escaped(json().dumps(text, ensure_ascii=False))


def _escaped(text: str) -> str:
    """Return JSON without unprintable characters, and with quotes only where a text begins and ends."""
    text = re.sub(r"\\(.)", lambda pair: "\\u0022" if pair[1] == '"' else pair[0], text)
    return "".join(part if part.isprintable() else json().dumps(part)[1:-1] for part in text)


# Reading


def read_entry(of: type, line: str, path: str = "", name: str = "") -> Any:
    """Read an entry from its line, which does not contain the name if `name` is given.

    Raises Wrong with the word.
    """
    first, *rest = pieces_of(line, path) or [[]]
    fields = fields_of(of)
    found: dict[str, Any] = {"name": name}
    if not name:
        found |= _named(of, first, path)
    elif first and _meant(fields, first) is None:
        found |= _bare(of, first, path)
    elif first:
        rest = [first, *rest]
    for piece in rest:
        if len(piece) == 1 and (alone := _said_alone(of, piece[0], found, path)):
            found |= alone
            continue
        field, value = _labelled_value(fields, piece, path)
        if field.name in found:
            raise Wrong(path, f"{field.label} is given twice")
        found[field.name] = value
    if not name and not first[0].startswith('"'):
        _check_name(of, first, found, path)
    for needed, field in fields.items():
        if field.needed and needed not in found:
            raise Wrong(path, f"{field.label} is needed: {field.type.expected}", code="needed")
    return Record(of).check({name: plain_of(value) for name, value in found.items()}, path)


def pieces_of(line: str, path: str = "") -> list[list[str]]:
    """Return the words of a line with their quotes, grouped by the commas between them."""
    pieces: list[list[str]] = [[]]
    for token in re.finditer(_TOKEN, line):
        if token["open"]:
            raise Wrong(path, "a quote is never closed")
        if token["comma"]:
            pieces.append([])
        elif token["word"]:
            pieces[-1].append(token["word"])
    first, *rest = pieces
    return [first, *(piece for piece in rest if piece)]


def unquoted(word: str, path: str = "") -> str:
    """Return a word without its quotes."""
    if not word.startswith('"'):
        return word
    try:
        found = json().loads(word)
    except ValueError:
        raise Wrong(path, f"{shown(word)} is not a text in quotes") from None
    return str(found)


class _Misfit(Exception):
    """The words after a name do not fit. `fitted`: how many did. `wrong`: the error of the next."""

    def __init__(self, fitted: int, wrong: Wrong) -> None:
        self.fitted, self.wrong = fitted, wrong
        super().__init__()


def _named(of: type, words: Sequence[str], path: str) -> dict[str, Any]:
    """Return the name, which may have several words, and the values after it."""
    if not words:
        raise Wrong(path, f"expected {EntryLine(of).expected}", code="needed")
    if words[0].startswith('"'):
        return {"name": unquoted(words[0], path), **_bare(of, words[1:], path)}
    misfits: list[_Misfit] = []
    for length in _name_lengths(words):
        try:
            return {"name": " ".join(words[:length]), **_fitting(of, words[length:], path)}
        except _Misfit as misfit:
            misfits.append(misfit)
    raise max(misfits, key=lambda misfit: misfit.fitted).wrong


def _name_lengths(words: Sequence[str]) -> Iterator[int]:
    yield 1
    for length in range(2, min(len(words), _MOST_NAME_WORDS) + 1):
        if not _goes_on_name(words[length - 1]):
            return
        yield length


def _check_name(of: type, words: Sequence[str], found: Mapping[str, Any], path: str) -> None:
    """Raise Wrong if an unquoted name ends in a part of a field, as in `bow perception 0 1 3`."""
    count = len(str(found["name"]).split(" "))
    for at in range(1, count):
        stray, behind = " ".join(words[at:count]), words[count:]
        for name, field in fields_of(of).items():
            if is_called_before(field, stray, behind) or (name not in found and _takes(field, stray)):
                says = f"{field.label}: {shown(stray)} is part of the name; expected {EntryLine(of).expected}"
                raise Wrong(path, f"{says}, or quotes around a name: {_quoted(str(found['name']))}")


def is_called_before(field: Field, stray: str, behind: Sequence[str]) -> bool:
    """Return whether a word is a flag, or the name of a field followed by a value of it."""
    if field.name == "name" or not (same_word(stray, field.label) or same_word(stray, field.name)):
        return False
    if isinstance(field.type, Flag) or not behind:
        return isinstance(field.type, Flag)
    try:
        _value(field, ",".join(behind[: _words_of_list(field, behind)]), "")
    except Wrong:
        return False
    return True


def _takes(field: Field, word: str) -> bool:
    """Return whether a word is a value that the field is known to take."""
    known = field.type.values if isinstance(field.type, Choice) else field.naming.also if field.naming else ()
    return any(same_word(word, value) for value in known)


def _bare(of: type, words: Sequence[str], path: str) -> dict[str, Any]:
    """Return the values without labels. Raises Wrong for the first word that does not fit."""
    try:
        return _fitting(of, words, path)
    except _Misfit as misfit:
        raise misfit.wrong from None


def _fitting(of: type, words: Sequence[str], path: str) -> dict[str, Any]:
    fields, found = fields_of(of), dict[str, Any]()
    left = list(words)
    signed = _class(of).SIGNED
    if signed and left and re.fullmatch(_SIGNED, left[0]) and (len(left) > 1 or fields[signed].needed):
        found[signed] = _value(fields[signed], left.pop(0), path)
    for part in _class(of).LINE:
        names, sign = _pair(part)
        if not left:
            if fields[names[0]].needed:
                says = f"{fields[names[0]].label} is needed: {fields[names[0]].type.expected}"
                raise _Misfit(0, Wrong(path, says, code="needed"))
            break
        count = _words_of_list(fields[names[0]], left)
        try:
            for name, word in _parted(names, sign, ",".join(left[:count])):
                found[name] = _value(fields[name], word, path)
        except Wrong as wrong:
            raise _Misfit(len(words) - len(left), wrong) from None
        del left[:count]
    while left and (stray := _said_alone(of, left[0], found, path)):
        found |= stray
        del left[0]
    if left:
        near = nearest(left[0], _words_alone(of, found), NEAR)
        hint = f"did you mean {near}?" if near else "other values follow a comma, with their names"
        says = f"{shown(left[0])} is one word too many; {hint}"
        raise _Misfit(len(words) - len(left), Wrong(path, says, suggestion=near, word=left[0]))
    return found


def _words_alone(of: type, found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words that give a field by themselves, without those of the fields in `found`."""
    for name, field in fields_of(of).items():
        if name not in found and isinstance(field.type, Flag) and " " not in field.label:
            yield field.label
        elif name not in found and isinstance(field.type, Choice):
            yield from field.type.values


def _said_alone(of: type, word: str, found: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Return the field that a word gives by itself.

    A flag is given by its label, a choice by one of its values, and a count by `x3`.
    """
    fields, counted = fields_of(of), _class(of).COUNTED
    if counted and counted not in found and (number := re.fullmatch(_COUNTED, word)):
        return {counted: _value(fields[counted], number[1], path)}
    said: dict[str, Any] = {}
    if not word.islower() or any(
        same_word(word, field.label) for field in fields.values() if not isinstance(field.type, Flag)
    ):
        return {}
    for name, field in fields.items():
        if name in found:
            continue
        if isinstance(field.type, Flag) and matches(word, [field.label], least=BEGINNING):
            said[name] = True
        elif isinstance(field.type, Choice) and len(values := _values(field.type, word)) == 1:
            said[name] = values[0]
    return said if len(said) == 1 else {}


def _values(type: Choice, word: str) -> tuple[str, ...]:
    """Return the values of a choice that a word means, in full or as an abbreviation."""
    return matches(word, type.values, least=BEGINNING)


def _words_of_list(field: Field, words: Sequence[str]) -> int:
    """Return the number of words in a value: 1, or more for a list of fixed length such as `3 1 0`."""
    if isinstance(field.type, SpacedList):
        return field.type.words_taken(words)
    if isinstance(field.type, ListOf) and isinstance(field.type.item, Whole):
        for length in field.type.lengths:
            if len(words) >= length and all(re.fullmatch(_NUMBER, word) for word in words[:length]):
                return max(length, 1)
    return 1


def _parted(names: Sequence[str], sign: str, word: str) -> Iterator[tuple[str, str]]:
    """Return the fields of a part of LINE with the text of each in its word."""
    if sign == "/":
        first, slash, second = word.partition("/")
        yield from zip(names, (first, second), strict=True) if slash else [(names[1], first)]
    elif sign and (both := re.fullmatch(_SUM, word)):
        yield from zip(names, both.groups(), strict=True)
    else:
        yield names[0], word


def _value(field: Field, word: str, path: str) -> Any:
    try:
        if word[:1] in "[{" and isinstance(field.type, NestedType) and '"' in word:
            return field.type.check(json().loads(word), "")
        return field.type.typed(unquoted(word, path), "")
    except (ValueError, RecursionError) as error:
        if not isinstance(error, Wrong):
            error = Wrong(path, f"expected {field.type.expected}, got {shown(word)}")
        raise error.saying(f"{field.label}: {error.message}", path) from None


def _meant(fields: Mapping[str, Field], words: Sequence[str]) -> tuple[Field, Sequence[str], bool] | None:
    """Return the field named by the first words, the words after it, and whether `not` precedes it.

    Return None if the words begin with no field. Only a flag can follow `not`.
    """
    if words[0].casefold() in _NOT and len(words) > 1:
        found = _meant(fields, words[1:])
        return (*found[:2], True) if found and isinstance(found[0].type, Flag) and not found[1] else None
    for length in range(len(words), 0, -1):
        typed = " ".join(words[:length])
        for name, field in fields.items():
            if name != "name" and (same_word(typed, field.label) or same_word(typed, name)):
                return field, words[length:], False
    begun = _begun(fields, words)
    return (begun, words[1:], False) if begun else None


def _begun(fields: Mapping[str, Field], words: Sequence[str]) -> Field | None:
    """Return the only field that the first word begins and that accepts the following words, or None."""
    if not words[0].islower() or not words[0].isalpha():
        return None
    labels = {name: field.label for name, field in fields.items() if name != "name"}
    found = matches(words[0], labels, labels, least=BEGINNING)
    taking = [fields[name] for name in found if _takes_words(fields[name], words[1:])]
    return taking[0] if len(taking) == 1 else None


def _takes_words(field: Field, words: Sequence[str]) -> bool:
    """Return whether these words, all that follow a label, form a value of the field."""
    try:
        _value_of(field, words, "")
    except Wrong:
        return False
    return True


def _labelled_value(fields: Mapping[str, Field], words: Sequence[str], path: str) -> tuple[Field, Any]:
    """Return the field of a part after a comma, and its value."""
    meant = _meant(fields, words)
    if meant is None:
        labels = [field.label for name, field in fields.items() if name != "name"]
        raise unknown(path, f"{shown(' '.join(words))} is not known here", words[0], labels, "unknown_field")
    field, rest, is_not = meant
    if isinstance(field.type, Flag) and not rest:
        return field, not is_not
    return field, _value_of(field, rest, path)


def _value_of(field: Field, words: Sequence[str], path: str) -> Any:
    """Return the value that the words after a label give. Raises Wrong."""
    if isinstance(field.type, Flag) and not words:
        return True
    rest = _without_unit(words, field.unit)
    if rest and (_words_of_list(field, rest) == len(rest) or _is_list_of_words(field)):
        rest = [",".join(rest)]
    if isinstance(field.type, TableOf) and all(":" in word for word in rest):
        rest = [",".join(rest)]  # several names with their values
    if len(rest) > 1 and not (isinstance(field.type, Text) or _is_list_of_texts(field)):
        colon = isinstance(field.type, TableOf) and len(rest) == 2
        hint = f"; write {rest[0]}:{rest[1]}" if colon else ""
        raise Wrong(path, f"{field.label}: {shown(rest[1])} is one word too many{hint}")
    if not rest:
        raise Wrong(path, f"{field.label}: expected {field.type.expected}", code="needed")
    return _value(field, " ".join(rest), path)


def _is_list_of_words(field: Field) -> bool:
    """Return whether a field is a list whose values have no spaces, such as `single burst auto`."""
    return isinstance(field.type, ListOf) and not field.type.holds_spaces


def _is_list_of_texts(field: Field) -> bool:
    """Return whether a field is a list whose values may have spaces, such as `claw,fire breath`."""
    return isinstance(field.type, ListOf) and field.type.holds_spaces


def _without_unit(words: Sequence[str], unit: str) -> Sequence[str]:
    """Return the words of a value such as `40 m` or `40m` without its unit."""
    if unit and len(words) == 2 and same_word(words[1], unit):
        return words[:1]
    if unit and len(words) == 1 and (short := words[0].removesuffix(unit)) and short[-1:].isdigit():
        return [short]
    return words
