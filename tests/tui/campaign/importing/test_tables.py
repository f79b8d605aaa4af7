"""Imports from TOML and CSV, with the fields of any game; no entry is overwritten."""

import tomllib

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from systems import built_in, load
from systems.schema.conversion import write
from tests.command import affray, sample
from tests.systems.fight import PEOPLE
from tui.campaign import campaign as campaigns
from tui.campaign.creatures import shipped

CSV = """name,side,Max HP,defence,skills.stealth,weapons.bow.damage,weapons.bow.damage_bonus,AC
Mira,players,24,16,,,,3
"Tom, the Quick",players,18,14,7,1d6,4,
Ogre,,many,11,,,,
,,5,,,,,
Mira,foes,1,,,,,
"""


def test_a_table_is_read_from_one_line_or_several_as_on_the_roster(tmp_path):
    path = made(tmp_path)
    rows = (
        "name,weapons,counters.mana\nMira,sword 1d8+3; long bow 1d6 attack,5\n"
        'Tom,staff 1d6,"3/5, refills never"\n'
    )
    done = imported(tmp_path, "party.csv", rows)
    assert 'line 2, Mira: weapons 2: "attack" is one word too many' in done.out
    people = {entry.name: entry.sheet for entry in roster(path).values()}
    assert [weapon.name for weapon in people["Mira"].weapons] == ["sword"]
    assert people["Tom"].weapons[0].damage == "1d6"
    assert (people["Tom"].counters[0].now, people["Tom"].counters[0].refills) == (3, "never")


def made(folder, system="simple"):
    assert affray("new", "ford", "--system", system, "--campaigns", folder).status == 0
    return folder / "ford"


def imported(folder, name, data):
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    return affray("import", "ford", folder / name, "--campaigns", folder)


def roster(path):
    loaded = campaigns.load(path)
    assert loaded.problems == ()
    return loaded.roster


def test_a_csv_is_imported_as_far_as_possible_and_the_rest_is_listed(tmp_path):
    path = made(tmp_path)
    ran = imported(tmp_path, "people.csv", CSV)
    assert ran.status == 0
    assert ran.out.splitlines() == [
        "added to the roster of ford: Mira, Tom, the Quick and Ogre",
        "not imported: the column AC: unknown field; known: attack, name, dead, resistances, saves, "
        "habits, max_hp, 17 more",
        'not imported: line 4: max_hp: expected a whole number from 1 to 9999, got "many"',
        "not imported: line 5: it has no name, and was left out",
        "not imported: line 6: Mira is already in the roster and was not changed · side: players here, "
        "foes in the import · max hp: 24 here, 1 in the import · hp: 24 here, 1 in the import · "
        "defence: 16 here, none in the import",
    ]
    people = roster(path)
    assert list(people) == ["mira", "ogre", "tom-the-quick"]
    assert (people["mira"].side, people["ogre"].side) == ("players", "foes")
    tom = people["tom-the-quick"].sheet
    assert (tom.max_hp, tom.hp, tom.skills) == (18, 18, {"stealth": 7})
    assert [(each.name, each.damage, each.damage_bonus) for each in tom.weapons] == [("bow", "1d6", 4)]
    assert (people["ogre"].sheet.max_hp, people["ogre"].sheet.defence) == (10, 11)


def test_a_heading_may_be_any_word_of_a_sheet_s_typed_line(tmp_path):
    path = made(tmp_path, "atlantis")
    rows = 'Name,Side,Life,Melee,Notes\nAlrik,players,48,52,"quick,\nbrave"\n'
    assert imported(tmp_path, "party.csv", rows).out == "added to the roster of ford: Alrik\n"
    sheet = roster(path)["alrik"].sheet
    assert (sheet.max_life, sheet.life, sheet.abilities) == (48, 48, {"melee": 52})
    assert sheet.notes.split() == ["quick,", "brave"]


