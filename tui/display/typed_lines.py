"""Read typed lines for roster sheets, and show what each becomes as rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from systems.contract.ruleset import Ruleset
from systems.errors import Wrong
from systems.language.readings import ReadingKind, SheetLine, begun_with, sentences
from systems.language.sheet_labels import known_names, words_to_come
from systems.language.sheet_lines import read_sheet_line
from systems.schema.conversion import plain_of, read
from systems.schema.entry_lines import entry_line
from systems.schema.fields import Entries, fields_of
from systems.schema.types import TableOf
from systems.sheets import read_sheet
from tui.campaign.entries import RosterEntry
from tui.display.form import FormRow
from tui.display.text import Row, cut, wrapped

_NAME = "Sera"  # name in the example


class SheetLines:
    """Reads the lines of new roster entries. `entries`: existing entries, whose words are known too."""

    def __init__(self, game: Ruleset, house: Any, entries: Iterable[RosterEntry] = ()) -> None:
        self._game, self._entries = game, tuple(entries)
        templates = self._templates = game.templates(house)
        self._template = templates.player or templates.creature
        fields = fields_of(self._game.sheet)
        tables = [name for name, field in fields.items() if isinstance(field.type, TableOf)]
        sheets: list[dict[str, Any]] = [dict(templates.player), dict(templates.creature)]
        sheets += [{name: plain_of(getattr(entry.sheet, name)) for name in tables} for entry in self._entries]
        self._known = known_names(self._game, sheets)

    def read(self, line: str, template: Mapping[str, Any] | None = None) -> SheetLine:
        """Return the meaning of a line: its parts, its mistakes, and the template's defaults.

        The default template is that of a player's character.
        """
        found = read_sheet_line(self._game, line, self._known)
        templates = self._templates
        begun = begun_with(self._game, found, templates.player if template is None else template, templates)
        if found.wrong:
            return begun
        try:
            read_sheet(self._game, {**begun.fields, "name": found.name}, "")
        except Wrong as wrong:
            return begun.refused(str(wrong))
        return begun

    def words_to_come(self, text: str) -> Sequence[str]:
        """Return completions of the last word of typed lines."""
        return words_to_come(self._game, text, self._known)

    def suggested(self, row: FormRow, plain: Mapping[str, Any]) -> Sequence[str]:
        """Return suggestions for a new row of a sheet, as they are typed: table names or list lines.

        They come from the game and the other roster entries, without those already on the sheet.
        """
        name = str(row.path[0])
        if not isinstance(row.field.type, Entries):
            there = {key.casefold() for key in plain.get(name, ())}
            names = (key for key, table in self._known.items() if table == name)
            return [key for key in names if key.casefold() not in there]
        there = {str(entry.get("name", "")).casefold() for entry in plain.get(name, ())}
        templates = (self._templates.player, self._templates.creature)
        made = [getattr(read(self._game.sheet, template), name) for template in templates]
        held = [entry for entries in made for entry in entries]
        held += [entry for other in self._entries for entry in getattr(other.sheet, name)]
        lines = (entry_line(entry) for entry in held if str(entry.name).casefold() not in there)
        return list(dict.fromkeys(lines))

    @property
    def example(self) -> str:
        """Return an example line for this game: `Sera melee 45 life 50`."""
        figures = next((value for value in self._template.values() if isinstance(value, Mapping)), {})
        words = [f"{name} {number}" for name, number in list(figures.items())[:1]]
        fields = fields_of(self._game.sheet)
        for meter in self._game.meters[:1]:
            full = self._template.get(meter.full)
            words += [f"{fields[meter.now].label} {full}"] if full else []
        numbers = ((name, value) for name, value in self._template.items() if type(value) is int)
        words = words or [f"{fields[name].label} {number}" for name, number in islice(numbers, 2)]
        return " ".join([_NAME, *words])


_SIGNS: dict[ReadingKind, tuple[str, str, str]] = {
    "error": (" ! ", "danger strong", "danger"),
    "near": (" ? ", "warning strong", "warning"),
    "given": ("   ", "", ""),
    "default": ("   ", "", "muted"),
}


def sign_of(line: SheetLine) -> tuple[str, str]:
    """Return the sign before a line in a list, with its tone: whether it has a mistake or a near miss."""
    kinds = {part.kind for part in line.parts}
    worst: ReadingKind = "error" if "error" in kinds else "near" if "near" in kinds else "given"
    return _SIGNS[worst][:2]


def reading_rows(line: SheetLine, width: int, height: int) -> list[Row]:
    """Return a row for each part of a line, mistakes first; join the given parts if there is no room."""
    said: list[tuple[ReadingKind, str]] = [("given", line.name)] if line.name else []
    said += sentences(line.parts)
    rows = [row for kind, words in said for row in _rows(kind, words, width)]
    if len(rows) <= height:
        return rows
    mistakes = [(kind, words) for kind, words in said if kind in ("error", "near")]
    given = " · ".join(words for kind, words in said if kind == "given")
    defaults = [(kind, words) for kind, words in said if kind == "default"]
    joined: list[tuple[ReadingKind, str]] = [*mistakes, ("given", given), *defaults]
    rows = [row for kind, words in joined for row in _rows(kind, words, width)]
    if len(rows) > height:
        rows = [*rows[: height - 1], [(cut("   …", width), "muted")]]
    return rows


def _rows(kind: ReadingKind, words: str, width: int) -> Iterator[Row]:
    sign, mark, tone = _SIGNS[kind]
    for number, part in enumerate(wrapped(words, max(10, width - len(sign) - 1), "")):
        yield [(sign if number == 0 else "   ", mark if number == 0 else ""), (part, tone)]


def reading_lines(lines: Sequence[SheetLine]) -> Iterator[str]:
    """Yield what typed lines become as plain text, for the command line."""
    for line in lines:
        for row in reading_rows(line, 100, 999):
            yield "".join(text for text, _ in row).rstrip()
