"""Work that takes long: the screen stays alive, tells how far it is, and Escape stops it."""

from threading import Event
from typing import Any

import pytest

from tests.tui.opened import copied, opened
from tests.tui.pilot import BRIEF, running
from tests.tui.table import text_of
from tui.campaign.progress import counted
from tui.controllers import long_work
from tui.controllers.long_work import LongWork
from tui.screens.log import screen as log_screen
from tui.session import opening
from tui.widgets import log_lines


@pytest.fixture(autouse=True)
def nothing_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_work, "PATIENCE", 0.0)
    # The pilot waits for short timers, and here it is to press a key before they are over.
    monkeypatch.setattr(long_work, "BETWEEN", BRIEF)


async def test_long_work_shows_its_progress_and_typed_keys_are_handled_after_it(tmp_path) -> None:
    here, goes_on, found = opened(tmp_path, "north-gate"), Event(), []
    async with running(here) as pilot:

        def work(tell: Any) -> str:
            tell(12_000, 50_000)
            goes_on.wait(10)
            return "done"

        LongWork(here.services, "Counting", work, done=found.append).go()
        await pilot.until(lambda: "Counting: 12,000 of 50,000 · Esc stops" in text_of(here))
        await pilot.press("n")
        assert not here.table.session.encounter.progress.round
        goes_on.set()
        await pilot.until(lambda: found == ["done"])
        await pilot.until(lambda: here.table.session.encounter.progress.round == 1)
        here.table.fight.close()


async def test_the_progress_of_long_work_takes_one_row_and_keeps_the_log_visible(tmp_path) -> None:
    here, goes_on = opened(tmp_path, "north-gate"), Event()
    async with running(here) as pilot:
        here.services.command("start")
        here.services.command("note hear ye")
        LongWork(here.services, "Counting", lambda tell: goes_on.wait(10), done=lambda found: None).go()
        await pilot.until(lambda: "Counting: 0 s" in text_of(here))
        assert "hear ye" in text_of(here)
        goes_on.set()
        await pilot.until(lambda: "Counting" not in text_of(here))
        here.table.fight.close()


async def test_a_page_of_an_earlier_table_closes_while_the_next_loads_so_that_escape_stops_it(
    tmp_path, monkeypatch
) -> None:
    here, goes_on = opened(tmp_path, "north-gate"), Event()
    real = log_screen.encounter_after
    monkeypatch.setattr(log_screen, "encounter_after", lambda *words: goes_on.wait(10) and real(*words))
    async with running(here) as pilot:
        for line in ("start", "note hear ye"):
            here.services.command(line)
        await pilot.press("L", "v")
        goes_on.set()
        await pilot.until(lambda: "After event" in text_of(here))
        goes_on.clear()
        await pilot.press("up")
        await pilot.until(lambda: "Going back, events" in text_of(here))
        assert "After event" not in text_of(here)
        await pilot.press("escape")
        assert "Stopping" in text_of(here)
        goes_on.set()
        await pilot.until(lambda: "Stopping" not in text_of(here))
        here.table.fight.close()


async def test_escape_stops_work_at_the_next_step(tmp_path) -> None:
    here, goes_on, found = opened(tmp_path, "north-gate"), Event(), []
    async with running(here) as pilot:

        def work(tell: Any) -> None:
            for _ in counted(range(10_000), 10_000, tell):
                goes_on.wait(10)

        LongWork(here.services, "Counting", work, done=found.append).go()
        await pilot.until(lambda: "Counting: 0 of 10,000" in text_of(here))
        await pilot.press("escape")
        goes_on.set()
        await pilot.until(lambda: "Counting: stopped." in text_of(here))
        assert not found
        here.table.fight.close()


async def test_a_long_log_shows_the_progress_of_reading(tmp_path, monkeypatch) -> None:
    here, goes_on = opened(tmp_path, "north-gate"), Event()
    monkeypatch.setattr(log_screen, "MANY", 1)
    real = log_lines.rows_of
    monkeypatch.setattr(log_lines, "rows_of", lambda *words: goes_on.wait(10) and real(*words))
    async with running(here) as pilot:
        for line in ("start", "note hear ye", "next"):
            here.services.command(line)
        await pilot.press("L")
        await pilot.until(lambda: "Reading the log, events: 0 of 3" in text_of(here))
        goes_on.set()
        await pilot.until(lambda: "3 events" in text_of(here))
        assert "hear ye" in text_of(here)
        here.table.fight.close()


async def test_stopping_a_long_opening_keeps_the_open_fight(tmp_path, monkeypatch) -> None:
    copied(tmp_path)
    here, goes_on, real = opened(tmp_path, "north-gate"), Event(), opening.read_log
    async with running(here) as pilot:
        await pilot.press("n", "C", "right", "down")

        def slow(*words: Any, tell: Any = lambda done, of: None, **more: Any) -> Any:
            if not goes_on.is_set():
                tell(1, 50_000)
                goes_on.wait(10)
                tell(2, 50_000)
            return real(*words, **more)

        monkeypatch.setattr(opening, "read_log", slow)
        await pilot.press("enter")
        await pilot.until(lambda: "Opening, events: 0 of 50,000" in text_of(here))
        await pilot.press("escape")
        goes_on.set()
        await pilot.until(lambda: "The other fight was not opened." in text_of(here))
        assert here.table.fight.encounter == "north-gate"
        await pilot.press("I", "n")
        assert here.table.session.log.events[-1].command == "next"
        here.table.fight.close()