def test_a_value_is_exported_together_with_its_maximum(tmp_path):
    path = made(tmp_path)
    imported(tmp_path, "party.csv", "name,hp,max_hp\nMira,4,10\n")
    exported = affray("export", "ford", "--format", "csv", "--campaigns", tmp_path).out
    again = tmp_path / "again"
    affray("new", "ford", "--system", "simple", "--campaigns", again)
    (tmp_path / "party.csv").write_text(exported)
    affray("import", "ford", tmp_path / "party.csv", "--campaigns", again)
    assert roster(again / "ford")["mira"].sheet == roster(path)["mira"].sheet


@pytest.mark.parametrize("between", [";", "\t"])
def test_other_separators_a_byte_order_mark_and_line_ends_are_read(tmp_path, between):
    path = made(tmp_path)
    data = "\ufeff" + f"name{between}max_hp\r\nBär{between}9\r\n"
    assert imported(tmp_path, "export.txt", data).out == "added to the roster of ford: Bär\n"
    assert roster(path)["bar"].sheet.max_hp == 9


@pytest.mark.parametrize("game", built_in())
def test_every_game_imports_its_own_sheets_from_toml(tmp_path, game):
    path = made(tmp_path, game)
    rows = [{"name": name.title(), **sheet} for name, sheet in PEOPLE[game].items()]
    assert imported(tmp_path, "all.toml", tomli_w.dumps({"creatures": rows})).status == 0
    for name, sheet in PEOPLE[game].items():
        written = write(roster(path)[name].sheet)
        assert {field: written[field] for field in sheet} == sheet


@pytest.mark.parametrize("game", built_in())
def test_a_shipped_creature_s_own_file_can_be_imported(tmp_path, game):
    path = made(tmp_path, game)
    first = next(iter(shipped(load(game)).values()))
    file = tmp_path / "one.toml"
    file.write_text(
        tomli_w.dumps({"name": "Stray", **{k: v for k, v in write(first.sheet).items() if k != "name"}})
    )
    assert affray("import", "ford", file, "--campaigns", tmp_path).status == 0
    assert roster(path)["stray"].sheet.name == "Stray"


def test_a_misspelt_path_in_a_heading_is_reported_once_with_the_field_probably_meant(tmp_path):
    path = made(tmp_path)
    ran = imported(
        tmp_path, "people.csv", "name,weapons.sword.damag,weapons.bow.Damage\nMira,1d8,1d6\nTom,1d8,1d6\n"
    )
    assert ran.out.splitlines() == [
        "added to the roster of ford: Mira and Tom",
        "not imported: the column weapons.sword.damag: unknown field; did you mean damage?",
    ]
    assert [weapon.damage for weapon in roster(path)["mira"].sheet.weapons] == ["1d6"]


def test_invalid_fields_are_left_out_and_the_rest_is_imported(tmp_path):
    path = made(tmp_path)
    text = """
[[people]]
name = "Mira"
max_hp = 0
Defense = 15
weapons = [
    { name = "sword", damage = "1d8", weight = 3 },
    { damage = "1d6" },
    { name = "bow", damage = "1d7+x" },
]
[[people]]
name = 7
[[beasts]]
name = "Wolf"
skills = { scent = 9, sight = "good" }
"""
    ran = imported(tmp_path, "all.toml", text)
    assert ran.out.splitlines()[0] == "added to the roster of ford: Mira and Wolf"
    said = "\n".join(ran.out.splitlines()[1:])
    for place in (
        "people 1, Mira: max_hp: ",
        "people 1, Mira: weapons[0].weight: unknown field",
        "people 1, Mira: weapons[1].name: is needed",
        ".damage: expected dice such as",
        "people 2: it has no name",
        "beasts 1, Wolf: skills.sight: ",
    ):
        assert place in said
    mira = roster(path)["mira"].sheet
    assert (mira.max_hp, mira.defence) == (10, 15)
    assert [(each.name, each.damage) for each in mira.weapons] == [("sword", "1d8"), ("bow", None)]
    assert roster(path)["wolf"].sheet.skills == {"scent": 9}


