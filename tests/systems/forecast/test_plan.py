"""The enemy's plan: what the creatures up to the next player would do."""

import pytest

from systems.contract.policy import Policy
from systems.forecast import plan as plan_module
from systems.forecast.plan import EnemyPlan, Planner, creatures_due, likely_next, live_action, plan_of
from systems.frozen import evolve
from systems.schema.conversion import read
from tests.systems.fight import GAMES, Fight
from tests.systems.forecast.test_choice import become, first
from tests.systems.srd5.facing import facing


def plan(fight: Fight, **given: int) -> EnemyPlan:
    return plan_of(fight.encounter, "sensible", first, given)


@pytest.fixture
def raid() -> Fight:
    """Okado, three guards, then Tamsin."""
    fight = Fight("simple", "add okado", "add tamsin", "add guard x3", style="manual")
    fight.do("order tamsin after guard-3")
    fight.do("start")
    fight.do("next")
    return fight


def test_a_plan_has_an_action_of_each_creature_up_to_the_next_player(raid: Fight) -> None:
    become(raid, "tamsin", defence=30)
    found = plan(raid)
    assert found.due == ("guard-1", "guard-2", "guard-3")
    assert [action.line for action in found.actions] == [
        f"attack okado weapon=spear by guard-{number}" for number in (1, 2, 3)
    ]
    assert all(0 < (action.likely.works or 0) < 1 for action in found.actions)
    # A creature that has used its action has no other one, and one that is down has no turn.
    become(raid, "guard-3", hp=0)
    assert [action.who for action in plan(raid, **{"guard-1": 1}).actions] == ["guard-2"]
    only = plan_of(raid.encounter, "sensible", first, {}, {"guard-2"})
    assert only.due == ("guard-2",)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_plans_for_twelve_and_the_rules_accept_each_first_action(game: str) -> None:
    fight = Fight(game, "add okado", "add tamsin", "add guard x12", "start")
    while fight.encounter.turn is None or fight.encounter.is_player(fight.encounter.turn):
        fight.do("next")
    found = plan(fight)
    assert found.due == creatures_due(fight.encounter)
    assert {action.who for action in found.actions} == {*found.due}
    event = fight.do(found.actions[0].line)
    assert event.actor == found.actions[0].who


def test_an_action_on_a_fallen_target_is_chosen_again_and_marked(raid: Fight) -> None:
    become(raid, "tamsin", defence=30)
    planned = plan(raid).actions[0]
    assert live_action(raid.encounter, planned, "sensible", first) is planned
    become(raid, "okado", hp=0)
    again = live_action(raid.encounter, planned, "sensible", first)
    assert again is not None
    assert again.line == "attack tamsin weapon=spear by guard-1"
    assert again.instead == "Okado has fallen"
    become(raid, "tamsin", hp=0)
    assert live_action(raid.encounter, planned, "sensible", first) is None


def test_the_other_actions_of_a_creature_come_best_first(raid: Fight) -> None:
    become(raid, "tamsin", defence=30)
    planner = Planner(raid.encounter, "sensible", first)
    others = planner.others(plan(raid).actions[1])
    assert [other.choice.targets for other in others] == [("okado",), ("tamsin",)]


def _fails(sheet: object, house: object) -> tuple[()]:
    raise ZeroDivisionError("division by zero")


def test_a_policy_that_fails_is_replaced_by_the_default_and_said(raid: Fight) -> None:
    before = plan(raid)
    game = evolve(raid.encounter.game, policy=Policy(_fails))
    raid.encounter = evolve(raid.encounter, game=game)
    found = plan(raid)
    assert found.failures == (f"The policy of {game.title} failed (ZeroDivisionError: division by zero)",)
    assert [action.line for action in found.actions] == [action.line for action in before.actions]


def test_the_next_two_combatants_are_known_with_what_they_would_do(raid: Fight) -> None:
    become(raid, "tamsin", defence=30)
    found = likely_next(raid.encounter, first)
    assert [(each.who, each.targets) for each in found] == [("guard-2", ("okado",)), ("guard-3", ("okado",))]
    raid.do("next")
    raid.do("next")
    assert [each.who for each in likely_next(raid.encounter, first)] == ["tamsin", "okado"]


