"""A player's plan for the next turn: prepared while others act, and sent with Enter."""

import asyncio
from itertools import cycle

import pytest

from systems.codec.plain import to_plain
from systems.visibility.viewer import Viewer
from tests.systems.fight import GAMES, Fight
from tests.tui.seats.screen import OKADO, FakeWire, Seat, fight, seen
from tui.seats.screen import SeatScreen
from tui.seats.seat_messages import PlanAsked
from tui.services import FirstLook

BOTH = Viewer(frozenset({"okado", "tamsin"}))
SIZES = [(60, 20), (80, 24)]


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 10.0

    def __call__(self) -> float:
        return self.now


async def show(seat: Seat, play: Fight, viewer: Viewer = OKADO) -> None:
    """Show the newest view, as the server sends it."""
    seat.app.seat.show_view(seen(play, viewer))
    await seat.pilot.idle()


async def until_turn(seat: Seat, play: Fight, who: str = "okado") -> Clock:
    """Pass the turns of others with the game master's key, and return the clock of the seat's offers."""
    clock = Clock()
    seat.app.seat.services.first_look = FirstLook(clock)
    play.do("next")
    while play.turn != who:
        play.do("next")
    await show(seat, play)
    return clock


@pytest.mark.parametrize(("game", "size"), [*zip(GAMES, cycle(SIZES), strict=False)])
async def test_an_action_prepared_while_others_act_is_sent_with_enter_in_the_own_turn(game, size):
    play = Fight(game, "add okado", "add tamsin", "add guard x2", "start", style="manual")
    while play.turn != "okado":
        play.do("next")
    play.do("attack 1")
    play.do("next")
    async with Seat(seen(play), size, play) as seat:
        await seat.press("a", "2")
        assert "plan" in seat.text.split("\n")[-1]
        await seat.press("enter")
        assert seat.sent == []
        assert "Planned: attack on Guard 2" in seat.text
        assert "Enter changes" in seat.text
        clock = await until_turn(seat, play)
        assert "Enter sends" in seat.text
        assert seat.sent == []
        clock.now += 1
        await seat.press("enter")
        assert seat.sent == ["attack guard-2"]
        assert "Planned" not in seat.text


async def test_an_enter_right_at_the_start_of_the_turn_does_not_send_the_plan():
    play = fight("next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", "1", "enter")
        clock = await until_turn(seat, play)
        clock.now += 0.3
        await seat.press("enter")
        assert seat.sent == []
        assert "Enter again sends" in seat.text
        await seat.press("enter")
        assert seat.sent == ["attack guard-1"]


async def test_an_enter_before_the_new_turn_is_painted_only_starts_the_time():
    play = fight("next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", "1", "enter")
        seat.app.seat.services.first_look = FirstLook(lambda: 10.0)
        for _ in range(3):
            play.do("next")
        seat.app.seat.show_view(seen(play))
        await seat.press("enter", "down")
        assert seat.sent == []


async def test_a_turn_that_comes_back_begins_the_time_again():
    play = fight("next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", "1", "enter")
        clock = await until_turn(seat, play)
        clock.now += 5
        play.do("back")
        await show(seat, play)
        play.do("next")
        await show(seat, play)
        await seat.press("enter")
        assert seat.sent == []


@pytest.mark.parametrize(("odds", "first", "later"), [("exact", "hit", "hit"), ("own", "melee 53", "hurt")])
async def test_the_odds_of_a_plan_follow_the_fight(odds, first, later):
    play = fight("next")
    async with Seat(seen(play), (200, 40), play, odds=odds) as seat:
        await seat.press("a", "1", "enter")
        before = next(line for line in seat.text.split("\n") if "Planned" in line)
        assert first in before
        play.do("damage okado 30")
        await show(seat, play)
        after = next(line for line in seat.text.split("\n") if "Planned" in line)
        assert later in after
        assert after != before


async def test_odds_without_room_next_to_the_plan_have_a_row_of_their_own():
    play = Fight("waygate", "add okado", "add guard", "start", style="manual")
    play.do("next")
    async with Seat(seen(play), (60, 20), play) as seat:
        await seat.press("a", *"1 modifier=2", "enter")
        lines = seat.text.split("\n")
        at = next(at for at, line in enumerate(lines) if "Planned" in line)
        assert "(Enter changes" in lines[at]
        assert "on a success" in lines[at] + lines[at + 1]


