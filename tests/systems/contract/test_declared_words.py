"""What games declare in words is written in one way, for it stands beside what the screens write."""

import re

import pytest

from systems import load, names
from systems.schema.fields import fields_of

_HYPHEN_FOR_MINUS = re.compile(r"(?<![\w.])-\d")


@pytest.mark.parametrize("name", names())
def test_a_number_below_zero_has_the_minus_of_the_screens(name: str) -> None:
    game = load(name)
    told = [(condition.name, condition.help) for condition in game.conditions]
    told += [(action.name, action.help) for action in game.actions]
    for declared in (game.sheet, type(game.house()), *(action.options for action in game.actions)):
        told += [(field.name, field.help) for field in fields_of(declared).values()]
    assert [where for where in told if _HYPHEN_FOR_MINUS.search(where[1])] == []
