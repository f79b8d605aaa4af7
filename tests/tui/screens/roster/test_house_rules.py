"""The page of house rules: their reasons, and changing them there."""

import tomllib

import pytest

from tests.tui.opened import copied, opened
from tests.tui.pilot import running
from tests.tui.table import text_of


async def test_a_house_rule_changed_on_its_page_takes_effect_at_once(tmp_path):
    path = copied(tmp_path) / "campaign.toml"
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press("V")
        text = " ".join(text_of(here).split())
        assert "House rules of Okado at the gate" in text
        assert "The table" in text
        await pilot.press("down", "down", "down")
        assert "A result equal to the threshold" in text_of(here)
        while here.screen.form.current.path != ("passive_penalty",):
            before = here.screen.form.cursor
            await pilot.press("down")
            assert here.screen.form.cursor != before
        assert here.sentence == "one of cumulative, flat · default: cumulative"
        assert "−5 for each passive resistance" in text_of(here)
        await pilot.press("right")
        assert "in force from now on" in here.sentence
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


async def test_a_read_only_program_cannot_change_house_rules(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        here.table.session.writer = None
        before = here.table.campaign.house
        await pilot.press("V", "right")
        assert "only watch" in text_of(here)
        assert here.table.campaign.house == before
        here.table.fight.close()


async def to_row(pilot, here, *path):
    while here.screen.form.current.path != path:
        before = here.screen.form.cursor
        await pilot.press("down")
        assert here.screen.form.cursor != before


async def test_a_changed_house_rule_is_undone_like_any_change_to_the_roster(tmp_path):
    path = copied(tmp_path) / "campaign.toml"
    before = path.read_bytes()
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press("V")
        await to_row(pilot, here, "passive_penalty")
        await pilot.press("right")
        assert "z undoes it" in " ".join(text_of(here).split())
        await pilot.press("escape", "z")
        assert here.sentence == "Passive penalty is cumulative again."
        assert here.table.session.encounter.house.passive_penalty == "cumulative"
        assert path.read_bytes() == before
        await pilot.press("z")
        assert "no change" in here.sentence
        here.table.fight.close()


async def test_table_settings_are_changed_on_the_page_of_house_rules(tmp_path):
    path = copied(tmp_path) / "campaign.toml"
    here = opened(tmp_path, "north-gate")
    async with running(here) as pilot:
        await pilot.press("V")
        assert "The table" in text_of(here)
        assert "the game's own  The turn order" in text_of(here)
        await to_row(pilot, here, "table order")
        assert "default: the game's own" in here.sentence
        await pilot.press("enter", *"sides", "enter")
        assert here.table.session.encounter.style == "sides"
        await to_row(pilot, here, "table players")
        await pilot.press(*"heroes", "enter")
        assert here.table.session.encounter.players == "heroes"
        await to_row(pilot, here, "seats foes")
        await pilot.press("right")
        saved = tomllib.loads(path.read_text())
        assert saved["table"] == {"dice": "program", "order": "sides", "players": "heroes"}
        assert saved["seats"]["foes"] == "figures"
        await pilot.press("escape", "z", "z", "z")
        assert here.table.session.encounter.style == here.table.campaign.ruleset.order(
            here.table.campaign.house
        )
        assert here.table.session.encounter.players == "players"
        assert tomllib.loads(path.read_text())["table"] == {"dice": "program"}
        here.table.fight.close()


async def test_an_invalid_setting_shows_its_error_at_its_row(tmp_path):
    copied(tmp_path)
    here = opened(tmp_path)
    async with running(here, (140, 40)) as pilot:
        await pilot.press("V")
        await to_row(pilot, here, "seats port")
        await pilot.press(*"99999", "enter")
        row = next(line for line in text_of(here).splitlines() if "99999" in line)
        assert "from 1 to 65535" in row
        here.table.fight.close()


@pytest.mark.parametrize(
    ("symbols", "on", "off"), [("symbols", "━● on", "○━ off"), ("letters", "[x] on", "[ ] off")]
)
async def test_a_rule_is_a_sentence_with_a_switch_and_space_switches_it(
    symbols, on, off, tmp_path, monkeypatch
):
    monkeypatch.setenv("AFFRAY_SYMBOLS", symbols)
    copied(tmp_path)
    here = opened(tmp_path)
    async with running(here, (140, 40)) as pilot:
        await pilot.press("V")
        line = next(line for line in text_of(here).splitlines() if "A result equal" in line)
        assert on in line
        assert "tie passes" not in text_of(here)
        await to_row(pilot, here, "tie_passes")
        await pilot.press("space")
        line = next(line for line in text_of(here).splitlines() if "A result equal" in line)
        assert off in line
        assert here.table.campaign.house.tie_passes is False
        assert "Space switch" in text_of(here)
        here.table.fight.close()


async def test_space_opens_a_rule_that_is_a_text_with_its_value(tmp_path):
    copied(tmp_path)
    here = opened(tmp_path)
    async with running(here, (140, 40)) as pilot:
        await pilot.press("V")
        await to_row(pilot, here, "table players")
        await pilot.press("space")
        assert f"[{here.table.campaign.table.players}" in text_of(here)
        await pilot.press("escape")
        here.table.fight.close()


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 40)])
async def test_sentences_of_rules_are_wrapped_never_cut(size, tmp_path):
    copied(tmp_path)
    here = opened(tmp_path)
    async with running(here, size) as pilot:
        await pilot.press("V")
        form = here.screen.form
        cells = form.scrollable_content_region.width
        seen = " ".join(
            " ".join("".join(text for text, _ in form.row(at, cells)) for at in range(form.count)).split()
        )
        for field in here.screen.form._fields.values():
            assert all(word in seen for word in field.help.split()[1:])
        await pilot.press("end", "home", "pagedown", "pageup")
        assert form.stops(form.cursor)
        await pilot.resize(100, 30)
        assert form.stops(form.cursor)
        assert form.cursor < form.count
        here.table.fight.close()
