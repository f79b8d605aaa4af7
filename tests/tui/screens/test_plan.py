"""`M` shows what the creatures would do up to the next player's turn, and Enter carries it out."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from systems import load
from systems.schema.conversion import read
from tests.systems.fight import roster_of
from tests.tui.opened import playing_sample
from tests.tui.pilot import running
from tests.tui.table import Play, Shelf, app, at_the_gate, playing, session_of
from tui.session.session import chance

GUARDS = ("next", "next")


def rows(play: Play) -> list[str]:
    """Return the rows of the plan that is on the screen, without the columns of the odds."""
    lines = play.text.splitlines()
    at = next(at for at, line in enumerate(lines) if "The enemy's plan" in line)
    return [" ".join(line[2:60].split()) for line in lines[at + 1 :] if " attack " in line]


@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
async def test_two_keys_play_all_creatures_and_one_takes_it_back(size: tuple[int, int]) -> None:
    async with playing(at_the_gate(*GUARDS), size) as play:
        known = len(play.session.log.events)
        await play.press("M")
        assert rows(play) == [
            "3 Guard 1 attack Tamsin, sword",
            "4 Guard 2 attack Tamsin, sword",
            "5 Raider captain attack Tamsin, axe",
        ]
        assert "works  drops" in play.text
        await play.press("<Enter>")
        assert play.session.encounter.progress.turn == "okado"
        assert len(play.session.log.events) == known + 6
        assert "undoes the plan" in play.text
        await play.press("u")
        assert play.session.encounter.progress.turn == "guard-1"
        await play.press("U")
        assert play.session.encounter.progress.turn == "okado"


async def test_an_action_of_a_plan_is_changed_and_left_out_and_a_temper_plans_again() -> None:
    async with playing(at_the_gate(*GUARDS)) as play:
        await play.press("M<space>")
        assert rows(play)[0] == "3 Guard 1 attack Okado, sword"
        await play.press("<Down><backspace>")
        assert [row[:9] for row in rows(play)] == ["3 Guard 1", "5 Raider "]
        await play.press("<Enter>")
        acts = [(event.actor, event.targets) for event in play.session.log.events if event.action]
        assert acts[0] == ("guard-1", ("okado",))
        assert [actor for actor, _ in acts] == ["guard-1", "raider-captain"]
        await play.press("uMt")
        assert "The enemy's plan · ruthless" in play.text
        assert len(rows(play)) == 3
        await play.press("<Esc>")
        assert play.session.encounter.progress.turn == "guard-1"


async def test_a_refused_line_of_a_plan_stays_to_be_corrected() -> None:
    async with playing(at_the_gate(*GUARDS)) as play:
        await play.press(":plan 1<Enter>")
        assert "Okado is on the players' side; a plan is for the others" in play.text
        await play.press("<backspace>3<Enter>")
        assert rows(play) == ["3 Guard 1 attack Tamsin, sword"]
        await play.press("<Enter>")
        assert play.session.encounter.progress.turn == "guard-2"


async def test_in_a_players_turn_a_plan_is_shown_and_not_carried_out() -> None:
    async with playing(at_the_gate()) as play:
        await play.press("M")
        assert "Not yet: it is Okado's turn; end it with next, then plan." in play.text
        known = len(play.session.log.events)
        await play.press("<Enter>")
        assert len(play.session.log.events) == known


async def test_twelve_creatures_of_a_side_take_two_keys(tmp_path: Path) -> None:
    lines = ("add grey x9", "start", "set mara max_health 99", "set mara health 99", "next side")
    async with playing_sample(tmp_path, "rooftop-watch", *lines, size=(80, 24)) as play:
        side = play.session.encounter.progress.side
        assert sum(each.side == side for each in play.session.encounter) == 12
        await play.press("M<Enter>")
        acted = {event.actor for event in play.session.log.events if event.batch and event.action}
        assert len(acted) == 12
        assert play.session.encounter.progress.side == play.session.encounter.players
        await play.press("u")
        assert play.session.encounter.progress.side == side


async def test_a_plan_stops_at_each_real_die_and_goes_on() -> None:
    here = at_the_gate(*GUARDS)
    here.dice = "real"
    async with playing(here) as play:
        await play.press("M<Enter>")
        assert "d20" in play.text
        assert not any(event.batch for event in play.session.log.events)
        for _ in range(20):
            if play.app.services.prompts.current is not None:
                await play.press("<Enter>")
        assert play.session.encounter.progress.turn == "okado"
        assert len({event.batch for event in play.session.log.events if event.batch}) == 1
        await play.press("uM<Enter><Esc>")
        # A cancelled die ends the plan before the command that needs it.
        assert play.session.encounter.progress.turn == "guard-1"


@asynccontextmanager
async def waiting(guards: int) -> AsyncIterator[Play]:
    """Return a plan that waits because Okado may act at the end of a guard's turn."""
    game = load("simple")
    here = session_of(game, read(game.house, {}), "manual", roster_of(game), {}, (), Shelf())
    here.streams = chance(1)
    for line in ("add okado", f"add guard x{guards}", "start", "next"):
        here.do(line)
    program = app(here)
    here.kept = program.table.fight_changed
    async with running(program) as pilot:
        play = Play(program, pilot)
        await play.press("M<Enter>")
        yield play


async def test_a_plan_waits_for_a_reaction_of_a_player_and_goes_on_after_it() -> None:
    async with waiting(2) as play:
        assert play.session.encounter.progress.turn == "guard-2"
        assert "Okado may react. M goes on with the plan." in play.text
        play.session.do("spend counter=hurry by okado")
        await play.pilot.idle()
        await play.press("")
        assert play.session.encounter.progress.turn != "guard-2"
        assert len({event.batch for event in play.session.log.events if event.batch}) == 1


async def test_a_waiting_plan_ends_if_the_game_master_plays_on_by_hand() -> None:
    async with waiting(3) as play:
        assert play.session.encounter.progress.turn == "guard-2"
        await play.press("n")
        assert play.session.encounter.progress.turn == "guard-3"
        await play.press("M<Enter>")
        batches = [event.batch for event in play.session.log.events if event.batch]
        assert len({*batches}) == 2


async def test_creatures_play_by_themselves_if_the_table_says_so() -> None:
    here = at_the_gate("next")
    here.plays_foes = True
    program = app(here)
    here.kept = program.table.fight_changed
    async with running(program) as pilot:
        play = Play(program, pilot)
        await play.press("n")
        assert play.session.encounter.progress.turn == "okado"
        assert play.session.encounter.progress.round == 2
        # After an undo they wait for the game master.
        await play.press("u")
        assert play.session.encounter.progress.turn == "guard-1"
