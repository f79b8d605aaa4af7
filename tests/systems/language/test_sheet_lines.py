"""A sheet typed as one line."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems import load
from systems.errors import Wrong
from systems.language.sheet_lines import SheetLine, known_names, lines_of, read_sheet_line, with_figures
from systems.sheets import read_sheet
from tests.systems.fight import GAMES

ATLANTIS = load("atlantis")


def read(line: str, game: str = "atlantis") -> SheetLine:
    ruleset = load(game)
    templates = ruleset.templates(ruleset.house())
    return read_sheet_line(ruleset, line, known_names(ruleset, [templates.player, templates.creature]))


@pytest.mark.parametrize(
    ("line", "name", "fields"),
    [
        ("Sera melee 45 life 50", "Sera", {"abilities": {"melee": 45}, "max_life": 50}),
        ("Old Bram", "Old Bram", {}),
        ("Guard 2 melee 45", "Guard 2", {"abilities": {"melee": 45}}),
        ('"Old guard 2" life 40', "Old guard 2", {"max_life": 40}),
        ("Sera, MELEE=45, stealth: 30", "Sera", {"abilities": {"melee": 45, "stealth": 30}}),
        ("Sera life 30/50 body 12", "Sera", {"life": 30, "max_life": 50, "traits": {"body": 12}}),
        ("Sera not dies at zero, size big", "Sera", {"dies_at_zero": False, "size": "big"}),
        ("Sera notes owes the abbot, life 40", "Sera", {"notes": "owes the abbot", "max_life": 40}),
        (
            "Sera life 40, sword 15 melee, range 40 m, weapons oar 5",
            "Sera",
            {
                "max_life": 40,
                "weapons": [
                    {"name": "sword", "damage": 15, "ability": "melee", "max_range": 40},
                    {"name": "oar", "damage": 5},
                ],
            },
        ),
    ],
)
def test_a_line_is_a_name_and_figures_by_their_labels(line, name, fields):
    found = read(line)
    assert (found.name, found.fields) == (name, fields)


def test_what_only_a_comma_would_make_an_entry_is_told_with_the_comma():
    with pytest.raises(Wrong, match='with a comma it is: "firebolt 1d8, mystic 8"'):
        read("Vex hp 20, firebolt 1d8 mystic 8", "waygate")


@pytest.mark.parametrize("typed", ['"Shield Bash",Cleave', '"Shield Bash,Cleave"', '"Shield Bash","Cleave"'])
def test_parts_of_a_list_stand_in_quotes_each_or_together(typed):
    assert read(f"Vex practiced {typed} hearts 3", "atomic_d20").fields["practiced"] == [
        "Shield Bash",
        "Cleave",
    ]


def test_behind_a_comma_a_name_and_its_damage_is_a_weapon_and_before_one_an_ability():
    found = read(
        "Raider juggling 20 life 40, axe 20, short bow 15 missile ranged, range 90, dagger 10, dodge 20"
    ).fields
    assert found["abilities"] == {"juggling": 20, "dodge": 20}
    assert [(weapon["name"], weapon["damage"]) for weapon in found["weapons"]] == [
        ("axe", 20),
        ("short bow", 15),
        ("dagger", 10),
    ]


def test_side_and_party_may_stand_in_it():
    found = read("Sera side players, party The Lanterns, life 30")
    assert (found.side, found.party, found.fields) == ("players", "The Lanterns", {"max_life": 30})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("Sera mele 45", '"mele" is not known here; did you mean melee?'),
        ("Sera lief 50 melee 3", "did you mean life?"),
        ("Sera melee high", 'melee: expected a whole number from 0 to 100, got "high"'),
        ("Sera melee", "melee: expected a whole number"),
        ("Sera size enormous", "size: expected one of tiny"),
        ("Sera, foo bar", "weapons: damage: expected a whole number"),
        ("Sera 'x\" melee 3", "a quote is never closed"),
        (" , ", "begins with a name"),
    ],
)
def test_what_cannot_be_understood_is_named(line, says):
    with pytest.raises(Wrong) as wrong:
        read(line)
    assert says in str(wrong.value)


def test_each_game_reads_its_own_words():
    assert read("Vex str 2 hp 13, long sword 2d6, athletics str 1", "waygate").fields == {
        "str": 2,
        "max_hp": 13,
        "weapons": [{"name": "long sword", "damage": "2d6"}],
        "skills": [{"name": "athletics", "attribute": "str", "training": 1}],
    }
    assert read("Robin hp 6, bow 3,1,0", "arden").fields["weapons"] == [{"name": "bow", "bands": [3, 1, 0]}]


def test_a_number_that_follows_another_by_way_of_a_third_is_given_to_the_first_of_them():
    assert read("Robin ap 4", "arden").fields == {"max_ap": 4}
    assert read("Robin ap 2/4", "arden").fields == {"ap": 2, "max_ap": 4}


def test_a_template_keeps_what_the_line_does_not_say():
    template = {"abilities": {"melee": 35, "dodge": 15}, "max_life": 40, "weapons": [{"name": "spear"}]}
    line = {"abilities": {"melee": 45}, "weapons": [{"name": "axe"}]}
    assert with_figures(template, line) == {
        "abilities": {"melee": 45, "dodge": 15},
        "max_life": 40,
        "weapons": [{"name": "axe"}],
    }


def test_sheets_stand_on_lines_or_between_semicolons():
    assert lines_of('Sera life 3\r\n\n  Bram; "O;a" life 2 ;') == ["Sera life 3", "Bram", '"O;a" life 2']


@given(line=st.text(st.sampled_from('Sera melee life 45,=:;"/\\ weapons sword not'), max_size=60))
@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_typed_is_a_sheet_or_one_sentence(game, line):
    for each in lines_of(line):
        with suppress(Wrong):
            found = read(each, game)
            read_sheet(load(game), {**found.fields, "name": found.name}, "")
