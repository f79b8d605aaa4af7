"""A mistake that nobody foresaw costs a key or a part of the screen, and shows no traceback."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from systems.contract.action import Action, Scene
from systems.contract.outcome import Outcome
from systems.contract.table import Table
from systems.frozen import evolve
from tests.command import PATIENCE, ROOT, environment
from tests.tui.pilot import running
from tests.tui.table import Play, app, at_the_gate, playing
from tui.display.order import OrderPainter
from tui.screens.initiative import InitiativeScreen
from tui.terminal.error_handling import error_summary


def _broken(*_: Any, **__: Any) -> Any:
    return ()[len(_)]


@contextmanager
def going_on(play: Play) -> Iterator[None]:
    play.app.goes_on = True
    yield
    assert play.app.is_running
    assert play.app._exception is None


async def test_an_error_in_a_key_is_reported_in_one_sentence_and_the_next_key_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with playing() as play:
        with going_on(play):
            monkeypatch.setattr(InitiativeScreen, "action_hide", _broken, raising=False)
            await play.press("v")
            assert "went wrong inside Affray" in play.app.sentence
            assert "IndexError in test_error_handling.py" in play.app.sentence
            assert "Everything reported as saved is saved" in play.app.sentence
            await play.press("n")
            assert play.last.typed == "next"


async def test_an_action_that_fails_changes_nothing_and_the_fight_goes_on() -> None:
    def run(scene: Scene[Any, Any, Any], table: Table) -> Outcome:
        raise ZeroDivisionError

    here = at_the_gate()
    game = evolve(here.game, actions=(*here.game.actions, Action("stumble", "fails", run)))
    here.game, here.encounter = game, evolve(here.encounter, game=game)
    async with playing(here) as play:
        with going_on(play):
            before = play.session.encounter
            await play.press("xstumble<Enter>")
            assert play.session.encounter is before
            assert play.app.services.messages.is_error
            await play.press("<Esc>n")
            assert play.last.typed == "next"


async def test_a_part_of_the_screen_that_cannot_be_painted_costs_itself_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with playing() as play:
        with going_on(play):
            monkeypatch.setattr(OrderPainter, "row", _broken)
            await play.press("n")
            assert "this part cannot be shown" in play.text
            assert "went wrong inside Affray" in play.text
            assert "Round 1" in play.text
            monkeypatch.undo()
            await play.press("n")
            assert "Guard 1" in play.text


async def test_an_error_between_two_keys_affects_nothing_else() -> None:
    async with playing() as play:
        with going_on(play):
            play.app.call_later(_broken)
            play.app.screen.call_later(_broken)
            await play.pilot.idle()
            assert "IndexError" in play.app.sentence
            await play.press("n")
            assert play.last.typed == "next"


async def test_in_tests_no_error_is_hidden() -> None:
    program = app()
    with pytest.raises(IndexError):  # noqa: PT012 - it is raised when the program is over
        async with running(program) as pilot:
            program.call_later(_broken)
            await pilot.idle()


def test_an_error_is_located_by_the_last_line_of_our_own_code() -> None:
    with pytest.raises(IndexError) as caught:
        _broken()
    assert error_summary(caught.value).startswith("IndexError in test_error_handling.py, line ")


FATAL = """
from tests.tui.table import app
from tui.screens.initiative import InitiativeScreen
def broken(self):
    password = "zili-" + "vago"
    return [][1]
InitiativeScreen.compose_body = broken
a = app()
a.run()
raise SystemExit(a.return_code)
"""


@pytest.mark.parametrize("wanted", [False, True])
def test_a_fatal_error_is_reported_in_one_sentence_with_status_1(wanted: bool) -> None:
    fd, theirs = pty.openpty()
    more = {"AFFRAY_TRACEBACK": "1"} if wanted else {}
    child = subprocess.Popen(
        [sys.executable, "-c", FATAL],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=ROOT,
        env=environment(TERM="xterm-256color", **more),
    )
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(fd, 65_536):
            shown += part
    except OSError:
        pass
    assert child.wait(PATIENCE) == 1
    os.close(fd)
    assert b"\x1b[?1049l" in shown
    said = shown.rpartition(b"\x1b[?1004l")[2].decode()
    # Values of variables may be passwords.
    assert b"zili-vago" not in shown
    if wanted:
        assert "Traceback" in said
        assert "in broken" in said
        assert "IndexError: list index out of range" in said
        return
    assert b"Traceback" not in shown
    plain = " ".join(said.split())
    assert "affray: had to stop: unexpected IndexError in" in plain
    assert "Everything reported as saved is saved" in plain


async def test_a_question_that_cannot_be_shown_does_not_keep_the_keys(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with playing() as play:
        with going_on(play):
            monkeypatch.setattr("tui.prompts.actions.ActionsPrompt.wanted_rows", _broken)
            await play.press("x")
            assert play.app.services.prompts.current is None
            await play.press("n")
            assert play.last.typed == "next"
