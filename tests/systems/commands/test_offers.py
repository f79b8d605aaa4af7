"""Offers that an outcome makes: who helps, what is left open, and how a seat sees it."""

import pytest

from systems.commands.actions import read_action
from systems.commands.offers import leaves_open
from systems.contract.action import Action
from systems.contract.outcome import Ask, Explanation, Outcome
from systems.encounter.model import Offer
from systems.errors import Refused
from systems.frozen import evolve
from systems.language.intents import Act
from systems.schema.fields import NoOptions, choice, combatant, declare
from tests.systems.fight import Fight
from tests.systems.toy import TOY, toy


@declare
class Aid:
    helper: str | None = combatant(None, "the combatant that helps", when_absent="nobody")


@declare
class Needy:
    word: str = choice(("yes", "no"))


def _nothing(scene, table):
    return Outcome({}, tell=lambda: Explanation("Done."))


def _asks_for_help(scene, table):
    ask = Ask("Who helps?", "aid", by="actor", choose=("helper",))
    return Outcome({}, tell=lambda: Explanation("Help!"), asks=(ask,))


AID = Action("aid", "help", _nothing, Aid)
GAME = evolve(TOY, actions=(*TOY.actions, AID, Action("shout", "a shout", _asks_for_help, NoOptions)))


def game_of(*lines):
    fight = Fight(GAME, style="manual")
    fight.roster = toy().roster
    for line in lines:
        fight.do(line)
    return fight


def test_an_offer_to_be_helped_names_the_first_combatant_of_its_side_that_can_help():
    fight = game_of("add ada", "add orc", "add bo", "start", "shout by ada")
    [offer] = fight.encounter.offers
    assert (offer.options, offer.command) == ({"helper": "bo"}, "aid helper=bo by ada")


def test_no_help_is_offered_to_a_combatant_that_is_alone():
    assert game_of("add ada", "add orc", "start", "shout by ada").encounter.offers == ()


@pytest.mark.parametrize(
    ("targets", "options", "onto", "choose", "is_open"),
    [
        ("none", NoOptions, None, (), False),
        ("none", Needy, None, (), True),
        ("none", NoOptions, None, ("helper",), True),
        ("many", NoOptions, None, (), True),
        ("many", NoOptions, "orc", (), False),
        ("optional", NoOptions, None, (), False),
    ],
)
def test_an_offer_asks_before_it_is_taken_if_it_leaves_something_open(
    targets, options, onto, choose, is_open
):
    action = Action("act", "an act", _nothing, options, targets)
    assert leaves_open(action, Offer(says="?", action="act", target=onto, choose=choose)) is is_open


def test_an_action_that_the_game_does_not_have_is_refused_with_those_that_can_be_typed():
    fight = game_of("add ada", "start")
    with pytest.raises(Refused) as refused:
        read_action(fight.encounter, Act("dance", "", {}, "ada"))
    assert str(refused.value).startswith('Toy has no action "dance"; actions: strike, again, harm')
    assert "bleed" not in str(refused.value)


def _asks_both(scene, table):
    several = Ask("Flee?", "again", by="target", several="Do {names} flee?", about="target")
    return Outcome(
        {}, tell=lambda: Explanation("Boo!"), asks=(several, Ask("Strike?", "strike", by="target"))
    )


def test_only_offers_that_are_the_same_question_are_reported_as_one():
    scare = Action("scare", "", _asks_both, NoOptions, "many")
    fight = Fight(evolve(GAME, actions=(*GAME.actions, scare)), style="manual")
    fight.roster = toy().roster
    for line in ("add ada", "add orc x2", "start"):
        fight.do(line)
    told = [sentence.text for sentence in fight.do("scare 1,2 by ada").sentences]
    assert told == ["Ada: scare on 2.", "Boo!", "Strike?", "Boo!", "Do Orc 1 and Orc 2 flee?", "Strike?"]


def test_each_players_decision_is_reported_in_a_sentence_of_its_own():
    scare = Action("scare", "", _asks_both, NoOptions, "many")
    fight = Fight(evolve(GAME, actions=(*GAME.actions, scare)), style="manual")
    fight.roster = toy().roster
    for line in ("add ada", "add bo", "add orc", "start"):
        fight.do(line)
    told = [said.text for said in fight.do("scare ada,bo by orc").sentences]
    assert [text for text in told if "lee" in text] == ["Flee?", "Flee?"]


@pytest.mark.parametrize("line", ["delay", "remove okado", "flee okado"])
def test_the_offers_of_a_turn_end_when_its_combatant_leaves_the_order(line):
    fight = Fight("atlantis", "add okado", "add tamsin", "add guard", "start")
    offer = Offer(says="Strike back?", command="attack guard by tamsin", by="tamsin", action="attack")
    fight.encounter = evolve(fight.encounter, offers=(offer,))
    fight.do(line)
    assert fight.encounter.offers == ()
