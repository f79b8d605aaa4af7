"""A sheet typed as one line."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems import load
from systems.errors import Wrong
from systems.language.readings import SheetLine, begun_with, with_line_fields
from systems.language.sheet_labels import known_names
from systems.language.sheet_lines import read_sheet_line, read_sheet_parts
from systems.language.sheet_words import lines_of
from systems.sheets import read_sheet
from tests.systems.fight import GAMES

ATLANTIS = load("atlantis")


def reading(line: str, game: str = "atlantis") -> SheetLine:
    """Return the reading of a line, including mistakes."""
    ruleset = load(game)
    templates = ruleset.templates(ruleset.house())
    return read_sheet_line(ruleset, line, known_names(ruleset, [templates.player, templates.creature]))


def read(line: str, game: str = "atlantis") -> SheetLine:
    """Return the reading of a line. Raises Wrong if a part of it is not understood."""
    return reading(line, game).checked()


@pytest.mark.parametrize(
    ("line", "name", "fields"),
    [
        ("Sera melee 45 life 50", "Sera", {"abilities": {"melee": 45}, "max_life": 50}),
        ("Old Bram", "Old Bram", {}),
        ("Guard 2 melee 45", "Guard 2", {"abilities": {"melee": 45}}),
        ('"Old guard 2" life 40', "Old guard 2", {"max_life": 40}),
        ("Sera, MELEE=45, dodge: 30", "Sera", {"abilities": {"melee": 45, "dodge": 30}}),
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
def test_a_line_is_a_name_and_labelled_values(line, name, fields):
    found = read(line)
    assert (found.name, found.fields) == (name, fields)


@pytest.mark.parametrize(
    ("game", "line", "name", "fields"),
    [
        ("simple", "Mira hp24 longsword +5 1d8+3", "Mira", {"max_hp": 24}),
        ("simple", "Goblin HP7", "Goblin", {"max_hp": 7}),
        ("xcom", "Sectoid aim65, health7", "Sectoid", {"aim": 65, "max_health": 7}),
        ("atlantis", "Mira melee55 life30/50", "Mira", {"max_life": 50, "life": 30}),
        ("xcom", "Unit 7 aim 65, m4 3+2", "Unit 7", {"aim": 65}),
        ("simple", '"Old hp24" hp 3', "Old hp24", {"max_hp": 3}),
    ],
)
def test_a_label_and_its_number_may_be_typed_without_a_space(game, line, name, fields):
    found = read(line, game)
    assert found.name == name
    assert fields.items() <= found.fields.items()


def test_a_number_and_its_maximum_are_shown_once_each():
    assert [part.says for part in read("Mira life 30/50").parts] == ["life 30/50"]


@pytest.mark.parametrize(
    ("game", "line"), [("simple", "hp 24"), ("simple", "hp24 defence 13"), ("atlantis", "melee 45")]
)
def test_a_line_that_begins_with_a_field_lacks_a_name(game, line):
    assert reading(line, game).wrong == "a line begins with a name, such as Sera"


def test_a_field_of_an_entry_is_never_part_of_a_name():
    assert reading("Mira modes single burst auto", "waygate").wrong.startswith(
        '"modes single burst auto" fits nothing here'
    )
    assert read("Mira single", "waygate").name == "Mira single"


@pytest.mark.parametrize(
    "typed", ["rifle 2d6 ranged burst 3 clip 12", "rifle 2d6 ranged modes single burst auto"]
)
def test_an_entry_without_its_commas_is_offered_with_them(typed):
    found = reading(f"Mira str 3, {typed}", "waygate")
    assert found.wrong
    assert (
        found.instead
        == f"Mira str 3, {typed.replace(' burst 3 clip', ', burst 3, clip').replace(' modes', ', modes')}"
    )
    assert read(found.instead, "waygate").fields["weapons"][0]["name"] == "rifle"


def test_an_entry_may_begin_with_the_label_of_a_field():
    found = read("Mira magic 3, magic missile 2d6", "waygate")
    assert found.fields == {"magic": 3, "weapons": [{"name": "magic missile", "damage": "2d6"}]}
    assert reading("Mira magic four", "waygate").wrong.startswith("Magic: expected a whole number")


def test_words_that_need_a_comma_are_shown_with_the_comma():
    with pytest.raises(Wrong, match="did you mean firebolt 1d8, mystic 8"):
        read("Vex hp 20, firebolt 1d8 mystic 8", "waygate")


@pytest.mark.parametrize("typed", ['"Shield Bash",Cleave', '"Shield Bash,Cleave"', '"Shield Bash","Cleave"'])
def test_list_items_are_quoted_singly_or_together(typed):
    assert read(f"Vex practiced {typed} hearts 3", "atomic_d20").fields["practiced"] == [
        "Shield Bash",
        "Cleave",
    ]


def test_a_new_entry_is_written_in_full_or_after_the_name_of_its_list():
    found = read(
        "Raider ability juggling 20 life 40, weapon axe 20, short bow 15 missile ranged, range 90, dodge 20"
    ).fields
    assert found["abilities"] == {"juggling": 20, "dodge": 20}
    assert [(weapon["name"], weapon["damage"]) for weapon in found["weapons"]] == [
        ("axe", 20),
        ("short bow", 15),
    ]


@pytest.mark.parametrize(
    ("game", "line", "fields"),
    [
        ("simple", "Mira hp 24, longsword +5 1d8+3", ("max_hp", "weapons")),
        ("simple", "Mira att 5 def 4", ("attack", "defence")),
        ("simple", "Mira, att 5, def 4", ("attack", "defence")),
        ("simple", "Mira mana 3/3", ("counters",)),
        ("arden", "Mira att 5 def 4", ("abilities",)),
        ("arden", "Mira ability stealth 4", ("abilities",)),
        ("waygate", "Mira smg 2d6, modes single burst auto", ("weapons",)),
        ("waygate", "Mira, Fire axe 1d8 melee", ("weapons",)),
        ("waygate", 'Mira, "fire", spell fly', ("spells",)),
        ("xcom", "Mira aim 60, frag 3+3 explosion", ("aim", "weapons")),
        ("xcom", "Mira, frag 3+3, explosion", ("weapons",)),
        ("atomic_d20", "Mira hear 3, per 3", ("max_hearts", "perception")),
        ("atlantis", 'Mira "axe" 20', ("weapons",)),
        ("atlantis", "Mira no weapon, no armour", ("weapons", "max_armour_pool", "armour_per_attack")),
        ("waygate", "Mira no armor", ("armor",)),
    ],
)
def test_a_beginning_of_a_known_word_is_that_field_and_a_full_form_is_an_entry(game, line, fields):
    found = read(line, game)
    assert found.name == "Mira"
    assert sorted(found.fields) == sorted(fields)


@pytest.mark.parametrize(
    ("game", "line", "says"),
    [
        (
            "simple",
            "Mira hp 24, slots 3",
            "for a new entry type weapon slots 3, counter slots 3, skill slots 3 or save slots 3",
        ),
        ("atlantis", "Mira life 9, axe 20", "for a new entry type weapon axe 20 or ability axe 20"),
        ("waygate", "Mira hp 9, fire", "for a new entry type spell fire"),
        ("arden", "Mira stealth 4", "for a new entry type ability stealth 4"),
        ("xcom", "Mira att 5 def 4", '"att 5 def 4" fits nothing here'),
        ("simple", "Mira per 3", 'could be "perception" or "persuasion"'),
        ("simple", "Mira hp 3 hp 4", "max hp is given twice"),
        ("simple", "Mira effect Burst zero, near, damage 1x6", "damage: expected dice and a type"),
        ("simple", "Mira effect Burst zero, near, hp 9", "the line has no effect"),
    ],
)
def test_nothing_becomes_a_new_entry_in_any_other_way(game, line, says):
    found = reading(line, game)
    assert says.replace("max hp", "hp") in found.wrong.replace("max hp", "hp")
    assert found.instead == ""


@pytest.mark.parametrize(
    ("game", "line", "instead"),
    [
        ("atlantis", "Mira life 9, per attack 8", "Mira life 9, armour per attack 8"),
        ("atlantis", "Mira mlee 45 life 50", "Mira melee 45 life 50"),
        ("atlantis", "Mira size smll", "Mira size small"),
        ("atlantis", "Mira, axe 10 mlee", "Mira, axe 10 melee"),
        ("atlantis", "Mira ability mlee 4", "Mira ability melee 4"),
        (
            "simple",
            "Mira effect Burst zero, who evryone, damage 1d6",
            "Mira effect Burst zero, who everyone, damage 1d6",
        ),
        (
            "simple",
            "Mira effect Burst zero, whoo everyone, damage 1d6",
            "Mira effect Burst zero, who everyone, damage 1d6",
        ),
    ],
)
def test_a_misspelling_has_the_line_that_was_probably_meant(game, line, instead):
    found = reading(line, game)
    assert [part.kind for part in found.parts].count("near") == 1
    assert found.instead == instead
    assert reading(instead, game).wrong == ""


def begun(line: str, game: str) -> SheetLine:
    ruleset = load(game)
    templates = ruleset.templates(ruleset.house())
    return begun_with(ruleset, read(line, game), templates.player, templates)


@pytest.mark.parametrize(
    ("game", "line", "absent"),
    [
        ("atlantis", "Brawler brawl 60", ("weapons", "max_armour_pool", "armour_per_attack")),
        ("atlantis", "Mira, axe 10 melee", ("max_armour_pool", "armour_per_attack")),
        ("simple", "Mira, longsword 1d8", ("armour",)),
        ("arden", "Mira attack 4", ("weapons", "armor")),
        ("waygate", "Mira, spell fire", ("weapons", "armor")),
        ("xcom", "Mira aim 60", ("weapons", "armor")),
        ("atomic_d20", "Mira, sabre 2d6", ("armor",)),
    ],
)
def test_a_line_with_a_weapon_or_a_fighting_ability_gets_no_default_gear(game, line, absent):
    found = begun(line, game)
    assert not {*absent} & {*found.fields}
    assert not [part for part in found.parts if part.kind == "default" and part.path[0] in absent]


def test_defaults_are_parts_and_stay_unless_the_line_is_about_fighting():
    found = begun("Mira life 40", "atlantis")
    assert [weapon["name"] for weapon in found.fields["weapons"]] == ["sword"]
    assert {part.kind for part in found.parts} == {"given", "default"}
    assert "armour per attack 6" in [part.says for part in found.parts if part.kind == "default"]


def test_parts_of_a_line_are_read_for_an_existing_sheet():
    assert read_sheet_parts(load("simple"), "att 5", {}).fields == {"attack": 5}
    assert read_sheet_parts(load("atlantis"), "life 30/50", {}).fields == {"life": 30, "max_life": 50}


def test_a_line_may_contain_side_and_party():
    found = read("Sera side players, party The Lanterns, life 30")
    assert (found.side, found.party, found.fields) == ("players", "The Lanterns", {"max_life": 30})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("Sera mlee 45", '"mlee" is not known here; did you mean melee?'),
        ("Sera lief 50 melee 3", "did you mean life?"),
        ("Sera melee high", 'melee: expected a whole number from 0 to 100, got "high"'),
        ("Sera melee", "melee: expected a whole number"),
        ("Sera size enormous", "size: expected one of tiny"),
        ("Sera, foo bar", '"foo bar" fits nothing here; as a weapon, damage: expected a whole number'),
        ("Sera 'x\" melee 3", "a quote is never closed"),
        (" , ", "begins with a name"),
    ],
)
def test_words_that_are_not_understood_are_named(line, says):
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


def test_a_number_is_given_to_the_first_in_a_chain_of_followers():
    assert read("Robin ap 4", "arden").fields == {"max_ap": 4}
    assert read("Robin ap 2/4", "arden").fields == {"ap": 2, "max_ap": 4}


def test_a_template_fills_in_values_missing_from_the_line():
    template = {"abilities": {"melee": 35, "dodge": 15}, "max_life": 40, "weapons": [{"name": "spear"}]}
    line = {"abilities": {"melee": 45}, "weapons": [{"name": "axe"}]}
    assert with_line_fields(template, line) == {
        "abilities": {"melee": 45, "dodge": 15},
        "max_life": 40,
        "weapons": [{"name": "axe"}],
    }


def test_sheets_are_separated_by_lines_or_semicolons():
    assert lines_of('Sera life 3\r\n\n  Bram; "O;a" life 2 ;') == ["Sera life 3", "Bram", '"O;a" life 2']


@given(line=st.text(st.sampled_from('Sera melee life 45,=:;"/\\ weapons sword not'), max_size=60))
@pytest.mark.parametrize("game", GAMES)
def test_any_text_is_a_sheet_or_one_error_sentence(game, line):
    for each in lines_of(line):
        with suppress(Wrong):
            found = read(each, game)
            read_sheet(load(game), {**found.fields, "name": found.name}, "")
