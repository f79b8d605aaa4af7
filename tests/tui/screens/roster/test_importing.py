"""Stat blocks pasted on the roster: shown line by line, kept by Enter, taken back by one key."""

import json
import subprocess
import sys

from textual.events import Paste

from tests.command import affray
from tests.systems.stat_blocks.other_trackers import BLOCK, LIBRARY
from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import text_of
from tui.campaign.campaign import load

FORD = "the-goblin-ford"


async def test_a_block_is_shown_before_enter_keeps_it_and_one_key_takes_it_back(tmp_path):
    here = opened(tmp_path, None, FORD)
    before = dict(here.table.campaign.roster)
    async with running(here) as pilot:
        await pilot.press("R", "c")
        here.post_message(Paste(BLOCK.replace("Gnarl", "Gn\x1b[31marl")))
        await pilot.press("home")
        assert "Enter keeps it" in text_of(here)
        assert "Hit Points 7 (2d6) → max hp 7" in " ".join(text_of(here).split())
        assert here.table.campaign.roster == before
        await pilot.press("escape", "c")
        assert here.table.campaign.roster == before
        here.post_message(Paste(BLOCK))
        await pilot.press("enter")
        assert here.sentence == "Kept Gnarl. z undoes it."
        assert here.table.campaign.roster["gnarl"].sheet.max_hp == 7
        assert here.screen.form.border_title == "Gnarl"
        await pilot.press("z")
        assert here.sentence == "Gnarl is removed again."
        assert here.table.campaign.roster == before


async def test_a_block_may_be_pasted_half_by_half_and_a_list_of_names_stays_one(tmp_path):
    half = BLOCK.index("Senses")
    here = opened(tmp_path, None, FORD)
    async with running(here) as pilot:
        await pilot.press("R", "c", *"Gnarl")
        here.post_message(Paste(BLOCK[len("Gnarl\n") : half]))
        here.post_message(Paste(BLOCK[half:]))
        await pilot.press("enter")
        notes = here.table.campaign.roster["gnarl"].sheet.notes or ""
        weapons = [weapon.name.casefold() for weapon in here.table.campaign.roster["gnarl"].sheet.weapons]
        assert "Scimitar" in notes or "scimitar" in weapons
        await pilot.press("c")
        here.post_message(Paste("Sera\nBram"))
        await pilot.press("enter")
        assert "Created Sera and Bram" in here.sentence


async def test_an_existing_creature_is_replaced_only_if_asked(tmp_path):
    here = opened(tmp_path, None, FORD)
    goblin = BLOCK.replace("Gnarl", "Goblin")
    async with running(here) as pilot:
        before = here.table.campaign.roster["goblin"].sheet.max_hp
        await pilot.press("R", "c")
        here.post_message(Paste(goblin.replace("7 (2d6)", "77")))
        await pilot.press("enter")
        assert here.sentence == "Nothing in it can be kept; Esc closes."
        assert f"max hp: {before} here, 77 in the import" in text_of(here)
        await pilot.press("tab", "tab", "enter")
        assert here.table.campaign.roster["goblin"].sheet.max_hp == 77
        await pilot.press("z")
        assert here.table.campaign.roster["goblin"].sheet.max_hp == before


async def test_the_file_of_another_tracker_can_be_pasted_in_two_pieces_too(tmp_path):
    here = opened(tmp_path, None, FORD)
    text = json.dumps(LIBRARY, indent=1)
    async with running(here) as pilot:
        await pilot.press("R", "c")
        here.post_message(Paste(text[:300]))
        await pilot.press("home")
        assert "ends in the middle" in here.sentence
        here.post_message(Paste(text[300:]))
        await pilot.press("home")
        assert "2 creatures: 2 " in text_of(here)
        await pilot.press("enter")
        assert here.sentence == "Kept Bog Hag and Mirelle. z undoes it."


async def test_a_pack_is_compared_before_enter_keeps_it_and_one_key_takes_it_back(tmp_path):
    done = affray("export", FORD, "--pack", tmp_path / "pack.toml", "--campaigns", tmp_path)
    pack = (tmp_path / "pack.toml").read_text().replace('"Goblin"', '"Bog goblin"')
    here = opened(tmp_path, None, FORD)
    before = load(here.table.campaign.path)
    async with running(here) as pilot:
        await pilot.press("R", "c")
        here.post_message(Paste(pack))
        await pilot.press("home")
        assert "Bog goblin: added to the roster" in text_of(here), done
        assert here.table.campaign.roster == before.roster
        await pilot.press("enter")
        assert here.sentence.startswith("The pack is kept. Night raid")
        assert "bog-goblin" in {*here.table.campaign.roster, *load(before.path).roster}
        await pilot.press("z")
        assert here.sentence == "The import of the pack is undone."
        after = load(before.path)
        assert (after.roster, [*after.encounters]) == (before.roster, [*before.encounters])
        assert here.table.campaign.roster == before.roster


def test_the_readers_of_stat_blocks_are_loaded_when_something_is_pasted_and_not_before():
    code = "import sys, tui.screens.roster.screen, tui.linear.program; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "tui.screens.roster.new_entry" in loaded
    for name in ("systems.stat_blocks", "tui.campaign.importing", "defusedxml"):
        assert name not in loaded
