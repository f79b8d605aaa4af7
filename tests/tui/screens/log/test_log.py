"""The log's screen, driven by keys."""

import random
import re
from contextlib import suppress

import attrs
import pytest

from systems import load
from systems.codec.events import read_event
from systems.encounter.events import combatants_in
from systems.encounter.history import encounter_after, history
from systems.encounter.recap import recap_of
from systems.errors import Refused, Wrong
from systems.visibility.log_entries import LogEntry, entries_of
from tests.tui.opened import opened
from tests.tui.pilot import running
from tests.tui.table import app, at_the_gate, session, text_of
from tui.campaign.progress import counted
from tui.display.details import details_of
from tui.display.export import FORMATS, export
from tui.display.log_filter import names_of, read_filter
from tui.display.pages import why_rows
from tui.display.text import width
from tui.screens.log.screen import LogScreen
from tui.widgets import log_lines
from tui.widgets.log_lines import LogLines

ATLANTIS = load("atlantis")

FIGHT = ("attack guard-1 dice=15", "damage guard-2 2d6 dice=3,4", "next", "note the torches go out", "undo 2")


def lines_of(app) -> LogLines:
    assert isinstance(app.screen, LogScreen)
    return app.screen.lines


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 40)])
async def test_events_are_listed_under_their_round(size):
    here = app(at_the_gate(*FIGHT))
    async with running(here, size) as pilot:
        await pilot.press("L")
        text = text_of(here)
        assert "Round 1 ─" in text
        assert "Okado hits Guard 1" in text


async def test_a_log_below_sixty_columns_is_replaced_by_one_sentence():
    here = app(at_the_gate(*FIGHT))
    async with running(here, (50, 18)) as pilot:
        await pilot.press("L")
        assert "60 columns" in text_of(here)


async def test_undone_events_stay_struck_through():
    here = app(at_the_gate(*FIGHT))
    async with running(here) as pilot:
        await pilot.press("L")
        undone = next(line for line in text_of(here).splitlines() if "torches" in line)
        assert undone.rstrip().endswith("(note)")
        at = next(at for at, one in enumerate(lines_of(here)._shown) if "torches" in getattr(one, "text", ""))
        strip = lines_of(here).render_line(at - lines_of(here).scroll_offset.y)
        assert any(segment.style and segment.style.strike for segment in strip)


async def test_enter_unfolds_dice_and_terms_and_folds_them_up_again():
    here = app(at_the_gate("attack guard-1 dice=15"))
    async with running(here) as pilot:
        await pilot.press("L")
        await pilot.press("enter")
        text = text_of(here)
        assert "d20" in text
        assert "total" in text
        assert "typed: attack guard-1 dice=15" in text
        await pilot.press("enter")
        assert "typed:" not in text_of(here)


async def test_a_filter_is_typed_above_the_log_and_escape_shows_everything_again():
    here = app(at_the_gate(*FIGHT))
    async with running(here) as pilot:
        await pilot.press("L")
        shown, there = lines_of(here).found
        assert shown == there
        await pilot.press("slash", *"who:tamsin")
        assert lines_of(here).found[0] < there
        shown = [row for row in lines_of(here)._shown if isinstance(row, LogEntry)]
        assert shown
        assert all("tamsin" in combatants_in(entry.event) for entry in shown)
        await pilot.press("enter", "escape")
        assert lines_of(here).found == (there, there)


