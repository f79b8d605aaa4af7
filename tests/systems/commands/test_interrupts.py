"""Reactions that count before a roll is final: asked only if they matter, counted by the odds, undone."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.commands.dispatcher import perform
from systems.commands.preview import preview
from systems.commands.scenes import scene_of
from systems.commands.table import read_command
from systems.contract.interrupt import Interruption
from systems.contract.outcome import Ask
from systems.contract.reaction import Interrupt, Reaction
from systems.contract.table import NeedsChoice, ScriptedChoices, Suggested, Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace
from systems.frozen import evolve
from systems.odds import Walker, spread_of
from systems.plugins.declarations import problem
from systems.visibility.sentences import seen_sentences
from systems.visibility.viewer import PUBLIC, Shown
from tests.laws import examples
from tests.systems.emberfall import EMBERFALL, emberfall

SHIELD = {"shield": 5}


def started(*lines, game=EMBERFALL, **sheets):
    adds = [f"add {who}" for who in ("ada", "bo", "mage", "guard")]
    return emberfall(*adds, "start", *lines, game=game, **sheets)


def attacked(fight, line="attack mage", dice=(), answers=()):
    """Carry out a line with these dice and answers; return its event."""
    command = read_command(fight.encounter, line)
    return perform(
        fight.encounter, fight.log, fight.roster, command, ScriptedDice(dice), ScriptedChoices(answers)
    )


def asked(fight, *dice, answers=()):
    """Return the question of an attack on the mage after these dice, or None."""
    try:
        attacked(fight, dice=dice, answers=answers)
    except NeedsChoice as needs:
        return needs.request
    except NeedsFace:
        return None
    return None


def test_a_shield_is_asked_for_only_when_it_can_turn_the_hit():
    fight = started(mage=SHIELD)
    request = asked(fight, 9)
    assert (request.question, request.of) == ("Mage: use Ember Shield against Ada (+5, 2 needed)?", "mage")
    assert (request.choices, request.suggest) == ((False, True), True)
    assert [bool(asked(fight, face)) for face in (1, 7, 8, 12, 13, 20)] == [
        False,
        False,
        True,
        True,
        False,
        False,
    ]


def test_a_shield_that_is_used_turns_the_hit_and_is_spent_until_its_owner_acts():
    fight = started(mage=SHIELD)
    event = fight.do("attack mage dice=9")
    assert event.text == "Mage uses Ember Shield (+5). Ada misses Mage. 13 against 12."
    assert fight.sheet("mage").reaction is False
    assert fight.conditions("mage") == ["shielded"]
    assert [(answer.value, answer.of, answer.question) for answer in event.answers] == [
        (True, "mage", "interrupt Ember Shield")
    ]
    assert "hits Mage" in fight.text("attack mage dice=9,5")
    fight.do("undo")
    fight.do("undo")
    assert fight.sheet("mage").reaction is True
    assert fight.conditions("mage") == []


def test_an_owner_may_decline():
    fight = started(mage=SHIELD)
    event = attacked(fight, dice=(9, 5), answers=(False,))
    assert event.text == "Ada hits Mage for 8 (hp 30 → 22). 13 against 12."


def test_a_third_party_is_asked_and_pays():
    fight = started(guard={"protects": 2})
    assert asked(fight, 9).of == "guard"
    assert "Guard uses Protection (+2). Ada misses Mage." in fight.text("attack mage dice=9")
    assert fight.sheet("guard").reaction is False


def test_the_cheapest_that_suffices_is_suggested_and_nothing_more_is_spent():
    fight = started(mage=SHIELD, guard={"protects": 2})
    assert fight.text("attack mage dice=9").startswith("Guard uses Protection (+2). Ada misses")
    fight.do("undo")
    assert fight.text("attack mage dice=12").startswith("Mage uses Ember Shield (+5). Ada misses")
    assert fight.sheet("guard").reaction is True


def test_two_are_spent_together_when_neither_suffices_alone():
    fight = started(mage={"shield": 3}, guard={"protects": 2})
    assert fight.text("attack mage dice=12").startswith(
        "Guard uses Protection (+2). Mage uses Ember Shield (+3). Ada misses"
    )


def test_dice_of_an_interruption_are_rolled_by_its_owner():
    fight = started(guard={"cutting": True})
    event = fight.do("attack mage dice=9,4")
    assert event.text.startswith("Guard uses Cutting Words (+4). Ada misses")
    assert [(roll.why, roll.of) for roll in event.rolls] == [("attack", "ada"), ("Cutting Words", "guard")]


def test_friends_of_the_attacker_and_the_fallen_do_not_protect():
    assert asked(started(bo={"protects": 5}), 9) is None
    assert asked(started("damage guard 99", guard={"protects": 5}), 9) is None


def test_a_hidden_bodyguard_answers_by_its_suggestion_and_players_read_nothing_of_it():
    fight = started("hide guard", guard={"protects": 5})
    assert asked(fight, 9) is None
    event = fight.do("attack mage dice=9")
    assert event.text == "Guard, by Protection (+5), interferes. Ada misses Mage. 13 against 12."
    assert event.answers == ()
    seen = seen_sentences(event, fight.encounter, fight.log, PUBLIC, Shown())
    assert [line.text for line in seen] == ["Something unseen interferes.", "Ada's attack on Mage: miss."]
    assert [step.label for step in event.results[0].explanation.steps] == ["needed", "something unseen"]


def test_an_amended_attack_asks_again_only_if_it_matters():
    fight = started(mage=SHIELD)
    number = fight.do("attack mage dice=9").n
    assert "No longer asked: Mage's Ember Shield, yes." in fight.text(f"amend {number} dice=13,5")
    assert fight.sheet("mage").reaction is True
    assert fight.sheet("mage").hp == 22
    fight.do("undo")
    assert (fight.sheet("mage").reaction, fight.sheet("mage").hp) == (False, 30)


SHEETS = st.fixed_dictionaries(
    {
        "mage": st.fixed_dictionaries({"shield": st.integers(0, 4), "ac": st.integers(8, 14)}),
        "guard": st.fixed_dictionaries({"protects": st.integers(0, 3), "cutting": st.booleans()}),
        "ada": st.fixed_dictionaries({"damage": st.just(("1d4 fire",))}),
    }
)


@examples(20)
@given(SHEETS)
def test_the_odds_count_interruptions_as_suggested(sheets):
    fight = started(**sheets)
    action = fight.game.action("attack")
    scene = scene_of(fight.encounter, action, "ada", "mage", action.options())

    def came_to(outcome):
        names = tuple(used.name for used in outcome.interruptions)
        return outcome.facts["hit"], outcome.facts["damage"], names

    walked = spread_of(lambda table: action.run(scene, table), came_to, Suggested())
    assert walked == by_throwing(lambda table: came_to(action.run(scene, table)))


def by_throwing(run):
    found = Counter()
    waiting = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        try:
            found[run(Table(ScriptedDice(faces), Suggested()))] += chance
        except NeedsFace as dry:
            sides = dry.request.sides
            waiting += [((*faces, face), chance / sides) for face in range(1, sides + 1)]
    return found


def test_the_odds_name_an_interruption_and_stay_small():
    fight = started(mage=SHIELD, guard={"protects": 2, "cutting": True})
    action = fight.game.action("attack")
    found = preview(fight.encounter, action, "ada", "mage", action.options())
    # 1 or 2 more stop it by Protection, 3 to 5 by the shield, 6 to 10 by several together.
    assert dict(found.effects)["Protection"] == Fraction(6, 20)
    assert dict(found.effects)["Ember Shield"] == Fraction(8, 20)
    assert dict(found.effects)["Cutting Words"] == Fraction(3, 20)
    scene = scene_of(fight.encounter, action, "ada", "mage", action.options())
    assert len(list(Walker(Suggested()).walk(lambda table: action.run(scene, table)))) < 100


@pytest.mark.parametrize("interrupts", [True, False])
def test_a_player_sees_odds_without_the_interruptions_of_others(interrupts):
    fight = started(mage=SHIELD)
    action = fight.game.action("attack")
    found = preview(fight.encounter, action, "ada", "mage", action.options(), interrupts=interrupts)
    assert found.works == (Fraction(8, 20) if interrupts else Fraction(13, 20))
    assert ("Ember Shield" in dict(found.effects)) is interrupts


def test_a_reaction_may_follow_the_beginning_of_a_turn():
    def offers(scene):
        return (Ask(f"{scene.actor_name} may strike {scene.target_name}", "attack", "actor", "target"),)

    game = evolve(EMBERFALL, reactions=(Reaction("ambush", "-", "turn_start", offers),))
    assert not problem(game)
    fight = started(game=game)
    assert "Mage may strike Bo" in fight.text("next")
    assert [offer.by for offer in fight.encounter.offers] == ["mage", "guard"]


def test_two_interrupts_that_spend_the_same_reaction_are_not_used_together():
    def parry(scene, owner):
        return (Interruption("Parry", 3, cost=1),)

    both = (Interrupt("parry", "-", "attacked", parry, spends="reaction"),)
    both += tuple(evolve(each, spends="reaction") for each in EMBERFALL.interrupts[:1])
    fight = started(game=evolve(EMBERFALL, interrupts=both), mage={"shield": 2})
    assert asked(fight, 12) is None
    assert "Ada hits" in fight.text("attack mage dice=12,5")
    assert fight.text("attack mage dice=9").startswith("Mage uses Parry (+3). Ada misses")


def test_stepping_in_withdraws_the_offers_that_would_spend_the_same_reaction():
    def offers(scene):
        return (Ask(f"{scene.actor_name} may strike {scene.target_name}", "attack", "actor", "target"),)

    game = evolve(
        EMBERFALL,
        reactions=(Reaction("ambush", "-", "turn_start", offers, spends="reaction"),),
        interrupts=tuple(evolve(each, spends="reaction") for each in EMBERFALL.interrupts[:1]),
    )
    fight = started(game=game, mage={"shield": 9})
    fight.do("next")
    assert [offer.by for offer in fight.encounter.offers] == ["mage", "guard"]
    assert "Mage uses" in fight.text("attack mage dice=12")
    assert [offer.by for offer in fight.encounter.offers] == ["guard"]


@pytest.mark.parametrize("face", [5, 15, 20])
def test_players_cannot_tell_a_hidden_bodyguard_from_none_while_it_cannot_matter(face):
    seen = []
    for protects in (0, 5):
        fight = started("hide guard", guard={"protects": protects})
        faces = {5: "5", 15: "15,5", 20: "20,5,5"}[face]
        event = fight.do(f"attack mage dice={faces}")
        sentences = seen_sentences(event, fight.encounter, fight.log, PUBLIC, Shown())
        seen.append([sentence.text for sentence in sentences])
    assert seen[0] == seen[1]


def test_the_question_does_not_name_an_attacker_that_players_do_not_see():
    fight = started(mage=SHIELD)
    fight.do("hide ada")
    assert asked(fight, 9).question == "Mage: use Ember Shield (+5, 2 needed)?"


@pytest.mark.parametrize("counters", ["mage", "guard"])
def test_a_counterspell_stops_a_whole_area_once_and_odds_leave_it_to_its_owner(counters):
    fight = started(**{counters: {"counters": True}})
    action = fight.game.action("blast")
    assert preview(fight.encounter, action, "ada", "mage", action.options()).expected > 0
    with pytest.raises(NeedsChoice) as needs:
        attacked(fight, "blast mage,guard")
    assert needs.value.request.of == counters
    assert needs.value.request.question == f"{counters.capitalize()}: use Counterspell against Ada?"
    event = attacked(fight, "blast mage,guard", answers=(True,))
    assert event.text == f"Ada's blast is stopped. {counters.capitalize()} uses Counterspell."
    assert len(event.results) == 2
    event = attacked(fight, "blast mage,guard", dice=(18, 2, 3, 18), answers=(False,))
    assert "2 of 2 resist" in event.text


def test_of_many_interruptions_only_those_that_are_enough_alone_are_asked_about():
    fight = emberfall("add ada", "add mage", "add guard x12", "start", guard={"protects": 2})
    assert asked(fight, 9).question.endswith("use Protection against Ada (+2, 2 needed)?")
    assert asked(fight, 10) is None
