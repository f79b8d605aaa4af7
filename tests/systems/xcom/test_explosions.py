"""Grenades, explosions and gas: one roll for all, and a Defense check for each target."""

from fractions import Fraction

import pytest

from systems.commands.preview import preview
from systems.encounter.completion import option_words
from systems.errors import Refused, Wrong
from systems.schema.entry_lines import entry_line, read_entry
from systems.schema.fields import fields_of
from systems.xcom.sheet import Weapon
from tests.systems.fight import Fight

from .asking import RANGER, ask, chances, facts

FRAG = {"name": "frag", "damage_base": 3, "damage_range": 4, "area": "explosion"}
FUMES = {"name": "fumes", "damage_base": 2, "damage_range": 0, "area": "gas"}
BOMBER = {**RANGER, "weapons": [*RANGER["weapons"], FRAG, FUMES]}


def test_resisting_an_explosion_halves_it_and_armor_leaves_one():
    target = {"defense": 5, "armor": 2, "health": 8}
    caught = facts("explosion", BOMBER, target, dice=[56, 7])
    assert (caught["needed"], caught["failed"], caught["damage"]) == (55, True, 3 + 3 - 2)
    assert facts("explosion", BOMBER, target, dice=[55, 7])["damage"] == 1
    assert ask("explosion", BOMBER, target, dice=[55, 7])["target"]["health"] == 7
    assert facts("explosion", BOMBER, {**target, "armor": 9}, dice=[100, 12])["damage"] == 1


def steps(target, *dice):
    fight = Fight("xcom", "add okado", "add guard", "start")
    fight.do('set okado weapons.frag "3+4, area explosion"')
    for field, value in target.items():
        fight.do(f"set guard {field} {value}")
    event = fight.do(f"explosion guard dice={','.join(map(str, dice))} by okado")
    (result,) = event.results
    return [(step.label, step.value, step.note) for step in result.steps]


def test_the_explanation_of_an_explosion_is_complete():
    assert steps({"defense": 5, "armor": 2}, 55, 7) == [
        ("defense", "5", ""),
        ("base", "50", ""),
        ("resists at", "55", "or less"),
        ("damage rolled", "6", ""),
        ("damage", "1", "6 / 2 − 2"),
    ]
    assert steps({"armor": 9}, 51, 7)[-1] == ("damage", "1", "6 − 9, at least 1")
    assert steps({}, 51, 7)[-1] == ("damage", "6", "")


def test_resisting_gas_prevents_it_and_armor_does_not_help():
    target = {"armor": 9, "health": 8}
    assert facts("gas", BOMBER, target, dice=[51])["damage"] == 2
    answer = ask("gas", BOMBER, target, dice=[50])
    assert (answer["facts"]["damage"], answer["target"]["health"]) == (0, 8)


def test_a_grenade_is_a_final_action_and_a_barrel_costs_none():
    assert ask("explosion", BOMBER, {}, dice=[1, 1])["actor"]["actions_left"] == 0
    assert ask("explosion", BOMBER, {}, dice=[1, 1], thrown=False)["actor"]["actions_left"] == 2
    assert facts("explosion", {**BOMBER, "actions_left": 0}, {}, dice=[])["refused"] == "actions"
    assert facts("explosion", {**BOMBER, "health": 0}, {}, dice=[])["refused"] == "status"


def test_damage_may_be_given_and_is_needed_without_a_grenade():
    assert facts("explosion", RANGER, {}, dice=[100, 6, 5], damage="2d6", thrown=False)["damage"] == 11
    assert facts("explosion", RANGER, {}, dice=[40], damage="7", difficulty=-10)["needed"] == 40
    assert facts("gas", RANGER, {}, dice=[])["refused"] == "grenade"
    with pytest.raises(Wrong, match='there is no "brick"'):
        ask("gas", RANGER, {}, weapon="brick")


