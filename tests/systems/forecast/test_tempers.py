"""What the tempers choose in each game, and what the foes of each game do in the states of a fight."""

from random import Random
from typing import Any

import pytest

from systems import load
from systems.forecast.choice import choices_of, chosen
from systems.forecast.danger import danger_of
from systems.forecast.moves import policy_of
from systems.forecast.plan import Planner
from systems.forecast.worth import points
from systems.plugins.laws.example_requests import RequestMaker
from systems.schema.conversion import read, replace
from systems.schema.fields import fields_of
from systems.sheets import read_sheet
from tests.systems.fight import GAMES, Fight
from tests.systems.forecast.test_choice import become, choice, first
from tests.systems.srd5.facing import facing


def fight_of(game: str, *lines: str, who: str = "guard") -> Fight:
    """Return a fight of Okado and Tamsin against a guard, in the guard's turn."""
    fight = Fight(game, "add okado", "add tamsin", "add guard", *lines, "start")
    for _ in range(4):
        if fight.turn != who:
            fight.do("next")
    return fight


@pytest.mark.parametrize("game", GAMES)
def test_the_three_tempers_choose_their_targets_in_every_game(game: str) -> None:
    fight = fight_of(game)
    main = fight.game.harm_fields[0]
    become(fight, "tamsin", **{main: 1})
    here, found = fight.encounter, choices_of(fight.encounter, "guard")
    ruthless = chosen(here, found, "ruthless", first)
    assert ruthless is not None
    assert ruthless.targets == ("tamsin",)
    sensible = chosen(here, found, "sensible", first)
    assert sensible is not None
    assert sensible.worth == max(each.worth for each in found)
    careless = [chosen(here, found, "careless", lambda many, at=at: at) for at in range(2)]
    assert {each.targets for each in careless if each} == {("okado",), ("tamsin",)}


def test_of_equally_weak_targets_the_ruthless_take_the_one_that_is_easier_to_harm() -> None:
    fight = facing("ogre")
    fight.do("add mira as Tamsin")
    assert choice(fight, "ogre", "ruthless").targets == ("mira",)
    fight.do("condition mira invisible")
    assert choice(fight, "ogre", "ruthless").targets == ("tamsin",)


def test_the_ruthless_strike_although_an_ally_is_down() -> None:
    fight = facing("priest", "wolf")
    become(fight, "wolf", dies_at_zero=False, hp=0, conditions=("unconscious", "prone"))
    heal = replace(fight.sheet("priest").powers[0], name="Cure", kind="action", healing="2d8", damage=())
    become(fight, "priest", habits=(), powers=(replace(heal, save=None, concentration=False),))
    assert choice(fight, "priest").targets == ("wolf",)
    assert choice(fight, "priest", "ruthless").targets == ("mira",)


def test_the_ruthless_fell_a_target_rather_than_hold_it_if_that_is_as_likely() -> None:
    fight = facing("pit-fiend")
    holds = max(choices_of(fight.encounter, "pit-fiend"), key=lambda each: each.falls)
    assert holds.move.options == {"effect": "Hellfire Spellcasting: Hold Monster"}
    assert choice(fight, "pit-fiend", "ruthless").move.action == "multiattack"


def test_a_creature_without_an_attack_makes_none() -> None:
    fight = facing("shrieker-fungus")
    assert choices_of(fight.encounter, "shrieker-fungus") == []
    become(fight, "mira", attacks=(), powers=(), multiattack=())
    assert choice(fight, "mira").move.options == {"weapon": "unarmed"}


