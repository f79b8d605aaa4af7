"""What a player does at a seat: its questions are those of the table, their lists come from the server."""

import asyncio
from typing import Any

import pytest
from textual.events import Click, MouseScrollDown

from systems.codec.plain import to_plain
from systems.errors import Misread
from systems.visibility.viewer import Shown
from tests.systems.fight import Fight
from tests.systems.visibility.seat_lines import seat_command
from tests.tui.seats.screen import OKADO, FakeWire, Seat, die, fight, seen
from tui.lists.dice_asked import ChoiceAsked
from tui.seats.seat_messages import AskedBySeat


def clicked(seat: Seat, text: str) -> Click:
    """A click on the first cell of a text on the screen."""
    lines = seat.text.split("\n")
    y = max(at for at, line in enumerate(lines) if text in line)
    x = lines[y].index(text)
    return Click(seat.app.screen, x, y, 0, 0, 1, False, False, False, screen_x=x, screen_y=y)


async def test_targets_are_listed_in_rows_and_the_cursor_skips_refused_ones():
    play = fight("damage guard-2 60")
    async with Seat(seen(play), (80, 30), play) as seat:
        await seat.press("g")
        assert "Guard 1 is conscious" in seat.text
        assert "▌   2 Guard 2" in seat.text
        await seat.press("up", "enter")
        assert seat.sent == ["coup_de_grace guard-2"]


async def test_several_targets_and_options_by_tab_as_at_the_table():
    async with Seat(seen(fight())) as seat:
        await seat.press("a", *"1,2", "tab", "h", "enter")
        assert seat.sent == ["attack guard-1,guard-2 coverage=half"]


async def test_a_question_whose_turn_is_over_says_so_at_once_and_closes():
    play = fight()
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", "3")
        play.do("next")
        seat.app.seat.show_view(seen(play))
        await seat.pilot.idle()
        assert "Okado's turn is over: nothing was sent." in seat.text
        assert "target 3" not in seat.text
        await seat.press("enter")
        assert seat.sent == []


async def test_a_question_that_was_opened_out_of_turn_stays():
    play = fight("next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", "3")
        play.do("next")
        seat.app.seat.show_view(seen(play))
        await seat.pilot.idle()
        assert "target 3" in seat.text


async def test_a_refused_line_returns_with_its_typed_text():
    async with Seat(seen(fight())) as seat:
        await seat.press("a", *"4 c=h", "enter")
        assert "target" not in seat.text
        seat.app.take({"kind": "said", "text": "Okado has no attack left.", "error": True})
        await seat.pilot.idle()
        assert "Okado has no attack left." in seat.text
        assert "target 4 c=h" in seat.text
        await seat.press("enter")
        seat.app.take({"kind": "said", "text": "Waiting for the game master: attack."})
        seat.app.take({"kind": "said", "text": "The game master says no.", "error": True})
        await seat.pilot.idle()
        assert "target" not in seat.text


async def test_after_a_refused_line_a_colon_begins_another():
    async with Seat(seen(fight())) as seat:
        await seat.press(":", *"undo", "enter")
        seat.app.take({"kind": "said", "text": "Only the game master can do that.", "error": True})
        await seat.pilot.idle()
        assert ": undo" in seat.text
        await seat.press(":", *"next", "enter")
        assert seat.sent == ["undo", "next"]


