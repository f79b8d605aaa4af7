"""Danger against enumerations and random rounds made without the forecast."""

import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import prod

import pytest

from systems import load
from systems.contract.policy import Policy
from systems.dice.sources import RandomDice
from systems.errors import Refused
from systems.forecast import tried_moves as module
from systems.forecast.danger import danger_of
from systems.forecast.found import Danger
from systems.forecast.moves import actions_in_turn
from systems.forecast.points import drained_field
from systems.forecast.tried_moves import TriedMoves
from systems.forecast.turns import foes_before_turn
from systems.frozen import evolve
from systems.schema.conversion import read, replace
from tests.systems.fight import GAMES, Entry, Fight

PLAYS = 300
CLUB = {"name": "club", "damage": "1d6"}
MAUL = {"name": "maul", "damage": "2d6", "bonus": 0}


def simple_fight(*guards: Mapping[str, object], hp: int = 9) -> Fight:
    """Okado with these hit points acts first, then a guard for each of these changes of its sheet."""
    fight = Fight(
        "simple", "add okado", f"add guard x{len(guards)}", style="manual", critical="none", naturals=False
    )
    _become(fight, "okado", hp=hp, max_hp=20, armour=0, defence=12)
    names = [who for who in fight.encounter.combatants if who != "okado"]
    for who, changes in zip(names, guards, strict=True):
        _become(fight, who, counters=(), **changes)
    fight.do("start")
    return fight


def _become(fight: Fight, who: str, **changes: object) -> None:
    combatant = fight.encounter.combatants[who]
    fight.encounter = fight.encounter.with_combatants(
        evolve(combatant, sheet=replace(combatant.sheet, **changes))
    )


def danger(fight: Fight, who: str = "okado", done: Mapping[str, int] | None = None) -> Danger:
    found = danger_of(fight.encounter, who, RandomDice(random.Random(1)), done or {})
    assert found is not None
    return found


def weapon(**fields: object) -> object:
    game = load("simple")
    kind = type(Fight("simple", "add guard").sheet("guard").weapons[0])
    assert game.name == "simple"
    return kind(**fields)


def enumerated(hp: int, blows: list[tuple[int, int]]) -> Fraction:
    """The chance of d20s with these bonuses against 12, and dice with so many sides, to bring hp to 0."""
    fallen = 0
    for throws in product(*(_losses(bonus, sides).items() for bonus, sides in blows)):
        if sum(loss for loss, _ in throws) >= hp:
            fallen += prod(ways for _, ways in throws)
    return Fraction(fallen, _ways(blows))


def _losses(bonus: int, sides: int) -> Counter[int]:
    """Each loss by one blow, with the number of throws of both dice that give it."""
    faces = product(range(1, 21), range(1, sides + 1))
    return Counter(side if face + bonus >= 12 else 0 for face, side in faces)


def _ways(blows: list[tuple[int, int]]) -> int:
    ways = 1
    for _, sides in blows:
        ways *= 20 * sides
    return ways


def test_danger_equals_a_full_enumeration_of_all_throws() -> None:
    guard = {"attack": 3, "weapons": (weapon(**CLUB),)}
    strong = {"attack": 5, "weapons": (weapon(name="knife", damage="1d4"),)}
    fight = simple_fight(guard, strong, hp=7)
    found = danger(fight)
    assert found.chance == enumerated(7, [(3, 6), (5, 4)])
    assert found.is_exact
    assert sum(threat.chance for threat in found.threats) == found.chance


def test_each_foe_uses_the_weapon_most_likely_to_take_the_combatant_out() -> None:
    fight = simple_fight({"attack": 4, "weapons": (weapon(**CLUB), weapon(**MAUL))}, hp=7)
    # A club never does 7. With 6 hit points left, the better chance to hit counts more.
    assert danger(fight).threats[0].options == (("weapon", "maul"),)
    _become(fight, "okado", hp=1)
    [threat] = danger(fight).threats
    assert (threat.options, threat.uses) == ((("weapon", "club"),), "club")


def legendary_fight(uses: int, *, last: str = "tamsin") -> Fight:
    """Okado, a guard with so many uses of a tail between its turns, and Tamsin. `last`: acts last."""
    fight = simple_fight(
        {
            "attack": 3,
            "weapons": (weapon(**CLUB), weapon(name="tail", damage="1d4", counter="legendary")),
        },
        hp=7,
    )
    tail = {"name": "legendary", "full": uses, "now": uses, "refills": "turn", "offered": True}
    _become(fight, "guard", counters=replace_counters(fight, tail))
    fight.do("add tamsin")
    fight.do(f"order {last} after {'guard' if last == 'tamsin' else 'tamsin'}")
    return fight


def replace_counters(fight: Fight, *counters: Mapping[str, object]) -> object:
    return read(type(fight.sheet("guard")), {"counters": list(counters)}).counters


