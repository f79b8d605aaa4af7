"""The roster screen: its list, the party, saving to it, exports, changes from outside, and hostile names."""

import tomllib

import pytest
from textual.events import Key, Paste

from systems import load, names
from systems.sheets import read_sheet
from tests.tui.opened import copied, opened
from tests.tui.pilot import running
from tests.tui.screens.roster.rows import sheet_file, to_row
from tests.tui.table import text_of
from tui.campaign.watch import Conflict, FieldConflict
from tui.display.roster import template_words
from tui.screens.roster.conflict import ConflictPrompt


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


def test_both_values_of_a_long_text_can_be_read(tmp_path):
    here = opened(tmp_path)
    okado = here.table.campaign.roster["okado"]
    mine, theirs = "swears that she saw a bridge here", "has never been here, and knows no bridge"
    conflict = Conflict(okado, okado, okado, both=(FieldConflict("notes", "tired", mine, theirs),))
    prompt = ConflictPrompt(here.services, conflict, lambda mine: None)
    rows = ["".join(part for part, _ in row) for row in prompt.rows(60, 20)]
    assert max(map(len, rows)) <= 60
    said = " ".join(" ".join(rows).split())
    assert f"notes was tired · yours {mine} · in the file {theirs} m keep yours" in said


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
