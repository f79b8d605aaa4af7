"""The ends of a fight by keys: totals of initiative as it begins; its end, and the page that writes back."""

from tests.tui.opened import OKADO, opened
from tests.tui.pilot import running
from tests.tui.table import text_of
from tui.campaign.campaign import load
from tui.screens.end_of_fight import is_written_back


def fight(folder, *lines):
    here = opened(folder, "north-gate")
    for line in ("start", *lines):
        here.table.session.do(line)
    return here


def lives(folder):
    roster = load(folder / "campaigns" / OKADO).roster
    return roster["okado"].sheet.life, roster["tamsin"].sheet.life


async def test_if_a_side_is_down_the_end_is_offered_and_one_page_saves_the_party(tmp_path):
    here = fight(tmp_path, "damage okado 12", "damage tamsin 5", "remove wolf")
    async with running(here) as pilot:
        assert "ends the fight" not in text_of(here)
        await pilot.press("d", *"foes 99", "enter")
        assert "The foes are down. E ends the fight." in text_of(here)
        await pilot.press("E")
        assert here.table.session.encounter.progress.over
        assert "[x] Okado   life 52 → 40" in text_of(here)
        assert "Guard" not in text_of(here).split("Save to the roster?")[1]
        # Tamsin's line is left out, spoils are noted.
        await pilot.press("down", "space", "tab", *"okado: 30 gold", "enter")
        assert lives(tmp_path) == (40, 48)
        assert "30 gold" in load(tmp_path / "campaigns" / OKADO).roster["okado"].sheet.notes
        # What was left out is not offered again, and the footer tells what can be done now.
        assert "saves the party to the roster" not in text_of(here)
        footer = text_of(here).splitlines()[-1]
        assert footer.startswith(" E save to roster  u undo")
        assert "next" not in footer
        assert here.table.session.log.events[-1].command == "keep"
        await pilot.press("u")
        assert lives(tmp_path) == (52, 48)
        assert not is_written_back(here.table.session)
        await pilot.press("E", "enter")
        assert lives(tmp_path) == (40, 43)
        here.table.fight.close()


async def test_after_the_party_is_saved_only_a_note_can_be_written(tmp_path):
    here = fight(tmp_path, "end")
    async with running(here) as pilot:
        await pilot.press("E")
        assert "The party already matches the roster." in text_of(here)
        assert "Enter close without saving" in text_of(here)
        events = len(here.table.session.log.events)
        await pilot.press("enter")
        assert "already matches the roster" not in text_of(here)
        assert len(here.table.session.log.events) == events
        await pilot.press("E", *"okado: 30 gold")
        assert "Enter save the note" in text_of(here)
        await pilot.press("enter")
        assert "30 gold" in load(tmp_path / "campaigns" / OKADO).roster["okado"].sheet.notes
        here.table.fight.close()


async def test_a_fight_that_was_over_before_is_not_offered_to_the_roster_again(tmp_path):
    here = fight(tmp_path, "damage okado 12", "end")
    async with running(here) as pilot:
        assert "saves the party to the roster" in text_of(here)
        here.table.fight.close()
    again = opened(tmp_path, "north-gate")
    async with running(again) as pilot:
        assert "saves the party to the roster" not in text_of(again)
        await pilot.press("E")
        assert "[x] Okado  life 52 → 40" in text_of(again)
        again.table.fight.close()


async def test_if_no_side_is_down_the_end_is_confirmed_first(tmp_path):
    here = fight(tmp_path)
    async with running(here) as pilot:
        await pilot.press("E")
        assert "No side is down. End the fight?" in text_of(here)
        await pilot.press("escape")
        assert not here.table.session.encounter.progress.over
        await pilot.press("E", "enter")
        assert here.table.session.encounter.progress.over
        assert "The party already matches the roster." in text_of(here)
        here.table.fight.close()


async def test_with_real_dice_initiative_totals_are_typed_in_one_line(tmp_path):
    here = opened(tmp_path, "the-crossing", "the-goblin-ford")
    here.table.session.dice = "players"
    async with running(here) as pilot:
        await pilot.press("n", *"mi 41 tob")
        assert "the total of tob?" in text_of(here)
        await pilot.press(*" 39 yso 37", "enter")
        people = here.table.session.encounter.combatants
        called = [people[who].state.initiative for who in ("mira", "tobin", "ysolde")]
        assert called == [41, 39, 37], "above every goblin, so that nobody ties"
        assert here.table.session.encounter.progress.round == 1
        here.table.fight.close()


