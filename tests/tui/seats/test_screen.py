"""What the screen of a seat shows: views, log, messages, pages and the size of the terminal."""

import re

import pytest
from textual.events import Paste

from systems.codec.plain import to_plain
from systems.visibility.build import view
from systems.visibility.view import View
from systems.visibility.viewer import PUBLIC
from tests.systems.fight import Fight
from tests.tui.pilot import running
from tests.tui.seats.screen import OKADO, SIZES, Seat, fight, seen
from tests.tui.table import text_of
from tui.seats.app import SeatApp


@pytest.mark.parametrize("size", SIZES)
async def test_a_seat_shows_its_own_figures_the_bands_of_foes_and_whose_turn_it_is(size):
    async with Seat(seen(fight("damage guard-1 30")), size) as seat:
        assert "Round 1  ▸ Okado" in seat.text
        assert "▌▸ 3 ● Okado" in seat.text
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
        assert "three turns before yours" in seat.text
        for call in ("two turns before yours", "Your turn is next", "Your turn, Okado"):
            assert rung == []
            play.do("next")
            seat.app.seat.show_view(seen(play))
            await seat.pilot.idle()
            assert call in seat.text
        assert rung == [True]
        assert seat.app.title == "Your turn, Okado"


@pytest.mark.parametrize("size", SIZES)
async def test_a_seat_whose_request_to_end_its_turn_is_open_reads_so_until_it_is_answered(size):
    async with Seat(seen(fight()), size) as seat:
        seat.app.take({"kind": "said", "text": "Turn over. The game master goes on."})
        seat.app.take({"kind": "turn_over", "is_open": True})
        await seat.pilot.idle()
        assert seat.text.count("Turn over") == 1
        footer = seat.text.split("\n")[-1]
        assert "Turn over. The game master goes on." in footer
        assert "Your turn" not in footer
        seat.app.take({"kind": "turn_over", "is_open": False})
        await seat.pilot.idle()
        assert "Your turn, Okado" in seat.text.split("\n")[-1]


async def test_the_bell_rings_only_if_it_is_wanted():
    play = fight("next")
    async with Seat(seen(play)) as seat:
        rung = []
        seat.app.bell = lambda: rung.append(True)
        await seat.press("b")
        for _ in range(3):
            play.do("next")
        seat.app.seat.show_view(seen(play))
        assert rung == []


async def test_a_disconnected_table_is_reported_and_the_last_view_stays():
    async with Seat(seen(fight())) as seat:
        seat.app.seat.lose("The line to the table is gone; trying again")
        await seat.pilot.idle()
        assert "The line to the table is gone" in seat.text
        assert "Okado" in seat.text
        seat.app.wire.is_open = False
        await seat.press("n")
        assert "nothing was sent" in seat.text
        seat.app.seat.show_view(seen(fight()))
        assert not seat.app.seat.message_line.is_lost


async def test_a_watching_player_sends_nothing():
    async with Seat(seen(fight(), PUBLIC)) as seat:
        await seat.press("a", "n", "r", "x", "colon", *"next", "enter")
        assert seat.sent == []
        assert "Okado" in seat.text


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
async def test_the_help_is_named_below_at_every_width(size):
    play = fight()
    async with Seat(seen(play), size, play) as seat:
        assert seat.text.rstrip().splitlines()[-1].rstrip().endswith("? help")


async def test_the_typed_line_is_below_the_list_on_a_high_screen_too():
    play = fight()
    async with Seat(seen(play), (140, 40), play) as seat:
        await seat.press("a")
        lines = seat.text.split("\n")
        last = max(at for at, line in enumerate(lines) if re.match(r"[ ▌] +[0-9] (Guard|Tamsin)", line))
        typed = next(at for at, line in enumerate(lines) if line.startswith(" target"))
        assert 0 < typed - last < 6
        await seat.press("3")
        assert seat.text.split("\n")[typed].startswith(" target 3")


