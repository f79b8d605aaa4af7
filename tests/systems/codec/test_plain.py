"""Values become plain data of JSON and come back unchanged, and other data is refused."""

import json
from collections.abc import Mapping
from fractions import Fraction

import pytest

from systems.codec.plain import BadPlainData, from_plain, to_plain
from systems.frozen import frozen


@frozen
class Numbers:
    share: float = 0.0
    chance: Fraction = Fraction(0)
    many: Mapping[int, int] = {}


def test_numbers_of_all_kinds_come_back_from_json_unchanged() -> None:
    value = Numbers(0.1, Fraction(1, 3), {4: 2, 17: 1})
    assert from_plain(Numbers, json.loads(json.dumps(to_plain(value)))) == value


@pytest.mark.parametrize(
    "given",
    [
        {"share": "0.1"},
        {"share": True},
        {"chance": 0.5},
        {"chance": "1/0"},
        {"chance": "x"},
        {"many": {"a": 1}},
    ],
)
def test_data_of_another_kind_is_refused(given: object) -> None:
    with pytest.raises(BadPlainData):
        from_plain(Numbers, given)


@frozen
class Holder:
    numbers: Numbers
    name: str = ""


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"numbers": {"share": "secret"}}, "numbers.share should be a number"),
        ({"name": 3, "numbers": {}}, "name should be text"),
        ({"name": "secret"}, "numbers is missing"),
        ({"numbers": {}, "secret": 1}, "the data has an unknown field"),
    ],
)
def test_the_error_names_the_field_and_repeats_nothing_of_the_data(given: object, says: str) -> None:
    with pytest.raises(BadPlainData) as raised:
        from_plain(Holder, given)
    assert str(raised.value) == says
