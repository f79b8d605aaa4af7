"""Dice and choices that the table asks a seat for."""

import pytest
from textual.events import Paste

from systems.codec.plain import to_plain
from systems.visibility.viewer import Viewer
from tests.systems.fight import Fight
from tests.tui.seats.screen import Seat, die, fight, seen
from tui.lists.dice_asked import ChoiceAsked, FaceAsked


async def test_questions_of_a_disconnected_table_are_withdrawn_and_typed_text_stays():
    async with Seat(seen(fight())) as seat:
        await seat.press("a", "4")
        seat.app.take(die(7))
        await seat.pilot.idle()
        await seat.press("1", "7", "enter")
        assert seat.app.wire.replies == [(7, "17")]
        seat.app.take(die(8))
        await seat.pilot.idle()
        assert "1 to 20" in seat.text
        seat.app.take({"kind": "said", "text": "Okado's turn is over."})
        seat.app.take({"kind": "table", "there": False})
        await seat.pilot.idle()
        assert "1 to 20" not in seat.text
        assert "you can only watch" in seat.text


async def test_a_choice_of_the_table_is_answered_by_its_number_and_nothing_else():
    async with Seat(seen(fight())) as seat:
        asked = ChoiceAsked("Okado", "Spend it?", ("yes", "no"), -1)
        seat.app.take({"kind": "ask", "ask": 3, "choice": to_plain(asked)})
        await seat.press("3", "enter")
        assert "Type its number, 1 to 2" in seat.text
        assert seat.app.wire.replies == []
        await seat.press("2")
        assert seat.app.wire.replies == [(3, 2)]


async def test_digits_typed_for_a_die_wait_for_it_at_a_seat_while_a_choice_comes_first():
    async with Seat(seen(fight())) as seat:
        seat.pilot.wait(1)
        asked = ChoiceAsked("Okado", "Spend it?", ("yes", "no"), -1)
        seat.app.take({"kind": "ask", "ask": 3, "choice": to_plain(asked)})
        await seat.pilot.type_ahead("1", "7", "enter")
        assert seat.app.wire.replies == []
        await seat.press("2")
        seat.app.take({"kind": "unask", "ask": 3})
        seat.app.take(die(4))
        await seat.press("enter")
        assert seat.app.wire.replies == [(3, 2), (4, "17")]


async def test_the_choices_of_a_reaction_are_counted_and_enter_lists_them():
    guards = [f"set {guard} mobility 9" for guard in ("guard-1", "guard-2")]
    start = ("add okado", "add guard x2", "start", "overwatch", "next", *guards)
    play = Fight("xcom", *start, "move steps=o by guard-1", "move steps=o by guard-2")
    async with Seat(seen(play), play=play) as seat:
        assert "Okado: 2 choices (Enter: lists them)\n" in seat.text
        await seat.press("enter")
        assert seat.text.count("offer  attack on Guard") == 2, seat.text
        assert seat.sent == []
        await seat.press("enter")
        assert seat.sent == ["attack 1 reaction=yes by Okado"]
    assert "may shoot" not in seen(play, Viewer(frozenset({"tamsin"}))).log[-1].text


async def test_a_reaction_that_leaves_its_target_open_asks_for_it():
    play = Fight("simple", "add okado", "add tamsin", "add guard", "start dice=1,20,10")
    play.do("set okado weapons.sword.counter hurry")
    play.do("next")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("enter", "1", "enter")
        assert seat.sent == ["attack guard weapon=sword by okado"]
    play.do(seat.sent[0])
    assert play.log.events[-1].actor == "okado"


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_a_seat_types_several_dice_at_once_as_at_the_table(size):
    async with Seat(seen(fight()), size) as seat:
        seat.app.take(die(7))
        await seat.pilot.idle()
        assert "several at once" not in seat.text
        asked = FaceAsked("Okado", 6, "damage", count=3)
        seat.app.take({"kind": "unask", "ask": 7})
        seat.app.take({"kind": "ask", "ask": 8, "face": to_plain(asked)})
        await seat.pilot.idle()
        assert "damage, die 1 of 3" in seat.text
        assert "several at once: 4 6 1" in seat.text
        await seat.press(*"4,6 x", "enter")
        assert '"x" is not a face' in seat.text
        await seat.press(*"4,6 1", "enter")
        assert seat.app.wire.replies == [(8, "4 6 1")]