async def test_the_offer_to_end_the_fight_names_all_late_arrivals(tmp_path):
    here = fight(tmp_path, "add guard x2 in round 4", "damage foes 99")
    async with running(here) as pilot:
        assert "The foes are down; Wolf, Guard h2 and Guard h3 are still to arrive." in " ".join(
            text_of(here).split()
        )
        await pilot.press("E")
        assert "Wolf, Guard h2 and Guard h3 are still to arrive. End the fight?" in text_of(here)
        here.table.fight.close()


async def test_a_fallen_bystander_does_not_offer_the_end_and_the_question_names_the_fallen_side(tmp_path):
    here = fight(tmp_path)
    for line in ("add guard as Cook side=townsfolk", "damage cook 999"):
        here.table.session.do(line)
    async with running(here) as pilot:
        assert "are down" not in text_of(here)
        await pilot.press("E")
        assert "The townsfolk are down, but other sides are not. End the fight?" in text_of(here)
        await pilot.press("escape")
        assert not here.table.session.encounter.progress.over
        here.table.fight.close()


async def test_a_rest_is_offered_value_by_value_and_saved_in_one_step(tmp_path):
    here = fight(tmp_path, "damage okado 12", "damage tamsin 5", "end")
    async with running(here) as pilot:
        await pilot.press("E")
        text = text_of(here)
        assert "After a rest" in text
        kept, rests = text.split("After a rest")
        assert "[x] Okado   life 52 → 40" in kept
        assert "[ ] Okado   life 40 → 52" in rests
        assert "[ ] Tamsin  life 43 → 48" in rests
        # A rest for Okado alone: all of it is ticked, and Tamsin's line taken out again.
        await pilot.press("r", "up", "up", "down", "down", "down", "space")
        events = len(here.table.session.log.events)
        await pilot.press("enter")
        assert here.table.session.log.events[-1].typed == "keep all rest=okado.life"
        assert len(here.table.session.log.events) == events + 1
        assert lives(tmp_path) == (52, 43)
        assert here.table.session.encounter.combatants["okado"].sheet.life == 52
        await pilot.press("u")
        assert lives(tmp_path) == (52, 48)
        assert here.table.session.encounter.combatants["okado"].sheet.life == 40
        await pilot.press("E", "r", "enter")
        assert here.table.session.log.events[-1].typed == "keep all rest=all"
        assert lives(tmp_path) == (52, 48)
        await pilot.press("E")
        assert "The party already matches the roster." in text_of(here)
        here.table.fight.close()


async def test_longer_rests_are_ticked_one_after_another_and_the_dead_are_named(tmp_path):
    name = "the-bone-court"
    here = opened(tmp_path, None, name)
    for line in ("start", "set tamar stamina 0", "set tamar minor_physical 1", "set tamar hearts 2"):
        here.table.session.do(line)
    for line in ("set ragnor status dead", "end"):
        here.table.session.do(line)
    async with running(here, (100, 40)) as pilot:
        await pilot.press("E")
        text = text_of(here)
        assert text.index("After half an hour's rest") < text.index("After a day's rest")
        assert text.count("none: dead") == 1
        before, day = text.split("After a day's rest")
        assert "stamina 0 → " in before
        assert "hearts 2 → 3" in day
        assert "stamina" not in day
        assert "r: no rest" in text
        await pilot.press("r")
        assert "[ ] Tamar" in text_of(here).split("After a day's rest")[1]
        assert "r: half an hour's rest" in text_of(here)
        await pilot.press("r")
        assert "[ ]" not in text_of(here)
        assert "r: half an hour's rest and a day's rest" in text_of(here)
        await pilot.press("r")
        assert "[x]" not in text_of(here).split("After half an hour's rest")[1]
        await pilot.press("r", "r", "enter")
        sheet = here.table.session.encounter.combatants["tamar"].sheet
        assert (sheet.hearts, sheet.minor_physical) == (3, 0)
        here.table.fight.close()


async def test_a_click_on_a_heading_or_on_a_character_without_a_rest_ticks_nothing(tmp_path):
    here = opened(tmp_path, "north-gate")
    for line in ("start", "damage okado 99", "damage tamsin 5", "end"):
        here.table.session.do(line)
    async with running(here) as pilot:
        await pilot.press("E")
        prompt = here.services.prompts.current
        ticked = set(prompt.ticked)
        rows = [place for place, number in prompt._places.items() if number < 0]
        assert len(rows) == 2
        for row in rows:
            prompt.click(row)
        assert prompt.ticked == ticked
        here.table.fight.close()
