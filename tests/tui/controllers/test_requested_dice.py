"""Dice that the table requests from players: shown, answered, taken over, requested again."""

import pytest

from systems.dice.sources import TotalRoll
from tests.tui.seat_desk import GHOST, REAL, answered, table


async def test_a_players_die_is_shown_in_the_place_of_offers_and_takes_no_key_at_the_table(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("attack 1")
        assert here.app.services.prompts.current is None
        assert "Okado's d20" in here.text
        # A number and a letter that were meant for the table; `j` moves the cursor.
        before = len(here.events)
        await here.press("1", "7", "j")
        assert here.app.services.prompts.current is None
        assert len(here.events) == before
        await here.hear(kind="reply", ask=here.asked["ask"], value=17, seat="okado")
        while here.asked["ask"] in here.desk.asks.open:
            await here.hear(kind="reply", ask=here.asked["ask"], value=1, seat="okado")
        assert here.events[-1].who == "okado"
        assert here.events[-1].rolls[0].face == 17


async def test_a_total_called_by_a_player_includes_the_bonus_shown_at_its_seat(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("attack 1")
        await here.pilot.idle()
        shown = here.asked
        assert shown["adds"] == "melee 53"
        await here.hear(kind="reply", ask=shown["ask"], value="=74", seat="okado")
        refused = here.asked
        assert (refused["ask"], refused["typed"]) == (shown["ask"], "=74")
        assert refused["wrong"] == "d20 +53 can't make 74, only 54 to 73"
        await here.hear(kind="reply", ask=shown["ask"], value="=70", seat="okado")
        await answered(here, "okado")
        assert here.events[-1].rolls[0].face == 17


async def test_a_seat_without_odds_calls_only_its_dice_and_invalid_answers_are_dropped(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        here.app.services.command("roll 2d6 for okado")
        await here.pilot.idle()
        asked = here.asked
        assert asked["face"]["total_of"] == "2d6"
        for nonsense in ("9", "=", "=x", "=-3", ""):
            await here.hear(kind="reply", ask=asked["ask"], value=nonsense, seat="okado")
        assert asked["ask"] in here.desk.asks.open
        await here.hear(kind="reply", ask=asked["ask"], value="=9", seat="okado")
        assert here.events[-1].rolls == (TotalRoll("2d6", 9, "2d6", "okado"),)


@pytest.mark.parametrize(
    ("line", "asks"), [("roll 2d6 for okado", True), ("roll 2d6 for okado secret", False)]
)
async def test_no_seat_is_asked_for_a_die_of_a_secret_roll(tmp_path, line, asks):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        here.app.services.command(line)
        await here.pilot.idle()
        assert here.app.services.prompts.current is not None, "the game master is asked"
        assert bool(here.told("ask")) is asks


async def test_the_game_master_can_answer_a_players_die_by_choosing_it(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("attack 1")
        await here.press("enter")
        assert "1 to 20" in here.text
        assert len(here.events) == 1
        await here.press("1", "6", "enter")
        assert here.desk.asks.open == {}
        while here.app.services.prompts.current is not None:
            await here.press("enter")
        assert here.events[-1].rolls[0].face == 16


async def test_escape_leaves_a_players_die_to_the_player(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("attack 1")
        await here.press("enter", "escape")
        assert here.app.services.prompts.current is None
        assert here.asked["ask"] in here.desk.asks.open
        assert any("Okado's d20" in words for words in here.desk.waiting_words)
        await here.hear(kind="reply", ask=here.asked["ask"], value=4, seat="okado")
        assert "has answered" in here.text


async def test_one_key_refuses_a_command_that_waits_for_a_die(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("attack 1")
        ask = here.asked["ask"]
        await here.press("backspace")
        assert here.told("unask")[-1]["ask"] == ask
        assert "The game master says no" in here.answer
        assert here.desk.waiting_words == []
        assert len(here.events) == 1


async def test_a_key_pressed_as_the_player_answers_accepts_nothing_else(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("attack 1")
        await here.seat("next", "tamsin", n=1)
        await here.seat("attack 1", "tamsin")
        assert [request.seat for request in here.desk.waiting] == ["tamsin"]
        while here.desk.questions:
            await here.hear(kind="reply", ask=here.asked["ask"], value=1, seat="okado")
        await here.pilot.type_ahead("enter")
        assert [request.seat for request in here.desk.waiting] == ["tamsin"]
        assert "Enter again Tamsin asks" in here.text
        await here.pilot.type_ahead("enter")
        assert here.desk.waiting == []


async def test_a_stray_enter_accepts_no_new_request_but_ctrl_a_does(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        here.pilot.wait(1)
        for line in ("attack 1", "damage 1 1", "next"):
            await here.seat(line)
        before = len(here.desk.waiting)
        await here.pilot.type_ahead("enter")
        assert len(here.desk.waiting) == before
        await here.pilot.type_ahead("enter")
        assert len(here.desk.waiting) == before - 1
        # The request after it is new as well.
        await here.pilot.type_ahead("enter")
        assert len(here.desk.waiting) == before - 1
        await here.pilot.type_ahead("ctrl+a")
        assert here.desk.waiting == []


async def test_a_line_typed_at_the_table_is_not_disturbed_by_a_seats_die(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.press("colon", *"note")
        open_prompt = here.app.services.prompts.current
        await here.seat("attack 1")
        await here.press("space", "h", "i")
        assert here.app.services.prompts.current is open_prompt
        await here.press("enter")
        assert here.events[-1].command == "note"


DODGED = "attack 1 defence=active defence_ability=dodge"


async def test_a_die_is_requested_again_after_an_event_that_changes_the_roll(tmp_path):
    async with table(tmp_path, "turn", "start", dice="real") as here:
        await here.seat(DODGED)
        first = here.asked["ask"]
        await here.hear(kind="reply", ask=first, value=3, seat="okado")
        assert here.desk.questions[0].words.startswith("Guard 1's d20")
        # A surprised combatant does not dodge.
        here.session.do("condition guard-1 surprised")
        await here.press("enter", "5", "enter")
        assert "has changed" in here.told("waits")[-1]["text"]
        assert here.asked["ask"] != first
        # The old question no longer counts.
        await here.hear(kind="reply", ask=first, value=20, seat="okado")
        assert here.events[-1].command == "condition"


SECRET = ("note they wait", "roll 2d6 secret", "condition Ghost prone", "set Ghost notes asleep")


async def test_an_event_hidden_from_a_seat_does_not_request_its_die_again(tmp_path):
    sent = []
    for name, lines in (("without", ()), ("with", SECRET)):
        async with table(tmp_path / name, "turn", *GHOST, dice=REAL) as here:
            await here.seat("attack 1")
            for line in lines:
                here.session.do(line)
            await here.hear(kind="reply", ask=here.asked["ask"], value=17, seat="okado")
            sent.append(here.link.sent)
            assert here.events[-1].rolls[0].face == 17
    assert sent[0] == sent[1]


async def test_rolls_of_another_seat_leave_an_open_die_alone(tmp_path):
    async with table(tmp_path, "free", "start", dice=REAL) as here:
        await here.seat("attack 1")
        asked = here.told("ask")
        here.session.do("roll 1d6 for tamsin")
        await here.hear(kind="reply", ask=here.asked["ask"], value=17, seat="okado")
        assert here.told("ask") == asked
        assert here.events[-1].who == "okado"


async def test_a_die_for_a_finished_turn_is_refused_and_counts_for_nobody(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("next")
        await here.press("enter")
        assert here.turn == "tamsin"
        await here.seat("attack 1", "tamsin")
        ask = here.asked["ask"]
        here.app.services.command("undo")
        await here.pilot.idle()
        await here.hear(kind="reply", ask=ask, value=17, seat="tamsin")
        assert here.desk.asks.open == {}
        assert "This turn is over" in here.answer
        assert here.events[-1].kind == "undo"
