"""The odds of the fight are played in a process of their own, which lives as long as their page."""

import signal
from pathlib import Path

import pytest

from systems.forecast.tally import PLAYERS_TEMPERS, TEMPERS, Forecast, TemperOdds
from systems.forecast.turning import Turning, WinChance
from systems.frozen import evolve
from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import text_of
from tui.app import AffrayApp
from tui.controllers import forecasts as module
from tui.controllers import helper_process
from tui.screens.base import FightScreen
from tui.session.forecasts import ForecastAnswer


async def test_the_page_plays_the_fight_and_escape_ends_the_process(tmp_path: Path) -> None:
    async with running(opened(tmp_path), (80, 24)) as pilot:
        app = pilot.app
        await pilot.press("K")
        assert "Playing the fight" in text_of(app)
        process = app.background.open_forecasts().helper.process
        assert process is not None
        await pilot.until(lambda: "with sensible foes" in text_of(app))
        shown = text_of(app)
        assert "The players win" in shown
        assert "no movement" in shown
        # It narrows while the page is open.
        first = next(line for line in shown.splitlines() if " fights" in line)
        await pilot.until(lambda: "with sensible foes" in text_of(app) and first not in text_of(app))
        await pilot.press("escape")
        assert "The players win" not in text_of(app)
        assert app.background.open_forecasts().helper.process is None
        # Nobody else asks for its end, without which the system would keep it.
        await pilot.until(lambda: process.returncode is not None)


async def test_the_next_command_ends_the_process_and_a_failure_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helper_process, "HELP", "import time; time.sleep(1000)")
    app = opened(tmp_path)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("K")
        process = app.background.open_forecasts().helper.process
        assert process is not None
        await pilot.press("n")
        assert process.wait(10) < 0
        monkeypatch.setattr(helper_process, "HELP", "raise SystemExit(1)")
        await pilot.press("K")
        await pilot.until(lambda: "affray forecast says why" in text_of(app))


async def test_the_page_waits_until_a_few_fights_have_been_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helper_process, "HELP", "import time; time.sleep(1000)")
    app = opened(tmp_path)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("K")
        answer = app.background.open_forecasts().helper._answered
        answer(forecast_answer(1))
        assert "Playing the fight, 1 of 2,000 times so far …" in text_of(app)
        answer(forecast_answer(8))
        await pilot.until(lambda: "50% ± 28 with sensible foes" in text_of(app))


def forecast_answer(fights: int) -> ForecastAnswer:
    """Return a helper's answer after fights of which the players won half."""
    odds = TemperOdds(fights // 2, fights)
    sensible = Forecast(dict.fromkeys(TEMPERS, odds), fights, {4: fights}, {}, 0, {})
    return ForecastAnswer(forecast=evolve(sensible, players=dict.fromkeys(PLAYERS_TEMPERS, odds)))


async def test_after_the_fight_the_page_says_where_it_turned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FEW_FIGHTS", 5)
    app = opened(tmp_path)
    assert app.table.session is not None
    for line in ("start", *["next"] * 6, "end"):
        app.table.session.do(line)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("K")
        await pilot.until(lambda: "The players' chance to win, with sensible foes" in text_of(app))
        assert "at the end" in text_of(app)
        assert not app.background.open_forecasts().helper.is_working
        # The recap on the log screen shows it too, until the fight is no longer over.
        session = app.table.session
        await pilot.press("escape", "L", "s")
        await pilot.until(lambda: "Recap" in text_of(app))
        assert "at the end" in page_of(app)
        assert session is not None
        session.do("undo")
        assert app.background.open_forecasts().turning_rows(session, 80) == []


async def test_on_the_log_screen_k_says_where_a_finished_fight_turned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helper_process, "HELP", "import time; time.sleep(1000)")
    app = opened(tmp_path)
    assert app.table.session is not None
    for line in ("start", *["next"] * 6, "end"):
        app.table.session.do(line)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("L", "s")
        await pilot.until(lambda: "K plays the fight again" in page_of(app))
        await pilot.press("K")
        helper = app.background.open_forecasts().helper
        assert "Playing the fight" in text_of(app)
        helper._answered(ForecastAnswer(turning=Turning((WinChance(0, 1, 0.9, 0.1),) * 2, 3, -20.0, 14.0)))
        await pilot.until(lambda: "It turned most in round 1, −20 ± 14 points" in text_of(app))


