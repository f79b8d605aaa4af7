"""The requests that wait at the table, as their seats list them: withdrawn, refused, lapsed."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from random import Random

import pytest

from tests.tui.seat_desk import GHOST, Table, table


def listed(here: Table, seat: str = "okado") -> Sequence[tuple[str, bool]]:
    """Return the newest list that a seat was sent: texts, and whether they wait."""
    lists = [message for message in here.told("requests") if message["seat"] == seat]
    return [(each["text"], each.get("is_open", True)) for each in lists[-1]["requests"]] if lists else []


async def withdraw(here: Table, number: int, seat: str = "okado") -> None:
    await here.hear(kind="withdraw", id=f"t{number}", seat=seat)


async def test_a_seat_is_sent_the_list_of_its_requests_until_they_are_carried_out(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.seat("attack 1")
        await here.seat("roll 2d6")
        assert listed(here) == [("attack on Guard 1", True), ("roll 2d6", True)]
        await here.press("enter")
        assert listed(here) == [("roll 2d6", True)]
        assert listed(here, "tamsin") == []


async def test_a_withdrawn_request_is_gone_at_the_table_and_from_the_list(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.seat("attack 1")
        await here.seat("roll 2d6")
        await withdraw(here, 1)
        assert here.answer == "Withdrawn: attack on Guard 1."
        assert listed(here) == [("roll 2d6", True)]
        assert [request.says for request in here.desk.waiting] == ["roll 2d6"]
        assert "Okado has withdrawn a request: attack on Guard 1" in here.text
        assert len(here.events) == 1


async def test_a_seat_can_withdraw_only_its_own_waiting_requests(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.seat("attack 1")
        await withdraw(here, 1, "tamsin")
        assert here.told("result")[-1]["seat"] == "tamsin"
        assert here.answer == "This request does not wait any more."
        assert len(here.desk.waiting) == 1
        await here.press("enter")
        await withdraw(here, 1)
        assert here.answer == "This request does not wait any more."
        assert here.events[-1].who == "okado"


async def test_a_request_whose_die_the_game_master_is_typing_can_be_withdrawn(tmp_path):
    async with table(tmp_path, "ask", "start", dice="real") as here:
        await here.seat("attack 1")
        await here.press("enter")
        await here.press("enter")
        assert here.app.services.prompts.current is not None
        await withdraw(here, 1)
        assert here.app.services.prompts.current is None
        assert here.desk.asks.open == {}
        assert listed(here) == []
        assert len(here.events) == 1


async def test_a_refused_request_stays_in_the_list_until_the_next_one_waits(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.seat("attack 1")
        await here.press("backspace")
        assert listed(here) == [("The game master says no: attack on Guard 1.", False)]
        await here.seat("roll 2d6")
        assert listed(here) == [("roll 2d6", True)]


@pytest.mark.parametrize("acting", ["ask", "turn"])
async def test_a_request_lapses_when_its_seat_sees_the_end_of_the_turn(tmp_path, acting):
    async with table(tmp_path, acting, "start") as here:
        line = "attack 1" if acting == "ask" else "damage okado 1"
        await here.seat(line)
        says = here.desk.waiting[0].says
        await here.press("n")
        assert here.desk.waiting == []
        assert here.answer == f"Lapsed, because Okado's turn is over: {says}."
        assert f"Okado's request has lapsed: {says}" in here.text
        assert listed(here) == [(here.answer, False)]


async def test_a_request_made_before_the_own_turn_lasts_until_that_turn_is_over(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.seat("attack 1", "tamsin")
        await here.press("n")
        assert here.turn == "tamsin"
        assert len(here.desk.waiting) == 1
        await here.press("n")
        assert here.desk.waiting == []
        assert "Tamsin's turn is over" in here.answer


async def test_a_request_that_needs_no_turn_does_not_lapse(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.seat("roll 2d6")
        await here.press("n")
        assert len(here.desk.waiting) == 1


async def test_the_end_of_the_fight_lapses_what_was_about_a_turn(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.seat("attack 1")
        await here.seat("roll 2d6")
        here.app.services.command("end")
        await here.pilot.idle()
        assert [request.says for request in here.desk.waiting] == ["roll 2d6"]
        assert here.answer == "Lapsed, because the fight is over: attack on Guard 1."


async def test_the_removal_of_a_character_lapses_its_requests(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.seat("attack 1")
        here.app.services.command("remove okado")
        await here.pilot.idle()
        assert here.desk.waiting == []
        assert "Lapsed" in here.answer


async def test_if_sides_take_turns_a_request_lapses_with_the_turn_of_its_side(tmp_path):
    async with table(tmp_path, "ask", "start", name="rooftop-watch") as here:
        players = [each for each in here.session.encounter if each.side == "players"]
        first, second = (each.state.kind or each.id for each in players[:2])
        await here.seat("overwatch", first)
        await here.seat("overwatch", second)
        here.app.services.command(f"next by {players[1].id}")
        await here.pilot.idle()
        assert [request.seat for request in here.desk.waiting] == [first]
        here.app.services.command("next side")
        await here.pilot.idle()
        assert here.desk.waiting == []


async def test_a_new_connection_is_sent_the_lists(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        await here.seat("attack 1")
        sent = here.told("requests")[-1]
        await here.hear(kind="hello")
        assert here.told("requests")[-1] == sent


async def test_message_and_request_are_shown_together_and_one_enter_takes_the_request(tmp_path):
    async with table(tmp_path, "ask", "start") as here:
        here.app.services.say("Something went wrong before.", error=True)
        await here.seat("attack 1")
        assert "Something went wrong before." in here.text
        assert "Okado asks: attack on Guard 1" in here.text
        here.pilot.wait(1)
        await here.pilot.type_ahead("enter")
        assert here.desk.waiting == []
        assert here.events[-1].who == "okado"


# Two worlds: what a seat is sent does not depend on a hidden combatant


async def evening(folder, opening: Sequence[str], acts: Sequence[str]) -> Sequence[dict]:
    """Return what the server is sent while keys are pressed at the table and lines arrive from a seat."""
    async with table(folder, "ask", *opening) as here:
        for act in acts:
            word, _, rest = act.partition(" ")
            match word:
                case "seat":
                    await here.seat(rest, n=1)
                case "withdraw":
                    await withdraw(here, int(rest))
                case _:
                    await here.press(word)
        assert here.turn == "tamsin"
        return here.link.sent


@pytest.mark.parametrize(
    ("plain", "hidden"),
    [
        # The turn goes to the hidden combatant; the request lapses only with the next turn in sight.
        (("seat attack 1", "n"), ("seat attack 1", "n", "n")),
        # A request that arrives in a hidden turn is listed like any other, and lapses like any other.
        (("seat attack 1", "n"), ("n", "seat attack 1", "n")),
        # The end of a turn that is over already can be withdrawn like any other.
        (("seat next", "withdraw 1", "n"), ("seat next", "enter", "withdraw 1", "n")),
        (("seat next", "seat attack 1", "n"), ("seat next", "enter", "seat attack 1", "n")),
    ],
)
async def test_lists_lapses_and_withdrawals_do_not_show_a_hidden_turn(tmp_path, plain, hidden):
    first = await evening(tmp_path / "plain", GHOST[:1], plain)
    second = await evening(tmp_path / "hidden", GHOST, hidden)
    assert first == second
    assert {"requests", "result"} <= {message["kind"] for message in first}


LINES = ("attack 1", "next", "roll 2d6", "damage okado 1", "delay", "attack 2", "attack 1 by tamsin")


async def random_evening(folder, seed: int, *, is_hidden: bool) -> list[list[dict]]:
    """Return what the server is sent by each step of two rounds, with or without a hidden combatant.

    The game master passes Okado's turn on early if a hidden combatant has the next one, else only when the
    turn of the hidden one would be over. What the seat does in between must be answered alike.
    """
    random, found = Random(seed), list[list[dict]]()
    async with table(folder, "ask", *(GHOST if is_hidden else GHOST[:1])) as here:

        async def step(do: Callable[[], Awaitable[None]]) -> None:
            before = len(here.link.sent)
            await do()
            await here.pilot.idle()
            found.append(here.link.sent[before:])

        async def pass_on() -> None:
            here.app.services.command("next")

        async def at_seat(seen: int) -> None:
            line, number, act = random.choice(LINES), random.randint(1, 12), random.choice("sssswr")
            plain = [request for request in here.desk.waiting if request.ends is None]
            if act == "s":
                await here.seat(line, n=seen)
            elif act == "w":
                await withdraw(here, number)
            elif plain:
                here.desk.refuse_waiting(here.desk.waiting.index(plain[0]))

        for _ in range(2):
            while here.turn != "okado":
                await step(pass_on)
            seen = len(here.events)
            for _ in range(3):
                await step(partial(at_seat, seen))
            ends = [at for at, request in enumerate(here.desk.waiting) if request.does == "next"]
            if is_hidden and ends:
                here.desk.take_waiting(ends[0])
            elif is_hidden:
                await pass_on()
            await here.pilot.idle()
            for _ in range(4):
                await step(partial(at_seat, seen))
            assert (here.turn == "okado") is not is_hidden
            await step(pass_on)
            assert here.turn == "tamsin"
    return found


@pytest.mark.parametrize("seed", range(6))
async def test_what_a_seat_asks_and_withdraws_in_a_hidden_turn_is_answered_as_without_it(tmp_path, seed):
    plain = await random_evening(tmp_path / "plain", seed, is_hidden=False)
    hidden = await random_evening(tmp_path / "hidden", seed, is_hidden=True)
    assert plain == hidden