def legendary(fight: Fight, who: str, uses: int) -> None:
    """Give a creature a tail that it may use so often between its turns, at the end of others' turns."""
    counter = {"name": "legendary", "full": uses, "now": uses, "refills": "turn", "offered": True}
    tail = {"name": "tail", "damage": "1d8", "counter": "legendary"}
    sheet = read(type(fight.sheet(who)), {"counters": [counter], "weapons": [tail]})
    become(fight, who, counters=sheet.counters, weapons=(*fight.sheet(who).weapons, *sheet.weapons))
    fight.encounter = fight.encounter.without_offers()


def test_a_legendary_creature_acts_at_the_end_of_others_turns_as_often_as_it_can_pay(raid: Fight) -> None:
    become(raid, "tamsin", defence=30)
    legendary(raid, "guard-3", 1)
    found = [(action.line, action.after) for action in plan(raid).actions]
    tail, spear = "attack okado weapon=tail by guard-3", "attack okado weapon=spear by guard-{}"
    assert found == [(spear.format(1), ""), (tail, "guard-1"), (spear.format(2), ""), (spear.format(3), "")]
    # Its own turn brings the use back.
    legendary(raid, "guard-2", 1)
    become(raid, "guard-3", counters=())
    assert [(action.who, action.after) for action in plan(raid).actions] == [
        ("guard-1", ""),
        ("guard-2", "guard-1"),
        ("guard-2", ""),
        ("guard-3", ""),
        ("guard-2", "guard-3"),
    ]


def test_what_an_action_leaves_of_a_legendary_creature_is_known_from_its_worth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fight = facing("adult-red-dragon", "adult-green-dragon", max_hp=90)
    fight.do("next")
    fight.encounter = fight.encounter.without_offers()
    monkeypatch.setattr(plan_module, "branches_of", None)
    found = plan(fight)
    assert any(action.after for action in found.actions)
    monkeypatch.undo()
    monkeypatch.setattr(plan_module, "_known_results", lambda *given: None)
    assert plan(fight) == found


def test_an_action_at_the_end_of_a_turn_is_replaced_by_another_of_the_same_moment(raid: Fight) -> None:
    legendary(raid, "guard-3", 1)
    planner = Planner(raid.encounter, "sensible", first)
    [planned] = planner.after_turn("guard-3", "guard-1")
    others = planner.others(planned)
    assert {(other.likely.targets, other.after) for other in others} == {
        (("okado",), "guard-1"),
        (("tamsin",), "guard-1"),
    }
    become(raid, planned.likely.targets[0], hp=0)
    again = live_action(raid.encounter, planned, "sensible", first)
    assert again is not None
    assert (again.after, again.instead != "") == ("guard-1", True)
    assert again.likely.targets != planned.likely.targets


def test_a_creature_attacks_again_in_a_turn_of_the_next_round() -> None:
    fight = Fight("atlantis", "add okado", "add guard x2", "order okado after guard-1", style="manual")
    fight.do("start")
    fight.do("attack okado by guard-1")
    fight.do("next")
    fight.do("next")
    assert fight.turn == "guard-2"
    plan = plan_of(fight.encounter, "sensible", first, {})
    assert [action.who for action in plan.actions] == ["guard-2", "guard-1"]


def test_a_players_likely_action_is_on_nobody_hidden() -> None:
    fight = Fight("simple", "add okado", "add guard x2", "order okado after guard-1", style="manual")
    fight.do("start")
    become(fight, "guard-1", hp=1)
    assert likely_next(fight.encounter, first)[0].targets == ("guard-1",)
    fight.do("hide 1")
    assert [each.targets for each in likely_next(fight.encounter, first)] == [("guard-2",), ("okado",)]
    fight.do("hide 2")
    assert [each.who for each in likely_next(fight.encounter, first)] == ["guard-2"]


def test_several_attacks_work_if_one_of_them_does_harm() -> None:
    fight = facing("priest")
    [both] = Planner(fight.encounter, "sensible", first).turn("priest")
    one = Planner(fight.encounter, "sensible", first).others(both)
    [single] = [each.likely.works for each in one if each.choice.move.options.get("weapon") == "Mace"]
    assert both.choice.move.action == "multiattack"
    assert single is not None
    assert both.likely.works == 1 - (1 - single) ** 2
