"""Actions that affect somebody besides actor and target: whom an option names."""

import pytest

from systems.commands.actions import typed_options
from systems.commands.preview import preview
from systems.commands.table import completions
from systems.contract.action import Action
from systems.contract.condition import Condition
from systems.contract.outcome import EndedCondition, Explanation, GivenCondition, Outcome
from systems.dice.sources import RandomDice, Roll
from systems.errors import Refused, Wrong
from systems.frozen import evolve
from systems.plugins.check_ruleset import check_ruleset
from systems.plugins.guard import guarded
from systems.requests import resolve
from systems.schema.fields import combatant, declare, whole
from systems.visibility.viewer import Shown, Viewer
from tests.systems.fight import Entry, Fight
from tests.systems.toy import TOY, Sheet
from tests.systems.visibility.seat_lines import seat_command

FREE = Shown(acting="free")


@declare
class ShieldOptions:
    by_stander: str | None = combatant(None, "who takes the blow instead", when_absent="nobody")
    bonus: int = whole(-9, 9, 0)


def _shielded(scene, table):
    """A blow at the target; whoever stands before it takes the half, is shaken, and is marked no more."""
    worth = table.d(6, "blow", "by_stander" if scene.others else "target")
    names, changes, gives, ends = f"{scene.actor_name} strikes {scene.target_name}", {}, (), ()
    if shield := scene.others.get("by_stander"):
        changes["by_stander"] = {"hp": shield.sheet.hp - worth // 2}
        gives = (GivenCondition("by_stander", "shaken"),)
        ends = (EndedCondition("by_stander", "marked"),)
        names += f" and {shield.name}"
    changes["target"] = {"hp": scene.target.hp - (worth - worth // 2 if scene.others else worth)}
    told = Explanation(f"{names}: {worth}.")
    return Outcome({"worth": worth}, changes, lambda: told, gives=gives, ends=ends)


SHIELD = Action("shield", "a blow that two share", _shielded, ShieldOptions, "many", {"worth": "points"})
GAME = evolve(
    TOY,
    actions=(
        evolve(TOY.actions[0], facts={"worth": ""}),
        *TOY.actions[1:],
        SHIELD,
        Action("status", "", lambda scene, table: Outcome({})),
    ),
    conditions=(*TOY.conditions, Condition("shaken", ""), Condition("marked", "")),
)


@pytest.fixture
def fight():
    fight = Fight(GAME, style="manual")
    people = {"ada": "players", "bo": "players", "cy": "foes", "orc": "foes"}
    fight.roster = {name: Entry(name.title(), side, Sheet()) for name, side in people.items()}
    for line in (*(f"add {name}" for name in people), "start"):
        fight.do(line)
    return fight


def hp(fight):
    return {each.name: each.sheet.hp for each in fight.encounter}


def test_an_outcome_changes_the_combatant_that_an_option_names(fight):
    fight.do("condition orc marked")
    event = fight.do("shield cy by_stander=2 by ada dice=5")
    assert hp(fight) == {"Ada": 10, "Bo": 10, "Cy": 7, "Orc": 8}
    assert event.options == {"by_stander": "orc"}
    assert event.rolls == (Roll(6, 5, "blow", "orc"),)
    assert event.text == "Ada strikes Cy and Orc: 5. Orc is no longer marked."
    assert event.sentences[0].about == ("ada", "cy", "orc")
    assert fight.conditions("orc") == ["shaken"]
    fight.do("undo")
    assert hp(fight) == dict.fromkeys(("Ada", "Bo", "Cy", "Orc"), 10)
    assert fight.conditions("orc") == ["marked"]


def test_each_of_several_targets_finds_it_as_the_one_before_left_it(fight):
    fight.do("shield cy,bo by_stander=Orc by ada dice=4,6")
    assert hp(fight) == {"Ada": 10, "Bo": 7, "Cy": 8, "Orc": 5}


def test_without_the_option_nobody_else_is_touched(fight):
    fight.do("shield cy by ada dice=5")
    assert hp(fight) == {"Ada": 10, "Bo": 10, "Cy": 5, "Orc": 10}


def test_an_absent_combatant_is_refused(fight):
    with pytest.raises(Refused, match="nobody here is called"):
        fight.do("shield cy by_stander=zoe by ada")


def test_completion_offers_the_combatants_that_an_option_may_name(fight):
    found = [each.text for each in completions(fight.encounter, {}, "shield cy by_stander=o")]
    assert found == ["by_stander=orc"]


def test_the_preview_names_the_combatant_that_gets_a_condition(fight):
    fight.do("condition orc marked")
    for typed in ("orc", "2", "or"):
        options = typed_options(SHIELD, {"by_stander": typed})
        seen = preview(fight.encounter, SHIELD, "ada", "cy", options)
        assert seen.effects == (("shaken for Orc", 1), ("no longer marked for Orc", 1))


def test_a_seat_names_only_those_in_sight(fight):
    player = Viewer(frozenset({"ada"}))
    line = "shield cy by_s=orc"
    assert seat_command(fight.encounter, player, line, FREE).command.line == ("shield cy by_s=orc by ada")
    fight.do("hide orc")
    with pytest.raises(Refused, match="nobody here is called"):
        seat_command(fight.encounter, player, line, FREE)


def test_a_request_brings_the_sheets_and_gets_them_back():
    request = {
        "action": "shield",
        "target": {"name": "Cy", "hp": 7},
        "others": {"by_stander": {"name": "Orc", "hp": 3}},
        "dice": [4],
    }
    answer = resolve(GAME, request, None)
    assert (answer["target"]["hp"], answer["others"]["by_stander"]["hp"]) == (5, 1)
    with pytest.raises(Wrong, match=r"others\.ally: no option of shield names a combatant so"):
        resolve(GAME, {**request, "others": {"ally": {}}}, None)


def test_an_affected_combatant_that_no_option_names_is_an_error_of_the_game():
    bystander = evolve(SHIELD, run=lambda scene, table: Outcome({}, {"ally": {"hp": 1}}))
    game = guarded(evolve(GAME, actions=(bystander,)))
    with pytest.raises(Wrong, match='"ally", not one of actor, target, by_stander'):
        resolve(game, {"action": "shield"}, RandomDice)


def test_the_laws_try_it_too():
    assert [
        str(result)
        for result in check_ruleset(GAME, only=("answers", "pure", "sheets", "odds"), share=0.3)
        if result.mistake
    ] == []