async def test_help_and_the_own_sheet_cover_the_screen_and_scroll_to_their_end():
    play = fight()
    async with Seat(seen(play), (60, 20), play) as seat:
        await seat.press("question_mark")
        assert "the main action" in seat.text
        await seat.press("end")
        assert "leave the table" in seat.text
        await seat.press("escape", "s")
        assert re.search(r"dodge +30", seat.text)
        play.do("damage okado 7")
        seat.app.seat.show_view(seen(play))
        await seat.pilot.idle()
        assert "Life 45/52" in seat.text.split("─ Okado ─")[1]
        await seat.press("escape")
        assert "─ Okado ─" not in seat.text


async def test_help_on_the_command_line_of_a_seat_opens_the_page_of_keys():
    async with Seat(seen(fight())) as seat:
        await seat.press("?")
        keys = seat.text
        await seat.press("escape", "colon", *"help", "enter")
        assert seat.text == keys
        assert seat.sent == []


def long_fight(lines: int) -> Fight:
    return fight(*(f"note line {number} for all" for number in range(1, lines + 1)))


async def test_scrolling_back_loads_older_lines_and_keeps_the_page():
    play = long_fight(450)
    async with Seat(seen(play), play=play) as seat:
        assert "line 450" in seat.text
        await seat.press("pageup")
        before = seat.text
        assert "newer lines below" in before
        assert "line 450" not in before
        for _ in range(60):
            await seat.press("pageup")
        assert "line 1\n" in "\n".join(line.rstrip() for line in seat.text.split("\n"))
        read = [line for line in seat.text.split("\n") if " line " in line]
        play.do("note line 451 for all")
        seat.app.seat.show_view(seen(play))
        await seat.pilot.idle()
        assert [line for line in seat.text.split("\n") if " line " in line] == read
        await seat.press("end")
        assert "line 451" in seat.text


async def test_a_page_back_skips_no_line_where_lines_are_wrapped():
    play = fight(*(f"note {number} {'long words ' * 12} for all" for number in range(1, 30)))
    async with Seat(seen(play), (60, 20), play=play) as seat:
        met = set()
        for _ in range(40):
            met |= {number for number in range(1, 30) if f" {number} long words" in seat.text}
            await seat.press("pageup")
        assert met == set(range(1, 30))


async def test_a_returning_player_finds_the_typed_line_and_the_missed_events():
    play = fight()
    async with Seat(seen(play), play=play) as seat:
        await seat.press("b", "down", "a", *"1 mod")
        spot = seat.app.wire.spots[-1]
    for line in ("note it rains for all", "damage 1 30"):
        play.do(line)
    async with Seat(View(), play=play) as seat:
        seat.app.take({"kind": "seat", "name": "okado", "spot": to_plain(spot), "missed": 2})
        seat.app.seat.show_view(seen(play))
        await seat.pilot.idle()
        assert "2 lines since you left" in seat.text
        assert "attack 1 mod" in seat.text
        assert not seat.app.seat.bell
        assert "▏  4 ● Tamsin" in seat.text
        await seat.press("escape")
        lines = [line.strip() for line in seat.text.split("\n")]
        rule = next(at for at, line in enumerate(lines) if line.startswith("── since you left: 2"))
        assert "it rains" in lines[rule + 1]


async def test_without_the_game_masters_program_it_says_so_until_it_is_back():
    async with Seat(seen(fight())) as seat:
        seat.app.take({"kind": "table", "there": False})
        await seat.press("down")
        assert "you can only watch" in seat.text
        seat.app.take({"kind": "table", "there": True})
        await seat.pilot.idle()
        assert "you can only watch" not in seat.text


@pytest.mark.parametrize("size", [(59, 24), (80, 19), (20, 5)])
async def test_a_terminal_that_is_too_small_says_so_and_keeps_typed_text(size) -> None:
    async with Seat(seen(fight())) as seat:
        await seat.press("a", "2")
        await seat.pilot.resize(*size)
        assert f"This terminal is {size[0]}x{size[1]}:" in " ".join(seat.text.split())
        assert "60 columns and 20 lines are" in " ".join(seat.text.split())
        assert "Okado" not in seat.text
        await seat.press("7", "enter")
        seat.app.post_message(Paste("9"))
        await seat.pilot.idle()
        assert seat.sent == []
        await seat.pilot.resize(80, 24)
        assert "target 2" in seat.text
        assert "60 columns" not in seat.text
        await seat.press("enter")
        assert len(seat.sent) == 1
        assert seat.sent == ["attack guard-2"]