async def test_of_ten_thousand_events_only_the_visible_ones_are_drawn():
    base = at_the_gate(*FIGHT[:4]).log.events
    here = session()
    here.log = history([attrs.evolve(base[at % len(base)], n=at + 1, round=at // 12) for at in range(10_000)])
    program = app(here)
    async with running(program) as pilot:
        await pilot.press("L")
        lines = lines_of(program)
        assert lines.found == (10_000, 10_000)
        assert len(lines._strips) < 60
        await pilot.press("home")
        assert "Before the fight" in text_of(program)
        assert len(lines._strips) < 120


async def test_a_command_from_the_log_shows_its_event_at_once():
    here = app(at_the_gate())
    async with running(here) as pilot:
        await pilot.press("L")
        await pilot.press("n")
        assert "Tamsin's turn" in text_of(here)


async def test_the_log_is_exported_and_never_overwrites_a_file_without_asking(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken.md").write_text("mine")
    here = app(at_the_gate(*FIGHT))
    async with running(here) as pilot:
        await pilot.press("L")
        await pilot.press("x", "ctrl+u", *"night.html")
        assert f"{tmp_path}/night.html" in "".join(line.strip() for line in text_of(here).splitlines())
        await pilot.press("enter")
        assert "For the players or the table?" in text_of(here)
        await pilot.press("enter")
        assert (tmp_path / "night.html").read_text().startswith("<!DOCTYPE html>")
        assert "written to" in here.sentence
        assert "secret" not in (tmp_path / "night.html").read_text()
        await pilot.press("x", "ctrl+u", *"taken.md", "enter", "enter")
        assert "Replace it?" in text_of(here)
        await pilot.press(*"no", "enter")
        assert (tmp_path / "taken.md").read_text() == "mine"
        await pilot.press("x", "ctrl+u", *"what.txt", "enter")
        assert "must end in .md, .html or .jsonl" in text_of(here)
        await pilot.press("ctrl+u", *"no/such/folder.md", "enter")
        assert "There is no folder" in text_of(here)
        await pilot.press("escape")


@pytest.mark.parametrize(
    ("typed", "finds"),
    [
        ("who: okado", True),
        ("who: guard-2", True),
        ("what: damage", True),
        ("what: note", True),
        ("torches out", True),
        ('"hits guard"', True),
        ("round: 1", True),
        ("round: 0-1 what: note", True),
        ("round: 7", False),
        ("round: first", False),
        ("who: nobody", False),
        ('"guard hits"', False),
    ],
)
def test_a_filter_finds_actors_actions_and_words(typed, finds):
    here = session("add okado", "add guard x2", "start", *FIGHT[:4])
    log, names = here.log, names_of(here.encounter)
    wanted = read_filter(typed)
    found = [entry.text for entry in entries_of(log) if wanted.fits(entry, names)]
    assert bool(found) is finds
    assert len(found) < len(log.events)


async def test_the_page_of_an_earlier_table_changes_nothing() -> None:
    here = app(at_the_gate("attack guard-1 dice=15", "next"))
    async with running(here) as pilot:
        count = len(here.table.session.log.events)
        for up, life, turn in ((1, 4, "Okado"), (2, 45, "Okado"), (0, 4, "Tamsin")):
            await pilot.press("L", "end", *["up"] * up, "v")
            assert f"event {count - up}, round 1, {turn}'s turn" in text_of(here)
            assert re.search(rf"Guard 1 +{life}/45", text_of(here))
            await pilot.press("escape")
        assert len(here.table.session.log.events) == count


async def test_the_recap_is_a_page_of_the_log() -> None:
    here = app(at_the_gate("attack guard-1 dice=15"))
    async with running(here) as pilot:
        await pilot.press("L", "s")
        assert "Who did what to whom" in text_of(here)
        assert "attack on Guard 1: hit · 41 taken" in text_of(here)


async def test_a_long_row_of_the_recap_continues_below_its_action() -> None:
    here = app(at_the_gate(*["attack guard-1 dice=15"] * 2))
    async with running(here, (60, 20)) as pilot:
        await pilot.press("L", "s")
        lines = text_of(here).splitlines()
        deed = next(at for at, line in enumerate(lines) if "attack on Guard 1" in line)
        assert lines[deed].index("attack") == lines[deed + 1].index("felled")


def test_the_details_of_an_event_sum_its_terms():
    log = at_the_gate("attack guard-1 dice=15").log
    lines = details_of(log.events[-1], {}, ATLANTIS)
    terms = [one for one in lines if one.label in ("melee", "hurt", "size")]
    total = next(one for one in lines if one.label == "total")
    assert terms
    assert total.value == "68"


def test_a_die_that_is_a_term_is_listed_once_with_its_purpose():
    lines = details_of(at_the_gate("attack guard-1 dice=15").log.events[-1], {"okado": "Okado"}, ATLANTIS)
    (die,) = [one for one in lines if one.label == "d20"]
    assert (die.value, die.note) == ("+15", "sword, Okado")
    assert lines.index(die) < lines.index(next(one for one in lines if one.label == "total"))
    assert lines[0].label == "melee"
    # Those that are no term stand on top, as one pool.
    lines = details_of(at_the_gate("damage guard-1 3d6 dice=2,6,4").log.events[-1], {}, ATLANTIS)
    assert (lines[0].label, lines[0].value, lines[0].note) == ("3d6", "12", "(2 6 4) 3d6")


def test_a_pool_that_is_a_term_is_listed_with_its_faces():
    roll = {"sides": 6, "why": "push", "of": "okado"}
    terms = [{"label": "push", "value": 2}, {"label": "2d6", "value": 9}]
    rolls = [roll | {"face": 4}, roll | {"face": 5}]
    event = read_event({"n": 1, "rolls": rolls, "results": [{"terms": terms}]})
    lines = details_of(event, {"okado": "Okado"}, ATLANTIS)
    assert [(line.label, line.value, line.note) for line in lines] == [
        ("push", "2", ""),
        ("2d6", "+9", "(4 5) push, Okado"),
        ("total", "11", ""),
    ]


def test_one_roll_against_several_targets_is_listed_once_above_its_effects():
    terms = [{"label": "aim", "value": 3}, {"label": "d20", "value": 9}]
    hits = [{"target": who, "terms": terms, "steps": [{"label": "hp", "value": "4 → 0"}]} for who in "ab"]
    lines = details_of(read_event({"n": 1, "results": hits}), {"a": "Ana", "b": "Bo"}, ATLANTIS)
    assert [line.label for line in lines] == ["aim", "d20", "total", "Ana", "hp", "Bo", "hp"]


def test_why_shows_a_sum_with_a_line_above_the_total_and_dims_ignored_terms():
    event = at_the_gate("attack guard-1 dice=15").log.events[-1]
    rows = why_rows(event, {}, ATLANTIS, False, 60)
    said = ["".join(text for text, _ in row).split() for row in rows]
    at = said.index(["total", "68"])
    assert said[at - 1] == ["────"]
    assert said[at - 2][:2] == ["d20", "+15"]
    assert said[at + 1] == []
    hurt = next(row for row in rows if len(row) > 1 and "hurt" in row[1][0])
    assert {tone for text, tone in hurt if text.strip()} == {"muted"}


@pytest.mark.parametrize("cells", range(24, 40))
def test_why_keeps_every_number_on_a_narrow_screen(cells):
    steps = [{"label": "effectiveness", "value": 18}, {"label": "result", "value": "critical hit"}]
    hit = {"target": "a", "terms": [{"label": "passive resistance", "value": 35}], "steps": steps}
    event = read_event({"n": 1, "text": "Ada hits.", "results": [hit]})
    rows = why_rows(event, {}, ATLANTIS, False, cells)
    said = ["".join(text for text, _ in row) for row in rows]
    assert all(width(row) <= cells for row in rows)
    assert all(part in " ".join(" ".join(said).split()) for part in ("35", "18", "critical hit"))


def test_why_shows_the_defenders_roll_as_a_separate_sum():
    event = at_the_gate("attack guard-1 defence=active dice=15,10").log.events[-1]
    rows = why_rows(event, {"okado": "Okado", "guard-1": "Guard 1"}, ATLANTIS, False, 60)
    said = [" ".join("".join(text for text, _ in row).split()) for row in rows]
    at = said.index("total 68")
    assert said[at + 1 : at + 6] == ["", "melee 36", "d20 +10 melee, Guard 1", "────", "active defence 46"]


async def test_names_with_markup_and_control_characters_are_only_text():
    here = session()
    here.log = history(
        [read_event({"n": 1, "kind": "command", "round": 1, "text": "[b]x[/b] \x1b[31m\u202e"})]
    )
    program = app(here)
    async with running(program) as pilot:
        await pilot.press("L")
        text = text_of(program)
        assert "[b]x[/b]" in text
        assert "\x1b" not in text


@pytest.mark.parametrize(
    ("commands", "told"),
    [
        (["condition 3 ablaze", "condition 3 ablaze 3"], "conditions ablaze → ablaze 3"),
        (["condition 3 ablaze 3 for 2 rounds"], "conditions none → ablaze 3 through round 2"),
        (["condition 3 marked until end of okado"], "conditions none → marked until the end of Okado's turn"),
        (["condition 3 held escape 14 by 1"], "conditions none → held from Okado, escape 14"),
        (["set 3 weapons.sword.damage 18"], "sword damage 15 → 18"),
        (["set 3 weapons.sword.name rapier"], "weapons sword → rapier"),
    ],
)
def test_a_changed_condition_or_entry_is_shown_with_all_its_values(commands: list[str], told: str) -> None:
    here = at_the_gate(*commands)
    lines = details_of(here.log.events[-1], names_of(here.encounter), here.game)
    assert told in [line.note for line in lines]


async def test_every_key_of_an_empty_list_is_harmless():
    empty = session()
    assert not list(empty.log.events)
    here = app(empty)
    async with running(here) as pilot:
        for screen in "LSR":
            await pilot.press(screen)
            await pilot.press("end", "home", "up", "down", "pageup", "pagedown", "enter", "G", "g", "y")
        await pilot.press("L", *"/nothing", "enter", "end", "G", "pageup", "enter", "escape")


async def test_every_key_of_the_log_is_harmless_if_nothing_matches_the_filter():
    here = app(at_the_gate(*FIGHT))
    async with running(here) as pilot:
        await pilot.press("L", "enter", "slash", *"who:nobody", "enter")
        assert lines_of(here).found[0] == 0
        await pilot.press("end", "pagedown", "home", "up", "enter", "G", "u", "end", "U", "escape", "end")
        assert lines_of(here).current is not None


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


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("what: atack", 'No event is of kind "atack"; did you mean attack?'),
        ("who: okdao", 'No event is about "okdao"; did you mean Okado?'),
        ("rond: 2", 'A filter begins with who:, what: or round:, not "rond:".'),
        ("round: two", 'round: expected a number such as 2, or 2-3, got "two".'),
    ],
)
async def test_a_filter_without_results_names_the_word_that_matches_nothing(typed: str, said: str) -> None:
    here = app(at_the_gate("attack guard-1 dice=15", "next"))
    async with running(here, (100, 30)) as pilot:
        await pilot.press("L", "slash", *typed)
        assert f"{said} Esc shows all." in text_of(here)


def test_changes_are_shown_with_the_games_names_for_conditions_and_choices():
    changes = [
        {"who": "bo", "field": "sheet.awareness", "before": "aware", "after": "flat_footed"},
        {"who": "bo", "field": "conditions", "before": [], "after": [{"name": "flat_footed", "value": 2}]},
    ]
    (line,) = details_of(read_event({"n": 1, "changes": changes}), {"bo": "Bo"}, load("arden"))
    assert line.note == "awareness aware → flat-footed, conditions none → flat-footed 2"


def as_told(row):
    """A row of the log as a value that can be compared."""
    entry = getattr(row, "entry", row)
    if not isinstance(entry, LogEntry):
        return row
    return entry.number, entry.undone, entry.amended, entry.text, getattr(row, "line", 0)


MOVES = (
    "attack guard-1",
    "next",
    "undo",
    "undo 2",
    "redo",
    "damage guard-2 3",
    "amend 3 damage guard-1 9",
    "amend 4 never",
)


@pytest.mark.parametrize("filtered", ["", "who: okado", "what: undone"])
async def test_a_log_that_grows_looks_the_same_as_one_that_is_reopened(filtered: str) -> None:
    chance = random.Random(filtered)
    here = app(at_the_gate("damage guard-1 4", "damage guard-2 4", "damage 1-2 1"))
    async with running(here) as pilot:
        await pilot.press("L", "enter")
        lines, fight = lines_of(here), here.table.session
        lines.narrow(read_filter(filtered))
        for _ in range(60):
            with suppress(Refused, Wrong):
                fight.do(chance.choice(MOVES))
            lines.show_log(fight.log, fight.encounter)
            shown, found = [*map(as_told, lines._shown)], lines.found
            lines._entries = entries_of(fight.log)
            lines._lay_out()
            assert shown == [*map(as_told, lines._shown)]
            assert found == lines.found


@pytest.mark.parametrize("line", ["undo", "undo 3", "next", "amend 298 note said otherwise"])
async def test_only_new_or_changed_rows_of_a_long_log_are_laid_out(line, monkeypatch) -> None:
    here = app(at_the_gate(*["note one more"] * 300))
    async with running(here) as pilot:
        await pilot.press("L")
        laid_out, rows = [], log_lines.rows_of
        monkeypatch.setattr(
            log_lines, "rows_of", lambda entry, cells: laid_out.append(1) or rows(entry, cells)
        )
        fight = here.table.session
        fight.do(line)
        lines_of(here).show_log(fight.log, fight.encounter)
        assert 1 <= len(laid_out) <= 4


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("readers", ["table", "players"])
def test_an_export_shows_the_number_of_events_written(format, readers) -> None:
    here = at_the_gate(*["damage guard-1 1", "heal guard-1 1"] * 200)
    told = []
    export(here.log, here.encounter, "", format, readers, tell=lambda done, of: told.append((done, of)))
    assert told == [(0, len(here.log.events)), (256, len(here.log.events))]


def test_a_recap_and_a_view_of_an_earlier_table_show_their_progress() -> None:
    here = at_the_gate(*["damage guard-1 1", "heal guard-1 1"] * 200)
    told = []

    def passed(events):
        return counted(events, len(here.log.events), lambda done, of: told.append(done))

    assert recap_of(here.encounter, here.log, passed) == recap_of(here.encounter, here.log)
    assert encounter_after(here.encounter, here.log, 1, passed) == encounter_after(
        here.encounter, here.log, 1
    )
    assert told == [0, 256, 0, 256]


@pytest.mark.parametrize("arrows", [("up", "down"), ("left", "right")])
async def test_in_the_view_of_an_earlier_table_arrows_step_through_events_with_the_cursor(arrows):
    here, (back, on) = app(at_the_gate("damage guard-1 4", "next", "damage guard-1 5")), arrows
    async with running(here, (80, 24)) as pilot:
        await pilot.press("L", "v")
        newest = lines_of(here).current.number
        assert f"After event {newest}" in text_of(here)
        await pilot.press(on)
        assert f"After event {newest}" in text_of(here), "there is none after it"
        await pilot.press(back, back)
        page = text_of(here).partition(f"After event {newest - 2},")[2]
        assert "Guard 1 takes 4" in page
        assert "41/45" in page
        await pilot.press(on, on)
        assert "36/45" in text_of(here)
        await pilot.press(back, back, "escape")
        assert lines_of(here).current.number == newest - 2
        await pilot.press("v", on, "e")
        assert f"Correct event {newest - 1}" in text_of(here)


async def test_a_page_that_is_turned_scrolls_with_the_page_keys():
    here = app(at_the_gate("add guard x30"))
    async with running(here, (60, 20)) as pilot:
        await pilot.press("L", "v")
        assert "more: Page Down · Up, Down: others · Esc closes" in text_of(here)
        assert "Guard 30" not in text_of(here)
        await pilot.press("pagedown", "pagedown")
        assert "Guard 30" in text_of(here)


async def test_a_typed_amendment_takes_effect_at_once_and_shows_the_changes_and_the_undo_key():
    here = app(at_the_gate("damage guard-1 4", "next"))
    async with running(here) as pilot:
        number = len(here.table.session.log.events) - 1
        await pilot.press(":", *f"amend {number} amount=9", "enter")
        said = f"Amended event {number}; u takes it back. Guard 1: life 41 → 36."
        assert said in text_of(here)
        await pilot.press("u")
        assert here.table.session.log.amends == ()
