"""The roster's screen, driven by keys on a copy of a sample campaign."""

import tomllib
from pathlib import Path

import attrs
import pytest
from textual.events import Key, Paste

from systems import load, names
from systems.errors import Wrong
from systems.schema.conversion import plain_of
from systems.schema.fields import Entries, fields_of
from systems.sheets import read_sheet
from tests.tui.opened import copied, opened
from tests.tui.pilot import running
from tests.tui.table import text_of
from tui.campaign.campaign import load as load_campaign
from tui.controllers.choosing import opening_with
from tui.display.form import changed, rows_of, spare_sheet, without
from tui.display.roster import template_words
from tui.display.typed_lines import SheetLines
from tui.screens.roster.screen import RosterScreen


def sheet_file(folder: Path, kind: str) -> Path:
    return folder / "campaigns" / "okado-at-the-gate" / "roster" / f"{kind}.toml"


async def to_row(pilot, screen: RosterScreen, *path: str | int) -> None:
    """Down to a row of the form."""
    while screen.form.current.path != path:
        before = screen.form.cursor
        await pilot.press("down")
        assert screen.form.cursor != before, f"no row {path}"


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 40)])
async def test_the_party_is_listed_above_the_creature_kinds_and_next_to_the_sheet(size, tmp_path):
    here = opened(tmp_path)
    async with running(here, size) as pilot:
        await pilot.press("R")
        text = text_of(here)
        assert text.index("Players, the party") < text.index("Foes, ")
        assert "Raider captain" in text
        assert "melee" in text
        await pilot.press("down")
        assert here.screen.form.border_title == "Tamsin"


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 40)])
async def test_the_roster_shows_the_current_value_and_a_different_maximum(size, tmp_path):
    folder = copied(tmp_path) / "roster"
    for name, life in (("okado", 40), ("tamsin", -40)):
        path = folder / f"{name}.toml"
        path.write_text(path.read_text().replace("max_life = ", f"life = {life}\nmax_life = ", 1))
    here = opened(tmp_path)
    async with running(here, size) as pilot:
        await pilot.press("R")
        panes = [line.split("│")[1].split() for line in text_of(here).splitlines() if line.count("│") > 1]
        assert ["▌", "Okado", "×1", "40/52"] in panes
        assert ["Tamsin", "×1", "dead", "−40/48"] in panes
        assert ["Guard", "×2", "45"] in panes
        here.table.fight.close()


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


async def test_a_typed_line_completes_the_words_of_the_game(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "c", *"Sera st")
        assert "Tab stealth" in text_of(here)
        await pilot.press("tab", *"30 li", "tab", *"55", "enter")
        sheet = here.table.campaign.roster["sera"].sheet
        assert (sheet.abilities["stealth"], sheet.max_life) == (30, 55)
        # Behind a name alone Tab goes on choosing what it begins with.
        await pilot.press("escape", "c", *"Old Bren", "tab", "enter")
        assert here.table.campaign.roster["old-bren"].side != "players"


