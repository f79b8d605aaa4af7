"""What an action would come to, before it is done."""

from fractions import Fraction

import pytest

from systems.commands.actions import typed_options
from systems.commands.amounts import preview_amount, read_amount
from systems.commands.preview import preview
from systems.commands.scenes import scene_of
from systems.commands.table import parse
from systems.contract.action import Action
from systems.contract.condition import Condition
from systems.contract.outcome import EndedCondition, GivenCondition, Outcome
from systems.contract.table import Suggested
from systems.encounter.model import ActiveCondition
from systems.errors import Refused
from systems.frozen import evolve
from systems.odds import facts_odds
from tests.systems.fight import GAMES, Fight
from tests.systems.toy import toy


def foreseen(fight, line="", actor="okado", target="guard", action=None):
    doing = fight.game.action(action or fight.game.default_action)
    given = dict(one.split("=") for one in line.split())
    return preview(fight.encounter, doing, actor, target, typed_options(doing, given))


@pytest.mark.parametrize("game", GAMES)
def test_a_preview_agrees_with_the_odds_of_the_same_scene(game):
    fight = Fight(game, "add okado", "add guard", "start")
    action = fight.game.action(fight.game.default_action)
    found = foreseen(fight)
    scene = scene_of(fight.encounter, action, "okado", "guard", typed_options(action, {}))
    odds = facts_odds(lambda table: action.run(scene, table), Suggested())
    assert found.works == sum(chance for value, chance in odds[action.success].items() if value)
    assert sum(found.amounts.values()) == 1
    amounts = odds.get(action.amount, {})
    for value, chance in found.amounts.items():
        if value:
            assert amounts[value] == chance
    assert found.expected == sum(value * chance for value, chance in amounts.items())


def test_it_tells_how_likely_the_target_drops_and_what_may_befall_it():
    fight = toy("add ada", "add orc", "damage orc 7", "start")
    found = foreseen(fight, actor="ada", target="orc", action="strike")
    assert found.drops == Fraction(4, 6)
    assert found.effects == (("dead", Fraction(4, 6)),)
    assert found.amounts == {face: Fraction(1, 6) for face in range(1, 7)}
    assert found.expected == Fraction(7, 2)


WORSE = [
    ("simple", ("set guard hp 4", "condition guard stunned"), "dead"),
    ("simple", ("set guard hero yes", "set guard hp 4", "condition guard stunned"), "down"),
    ("waygate", ("set guard hp -2",), "dead"),
    ("atlantis", ("set guard life 0",), "dead"),
    ("atomic_d20", ("set guard hearts 1", "set guard status unconscious"), "dying"),
]


@pytest.mark.parametrize(("game", "lines", "worse"), WORSE)
def test_a_combatant_that_cannot_act_drops_as_often_as_it_falls_further(game, lines, worse):
    fight = Fight(game, "add okado", "add guard", "start", *lines)
    found = foreseen(fight)
    assert found.drops == dict(found.effects)[worse] > 0
    doing = read_amount(fight.encounter, parse("damage guard 3d12", fight.game).intent)
    harmed = preview_amount(fight.encounter, doing, "guard")
    assert harmed.drops == dict(harmed.effects)[worse] > 0


@pytest.mark.parametrize("game", GAMES)
def test_a_change_to_a_better_status_never_drops_anybody(game):
    fight = Fight(game, "add okado")
    order = fight.game.statuses
    for at, better in enumerate(order):
        for worse in order[at + 1 :]:
            assert not fight.game.drops(worse, better) or (worse.acts and not better.acts)
            assert fight.game.drops(better, worse) is not worse.acts
        assert not fight.game.drops(better, better)


def test_what_says_no_more_than_the_chance_to_drop_comes_behind_the_other_side_effects():
    fight = Fight("xcom", "add okado", "add guard", "start", "set guard dodge 20", "set guard health 1")
    found = foreseen(fight)
    assert [words for words, _ in found.effects] == ["graze", "critical", "down"]
    assert dict(found.effects)["down"] == found.drops > dict(found.effects)["graze"]


def test_it_tells_how_likely_the_side_effects_are_that_an_action_declares():
    """A gun that jams is the attacker's own, and no mark of the target tells of it."""
    fight = Fight("waygate", "add okado", "add guard", "start dice=20,1")
    found = dict(foreseen(fight, "weapon=rifle use_aether_mark=no").effects)
    assert found["the gun jams"] == Fraction(2, 20)
    assert found["critical"] == Fraction(1, 20)
    assert "Magical Mayhem" not in found