async def test_a_terminal_that_is_too_small_from_the_start_can_be_left() -> None:
    async with Seat(seen(fight()), (40, 10)) as seat:
        assert "This terminal is 40x10" in " ".join(seat.text.split())
        await seat.press("ctrl+q")
        assert seat.app.return_code == 0


async def test_a_page_without_a_view_shows_no_fight() -> None:
    app = SeatApp(None)
    async with running(app) as pilot:
        for words in ("not begun", "No combatants yet"):
            assert words not in text_of(app)
        app.take({"kind": "view", "view": {"title": "An empty room"}, "token": ""})
        await pilot.idle()
        assert "No combatants yet." in text_of(app)


async def test_ctrl_c_says_how_to_leave_and_leaves_nothing() -> None:
    async with Seat(seen(fight())) as seat:
        await seat.press("ctrl+c")
        assert "Ctrl+Q leaves the table" in seat.text
        assert seat.app.return_code is None


async def test_lines_of_the_own_sheet_without_room_are_counted():
    async with Seat(seen(fight("attack guard-1 dice=12")), (60, 20)) as seat:
        assert re.search(r"… [0-9]+ more: S shows all", seat.text)


async def test_an_action_of_the_round_is_reported_once():
    async with Seat(seen(fight("attack guard-1 dice=12")), (140, 40)) as seat:
        own = "\n".join(line.partition("│")[2] for line in seat.text.split("\n"))
        assert re.search(r"attacks made +1", own)
        assert "attacked" not in own


async def test_a_player_without_characters_sees_no_keys_for_actions():
    async with Seat(seen(fight(), PUBLIC)) as seat:
        await seat.press("question_mark")
        assert "scroll the log" in seat.text
        assert "the main action" not in seat.text


async def test_a_message_does_not_repeat_the_newest_lines_of_the_log():
    play = fight("next", "roll 1d6 for okado")
    line = view(play.encounter, play.log, OKADO).log[-1].text
    async with Seat(seen(play)) as seat:
        seat.app.take({"kind": "said", "text": line, "passes": True})
        await seat.pilot.idle()
        assert seat.text.count(line) == 1
        await seat.press("r")
        assert seat.text.count(line) == 0
        seat.app.take({"kind": "said", "text": line, "passes": True})
        await seat.pilot.idle()
        assert seat.text.count(line) == 1


async def test_the_page_of_own_sheets_names_a_single_character_in_its_title():
    async with Seat(seen(fight()), (80, 24)) as seat:
        await seat.press("S")
        page = seat.text.split("╭")[1]
        assert page.count("Okado") == 1


async def test_the_recap_of_a_fight_without_a_blow_says_so():
    play = fight("end", "share recap")
    async with Seat(seen(play), (80, 24), play) as seat:
        await seat.press("v")
        await seat.pilot.until(lambda: "You saw no blow fall." in seat.text)


async def test_the_recap_opens_when_the_game_master_shows_it_and_a_key_opens_it_again():
    play = fight("damage okado 5", "end")
    async with Seat(seen(play), (80, 24), play) as seat:
        await seat.press("v")
        assert "Who did what" not in seat.text
        play.do("share recap chances=0:62,1:100 margin=9 turned=5:-22")
        seat.app.seat.show_view(seen(play))
        await seat.pilot.until(lambda: "The players' chance to win" in seat.text)
        assert "at the start    62% ± 9" in seat.text
        assert "It turned most, −22 points: Okado takes 5 (life 52 → 47)." in seat.text
        await seat.press("escape")
        assert "v recap" in seat.text
        await seat.press("v")
        await seat.pilot.until(lambda: "The players' chance to win" in seat.text)
        play.do("undo")
        seat.app.seat.show_view(seen(play))
        await seat.pilot.until(lambda: "The players' chance to win" not in seat.text)
