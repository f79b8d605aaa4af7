"""New entries of the roster: typed lines, pasted lines, copies, names."""

import tomllib

import pytest
from textual.events import Paste

from systems import load, names
from systems.schema.conversion import plain_of
from tests.tui.opened import copied, opened
from tests.tui.pilot import running
from tests.tui.screens.roster.rows import sheet_file, to_row
from tests.tui.table import text_of
from tui.campaign.campaign import load as load_campaign
from tui.controllers.choosing import opening_with
from tui.display.typed_lines import SheetLines


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
