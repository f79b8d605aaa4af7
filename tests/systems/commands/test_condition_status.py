"""A condition that brings a status: who is stunned cannot act, whatever the sheet says."""

import pytest

from systems import load
from systems.commands.preview import preview
from systems.contract.action import Action
from systems.contract.condition import Condition
from systems.contract.display import StatusWord
from systems.contract.outcome import Explanation, GivenCondition, Outcome
from systems.errors import Refused
from systems.frozen import evolve
from systems.plugins.declarations import problem
from tests.systems.fight import Fight
from tests.systems.toy import TOY, toy

STUNNED = Condition("stunned", "cannot act", status="stunned")
FOCUS = Condition("focus", "concentrates", acting=True)


def stun(scene, table):
    hit = table.d(4, "stun") > 1
    gives = (GivenCondition("target", "stunned"),) if hit else ()
    return Outcome({"worth": 0}, tell=lambda: Explanation(f"{scene.who_acts} stuns."), gives=gives)


GAME = evolve(
    TOY,
    statuses=(
        StatusWord("up"),
        StatusWord("stunned", acts=False),
        StatusWord("dead", acts=False, in_order=False),
    ),
    conditions=(STUNNED, FOCUS),
    actions=(*TOY.actions, Action("stun", "a blow to the head", stun, targets="one", success="worth")),
)


def fight(*lines: str) -> Fight:
    found = toy()
    found.game = GAME
    found.encounter = evolve(found.encounter, game=GAME)
    for line in ("add ada", "add bo", "add orc", "start", *lines):
        found.do(line)
    return found


def status(found: Fight, who: str) -> str:
    return found.encounter.status(found.encounter.combatants[who]).name


def test_a_condition_brings_its_status_and_takes_it_back():
    found = fight("condition orc stunned")
    assert status(found, "orc") == "stunned"
    with pytest.raises(Refused, match="Orc is stunned and cannot"):
        found.do("strike ada by orc")
    found.do("clear orc stunned")
    assert status(found, "orc") == "up"


def test_a_worse_status_of_the_sheet_counts():
    found = fight("condition orc stunned", "damage orc 40")
    assert status(found, "orc") == "dead"


def test_concentration_ends_with_the_condition_that_stuns():
    found = fight("condition orc focus")
    event = found.do("condition orc stunned")
    assert found.conditions("orc") == ["stunned"]
    assert "no longer focus" in event.text


def test_the_odds_count_the_status_that_a_blow_brings():
    found = fight()
    odds = preview(found.encounter, GAME.actions[-1], "ada", "orc", GAME.actions[-1].options())
    assert float(odds.drops or 0) == 0.75


def test_undo_gives_the_status_back():
    found = fight()
    before = found.plain
    found.do("condition orc stunned")
    found.do("undo")
    assert found.plain == before


def test_a_status_that_the_game_lacks_is_a_mistake_of_the_declaration():
    game = load("simple")
    game = evolve(game, conditions=(*game.conditions, Condition("dazed", "cannot act", status="away")))
    assert "the status of dazed" in problem(game)