class SlowWire(FakeWire):
    """Answers when the test says so."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.gate = asyncio.Event()

    async def ask(self, question: AskedBySeat, kind: type[Any]) -> Any:
        await self.gate.wait()
        return await super().ask(question, kind)


async def test_typed_text_is_visible_at_once_and_enter_waits_for_the_answer():
    play = fight()
    seat = Seat(seen(play), play=play)
    seat.app.wire = SlowWire(play, seat.app.wire.viewer, seat.app.wire.shown)
    async with seat:
        await seat.press("a", "2", "enter", "r", *"2d6", "enter")
        assert "target 2" in seat.text
        assert seat.sent == []
        seat.app.wire.gate.set()
        await seat.pilot.idle()
        assert seat.sent == ["attack guard-2", "roll 2d6"]


async def test_escape_closes_a_waiting_question_and_drops_the_keys_typed_after_it():
    play = fight()
    seat = Seat(seen(play), play=play)
    seat.app.wire = SlowWire(play, seat.app.wire.viewer, seat.app.wire.shown)
    async with seat:
        await seat.press("a", "4", "enter", "n", "escape")
        assert "target" not in seat.text
        seat.app.wire.gate.set()
        await seat.pilot.idle()
        assert seat.sent == []


async def test_rows_and_keys_of_the_footer_take_clicks_and_the_wheel_moves_the_mark():
    async with Seat(seen(fight()), (80, 30)) as seat:
        await seat.press("a")
        seat.app.screen.on_click(clicked(seat, "2 Guard 2  "))
        await seat.pilot.idle()
        lines = seat.text.split("\n")
        at = next(y for y, line in enumerate(lines) if "Okado · attack" in line) + 1
        assert "▌   2 Guard 2" in seat.text
        wheel = MouseScrollDown(seat.app.screen, 5, at, 0, 1, 0, False, False, False, 5, at)
        seat.app.screen.on_mouse_scroll_down(wheel)
        await seat.pilot.idle()
        assert "▌   4 Tamsin" in seat.text
        await seat.press("escape")
        seat.app.screen.on_click(clicked(seat, "n done"))
        await seat.pilot.idle()
        assert seat.sent == ["next"]


@pytest.mark.parametrize(("odds", "told"), [("exact", "%"), ("own", "on a success"), ("none", "")])
async def test_an_offer_shows_its_odds_by_the_tables_setting(odds, told):
    start = ("add okado", "add guard x2", "start", "overwatch", "next", "set guard-1 mobility 9")
    play = Fight("xcom", *start, "move steps=o by guard-1")
    async with Seat(seen(play), (200, 40), play, odds=odds) as seat:
        await seat.pilot.idle()
        line = next(line for line in seat.text.split("\n") if "Okado may shoot" in line and "(Enter" in line)
        assert told in line
        assert ("%" in line) == (odds == "exact")


async def test_a_choice_does_not_take_the_keys_of_a_line_that_is_being_typed():
    async with Seat(seen(fight())) as seat:
        await seat.press(":", *"roll ")
        asked = ChoiceAsked("Okado", "Spend it?", ("yes", "no"), -1)
        seat.app.take({"kind": "ask", "ask": 3, "choice": to_plain(asked)})
        await seat.press(*"2d6")
        assert seat.app.wire.replies == []
        assert "Esc, then: Okado: Spend it?" in seat.text
        await seat.press("enter")
        assert seat.sent == ["roll 2d6"]
        seat.app.take({"kind": "said", "text": "Okado rolls."})
        await seat.press("enter", "enter", "2")
        assert seat.app.wire.replies == [(3, 2)]


async def test_a_die_shows_its_target_and_bonus_as_far_as_the_table_allows():
    async with Seat(seen(fight())) as seat:
        seat.app.take(die(7))
        await seat.pilot.idle()
        assert "d20 for Okado's attack" in seat.text
        seat.app.take({**die(7), "does": "17 or more: hit", "adds": "melee 53"})
        await seat.pilot.idle()
        assert "17 or more: hit" in seat.text
        assert "added: melee 53" in seat.text


async def test_the_bonus_of_a_die_stays_if_it_arrives_with_the_question():
    async with Seat(seen(fight())) as seat:
        seat.app.take(die(7))
        seat.app.take({**die(7), "does": "17 or more: hit", "adds": "melee 53"})
        await seat.pilot.idle()
        assert "17 or more: hit" in seat.text
        assert "added: melee 53" in seat.text


async def test_odds_in_full_lie_over_the_question_as_far_as_the_table_shows_them():
    for shown, texts in {
        "exact": ("Okado, attack against Guard 2", "drops"),
        "own": ("Okado, attack", "melee  53", "15 to 60 on a success"),
    }.items():
        async with Seat(seen(fight()), odds=shown) as seat:
            await seat.press("a", "2", "ctrl+o")
            for text in texts:
                assert text in seat.text
            assert ("hit 9" in seat.text) is (shown == "exact")
            await seat.press("escape", *" c=h")
            assert "target 2 c=h" in seat.text
            await seat.press("escape", "down", "down", "o")
            assert texts[0].replace("Guard 2", "Guard 1") in seat.text


async def test_a_table_that_shows_no_odds_says_so():
    async with Seat(seen(fight()), odds="none") as seat:
        await seat.press("a", "4", "ctrl+o")
        assert "This table shows no odds" in seat.text
        assert "target 4" in seat.text


async def test_full_odds_mark_a_targets_remaining_life_only_if_its_figures_are_shown():
    play = fight("damage guard-1 30")
    for foes, is_marked in (("figures", True), ("band", False)):
        async with Seat(seen(play), (80, 40), play, odds="exact", foes=foes) as seat:
            await seat.press("a", "3", "ctrl+o")
            assert ("┄ drops" in seat.text) is is_marked


class DeafWire(FakeWire):
    """Answers nothing while `is_deaf`."""

    is_deaf = True

    async def ask(self, question: AskedBySeat, kind: type[Any]) -> Any:
        if self.is_deaf:
            raise TimeoutError
        return await super().ask(question, kind)


async def test_a_question_that_nobody_answers_says_so_and_any_key_asks_again():
    play = fight()
    seat = Seat(seen(play), play=play)
    seat.app.wire = wire = DeafWire(play, seat.app.wire.viewer, seat.app.wire.shown)
    async with seat:
        await seat.press("a", "2", "enter")
        assert "The table does not answer." in seat.text
        assert "target 2" in seat.text
        await seat.press("x")
        assert "The table does not answer." in seat.text
        wire.is_deaf = False
        await seat.press("escape", "a", "2")
        assert "The table does not answer." not in seat.text
        await seat.press("enter")
        assert seat.sent == ["attack guard-2"]


async def test_a_line_for_which_the_table_asks_a_die_is_not_unanswered():
    async with Seat(seen(fight())) as seat:
        timers = []
        seat.app.set_timer = lambda delay, work: timers.append(work)
        await seat.press("n")
        seat.app.take(die(7))
        await seat.pilot.idle()
        timers[0]()
        await seat.pilot.idle()
        assert "1 to 20" in seat.text
        assert "No answer from the table" not in seat.text


async def test_a_line_that_the_table_does_not_answer_is_said_to_be_unanswered():
    async with Seat(seen(fight())) as seat:
        timers = []
        seat.app.set_timer = lambda delay, work: timers.append(work)
        await seat.press("n")
        timers[-1]()
        await seat.pilot.idle()
        assert "No answer from the table yet; it may still come: next" in seat.text
        await seat.press("n")
        seat.app.take({"kind": "said", "text": "Waiting for the game master: end the turn."})
        timers[-1]()
        await seat.pilot.idle()
        assert "has not answered" not in seat.text


async def test_an_action_that_leaves_nothing_to_choose_is_done_by_its_key_alone():
    loaded = "set okado weapons.rifle.loaded 1"
    play = Fight("waygate", "add okado", "add guard", "start", "set okado weapons.blade none", loaded)
    async with Seat(seen(play), play=play) as seat:
        await seat.press("x", *"reload", "enter")
        assert "Planned: reload" in seat.text
        while play.turn != "okado":
            play.do("next")
        seat.app.seat.show_view(seen(play))
        await seat.press("x", *"reload", "enter")
        assert seat.sent == ["reload"]
        await seat.press("x", *"test", "enter")
        assert seat.sent == ["reload"]
        assert "Okado · test" in seat.text


async def test_a_dot_repeats_the_characters_last_action_and_later_keys_wait():
    play = fight("attack guard-2 coverage=half", "next", "next", "next", "next")
    seat = Seat(seen(play), play=play)
    seat.app.wire = SlowWire(play, seat.app.wire.viewer, seat.app.wire.shown)
    async with seat:
        await seat.press(".", "n")
        assert seat.sent == []
        seat.app.wire.gate.set()
        await seat.pilot.idle()
        assert seat.sent == ["attack guard-2 coverage=half", "next"]


async def test_a_dot_asks_for_another_target_if_the_last_one_has_fallen():
    play = fight("attack guard-2 coverage=half", "damage guard-2 99")
    async with Seat(seen(play), play=play) as seat:
        await seat.press(".", "enter")
        assert seat.sent == ["attack guard-1"]
    play = fight()
    async with Seat(seen(play), play=play) as seat:
        await seat.press(".", "1", "enter")
        assert seat.sent == ["attack guard-1"]


async def test_an_offer_that_leaves_a_choice_asks_for_it_at_a_seat_too():
    play = Fight("arden", "add okado", "add guard", "start", "attack okado dice=1 by guard")
    async with Seat(seen(play), play=play) as seat:
        assert "may strike back" in seat.text
        await seat.press("enter")
        assert "Okado · counterattack" in seat.text
        assert seat.sent == []
        await seat.press("enter")
        [line] = seat.sent
        assert line.startswith("counter guard")


async def test_an_offer_under_an_open_question_does_not_claim_its_enter():
    play = Fight("arden", "add okado", "add guard", "start", "attack okado dice=1 by guard")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("r")
        assert "Esc, then: Okado may strike back at Guard." in seat.text
        await seat.press("escape", "enter")
        assert "may strike back at Guard. ·" not in seat.text.split("\n")[-2]


async def test_a_long_question_of_the_table_is_cut_but_its_answers_are_not():
    async with Seat(seen(fight()), (60, 20)) as seat:
        asked = ChoiceAsked("Okado", f"Does Okado {'dodge or ' * 9}endure?", ("yes", "no"), -1)
        seat.app.take({"kind": "ask", "ask": 3, "choice": to_plain(asked)})
        await seat.press("escape")
        assert "Does Okado dodge or" in seat.text
        assert "… (Enter answers)" in seat.text
        assert "Okado: Does" not in seat.text


async def test_words_without_an_options_name_are_understood_at_a_seat_as_at_the_table():
    play = fight()
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", *"1 half", "enter")
        assert seat.sent == ["attack guard-1 coverage=half"]
    line = "attack guard-1 half sword"
    command = seat_command(play.encounter, OKADO, line, Shown(acting="free")).command
    assert command.line == "attack guard-1 coverage=half weapon=sword by okado"
    with pytest.raises(Misread, match="one word too many"):
        seat_command(play.encounter, OKADO, "attack guard-1 claws", Shown(acting="free"))


async def test_q_says_how_to_leave_a_seat_and_f1_opens_the_help():
    async with Seat(seen(fight())) as seat:
        await seat.press("q")
        assert "Ctrl+Q leaves the table" in seat.text
        await seat.press("a", "f1")
        assert "Esc closes" in seat.text
        await seat.press("escape")
        assert "target" in seat.text


async def test_a_roll_at_a_seat_shows_its_range_and_its_owner():
    async with Seat(seen(fight())) as seat:
        await seat.press("r", *"2d6+3 for okado")
        assert "5 to 15, for okado" in seat.text
        await seat.press("enter")
        assert seat.sent == ["roll 2d6+3 for okado"]