@pytest.mark.parametrize(
    ("uses", "last", "tails"),
    [
        # At the end of Okado's turn and of Tamsin's, before the guard's own.
        (3, "guard", 2),
        (1, "guard", 1),
        # The guard's own turn between them brings the use back.
        (1, "tamsin", 2),
        (0, "guard", 0),
    ],
)
def test_legendary_actions_count_once_at_the_end_of_each_turn(uses: int, last: str, tails: int) -> None:
    fight = legendary_fight(uses, last=last)
    found = danger(fight)
    assert found.chance == enumerated(7, [(3, 6), *[(3, 4)] * tails])
    assert [(threat.who, threat.chance) for threat in found.threats] == [("guard", found.chance)]


def test_a_foe_whose_turn_is_over_adds_nothing_until_the_combatant_has_had_its_own() -> None:
    guard = {"weapons": (weapon(**CLUB),)}
    fight = simple_fight(guard, guard)
    assert foes_before_turn(fight.encounter, "okado") == ("guard-1", "guard-2")
    fight.do("next")
    assert foes_before_turn(fight.encounter, "okado") == ("guard-1", "guard-2")
    assert [each.who for each in danger(fight, done={"guard-1": 1}).threats] == ["guard-2"]
    fight.do("next")
    assert foes_before_turn(fight.encounter, "okado") == ("guard-2",)


def test_a_foe_in_its_turn_has_the_attacks_left_that_it_has_not_made() -> None:
    fight = Fight("atlantis", "add guard", "add okado", "order okado after guard", style="manual")
    _become(fight, "guard", attacks_per_round=2)
    _become(fight, "okado", life=10, armour_pool=0)
    fight.do("start")
    both = danger(fight).chance
    fight.do("attack okado by guard")
    _become(fight, "okado", life=10, armour_pool=0)
    second = danger(fight, done={"guard": 1}).chance
    assert 0 < second < both
    fight.do("attack okado by guard")
    _become(fight, "okado", life=10, armour_pool=0)
    assert danger(fight, done={"guard": 2}).chance == 0


def test_a_foe_has_its_attacks_again_in_the_next_round() -> None:
    fight = Fight("atlantis", "add guard", "add okado", "order okado after guard", style="manual")
    _become(fight, "okado", life=10, armour_pool=0)
    fight.do("start")
    unused = danger(fight).chance
    fight.do("attack okado by guard")
    _become(fight, "okado", life=10, armour_pool=0)
    fight.do("next")
    assert fight.turn == "okado"
    assert danger(fight).chance == unused > 0


def test_hidden_foes_and_late_arrivals_count_and_the_fallen_do_not() -> None:
    fight = Fight("simple", "add okado", "add guard x2", "hide 2", "start")
    while fight.turn != "okado":
        fight.do("next")
    fight.do("add guard in round 2")
    fight.do("add guard in round 9")
    assert {*foes_before_turn(fight.encounter, "okado")} == {"guard-1", "guard-2", "guard_h2"}
    _become(fight, "guard-2", dead=True)
    assert "guard-2" not in foes_before_turn(fight.encounter, "okado")


def test_a_late_arrival_counts_only_if_it_may_act_before_the_next_turn() -> None:
    guard = {"weapons": (weapon(**CLUB),)}
    fight = simple_fight(guard)
    fight.do("add guard in round 2")
    # In the game master's own order it comes last.
    assert foes_before_turn(fight.encounter, "okado") == ("guard",)
    # Okado still has a turn in this round.
    fight = Fight("simple", "add guard", "add okado", "start okado 1 guard 9", "add guard in round 2")
    assert foes_before_turn(fight.encounter, "okado") == ("guard",)
    # In turns of sides it comes with its side.
    side = Fight("xcom", "add okado", "add guard", "start")
    side.do("add guard in round 2")
    assert foes_before_turn(side.encounter, "okado") == ("guard",)


def test_a_side_that_has_had_its_turn_comes_after_the_players() -> None:
    fight = Fight("xcom", "add okado", "add guard")
    fight.roster["beast"] = Entry("Beast", "beasts", fight.sheet("guard"))
    for line in ("add beast", "start", "next"):
        fight.do(line)
    assert foes_before_turn(fight.encounter, "okado") == ("guard", "beast")
    fight.do("next")
    assert fight.turn == "beast"
    assert foes_before_turn(fight.encounter, "okado") == ("beast",)


def test_a_combatant_out_of_action_has_no_danger() -> None:
    fight = simple_fight({"weapons": (weapon(**CLUB),)})
    _become(fight, "okado", hp=0)
    assert danger_of(fight.encounter, "okado", RandomDice(random.Random(1))) is None


def test_too_many_branches_are_sampled_and_marked_so() -> None:
    guard = {"attack": 3, "weapons": (weapon(name="swarm", damage="400d1000"),)}
    fight = simple_fight(guard, hp=9)
    found = danger(fight)
    assert not found.is_exact
    assert abs(found.chance - Fraction(12, 20)) < Fraction(1, 8)