def test_the_damage_has_the_distribution_of_a_weapon():
    found = chances("explosion", BOMBER, {"defense": 10, "max_health": 20})
    assert found["failed"] == {"true": 0.4, "false": 0.6}
    assert found["damage"] == pytest.approx({"4": 0.1, "5": 0.1, "6": 0.1, "7": 0.1, "2": 0.3, "3": 0.3})


def thrown():
    fight = Fight("xcom", "add okado", "add guard x3", "start")
    fight.do('set okado weapons.frag "3+4, area explosion"')
    return fight


def test_one_roll_is_for_all_with_a_heading_and_the_fallen_named():
    fight = thrown()
    fight.do("set guard-2 health 2")
    event = fight.do("explosion guard-1,guard-2,guard-3 dice=90,12,91,10 by okado")
    assert event.text.startswith("Okado's explosion: 1 of 3 resist, 7 damage. Guard 1 does not resist and")
    assert "Guard 2 does not resist and takes 7 (health 2 → −5), down. 91 against 50." in event.text
    # Several deaths are one question.
    assert event.text.count("dead or bleeding out, as the game master decides") == 1
    assert "Guard 1 and Guard 2 are down: dead or bleeding out" in event.text
    assert fight.sheet("okado").actions_left == 0
    fight.do("undo")
    assert [fight.sheet(f"guard-{number}").health for number in (1, 2, 3)][1] == 2
    fight.do("set okado actions_left 0")
    with pytest.raises(Refused, match="no action left"):
        fight.do("explosion guard-1 by okado")


def test_each_target_shows_its_odds_before_the_throw():
    fight = thrown()
    action = fight.game.action("explosion")
    found = preview(fight.encounter, action, "okado", "guard-1", action.options())
    assert (found.works, found.against, found.needed) == (Fraction(1, 2), 50, "50 or less")


def test_overwatch_does_not_throw_grenades():
    fight = Fight("xcom", "add okado", "add guard", "start")
    for weapon in ("rifle", "pistol", "sword"):
        if any(held.name == weapon for held in fight.sheet("okado").weapons):
            fight.do(f"set okado weapons.{weapon}.area explosion")
    with pytest.raises(Refused, match="no weapon that shoots"):
        fight.do("overwatch by okado")


def test_only_grenades_are_offered_to_be_thrown():
    fight = Fight("xcom", "add okado", "add guard", "start", "set okado weapons.bomb 3")
    fight.do("set okado weapons.bomb.area explosion")
    field = fields_of(fight.game.action("explosion").options)["weapon"]
    assert option_words(fight.sheet("okado"), field) == ("bomb",)


HALF = {"defense": 5, "cover": "half"}


@pytest.mark.parametrize(
    ("action", "house", "needed", "step"),
    [
        ("explosion", {}, 55, ("cover", "0")),
        ("explosion", {"cover_against_blasts": True}, 75, ("cover", "20")),
        ("gas", {"cover_against_blasts": True}, 55, None),
    ],
)
def test_cover_helps_against_a_blast_only_by_house_rule(action, house, needed, step):
    assert (
        facts(action, BOMBER, HALF, dice=[99, 7][: 1 if action == "gas" else 2], house=house)["needed"]
        == needed
    )
    fight = Fight("xcom", "add okado", "add guard", "start", **house)
    for name, line in (("frag", "3+4, area explosion"), ("fumes", "2, area gas")):
        fight.do(f'set okado weapons.{name} "{line}"')
    fight.do("set guard cover half")
    (result,) = fight.do(f"{action} guard dice={'99' if action == 'gas' else '99,7'} by okado").results
    told = [(each.label, each.value) for each in result.steps if each.label == "cover"]
    assert told == ([step] if step else [])