def test_a_graze_and_a_hit_with_the_same_damage_stay_distinct():
    fight = Fight("xcom", "add okado", "add guard", "set okado crit 20", "set guard dodge 30", "start")
    action = fight.game.action("attack")
    scene = scene_of(fight.encounter, action, "okado", "guard", action.options())
    odds = facts_odds(lambda table: action.run(scene, table), Suggested())["result"]
    found = dict(foreseen(fight).effects)
    assert all(found[result] == odds[result] for result in ("graze", "critical"))


def test_conditions_count_in_it():
    fight = toy("add ada", "add orc", "start", "condition ada sharp")
    found = foreseen(fight, actor="ada", target="orc", action="strike")
    assert min(found.amounts) == 3


def test_conditions_that_end_stand_in_it_with_their_chance():
    """A blow that may knock the target out ends what it keeps up, on whomever."""

    def calm(scene, table):
        gone = table.d(6, "calm") == 6
        return Outcome({}, ends=(EndedCondition("target", "reckless", 1),) if gone else ())

    calms = Action("calm", "ends anger", calm, targets="one")
    holding = Condition("holding", "keeps a spell up", acting=True)
    fight = toy("add ada", "add orc x2")
    fight.game = evolve(
        fight.game,
        actions=(*fight.game.actions, calms),
        conditions=(*fight.game.conditions, holding, Condition("blessed", "")),
    )
    fight.encounter = evolve(fight.encounter, game=fight.game)
    for line in ("start", "condition orc-1 holding", "condition orc-1 reckless 1", "damage orc-1 7"):
        fight.do(line)
    blessed = ActiveCondition(name="blessed", source="orc-1", sustained="holding")
    second = evolve(fight.encounter.combatants["orc-2"], conditions=(blessed,))
    fight.encounter = fight.encounter.with_combatants(second)
    assert foreseen(fight, "", "ada", "orc-1", "calm").effects == (("no longer reckless 1", Fraction(1, 6)),)
    struck = foreseen(fight, "", "ada", "orc-1", "strike").effects
    # A reckless one is hit for one more.
    assert dict(struck) == {
        "dead": Fraction(5, 6),
        "no longer holding": Fraction(5, 6),
        "no longer blessed for Orc 2": Fraction(5, 6),
    }


def test_what_the_total_has_to_be_may_differ_from_target_to_target():
    def strike(scene, table):
        return Outcome({"worth": table.d(6, "strike"), "needed": 4})

    fight = toy("add ada", "add orc x2", "damage orc-2 5", "start")
    struck = evolve(
        fight.game.action("strike"),
        run=strike,
        facts={"worth": "", "needed": ""},
        against="needed",
        needs=lambda scene: "at_most" if scene.target.hp < 10 else "at_least",
    )
    fight.game = evolve(fight.game, actions=(struck, *fight.game.actions[1:]))
    seen = [foreseen(fight, "", "ada", orc, "strike") for orc in ("orc-1", "orc-2")]
    assert [found.needed for found in seen] == ["4 or more", "4 or less"]


def test_what_is_refused_says_so_in_the_games_words():
    fight = toy("add ada", "add orc", "start")
    assert foreseen(fight, "bonus=-9", "ada", "orc", "strike").refused == "Ada is too weak."


def test_what_has_to_be_beaten_is_there_when_it_is_one_number():
    fight = Fight("atlantis", "add okado", "add guard", "start")
    assert (foreseen(fight).against, foreseen(fight).is_rolled) == (36, False)


def test_what_has_to_be_beaten_and_is_thrown_for_says_so():
    fight = Fight("atlantis", "add okado", "add guard", "start")
    found = foreseen(fight, "defence=active")
    assert (found.against, found.is_rolled) == (None, True)


def test_a_combatant_that_is_down_does_not_drop_again():
    fight = Fight("xcom", "add okado", "add guard", "start", "set guard health -5")
    found = foreseen(fight)
    assert found.drops == 0 < found.expected


def test_it_changes_nothing_and_rolls_nothing():
    fight = Fight("waygate", "add okado", "add guard", "start")
    before = fight.plain
    foreseen(fight)
    assert fight.plain == before


