"""The status screen, driven by keys."""

import pytest

from systems import names
from systems.visibility.card import card
from systems.visibility.parts import meter_columns
from tests.tui.opened import SAMPLES, opened
from tests.tui.pilot import running
from tests.tui.table import app, at_the_gate, playing, text_of
from tui.display.card import card_rows
from tui.display.meters import plot
from tui.display.status import story_rows
from tui.display.text import width
from tui.terminal.symbols import PLAIN, Symbols

HURT = ("damage okado 12", "condition okado prone for 2 rounds", "condition okado marked 3", "next")


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (140, 40)])
async def test_the_whole_sheet_of_the_combatant_under_the_cursor_is_shown(size):
    here = app(at_the_gate(*HURT))
    async with running(here, size) as pilot:
        await pilot.press("S")
        await pilot.press("k")
        text = text_of(here)
        assert "Life 40/52" in text
        assert "since the start" in text
        for heading in ("Conditions", "Life and armour", "Abilities", "Fighting", "This turn"):
            assert any(heading in piece for row in here.screen.sheet._shown for piece, _ in row.row)


async def test_a_sheet_shown_again_in_a_narrower_pane_fits_it():
    here = app(at_the_gate())
    async with running(here, (140, 40)) as pilot:
        await pilot.press("S", "I")
        await pilot.resize(80, 24)
        await pilot.press("S")
        narrow = [row.row for row in here.screen.sheet._shown]
        await pilot.press("j", "k")
        assert [row.row for row in here.screen.sheet._shown] == narrow


async def test_conditions_say_when_they_end():
    here = app(at_the_gate(*HURT))
    async with running(here, (80, 40)) as pilot:
        await pilot.press("S")
        here.services.cursor = "okado"
        here.screen.show_fight()
        await pilot.idle()
        text = text_of(here)
        assert "prone, 2" in text
        assert "marked 3, until cleared" in text


async def test_j_and_k_go_through_the_combatants_and_move_the_shared_cursor():
    here = app(at_the_gate())
    async with running(here) as pilot:
        await pilot.press("S")
        assert here.screen.shown.id == "okado"
        await pilot.press("j")
        assert here.services.cursor == "tamsin"
        assert "Life 48/48" in text_of(here)
        await pilot.press("k", "k")
        assert here.screen.shown.id == here.table.session.encounter.in_line()[-1].id


async def test_a_number_is_explained_by_its_terms():
    here = app(at_the_gate("damage okado 12"))
    async with running(here) as pilot:
        await pilot.press("S")
        while not (here.screen.sheet.current.figure and here.screen.sheet.current.figure.label == "melee"):
            await pilot.press("down")
        await pilot.press("y")
        text = text_of(here)
        assert "melee 48" in text
        assert "hurt" in text


async def test_a_field_shows_its_last_change():
    here = app(at_the_gate("damage okado 12"))
    async with running(here, (80, 40)) as pilot:
        await pilot.press("S")
        while here.screen.sheet.current.field != "life":
            await pilot.press("down")
        await pilot.press("y")
        assert "What last changed life" in text_of(here)


async def test_the_value_under_the_cursor_is_edited_by_a_command():
    here = app(at_the_gate())
    async with running(here, (80, 40)) as pilot:
        await pilot.press("S")
        while here.screen.sheet.current.field != "abilities.melee":
            await pilot.press("down")
        await pilot.press("e", "6", "0", "enter")
        assert here.table.session.encounter.combatants["okado"].sheet.abilities["melee"] == 60
        assert here.table.session.log.events[-1].typed == "set okado abilities.melee 60"


async def test_a_fight_without_combatants_says_so():
    from tests.tui.table import session

    here = app(session())
    async with running(here) as pilot:
        await pilot.press("S")
        assert "nobody is in the fight" in text_of(here)
        await pilot.press("j", "y", "e", "escape")


@pytest.mark.parametrize("name", sorted(one.name for one in SAMPLES.iterdir()))
async def test_every_combatant_of_every_sample_has_a_sheet(name, tmp_path):
    here = opened(tmp_path, name=name)
    async with running(here, (140, 40)) as pilot:
        await pilot.press("S")
        for one in here.table.session.encounter:
            here.services.cursor = one.id
            here.screen.show_fight()
            assert here.screen.sheet.count > 5
            shown = card(here.table.session.encounter, one)
            meters = meter_columns(here.table.session.game.meters)
            for cells in (30, 50, 80):
                assert all(width(row) <= cells for row in card_rows(shown, meters, cells, PLAIN))


def test_a_plot_is_thin_bars_in_the_tones_of_the_meter():
    assert plot([-5, 0, 10, 20, 30, 52, 99], 52, Symbols()) == (
        ("··", "track"),
        ("╷", "danger"),
        ("╻", "warning"),
        ("┃┃┃", "good"),
    )
    assert plot([52, 20, 1, -1], 52, PLAIN) == (
        ("|", "good"),
        (":", "warning"),
        (".", "danger"),
        ("_", "track"),
    )


def test_all_games_are_covered():
    assert len(names()) == 7


async def test_every_row_can_be_explained_right_after_the_screen_opens():
    here = app(at_the_gate(*HURT, "attack guard-1 dice=15 by okado"))
    async with running(here) as pilot:
        await pilot.press("S", "y", "escape")
        for _ in range(here.screen.sheet.count):
            await pilot.press("y")
            assert here.sentence or here.screen.panel.display
            await pilot.press("escape", "down")


async def test_a_calculated_number_is_explained_as_a_sum() -> None:
    async with playing(at_the_gate("damage okado 30")) as play:
        await play.press("S<Down>y")
        lines = [" ".join(line.strip("│ ").split()) for line in play.text.split("\n")]
        at = lines.index("────")
        assert lines[at - 2 : at] == ["melee 53", "hurt −10"]
        assert lines[at + 1] == "melee 43"


async def test_a_section_named_like_its_table_has_one_heading() -> None:
    async with playing(at_the_gate(), (140, 60)) as play:
        await play.press("S")
        assert sum(line.strip("│ ").startswith("Abilities") for line in play.text.split("\n")) == 1


async def test_a_unit_follows_its_number_and_explanations_are_aligned(tmp_path):
    here = opened(tmp_path, name="rooftop-watch")
    async with running(here) as pilot:
        await pilot.press("S")
        lines = text_of(here).split("\n")
        places = {
            line.index(words)
            for line in lines
            for words in ("coordination", "squares · how far", "talking")
            if words in line
        }
        assert len(places) == 1


async def test_the_status_screen_repeats_nothing(tmp_path):
    here = opened(tmp_path)
    async with running(here) as pilot:
        await pilot.press("S")
        assert "armour 20" not in text_of(here)


def test_events_of_a_combatant_come_before_their_dimmed_arithmetic():
    here = at_the_gate("attack guard-1 dice=15", "damage guard-1 2")
    happened, arithmetic, damage = story_rows(here.log, "guard-1", here.game, 79, 9)[-3:]
    assert "".join(text for text, _ in happened) == "R1 Okado hits Guard 1 for 41 (life 45 → 4), hurt −10."
    assert ("68 against 36, success 32, 45 damage, armour 4.", "muted") in arithmetic
    assert "".join(text for text, _ in damage) == "R1 Guard 1 takes 2 (life 4 → 2)."
