"""Whose seat is empty, and the news of a lost or recovered line."""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from systems.visibility.build import view
from systems.visibility.viewer import PUBLIC, Viewer
from tests.systems.fight import Fight
from tests.tui.seat_desk import seats_state, table
from tests.tui.seats.screen import SIZES, Seat, fight, seen
from tui.campaign.seats import Seat as SeatOnFile
from tui.seats.presence import SETTLED, WINDOW, PresentPlayers, empty_characters, empty_rows, news_of
from tui.terminal.symbols import LETTERS


@dataclass(slots=True)
class Clock:
    """An event loop's clock that the test moves."""

    now: float = 0.0
    timers: list[tuple[float, Callable[[], None]]] = field(default_factory=list)

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, do: Callable[..., None], *given: object) -> "Timer":
        timer = Timer(self, (when, lambda: do(*given)))
        self.timers.append(timer.entry)
        return timer

    def move(self, seconds: float) -> None:
        self.now += seconds
        due = [entry for entry in self.timers if entry[0] <= self.now]
        self.timers = [entry for entry in self.timers if entry not in due]
        for _, do in due:
            do()


@dataclass(slots=True)
class Timer:
    clock: Clock
    entry: tuple[float, Callable[[], None]]

    def cancel(self) -> None:
        self.clock.timers = [entry for entry in self.clock.timers if entry is not self.entry]


@pytest.fixture
def line() -> tuple[Clock, PresentPlayers, list[tuple[str, str]]]:
    clock, news = Clock(), list[tuple[str, str]]()
    players = PresentPlayers(clock, lambda *told: news.append(told))  # type: ignore[arg-type]
    players.update("okado", is_here=True)
    return clock, players, news


def test_a_first_login_is_no_news_and_a_lost_line_and_its_return_are_one_line_each(line):
    clock, players, news = line
    assert news == []
    players.update("okado", is_here=False)
    clock.move(SETTLED)
    players.update("okado", is_here=True)
    assert news == [("okado", "dropped"), ("okado", "back")]


def test_a_line_that_returns_at_once_is_no_news(line):
    clock, players, news = line
    players.update("okado", is_here=False)
    clock.move(SETTLED / 2)
    players.update("okado", is_here=True)
    clock.move(10 * SETTLED)
    assert news == []


def test_leaving_is_not_a_lost_line(line):
    _, players, news = line
    players.update("okado", is_here=False, has_left=True)
    assert news == [("okado", "left")]


def test_a_flapping_line_makes_few_news_and_its_last_state_is_told(line):
    clock, players, news = line
    for _ in range(20):
        players.update("okado", is_here=False)
        clock.move(SETTLED)
        players.update("okado", is_here=True)
        clock.move(0.1)
    assert len(news) == 4
    players.update("okado", is_here=False)
    clock.move(WINDOW)
    assert news[-1] == ("okado", "dropped")


def test_a_closed_table_tells_no_more_news(line):
    clock, players, news = line
    players.update("okado", is_here=False)
    players.stop()
    players.update("okado", is_here=True)
    clock.move(WINDOW)
    assert news == []


def test_news_name_the_characters_of_the_seat():
    seat = SeatOnFile("tobin", ("tobin", "wolf"))
    names = {"tobin": "Tobin", "wolf": "Wolf\x1b[2J"}
    assert news_of(names, seat, "dropped") == "Tobin and Wolf [2J's line dropped."
    assert news_of({}, seat, "back") == "tobin is back."


# Rows


@dataclass(slots=True)
class OpenScreen:
    seat: SeatOnFile


SEATS = [SeatOnFile("okado", ("okado",)), SeatOnFile("tamsin", ("tamsin", "okado"))]


def test_a_character_of_two_seats_is_away_only_if_both_are_empty():
    assert empty_characters(SEATS, []) == {"okado", "tamsin"}
    assert empty_characters(SEATS, [OpenScreen(SEATS[0])]) == {"tamsin"}
    assert empty_characters(SEATS, [OpenScreen(SEATS[1])]) == frozenset()


def rows(play: Fight, viewer: Viewer) -> list[str]:
    session: Any = SimpleNamespace(encounter=play.encounter)
    found = view(play.encounter, play.log, viewer)
    return list(empty_rows(session, found, viewer, frozenset({"okado", "tamsin"})))


@pytest.mark.parametrize("viewer", [Viewer(frozenset({"okado"})), PUBLIC])
def test_the_empty_seat_of_a_hidden_character_is_not_sent(viewer):
    assert rows(fight(), viewer) == ["Okado", "Tamsin"]
    assert rows(fight("hide tamsin"), viewer) == ["Okado"]
    # The other world: without Tamsin.
    assert rows(Fight("atlantis", "add okado", "add guard x2", "start"), viewer) == ["Okado"]


def test_a_foe_with_a_players_sheet_is_not_marked():
    assert rows(fight('add tamsin as "Double" side=foes'), PUBLIC) == ["Okado", "Tamsin"]


@pytest.mark.parametrize("size", SIZES)
async def test_the_order_of_a_seat_marks_players_whose_seats_are_empty(size):
    async with Seat(seen(fight()), size) as seat:
        assert "● Tamsin" in seat.text
        seat.app.take({"kind": "empty", "names": ["Tamsin"]})
        await seat.pilot.idle()
        assert "○ Tamsin" in seat.text
        assert "● Okado" in seat.text
        seat.app.take({"kind": "empty", "names": []})
        await seat.pilot.idle()
        assert "● Tamsin" in seat.text


async def test_the_mark_is_a_letter_without_symbols(monkeypatch):
    monkeypatch.setenv("AFFRAY_SYMBOLS", "letters")
    async with Seat(seen(fight())) as seat:
        seat.app.take({"kind": "empty", "names": ["Tamsin"]})
        await seat.pilot.idle()
        # The driver replaces the symbol.
        assert "o Tamsin" in seat.text.translate(LETTERS)
        assert "p Okado" in seat.text


async def test_news_are_one_line_at_a_seat_and_do_not_hide_an_error():
    async with Seat(seen(fight())) as seat:
        seat.app.take({"kind": "news", "text": "Tamsin's line dropped."})
        await seat.pilot.idle()
        assert "Tamsin's line dropped." in seat.text
        seat.app.take({"kind": "said", "text": "The line is too long.", "error": True})
        seat.app.take({"kind": "news", "text": "Tamsin is back."})
        await seat.pilot.idle()
        assert "The line is too long." in seat.text


async def test_the_order_of_the_table_marks_players_whose_seats_are_empty(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        assert "● Okado" in here.text
        taken = {"characters": ["tamsin"], "screens": ["127.0.0.1"]}
        await here.hear(**seats_state(okado={"characters": ["okado"]}, tamsin=taken))
        assert "○ Okado" in here.text
        assert "● Tamsin" in here.text
        here.desk.server.forget()
        await here.pilot.idle()
        assert "● Okado" in here.text


async def test_news_are_one_line_at_the_table_and_no_event(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.hear(kind="news", text="Okado's line dropped.")
        assert "Okado's line dropped." in here.text
        await here.press("colon", *"note hi")
        await here.hear(kind="news", text="Okado is back.")
        assert "Okado is back." not in here.text
        assert len(here.events) == 1
