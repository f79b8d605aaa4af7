"""Odds of attacks and saves with effects: they agree with all dice."""

from fractions import Fraction

import pytest

from systems.commands.preview import preview
from systems.commands.scenes import scene_of
from systems.contract.table import Suggested
from systems.frozen import evolve
from systems.odds import TooManyDice, facts_odds
from systems.odds.walker import spread_of
from systems.sheets import changed
from tests.systems.odds.test_walker import by_throwing
from tests.systems.srd5.facing import CASTER, SWORD, facing
from tests.systems.srd5.test_odds import by_all_dice


@pytest.mark.parametrize("creature", ["knight", "mage"])
def test_the_odds_of_attacks_that_a_reaction_can_stop_are_those_of_all_dice(creature):
    jab = {**SWORD, "to_hit": 3 if creature == "knight" else 0, "damage": ["1d4 slashing"]}
    fight = facing(creature, attacks=[jab], multiattack=[{"name": "sword", "times": 2}])
    action = fight.game.action("multiattack")
    scene = scene_of(fight.encounter, action, "mira", creature, action.options())
    assert facts_odds(lambda table: action.run(scene, table)) == by_all_dice(action, scene)


def test_the_odds_of_attacks_that_help_each_other_are_those_of_all_dice():
    # The claw hits on 18 to 20, so that few branches have the two dice of the advantage.
    claw = {**SWORD, "name": "claw", "to_hit": -6, "damage": ["2 slashing"]}
    bite = {**SWORD, "name": "bite", "to_hit": 2, "damage": ["1 piercing"]}
    effects = [
        {"name": "hold", "when": "hit", "of": ["claw"], "said": "charge", "condition": "grappled"},
        {
            "name": "eager",
            "when": "always",
            "target_is": ["grappled_by_it"],
            "change": {"attacks": "advantage"},
        },
        {"name": "deep", "when": "hit", "of": ["bite"], "roll": "advantage", "damage": ["1d4 piercing"]},
    ]
    fight = facing("wolf", attacks=[claw, bite], effects=effects)
    action = fight.game.action("multiattack")
    options = action.options(weapons=("claw", "bite"), charge=True)
    scene = scene_of(fight.encounter, action, "mira", "wolf", options)
    found = by_all_dice(action, scene)
    assert facts_odds(lambda table: action.run(scene, table)) == found
    assert ("grappled",) in found["gave"]


def test_the_odds_of_a_spell_count_the_counterspell_that_it_may_meet():
    fight = facing("mage", **CASTER)
    power = fight.game.action("power")
    spell = power.options(power="Fireball")
    found = preview(fight.encounter, power, "mira", "mage", spell)
    # The constitution save of Mira, +2 against 14, fails on 1 to 11, the save of the mage, +2, on 1 to 12.
    assert found.works == (1 - Fraction(11, 20)) * Fraction(12, 20)
    assert found.amounts[0] == Fraction(11, 20)
    assert dict(found.effects)["Counterspell"] == 1
    alone = preview(fight.encounter, power, "mira", "mage", spell, interrupts=False)
    assert alone.works == Fraction(12, 20)


@pytest.mark.parametrize(
    ("name", "action", "options"),
    [
        ("pit-fiend", "attack", {"weapon": "Bite"}),
        ("giant-shark", "multiattack", {}),
        ("rakshasa", "multiattack", {}),
        ("guardian-naga", "power", {"power": "Flame Strike"}),
    ],
)
@pytest.mark.parametrize("hp", [70, 19])
def test_the_odds_of_a_screen_are_those_of_all_facts(name, action, options, hp):
    fight = facing(name, max_hp=70, hp=hp, temp_hp=3)
    played = fight.game.action(action)
    scene = scene_of(fight.encounter, played, name, "mira", played.options(**options))

    def seen(outcome):
        after = changed(scene.target, outcome.changes["target"])
        state = fight.game.status(after, scene.house), after.conditions, after.concentrating
        return outcome.facts["damage"], outcome.degree, outcome.gives, state

    def brief(table):
        table.brief = True
        outcome = played.run(scene, table)
        # One branch holds all sums of damage with the same result.
        return evolve(outcome, facts={**outcome.facts, "damage": table.one_of(outcome.facts["damage"])})

    assert spread_of(brief, seen) == spread_of(lambda table: played.run(scene, table), seen)


