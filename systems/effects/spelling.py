"""Words in effects that do not exist in a game: types of damage and of creatures, and misspelt conditions."""

import re
from collections.abc import Collection, Iterator
from typing import Any

from systems.contract.typed_damage import read_damage
from systems.effects.meaning import EffectMeaning
from systems.errors import Wrong, unknown
from systems.text import nearest, plain_word, shown

_CONDITIONS = ("condition", "worse", "ends", "releases")
_STATES = ("target_is", "target_is_not", "self_is", "self_is_not", "attacker_is")
_ROUND = re.compile(r"round_[0-9]+")
_ALIKE = 0.8  # how near a condition is to a known one to count as a misspelling; others are new conditions


def misspelt_words(meaning: EffectMeaning, sheet: Any) -> Iterator[Wrong]:
    """Yield an error for each word of a sheet's effects that the game does not know."""
    known = meaning.words(sheet)
    own = {name for line in sheet.effects for name in (line.condition, line.worse) if name}
    for at, line in enumerate(sheet.effects):
        path = f"effects[{at}]"
        yield from _types(line, path)
        for field in _CONDITIONS:
            if name := getattr(line, field):
                yield from _near(name, known, f"{path}.{field}")
        for place, name in enumerate(line.brings):
            yield from _near(name, known, f"{path}.brings[{place}]")
        for field in _STATES:
            for place, word in enumerate(getattr(line, field)):
                if not _ROUND.fullmatch(word):
                    name = word.removesuffix("_by_it").removeprefix("has_")
                    yield from _near(name, {*known, *own}, f"{path}.{field}[{place}]")


def _types(line: Any, path: str) -> Iterator[Wrong]:
    """Yield an error for each type of damage or of creatures that the game does not have."""
    vocabulary = line.VOCABULARY
    typed = (
        *((field, getattr(line, field), vocabulary.damage_types) for field in ("types", "stopped_by")),
        *(
            (field, [read_damage(text).type for text in getattr(line, field)], vocabulary.damage_types)
            for field in ("damage", "tick")
        ),
        *(
            (field, getattr(line, field), vocabulary.creature_types)
            for field in ("target_type", "target_type_not")
        ),
    )
    for field, words, known in typed:
        kind = "damage" if known is vocabulary.damage_types else "creature"
        for place, word in enumerate(words):
            if word and known and not _is_known(word, known):
                yield unknown(f"{path}.{field}[{place}]", f"{shown(word)} is no {kind} type", word, known)


def _near(name: str, known: Collection[str], path: str) -> Iterator[Wrong]:
    """Yield an error for a word that is almost one of the known ones."""
    if not _is_known(name, known) and (near := nearest(name, known, _ALIKE)):
        says = f"there is no condition or state {shown(name)}; did you mean {near}?"
        yield Wrong(path, says, code="unknown_name", suggestion=near, word=name)


def _is_known(word: str, known: Collection[str]) -> bool:
    return plain_word(word) in {plain_word(each) for each in known}