@pytest.mark.parametrize("game", GAMES)
def test_danger_agrees_with_random_turns_in_every_game(game: str) -> None:
    fight = Fight(game, "add okado", "add guard", seed=5)
    fight.do("start")
    while fight.turn != "okado":
        fight.do("next")
    meter = fight.game.harm_fields[0]
    _become(fight, "okado", **{meter: min(3, getattr(fight.sheet("okado"), meter))})
    found = danger(fight)
    fight.do("next")
    fallen = sum(_falls(fight, found) for _ in range(PLAYS))
    assert [threat.who for threat in found.threats] == ["guard"]
    assert abs(float(found.chance) - fallen / PLAYS) < 0.1


def _falls(fight: Fight, found: Danger) -> bool:
    """Whether Okado is out of action after the guard has done what the danger says as often as it may."""
    kept, options = fight.encounter, dict(found.threats[0].options)
    words = " ".join(f'{name}="{value}"' for name, value in options.items())
    try:
        for _ in range(actions_in_turn(fight.game, fight.sheet("guard"), fight.house)):
            fight.do(f"{found.threats[0].action} okado {words} by guard")
            if not fight.encounter.status(fight.encounter.combatants["okado"]).acts:
                return True
    except Refused:
        pass
    finally:
        fight.encounter = kept
    return False


def test_a_policy_that_fails_costs_no_danger() -> None:
    fight = simple_fight({"weapons": (weapon(**CLUB),)})
    expected = danger(fight)
    fight.encounter = evolve(fight.encounter, game=evolve(fight.game, policy=Policy(_fails)))
    assert danger(fight) == expected


def _fails(sheet: object, house: object) -> tuple[()]:
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("game", "changes"),
    [
        ("arden", {}),
        ("simple", {}),
        ("simple", {"temporary_hp": 3}),
        ("srd5", {}),
        ("srd5", {"temp_hp": 3}),
        ("waygate", {}),
        ("xcom", {}),
    ],
)
@pytest.mark.parametrize("points", [1, 4, 9, 16])
def test_danger_for_all_numbers_of_points_equals_that_for_each(
    game: str, changes: dict[str, int], points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    fight = Fight(game, "add okado", "add guard x2", "start")
    [field] = fight.game.harm_fields
    _become(fight, "okado", **changes, **{field: points})
    assert drained_field(fight.encounter, "okado") == field
    found = danger(fight)
    monkeypatch.setattr(module, "drained_field", lambda *given: "")
    assert danger(fight) == found


def test_points_count_one_by_one_where_more_depends_on_them() -> None:
    fight = Fight("srd5", "add okado", "add tamsin", "add guard x2", "start")
    _become(fight, "okado", undead_fortitude=True)
    assert drained_field(fight.encounter, "okado") == ""
    _become(fight, "okado", undead_fortitude=False)
    fury = {"name": "fury", "when": "always", "change": {"attacks": 4}, "target_is": ["bloodied"]}
    effects = read(type(fight.sheet("guard-1")), {"effects": [fury]}).effects
    _become(fight, "guard-1", effects=effects)
    assert drained_field(fight.encounter, "okado") == ""


def test_points_need_not_count_one_by_one_for_what_a_bystander_does_to_its_own_targets() -> None:
    fight = Fight("srd5", "add okado", "add tamsin", "add guard x2", "start")
    parry = {"name": "Parry", "when": "attacked", "change": {"ac": 2}}
    rot = {"name": "Rot", "when": "zero", "whose": "target", "of": ["spear"], "slays": True}
    effects = read(type(fight.sheet("guard-1")), {"effects": [parry, rot]}).effects
    _become(fight, "guard-1", effects=effects)
    assert drained_field(fight.encounter, "okado", "guard-1") == ""
    assert drained_field(fight.encounter, "okado", "guard-2") == "hp"
    # Nor for what its friends would do.
    assert drained_field(fight.encounter, "guard-2") == "hp"


def test_what_depends_on_the_attackers_own_points_does_not_count_those_of_its_target() -> None:
    fight = Fight("srd5", "add okado", "add guard x2", "start")
    fury = {"name": "fury", "when": "always", "change": {"attacks": 4}, "self_is": ["bloodied"]}
    effects = read(type(fight.sheet("guard-1")), {"effects": [fury]}).effects
    _become(fight, "guard-1", effects=effects)
    assert drained_field(fight.encounter, "okado") == "hp"
    _become(fight, "okado", effects=effects)
    assert drained_field(fight.encounter, "okado") == ""


def test_the_order_in_which_conditions_came_makes_no_other_state() -> None:
    fight = Fight("srd5", "add okado", "add guard", "start")
    tries = TriedMoves(fight.encounter, "okado", fight.dice, 1_000, minds_all=True)
    keys = set()
    for words in (("prone", "poisoned"), ("poisoned", "prone"), ("prone",)):
        other = Fight(
            "srd5", "add okado", "add guard", "start", *(f"condition okado {word}" for word in words)
        )
        keys.add(tries.state(other.encounter.combatants["okado"]).key)
    assert len(keys) == 2
