"""What games declare in words is written in one way, for it stands beside what the screens write."""

import re

import pytest

from systems import load, names
from systems.schema.fields import fields_of

_HYPHEN_FOR_MINUS = re.compile(r"(?<![\w.])-\d")


_RULE_ID = re.compile(r"\b(?:[A-Z]{3}-[A-Z]?|R)[0-9]+\b")


def _told(name: str) -> list[tuple[str, str]]:
    game = load(name)
    told = [(condition.name, condition.help) for condition in game.conditions]
    told += [(action.name, action.help) for action in game.actions]
    for declared in (game.sheet, type(game.house()), *(action.options for action in game.actions)):
        told += [(field.name, field.help) for field in fields_of(declared).values()]
    return told


@pytest.mark.parametrize("name", names())
def test_screens_show_no_rule_ids_of_a_game(name: str) -> None:
    assert [where for where in _told(name) if _RULE_ID.search(where[1])] == []


@pytest.mark.parametrize("name", names())
def test_a_number_below_zero_has_the_minus_of_the_screens(name: str) -> None:
    assert [where for where in _told(name) if _HYPHEN_FOR_MINUS.search(where[1])] == []
