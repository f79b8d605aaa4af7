"""A plan at the table: ordinary commands of one batch, up to a question for a person."""

import pytest

from systems import load
from systems.contract.policy import Policy
from systems.contract.ruleset import OrderStyle
from systems.encounter.events import seen_of
from systems.errors import Refused
from systems.frozen import evolve
from systems.schema.conversion import read, replace
from tests.systems.fight import PEOPLE, roster_of
from tests.tui.session.test_session import Shelf
from tests.tui.table import session_of
from tui.session.planning import PlanStepDone, carry_out_next, running_plan
from tui.session.session import Session, chance


def table(system: str, *lines: str, style: OrderStyle = "manual", **sheet: object) -> Session:
    """Return a fight of this game after these lines. `sheet`: fields of the players' sheets that differ."""
    game = load(system)
    roster = roster_of(game)
    for who in ("okado", "tamsin"):
        roster[who] = evolve(roster[who], sheet=replace(roster[who].sheet, **sheet))
    session = session_of(game, read(game.house, {}), style, roster, {}, (), Shelf())
    session.streams = chance(1)
    for line in lines:
        session.do(line)
    return session


RAID = ("add okado", "add tamsin", "add guard x3", "start", "next", "next")


def played(session: Session, line: str = "plan") -> list[PlanStepDone]:
    running, found = running_plan(session, line), []
    while (step := carry_out_next(running)) is not None:
        found.append(step)
        if step.waits is not None:
            break
    return found


def test_a_plan_is_one_batch_of_actions_and_turns_up_to_the_next_player() -> None:
    session = table("simple", *RAID, counters=())
    first = len(session.log.events) + 1
    events = [step.event for step in played(session)]
    assert [event.command for event in events if event] == ["action", "next"] * 3
    assert {event.batch for event in events if event} == {first}
    assert session.encounter.progress.turn == "okado"
    session.do("undo")
    assert session.encounter.progress.turn == "guard-1"
    session.do("redo")
    assert session.encounter.progress.turn == "okado"
    with pytest.raises(Refused, match="it is Okado's turn; end it with next, then plan"):
        played(session)


def test_a_plan_for_some_creatures_stops_before_the_turn_of_another() -> None:
    session = table("simple", *RAID, counters=())
    with pytest.raises(Refused, match="it is Guard 1's turn, so it comes first"):
        played(session, "plan guard-2")
    with pytest.raises(Refused, match="Okado is on the players' side"):
        played(session, "plan okado")
    assert len(played(session, "plan guard-1,guard-2")) == 4
    assert session.encounter.progress.turn == "guard-3"


TAIL = {"name": "tail", "damage": "1d8", "counter": "legendary"}
LEGENDARY = {"name": "legendary", "full": 3, "refills": "turn", "offered": True}


def test_a_plan_takes_what_a_creature_is_offered_at_the_end_of_a_players_turn() -> None:
    game = load("simple")
    boss = {**PEOPLE["simple"]["guard"], "counters": [LEGENDARY], "weapons": [TAIL]}
    roster = roster_of(game)
    roster["guard"] = evolve(roster["guard"], sheet=read(game.sheet, boss))
    session = session_of(game, read(game.house, {}), "manual", roster, {}, (), Shelf())
    session.streams = chance(1)
    for line in ("add okado", "add tamsin", "add guard", "start"):
        session.do(line)
    with pytest.raises(Refused, match="it is Okado's turn"):
        played(session)
    session.do("next")
    # Tamsin's turn has begun, and the guard acts at the end of Okado's.
    [step] = played(session)
    assert step.event is not None
    assert (step.event.command, step.event.actor) == ("action", "guard")
    assert session.encounter.combatants["guard"].sheet.counters[0].now == 2
    assert session.encounter.progress.turn == "tamsin"
    with pytest.raises(Refused, match="it is Tamsin's turn"):
        played(session)
    session.do("undo")
    assert session.encounter.combatants["guard"].sheet.counters[0].now == 3