BREATH = {
    "name": "Breath",
    "when": "asked",
    "save": "dexterity",
    "dc": 12,
    "half": True,
    "damage": ["2d6 fire"],
    "recharge": 5,
}
# A game, changes of the guard's sheet, lines before its choice, and what it does.
STATES: list[tuple[str, dict[str, Any], tuple[str, ...], tuple[object, ...]]] = [
    # An archer shoots from where its bow does most; a club does nothing from there.
    ("arden", {"weapons": [{"name": "bow", "bands": [0, 1, 3]}]}, (), ("attack", "bow", 3)),
    ("arden", {"weapons": [{"name": "club", "bands": [1, 0, 0]}]}, (), ("attack", "club")),
    # The precise pierce: a hit then does as much as a die of 10 at least.
    (
        "arden",
        {"abilities": {"attack": 2, "precision": 4}, "weapons": [{"name": "sword", "bands": [1, 0, 0]}]},
        (),
        ("attack", "sword", "piercing"),
    ),
    # A weapon named like a practised manoeuvre is the art of the high concept.
    (
        "atomic_d20",
        {"weapons": [{"name": "dread", "damage": "2d6"}], "practiced": ["Dread"]},
        (),
        ("attack", "dread", "Dread", ("high_concept",)),
    ),
    # Without arrows the sword is left.
    (
        "simple",
        {
            "weapons": [
                {"name": "bow", "damage": "3d8", "counter": "arrows"},
                {"name": "knife", "damage": "1d4"},
            ],
            "counters": [{"name": "arrows", "full": 3, "now": 0}],
        },
        (),
        ("attack", "knife"),
    ),
    # A breath that recharges is for several; while it is spent, the claw is left.
    (
        "simple",
        {"weapons": [{"name": "claw", "damage": "1d6"}], "effects": [BREATH]},
        ("near okado tamsin",),
        ("effect", "Breath"),
    ),
    (
        "simple",
        {"weapons": [{"name": "claw", "damage": "1d6"}], "effects": [{**BREATH, "spent": 1}]},
        ("near okado tamsin",),
        ("attack", "claw"),
    ),
    # A gun without bullets is not reloaded while a blade is at hand; a jammed gun alone is cleared.
    (
        "waygate",
        {
            "weapons": [
                {"name": "gun", "damage": "3d6", "kind": "ranged", "firearm": True, "clip": 4, "loaded": 0},
                {"name": "blade", "damage": "1d4"},
            ]
        },
        (),
        ("attack", "blade"),
    ),
    (
        "waygate",
        {"weapons": [{"name": "gun", "damage": "3d6", "firearm": True, "clip": 4, "jammed": True}]},
        (),
        ("unjam", "gun"),
    ),
    # A full clip at once would cost the next turn; a burst hits as many times.
    (
        "waygate",
        {
            "weapons": [
                {
                    "name": "gun",
                    "damage": "2d6",
                    "kind": "ranged",
                    "modes": ["single", "burst", "auto"],
                    "burst": 3,
                    "clip": 20,
                }
            ]
        },
        (),
        ("attack", "gun", "burst"),
    ),
    # A grenade is for two that are near each other; the last one is gone.
    (
        "xcom",
        {
            "weapons": [
                {"name": "pistol", "damage_base": 1, "damage_range": 3},
                {"name": "grenade", "damage_base": 3, "damage_range": 3, "area": "explosion", "count": 1},
            ]
        },
        ("near okado tamsin",),
        ("explosion", "grenade"),
    ),
    (
        "xcom",
        {
            "weapons": [
                {"name": "pistol", "damage_base": 1, "damage_range": 3},
                {"name": "grenade", "damage_base": 3, "damage_range": 3, "area": "explosion", "count": 0},
            ]
        },
        ("near okado tamsin",),
        ("attack", "pistol"),
    ),
]


@pytest.mark.parametrize(("game", "changes", "lines", "expected"), STATES)
def test_a_foe_does_what_an_expert_in_the_game_would_do(
    game: str, changes: dict[str, Any], lines: tuple[str, ...], expected: tuple[object, ...]
) -> None:
    fight = fight_of(game)
    fields = fields_of(type(fight.sheet("guard")))
    become(fight, "guard", **{name: fields[name].type.check(value, name) for name, value in changes.items()})
    for line in lines:
        fight.do(line)
    found = choice(fight, "guard").move
    assert (found.action, *found.options.values()) == expected


@pytest.mark.parametrize(
    ("game", "changes", "most"),
    [
        ("arden", {"ap": 3}, 3),
        ("arden", {"ap": 1}, 1),
        ("atlantis", {"attacks_per_round": 2}, 2),
        ("xcom", {}, 1),
        ("simple", {}, 1),
        ("waygate", {}, 1),
        ("atomic_d20", {}, 1),
    ],
)
def test_a_turn_has_as_many_attacks_as_the_game_allows(game: str, changes: dict[str, Any], most: int) -> None:
    fight = fight_of(game)
    become(fight, "guard", **changes)
    become(fight, "okado", **{fight.game.harm_fields[0]: points(fight.encounter, "okado")})
    assert len(Planner(fight.encounter, "sensible", first).turn("guard")) == most


