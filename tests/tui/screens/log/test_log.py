"""The log screen: rounds, filter, folds, export, and the pages of an earlier table."""

import random
import re
from contextlib import suppress

import pytest

from systems.codec.events import read_event
from systems.encounter.amendment import names_of
from systems.encounter.events import combatants_in
from systems.encounter.history import encounter_after, history
from systems.encounter.recap import recap_of
from systems.errors import Refused, Wrong
from systems.frozen import evolve
from systems.visibility.log_entries import LogEntry, entries_of
from tests.tui.pilot import running
from tests.tui.table import app, at_the_gate, session, text_of
from tui.campaign.progress import counted
from tui.display.export import FORMATS, export
from tui.display.log_filter import read_filter
from tui.screens.log.screen import LogScreen
from tui.widgets import log_lines
from tui.widgets.log_lines import LogLines

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
    here.log = history([evolve(base[at % len(base)], n=at + 1, round=at // 12) for at in range(10_000)])
    program = app(here)
    async with running(program, painted=True) as pilot:
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
    named = 'set tamsin name "Vault rats"'
    here, (back, on) = app(at_the_gate(named, "damage guard-1 4", "next", "damage guard-1 5")), arrows
    async with running(here, (80, 24)) as pilot:
        await pilot.press("L", "v")
        newest = lines_of(here).current.number
        assert f"After event {newest}, round 1, Vault rats' turn" in text_of(here)
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
