"""The field of a sheet that holds effects. The vocabulary is loaded when the first effect is read."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Unpack

from systems.effects.meaning import Vocabulary
from systems.errors import Wrong
from systems.frozen import frozen
from systems.schema.fields import Entries, FieldDetails, declare_field
from systems.schema.types import step_into
from systems.text import plain_word, shown

MOST_LINES = 99  # effects of one creature


@cache
def running() -> Any:
    """Load the vocabulary and the library that runs it."""
    from systems.effects import running

    return running


@frozen
class EffectLines(Entries):
    """A list of effects in the words that a game understands."""

    vocabulary: Vocabulary

    # The field of the base class is worked out here.
    @property  # type: ignore[misc]
    def of(self) -> Any:
        return running().line_class(self.vocabulary)

    def check(self, value: object, path: str = "") -> tuple[Any, ...]:
        if isinstance(value, list | tuple) and len(value) > MOST_LINES:
            raise Wrong(path, f"has {len(value)} effects, and {MOST_LINES} are the most")
        lines = super().check(value, path)
        names: set[str] = set()
        for at, line in enumerate(lines):
            if plain_word(line.name) in names:
                says = f"{shown(line.name)} is the name of an earlier effect; give each a name of its own"
                raise Wrong(step_into(step_into(path, at), "name"), says)
            names.add(plain_word(line.name))
        return lines


def read_effects(vocabulary: Vocabulary, *lines: Mapping[str, object]) -> Callable[[], tuple[Any, ...]]:
    """Return a function that reads effects of the game itself when they are first needed."""

    @cache
    def read() -> tuple[Any, ...]:
        return EffectLines(object, vocabulary).check(lines)

    return read


def effect_lines(vocabulary: Vocabulary, help: str = "", **details: Unpack[FieldDetails]) -> Any:
    """Declare a list of effects, one line each; see `systems/README.md`."""
    return declare_field(EffectLines(object, vocabulary), (), help, **details)
