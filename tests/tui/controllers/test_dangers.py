"""Danger is calculated in a process of its own, and the screens show it once it is known."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from systems.forecast.danger import danger_of
from tests.tui.opened import opened
from tests.tui.pilot import Pilot, running
from tests.tui.table import text_of
from tui.app import AffrayApp
from tui.controllers import dangers as module
from tui.controllers import helper_process
from tui.controllers.dangers import Dangers


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "IDLE", 0.0)


@asynccontextmanager
async def fight(folder: Path, *lines: str, width: int = 130) -> AsyncIterator[tuple[AffrayApp, Pilot]]:
    """The sample at its gate after these lines, with its dangers."""
    app = opened(folder)
    assert app.table.session is not None
    for line in lines:
        app.table.session.do(line)
    async with running(app, (width, 36)) as pilot:
        app.background.open_dangers()
        yield app, pilot


def dangers_in(app: AffrayApp) -> Dangers:
    assert app.table.dangers is not None
    return app.table.dangers


def row_of(app: AffrayApp, name: str) -> str:
    return next(line for line in text_of(app).splitlines() if f"● {name}" in line)


async def test_a_likely_fall_is_in_the_order_and_its_foes_are_on_the_card(tmp_path: Path) -> None:
    async with fight(tmp_path, "start", "next") as (app, pilot):
        assert "†" not in text_of(app)
        await pilot.until(lambda: "†" in text_of(app))
        assert "†>99%" in row_of(app, "Tamsin")
        # Okado's danger is below 25%.
        assert "†" not in row_of(app, "Okado")
        shown = text_of(app)
        assert ">99% if all go for Tamsin" in shown
        assert "Guard 2 92%" in shown
        # The numbers of the sheet come after it, so that a full card hides them first.
        assert shown.index("if all go for Tamsin") < shown.index("sword ")


async def test_free_rows_say_what_the_next_two_would_most_likely_do(tmp_path: Path) -> None:
    async with fight(tmp_path, "start", "next", width=140) as (app, pilot):
        await pilot.until(lambda: "Most likely next" in text_of(app))
        shown = text_of(app)
        assert "Guard 1: attack Tamsin, sword  98%" in shown
        assert "Guard 2: attack Tamsin, sword  98%" in shown
        # A key takes them away until they are calculated for the new state of the fight.
        await pilot.press("n")
        assert "Guard 1 attack" not in text_of(app)


async def test_the_screen_shows_what_this_process_would_calculate(tmp_path: Path) -> None:
    async with fight(tmp_path, "start", "next") as (app, pilot):
        session = app.table.session
        assert session is not None
        await pilot.until(lambda: app.table.dangers and app.table.dangers.shown(session.encounter))
        assert app.table.dangers is not None
        found = app.table.dangers.shown(session.encounter)
        assert {*found} == {"okado", "tamsin"}
        for who, danger in found.items():
            own = danger_of(session.encounter, who, None)  # type: ignore[arg-type]  # exact: no dice
            assert own is not None
            assert danger.chance == pytest.approx(own.chance)


async def test_a_change_takes_the_danger_away_until_it_is_known_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with fight(tmp_path, "start", "next") as (app, pilot):
        await pilot.until(lambda: "†" in text_of(app))
        first = dangers_in(app).helper.process
        monkeypatch.setattr(module, "IDLE", 1000.0)
        await pilot.press("n")
        assert "†" not in row_of(app, "Tamsin")
        dangers_in(app)._ask()
        await pilot.until(lambda: "†" in text_of(app))
        # The same process has read the new event.
        assert dangers_in(app).helper.process is first


async def test_a_change_ends_a_calculation_and_leaving_ends_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = helper_process.HELP
    monkeypatch.setattr(helper_process, "HELP", "import time; time.sleep(1000)")
    async with fight(tmp_path, "start", "next") as (app, pilot):
        await pilot.until(lambda: dangers_in(app).helper.is_working)
        first = dangers_in(app).helper.process
        assert first is not None
        monkeypatch.setattr(helper_process, "HELP", start)
        await pilot.press("n")
        assert first.wait(10) < 0
        await pilot.until(lambda: "†" in text_of(app))
        second = dangers_in(app).helper.process
        assert second is not None
    assert second.wait(10) < 0


@pytest.mark.parametrize("lines", [(), ("start", "end")])
async def test_a_fight_that_is_not_being_played_starts_no_process(
    tmp_path: Path, lines: tuple[str, ...]
) -> None:
    async with fight(tmp_path, *lines) as (app, pilot):
        await pilot.until(lambda: not dangers_in(app).is_calculating)
        assert dangers_in(app).helper.process is None


async def test_a_process_that_fails_is_started_a_few_times_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helper_process, "HELP", "raise SystemExit(1)")
    async with fight(tmp_path, "start") as (app, pilot):
        await pilot.until(lambda: not dangers_in(app).is_calculating)
        assert not dangers_in(app).helper.can_work
        await asyncio.sleep(0)
        assert dangers_in(app).helper.process is None


async def test_the_status_screen_names_the_share_of_each_foe(tmp_path: Path) -> None:
    async with fight(tmp_path, "start", "next", width=80) as (app, pilot):
        await pilot.until(lambda: "†" in text_of(app))
        await pilot.press("S")
        shown = text_of(app)
        assert ">99% if all go for Tamsin" in shown
        assert "Guard 2 92% (sword)" in shown
        assert "no movement, no healing, no reactions" in shown


async def test_the_line_danger_shows_a_page_and_writes_no_event(tmp_path: Path) -> None:
    async with fight(tmp_path, "start", "next") as (app, pilot):
        session = app.table.session
        assert session is not None
        events, before = len(session.log.events), session.encounter
        await pilot.until(lambda: "†" in text_of(app))
        await pilot.press(":", *"danger", "enter")
        assert "16% if all go for Okado: Guard 2 <1% (sword)" in text_of(app)
        assert len(session.log.events) == events
        # Views for seats are made of the encounter alone.
        assert session.encounter is before


async def test_the_line_danger_before_the_fight_says_that_there_is_none(tmp_path: Path) -> None:
    async with fight(tmp_path) as (app, pilot):
        await pilot.until(lambda: not dangers_in(app).is_calculating)
        await pilot.press(":", *"danger", "enter")
        assert app.sentence == "The fight has not begun: there is no danger yet."


async def test_tab_completes_the_words_that_only_show_something(tmp_path: Path) -> None:
    async with fight(tmp_path) as (app, pilot):
        await pilot.press(":", *"fore")
        assert "how likely the players win, by playing the fight many times" in text_of(app)
        await pilot.press("tab")
        assert ": forecast" in text_of(app)
