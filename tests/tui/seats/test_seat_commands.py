"""Commands at a seat: keys, typed lines, completion, targets, offers."""

import pytest
from textual.events import Paste

from systems.visibility.viewer import PUBLIC, Viewer
from tests.systems.fight import Fight
from tests.tui.seats.screen import SIZES, Seat, fight, seen


async def test_an_attack_is_two_keys_and_enter():
    async with Seat(seen(fight())) as seat:
        await seat.press("a", "2")
        assert "▌   2 Guard 2" in seat.text
        await seat.press("enter")
        assert seat.sent == ["attack guard-2"]
        assert "Sent: attack guard-2" in seat.text


async def test_rolls_commands_and_the_end_of_a_turn_are_sent_as_lines():
    async with Seat(seen(fight())) as seat:
        await seat.press("r", *"2d6", "enter", "n", "colon", *"note hi", "enter")
        assert seat.sent == ["roll 2d6", "next", "note hi"]


async def test_an_action_is_found_by_its_beginning_and_its_options_are_completed():
    async with Seat(seen(fight())) as seat:
        await seat.press("x", *"att", "enter", *"1 wea", "tab", *"sword", "enter")
        assert seat.sent == ["attack guard-1 weapon=sword"]


async def test_enter_aims_at_the_marked_row_and_a_name_that_nobody_has_stays_typed():
    async with Seat(seen(fight())) as seat:
        await seat.press("a", "9", "enter")
        assert seat.sent == []
        assert "Nobody has the tag 9" in seat.text
        assert "target 9" in seat.text
        await seat.press("backspace", "down", "enter")
        assert seat.sent == ["attack guard-2"]


async def test_a_letter_of_the_game_asks_for_its_action_at_a_seat_too():
    async with Seat(seen(fight()), (140, 40)) as seat:
        assert "t check" in seat.text
        await seat.press("t")
        assert "Okado · check" in seat.text
        await seat.press("d", "tab", *"20", "enter")
        assert seat.sent == ["check ability=dodge threshold=20"]
        await seat.press("question_mark")
        assert "p g t f" in seat.text
        assert "defend, coup de grace, check, contest" in seat.text
    async with Seat(seen(fight(), PUBLIC)) as seat:
        await seat.press("t")
        assert seat.sent == []


@pytest.mark.parametrize("size", SIZES)
async def test_odds_are_shown_next_to_an_action_by_the_tables_setting(size):
    async with Seat(seen(fight()), size) as seat:
        await seat.press("a")
        assert "melee 53 · 15 to 60 on a success" in seat.text
        assert "%" not in seat.text
        # A word that is not whole yet changes nothing of it.
        await seat.press(*"3 w")
        assert "melee 53 · 15 to 60 on a success" in seat.text
    async with Seat(seen(fight()), size, odds="none") as seat:
        await seat.press("a")
        assert "melee 53 ·" not in seat.text
    async with Seat(seen(fight()), size, odds="exact") as seat:
        await seat.press("a")
        guards = [line for line in seat.text.split("\n") if "Guard 1 " in line]
        assert "99%" in guards[-1]


async def test_tab_completes_targets_by_tag_options_and_their_values():
    async with Seat(seen(fight()), odds="own") as seat:
        await seat.press("colon", *"at", "tab", *"gua", "tab", *"wea", "tab", "tab", "enter")
        assert seat.sent == ["attack 1 weapon=sword"]


async def test_the_last_cover_is_filled_in_and_included_in_the_sent_line():
    play = fight("attack guard-1 distance=40 coverage=half by okado")
    async with Seat(seen(play), play=play) as seat:
        await seat.press("a", "1")
        assert "coverage half" in seat.text
        await seat.press("enter", "a", *"1 c=none", "enter", "a", "2", "enter")
        # How far away they are does not matter to a sword.
        assert seat.sent == [
            "attack guard-1 coverage=half",
            "attack guard-1 coverage=none",
            "attack guard-2",
        ]


async def test_tab_leaves_text_without_a_match_alone():
    async with Seat(seen(fight())) as seat:
        await seat.press("colon", *"note x", "tab", "enter")
        assert seat.sent == ["note x"]


async def test_an_own_character_is_no_target_of_an_attack():
    async with Seat(seen(fight())) as seat:
        await seat.press("a")
        question = seat.text.split("Okado · attack")[1]
        assert "Guard 1" in question
        assert "  1 Okado" not in question


async def test_a_long_line_is_kept_whole_and_an_oversized_paste_changes_nothing():
    async with Seat(seen(fight())) as seat:
        await seat.press(":")
        for _ in range(2):
            seat.app.screen.on_paste(Paste("note " + "x" * 900))
        await seat.press("left")
        assert len(seat.app.wire.spots[-1].line) == 500


async def test_the_result_of_a_command_disappears_with_the_turn_and_a_refusal_does_not():
    play = fight()
    async with Seat(seen(play)) as seat:
        for passes in (True, False):
            seat.app.take({"kind": "said", "text": "Well struck.", "passes": passes})
            play.do("damage guard-1 1")
            seat.app.seat.show_view(seen(play))
            await seat.pilot.idle()
            assert "Well struck." in seat.text
            play.do("next")
            seat.app.seat.show_view(seen(play))
            await seat.pilot.idle()
            assert ("Well struck." in seat.text) != passes


async def test_an_offer_stays_in_sight_below_a_sentence_and_enter_takes_it():
    start = ("add okado", "add guard x2", "start", "overwatch", "next", "set guard-1 mobility 9")
    play = Fight("xcom", *start, "move steps=o by guard-1")
    async with Seat(seen(play), play=play) as seat:
        seat.app.take({"kind": "said", "text": "The game master says no."})
        await seat.pilot.idle()
        rows = seat.text.split("\n")
        at = next(at for at, row in enumerate(rows) if "The game master says no." in row)
        assert "Okado may shoot" in rows[at + 1]
        await seat.press("enter")
        assert len(seat.sent) == 1


async def test_a_stray_enter_accepts_no_new_offer_at_a_seat_but_a_second_enter_does():
    start = ("add okado", "add guard x2", "start", "overwatch", "next", "set guard-1 mobility 9")
    play = Fight("xcom", *start)
    async with Seat(seen(play), play=play) as seat:
        seat.pilot.wait(1)
        play.do("move steps=o by guard-1")
        seat.app.seat.show_view(seen(play))
        await seat.pilot.type_ahead("enter")
        assert seat.sent == []
        assert "(Enter again" in seat.text
        await seat.pilot.type_ahead("enter")
        assert len(seat.sent) == 1


async def test_the_character_under_the_cursor_acts_in_a_turn_of_its_side() -> None:
    both = Viewer(frozenset({"okado", "tamsin"}))
    play = Fight("xcom", "add okado", "add tamsin", "add guard x2", "start")
    async with Seat(seen(play, both), play=play, viewer=both) as seat:
        tag = play.encounter.combatants["guard-1"].tag
        await seat.press("down", "n")
        await seat.press("a", *tag, "enter")
        assert seat.sent == ['next by "Tamsin"', "attack guard-1 by tamsin"]
