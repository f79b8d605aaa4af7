"""The screen of a seat, driven by keys."""

import json
import re
from typing import Any

import pytest
from textual.events import Paste

from systems.codec.plain import to_plain
from systems.visibility.build import view
from systems.visibility.view import View
from systems.visibility.viewer import PUBLIC, Shown, Viewer
from tests.systems.fight import Fight
from tests.tui.pilot import running
from tests.tui.table import text_of
from tui.display.banner import large_letters
from tui.lists.dice_asked import ChoiceAsked, FaceAsked
from tui.seats.app import SeatApp
from tui.seats.questions import SeatAnswers, SeenFight

OKADO = Viewer(frozenset({"okado"}))
SIZES = [(60, 20), (80, 24), (110, 30), (140, 40), (200, 60)]


class FakeWire:
    """Keeps sent messages and answers questions like the server. `is_open` False: not connected."""

    def __init__(self, play: Fight, viewer: Viewer, shown: Shown) -> None:
        self.sent: list[str] = []
        self.replies: list[tuple[int, Any]] = []
        self.withdrawn: list[str] = []
        self.spots: list[dict[str, Any]] = []
        self.is_open = True
        self.fight, self.viewer, self.shown = play, viewer, shown
        self.answers = SeatAnswers()

    async def start(self, received, lost) -> None:
        pass

    def request(self, line: str) -> bool:
        if self.is_open:
            self.sent.append(line)
        return self.is_open

    def reply(self, ask: int, value) -> bool:
        self.replies.append((ask, value))
        return self.is_open

    def withdraw(self, id: str) -> bool:
        self.withdrawn.append(id)
        return self.is_open

    def remember(self, spot) -> None:
        self.spots.append(dict(spot))

    async def ask(self, what: str, **details):
        moment = SeenFight(self.fight.encounter, self.fight.log, self.viewer, self.shown)
        question = json.loads(json.dumps({"what": what, **details}))
        return json.loads(json.dumps(self.answers.answer(moment, question)))


def fight(*lines: str) -> Fight:
    return Fight("atlantis", "add okado", "add tamsin", "add guard x2", "start", *lines)


def seen(play: Fight, viewer: Viewer = OKADO) -> View:
    return view(play.encounter, play.log, viewer)


class Seat:
    """A seat's application that shows a view, driven by keys."""

    def __init__(
        self, first: View, size=(80, 24), play: Fight | None = None, viewer: Viewer = OKADO, **shown
    ) -> None:
        self.app = SeatApp(FakeWire(play or fight(), viewer, Shown(**shown)))
        self.first, self.size = first, size

    async def __aenter__(self) -> "Seat":
        self._running = running(self.app, self.size)
        self.pilot = await self._running.__aenter__()
        self.app.seat.show_view(self.first)
        await self.pilot.idle()
        return self

    async def __aexit__(self, *error) -> None:
        await self._running.__aexit__(*error)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

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
        assert not seat.app.seat.is_lost


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
        seat.app.take({"kind": "seat", "name": "okado", "spot": spot, "missed": 2})
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


def die(number: int, name: str = "Okado") -> dict[str, Any]:
    return {"kind": "ask", "ask": number, "face": to_plain(FaceAsked(name, 20, "attack"))}


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
        assert seat.app.wire.spots[-1]["line"] == "roll 2d6"
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


async def test_a_long_line_is_kept_whole_and_an_oversized_paste_changes_nothing():
    async with Seat(seen(fight())) as seat:
        await seat.press(":")
        for _ in range(2):
            seat.app.screen.on_paste(Paste("note " + "x" * 900))
        await seat.press("left")
        assert len(seat.app.wire.spots[-1]["line"]) == 500


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


async def test_44_columns_are_enough_to_watch_but_a_player_is_told_to_make_the_terminal_larger():
    play = fight("damage guard-1 30", "condition guard-1 prone for 2 rounds")
    async with Seat(view(play.encounter, play.log, PUBLIC), (44, 24)) as seat:
        assert "▸ 3 ● Okado" in seat.text
        assert "badly hurt" in seat.text
        assert "columns" not in seat.text
        order = next(line for line in seat.text.split("\n") if "1 ▪ Guard 1" in line)
        assert "prone" in order or "…" in order
        assert "Ctrl+Q" in seat.text
    async with Seat(seen(play), (44, 24)) as seat:
        assert "60 columns" in " ".join(seat.text.split())
        await seat.pilot.resize(80, 24)
        assert "▸ 3 ● Okado" in seat.text


async def test_the_public_screen_shows_turn_and_last_blow_in_large_and_spaces_the_order():
    play = fight("damage guard-1 30")
    play.do("attack guard-2 dice=15")
    async with Seat(seen(play, PUBLIC), (120, 36)) as screen:
        lines = screen.text.split("\n")
        assert lines[2].strip() == large_letters("Okado")[0].strip()
        assert lines[6].strip() == "Okado's attack on Guard 2: hit, badly hurt."
        first = next(at for at, line in enumerate(lines) if "3 ● Okado" in line)
        assert lines[first + 1].strip() == ""
        assert "4 ● Tamsin" in lines[first + 2]
        assert not any("│" in line for line in lines)


@pytest.mark.parametrize("size", [(44, 20), (60, 20), (80, 24)])
async def test_the_public_screen_fits_small_terminals_and_keeps_the_turn_in_sight(size):
    async with Seat(seen(fight(), PUBLIC), size) as screen:
        assert "▸ 3 ● Okado" in screen.text
        assert "R1 " in screen.text


async def test_a_seat_with_a_character_has_no_banner():
    async with Seat(seen(fight()), (120, 36)) as seat:
        assert large_letters("Okado")[0] not in seat.text


async def test_the_character_under_the_cursor_acts_in_a_turn_of_its_side() -> None:
    both = Viewer(frozenset({"okado", "tamsin"}))
    play = Fight("xcom", "add okado", "add tamsin", "add guard x2", "start")
    async with Seat(seen(play, both), play=play, viewer=both) as seat:
        tag = play.encounter.combatants["guard-1"].tag
        await seat.press("down", "n")
        await seat.press("a", *tag, "enter")
        assert seat.sent == ['next by "Tamsin"', "attack guard-1 by tamsin"]


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
