"""The first minutes: empty places lead to what fills them, and the footer says what can be done."""

from tests.command import affray
from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import text_of
from tui.app import AffrayApp
from tui.campaign.encounters import folder_of
from tui.session.opening import open_fight


def made(folder, system: str = "simple") -> AffrayApp:
    """The program on a campaign that was just made."""
    affray("new", "ford", "--system", system, "--campaigns", folder / "campaigns")
    fight = open_fight(folder / "campaigns" / "ford", None, seed=1)
    app = AffrayApp(campaign=fight.campaign, session=fight.session)
    app.table.fight, app.table.folder = fight, str(folder / "campaigns")
    return app


def footer(here: AffrayApp) -> str:
    return text_of(here).splitlines()[-1]


async def test_enter_alone_leads_from_an_empty_campaign_to_the_first_turn(tmp_path):
    here = made(tmp_path)
    async with running(here) as pilot:
        assert "Enter creates the first character" in text_of(here)
        assert footer(here).startswith(" + add  R roster")
        assert "attack" not in footer(here)
        await pilot.press("enter", *"Mira hp 20; Bran", "enter", "I")
        assert "No combatants yet: press Enter to" in text_of(here)
        await pilot.press("enter", *"party", "enter")
        assert len(list(here.table.session.encounter)) == 2
        assert footer(here).startswith(" n begin  + add")
        assert "a attack" not in footer(here)
        await pilot.press("n")
        assert "a attack" in footer(here)
        assert "n next" in footer(here)
        here.table.fight.close()


async def test_no_screen_of_an_empty_campaign_offers_an_impossible_action(tmp_path):
    here = made(tmp_path)
    async with running(here) as pilot:
        await pilot.press("L")
        assert "Enter adds combatants, then n begins the fight" in text_of(here)
        assert footer(here).split("  ") == [" R roster", ": command", "Esc order", "? help"]
        await pilot.press("S")
        assert "next sheet" not in footer(here)
        await pilot.press("L", "enter", *"Mira hp 20; Bran", "enter", "L", "enter", *"mira", "enter", "L")
        assert footer(here).startswith(" n begin  / find  Enter unfold")
        here.table.fight.close()


async def test_the_roster_offers_undo_and_saving_only_after_a_change(tmp_path):
    here = made(tmp_path)
    async with running(here, (120, 30)) as pilot:
        await pilot.press("R")
        assert "undo" not in footer(here)
        assert "save to roster" not in footer(here)
        await pilot.press("c", *"Mira hp 20; Bran", "enter")
        assert "z undo" in footer(here)
        assert "save to roster" not in footer(here)
        await pilot.press("plus", "enter")
        assert "w save to roster" in footer(here)
        await pilot.press("z")
        assert "undo" not in footer(here)
        here.table.fight.close()


async def test_a_read_only_program_offers_only_keys_that_show_something(tmp_path):
    here = opened(tmp_path, "north-gate")
    folder = here.table.campaign.path
    looks = AffrayApp(campaign=here.table.campaign, session=open_fight(folder, None, or_watch=True).session)
    async with running(looks) as pilot:
        assert footer(looks) == " R roster  L log  S status  Ctrl+T take over  ? help"
        await pilot.press("R")
        assert not [word for word in ("new", "copy", "undo", "to fight") if word in footer(looks)]
        await pilot.press("I")
        await pilot.press("L")
        assert "next" not in footer(looks)
        assert "S status" in footer(looks)
    here.table.fight.close()


async def test_undo_is_offered_only_after_a_command(tmp_path):
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        assert "u undo" not in footer(here)
        await pilot.press("n")
        assert "u undo" in footer(here)
        await pilot.press("u")
        assert "u undo" not in footer(here)
        here.table.fight.close()


async def test_enter_prepares_an_encounter_if_there_is_none(tmp_path):
    here = made(tmp_path)
    async with running(here) as pilot:
        folder = folder_of(here.table.campaign.path, "first")
        await pilot.press("C")
        folder.rename(tmp_path / "away")
        here.screen.refresh_all()
        await pilot.press("right", "enter")
        assert "Title of the new encounter" in text_of(here)
        await pilot.press("escape", "escape", "enter")
        assert "Title of the new encounter" in text_of(here)
        (tmp_path / "away").rename(folder)
        here.table.fight.close()
