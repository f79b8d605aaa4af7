"""The sheet of SRD 5.2: its worked-out field, its texts, and its lines."""

import pytest

from systems import load
from systems.errors import Wrong
from systems.schema.entry_lines import entry_line, read_entry
from systems.sheets import read_sheet, write_sheet
from systems.srd5.sheet import Attack, DamageWords

SRD = load("srd5")


def test_initiative_follows_dexterity_unless_it_is_given():
    assert read_sheet(SRD, {"dexterity": 17}, "").initiative == 3
    assert read_sheet(SRD, {"dexterity": 17, "initiative": 0}, "").initiative == 0
    assert write_sheet(SRD, read_sheet(SRD, {}, ""), SRD.house())["initiative"] == 0


@pytest.mark.parametrize(
    ("fields", "speed", "why"),
    [
        ({"hp": 1, "max_hp": 40}, 30, ()),
        ({"conditions": ["poisoned", "grappled"]}, 0, ("grappled",)),
        ({"exhaustion": 2, "speed": {"walk": 25}}, 15, ("exhaustion",)),
        ({"hp": 0, "max_hp": 40, "dies_at_zero": True}, 0, ("dead",)),
    ],
)
def test_the_walking_speed_is_explained_only_by_what_lowers_it(fields, speed, why):
    sheet = read_sheet(SRD, fields, "")
    [walk] = [each for each in SRD.figures(sheet, SRD.house()) if each.label == "walking speed"]
    reasons = (walk.note, *(term.label for term in walk.terms if term.value < 0))
    assert (walk.value, tuple(filter(None, reasons))) == (speed, why)


@pytest.mark.parametrize(
    "words", ["2d6+3 slashing", "1 piercing", "2d8+1d4-1 fire", "99d20 acid", "007 cold", "1d4+999 force"]
)
def test_a_damage_text_is_an_amount_a_blank_and_a_type(words):
    assert DamageWords().check(words) == words


@pytest.mark.parametrize(
    "words",
    [
        *("2d6", "2d6  fire", "2d6 fire ", "2d7 fire", "0d6 fire", "2d6+3+1 fire", "d6 fire", "1000 cold"),
        *("2d6+1000 fire", "2d6 Fire", "2d6 ice", "-1 fire", "3+2d6 fire", "", "2d6 fire\n"),
    ],
)
def test_anything_else_in_a_damage_text_is_an_error(words):
    with pytest.raises(Wrong):
        DamageWords().check(words)


def test_a_damage_type_that_does_not_exist_gets_a_suggestion():
    with pytest.raises(Wrong, match="did you mean slashing"):
        DamageWords().check("2d6 slashng")


@pytest.mark.parametrize(
    "line",
    [
        "longsword +7 1d8+4 slashing",
        "bite +5 1d6+3 piercing 2d6 fire, save constitution, save dc 12, save damage 3d6 poison, save half",
        "claws −1",
    ],
)
def test_an_attack_is_one_line_with_its_bonus_and_its_damage(line):
    assert entry_line(read_entry(Attack, line)) == line


def test_damage_typed_without_a_type_is_slashing():
    assert read_entry(Attack, "longsword +7 1d8+4").damage == ("1d8+4 slashing",)