def test_a_throw_uses_up_a_counted_grenade_until_none_is_left():
    one = {**BOMBER, "weapons": [RANGER["weapons"][0], {**FRAG, "count": 1}]}
    thrown = ask("explosion", one, {}, dice=[1, 1])["actor"]
    assert thrown["weapons"][1]["count"] == 0
    again = {**thrown, "actions_left": 2}
    assert ask("explosion", again, {}, dice=[])["facts"] == {"refused": "ammo"}
    # A trap or a barrel is no throw, and an uncounted grenade is never used up.
    assert ask("explosion", one, {}, dice=[1, 1], thrown=False)["actor"]["weapons"][1]["count"] == 1
    assert "count" not in ask("explosion", BOMBER, {}, dice=[1, 1])["actor"]["weapons"][2]


def test_several_targets_cost_one_grenade():
    fight = Fight("xcom", "add okado", "add guard x3", "start")
    fight.do('set okado weapons.frag "3+4, area explosion, count 2"')
    fight.do("explosion foes dice=1,1,1,1 by okado")
    assert fight.sheet("okado").weapons[-1].count == 1


def test_of_several_grenades_the_first_that_is_left_is_thrown():
    two = {**BOMBER, "weapons": [{**FRAG, "count": 0}, {**FRAG, "name": "plasma", "damage_base": 6}]}
    assert facts("explosion", two, {}, dice=[99, 1])["damage"] == 7


def test_ammunition_that_is_counted_is_spent_by_each_attack():
    armed = {**RANGER, "weapons": [{**RANGER["weapons"][0], "count": 1}]}
    shot = ask("attack", armed, {}, dice=[99])["actor"]
    assert (shot["weapons"][0]["count"], shot["actions_left"]) == (0, 0)
    assert facts("attack", shot, {}, dice=[], reaction=True) == {"refused": "ammo"}
    empty = {**armed, "weapons": [{**armed["weapons"][0], "count": 0}]}
    assert facts("overwatch", empty)["refused"] == "weapon"


def test_a_grenade_is_never_aimed():
    """Check the default weapon and a named one: a grenade is thrown instead (R33)."""
    grenadier = {**BOMBER, "weapons": [FRAG, *RANGER["weapons"]]}
    assert facts("attack", grenadier, {}, dice=[1, 12])["raw"] == 2 + 3  # of the rifle
    assert facts("attack", grenadier, {}, dice=[], weapon="frag") == {"refused": "area"}
    assert facts("attack", {**BOMBER, "weapons": [FRAG]}, {}, dice=[]) == {"refused": "area"}


@pytest.mark.parametrize("line", ["attack 2 weapon=frag", "attack 2 weapon=fra", "attack 2,3 frag"])
def test_a_grenade_picked_for_an_attack_becomes_the_explosion(line):
    fight = Fight("xcom", "add okado", "add guard x2", "start")
    fight.do('set okado weapons.frag "3+4, area explosion"')
    event = fight.do(f"{line.replace('2', 'guard-1').replace('3', 'guard-2')} by okado")
    assert (event.action, event.options) == ("explosion", {"weapon": "frag"})
    assert fight.sheet("okado").actions_left == 0


@pytest.mark.parametrize(
    ("typed", "area", "count", "written"),
    [
        ("frag 3+3 explosion x1", "explosion", 1, "frag 3+3, area explosion, x1"),
        ("frag 3+3, area explosion, x2", "explosion", 2, "frag 3+3, area explosion, x2"),
        ("fumes 2 gas x3", "gas", 3, "fumes 2, area gas, x3"),
        ("rifle 2+3 x4", "none", 4, "rifle 2+3, x4"),
        ("rifle 2+3, count 4", "none", 4, "rifle 2+3, x4"),
        ("rifle 2+3", "none", None, "rifle 2+3"),
    ],
)
def test_a_count_of_grenades_or_rounds_follows_an_x(typed, area, count, written):
    weapon = read_entry(Weapon, typed)
    assert (weapon.area, weapon.count, entry_line(weapon)) == (area, count, written)


@pytest.mark.parametrize("typed", ["frag 3+3 x100", "frag 3+3 x1 x2", "frag 3+3 x", "frag 3+3 xx"])
def test_an_invalid_count_is_refused(typed):
    with pytest.raises(Wrong):
        read_entry(Weapon, typed)
