"""An attack in play: what is asked before the dice, and what the log tells after them."""

import pytest

from systems.commands.preview import preview
from systems.contract.outcome import Term, owned
from systems.contract.table import ScriptedChoices, Suggested, Table
from systems.dice.scripted import ScriptedDice
from systems.errors import Refused, Wrong
from tests.systems.fight import Fight

from .asking import GUARD, OKADO, TAMSIN, scene_of

MAIL = {"max_armour_pool": 30, "armour_per_attack": 8}


def played(dice, choices=None, **request):
    """The table after an attack, and what came of it."""
    action, scene = scene_of({"action": "attack", "actor": OKADO, "target": OKADO, **request})
    table = Table(ScriptedDice(dice), choices)
    return table, action.run(scene, table)


def answered(table):
    return [answer.value for answer in table.answers]


def told(dice, **request):
    return played(dice, **request)[1].tell()


def test_the_target_is_asked_whether_it_dodges():
    table, outcome = played([10, 5], ScriptedChoices(["dodge"]), options={"defence": "active"})
    assert outcome.facts["resistance"] == 35
    assert answered(table) == ["dodge"]
    assert played([10, 5], options={"defence": "active"})[1].facts["resistance"] == 58


@pytest.mark.parametrize("spent", [{"attacks_made": 1}, {"action_spent": True}])
def test_a_target_that_has_acted_is_not_asked_and_resists_with_the_weapons_own_ability(spent):
    table, outcome = played([10], Suggested(), target={**OKADO, **spent}, options={"defence": "active"})
    assert (outcome.facts["active_refused"], outcome.facts["resistance"]) == (True, 53)
    assert table.answers == []


def test_a_target_that_cannot_parry_is_asked_whether_to_dodge():
    dodger = {"abilities": {"dodge": 40}}
    assert played([10], Suggested(), target=dodger)[1].facts["resistance"] == 40
    assert played([10], target=dodger)[1].facts["resistance"] == 25


@pytest.mark.parametrize(
    ("dice", "request_", "rules"),
    [
        ([2], {"target": {}, "options": {"modifier": -99}}, ("ATL-21",)),
        ([2], {}, ("ATL-23", "ATL-34")),
        ([2, 19], {"options": {"defence": "active"}}, ("ATL-19",)),
        (
            [2],
            {"target": {**OKADO, "attacks_made": 1}, "options": {"defence": "active"}},
            ("ATL-23", "ATL-20", "ATL-34"),
        ),
        ([20, 5], {"target": {**GUARD, **MAIL}}, ("ATL-23", "ATL-26", "ATL-34", "ATL-37")),
        ([], {"actor": TAMSIN, "options": {"distance": 91}}, ("ATL-31",)),
    ],
)
def test_the_log_names_the_rules_that_counted(dice, request_, rules):
    assert told(dice, **request_).rules == rules


def test_the_log_reports_the_damage_that_the_armour_took_and_the_armour_left():
    steps = {step.label: step for step in told([10], target={**GUARD, **MAIL}).steps}
    assert (steps["armour"].value, steps["armour"].note) == ("−8", "at most 8 a blow, 22 of 30 left in it")


def test_armour_that_does_not_count_is_not_reported():
    def labels(**options):
        action, scene = scene_of({"action": "harm", "actor": {**GUARD, **MAIL}, "options": options})
        explanation = action.run(scene, Table(ScriptedDice([]))).tell()
        return [step.label for step in explanation.steps], explanation.rules

    assert labels(amount=9) == (["life"], ("ATL-40",))
    assert labels(amount=9, armour=True) == (["armour", "life"], ("ATL-40", "ATL-36", "ATL-37"))


def test_the_arithmetic_of_an_active_defence_shows_wounds_and_the_die():
    found = told([10, 1, 7], target={**OKADO, "life": 41}, options={"defence": "active"})
    die = Term("d20", -7, "a 1, then minus the second die")
    assert found.steps[0].terms == owned("target", Term("melee", 53), Term("hurt", -5), die)
    assert found.steps[0].value == "41"


@pytest.mark.parametrize(
    ("abilities", "best", "resistance"),
    [
        ({"melee": 60, "dodge": 30}, "melee", 60),
        ({"melee": 30, "dodge": 60}, "dodge", 60),
    ],
)
def test_the_defence_that_is_suggested_is_the_best_one(abilities, best, resistance):
    target = {"abilities": abilities}
    table, outcome = played([10, 5], Suggested(), target=target, options={"defence": "active"})
    assert (answered(table), outcome.facts["resistance"]) == ([best], resistance + 5)
    assert played([10], Suggested(), target=target)[1].facts["resistance"] == resistance


def test_a_modifier_is_called_by_the_condition_that_brings_it():
    fight = Fight("atlantis", "add okado", "add guard", "start", "condition guard running")
    event = fight.do("attack guard modifier=3 dice=10")
    terms = {term.label: term.value for term in terms_of(event)}
    assert (terms["running"], terms["modifier"]) == (-10, 3)


def terms_of(event):
    """The terms behind an event."""
    return [term for result in event.results for term in result.terms]


def notes_of(target, actor=OKADO, **options):
    """What the game says of an attack before the dice."""
    action, scene = scene_of({"action": "attack", "actor": actor, "target": target, "options": options})
    return action.notes(scene)


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ({"abilities": {"melee": 10}}, "worse, 10 + d20 against 25"),
        ({"abilities": {"melee": 40}}, None),
        ({"abilities": {"melee": 40}, "attacks_made": 1}, "not possible, has acted"),
    ],
)
def test_an_active_defence_that_is_no_better_is_offered_with_a_word(target, said):
    weak = {"abilities": {"melee": 20}, "weapons": OKADO["weapons"]}
    assert notes_of(target, weak).get("defence=active") == said
    assert notes_of(target, weak, defence="active").get("") == (said and f"active {said}")
    assert "" not in notes_of(target, weak)


