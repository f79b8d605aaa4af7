"""Amending and removing earlier events on the log screen."""

import pytest

from systems import load
from systems.codec.events import read_event
from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import app, at_the_gate, session, text_of
from tui.display.details import details_of


async def test_e_opens_the_line_of_an_event_and_shows_the_changes_before_it_is_amended():
    fight = at_the_gate("attack guard-1 dice=15", "next")
    here = app(fight)
    async with running(here, (100, 30)) as pilot:
        await pilot.press("L", "k", "e")
        assert "attack guard-1 dice=15" in text_of(here)
        await pilot.press("backspace", "backspace", "2", "enter")
        text = text_of(here)
        assert "What would change" in text
        assert "Guard 1: life 4 → 19" in text
        assert fight.log.amends == ()
        await pilot.press("escape")
        assert "dice=2" in text_of(here)
        # Looking again throws no die anew.
        await pilot.press("enter")
        assert text_of(here) == text
        await pilot.press("enter")
        assert len(fight.log.amends) == 1
        text = text_of(here)
        assert "(amended)" in text
        assert "Amended: Okado's attack on Guard 1" in text
        await pilot.press("u")
        assert fight.log.amends == ()
        assert "(life 45 → 4)," in text_of(here)


@pytest.mark.parametrize(
    ("line", "typed", "stands"),
    [
        (
            "attack guard-1 defence=active dice=15,10",
            " defence=passive",
            "attack guard-1 dice=15,10 defence=passive",
        ),
        ("attack guard-1 coverage=half dice=15", " cov=none", "attack guard-1 dice=15 cov=none"),
        ("attack guard-1 dice=15", " dice=19", "attack guard-1 dice=19"),
        ("attack guard-1 by okado dice=15", " by tamsin", "attack guard-1 dice=15 by tamsin"),
        ("note the gate by night", " by okado", "note the gate by night by okado"),
    ],
)
async def test_an_answer_typed_after_an_earlier_line_replaces_the_same_answer_in_it(line, typed, stands):
    fight = at_the_gate(line)
    here = app(fight)
    async with running(here, (100, 30)) as pilot:
        await pilot.press("L", "e", *typed)
        assert f" {stands}\n" in text_of(here)
        await pilot.press("enter")
        assert "What would change" in text_of(here)


@pytest.mark.parametrize(
    ("typed", "who", "faces"),
    [(" weapon=punch", "okado", [19, 7]), (" by guard-2", "guard-2", [19, 7])],
)
async def test_faces_in_the_line_are_used_even_if_the_roll_or_its_owner_changes(typed, who, faces):
    fight = at_the_gate("attack guard-1 weapon=sword defence=active by okado dice=19,7")
    fight.dice = "real"
    here = app(fight)
    async with running(here, (100, 30)) as pilot:
        await pilot.press("L", "e", *typed, "enter")
        assert "What would change" in text_of(here)
        await pilot.press("enter")
        amended = fight.log.as_amended[-2]
        assert amended.rolls[0].of == who
        assert [roll.face for roll in amended.rolls] == faces


async def test_a_key_removes_an_earlier_event_after_showing_the_changes():
    fight = at_the_gate("attack guard-1 dice=15", "next")
    here = app(fight)
    async with running(here, (100, 30)) as pilot:
        await pilot.press("L", "minus")
        assert "What would change" in text_of(here)
        await pilot.press("escape", "k", "minus")
        text = text_of(here)
        assert "Guard 1: life 4 → 45" in text
        assert "No longer needed: Okado's d20" in text
        assert "does not happen" in text
        await pilot.press("escape")
        assert fight.log.amends == ()
        await pilot.press("minus", "enter")
        assert fight.encounter.combatants["guard-1"].sheet.life == 45
        assert "Okado's attack on Guard 1 (event" in text_of(here)
        # The cursor has stayed on the event.
        await pilot.press("minus")
        assert "did not happen, as amended" in text_of(here)
        await pilot.press("u")
        assert fight.encounter.combatants["guard-1"].sheet.life == 4