async def test_a_plan_whose_target_is_gone_says_so_and_keeps_its_text():
    play = fight("next")
    async with Seat(seen(play), (60, 20), play) as seat:
        await seat.press("a", "1", "enter")
        play.do("remove guard-1")
        await show(seat, play)
        assert "guard-1" in seat.text.lower()
        assert "Planned: attack guard-1" in seat.text
        clock = await until_turn(seat, play)
        clock.now += 1
        assert "Enter changes" in seat.text
        await seat.press("enter")
        assert seat.sent == []
        assert "target guard-1" in seat.text


async def test_a_plan_whose_target_has_fallen_opens_instead_of_being_sent():
    play = fight("next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", "1", "enter")
        play.do("damage guard-1 60")
        await show(seat, play)
        assert "Guard 1 is down." in seat.text
        clock = await until_turn(seat, play)
        clock.now += 1
        await seat.press("enter")
        assert seat.sent == []
        assert "target guard-1" in seat.text
        await seat.press(*["backspace"] * 7, "2", "enter")
        assert seat.sent == ["attack guard-2"]
        assert "Planned" not in seat.text


async def test_a_plan_for_a_fallen_target_is_sent_like_any_other():
    play = fight("damage guard-1 60", "next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("g", "enter")
        assert "Planned: coup de grace on Guard 1" in seat.text
        assert "is down" not in seat.text
        clock = await until_turn(seat, play)
        clock.now += 1
        await seat.press("enter")
        assert seat.sent == ["coup_de_grace guard-1"]


async def test_enter_before_the_turn_opens_the_plan_to_change_it_and_backspace_drops_it():
    play = fight("next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", *"1 c=h", "enter", "enter")
        assert "target guard-1" in seat.text
        assert "planned" in seat.text
        await seat.press("escape")
        assert "Planned: attack on Guard 1, coverage half" in seat.text
        await seat.press("enter", *["backspace"] * 7, "2", "enter")
        assert "Planned: attack on Guard 2, coverage half" in seat.text
        await seat.press("backspace")
        assert "Plan dropped: attack on Guard 2, coverage half" in seat.text
        await seat.press("down")
        assert "Planned" not in seat.text
        await until_turn(seat, play)
        await seat.press("enter", "enter")
        assert seat.sent == []


async def test_an_action_without_a_choice_and_a_repeated_one_are_planned_too():
    play = fight("attack guard-2", "next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press(".")
        assert "Planned: attack on Guard 2" in seat.text
        await seat.press("x", *"defend", "enter")
        assert seat.sent == []
        assert "Planned: defend" in seat.text


async def test_a_check_and_a_typed_line_are_sent_at_once_in_any_turn():
    play = fight("next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press(":", *"attack 1", "enter")
        assert seat.sent == ["attack 1"]
        await seat.press("x", *"contest", "enter", "1", "enter")
        assert len(seat.sent) == 1 or seat.sent[1].startswith("contest guard-1")
        assert "Planned" not in seat.text


async def test_plan_before_a_typed_line_plans_it():
    play = fight("next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press(":", *"pla")
        assert "prepare a command for your next turn" in seat.text
        await seat.press(*"n attack 2")
        assert "melee 53" in seat.text
        await seat.press("enter")
        assert seat.sent == []
        assert "Planned: attack on Guard 2" in seat.text
        clock = await until_turn(seat, play)
        clock.now += 1
        await seat.press("enter")
        assert seat.sent == ["attack 2"]


async def test_a_plan_of_a_line_that_cannot_be_read_shows_the_word_at_fault():
    play = fight("next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press(":", *"plan frobnicate 3", "enter")
        lines = seat.text.split("\n")
        at = next(at for at, line in enumerate(lines) if ": plan frobnicate 3" in line)
        assert lines[at + 1].index("^") == lines[at].index("frobnicate")
        assert "Planned" not in seat.text


async def test_a_plan_that_the_table_refuses_is_planned_again():
    play = fight("next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", "1", "enter")
        clock = await until_turn(seat, play)
        clock.now += 1
        await seat.press("enter")
        seat.app.take({"kind": "said", "text": "One request a second: wait.", "error": True})
        await seat.pilot.idle()
        assert "One request a second: wait." in seat.text
        assert "Planned: attack on Guard 1" in seat.text
        clock.now += 1
        await seat.press("enter")
        assert seat.sent == ["attack guard-1"] * 2


async def test_a_prompt_opened_before_the_turn_still_plans_when_the_turn_has_come():
    play = fight("next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", "1")
        clock = await until_turn(seat, play)
        await seat.press("enter")
        assert seat.sent == []
        assert "Enter sends" in seat.text
        clock.now += 1
        await seat.press("enter")
        assert seat.sent == ["attack guard-1"]


async def test_an_offer_comes_before_the_plan():
    play = Fight("arden", "add okado", "add guard", style="manual")
    for line in ("start", "next"):
        play.do(line)
    assert play.turn == "guard"
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", "1", "enter")
        assert "Planned: attack on Guard" in seat.text
        play.do("attack okado dice=1 by guard")
        await show(seat, play)
        assert "may strike back" in seat.text
        assert "Planned: attack on Guard" in seat.text
        seat.app.seat.services.first_look = FirstLook(iter(range(100)).__next__)
        await seat.press("down", "enter")
        assert "Okado · counterattack" in seat.text


async def test_in_the_turn_for_the_plan_a_lasting_offer_comes_after_it():
    play = Fight("simple", "add okado", "add tamsin", "add guard x2", "start", "next", style="manual")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", "2", "enter")
        clock = await until_turn(seat, play)
        assert "Okado may act now" in seat.text
        assert "(then Enter" in seat.text
        clock.now += 1
        await seat.press("enter")
        assert seat.sent == ["attack guard-2"]
        await seat.press("down", "enter")
        assert "Enter again" in seat.text
        assert seat.sent == ["attack guard-2"]


async def test_with_two_characters_the_plan_is_for_the_next_one_and_waits_for_its_turn():
    play = fight("next", "next")
    async with Seat(seen(play, BOTH), play=play, viewer=BOTH) as seat:
        await seat.press("a", "1", "enter")
        assert "Planned: attack on Guard 1" in seat.text
        line = seat.app.seat.play.plan.plan.line
        who = next(each for each in ("okado", "tamsin") if line.endswith(f"by {each}"))
        other = "tamsin" if who == "okado" else "okado"
        while play.turn != other:
            play.do("next")
        await show(seat, play, BOTH)
        assert "Enter changes" in seat.text
        while play.turn != who:
            play.do("next")
        await show(seat, play, BOTH)
        assert "Enter sends" in seat.text


async def test_a_plan_is_stored_with_the_place_and_returns_after_a_lost_line():
    play = fight("next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", "1", "enter", "down")
        spot = seat.app.wire.spots[-1]
    async with Seat(seen(play), play=play) as seat:
        seat.app.take({"kind": "seat", "spot": to_plain(spot), "missed": 0})
        await show(seat, play)
        assert "Planned: attack on Guard 1" in seat.text
        assert seat.sent == []


async def test_a_plan_ends_with_its_fight():
    play = fight("next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", "1", "enter")
        play.do("end")
        await show(seat, play)
        assert "Planned" not in seat.text


async def test_a_plan_sends_nothing_to_the_table_and_asks_only_once_for_each_view():
    play = fight("next")

    class Counting(FakeWire):
        async def ask(self, question, kind):
            asked.append(type(question))
            return await super().ask(question, kind)

    asked: list[type] = []
    seat = Seat(seen(play), play=play)
    seat.app.wire = Counting(play, OKADO, seat.app.wire.shown)
    async with seat:
        await seat.press("a", "1", "enter")
        asked.clear()
        for _ in range(3):
            play.do("damage guard-2 1")
            await show(seat, play)
        assert asked == [PlanAsked] * 3
        assert (seat.sent, seat.app.wire.replies) == ([], [])


async def test_a_plan_shows_its_line_until_the_server_answers():
    play = fight("next")

    class Slow(FakeWire):
        async def ask(self, question, kind):
            if isinstance(question, PlanAsked):
                await gate.wait()
            return await super().ask(question, kind)

    gate = asyncio.Event()
    seat = Seat(seen(play), play=play)
    seat.app.wire = Slow(play, OKADO, seat.app.wire.shown)
    async with seat:
        await seat.press("a", "1", "enter")
        assert "Planned: attack guard-1" in seat.text
        gate.set()
        await seat.pilot.idle()
        assert "Planned: attack on Guard 1" in seat.text
        assert isinstance(seat.app.screen, SeatScreen)
