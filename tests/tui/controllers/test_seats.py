"""What a seat may do at the table: order of its commands, its rights, and its actor."""

from typing import Any

import pytest

from systems.language import parser
from systems.visibility import moment, sight
from tests.tui.seat_desk import ATTACK, REAL, answered, table
from tests.tui.table import keys
from tui.controllers.seats import SeatDesk
from tui.session.attempt import Attempt
from tui.session.session import Session
from tui.terminal.log_file import logged
from tui.wire.messages import Malformed


async def test_commands_of_a_seat_run_one_after_another_also_while_a_die_is_requested(tmp_path):
    async with table(tmp_path, "turn", "start", dice=REAL, hand_over="at_once") as here:
        await here.seat("attack 1")
        await here.seat("next")
        assert here.turn == "okado"
        assert "waits for the commands" in here.told("waits")[-1]["text"]
        await answered(here, "okado")
        here.desk._run_held()
        assert here.turn == "tamsin"
        assert [event.text.split()[0] for event in here.events[-2:]] == ["Okado", "Tamsin's"]


@pytest.mark.parametrize("hand_over", ["ask", "at_once"])
async def test_commands_after_a_refused_one_of_the_same_seat_are_not_carried_out(tmp_path, hand_over):
    async with table(tmp_path, "turn", "start", dice=REAL, hand_over=hand_over) as here:
        await here.seat("attack 1")
        await here.seat("next")
        await here.press("backspace")
        here.desk._run_held()
        assert here.turn == "okado"
        assert "the request before it was refused" in here.answer


async def test_a_seat_learns_that_its_command_waits_for_another_players_decision(tmp_path):
    court = {"name": "the-bone-court", "dice": REAL}
    rested = ("set skeleton-1 max_stamina 1", "set skeleton-1 stamina 1")
    async with table(tmp_path, "turn", "start", *rested, **court) as here:
        await here.seat("attack 1", "black-knight")
        await answered(here, "black-knight")
        assert here.desk.questions, "a skeleton's choice is the game master's"
        assert here.told("waits")[-1]["text"] == "Waiting for the game master: attack on Skeleton 1."


AS_A_GUARD = (
    "attack okado by guard-1",
    "attack 4 by 1",
    "next by guard-1",
    "damage guard-1 5",
    "set guard-1 life 1",
    "condition guard-1 marked",
    "roll 1d6 for guard-1",
    "delay guard-1",
)


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
async def test_a_seat_never_acts_as_a_guard(tmp_path, acting):
    async with table(tmp_path, acting, "start") as here:
        for number, line in enumerate(AS_A_GUARD, 1):
            await here.seat(line)
            assert len(here.told("result")) == number, line
            assert "not your character" in here.answer, line
            assert len(here.events) == 1, line
            assert here.desk.waiting_words == [], line


@pytest.mark.parametrize(
    ("command", "intent"),
    [
        ("start", {}),
        ("nonsense", {}),
        ("action", {**ATTACK, "by": 7}),
        ("action", {**ATTACK, "secret": "yes"}),
        ("action", {**ATTACK, "targets": "shade"}),
        ("action", {**ATTACK, "targets": "nobody"}),
        ("action", {**ATTACK, "options": {"cover": 3}}),
        ("damage", {"targets": "shade", "amount": "3"}),
        ("say", {"text": "hello", "who": "tamsin"}),
    ],
)
async def test_a_command_that_no_seat_would_send_is_refused_as_malformed(tmp_path, command, intent):
    async with table(tmp_path, "free", "add guard as Shade hidden", "start") as here:
        request = here.request("attack 1", "okado", ("okado",), len(here.events))
        with pytest.raises(Malformed, match="request: "):
            await here.hear(**{**request, "command": command, "intent": intent})
        assert [event.typed for event in here.events] == ["add guard as Shade hidden", "start"]
        assert (here.desk.waiting, here.told("result")) == ([], [])


async def test_a_command_for_another_players_character_is_refused(tmp_path):
    async with table(tmp_path, "free", "start") as here:
        request = here.request("attack 1", "okado", ("okado",), len(here.events))
        await here.hear(**{**request, "intent": {**ATTACK, "by": "tamsin"}})
        assert here.answer == "Tamsin is not your character."
        assert len(here.events) == 1