def test_an_area_is_not_used_where_it_would_reach_an_ally() -> None:
    fight = facing("mage", "wolf")
    fight.do("add mira as Tamsin")
    fight.do("near mira tamsin")
    assert len(choice(fight, "mage").targets) == 2
    fight.do("near wolf mira")
    areas = [each.targets for each in choices_of(fight.encounter, "mage") if each.move.aim == "foes"]
    assert areas == [("tamsin", "mira")] * len(areas)
    fight.do("near wolf tamsin")
    assert choice(fight, "mage").move.aim == "foe"


def test_a_foe_that_is_only_held_is_still_a_target() -> None:
    fight = facing("ghoul")
    become(fight, "mira", conditions=("paralyzed",))
    found = choice(fight, "ghoul")
    assert found.targets == ("mira",)
    # It is out of action already, so only its fall counts.
    assert found.move.action == "multiattack"
    become(fight, "mira", hp=0, conditions=("unconscious", "prone"))
    assert choices_of(fight.encounter, "ghoul") == []


@pytest.mark.parametrize("game", GAMES)
def test_a_foe_that_is_out_of_action_is_no_target_although_it_may_have_other_points_left(game: str) -> None:
    fight = Fight(game, "add okado", "add guard x2", "start")
    while fight.encounter.status(fight.encounter.combatants["guard-1"]).acts:
        fight.do("damage guard-1 30")
    assert {each.targets for each in choices_of(fight.encounter, "okado")} == {("guard-2",)}


def test_a_charmed_foe_spares_its_charmer() -> None:
    fight = facing("ogre")
    fight.do("add mira as Tamsin")
    fight.do("condition ogre charmed by mira")
    assert {each.targets for each in choices_of(fight.encounter, "ogre")} == {("tamsin",)}
    danger = danger_of(fight.encounter, "mira", fight.dice)
    assert danger is not None
    assert danger.threats == ()


def test_a_caster_keeps_up_the_spell_that_it_concentrates_on() -> None:
    fight = facing("priest")
    fight.do("add mira as Tamsin")
    fight.do("near mira tamsin")
    assert choice(fight, "priest").move.options == {"power": "Spirit Guardians"}
    become(fight, "priest", concentrating="Spirit Guardians")
    assert choice(fight, "priest").move.action == "multiattack"


# The only actions that the policies use: what the handbook says about each game.
USED = {
    "arden": {"attack"},
    "atlantis": {"attack"},
    "atomic_d20": {"attack"},
    "simple": {"area", "attack", "effect"},
    "srd5": {"attack", "effect", "multiattack", "power", "stand"},
    "waygate": {"attack", "healing_spell", "reload", "unjam"},
    "xcom": {"attack", "explosion", "gas"},
}


@pytest.mark.parametrize("game", GAMES)
def test_a_policy_uses_only_the_actions_that_the_handbook_names_and_the_options_that_they_take(
    game: str,
) -> None:
    ruleset = load(game)
    policy, house = policy_of(ruleset), read(ruleset.house, {})
    maker = RequestMaker(ruleset, Random(5))
    sheets = [read_sheet(ruleset, maker.sheet(0.8), "") for _ in range(40)]
    moves = [move for sheet in sheets for move in policy.moves(sheet, house)]
    for move in moves:
        action = ruleset.action(move.action)
        assert action is not None
        read(action.options, dict(move.options))
    assert {move.action for move in moves} <= USED[game]


def test_a_creature_pays_for_one_of_several_powers() -> None:
    fight = facing("sphinx-of-valor")
    moves = [each.move for each in choices_of(fight.encounter, "sphinx-of-valor")]
    assert not [move for move in moves if "Roar" in str(move.options.get("power"))]
    assert "Roar: Second Roar" in [move.options.get("effect") for move in moves]
    become(fight, "sphinx-of-valor", powers=[*map(_used_up, fight.sheet("sphinx-of-valor").powers)])
    assert choice(fight, "sphinx-of-valor").move.action == "multiattack"


def _used_up(power: Any) -> Any:
    return replace(power, used=3) if power.name == "Roar" else power
