"""The fields of a sheet on the roster screen: typing, choices, errors, help and undo."""

import tomllib

import pytest

from systems import load, names
from systems.errors import Wrong
from systems.frozen import evolve
from systems.schema.fields import Entries, fields_of
from systems.sheets import read_sheet
from tests.tui.opened import copied, opened
from tests.tui.pilot import running
from tests.tui.screens.roster.rows import sheet_file, to_row
from tests.tui.table import text_of
from tui.display.form import changed, rows_of, spare_sheet, without


async def test_a_changed_number_is_saved_and_comments_in_the_file_stay(tmp_path):
    path = copied(tmp_path) / "roster" / "okado.toml"
    path.write_text("# mine, do not lose\n" + path.read_text())
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R")
        await pilot.press("enter")
        await to_row(pilot, here.screen, "abilities", "melee")
        await pilot.press("6", "1", "enter")
        assert path.read_text().startswith("# mine, do not lose\n")
        assert tomllib.loads(path.read_text())["abilities"]["melee"] == 61
        assert here.table.session.roster["okado"].sheet.abilities["melee"] == 61
        await pilot.press("escape", "z")
        assert tomllib.loads(path.read_text())["abilities"]["melee"] == 53


async def test_undoing_a_change_restores_the_exact_text_of_the_file(tmp_path):
    path = copied(tmp_path) / "roster" / "okado.toml"
    before = path.read_bytes()
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "enter")
        await to_row(pilot, here.screen, "life")
        await pilot.press(*"30", "enter")
        middle = path.read_bytes()
        await pilot.press(*"20", "enter", "escape", "z")
        assert path.read_bytes() == middle != before
        await pilot.press("z")
        assert path.read_bytes() == before
        # What somebody else wrote since stays.
        await pilot.press("enter")
        await to_row(pilot, here.screen, "life")
        await pilot.press(*"30", "enter")
        path.write_bytes(b"# mine\n" + path.read_bytes())
        await pilot.press("escape", "I", "R", "z")
        assert path.read_bytes().startswith(b"# mine\n")
        assert here.table.campaign.roster["okado"].sheet.life == 52


async def test_an_invalid_value_shows_its_error_at_the_field_and_writes_nothing(tmp_path):
    here = opened(tmp_path)
    before = sheet_file(tmp_path, "okado").read_bytes()
    async with running(here, (140, 40)) as pilot:
        await pilot.press("R")
        await pilot.press("enter")
        await to_row(pilot, here.screen, "abilities", "melee")
        await pilot.press("9", "9", "9", "enter")
        row = next(line for line in text_of(here).splitlines() if "999" in line)
        assert "! Expected a whole number from 0 to 100, got 999" in row
        assert sheet_file(tmp_path, "okado").read_bytes() == before
        await pilot.press("escape")
        assert "999" not in text_of(here)


