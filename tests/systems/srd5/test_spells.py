"""The table of spells, and a spell as an entry of its caster."""

import pytest

from systems.language.sheet_labels import known_names
from systems.language.sheet_lines import read_sheet_line
from systems.sheets import read_sheet
from systems.srd5.spells import SPELLS, cast_by
from tui.campaign.campaign import loaded_game
from tui.campaign.tables import read_table

SRD = loaded_game("srd5")


def typed(line):
    found = read_sheet_line(SRD, line, known_names(SRD, []))
    assert not found.wrong
    return read_sheet(SRD, found.fields, "")


def test_all_116_spells_can_be_read_and_cast():
    entries, problems = read_table(SRD, SPELLS)
    assert (len(entries), problems) == (116, [])
    for spell in entries.values():
        for level in range(spell.level, 10):
            name, entry = cast_by(spell, 4, 3, level)
            read_sheet(SRD, {name: [{"name": spell.name, **entry}]}, "")


@pytest.mark.parametrize(
    ("level", "damage"), [(0, ["8d6 fire"]), (3, ["8d6 fire"]), (5, ["10d6 fire"]), (9, ["14d6 fire"])]
)
def test_a_higher_slot_adds_damage(level, damage):
    name, entry = cast_by(SPELLS.entries["fireball"], 4, 3, level)
    assert (name, entry["damage"], entry["dc"], entry["slot"]) == ("powers", damage, 15, max(3, level))


def test_the_modifier_of_the_caster_is_added_to_healing():
    assert cast_by(SPELLS.entries["cure_wounds"], 4, 2, 2)[1]["healing"] == "4d8+4"


def test_a_spell_with_an_attack_roll_is_an_attack():
    name, entry = cast_by(SPELLS.entries["scorching_ray"], 4, 3)
    assert (name, entry["to_hit"], entry["kind"], entry["range"]) == ("attacks", 7, "ranged", 120)


def test_a_spell_named_in_a_line_has_the_number_of_its_caster():
    ro = typed("Ro wizard 5, int 18, fireball, web, scorching ray, dagger +5 1d4+2 piercing")
    assert [(power.name, power.dc, power.slot) for power in ro.powers] == [
        ("Fireball", 15, 3),
        ("Web", 15, 2),
    ]
    assert {attack.name: attack.to_hit for attack in ro.attacks} == {"dagger": 5, "Scorching Ray": 7}
    assert typed("Elin cleric 5, wis 16, healing word slot 2").powers[0].healing == "4d4+3"
