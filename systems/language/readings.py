"""The reading of a typed sheet line as data: each part with its field and value, defaults and mistakes
included.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from systems.contract.ruleset import Ruleset
from systems.contract.sheet import Templates
from systems.errors import Wrong
from systems.frozen import evolve, frozen
from systems.schema.conversion import read
from systems.schema.entry_lines import entry_line
from systems.schema.fields import Entries, Entry, Field, fields_of
from systems.schema.types import Flag, TableOf
from systems.text import as_sentence, listed

ReadingKind = Literal["given", "default", "error", "near"]


@frozen
class LinePart:
    """One part of a typed line and its meaning.

    `text`: as typed, "" for a default. `path`: of the field, such as ("abilities", "melee"); () if it fits
    none. `value`: plain data. `says`: its meaning in words, or the reason why it has none. `suggestion`: for
    a misspelling, the text to type instead.
    """

    text: str
    path: tuple[str, ...]
    value: Any
    kind: ReadingKind
    says: str
    suggestion: str = ""


@frozen
class SheetLine:
    """A typed line as read: the name, the sheet's fields as plain data, and side and party, "" if absent.

    `parts`: the meaning of each part in the order typed, then the defaults.
    """

    text: str
    name: str
    fields: Mapping[str, Any]
    side: str = ""
    party: str = ""
    parts: tuple[LinePart, ...] = ()

    @property
    def says_more(self) -> bool:
        """Return whether the line gives more than a name."""
        return any(part.kind != "default" for part in self.parts)

    @property
    def wrong(self) -> str:
        """Return why the line is refused: the first mistake, else the first misspelling, else ""."""
        kinds: tuple[ReadingKind, ...] = ("error", "near")
        return next((part.says for kind in kinds for part in self.parts if part.kind == kind), "")

    @property
    def instead(self) -> str:
        """Return the line with each misspelling replaced by its suggestion, or "" if that does not make it
        valid.
        """
        if any(part.kind == "error" for part in self.parts):
            return ""
        line, at = "", 0
        for part in self.parts:
            if part.kind == "near":
                start = self.text.index(part.text, at)
                line += self.text[at:start] + part.suggestion
                at = start + len(part.text)
        return line + self.text[at:] if at else ""

    def refused(self, says: str) -> "SheetLine":
        """Return the line with a mistake that concerns the whole line."""
        return evolve(self, parts=(*self.parts, LinePart("", (), None, "error", says)))

    def checked(self) -> "SheetLine":
        """Return the line if all of it is understood. Raises Wrong for the first mistake."""
        if self.wrong:
            raise Wrong("", self.wrong)
        return self


def singular(field: Field) -> str:
    """Return the word for one entry of a list or table: `weapon`, `ability`."""
    label = field.label
    return f"{label[:-3]}y" if label.endswith("ies") else label.removesuffix("s")


def entry_words(field: Field, entry: Entry) -> str:
    """Return an entry in words, after the name of its list: `weapon: sword 15 melee`."""
    return f"{singular(field)}: {entry_line(entry)}"


def part_of_value(field: Field | None, path: tuple[str, ...], value: Any, text: str) -> LinePart:
    """Return the part of a line that gives a field this plain value."""
    return LinePart(text, path, value, "given", _words(field, path, value))


def _words(field: Field | None, path: tuple[str, ...], value: Any) -> str:
    """Return a field and its value in words: `max life 50`, `melee 45`, `not dead`, `no weapons`."""
    if field is None:
        return f"{path[0]} {value}"
    if len(path) > 1 and isinstance(field.type, TableOf):
        return f"{singular(field)}: {path[1]} {field.words(value)}"
    if value in ([], {}):
        return f"no {field.label}"
    if isinstance(field.type, Flag):
        return field.label if value else f"not {field.label}"
    if isinstance(value, Mapping):
        names = dict.fromkeys((field.name, *value))  # the present number, then its maximum
        return f"{field.label} {'/'.join(str(value[name]) for name in names if name in value)}"
    return f"{field.label} {field.words(value)}"


# Defaults


def with_line_fields(template: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a template with the fields of a line. Tables are merged name by name, other fields replaced."""
    found = {**template}
    for name, value in fields.items():
        both = isinstance(value, Mapping) and value and isinstance(found.get(name), Mapping)
        found[name] = {**found[name], **value} if both else value
    return found


def begun_with(
    game: Ruleset, line: SheetLine, template: Mapping[str, Any], templates: Templates
) -> SheetLine:
    """Return the line with the template's values for all absent fields, each as a part marked as default.

    A line that gives a weapon or a fighting ability gets none of the template's gear; see `Templates`.
    """
    left = _without_gear(game, template, line.fields, templates)
    parts = tuple(_default_parts(game, left, line.fields))
    return evolve(line, fields=with_line_fields(left, line.fields), parts=(*line.parts, *parts))


def _without_gear(
    game: Ruleset, template: Mapping[str, Any], given: Mapping[str, Any], templates: Templates
) -> Mapping[str, Any]:
    """Return the template without the gear that the line decides itself."""
    fields = fields_of(game.sheet)
    fights = any(_has(given, path) for path in templates.fighting)
    gear = (name for name in templates.gear if name in fields and isinstance(fields[name].type, Entries))
    if not fights and not any(given.get(name) for name in gear):
        return template
    dropped = (*templates.gear, *(templates.fighting if fights else ()))
    left: dict[str, Any] = {}
    for name, value in template.items():
        if name in dropped:
            continue
        inner = [path.partition(".")[2] for path in dropped if path.partition(".")[0] == name]
        left[name] = {key: part for key, part in value.items() if key not in inner} if inner else value
    return left


def _has(given: Mapping[str, Any], path: str) -> bool:
    """Return whether plain data has a value at a path such as `abilities.melee`."""
    name, _, key = path.partition(".")
    return key in given.get(name, ()) if key else name in given


def _default_parts(
    game: Ruleset, template: Mapping[str, Any], given: Mapping[str, Any]
) -> Iterator[LinePart]:
    made: Any = read(game.sheet, template)
    for name, value in template.items():
        field = fields_of(game.sheet)[name]
        if isinstance(value, Mapping):
            for key, inner in value.items():
                if key not in given.get(name, ()) and given.get(name) != {}:
                    yield _default(field, (name, key), inner)
        elif name in given:
            continue
        elif isinstance(field.type, Entries):
            for entry in getattr(made, name):
                words = entry_words(field, entry)
                yield LinePart("", (name, str(entry.name)), value, "default", words)
        else:
            yield _default(field, (name,), value)


def _default(field: Field, path: tuple[str, ...], value: Any) -> LinePart:
    return LinePart("", path, value, "default", _words(field, path, value))


def sentences(parts: Sequence[LinePart]) -> Iterator[tuple[ReadingKind, str]]:
    """Yield each part in words with its kind: mistakes, then given values, then all defaults as one."""
    for kind in ("error", "near"):
        for part in parts:
            if part.kind == kind:
                yield part.kind, as_sentence(part.says)
    for part in parts:
        if part.kind == "given":
            yield "given", part.says if part.text == part.says else f"{part.text} → {part.says}"
    if defaults := [part.says for part in parts if part.kind == "default"]:
        yield "default", f"default: {listed(defaults)}"