async def test_the_help_and_range_of_a_field_are_shown(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R")
        await pilot.press("right")
        await to_row(pilot, here.screen, "max_life")
        assert "from 1 to 999 · life points when unhurt" in here.sentence


async def test_a_table_takes_a_new_name_and_a_list_a_new_entry(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R")
        await pilot.press("enter")
        await to_row(pilot, here.screen, "abilities", "")
        await pilot.press("enter", *"sailing 20", "enter")
        await to_row(pilot, here.screen, "weapons", "")
        await pilot.press("enter", *"oar", "enter")
        assert "Damage is needed" in " ".join(text_of(here).split())
        await pilot.press(*" 5, range 2", "enter")
        data = tomllib.loads(sheet_file(tmp_path, "okado").read_text())
        assert data["abilities"]["sailing"] == 20
        assert data["weapons"][-1] == {"name": "oar", "damage": 5, "max_range": 2}


async def test_new_names_and_entries_are_completed_from_the_game_and_the_roster(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "enter")
        await to_row(pilot, here.screen, "abilities", "")
        await pilot.press("enter")
        assert "stealth" in text_of(here)
        assert "   melee" not in text_of(here).split("───")[-1]
        await pilot.press("s", "t", "tab", *"30", "enter")
        # The mark stays on the row for the next, which takes what is typed.
        await pilot.press(*"miss", "tab", *"455", "enter")
        assert "from 0 to 100, got 455" in text_of(here)
        assert "missile 455" in text_of(here)
        await pilot.press("backspace", "enter")
        await to_row(pilot, here.screen, "weapons", "")
        await pilot.press("b", "tab", "enter")
        data = tomllib.loads(sheet_file(tmp_path, "okado").read_text())
        assert data["abilities"]["stealth"] == 30
        assert data["abilities"]["missile"] == 45
        assert data["weapons"][-1]["name"] == "bite"


@pytest.mark.parametrize("game", names())
def test_every_lasting_field_has_a_row_and_is_unchanged_when_typed_again(game):
    ruleset = load(game)
    sheet = ruleset.sheet()
    plain = spare_sheet(sheet)
    rows = rows_of(fields_of(ruleset.sheet), plain, sheet)
    fields = fields_of(ruleset.sheet)
    assert {str(row.path[0]) for row in rows} == {name for name in fields if not fields[name].is_of_the_turn}
    for row in rows:
        if row.role == "field" and row.typed:
            after = read_sheet(ruleset, changed(plain, row, row.typed), "")
            assert after == sheet, row.path


NEW_ENTRIES = {
    ("arden", "weapons"): "something 3,1,0",
    ("atlantis", "weapons"): "something 15 melee",
    ("atomic_d20", "weapons"): "something 1d6+1",
    ("simple", "weapons"): "something 1d6",
    ("simple", "counters"): "something 3/5",
    ("simple", "effects"): "something start, heal 5",
    ("srd5", "effects"): "something start, heal 5",
    ("srd5", "skills"): "something 5",
    ("srd5", "forms"): "something",
    ("srd5", "attacks"): "something +5",
    ("srd5", "powers"): "something",
    ("srd5", "multiattack"): "unarmed x2",
    ("srd5", "spell_slots"): "something 2/3, level 1",
    ("srd5", "hit_dice"): "something 2/3, die d8",
    ("waygate", "skills"): "something dex 2",
    ("waygate", "weapons"): "something 2d6 ranged, clip 5",
    ("waygate", "spells"): "something",
    ("xcom", "weapons"): "something 2+3, melee",
}


@pytest.mark.parametrize("game", names())
def test_every_list_of_every_game_takes_a_new_entry(game):
    ruleset = load(game)
    for row in rows_of(fields_of(ruleset.sheet), {}, ruleset.sheet()):
        if row.role == "add":
            entry = isinstance(row.type, Entries)
            plain = changed({}, row, NEW_ENTRIES[game, row.path[0]] if entry else "something 1")
            assert read_sheet(ruleset, plain, "")
            assert (
                without(plain, (row.path[0], 0 if isinstance(plain[str(row.path[0])], list) else "something"))
                == {}
            )


def test_the_example_of_a_new_name_comes_from_the_game_and_is_not_on_the_sheet():
    ruleset = load("atlantis")
    fields = fields_of(ruleset.sheet)
    first, second, *_ = fields["abilities"].suggested

    def example(plain):
        rows = rows_of(fields, plain, read_sheet(ruleset, plain, ""))
        return next(row.help for row in rows if row.role == "add" and row.path[0] == "abilities")

    assert f"such as {first} 5" in example({})
    assert f"such as {second} 5" in example({"abilities": {first: 30}})


@pytest.mark.parametrize("game", names())
def test_each_field_of_a_form_is_listed_once_in_a_section_of_the_game(game):
    ruleset = load(game)
    fields = fields_of(ruleset.sheet)
    rows = rows_of(fields, {}, ruleset.sheet(), ruleset.sections)
    assert [row.label for row in rows if row.role == "section"] == [part.title for part in ruleset.sections]
    shown = [name for part in ruleset.sections for name in part.fields]
    assert list(dict.fromkeys(row.path[0] for row in rows if row.role != "section")) == [
        "name",
        "notes",
        "habits",
        *shown,
    ]
    listed = {name for name in fields if not fields[name].is_of_the_turn}
    assert set(shown) == listed - {"name", "notes", "habits"}
    assert not any("_" in row.label for row in rows if row.role != "section")


def test_a_default_that_follows_another_field_keeps_following_it():
    ruleset = load("atlantis")
    plain = spare_sheet(read_sheet(ruleset, {"max_life": 40}, ""))
    row = next(
        one for one in rows_of(fields_of(ruleset.sheet), plain, ruleset.sheet()) if one.path == ("max_life",)
    )
    assert read_sheet(ruleset, changed(plain, row, "60"), "").life == 60


def test_an_entry_is_one_row_typed_as_one_line_with_all_its_parts_shown():
    ruleset = load("atlantis")
    plain = {"abilities": {"melee": 50}, "weapons": [{"name": "sword", "damage": 15}]}
    rows = rows_of(fields_of(ruleset.sheet), plain, read_sheet(ruleset, plain, ""))
    sword = next(one for one in rows if one.path == ("weapons", 0))
    assert (sword.label, sword.words, sword.typed) == ("sword", "15", "sword 15")
    after = changed(plain, sword, "long sword 20 mel")
    assert after["weapons"] == [{"name": "long sword", "damage": 20, "ability": "melee"}]
    for line, says in (
        ("sword", "damage is needed"),
        ("", "Delete"),
        ("sword 15 mellee", "did you mean melee"),
    ):
        with pytest.raises(Wrong, match=says):
            changed(plain, sword, line)


async def test_if_a_game_fails_to_give_defaults_one_sentence_says_so(tmp_path):
    here = opened(tmp_path, "bridge")

    def join(sheet, is_player):
        raise Wrong("", "the game has forgotten")

    campaign = here.table.campaign
    here.table.campaign = evolve(campaign, ruleset=evolve(campaign.ruleset, join=join))
    async with running(here) as pilot:
        await pilot.press("R", "w")
        assert here.services.messages.is_error
        assert "Can't compare Okado with the roster: the game has forgotten" in text_of(here)


async def test_the_error_of_a_field_is_readable_in_full(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "enter")
        await to_row(pilot, here.screen, "abilities", "melee")
        await pilot.press("enter", *"much too much of a good thing", "enter")
        assert here.services.messages.is_error
        assert here.sentence in " ".join(text_of(here).split())


@pytest.mark.parametrize(
    ("path", "typed", "value"),
    [
        (("weapons", 0), "dagger 18 melee", {"name": "dagger", "damage": 18, "ability": "melee"}),
        (("size",), "big", "big"),
        (("notes",), "zealous, w+?", "zealous, w+?"),
        (("side",), "Rebels", "Rebels"),
    ],
)
async def test_text_typed_on_a_row_of_the_sheet_goes_into_that_row(path, typed, value, tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        before = set(here.table.campaign.roster)
        await pilot.press("R", "enter")
        await to_row(pilot, here.screen, *path)
        await pilot.press(*typed, "enter")
        found = tomllib.loads(sheet_file(tmp_path, "okado").read_text())
        for step in path:
            found = found[step]
        assert found == value
        assert set(here.table.campaign.roster) == before


async def test_dice_typed_on_the_row_of_a_weapon_do_not_copy_the_entry(tmp_path):
    here = opened(tmp_path, name="the-thin-place")
    async with running(here) as pilot:
        before = set(here.table.campaign.roster)
        await pilot.press("R", "enter")
        form = here.screen.form
        at = next(at for at, row in enumerate(form._rows) if row.path == ("weapons", 0))
        form.cursor = at
        await pilot.press(*"knife 2d6", "enter")
        assert (form.current.value.name, form.current.value.damage) == ("knife", "2d6")
        assert set(here.table.campaign.roster) == before


async def test_the_footer_of_the_sheet_explains_its_keys(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R")
        assert "d copy" in text_of(here)
        await pilot.press("enter")
        assert "Esc list" in text_of(here)
        assert "d copy" not in text_of(here)
        await pilot.press("escape")
        assert "d copy" in text_of(here)


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_an_error_is_shown_once(size, tmp_path):
    here = opened(tmp_path)
    async with running(here, size) as pilot:
        await pilot.press("R", "enter")
        await to_row(pilot, here.screen, "abilities", "melee")
        await pilot.press(*"999", "enter")
        assert " ".join(text_of(here).split()).count("Expected a whole number from 0 to 100") == 1
        assert "!" in next(line for line in text_of(here).splitlines() if "melee  " in line)


async def test_a_choice_opens_its_list_and_the_marked_word_is_saved(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "enter")
        await to_row(pilot, here.screen, "size")
        await pilot.press("enter")
        assert "medium  now" in text_of(here)
        await pilot.press("l", "escape")
        assert "size" not in tomllib.loads(sheet_file(tmp_path, "okado").read_text())
        await pilot.press("enter", "up", "enter")
        small = tomllib.loads(sheet_file(tmp_path, "okado").read_text())["size"]
        assert small == here.screen.form.current.value != "medium"


async def test_typed_text_has_a_frame_and_defaults_are_labelled(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "enter")
        await to_row(pilot, here.screen, "life")
        assert "default: same as max life" in " ".join(text_of(here).split())
        await pilot.press("enter")
        assert "[52 " in text_of(here)
        assert "Enter save" in text_of(here)


async def test_the_frame_around_typed_text_is_complete_on_a_narrow_screen(tmp_path):
    here = opened(tmp_path)
    async with running(here, (60, 20)) as pilot:
        await pilot.press("R", "enter")
        await to_row(pilot, here.screen, "life")
        await pilot.press("enter")
        [line] = [line for line in text_of(here).splitlines() if "life  " in line and "[52" in line]
        assert "]" in line


async def test_a_letter_that_begins_no_choice_is_reported_and_chooses_nothing(tmp_path):
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press("V", "enter", "z")
        assert 'No choice begins with "z": use the arrows and Enter.' in text_of(here)
        await pilot.press("r")
        assert "begins with" not in text_of(here)
        assert here.services.prompts.current.words[here.services.prompts.current.chosen] == "real"
        await pilot.press("escape")
        here.table.fight.close()


async def test_fully_visible_lines_are_not_marked_as_continued(tmp_path):
    here = opened(tmp_path)
    async with running(here, (80, 24)) as pilot:
        await pilot.press("R", "c")
        await pilot.press(*"Sera", "space", *"melee", "space", *"45;Brug")
        assert "Sera  melee 45" in text_of(here)
        [title] = [line for line in text_of(here).splitlines() if "Names, in lines" in line]
        assert "more" not in title


async def test_two_long_field_names_are_distinguishable(tmp_path):
    here = opened(tmp_path, name="the-bone-court")
    async with running(here, (140, 60)) as pilot:
        await pilot.press("R")
        named = [line.split("│")[3][:22].strip() for line in text_of(here).splitlines()[2:50]]
        assert len([name for name in named if name.startswith("minor wo")]) == 2
        assert len({name for name in named if name.startswith("minor wo")}) == 2
