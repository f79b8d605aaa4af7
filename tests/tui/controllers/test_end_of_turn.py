"""The end of a turn requested by a seat, also when a hidden combatant acts next."""

import pytest

from tests.tui.seat_desk import GHOST, table
from tui.session.session import chance

OVER = "Turn over. The game master goes on."


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
async def test_an_end_of_turn_waits_for_the_game_master_and_counts_once(tmp_path, acting):
    async with table(tmp_path, acting, "start") as here:
        for _ in range(2):
            await here.seat("next", n=1)
        assert (here.told("waits")[-1]["text"], here.answer) == (OVER, OVER)
        assert here.turn == "okado"
        await here.press("enter")
        assert here.turn == "tamsin"
        assert here.desk.waiting == []
        assert "Tamsin's turn" in here.answer
        await here.seat("next", n=1)
        assert "not Okado's turn" in here.answer


async def test_a_table_without_hidden_combatants_may_hand_the_turn_over_at_once(tmp_path):
    async with table(tmp_path, "turn", "start", hand_over="at_once") as here:
        await here.seat("next")
        assert here.turn == "tamsin"
        assert "Tamsin's turn" in here.answer
        assert here.told("waits") == []
        await here.press("P")
        assert "turns end without you" in here.text


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
async def test_a_hidden_combatants_turn_stays_open_until_the_next_visible_turn(tmp_path, acting):
    async with table(tmp_path, acting, *GHOST) as here:
        await here.seat("next")
        await here.press("enter")
        assert here.session.encounter.turn.name == "Ghost"
        assert here.told("result") == []
        assert here.told("turn_over")[-1]["is_open"]
        await here.press("n")
        assert here.turn == "tamsin"
        assert here.answer.startswith("Tamsin's turn.")
        assert not here.told("turn_over")[-1]["is_open"]


@pytest.mark.parametrize("line", ["next", "delay"])
async def test_accepting_the_end_of_a_turn_sends_nothing_while_a_hidden_combatant_acts(tmp_path, line):
    async with table(tmp_path, "free", *GHOST) as here:
        await here.seat(line)
        sent = len(here.link.sent)
        await here.press("enter")
        assert here.session.encounter.turn.name == "Ghost"
        assert here.link.sent[sent:] == []
        await here.press("n")
        assert [message["kind"] for message in here.link.sent[sent:]] == ["result", "requests", "turn_over"]


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
async def test_a_player_ending_a_turn_does_not_learn_that_a_hidden_combatant_has_it(tmp_path, acting):
    async with table(tmp_path, acting, *GHOST, "next") as here:
        assert here.session.encounter.turn.name == "Ghost"
        # The seat is still shown Okado's turn.
        await here.seat("next")
        assert here.told("result") == []
        assert here.told("waits")[-1]["text"] == OVER
        await here.press("enter")
        assert "turn is over already" in here.text
        assert here.told("result") == []
        assert here.session.encounter.turn.name == "Ghost"
        await here.press("n")
        assert here.answer.startswith("Tamsin's turn.")


async def test_the_game_master_ending_the_turn_answers_a_request_to_end_it(tmp_path):
    async with table(tmp_path, "turn", *GHOST) as here:
        await here.seat("next")
        await here.press("n")
        assert here.told("result") == []
        await here.press("n")
        assert here.answer.startswith("Tamsin's turn.")
        assert here.desk.waiting == []


async def test_a_delay_waits_and_is_not_done_once_the_turn_is_over(tmp_path):
    async with table(tmp_path, "free", *GHOST) as here:
        await here.seat("delay")
        assert here.told("waits")[-1]["text"] == "Waiting for the game master: delay the turn."
        await here.press("n")
        await here.press("enter")
        assert here.told("result") == []
        await here.press("n")
        assert here.answer == "Okado's turn is over."
        assert not here.session.encounter.combatants["okado"].state.waits


async def test_an_end_of_turn_that_is_undone_is_open_at_the_table_again(tmp_path):
    async with table(tmp_path, "turn", *GHOST) as here:
        await here.seat("next")
        await here.press("enter")
        assert here.desk.waiting == []
        await here.press("u")
        assert [request.says for request in here.desk.waiting] == ["end the turn"]
        assert here.told("result") == []


async def test_an_action_after_the_turn_is_carried_out_marked_and_taken_back(tmp_path):
    async with table(tmp_path, "turn", *GHOST) as here:
        await here.press("n")
        await here.seat("attack 1")
        assert here.events[-1].who == "okado"
        assert here.events[-1].text.endswith("After its turn.")
        assert here.session.encounter.turn.name == "Ghost"
        assert "attack" in here.answer
        assert "After" not in here.answer
        await here.press("u")
        assert here.events[-1].kind == "undo"
        assert here.session.encounter.turn.name == "Ghost"


SENT = (
    "attack 1",
    "defend",
    "damage okado 2",
    "condition okado marked for 2 rounds",
    "roll 2d6",
    "delay okado",
    "attack 1 by tamsin",
    "ready okado strike whoever comes",
    "attack Ghost",
    "undo",
    "next",
    "next",
)


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
async def test_every_message_to_a_seat_is_the_same_in_a_hidden_turn_as_without_it(tmp_path, acting):
    sent = []
    for name, lines in (("without", ("start",)), ("with", (*GHOST, "next"))):
        async with table(tmp_path / name, acting, *lines) as here:
            here.session.streams = chance(5)
            for line in SENT:
                await here.seat(line)
            sent.append(here.link.sent)
    assert sent[0] == sent[1]
    assert {message["kind"] for message in sent[0]} >= {"waits", "result", "turn_over"}
