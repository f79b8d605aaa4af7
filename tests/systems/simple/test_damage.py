"""Damage by any dice: kept, exploding, multiplied, doubled by a critical hit."""

from fractions import Fraction

import icepool
import pytest

from systems.errors import Wrong
from systems.requests import odds
from tests.systems.fight import Fight

from .play import GAME, play


def armed(damage, **more):
    return {"weapons": [{"name": "rod", "damage": damage, **more}], "attack": 20}


def damages(damage, house=None, armour=0, **more):
    """Damage -> probability of an attack that always hits and is never critical."""
    actor, target = armed(damage, **more), {"armour": armour}
    house = {"naturals": False, **(house or {})}
    request = {"action": "attack", "actor": actor, "target": target, "house": house}
    return odds(GAME, request)["facts"]["damage"]


def test_dice_that_are_kept_have_their_exact_odds():
    found = damages("4d6kh3", damage_bonus=1)
    best = icepool.d6.highest(4, 3) + 1
    assert found == pytest.approx({str(total): float(best.probability(total)) for total in best})


def test_dice_that_explode_do_and_armour_comes_off():
    assert damages("1d4!", armour=2)["0"] == pytest.approx(0.5)
    assert damages("1d4!", armour=2)["3"] == pytest.approx(float(Fraction(1, 16)))


@pytest.mark.parametrize(
    ("critical", "dice", "damage"),
    [
        ("double_dice", [20, 6, 5, 1, 2], 6 + 5 + 1 + 2 + 3),
        ("double_damage", [20, 6, 5], 2 * (6 + 5 + 3)),
        ("none", [20, 6, 5], 6 + 5 + 3),
    ],
)
def test_a_critical_hit_doubles_any_dice(critical, dice, damage):
    weapon = armed("2d6kh2", damage_bonus=3)
    answer = play("attack", dice, actor=weapon, target={}, house={"critical": critical})
    assert answer["facts"]["damage"] == damage


def test_a_blow_takes_no_hit_points_back_and_a_number_alone_is_damage():
    assert play("attack", [19, 1], actor=armed("1d4!", damage_bonus=-9), target={})["facts"]["damage"] == 0
    assert play("attack", [19], actor=armed("1"), target={})["facts"]["damage"] == 1


def test_an_area_takes_any_dice_as_well():
    actor = armed("2d4kh1", damage_bonus=2, resist="agility", difficulty=30)
    assert play("area", [5, 2, 4], actor=actor, target={"armour": 1})["facts"]["damage"] == 5


def test_a_weapon_line_accepts_such_dice_and_refuses_invalid_dice():
    fight = Fight("simple", "add okado", "add guard", "start", 'set okado weapons.rod "1d8!+2"')
    weapon = fight.sheet("okado").weapons[-1]
    assert (weapon.damage, weapon.damage_bonus) == ("1d8!", 2)
    with pytest.raises(Wrong, match="dice such as"):
        fight.do('set okado weapons.rod.damage "lots"')