def page_of(app: AffrayApp) -> str:
    """Return all lines of the open page, also those below the fold."""
    assert isinstance(app.screen, FightScreen)
    return "\n".join("".join(text for text, _ in row) for row in app.screen.panel.rows)


async def test_a_prepared_fight_shows_its_odds_and_what_one_more_creature_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IDLE", 0.0)
    monkeypatch.setattr(module, "LINE_FIGHTS", 10)
    app = opened(tmp_path)
    async with running(app, (80, 24)) as pilot:
        helper = app.background.open_forecasts().line_helper
        app.services.show_change()
        # Only forecasts of equally many fights are compared, so this one has to be complete.
        await pilot.until(lambda: "The players win" in text_of(app) and not helper.is_working)
        assert "a character falls" in text_of(app)
        # The page leaves a complete line alone.
        await pilot.press("K", "escape")
        assert not helper.is_working
        app.services.command("add veteran x3")
        await pilot.until(lambda: "The players win" not in text_of(app))
        # The foes are stronger, and the dice of the others are the same.
        await pilot.until(lambda: " (−" in text_of(app))
        await pilot.press("n")
        assert "The players win" not in text_of(app)


async def test_the_page_plays_for_the_line_too_which_goes_on_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IDLE", 0.0)
    monkeypatch.setattr(helper_process, "HELP", "import time; time.sleep(1000)")
    app = opened(tmp_path)
    async with running(app, (80, 24)) as pilot:
        forecasts = app.background.open_forecasts()
        app.services.show_change()
        await pilot.until(lambda: forecasts.line_helper.is_working)
        # If somebody kills it, another one plays.
        killed = forecasts.line_helper.process
        assert killed is not None
        killed.send_signal(signal.SIGKILL)
        await pilot.until(lambda: forecasts.line_helper.process not in {None, killed})
        await pilot.press("K")
        assert (forecasts.helper.is_working, forecasts.line_helper.process) == (True, None)
        forecasts.helper._answered(forecast_answer(60))
        await pilot.until(lambda: "The players win 50% ± 12," in text_of(app))
        await pilot.press("escape")
        assert (forecasts.helper.process, forecasts.line_helper.is_working) == (None, True)
        # It begins again with the first fight, so what is shown stays until more is known.
        forecasts.line_helper._answered(forecast_answer(50))
        assert "The players win 50% ± 12," in text_of(app)
        forecasts.line_helper._answered(forecast_answer(100))
        await pilot.until(lambda: "The players win 50% ± 10," in text_of(app))


async def test_a_prepared_fight_shows_how_many_fights_are_played_until_the_margin_is_useful(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IDLE", 0.0)
    monkeypatch.setattr(helper_process, "HELP", "import time; time.sleep(1000)")
    app = opened(tmp_path)
    async with running(app, (60, 20)) as pilot:
        forecasts = app.background.open_forecasts()
        app.services.show_change()
        await pilot.until(lambda: "Playing the fight." in text_of(app))

        def answer(fights: int) -> None:
            forecasts.line_helper._answered(forecast_answer(fights))

        answer(2)
        await pilot.until(lambda: "Playing the fight, 2 of 200 times so far." in text_of(app))
        answer(60)
        await pilot.until(lambda: "The players win 50% ± 12," in text_of(app))
        # A note changes nothing that is played.
        app.services.command("note the torches burn")
        await pilot.until(lambda: "torches" in text_of(app))
        assert "The players win 50% ± 12," in text_of(app)
        # With the difference to the fight before, it takes two rows.
        app.services.command("add guard")
        await pilot.until(lambda: "Playing the fight." in text_of(app))
        answer(50)
        await pilot.until(lambda: "The players win 50% ± 13 (0 ± 4), a character falls 0%, 4" in text_of(app))
        assert "   rounds." in text_of(app)
