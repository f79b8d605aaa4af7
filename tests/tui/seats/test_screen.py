"""The screen of a seat, driven by keys."""

import pytest

from systems.visibility.build import view
from systems.visibility.view import View
from systems.visibility.viewer import PUBLIC, Viewer
from tests.systems.fight import Fight
from tests.tui.table import text_of
from tui.seats.app import SeatApp

OKADO = Viewer(frozenset({"okado"}))
SIZES = [(60, 20), (80, 24), (110, 30), (140, 40), (200, 60)]


class FakeWire:
    """Keeps what was sent; `is_open` False is a table that cannot be reached."""

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.is_open = True

    async def start(self, received, lost) -> None:
        pass

    def request(self, line: str) -> bool:
        if self.is_open:
            self.sent.append(line)
        return self.is_open

    def reply(self, ask: int, value) -> bool:
        return self.is_open


def fight(*lines: str) -> Fight:
    return Fight("atlantis", "add okado", "add tamsin", "add guard x2", "start", *lines)


def seen(play: Fight, viewer: Viewer = OKADO) -> View:
    return view(play.encounter, play.log, viewer)


class Seat:
    """A seat's application that shows a view, driven by keys."""

    def __init__(self, first: View, size=(80, 24)) -> None:
        self.app = SeatApp(FakeWire())
        self.first, self.size = first, size

    async def __aenter__(self) -> "Seat":
        self._running = self.app.run_test(size=self.size)
        self.pilot = await self._running.__aenter__()
        self.app.seat.show_view(self.first)
        await self.pilot.pause()
        return self

    async def __aexit__(self, *error) -> None:
        await self._running.__aexit__(*error)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    @property
    def text(self) -> str:
        return text_of(self.app)

    @property
    def sent(self) -> list[str]:
        return self.app.wire.sent


@pytest.mark.parametrize("size", SIZES)
async def test_a_seat_shows_its_own_figures_the_bands_of_foes_and_whose_turn_it_is(size):
    async with Seat(seen(fight("damage guard-1 30")), size) as seat:
        assert "Round 1  ▸ Okado" in seat.text
        assert "▌▸ 1 Okado" in seat.text
        assert "badly hurt" in seat.text
        assert "15/45" not in seat.text
        assert "Life 52/52" in seat.text
        assert "Your turn, Okado" in seat.text.split("\n")[-1]


async def test_a_seat_says_how_far_away_its_turn_is_and_calls_when_it_comes():
    play = fight()
    play.do("next")
    async with Seat(seen(play)) as seat:
        rung = []
        seat.app.bell = lambda: rung.append(True)
        assert "3 turns before Okado" not in seat.text
        assert "Okado is third" in seat.text
        for call in ("Okado is next but one", "Okado is next", "Your turn, Okado"):
            assert rung == []
            play.do("next")
            seat.app.seat.show_view(seen(play))
            await seat.pilot.pause()
            assert call in seat.text
        assert rung == [True]
        assert seat.app.title == "Your turn, Okado"


async def test_the_bell_is_only_for_those_who_want_it():
    play = fight("next")
    async with Seat(seen(play)) as seat:
        rung = []
        seat.app.bell = lambda: rung.append(True)
        await seat.press("b")
        for _ in range(3):
            play.do("next")
        seat.app.seat.show_view(seen(play))
        assert rung == []


async def test_an_attack_is_two_keys_and_enter():
    async with Seat(seen(fight())) as seat:
        await seat.press("a", "3")
        assert "▌   3 Guard 1" in seat.text
        await seat.press("enter")
        assert seat.sent == ["attack 3"]
        assert "Sent: attack 3" in seat.text


async def test_rolls_commands_and_the_end_of_a_turn_are_sent_as_lines():
    async with Seat(seen(fight())) as seat:
        await seat.press("r", *"2d6", "enter", "n", "colon", *"note hi", "enter")
        assert seat.sent == ["roll 2d6", "next", "note hi"]


async def test_an_action_is_found_by_its_beginning_and_its_options_are_completed():
    async with Seat(seen(fight())) as seat:
        await seat.press("x", *"att", "enter", *"3 wea", "tab", *"sword", "enter")
        assert seat.sent == ["attack 3 weapon=sword"]


async def test_a_target_that_was_not_named_is_asked_for_and_what_was_typed_stays():
    async with Seat(seen(fight())) as seat:
        await seat.press("a", "enter")
        assert seat.sent == []
        assert "Type the tag of the target" in seat.text
        await seat.press("3", "escape")
        assert seat.sent == []


async def test_a_table_that_is_gone_is_said_and_what_was_seen_stays():
    async with Seat(seen(fight())) as seat:
        seat.app.seat.lose("The line to the table is gone; trying again")
        await seat.pilot.pause()
        assert "The line to the table is gone" in seat.text
        assert "Okado" in seat.text
        seat.app.wire.is_open = False
        await seat.press("n")
        assert "nothing was sent" in seat.text
        seat.app.seat.show_view(seen(fight()))
        assert not seat.app.seat.is_lost


async def test_whoever_only_looks_sends_nothing():
    async with Seat(seen(fight(), PUBLIC)) as seat:
        await seat.press("a", "n", "r", "x", "colon", *"next", "enter")
        assert seat.sent == []
        assert "Okado" in seat.text


async def test_help_and_ones_own_sheet_take_the_place_of_the_log():
    async with Seat(seen(fight()), (60, 20)) as seat:
        await seat.press("question_mark")
        assert "the main action" in seat.text
        await seat.press("escape", "s")
        assert "dodge 30" in seat.text
