"""Delete, copy and rename campaigns and encounters by keys; nothing is lost by it."""

from contextlib import closing

import pytest
from textual.events import Paste

from systems.errors import InputError
from tests.tui.opened import copied, opened
from tests.tui.pilot import running
from tests.tui.table import text_of
from tui.campaign import lock
from tui.campaign.campaign import load
from tui.campaign.encounters import encounters_of
from tui.campaign.rearrange import copy_encounter, next_title, rename_encounter, writing
from tui.session.opening import open_fight


def titles(folder):
    return sorted(info.title for info in encounters_of(folder)[0].values())


async def test_a_campaign_is_deleted_restored_copied_and_renamed(tmp_path):
    other = copied(tmp_path, "the-toll-road")
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("C", "minus")
        assert "is open" in here.sentence
        here.screen.find("toll")
        assert here.screen.list.current.name == other.name
        await pilot.press("minus")
        assert not other.exists()
        assert "z undoes it" in here.sentence
        await pilot.press("z")
        assert load(other).title == "The toll road"
        assert here.screen.list.current.name == other.name
        await pilot.press("r", "ctrl+u", *"The chain", "enter")
        assert load(other).title == "The chain"
        assert "# What this table decides" in (other / "campaign.toml").read_text()
        await pilot.press("d", "enter")
        copy = tmp_path / "campaigns" / "the-toll-road-copy"
        assert load(copy).title == "The chain (copy)"
        assert titles(copy) == titles(other)
        assert here.screen.list.current.name == copy.name
        await pilot.press("d", "ctrl+u", *"the-toll-road", "enter")
        assert "A folder the-toll-road already exists" in " ".join(text_of(here).split())
        await pilot.press("ctrl+u", *"the-toll-road-copy at night", "enter")
        assert load(other.parent / "the-toll-road-copy at night").title == "the-toll-road-copy at night"
        here.table.fight.close()


async def test_a_fight_starts_again_as_a_copy_next_to_the_played_one(tmp_path):
    here = opened(tmp_path, "north-gate")
    here.table.session.do("start")
    folder = here.table.campaign.path
    async with running(here) as pilot:
        await pilot.press("C", "right")
        assert here.screen.encounters.current.id == "north-gate"
        await pilot.press("s")
        assert here.screen.encounters.current.title == "North gate (2)"
        again = encounters_of(folder)[0]["north-gate-2"]
        assert again.state == "prepared"
        await pilot.press("enter")
        assert here.table.fight.encounter == "north-gate-2"
        assert not here.table.session.log.events
        assert len(list(here.table.session.encounter)) > 1
        here.table.fight.close()
    assert encounters_of(folder)[0]["north-gate"].state == "running"


async def test_a_fight_starts_again_with_the_combatants_added_before_its_first_turn(tmp_path):
    here = opened(tmp_path, "north-gate")
    session, folder = here.table.session, here.table.campaign.path
    for line in ("add wolf x2", "remove tamsin", "start", "add raider-captain as Late", "damage wolf-4 5"):
        session.do(line)
    async with running(here) as pilot:
        await pilot.press("C", "right", "s", "enter")
        names = [combatant.name for combatant in here.table.session.encounter]
        assert "Wolf 5" in names
        assert "Tamsin" not in names
        assert "Late" not in names
        assert not here.table.session.encounter.progress.round
        assert here.table.session.encounter.progress.title == "North gate (2)"
        here.table.fight.close()
    with closing(open_fight(folder, "north-gate-2")) as again:
        sheets = {combatant.name: combatant.sheet for combatant in again.session.encounter}
        assert sheets["Wolf 4"] == sheets["Wolf 5"]


async def test_an_encounter_is_renamed_while_it_is_open_and_another_deleted(tmp_path):
    here = opened(tmp_path, "north-gate")
    folder = here.table.campaign.path
    async with running(here) as pilot:
        await pilot.press("C", "right", "r", "ctrl+u", *"South gate", "enter")
        assert "South gate" in titles(folder)
        for key in ("r", "d"):
            await pilot.press(key)
            here.post_message(Paste("x" * 300))
            await pilot.press("enter")
            assert "at most 80 characters, and this has 3" in " ".join(text_of(here).split())
            await pilot.press("escape")
        await pilot.press("minus")
        assert "is open" in here.sentence
        await pilot.press("d", "enter")
        assert here.screen.encounters.current.title == "South gate (copy)"
        await pilot.press("minus")
        assert "South gate (copy)" not in titles(folder)
        await pilot.press("z")
        assert here.screen.encounters.current.title == "South gate (copy)"
        await pilot.press("I")
        assert "South gate" in text_of(here).splitlines()[0]
        here.table.background.read_changed()
        assert "changed outside" not in here.sentence
        here.table.fight.close()
    assert load(folder).problems == ()


async def test_a_sample_is_not_changed(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("C", "end")
        assert here.screen.list.current.sample
        for key in ("minus", "r", "d"):
            await pilot.press(key)
            assert "amples can't be changed" in here.sentence
        here.table.fight.close()


def test_a_copy_of_a_fight_has_all_its_events_and_the_original_stays_open(tmp_path):
    folder = copied(tmp_path)
    with closing(open_fight(folder, "north-gate")) as fight:
        fight.session.do("start")
        fight.session.do("note so far")
    assert copy_encounter(folder, "north-gate", "What if") == "what-if"
    campaign = load(folder)
    assert campaign.encounters["what-if"].n == campaign.encounters["north-gate"].n == 2
    assert campaign.current == "north-gate"
    with closing(open_fight(folder, "what-if")) as fight:
        assert fight.session.encounter.progress.title == "What if"
    rename_encounter(folder, "what-if", "Or so")
    assert load(folder).problems == ()


def test_a_campaign_open_in_another_program_is_not_changed(tmp_path, monkeypatch):
    folder = copied(tmp_path)
    monkeypatch.setattr(lock, "_flock", lambda descriptor: False)
    with pytest.raises(InputError, match="open in another program"), writing(folder):
        pass


@pytest.mark.parametrize(
    ("title", "taken", "new"),
    [("Gate", [], "Gate (2)"), ("Gate (2)", ["Gate (2)"], "Gate (3)"), ("Gate", ["Gate (2)"], "Gate (3)")],
)
def test_the_next_title_is_the_first_free_one(title, taken, new):
    assert next_title(title, taken) == new
