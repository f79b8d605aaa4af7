"""Requests of seats that wait for the game master: accepted once, lapsed, held, sent again."""

import pytest

from systems.encounter.model import Offer
from systems.frozen import evolve
from systems.visibility.acting import sent_command
from systems.visibility.viewer import Viewer
from tests.tui.seat_desk import ATTACK, REAL, FakeLink, Table, table
from tui.controllers.seat_command_runner import SeatRequest
from tui.prompts.dice_and_choices import FacePrompt


def offered(here: Table) -> None:
    """Let the rules offer Okado a counterattack."""
    offer = Offer(
        says="Okado may strike back.",
        command="attack guard-1 by okado",
        by="okado",
        target="guard-1",
        action="attack",
    )
    here.session.encounter = evolve(here.session.encounter, offers=(offer,))


async def test_an_offer_counts_once_whoever_accepts_it(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        offered(here)
        for token in ("first", "second"):
            viewer, command = Viewer(frozenset({"okado"})), sent_command("action", ATTACK)
            line, fight = "attack 1", "north-gate"
            request = SeatRequest(token, "okado", viewer, line, 1, fight, command, took_offer=True)
            here.desk.waiting.append(request)
        here.desk.take_waiting(0)
        await here.pilot.idle()
        assert here.events[-1].who == "okado"
        assert here.desk.waiting == []
        assert any("the offer is gone" in result["text"] for result in here.told("result"))
        assert len(here.events) == 2


async def test_an_offer_requested_by_a_seat_is_carried_out_once_with_the_seats_options(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        offered(here)
        await here.seat("attack 1 modifier=-5")
        assert "Okado may strike back" in here.text
        await here.press("enter")
        assert here.events[-1].who == "okado"
        assert here.events[-1].options["modifier"] == -5
        assert here.desk.waiting_words == []


async def test_a_request_of_an_earlier_turn_says_so(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.seat("attack 1", "tamsin")
        assert "earlier turn" not in here.text
        here.app.services.command("next")
        await here.pilot.idle()
        here.app.services.say("")
        await here.pilot.idle()
        assert "Tamsin asks: attack on Guard 1 (from an earlier turn)" in here.text


async def test_a_waiting_request_is_not_carried_out_after_an_undo(tmp_path):
    async with table(tmp_path, "ask", "start", "next") as here:
        await here.seat("next", "tamsin")
        assert "Tamsin asks: end the turn" in here.text
        here.app.services.command("undo")
        await here.pilot.idle()
        here.app.services.say("")
        await here.press("enter")
        assert "not Tamsin's turn" in here.answer
        assert here.turn == "okado"


async def test_a_request_held_while_the_table_was_busy_needs_approval_once_the_turn_is_over(tmp_path):
    async with table(tmp_path, "turn", "start", dice="real") as here:
        # A die of the game master's own command is being read.
        await here.press(*":attack okado by guard-1", "enter")
        await here.press("enter") if here.app.services.prompts.current is None else None
        assert isinstance(here.app.services.prompts.current, FacePrompt)
        await here.seat("roll 1d6")
        await here.seat("attack 1")
        assert len(here.events) == 1
        here.session.do("next")
        await here.press("escape")
        await here.pilot.until(lambda: not here.desk._held)
        assert "This turn is over" in here.answer


async def test_a_request_that_is_sent_twice_counts_once(tmp_path):
    async with table(tmp_path, "free", "start") as here:
        await here.seat("roll 1d6")
        here.count -= 1
        await here.seat("roll 1d6")
        assert "sent twice" in here.answer
        assert len(here.events) == 2


async def test_a_restarted_server_receives_the_open_questions(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL) as here:
        await here.seat("attack 1")
        here.desk._lost(here.link)  # type: ignore[arg-type]
        assert here.desk.questions
        again = FakeLink()
        here.desk.listener.links = [again]  # type: ignore[list-item]
        here.link = again
        await here.hear(kind="hello")
        assert here.asked["face"]["sides"] == 20


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
async def test_healing_of_another_players_character_takes_one_enter_of_the_game_master(tmp_path, acting):
    async with table(tmp_path, acting, "start", "damage tamsin 9") as here:
        await here.seat("heal tamsin 4")
        assert here.told("waits")[-1]["text"] == "Waiting for the game master: heal Tamsin by 4."
        assert "Okado asks: heal Tamsin by 4" in here.text
        await here.press("enter")
        assert (here.events[-1].command, here.events[-1].targets) == ("heal", ("tamsin",))


async def test_a_request_comes_before_a_quiet_offer_that_may_stay_open(tmp_path):
    lines = ("remove lurker", "start elin 30 mira 29 cave-drake 1", "next")
    async with table(tmp_path, "ask", *lines, name="the-sunken-vault") as here:
        assert "Enter Cave drake: tail sweep?" in here.text
        await here.seat("next", "mira")
        assert "Enter Mira asks: end the turn" in here.text
        assert "x: Cave drake: tail sweep?" in " ".join(here.text.split())
        await here.press("enter")
        assert here.turn != "mira"
        assert "tail sweep?" in here.text