async def test_later_events_that_contradict_an_amendment_are_dropped_in_the_same_step():
    fight = at_the_gate("attack guard-1 dice=15", "attack okado by guard-1 dice=9", "next")
    here = app(fight)
    async with running(here, (100, 30)) as pilot:
        await pilot.press("L", "k", "k", "e")
        await pilot.press("ctrl+u", *"damage guard-1 99", "enter")
        assert "attack on Okado: Guard 1 is dead and cannot attack → dropped" in text_of(here)
        await pilot.press("space")
        assert "→ dropped" in text_of(here)
        await pilot.press("escape")
        assert "damage guard-1 99" in text_of(here)
        await pilot.press("enter", "enter")
        assert "What would change" in text_of(here)
        assert "does not happen" in text_of(here)
        assert fight.log.amends == ()
        await pilot.press("enter")
        assert len(fight.log.amends) == 1
        assert fight.encounter.combatants["guard-1"].sheet.life == -54
        await pilot.press("u")
        assert fight.log.amends == ()


async def test_a_reaction_that_has_lost_its_cause_is_kept_by_space(tmp_path):
    here = opened(tmp_path, "the-chain", "the-toll-road")
    fight = here.table.session
    for line in ("start", "attack ilsa by bandit-1 dice=1", "counter by ilsa dice=20"):
        fight.do(line)
    fight.do("damage bandit-2 1")
    async with running(here, (100, 30)) as pilot:
        await pilot.press("L", "k", "k", "e", "backspace", *"10", "enter")
        assert "counterattack on Bandit 1 has lost its cause → dropped" in text_of(here)
        assert "Enter drop these too" in text_of(here)
        await pilot.press("space")
        assert "has lost its cause → kept" in text_of(here)
        assert "Enter keep and go on" in text_of(here)
        await pilot.press("enter", "enter")
        assert fight.log.event(5).typed.endswith(" dice=10 keep=3")
        assert fight.log.event(5).dropped == ()
        here.table.fight.close()


async def test_an_amendment_lists_its_changes_to_the_turn_and_the_combatants():
    here = app(session("add okado", "add guard", "start", "add wolf", "next"))
    async with running(here, (100, 30)) as pilot:
        await pilot.press("L", "minus")
        assert "Turn: Guard → Okado" in text_of(here)
        await pilot.press("escape", "k", "minus")
        assert "Wolf is not in the fight" in text_of(here)
        await pilot.press("escape", "k", "minus")
        text = text_of(here)
        assert "Turn: Guard → nobody" in text
        assert "Round: 1 → 0" in text


async def test_a_refused_amendment_keeps_the_typed_line():
    fight = at_the_gate("attack guard-1 dice=15", "next")
    here = app(fight)
    async with running(here, (100, 30)) as pilot:
        await pilot.press("L", "k", "e")
        await pilot.press(*",7", "enter")
        text = text_of(here)
        assert "Too many dice: 2 given, 1 used" in text
        assert "dice=15,7" in text
        await pilot.press("escape")
        assert len(fight.log.events) == len(fight.log.standing)


@pytest.mark.parametrize("typed", [" modifier=-99", [*["backspace"] * 4, *"1,4"]])
async def test_unchanged_dice_may_become_unnecessary(tmp_path, typed):
    here = opened(tmp_path, "the-crossing", "the-goblin-ford")
    fight = here.table.session
    for line in ("start", "attack goblin-1 by tobin dice=15,4"):
        fight.do(line)
    async with running(here, (100, 30)) as pilot:
        await pilot.press("L", "e")
        assert "dice=15,4" in text_of(here)
        await pilot.press(*typed, "enter")
        assert "No longer needed: Tobin's" in text_of(here)
        here.table.fight.close()


async def test_a_long_amendment_shows_how_far_it_is_and_escape_stops_it(monkeypatch):
    monkeypatch.setattr("tui.controllers.amending.PATIENCE", -1)
    fight, waiting = at_the_gate("attack guard-1 dice=15", "next"), []
    here = app(fight)
    async with running(here, (100, 30)) as pilot:
        await pilot.press("L", "k", "e", "backspace", "backspace", "2")
        with monkeypatch.context() as held:
            held.setattr(here, "set_timer", lambda delay, callback: waiting.append(callback))
            await pilot.press("enter")
            assert "Replaying the later events: 0 of 2 · Esc stops" in text_of(here)
            await pilot.press("escape")
            for go_on in waiting:
                go_on()
        assert "Not carried out: amend" in text_of(here)
        assert "dice=2" in text_of(here)
        await pilot.press("enter")
        assert "What would change" in text_of(here)
        assert fight.log.amends == ()


