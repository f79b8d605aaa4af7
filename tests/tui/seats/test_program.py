"""The application that the warm process makes before it forks the program of a seat."""

import asyncio

import pytest

from tui.seats import program
from tui.seats.app import SeatApp


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[SeatApp]:
    """Return the applications that are made, oldest first."""
    made: list[SeatApp] = []

    def make(wire: None) -> SeatApp:
        made.append(SeatApp(wire))
        return made[-1]

    monkeypatch.setattr(program, "SeatApp", make)
    monkeypatch.setattr(program, "_made", {})
    monkeypatch.setenv("TERM", "xterm-256color")
    return made


def test_a_seat_uses_the_application_made_in_advance(
    made: list[SeatApp], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "33")  # an earlier terminal
    program.make_ready()
    known = list(made)
    app = program.take_app()
    assert made == known
    assert app is known[-1]

    async def paint() -> None:
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            assert app.seat.size == (100, 30)
            app.exit(0)

    asyncio.run(paint())


def test_a_terminal_with_other_colours_gets_an_application_of_its_own(
    made: list[SeatApp], monkeypatch: pytest.MonkeyPatch
) -> None:
    program.make_ready()
    known = list(made)
    monkeypatch.setenv("TERM", "vt100")
    monkeypatch.setenv("NO_COLOR", "1")
    app = program.take_app()
    assert app not in known
    assert app.no_color


def test_an_application_is_handed_out_once(made: list[SeatApp]) -> None:
    program.make_ready()
    assert program.take_app() is not program.take_app()
