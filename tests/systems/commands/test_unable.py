"""A combatant that cannot act: its actions are refused in every game, except those that say otherwise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems import load
from systems.commands.preview import preview
from systems.commands.relevance import refusal_of
from systems.contract.action import Action
from systems.errors import Refused, Wrong
from systems.frozen import evolve
from systems.text import spoken
from tests.systems.fight import GAMES, Fight
from tests.systems.toy import TOY, toy

FALLS = {"atomic_d20": "set guard-1 status unconscious"}
ACTIONS = [
    (game, action.name)
    for game in GAMES
    for action in load(game).actions
    if action.group not in ("hook", "health", "camp")
]


def fallen_guard(game: str) -> Fight:
    """A guard that has fallen on its own turn."""
    return Fight(game, "add okado", "add guard x2", "start", FALLS.get(game, "damage guard-1 99"))


FIGHTS = {game: fallen_guard(game) for game in GAMES}


def _typed(fight: Fight, action: Action) -> str:
    whom = "" if action.targets == "none" else " okado"
    needs = {"simple area": " weapon=spear", "simple spend": " luck"}
    return f"{action.name}{whom}{needs.get(f'{fight.game.name} {action.name}', '')} by guard-1"


@pytest.mark.parametrize("game", GAMES)
def test_the_fallen_cannot_attack_in_any_game_and_nothing_changes(game):
    fight = fallen_guard(game)
    before, status = fight.plain, fight.encounter.status(fight.encounter.combatants["guard-1"]).name
    with pytest.raises(Refused, match=f"^Guard 1 is {spoken(status)} and cannot attack"):
        fight.do("attack okado by guard-1")
    assert fight.plain == before


@given(st.sampled_from(ACTIONS))
def test_each_action_of_the_unable_is_refused_in_play_and_in_odds_unless_it_is_declared_for_them(which):
    game, name = which
    fight, action = FIGHTS[game], load(game).action(name)
    here = fight.encounter
    target = None if action.targets == "none" else "okado"
    try:
        options = action.options()
    except TypeError:
        return  # an option without a default
    status = here.status(here.combatants["guard-1"]).name
    says = f"Guard 1 is {spoken(status)} and cannot {action.verb}."
    told = refusal_of(here, action, "guard-1", target, options)
    if not here.game.allows_unable(action):
        assert told == says
        assert preview(here, action, "guard-1", target, options).refused == says
    else:
        assert told != says


def test_an_action_may_be_allowed_all_the_same():
    fight = Fight("simple", "add okado", "add tamsin", "add guard x2", "start")
    for line in ("set okado stunned yes", "set guard-1 hp 0", "damage tamsin 20"):
        fight.do(line)
    assert "check" in fight.text("check climb by okado")
    assert fight.text("spend luck by guard-1")
    assert "dead" in fight.text("status by guard-1")
    assert "Tamsin" in fight.text("heal tamsin 3")


def test_a_game_that_checks_nothing_itself_is_refused_for_the_fallen_by_the_engine():
    fight = toy("add ada", "add orc", "start", "damage ada 10")
    with pytest.raises(Refused, match=r"^Ada is dead and cannot strike\.$"):
        fight.do("strike orc by ada")
    with pytest.raises(Refused, match="Ada is dead and cannot again"):
        fight.do("again by ada")


def test_an_action_names_itself_with_its_verb():
    fight = toy()
    actions = tuple(
        evolve(action, verb="go once more") if action.name == "again" else action for action in TOY.actions
    )
    fight.game = evolve(TOY, actions=actions)
    fight.encounter = evolve(fight.encounter, game=fight.game)
    for line in ("add ada", "add orc", "start", "damage ada 10"):
        fight.do(line)
    with pytest.raises(Refused, match=r"^Ada is dead and cannot go once more\.$"):
        fight.do("again by ada")


def test_the_fallen_are_offered_nothing_and_lose_what_was_offered():
    fight = toy("add ada", "add orc", "start")
    fight.do("strike orc by ada dice=6")
    assert [offer.by for offer in fight.encounter.offers] == ["orc"]
    fight.do("damage orc 4")
    assert fight.encounter.offers == ()
    fight.do("undo")
    assert [offer.by for offer in fight.encounter.offers] == ["orc"]
    fight.do("set orc hp 3")
    told = fight.text("strike orc by ada dice=6")
    assert fight.encounter.offers == ()
    assert "again?" not in told


def test_an_amended_past_refuses_the_fallen_and_names_the_event():
    fight = toy("add ada", "add bo", "add orc", "start", "damage orc 1", "strike ada by orc dice=2")
    with pytest.raises((Refused, Wrong), match=r"Orc is dead and cannot strike; .* drop=6"):
        fight.do("amend 5 damage orc 10")
    fight.do("amend 5 damage orc 10 drop=6")
    assert fight.sheet("ada").hp == 10


def test_conditions_that_act_each_turn_act_on_the_unable_whatever_their_group():
    actions = tuple(
        evolve(action, group="check", unable=False) if action.name == "bleed" else action
        for action in TOY.actions
    )
    game = evolve(
        TOY,
        actions=actions,
        statuses=(TOY.statuses[0], evolve(TOY.statuses[1], in_order=True)),
    )
    fight = toy()
    fight.encounter = evolve(fight.encounter, game=game)
    for line in ("add ada", "add orc", "start", "condition orc bleeding", "damage orc 10"):
        fight.do(line)
    assert "Orc bleeds" in fight.text("next")