def test_members_of_a_side_are_planned_for_in_any_order() -> None:
    session = table("xcom", *RAID[:3], "start", "next side", style="sides")
    assert session.encounter.progress.turn == "guard-1"
    events = [step.event for step in played(session, "plan guard-3,guard-2") if step.event]
    assert {event.actor for event in events} == {"guard-2", "guard-3"}
    assert session.encounter.progress.side == "foes"
    with pytest.raises(Refused, match="none of these can still act"):
        played(session, "plan guard-2")
    with pytest.raises(Refused, match="plan takes no dice"):
        played(session, "plan dice=3")
    played(session)
    assert session.encounter.progress.side == "players"


def test_a_plan_waits_for_a_real_die_and_goes_on_after_the_command_was_typed() -> None:
    session = table("simple", *RAID, counters=())
    session.dice = "real"
    (step,) = played(session)
    assert step.event is None
    assert step.waits is not None
    assert step.waits.plain == {
        "for": "die",
        "of": "guard-1",
        "asked": "d20 for spear",
        "line": step.step.line,
    }
    session.do(f"{step.waits.line} dice=2")
    session.dice = "program"
    assert [done.event.command for done in played(session) if done.event] == [
        "next",
        *["action", "next"] * 2,
    ]


def test_a_plan_waits_for_a_players_reaction_and_then_goes_on() -> None:
    session = table("simple", *RAID)
    *_, last = played(session)
    assert last.event is not None
    assert last.waits is not None
    assert (last.waits.kind, last.waits.of) == ("reaction", "okado")
    assert session.encounter.progress.turn == "guard-2"
    # The same offer does not stop the next plan at once; the end of the next turn makes a new one.
    assert [step.waits is None for step in played(session)][:2] == [True, False]
    assert session.encounter.progress.turn == "guard-3"


def test_a_plan_waits_for_a_players_choice_but_not_for_a_creatures() -> None:
    session = table("atomic_d20", *RAID)
    session.do("set okado stamina 2")
    for seed in range(20):
        session.streams = chance(seed)
        steps = played(session)
        asked = [step.waits for step in steps if step.waits]
        if asked:
            break
        session.do("undo")
    (waits,) = asked
    assert (waits.kind, waits.of) == ("choice", "okado")
    # Typed by hand, the same command takes the suggested answer, and the dice that have fallen.
    event = session.do(waits.line)
    assert [(answer.question, answer.suggested) for answer in event.answers] == [("stamina", True)]


def test_a_policy_that_fails_is_noted_in_the_log_of_the_game_master() -> None:
    session = table("simple", *RAID, counters=())
    game = evolve(session.game, policy=Policy(_fails))
    session.encounter = evolve(session.encounter, game=game)
    note, *rest = [step.event for step in played(session) if step.event]
    assert note.text == (
        "The policy of Any game failed (ZeroDivisionError: no moves), so the default policy has chosen."
    )
    assert seen_of(note) == "gm"
    assert [event.command for event in rest] == ["action", "next"] * 3


def test_a_group_acts_member_by_member_in_its_turn() -> None:
    session = table("simple", *RAID[:2], "add guard x3 group", *RAID[3:], counters=())
    events = [step.event for step in played(session) if step.event]
    assert [event.actor for event in events] == ["guard-1", "guard-2", "guard-3", "guard-1"]
    assert session.encounter.progress.turn == "okado"


def _fails(sheet: object, house: object) -> tuple[()]:
    raise ZeroDivisionError("no moves")


def test_a_creature_flees_in_a_plan_and_one_undo_brings_it_back() -> None:
    session = table("simple", *RAID, counters=())
    for line in ("set guard-1 habits flees when bloodied", "set guard-1 hp 1", "near guard-1 okado"):
        session.do(line)
    steps = played(session, "plan guard-1")
    assert [step.step.line for step in steps] == ["apart guard-1", "next"]
    while session.encounter.progress.turn != "guard-1":
        session.do("next")
    first = played(session, "plan guard-1")
    assert [step.step.line for step in first] == ["flee guard-1"]
    assert session.encounter.progress.turn == "guard-2"
    assert first[0].event is not None
    assert str(first[0].event.text).startswith("Guard 1 flees from the fight.")
    assert session.encounter.combatants["guard-1"].arrival == "is away"
    session.do("undo")
    assert session.encounter.progress.turn == "guard-1"
    assert not session.encounter.combatants["guard-1"].state.away