async def test_keys_typed_during_a_long_amendment_are_handled_after_it(monkeypatch):
    monkeypatch.setattr("tui.controllers.amending.PATIENCE", -1)
    fight, waiting = at_the_gate("damage guard-1 5", "damage guard-2 5"), []
    here, number = app(fight), len(fight.log.events) - 1
    async with running(here, (100, 30)) as pilot:
        with monkeypatch.context() as held:
            held.setattr(here, "set_timer", lambda delay, callback: waiting.append(callback))
            await pilot.press(":", *f"amend {number} amount=9", "enter")
            await pilot.press("n")
            assert fight.encounter.progress.turn == "okado"
            while waiting:
                waiting.pop()()
        await pilot.until(lambda: fight.encounter.progress.turn == "tamsin")
        assert [event.command for event in list(fight.log.events)[-2:]] == ["amend", "next"]


async def test_an_amendment_includes_events_that_arrive_during_the_replay(monkeypatch):
    monkeypatch.setattr("tui.controllers.amending.PATIENCE", -1)
    fight, waiting = at_the_gate("damage guard-1 5", "damage guard-2 5"), []
    here, number = app(fight), len(fight.log.events) - 1
    async with running(here, (100, 30)) as pilot:
        with monkeypatch.context() as held:
            held.setattr(here, "set_timer", lambda delay, callback: waiting.append(callback))
            await pilot.press(":", *f"amend {number} amount=9", "enter")
            fight.do("damage guard-1 1")  # as a seat may
            while waiting:
                waiting.pop()()
        await pilot.until(lambda: fight.log.amends != ())
        assert fight.encounter.combatants["guard-1"].sheet.life == 35


async def test_a_newly_needed_real_die_is_requested_before_the_changes_are_shown():
    fight = at_the_gate("note a", "next")
    fight.dice = "real"
    here = app(fight)
    async with running(here, (100, 30)) as pilot:
        await pilot.press("L", "k", "e", *["backspace"] * 6, *"roll 2d6", "enter")
        assert "d6" in text_of(here)
        await pilot.press("3", "enter", "4", "enter")
        text = text_of(here)
        assert "Newly rolled: d6 for 2d6, 3; d6 for 2d6, 4" in text
        await pilot.press("enter")
        assert fight.log.as_amended[-3].text == "Rolled 2d6 (3, 4) = 7."


@pytest.mark.parametrize("number", ["17", "+5"])
async def test_an_amendment_with_only_a_number_explains_how_to_type_it(number: str) -> None:
    here = app(at_the_gate("attack guard-1 dice=15"))
    async with running(here, (100, 30)) as pilot:
        await pilot.press("L", "e", "ctrl+u", *number, "enter")
        assert f"{number} alone is ambiguous: type dice={number.strip('+')} for a die" in text_of(here)


def test_changes_are_shown_with_the_games_names_for_conditions_and_choices():
    changes = [
        {"who": "bo", "field": "sheet.awareness", "before": "aware", "after": "flat_footed"},
        {"who": "bo", "field": "conditions", "before": [], "after": [{"name": "flat_footed", "value": 2}]},
    ]
    (line,) = details_of(read_event({"n": 1, "changes": changes}), {"bo": "Bo"}, load("arden"))
    assert line.note == "awareness aware → flat-footed, conditions none → flat-footed 2"


async def test_a_typed_amendment_takes_effect_at_once_and_shows_the_changes_and_the_undo_key():
    here = app(at_the_gate("damage guard-1 4", "next"))
    async with running(here) as pilot:
        number = len(here.table.session.log.events) - 1
        await pilot.press(":", *f"amend {number} amount=9", "enter")
        said = f"Amended event {number}; u takes it back. Guard 1: life 41 → 36."
        assert said in text_of(here)
        await pilot.press("u")
        assert here.table.session.log.amends == ()
