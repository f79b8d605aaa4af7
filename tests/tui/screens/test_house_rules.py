"""The page of house rules: their reasons, and changing them there."""

import tomllib

from tests.tui.opened import copied, opened
from tests.tui.pilot import running
from tests.tui.table import text_of


async def test_a_house_rule_is_changed_on_its_page_and_counts_at_once(tmp_path):
    path = copied(tmp_path) / "campaign.toml"
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press("V")
        text = " ".join(text_of(here).split())
        assert "House rules of Okado at the gate" in text
        assert "a result equal to the threshold passes" in text
        while here.screen.form.current.path != ("passive_penalty",):
            before = here.screen.form.cursor
            await pilot.press("down")
            assert here.screen.form.cursor != before
        assert "-5 for each passive resistance already used this round" in here.sentence
        await pilot.press("right")
        assert "it counts from now on" in here.sentence
        assert tomllib.loads(path.read_text())["house"] == {"passive_penalty": "flat"}
        assert "# What this table decides differently" in path.read_text()
        assert here.table.session.house.passive_penalty == "flat"
        assert here.table.session.encounter.house.passive_penalty == "flat"
        await pilot.press("delete")
        assert here.table.session.house.passive_penalty == "cumulative"
        await pilot.press("escape")
        assert here.screen.form.border_title == "Okado"
        here.table.background.read_changed()
        assert "changed outside" not in here.sentence
        here.table.fight.close()


async def test_who_only_looks_on_changes_no_house_rule(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        here.table.session.keeper = None
        before = here.table.campaign.house
        await pilot.press("V", "right")
        assert "only look on" in text_of(here)
        assert here.table.campaign.house == before
        here.table.fight.close()
