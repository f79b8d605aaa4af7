"""Change one figure of a sheet: its path completes, its range is told."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from systems.encounter.model import Combatant
from systems.errors import Wrong
from systems.schema.fields import Entries, fields_of
from systems.schema.types import Choice, FieldType, Flag, TableOf
from systems.schema.values import as_words
from systems.text import plain_word
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.services import Services

Figure = tuple[str, FieldType, Any, str]


def figures_of(sheet: Any) -> Iterator[Figure]:
    """Every figure that can be set: path, kind, present value, help. Tables and entries are opened."""
    for name, field in fields_of(type(sheet)).items():
        value = getattr(sheet, name)
        match field.type:
            case TableOf(item, names):
                for each in dict.fromkeys((*names, *value)):
                    yield f"{name}.{each}", item, value.get(each), field.help
            case Entries(of):
                for entry in value:
                    for inner, about in fields_of(of).items():
                        if inner != "name":
                            path = f"{name}.{plain_word(str(entry.name))}.{inner}"
                            yield path, about.type, getattr(entry, inner), about.help
            case kind:
                yield name, kind, value, field.help


class EditPrompt(LinePrompt):
    """`e`: a figure of the one under the cursor, and its new value."""

    label = "set"

    def __init__(self, services: Services, one: Combatant) -> None:
        super().__init__(services)
        self.one = one
        found = {path: (kind, value, help) for path, kind, value, help in figures_of(one.sheet)}
        # What the table shows of everybody is what is changed by hand most often.
        first = self._shown_first(found)
        self.figures = {**{path: found[path] for path in first}, **found}

    def _shown_first(self, found: Mapping[str, object]) -> list[str]:
        meters = self.source.game.meters
        return [path for meter in meters for path in (meter.now, meter.full) if path in found]

    def title(self) -> str:
        return f"{self.one.name}: a figure and its new value, such as {next(iter(self.figures), 'hp')} 7"

    def _path(self, typed: str) -> str:
        """The figure that is spelled, begun or contained, in this order; "" for none."""
        plain = plain_word(typed)
        if plain in self.figures:
            return plain
        begins = [path for path in self.figures if plain_word(path).startswith(plain)]
        ends = [path for path in self.figures if path.rpartition(".")[2].startswith(plain)]
        return next(iter((*begins, *ends, *(path for path in self.figures if plain in path))), "")

    def suggest(self) -> Sequence[Suggestion]:
        typed, space, value = self.line.text.lstrip().partition(" ")
        if space:
            path = self._path(typed)
            kind = self.figures[path][0] if path else None
            words = (
                kind.values if isinstance(kind, Choice) else ("yes", "no") if isinstance(kind, Flag) else ()
            )
            return [Suggestion(word) for word in words if word.startswith(value)]
        plain = plain_word(typed)
        first = [path for path in self.figures if plain_word(path).startswith(plain)]
        inner = [path for path in self.figures if path.rpartition(".")[2].startswith(plain)]
        others = [path for path in self.figures if plain in path]
        return [
            Suggestion(path, f"{path} {as_words(self.figures[path][1])}", self.figures[path][2])
            for path in dict.fromkeys((*first, *inner, *others))
        ]

    def complete(self, one: Suggestion) -> None:
        typed, space, _ = self.line.text.lstrip().partition(" ")
        self.line.set(f"{self._path(typed)} {one.text}" if space else f"{one.text} ")

    def read(self) -> Reading:
        typed, _, value = self.line.text.strip().partition(" ")
        if not typed:
            return Reading(says="field, value")
        path = self._path(typed)
        if not path:
            return Reading(wrong=f"{self.one.name} has no figure {typed}")
        kind, now, _help = self.figures[path]
        if not value:
            return Reading(says=f"{path} is {as_words(now)}: {kind.expected}")
        try:
            kind.typed(value.strip(), path)
        except Wrong as error:
            return Reading(wrong=str(error))
        return Reading(
            f"set {self.one.id} {path} {value.strip()}", f"{path}: {as_words(now)} → {value.strip()}"
        )