def _burning(fight, *gives):
    def run(scene, table):
        burns = table.d(6, "flames") > 4
        return Outcome({"worth": burns}, gives=gives if burns else ())

    burn = Action("burn", "sets on fire", run, targets="one", success="worth")
    game = evolve(fight.game, actions=(*fight.game.actions, burn))
    fight.encounter = evolve(fight.encounter, game=game)
    found = preview(fight.encounter, burn, "ada", "orc", burn.options())
    return found.effects


def test_the_preview_lists_possible_conditions_with_their_chances():
    fight = toy("add ada", "add orc", "start")
    assert _burning(fight, GivenCondition("target", "ablaze", 3, 2)) == (("ablaze 3", Fraction(1, 3)),)
    assert _burning(fight, GivenCondition("actor", "sharp")) == (("sharp for Ada", Fraction(1, 3)),)
    assert _burning(fight, GivenCondition("allies", "sharp", 1)) == (("sharp 1 for allies", Fraction(1, 3)),)


def test_a_condition_that_is_borne_already_is_no_news():
    fight = toy("add ada", "add orc", "start", "condition orc ablaze 3")
    assert _burning(fight, GivenCondition("target", "ablaze", 3)) == ()
    assert _burning(fight, GivenCondition("target", "ablaze", 5)) == (("ablaze 5", Fraction(1, 3)),)


def test_the_second_target_of_a_command_meets_who_has_attacked_the_first():
    fight = Fight("atlantis", "add okado", "add guard x3", "start", "set okado attacks_per_round 2")
    attack = fight.game.action("attack")
    options = attack.options()
    alone, second, third = (
        preview(fight.encounter, attack, "okado", who, options, earlier)
        for who, earlier in [
            ("guard-2", ()),
            ("guard-2", ("guard-1",)),
            ("guard-3", ("guard-1", "guard-2")),
        ]
    )
    event = fight.do("attack guard-1")
    assert second.works == preview(fight.encounter, attack, "okado", "guard-2", options).works < alone.works
    assert event.changes
    assert "no attack left" in third.refused


def test_a_command_for_more_targets_than_can_be_reached_says_how_many_and_does_nothing():
    fight = Fight("atlantis", "add okado", "add guard x3", "start", "set okado attacks_per_round 2")
    with pytest.raises(Refused, match="attack reaches 2 of these 3 targets; after that: "):
        fight.do("attack guard-1,guard-2,guard-3")
    assert fight.encounter.combatants["okado"].sheet.attacks_made == 0


def test_a_command_on_several_targets_that_runs_out_of_dice_has_reached_the_earlier_ones():
    fight = Fight("waygate", "add okado", "add guard x3", "start")
    event = fight.do("attack guard-1,guard-2,guard-3 weapon=rifle use_aether_mark=no by okado dice=1")
    assert event.text.endswith("Guard 2 and Guard 3 are not reached: Okado's rifle is jammed.")
    assert len(event.results) == 1
    fight.do("undo")
    assert not any(weapon.jammed for weapon in fight.sheet("okado").weapons)


def test_a_target_named_twice_is_not_silently_attacked_once():
    fight = Fight("atlantis", "add okado", "add guard x3", "start")
    with pytest.raises(Refused, match="Guard 1 is named twice"):
        fight.do("attack guard-1,1")
    fight.do("damage guard-1,1-3 3")


@pytest.mark.parametrize(
    ("game", "nothing", "most"), [("atlantis", "miss", "× 4"), ("atomic_d20", "miss", "major wound")]
)
def test_it_tells_how_each_amount_comes_about(game, nothing, most):
    fight = Fight(game, "add okado", "add guard", "start")
    results = foreseen(fight).results
    assert nothing in results[0]
    assert results[max(results)] == (most,)


def test_certain_endings_come_after_possible_effects():
    """Whoever is attacked is no longer in guard, whatever falls: that tells targets not apart."""

    def push(scene, table):
        thrown = (GivenCondition("target", "dazed"),) if table.d(6, "push") == 6 else ()
        return Outcome({}, gives=thrown, ends=(EndedCondition("target", "blessed"),))

    pushes = Action("push", "throws down", push, targets="one")
    fight = toy("add ada", "add orc")
    fight.game = evolve(
        fight.game,
        actions=(*fight.game.actions, pushes),
        conditions=(*fight.game.conditions, Condition("blessed", "")),
    )
    fight.encounter = evolve(fight.encounter, game=fight.game)
    for line in ("start", "condition orc blessed"):
        fight.do(line)
    found = foreseen(fight, "", "ada", "orc", "push").effects
    assert found == (("dazed", Fraction(1, 6)), ("no longer blessed", Fraction(1)))