async def test_a_list_with_a_repeated_name_adds_nobody(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R")
        before = set(here.table.campaign.roster)
        await pilot.press("c", *"Sera; sera", "enter")
        assert "Line 2: sera is already in an earlier line." in text_of(here)
        assert set(here.table.campaign.roster) == before


async def test_several_copies_join_the_fight_with_numbers(tmp_path):
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press("R")
        await pilot.press("slash", *"wolf", "enter", "plus", "3", "enter")
        wolves = [one.name for one in here.table.session.encounter if one.state.kind == "wolf"]
        assert len(wolves) >= 3


async def test_creating_copying_and_deleting_can_be_undone(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R")
        before = set(here.table.campaign.roster)
        await pilot.press("c", *"Old Ferryman", "enter", "escape")
        assert set(here.table.campaign.roster) - before == {"old-ferryman"}
        assert here.screen.list.current.id == "old-ferryman"
        await pilot.press("d")
        assert len(here.table.campaign.roster) == len(before) + 2
        await pilot.press("minus")
        assert len(here.table.campaign.roster) == len(before) + 1
        await pilot.press("z", "z", "z")
        assert set(here.table.campaign.roster) == before
        await pilot.press("z")
        assert "no change" in here.sentence


async def test_a_new_entry_begins_as_a_players_character_or_a_creature(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        templates = here.table.campaign.ruleset.templates(here.table.campaign.house)
        await pilot.press("R", "c")
        assert "a player's character" in text_of(here)
        assert "sword 15 melee" in " ".join(text_of(here).split())
        await pilot.press("enter")
        assert "It needs a name" in text_of(here)
        await pilot.press(*"Dorn", "enter", "escape", "c", *"Bog rat", "tab", "enter")
        made = here.table.campaign.roster
        for id, side, template in (
            ("dorn", "players", templates.player),
            ("bog-rat", "foes", templates.creature),
        ):
            assert made[id].side == side
            assert {name: plain_of(getattr(made[id].sheet, name)) for name in template} == template
            assert tomllib.loads(sheet_file(tmp_path, id).read_text())["weapons"] == template["weapons"]


async def test_pasted_lines_add_several_entries_and_are_undone_together(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "c")
        before = set(here.table.campaign.roster)
        here.post_message(Paste("Sera meele 45 life 50\r\nBram, party The Lanterns\n"))
        await pilot.press("enter")
        assert "did you mean melee?" in text_of(here)
        assert set(here.table.campaign.roster) == before
        await pilot.press("home", *["right"] * 6, "delete", *["right"] * 3, "e", "enter")
        roster = here.table.campaign.roster
        assert set(roster) - before == {"sera", "bram"}
        assert roster["sera"].sheet.abilities["melee"] == 45
        # Her line says how she fights, so she gets no default weapon; Bram's does not.
        assert (roster["sera"].sheet.weapons, roster["bram"].sheet.weapons[0].name) == ((), "sword")
        assert roster["bram"].party == "The Lanterns"
        assert "The Lanterns" in text_of(here)
        await pilot.press("z")
        assert set(here.table.campaign.roster) == before


async def test_all_values_of_a_typed_line_are_shown_below_it_on_a_narrow_screen(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "c")
        here.post_message(
            Paste("Bo melee 45 stealth 30 body 12, sword 15 melee, range 40 m, weapon oar 5, life 51")
        )
        await pilot.press("space")
        assert "max life 51" in " ".join(text_of(here).split())


async def test_every_pasted_line_is_listed_and_enter_goes_to_the_invalid_one(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "c")
        before = set(here.table.campaign.roster)
        people = ["Sera melee 45", "Bram melee 30", "Kai melee high", "Jun", "Mist", "Torn", "Zoe mlee 3"]
        here.post_message(Paste("\n".join(people)))
        await pilot.press("enter")
        assert all(person.split()[0] in text_of(here) for person in people)
        assert "Line 3: melee: expected a whole number" in text_of(here)
        await pilot.press(*["backspace"] * 4, *"40", "enter")
        assert "Line 7" in text_of(here)
        assert "Enter again takes it." in " ".join(text_of(here).split())
        await pilot.press("enter")
        made = {key: entry for key, entry in here.table.campaign.roster.items() if key not in before}
        assert len(made) == 7
        assert made["kai"].sheet.abilities["melee"] == 40
        assert made["zoe"].sheet.abilities["melee"] == 3
        assert "Created Sera, Bram, Kai, Jun, Mist and 2 more" in text_of(here)


async def test_an_export_names_the_entry_whose_file_could_not_be_read(tmp_path):
    copied(tmp_path)
    sheet_file(tmp_path, "okado").write_text("name = [")
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "x", "ctrl+u", *f"{tmp_path}/all.csv", "enter")
        assert "roster/okado.toml cannot be read, and is left out" in " ".join(text_of(here).split())


async def test_two_player_characters_cannot_have_the_same_name(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "slash", *"okado", "enter", "enter", "home", *"tamsin", "enter")
        assert "Tamsin is already in the party" in text_of(here)
        await pilot.press("escape")
        assert here.table.campaign.roster["okado"].name == "Okado"


async def test_a_name_that_is_too_long_is_refused_and_stays_typed(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        before = set(here.table.campaign.roster)
        await pilot.press("R", "c")
        here.post_message(Paste("x" * 300))
        await pilot.press("enter")
        assert "A name has at most 80 characters, and this has 300." in " ".join(text_of(here).split())
        await pilot.press("ctrl+u", *"Brana", "enter")
        assert set(here.table.campaign.roster) - before == {"brana"}


async def test_a_longer_name_in_a_file_is_read_whole_and_its_other_fields_are_saved(tmp_path):
    here = opened(tmp_path)
    path, name = sheet_file(tmp_path, "okado"), "x" * 300
    path.write_text(path.read_text().replace('"Okado"', f'"{name}"'))
    here.table.campaign = load_campaign(here.table.campaign.path)
    async with running(here) as pilot:
        await pilot.press("R", "slash", *"xx", "enter", "enter")
        await to_row(pilot, here.screen, "max_life")
        await pilot.press("6", "0", "enter")
        found = tomllib.loads(path.read_text())
        assert (found["max_life"], found["name"]) == (60, name)
        await pilot.press("home", "enter", "y", "enter")
        assert "A name has at most 80 characters, and this has 301." in " ".join(text_of(here).split())
        await pilot.press("escape")
        assert tomllib.loads(path.read_text())["name"] == name


async def test_renaming_the_party_of_one_member_offers_to_rename_it_for_all(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "c")
        here.post_message(Paste("Sera party Lamps\nBram party lamps\nJun party Owls"))
        await pilot.press("enter", "slash", *"sera", "enter", "enter")
        await to_row(pilot, here.screen, "party")

        def parties():
            roster = here.table.campaign.roster
            return [roster[key].party for key in ("sera", "bram", "jun")]

        await pilot.press(*"Lanterns", "enter")
        assert "Bram is in Lamps. Move them to Lanterns too?" in text_of(here)
        await pilot.press("y", "enter")
        assert parties() == ["Lanterns", "Lanterns", "Owls"]
        assert "Lamps is now Lanterns." in text_of(here)
        await pilot.press("escape", "z")
        assert parties() == ["Lamps", "lamps", "Owls"]
        await pilot.press("slash", *"sera", "enter", "enter")
        await to_row(pilot, here.screen, "party")
        await pilot.press(*"owls", "enter")
        assert here.services.prompts.current is None
        assert parties() == ["owls", "lamps", "Owls"]


async def test_the_question_of_an_export_names_the_sheet_under_the_cursor(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "slash", *"tamsin", "enter", "x")
        assert "copy Tamsin: this sheet only" in text_of(here)


async def test_a_party_spelled_in_two_ways_is_listed_once(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "c")
        here.post_message(Paste("Sera party Lamps\nBram party lamps"))
        await pilot.press("enter")
        headings = [line for line in text_of(here).splitlines() if "lamps" in line.casefold()[:28]]
        assert len(headings) == 1


async def test_a_party_is_a_field_of_the_form_and_is_added_by_its_name(tmp_path):
    path = copied(tmp_path) / "roster" / "okado.toml"
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press("R", "enter")
        await to_row(pilot, here.screen, "party")
        await pilot.press(*"The Lanterns", "enter")
        assert tomllib.loads(path.read_text())["party"] == "The Lanterns"
        await pilot.press("delete")
        assert "party" not in tomllib.loads(path.read_text())


async def test_the_roster_is_written_to_a_file_or_copied_to_the_clipboard(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "x", "ctrl+u", *"mine.txt", "enter")
        assert "must end in .toml or .csv" in " ".join(text_of(here).split())
        await pilot.press("ctrl+u", *"mine.toml", "enter")
        assert len(tomllib.loads((tmp_path / "mine.toml").read_text())["character"]) == len(
            here.table.campaign.roster
        )
        await pilot.press("x", "ctrl+u", *"mine.toml", "enter", *"no", "enter")
        assert "is unchanged" in here.sentence
        await pilot.press("x", "tab", "tab", "enter")
        assert len(tomllib.loads(here.clipboard)["character"]) == len(here.table.campaign.roster)
        await pilot.press("x", "ctrl+u", *"copy okado", "enter")
        assert tomllib.loads(here.clipboard)["character"][0]["name"] == "Okado"


@pytest.mark.parametrize("game", names())
def test_every_game_shows_the_defaults_of_a_new_character_and_a_new_creature(game):
    ruleset = load(game)
    templates = ruleset.templates(ruleset.house())
    for template in (templates.player, templates.creature):
        assert template_words(ruleset.sheet, template).count(",") > 2
        assert read_sheet(ruleset, template, "") != ruleset.sheet()


async def test_lasting_values_are_saved_to_the_roster_after_confirmation(tmp_path):
    here = opened(tmp_path, "bridge")
    async with running(here) as pilot:
        await pilot.press("R")
        before = sheet_file(tmp_path, "okado").read_text()
        await pilot.press("w")
        assert "life 52 → 43" in text_of(here)
        await pilot.press("n", "o", "enter")
        assert sheet_file(tmp_path, "okado").read_text() == before
        await pilot.press("w", *"life", "enter")
        data = tomllib.loads(sheet_file(tmp_path, "okado").read_text())
        assert data["life"] == 43
        assert "armour_pool" not in data
        await pilot.press("z")
        assert here.table.campaign.roster["okado"].sheet.life == 52


async def test_saving_to_the_roster_names_the_changed_field_of_a_weapon(tmp_path):
    here = opened(tmp_path, name="the-thin-place")
    async with running(here) as pilot:
        here.table.session.do("start")
        here.table.session.do("set aryn weapons.1.jammed yes")
        await pilot.press("R", "j", "w")
        assert "submachine gun jammed no → yes" in text_of(here)
        assert "submachine gun → submachine gun" not in text_of(here)


async def test_keys_typed_ahead_go_to_the_screen_that_the_first_one_opens(tmp_path):
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        for key in ("R", "down", "enter", "down", "down", "down"):
            here.post_message(Key(key, key if len(key) == 1 else None))
        await pilot.idle()
        assert here.screen.list.current.id == "tamsin"
        assert here.screen.form.current.path == ("notes",)


async def test_a_file_changed_outside_is_read_again_and_not_overwritten(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R")
        path = sheet_file(tmp_path, "okado")
        await pilot.press("enter")
        await to_row(pilot, here.screen, "max_life")
        await pilot.press("6", "0")
        path.write_text(
            path.read_text().replace('name = "Okado"', 'name = "Okado the elder"') + "# by hand\n"
        )
        await pilot.press("enter")
        assert "both changes are kept" in here.sentence
        found = tomllib.loads(path.read_text())
        assert (found["max_life"], found["name"]) == (60, "Okado the elder")
        assert "# by hand\n" in path.read_text()


@pytest.mark.parametrize(("key", "kept"), [("m", 60), ("t", 55), ("escape", 55)])
async def test_if_a_field_was_changed_here_and_outside_the_game_master_chooses(tmp_path, key, kept):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R")
        path = sheet_file(tmp_path, "okado")
        before = tomllib.loads(path.read_text())["max_life"]
        await pilot.press("enter")
        await to_row(pilot, here.screen, "max_life")
        await pilot.press("6", "0")
        path.write_text(path.read_text().replace(f"max_life = {before}", "max_life = 55"))
        await pilot.press("enter")
        assert f"was {before} · yours 60 · in the file 55" in text_of(here)
        assert "Enter" not in text_of(here)
        for other in ("enter", "z"):
            await pilot.press(other)
            assert here.sentence == "m keeps yours, t keeps the file"
            assert f"was {before} · yours 60 · in the file 55" in text_of(here)
        await pilot.press(key)
        assert tomllib.loads(path.read_text())["max_life"] == kept
        assert here.table.campaign.roster["okado"].sheet.max_life == kept
        assert here.screen.form.current.path == ("max_life",)


async def test_a_file_broken_from_outside_is_named_with_its_line_and_kept(tmp_path):
    here = opened(tmp_path)
    async with running(here, (140, 40)) as pilot:
        await pilot.press("R")
        path = sheet_file(tmp_path, "okado")
        await pilot.press("enter")
        await to_row(pilot, here.screen, "max_life")
        await pilot.press("6", "0")
        path.write_text(path.read_text() + "max_life = \n")
        bad = path.read_text()
        await pilot.press("enter")
        assert "Not saved, roster/okado.toml:" in here.sentence
        assert path.read_text() == bad
        await pilot.press("escape")


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


HOSTILE = "[b]x[/b] \\u001b[31m\\u0007 \U0001f600 " + "y" * 300


@pytest.mark.parametrize("keys", ["R", "Sk", "I", "L", "C"])
async def test_a_hostile_name_is_only_text_on_every_screen(keys, tmp_path):
    path = copied(tmp_path)
    (path / "roster" / "okado.toml").write_text(
        f'format = 1\nname = "{HOSTILE}"\nside = "[i]p"\nnotes = "{HOSTILE}"\n'
        f'abilities = {{ "[u]z" = 3 }}\nweapons = [{{ name = "{HOSTILE}", damage = 1 }}]\n'
    )
    (path / "campaign.toml").write_text(f'format = 1\nsystem = "atlantis"\ntitle = "{HOSTILE}"\n')
    here = opened(tmp_path, "north-gate")
    here.table.session.do("add okado as another")
    here.table.session.do(f"set another name {HOSTILE}")
    async with running(here) as pilot:
        await pilot.press(*keys)
        text = text_of(here)
        assert all(one.isprintable() or one == "\n" for one in text)
        # The title of the campaign is one of them.
        assert text.count("[b]x") > 1


async def test_if_a_game_fails_to_give_defaults_one_sentence_says_so(tmp_path):
    here = opened(tmp_path, "bridge")

    def join(sheet, is_player):
        raise Wrong("", "the game has forgotten")

    campaign = here.table.campaign
    here.table.campaign = attrs.evolve(campaign, ruleset=attrs.evolve(campaign.ruleset, join=join))
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


async def test_an_unreadable_file_is_listed_below_the_others_with_the_reason(tmp_path):
    bad = copied(tmp_path) / "roster" / "wolf.toml"
    bad.write_text(bad.read_text().replace("max_life = 30", 'max_life = "many"'))
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press("R")
        assert "Cannot be read" in text_of(here)
        await pilot.press("end")
        assert "roster/wolf.toml:7: max_life: expected a whole number" in " ".join(text_of(here).split())
        for key in ("enter", "d", "minus", "plus", "w", "right"):
            here.say("")
            await pilot.press(key)
            assert here.sentence.startswith("roster/wolf.toml:7"), key
        assert here.services.prompts.current is None
        await pilot.press("up")
        assert here.sentence == ""
        assert here.screen.list.current.name == "Veteran guard"
        here.table.fight.close()


async def test_an_empty_roster_names_the_key_that_creates_an_entry(tmp_path):
    for file in (copied(tmp_path) / "roster").iterdir():
        file.unlink()
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        here.say("")
        await pilot.press("R")
        assert "No entry of your own yet: c creates one." in text_of(here)
        here.table.fight.close()


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


async def test_cancelling_a_question_shows_no_earlier_message(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "d", "c", "escape")
        assert "othing" not in here.sentence


async def test_a_copy_takes_its_id_from_its_first_real_name_and_each_step_can_be_undone(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        before = set(here.table.campaign.roster)
        await pilot.press("R", "d", "enter", *"Dorn", "enter")
        assert set(here.table.campaign.roster) == before | {"dorn"}
        assert sheet_file(tmp_path, "dorn").exists()
        assert not sheet_file(tmp_path, "okado-copy").exists()
        await pilot.press(*"Elsa", "enter", "escape")
        assert here.table.campaign.roster["dorn"].name == "Elsa"
        await pilot.press("z")
        assert here.table.campaign.roster["dorn"].name == "Dorn"
        await pilot.press("z", "z")
        assert set(here.table.campaign.roster) == before


async def test_a_copy_in_the_fight_keeps_its_id_when_it_is_renamed(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "d", "I", "+", *"okado-copy", "enter", "R", "enter")
        while here.screen.form.border_title != "Okado (copy)":
            await pilot.press("escape", "down", "enter")
        await pilot.press(*"Dorn", "enter")
        assert here.table.campaign.roster["okado-copy"].name == "Dorn"


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


async def test_a_new_name_of_several_words_needs_no_quotes(tmp_path):
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press("R", "c", "tab", *"Bog rat", "enter", "escape", "escape")
        await pilot.press("plus", *"bog rat x2", "enter")
        assert [each.name for each in here.table.session.encounter][-2:] == ["Bog rat 4", "Bog rat 5"]
        opening = opening_with(here.table.campaign, "Mill", "okado, bog rat x3, raider captain in round 2")
        assert len(opening.document["combatant"]) == 5
        here.table.fight.close()


@pytest.mark.parametrize("game", names())
def test_the_example_line_of_every_game_has_values_and_is_understood(game):
    ruleset = load(game)
    lines = SheetLines(ruleset, ruleset.house())
    assert lines.read(lines.example).fields


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


async def test_a_new_line_shows_its_parts_and_enter_is_refused_while_a_part_is_unknown(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "c", *"Sera life 40, axe 20")
        text = " ".join(text_of(here).split())
        assert "life 40 → max life 40" in text
        assert '! "axe 20" fits nothing here; for a new entry type weapon axe 20 or ability axe 20.' in text
        assert "default:" in text
        await pilot.press("enter")
        assert "sera" not in here.table.campaign.roster
        await pilot.press(*["backspace"] * 6, *"weapon axe 20", "enter")
        sheet = here.table.campaign.roster["sera"].sheet
        assert [weapon.name for weapon in sheet.weapons] == ["axe"]
        assert sheet.max_armour_pool == 0


async def test_a_new_row_asks_once_more_about_a_near_miss_and_quotes_keep_it(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("R", "enter")
        await to_row(pilot, here.screen, "abilities", "")
        await pilot.press("enter", *"sialing 20", "enter")
        first = tomllib.loads(sheet_file(tmp_path, "okado").read_text())["abilities"]
        await pilot.press("enter", *"stelth 20", "enter")
        assert "did you mean stealth?" in text_of(here)
        assert "stelth" not in tomllib.loads(sheet_file(tmp_path, "okado").read_text())["abilities"]
        await pilot.press("ctrl+u", *'"stelth" 20', "enter")
        assert tomllib.loads(sheet_file(tmp_path, "okado").read_text())["abilities"]["stelth"] == 20
        assert first["sialing"] == 20
