"""Characters typed as one line: a class gives hit dice, saves, proficiency and spell slots."""

import pytest

from systems import load
from systems.language.sheet_labels import known_names
from systems.language.sheet_lines import read_sheet_line
from systems.sheets import read_sheet

SRD = load("srd5")


def typed(line):
    found = read_sheet_line(SRD, line, known_names(SRD, []))
    assert not found.wrong
    return read_sheet(SRD, found.fields, "")


def test_a_fighter_is_one_line():
    mira = typed("Mira fighter 5, ac 18, hp 44, con 14, longsword +7 1d8+4, second wind 1/short rest")
    assert (mira.level, mira.ac, mira.max_hp, mira.proficiency) == (5, 18, 44, 3)
    assert mira.saves == {"strength": 3, "constitution": 5}
    assert (mira.hit_dice[0].die, mira.hit_dice[0].total) == ("d10", 5)
    assert mira.attacks[0].damage == ("1d8+4 slashing",)
    [wind] = mira.powers
    assert (wind.name, wind.uses_per_day, wind.back_after) == ("second wind", 1, "short_rest")
    assert not mira.dies_at_zero


@pytest.mark.parametrize(
    ("line", "slots"),
    [
        ("wizard 1", [2]),
        ("cleric 5", [4, 3, 2]),
        ("sorcerer 20", [4, 3, 3, 3, 3, 2, 2, 1, 1]),
        ("paladin 5", [4, 2]),
        ("fighter 20", []),
        ("warlock 3", [2]),
        ("warlock 17", [4]),
        ("wizard 3, cleric 2", [4, 3, 2]),
    ],
)
def test_a_class_gives_its_spell_slots(line, slots):
    assert [each.total for each in typed(f"Elin {line}").spell_slots] == slots


def test_the_slots_of_a_warlock_come_back_after_a_short_rest():
    [pact] = typed("Zed warlock 5").spell_slots
    assert (pact.level, pact.back_after) == (3, "short_rest")


def test_spells_are_typed_with_their_save_or_their_healing():
    sheet = typed("Ro wizard 5, fireball dc 15 dex 8d6 fire half slot 3, mending heals 2d4+4 slot 1")
    ball, mending = sheet.powers
    assert (ball.save, ball.dc, ball.damage, ball.half, ball.slot) == (
        "dexterity",
        15,
        ("8d6 fire",),
        True,
        3,
    )
    assert (mending.healing, mending.slot) == ("2d4+4", 1)


def test_hit_points_without_a_number_are_the_average_of_the_class():
    assert typed("Ro wizard 1").max_hp == 6
    assert typed("Mira fighter 5, con 14").max_hp == 44