def test_existing_entries_are_never_changed(tmp_path):
    path = sample(tmp_path, "the-goblin-ford", "ford")
    before = {file.name: file.read_bytes() for file in (path / "roster").iterdir()}
    ran = imported(tmp_path, "again.csv", "name,max_hp\nmira,1\nGOBLIN,2\nGoblin Chief,3\n")
    assert ran.status == 1
    assert ran.out.count("is already in the roster") == 3
    assert {file.name: file.read_bytes() for file in (path / "roster").iterdir()} == before


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("bad.toml", "name = "),
        ("bad.toml", b"name = '\xff'"),
        ("deep.toml", "name = " + "[" * 5000),
        ("empty.csv", ""),
        ("nobody.csv", "max_hp,hp\n1,2\n"),
        ("bytes.csv", b"name\n\xff\xfe\n"),
        ("quote.csv", 'name\n"' + "x" * 200_000),
    ],
)
def test_an_unreadable_file_is_reported_in_one_sentence(tmp_path, name, data):
    path = made(tmp_path)
    ran = imported(tmp_path, name, data)
    assert ran.status == 1
    assert name in ran.complaint
    assert roster(path) == {}


def test_a_missing_file_is_reported_in_one_sentence(tmp_path):
    made(tmp_path)
    ran = affray("import", "ford", tmp_path / "none.csv", "--campaigns", tmp_path)
    assert (ran.status, ran.complaint) == (1, "none.csv: is missing")


@given(text=st.text(max_size=200))
def test_any_text_is_imported_or_refused_in_one_sentence(tmp_path_factory, text):
    folder = tmp_path_factory.mktemp("any")
    path = made(folder)
    for name in ("any.csv", "any.toml"):
        ran = imported(folder, name, text.encode("utf-8", "replace"))
        assert ran.status in (0, 1)
    assert tomllib.loads((path / "campaign.toml").read_text())["system"] == "simple"
    roster(path)


def test_a_list_of_typed_lines_is_read_as_on_the_roster_and_shown(tmp_path):
    path = made(tmp_path)
    ran = imported(tmp_path, "party.toml", b'party = ["Mira att 5 def 14, mana 3/3", "Bo hp 9, slots 3"]')
    assert ran.status == 0
    assert "att 5 \N{RIGHTWARDS ARROW} attack 5" in ran.out
    assert 'party 2: "slots 3" fits nothing here; for a new entry type' in ran.out
    people = roster(path)
    assert (people["mira"].sheet.attack, people["mira"].sheet.defence) == (5, 14)
    assert [counter.name for counter in people["mira"].sheet.counters] == ["mana"]
    assert people["bo"].sheet.weapons == ()


def test_an_entry_of_a_list_may_be_a_typed_line_in_toml_too(tmp_path):
    path = made(tmp_path, "atlantis")
    text = b'name = "Mira"\nweapons = ["axe 20 mlee", "oar 5"]\n[abilities]\nmelee = 30\n'
    ran = imported(tmp_path, "mira.toml", text)
    assert "weapons 1" in ran.out
    assert "did you mean melee?" in ran.out
    assert [weapon.name for weapon in roster(path)["mira"].sheet.weapons] == ["oar"]


def test_a_heading_that_is_nearly_a_field_names_it(tmp_path):
    made(tmp_path)
    ran = imported(tmp_path, "a.csv", b"name,hp,defense,atack\nMira,9,12,3\n")
    assert "did you mean attack?" in ran.out


def test_a_file_of_another_format_is_refused_with_the_formats_that_can_be_read(tmp_path):
    made(tmp_path)
    ran = imported(tmp_path, "people.json", "[]")
    assert ran.status == 1
    assert ran.complaint.startswith(
        "people.json: is JSON without a creature in a known form; use a stat block"
    )