@pytest.mark.parametrize("more", [{}, {"types": ["necrotic"]}])
def test_the_odds_know_that_a_lowered_maximum_leaves_its_victim_less_bloodied(more):
    touch = {"name": "Touch", "to_hit": -2, "damage": ["2d4+1 necrotic", *(["1d4 piercing"] if more else [])]}
    drain = {"name": "Drain", "when": "hit", "of": ["Touch"], "lowers": "max_hp", **more}
    fight = facing("wolf", attacks=[touch], effects=[drain])
    attack = fight.game.action("attack")
    scene = scene_of(fight.encounter, attack, "mira", "wolf", attack.options())
    foreseen = preview(fight.encounter, attack, "mira", "wolf", attack.options())

    def states(table):
        outcome = attack.run(scene, table)
        return fight.game.status(changed(scene.target, outcome.changes["target"]), scene.house)

    found = by_throwing(states)
    assert dict(foreseen.effects).get("bloodied", 0) == found["bloodied"]
    assert foreseen.drops == found["dead"] > 0


@pytest.mark.parametrize("target", ["knight", "ogre-zombie"])
@pytest.mark.parametrize("name", ["pit-fiend", "marilith", "tarrasque"])
def test_the_odds_of_a_multiattack_against_a_parry_or_undead_fortitude_take_few_branches(name, target):
    fight = facing(name, target)
    played = fight.game.action("multiattack")
    scene = scene_of(fight.encounter, played, name, target, played.options())

    def brief(table):
        table.brief = True
        return played.run(scene, table)

    # With a branch for each sum of damage there are thousands; above the limit, TooManyDice is raised.
    assert spread_of(brief, lambda outcome: outcome.degree, Suggested(), most=300)


@pytest.mark.parametrize("resists", [False, True])
@pytest.mark.parametrize("flame", ["1d4 fire", "1d4-1 fire"])
def test_the_odds_of_fire_against_a_troll_are_those_of_all_facts(resists, flame):
    blade = {**SWORD, "to_hit": 8, "damage": ["1 slashing"]}
    brand = {**blade, "name": "brand", "damage": ["1 slashing", flame]}
    multiattack = [{"name": "sword", "times": 1}, {"name": "brand", "times": 1}]
    fight = facing("troll", attacks=[blade, brand], multiattack=multiattack)
    fight.do("set troll hp 9")
    if resists:
        fight.do("set troll resistances fire")
    action = fight.game.action("multiattack")
    scene = scene_of(fight.encounter, action, "mira", "troll", action.options())

    def seen(outcome):
        after = changed(scene.target, outcome.changes["target"])
        return outcome.facts["damage"], fight.game.status(after, scene.house), after.regeneration_stopped

    def brief(table):
        table.brief = True
        outcome = action.run(scene, table)
        return evolve(outcome, facts={**outcome.facts, "damage": table.one_of(outcome.facts["damage"])})

    assert spread_of(brief, seen) == by_throwing(lambda table: seen(action.run(scene, table)))


def test_every_multiattack_on_a_troll_has_exact_odds_in_few_branches():
    for name in ("tarrasque", "pit-fiend", "ancient-red-dragon", "iron-golem"):
        fight = facing(name, "troll")
        played = fight.game.action("multiattack")
        found = preview(fight.encounter, played, name, "troll", played.options())
        assert not found.too_many
        assert found.amounts


def test_odds_of_several_attacks_with_too_many_dice_say_where_exact_ones_are(monkeypatch):
    monkeypatch.setattr("systems.commands.preview.MOST_BRANCHES", 2_000)
    fight = facing("fire-giant", "iron-golem")
    played = fight.game.action("multiattack")
    with pytest.raises(TooManyDice, match="too many dice at once; see the odds of one attack"):
        preview(fight.encounter, played, "fire-giant", "iron-golem", played.options())
    one = fight.game.action("attack")
    found = preview(fight.encounter, one, "fire-giant", "iron-golem", one.options())
    assert not found.too_many
    assert found.amounts