def test_a_target_beyond_the_range_is_reported():
    assert notes_of(GUARD, TAMSIN, weapon="short bow", distance=500)[""].startswith("beyond the ")
    assert "" not in notes_of(GUARD, TAMSIN, weapon="short bow", distance=20)


# A defence declared on one's own turn


def test_a_declared_defence_meets_the_next_attack_by_itself_and_has_spent_the_action():
    fight = Fight("atlantis", "add tamsin", "add guard x2", "start")
    assert fight.text("defend") == "Tamsin defends: the next attack meets a roll."
    assert fight.conditions("tamsin") == ["defending"]
    with pytest.raises(Refused, match="has spent this round's action"):
        fight.do("attack guard-1")
    fight.do("next")
    event = fight.do("attack tamsin dice=15,10")
    assert [(roll.why, roll.of) for roll in event.rolls] == [
        ("sword", "guard-1"),
        ("melee", "tamsin"),
    ]
    assert event.text == "Guard 1 misses Tamsin. Tamsin has defended. 51 against 63."
    assert (fight.conditions("tamsin"), fight.sheet("tamsin").action_spent) == ([], True)
    fight.do("next")
    assert len(fight.do("attack tamsin dice=15").rolls) == 1  # one action, one roll (R13)


def test_a_defence_that_nobody_has_tried_waits_until_the_next_turn_and_costs_no_second_action():
    fight = Fight(
        "atlantis", "add guard", "add tamsin", "order tamsin after guard", "start", "next", "defend"
    )
    fight.do("next")
    assert (fight.round, fight.turn, fight.sheet("tamsin").action_spent) == (2, "guard", False)
    before = fight.plain
    fight.do("attack tamsin dice=15,10")
    assert not fight.sheet("tamsin").action_spent
    fight.do("undo")
    assert fight.plain == before
    assert "Tamsin is no longer defending." in fight.text("next")
    assert not fight.sheet("tamsin").defending


def test_a_defence_that_would_make_it_easier_to_hit_keeps_waiting():
    fight = Fight("atlantis", "add tamsin", "add guard", "start")
    for line in ("set tamsin abilities.melee 3", "set tamsin abilities.dodge 3", "defend", "next"):
        fight.do(line)
    hit = fight.do("attack tamsin dice=2")
    assert len(hit.rolls) == 1
    assert " Tamsin does not roll to defend: worse, 3 + d20 against 25." in hit.text
    assert fight.sheet("tamsin").defending


def test_an_attacker_does_not_defend_and_a_fallen_combatant_no_longer_defends():
    fight = Fight("atlantis", "add tamsin", "add guard", "start", "attack guard dice=2")
    with pytest.raises(Refused, match="has acted this round and cannot defend as well"):
        fight.do("defend")
    fight.do("undo")
    fight.do("defend")
    assert "no longer defending" in fight.text("damage tamsin 60")
    assert not fight.sheet("tamsin").defending


def test_the_odds_of_a_defending_target_are_those_of_its_roll():
    fight = Fight("atlantis", "add tamsin", "add guard", "start")
    attack = fight.game.action("attack")

    def chance(**given):
        return preview(fight.encounter, attack, "guard", "tamsin", attack.options(**given)).works

    passive, active = chance(), chance(defence="active")
    fight.do("defend")
    assert (chance(), chance(defence="passive")) == (active, passive)
    assert active < passive


def test_a_check_may_be_the_action_of_the_round():
    fight = Fight("atlantis", "add tamsin", "add guard", "start")
    check = "check ability=melee threshold=25"
    fight.do(check)
    assert not fight.sheet("tamsin").action_spent
    fight.do(f"{check} spends_action=yes")
    for line in ("attack guard", "defend", f"{check} spends_action=yes"):
        with pytest.raises(Refused, match="this round"):
            fight.do(line)
    fight.do("next")
    assert len(fight.do("attack tamsin defence=active dice=15").rolls) == 1


def test_an_option_after_ability_is_not_taken_as_an_ability():
    fight = Fight("atlantis", "add tamsin", "add guard", "start")
    with pytest.raises(Wrong, match='there is no "modifier=5" here'):
        fight.do("check ability=modifier=5 threshold=25")


@pytest.mark.parametrize(
    ("abilities", "options", "asked"),
    [
        ({"melee": 10, "dodge": 20}, {}, False),  # neither is better than 25
        ({"melee": 10, "dodge": 30}, {}, True),
        ({"dodge": 20}, {}, False),
        ({"melee": 30, "dodge": 30}, {"defence": "active"}, False),  # the weapon's own, as on any tie
        ({"melee": 10, "dodge": 20}, {"defence": "active"}, True),  # an active defence may be below 25
    ],
)
def test_which_ability_defends_is_asked_only_if_it_matters(abilities, options, asked):
    target = {"abilities": abilities}
    table, outcome = played([10, 5], Suggested(), target=target, options=options)
    assert (table.answers != []) is asked
    best = max(25 if not options else 0, *abilities.values())
    assert outcome.facts["resistance"] == best + (5 if options else 0)


def test_a_low_ability_may_replace_the_25_by_choice():
    target = {"abilities": {"melee": 10, "dodge": 20}}
    assert (
        played([10], Suggested(), target=target, house={"passive_floor": False})[0].answers[0].value
        == "dodge"
    )