async def test_a_line_with_more_dice_than_the_table_reads_stays_with_the_reason():
    async with Seat(seen(fight())) as seat:
        seat.app.take(die(7))
        await seat.pilot.idle()
        seat.app.seat.on_paste(Paste("20 " * 80))
        await seat.press("enter")
        assert seat.app.wire.replies == []
        assert "80 dice are too many for one line" in seat.text


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (110, 30)])
async def test_a_seat_reads_which_players_have_not_rolled_yet(size):
    async with Seat(seen(fight()), size) as seat:
        seat.app.take(die(7))
        seat.app.take({"kind": "missing", "names": ["Okado", "Mira", "Tobin"]})
        await seat.pilot.idle()
        assert "Waiting for Okado, Mira and Tobin" in seat.text
        assert "d20 for Okado's attack" in seat.text
        await seat.press("1", "7", "enter")
        seat.app.take({"kind": "missing", "names": ["Mira", "Tobin"]})
        await seat.pilot.idle()
        assert "Waiting for Mira and Tobin" in seat.text
        seat.app.take({"kind": "missing", "names": []})
        await seat.pilot.idle()
        assert "Waiting for" not in seat.text
        seat.app.take({"kind": "missing", "names": ["Mira"]})
        seat.app.take({"kind": "table", "there": False})
        await seat.pilot.idle()
        assert "Waiting for" not in seat.text


async def test_after_answering_a_die_the_typed_line_continues():
    async with Seat(seen(fight())) as seat:
        await seat.press(":", *"roll 2d6")
        seat.app.take(die(7))
        await seat.pilot.idle()
        await seat.press("1", "1")
        assert seat.app.wire.spots[-1].line == "roll 2d6"
        await seat.press("enter")
        assert seat.app.wire.replies == [(7, "11")]
        assert " : roll 2d6" in seat.text
        seat.app.take({"kind": "unask", "ask": 7})
        await seat.press("enter")
        assert seat.sent == ["roll 2d6"]


async def test_a_total_that_the_table_refuses_is_typed_again_at_the_seat():
    async with Seat(seen(fight())) as seat:
        asked = die(7)
        asked["face"]["total_of"] = "1d20"
        seat.app.take({**asked, "adds": "melee 53"})
        await seat.pilot.idle()
        assert "=total, bonus included" in seat.text
        await seat.press("=", "7", "4", "enter")
        assert seat.app.wire.replies == [(7, "=74")]
        seat.app.take({**asked, "adds": "melee 53", "typed": "=74", "wrong": "d20 +53 can't make 74"})
        await seat.pilot.idle()
        assert "d20 +53 can't make 74" in seat.text
        assert " d20 =74" in seat.text.replace("  ", " ")
        await seat.press("=", "7", "0", "enter")
        assert seat.app.wire.replies[-1] == (7, "=70")


async def test_an_unanswered_die_stays_on_the_message_line_until_it_is_answered_or_withdrawn():
    async with Seat(seen(fight())) as seat:
        seat.app.take(die(7))
        await seat.pilot.idle()
        await seat.press("escape")
        assert "Okado: d20 attack (Enter answers)" in seat.text
        seat.app.take(die(8, "Tamsin"))
        await seat.pilot.idle()
        await seat.press("4", "enter")
        assert seat.app.wire.replies == [(7, "4")]
        assert "d20 for Tamsin's attack" in seat.text
        await seat.press("escape", "enter", "5", "enter")
        assert seat.app.wire.replies == [(7, "4"), (8, "5")]
        seat.app.take(die(9))
        await seat.pilot.idle()
        await seat.press("escape")
        seat.app.take({"kind": "unask", "ask": 9})
        await seat.pilot.idle()
        assert "Enter answers" not in seat.text
