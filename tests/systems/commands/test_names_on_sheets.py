"""A name of something on a sheet: spelled as there, and a slip is not taken for something else."""

import pytest

from systems.errors import Refused, Wrong
from tests.systems.fight import Entry, Fight, load, read

OKADO = {
    "abilities": {"melee": 53, "dodge": 30, "athletics": 20},
    "traits": {"body": 12, "mind": 9},
    "weapons": [{"name": "sword", "damage": 15}],
}
ILSA = {"abilities": {"attack": 3, "music": 2}, "weapons": [{"name": "sword", "bands": [3, 1, 0]}]}


def fight(game: str, okado: object) -> Fight:
    found = Fight(load(game))
    sheet = read(load(game).sheet, okado)
    found.roster = {"okado": Entry("Okado", "players", sheet), "guard": Entry("Guard", "foes", sheet)}
    for line in ("add okado", "add guard", "start"):
        found.do(line)
    return found


def test_a_weapon_is_not_wielded_by_an_ability_that_is_a_slip():
    here = fight("atlantis", OKADO)
    with pytest.raises(Wrong, match="did you mean melee") as error:
        here.do("set okado weapons.sword.ability meleemelee")
    assert (error.value.code, error.value.suggestion) == ("unknown_name", "melee")
    here.do("set okado weapons.sword.ability Athletics")
    assert here.sheet("okado").weapons[0].ability == "athletics"
    here.do("set okado weapons.sword.ability missile")


def test_an_untrained_check_asks_for_the_trait_that_stands_in():
    here = fight("atlantis", OKADO)
    event = here.do("check ability=stealth threshold=25 by okado dice=10")
    assert "22 against 25" in event.text
    assert [answer.value for answer in event.answers] == ["body"]
    given = here.do("check ability=stealth threshold=25 trait=mind by okado dice=10")
    assert "19 against 25" in given.text


def test_a_check_with_a_slip_of_an_ability_is_refused_and_nothing_is_rolled():
    here = fight("atlantis", OKADO)
    with pytest.raises(Wrong, match="did you mean athletics"):
        here.do("check ability=athletix threshold=25 by okado")


def test_arden_knows_its_own_abilities_and_those_of_the_sheet():
    here = fight("arden", ILSA)
    with pytest.raises(Wrong, match="there is no"):
        here.do("check ability=xyzzy dc=10 by okado dice=10")
    for ability in ("music", "Charm", "attack"):
        assert here.do(f"check ability={ability} dc=10 encounter=no by okado dice=10").text


def test_an_opposed_check_of_arden_needs_an_opponent():
    here = fight("arden", ILSA)
    with pytest.raises(Refused, match="defence depends on the target"):
        here.do("check ability=attack defence=agility by okado dice=10")
    assert here.do("check guard ability=attack defence=agility by okado dice=10").text


GUNNER = {
    "int": 3,
    "weapons": [
        {
            "name": "rifle",
            "damage": "2d6",
            "kind": "ranged",
            "modes": ["single", "burst"],
            "burst": 3,
            "clip": 9,
        }
    ],
}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("attack guard m=b by okado", {"mode": "burst"}),
        ("attack guard mo=2 by okado", {"modifier": 2}),
        ("opposed guard a=int ta=wp by okado", {"attribute": "int", "target_attribute": "wp"}),
    ],
)
def test_of_options_that_begin_alike_the_one_that_can_have_the_value_is_meant(typed, meant):
    assert fight("waygate", GUNNER).do(typed).options == meant


@pytest.mark.parametrize("typed", ["m=far", "m="])
def test_a_value_that_none_of_them_can_have_is_refused_with_their_names(typed):
    with pytest.raises(Wrong, match='"m" could be mode or modifier'):
        fight("waygate", GUNNER).do(f"attack guard {typed} by okado")


def test_a_missing_name_is_asked_for_with_those_on_the_sheet():
    with pytest.raises(Wrong, match=r"check needs ability: attack, music, .* or willpower"):
        fight("arden", ILSA).do("check dc=13 by okado")


# The words of typed lines


def test_set_takes_the_words_of_a_typed_line():
    fight = Fight("atlantis", "add okado")
    fight.do("set okado ability stealth 4")
    fight.do("set okado weapon fire axe 20 melee")
    fight.do("set okado life 20/30")
    fight.do("set okado no armour")
    sheet = fight.sheet("okado")
    assert sheet.abilities["stealth"] == 4
    assert [weapon.name for weapon in sheet.weapons] == ["sword", "fire axe"]
    assert (sheet.life, sheet.max_life, sheet.max_armour_pool, sheet.armour_pool) == (20, 30, 0, 0)


@pytest.mark.parametrize(
    ("line", "suggestion"),
    [
        ("set okado weapons.swrod 20", "sword"),
        ("set okado abilities.stelth 3", "stealth"),
        ("set okado ability stelth 3", "ability stealth 3"),
        ("set okado size smll", "small"),
    ],
)
def test_set_refuses_a_near_miss_of_a_known_word_with_the_suggestion(line, suggestion):
    fight = Fight("atlantis", "add okado")
    with pytest.raises(Wrong) as wrong:
        fight.do(line)
    assert wrong.value.suggestion == suggestion


def test_quotes_make_a_new_entry_of_a_near_miss():
    fight = Fight("atlantis", "add okado")
    fight.do('set okado weapons."swrod" 20')
    fight.do('set okado abilities."stelth" 3')
    sheet = fight.sheet("okado")
    assert [weapon.name for weapon in sheet.weapons] == ["sword", "swrod"]
    assert sheet.abilities["stelth"] == 3
    fight.do("undo")
    assert "stelth" not in fight.sheet("okado").abilities


def test_an_action_that_needs_what_no_line_of_the_sheet_has_is_refused_by_name():
    here = Fight("simple")
    here.roster = {"ada": Entry("Ada", "players", here.game.sheet())}
    for line in ("add ada", "start"):
        here.do(line)
    with pytest.raises(Wrong) as wrong:
        here.do("spend 3 by ada")
    assert str(wrong.value) == "Ada has no counter"


def test_a_missing_name_is_asked_for_with_those_on_the_sheet_in_one_plain_sentence():
    here = Fight("simple", "add okado", "add guard", "start")
    with pytest.raises(Wrong) as wrong:
        here.do("spend by okado")
    assert str(wrong.value) == "spend needs counter: arrows or hurry"


def test_an_action_that_needs_an_entry_which_the_sheet_lacks_is_refused_by_its_name():
    fight = Fight("simple", "add guard", "start")
    with pytest.raises(Wrong, match="Guard has no effect"):
        fight.do("effect")
