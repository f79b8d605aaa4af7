"""Digits typed for a real die never answer the decision before it, and a stray Enter answers neither."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from systems.contract.action import Action, Scene
from systems.contract.outcome import Explanation, Outcome
from systems.contract.table import Table
from systems.frozen import evolve
from tests.tui.table import Play, at_the_gate, playing


def _run(scene: Scene[Any, Any, Any], table: Table) -> Outcome:
    """Ask for a decision, then for a d20 unless the answer is `later`."""
    given = table.choose("Spend the mark?", ("yes", "no", "later"), suggest="no", of="actor")
    face = 0 if given == "later" else table.d(20, "pondering")
    return Outcome({}, tell=lambda: Explanation(f"{scene.actor_name} answered {given} and rolled {face}."))


@asynccontextmanager
async def pondering(dice: str = "real") -> AsyncIterator[Play]:
    """Open a fight with an action that asks before it rolls, typed but not begun."""
    here = at_the_gate()
    game = evolve(here.game, actions=(*here.game.actions, Action("ponder", "asks first", _run)))
    here.game, here.encounter = game, evolve(here.encounter, game=game)
    here.dice = dice  # type: ignore[assignment]
    async with playing(here) as play:
        await play.press("xponder")
        yield play


@pytest.mark.parametrize("typed", ["17", "1", "2", "=17", "17 4"])
async def test_digits_typed_ahead_wait_for_the_die(typed: str) -> None:
    async with pondering() as play:
        await play.pilot.type_ahead("enter", *("space" if key == " " else key for key in typed), "enter")
        assert "Spend the mark?" in play.text
        assert f"{typed} is kept for the die" in play.text
        await play.press("1")
        assert f" d20 {typed}" in play.text
        assert play.app.services.prompts.current is not None


async def test_kept_digits_are_counted_by_enter_or_typed_over() -> None:
    async with pondering() as play:
        await play.pilot.type_ahead("enter", "1", "7", "enter")
        await play.press("1<Enter>")
        assert "answered yes and rolled 17." in play.last.text
        await play.press("xponder")
        await play.pilot.type_ahead("enter", "1", "7")
        await play.press("29<Enter>")
        assert "answered no and rolled 9." in play.last.text


async def test_digits_that_no_die_needed_are_named() -> None:
    async with pondering() as play:
        await play.pilot.type_ahead("enter", "1", "7", "enter")
        await play.press("3")
        assert "answered later and rolled 0." in play.last.text
        assert "typed but not needed: 17" in play.text


async def test_a_decision_that_has_been_in_sight_for_a_moment_takes_a_digit_at_once() -> None:
    async with pondering() as play:
        await play.press("<Enter>")
        play.pilot.wait(0.41)
        await play.pilot.type_ahead("1", "1", "7", "enter")
        assert "answered yes and rolled 17." in play.last.text


async def test_if_the_program_rolls_a_digit_answers_at_any_speed() -> None:
    async with pondering("program") as play:
        await play.pilot.type_ahead("enter", "1")
        assert "answered yes" in play.last.text


async def test_a_stray_enter_chooses_no_suggestion_and_a_second_one_does_at_any_speed() -> None:
    async with pondering("program") as play:
        await play.pilot.type_ahead("enter", "enter")
        assert "Enter again chooses no" in play.text
        await play.pilot.type_ahead("enter")
        assert "answered no" in play.last.text


async def test_an_enter_right_after_the_arrows_takes_the_marked_choice() -> None:
    async with pondering("program") as play:
        await play.pilot.type_ahead("enter", "up", "enter")
        assert "answered yes" in play.last.text


async def test_a_stray_enter_rolls_no_real_die_and_a_second_one_does_at_any_speed() -> None:
    async with pondering() as play:
        number = play.last.n
        await play.press("<Enter>")
        play.pilot.wait(1)
        await play.pilot.type_ahead("1", "enter")
        assert play.last.n == number
        assert "Enter again rolls it" in play.text
        await play.pilot.type_ahead("enter")
        assert "answered yes" in play.last.text
