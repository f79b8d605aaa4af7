"""Area attacks of any game: thrown once, resisted in the table's way of rolling."""

from fractions import Fraction

import pytest

from systems.requests import odds
from tests.systems.fight import Fight

from .play import GAME, play

BREATH = {"name": "breath", "damage": "2d6", "resist": "agility", "difficulty": 12, "counter": "breath"}
DRAGON = {"weapons": [{"name": "bite"}, BREATH], "counters": [{"name": "breath", "full": 1}]}


def failed(target, house=None, **options):
    """The chance that the target does not resist."""
    request = {"action": "area", "actor": DRAGON, "target": target, "options": options, "house": house or {}}
    return odds(GAME, request)["facts"]["failed"].get("true", 0)


def test_the_damage_is_rolled_once_and_a_resisting_target_takes_half_less_its_armour():
    fight = Fight("simple", "add okado", "add guard x2", "start")
    fight.do("set okado weapons.breath 2d6")
    for field, value in (("resist", "agility"), ("difficulty", "12"), ("counter", "arrows")):
        fight.do(f"set okado weapons.breath.{field} {value}")
    event = fight.do("area guard-1,guard-2 by okado dice=12,6,5,11")
    assert event.text == (
        "Okado's breath: 1 of 2 resist, 11 damage. "
        "Guard 1 resists and takes 4 (hp 9 → 5). 12 against 12. "
        "Guard 2 does not resist and takes 10 (hp 9 → 0), dead. 11 against 12."
    )
    arrows = fight.sheet("okado").counters[0]
    assert (arrows.now, arrows.full) == (11, 12)


@pytest.mark.parametrize(
    ("house", "agility", "chance"),
    [
        ({}, 3, Fraction(8, 20)),
        ({"ties_succeed": False}, 3, Fraction(9, 20)),
        ({"roll": "under"}, 62, Fraction(50, 100)),
        ({"roll": "bands"}, 12, Fraction(15, 36)),
        ({"roll": "pool"}, 12, 1 - Fraction(1, 3) ** 12),
    ],
)
def test_a_caught_target_resists_as_the_house_rolls(house, agility, chance):
    assert failed({"skills": {"agility": agility}}, house) == pytest.approx(float(chance))


def test_options_override_the_values_of_the_weapon():
    assert failed({"skills": {"luck": 5}}, skill="luck", difficulty=6) == 0
    assert failed({"skills": {"luck": 5}}, skill="luck", difficulty=10, modifier=2) == pytest.approx(0.1)
    assert failed({}, weapon="bite") == 1


@pytest.mark.parametrize(("left", "damage"), [("half", 3), ("nothing", 0), ("all", 7)])
def test_a_resisting_target_takes_the_stated_part(left, damage):
    dice = [19] if left == "nothing" else [19, 3, 4]
    answer = play("area", dice, actor=DRAGON, target={}, options={"left": left})
    assert (answer["facts"]["failed"], answer["facts"]["damage"]) == (False, damage)
    assert answer["actor"]["counters"][0]["now"] == 0


def test_without_breath_or_strength_there_is_none():
    empty = {**DRAGON, "counters": [{"name": "breath", "full": 1, "now": 0}]}
    assert play("area", actor=empty, target={})["facts"] == {"refused": "counter"}
    assert play("area", actor={**DRAGON, "stunned": True}, target={})["facts"] == {"refused": "status"}