async def test_the_table_reads_no_line_of_a_seat_while_the_fight_is_unchanged(tmp_path, monkeypatch):
    async with table(tmp_path, "free", "start") as here:
        request = here.request("attack 1", "okado", ("okado",), len(here.events))
        parsed, seen = [], []
        parse, see = parser.parse, sight.seen_encounter
        monkeypatch.setattr(parser, "parse", lambda line, *more: parsed.append(line) or parse(line, *more))
        monkeypatch.setattr(moment, "seen_encounter", lambda *of: seen.append(of) or see(*of))
        await here.hear(**request)
        assert here.events[-1].typed == "attack guard-1 by okado"
        assert parsed == []
        assert len(seen) == 1


async def test_a_line_without_an_actor_is_refused_once_the_turn_has_moved_on(tmp_path):
    async with table(tmp_path, "free", "start") as here:
        both = ("okado", "tamsin")
        here.app.services.command("next")
        await here.pilot.idle()
        assert here.turn == "tamsin"
        # Typed while it was Okado's turn.
        await here.seat("attack 1", own=both, n=1)
        assert "moved on" in here.answer
        await here.seat("attack 1", own=both)
        assert here.events[-1].actor == "tamsin"


async def test_the_actor_is_taken_from_the_turn_shown_at_the_seat(tmp_path):
    async with table(tmp_path, "ask", "start", "add guard as Ghost hidden") as here:
        here.session.do("order Ghost after okado")
        before = len(here.events)
        here.app.services.command("next")
        await here.pilot.idle()
        for n in (before, len(here.events)):
            await here.seat("attack 1", own=("okado", "tamsin"), n=n)
            assert here.told("waits")[-1]["text"].startswith("Waiting for the game master: attack")
        assert here.told("result") == []


async def test_a_tag_keeps_its_meaning_from_when_the_line_was_typed(tmp_path):
    async with table(tmp_path, "free", "note the players' numbers are not final yet") as here:
        assert here.session.encounter.combatants["tamsin"].tag == "5"
        here.app.services.command("add wolf as Hound")
        here.app.services.command("start")
        await here.pilot.idle()
        assert here.session.encounter.combatants["tamsin"].tag == "6"
        await here.seat("attack 5", n=1)
        assert "moved on" in here.answer
        assert len(here.events) == 3
        await here.seat("attack 6")
        assert here.events[-1].targets == ("tamsin",)


@pytest.mark.parametrize("acting", ["ask", "turn", "free"])
async def test_speech_and_notes_of_a_seat_are_in_the_log_at_once(tmp_path, acting):
    async with table(tmp_path, acting, "start", "next") as here:
        await here.seat("say Follow me!")
        assert "Okado says: Follow me!" in here.text
        assert (here.events[-1].text, here.events[-1].who) == ("Okado says: Follow me!", "okado")
        await here.seat("note The gate is a trap.")
        assert "Okado's note: The gate is a trap." in here.text
        assert here.answer == "Okado's note: The gate is a trap."
        assert here.desk.waiting == []


@pytest.mark.parametrize("broken", [(SeatDesk, "checked"), (Session, "keep"), (Attempt, "run")])
async def test_a_request_that_a_mistake_in_affray_ends_is_answered_and_logged_without_its_line(
    tmp_path, monkeypatch, broken
):
    def fails(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError(line)

    line = "say Attack at dawn"
    with logged(str(tmp_path / "it.log"), "open"):
        async with table(tmp_path, "free", "start") as here:
            here.app.goes_on = True
            with monkeypatch.context() as patch:
                patch.setattr(*broken, fails)
                try:
                    await here.seat(line)
                except ZeroDivisionError as error:
                    here.app.handle_error(error)  # as the link does
                await here.pilot.idle()
            assert (
                here.answer == "Something went wrong at the table. Read the log before you send this again."
            )
            assert len(here.events) == 1
            await here.seat("say Once more.")
            assert here.events[-1].typed == "say Once more."
    text = (tmp_path / "it.log").read_text()
    assert "in fails" in text
    assert "ZeroDivisionError\n" in text
    assert "dawn" not in text


async def test_a_reaction_before_a_roll_counts_is_asked_at_its_owners_seat_and_at_the_table(tmp_path):
    guard = "set tobin effects.guard attacked, whose allies, change ac:9"
    async with table(tmp_path, "turn", "start", guard, name="the-goblin-ford") as here:
        await here.press(*keys(":attack mira dice=17 by goblin-1<Enter>"))
        assert (here.asked["character"], here.asked["choice"]["choices"]) == ("tobin", ["no", "yes"])
        assert "Tobin: use guard" in here.text
        await here.hear(kind="reply", ask=here.asked["ask"], value=2, seat="tobin")
        assert here.events[-1].answers[0].of == "tobin"
        assert "Tobin uses guard (+9)." in here.events[-1].text
