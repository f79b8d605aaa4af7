"""Effects in games of other authors: what they must declare, and mistakes in what the words mean."""

import pytest

from systems import load
from systems.errors import Wrong
from systems.frozen import evolve
from systems.plugins.declarations import problem
from systems.plugins.guard import guarded
from tests.systems.effects.creatures import effect_fight

GAME = load("simple")


def test_a_game_with_effects_needs_the_action_that_runs_them():
    actions = tuple(action for action in GAME.actions if action.name != "effect")
    assert "effects run" in problem(evolve(GAME, actions=actions))


def test_a_game_without_effects_cannot_give_them_by_a_condition():
    without = evolve(GAME, effects=None)
    assert problem(without) == "the condition concentrating has lines, but the game declares no effects"


def test_a_game_with_effects_needs_them_on_its_sheet():
    waygate = load("waygate")
    assert "has no field effects" in problem(evolve(waygate, effects=GAME.effects))


def test_a_mistake_in_what_a_word_means_is_reported_and_the_turn_goes_on():
    def fails(sheet, house):
        raise KeyError("bloodied")

    meaning = evolve(GAME.effects.meaning, states=fails)
    game = guarded(evolve(GAME, effects=evolve(GAME.effects, meaning=meaning)))
    cursed = {"name": "Curse", "when": "start", "self_is": ["bloodied"], "heal": "3"}
    fight = effect_fight("add mira", "add boss", "start dice=20,1", game=game, boss={"effects": [cursed]})
    said = fight.text("next")
    assert "has a mistake in its effects" in said
    assert "Boss's turn." in said
    with pytest.raises(Wrong):
        game.effects.reached(fight.sheet("boss"), fight.sheet("boss"), fight.house)
