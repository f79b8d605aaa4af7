"""Fights of SRD 5.2: conditions on the sheet and in the order are one thing."""

from tests.systems.fight import Fight


def conditions(fight, who):
    combatant = fight.encounter.combatants[who]
    return combatant.sheet.conditions, tuple(held.name for held in combatant.conditions)


def test_a_condition_given_by_hand_is_on_the_sheet_with_all_that_it_brings():
    fight = Fight("srd5", "add okado", "add guard", "condition okado unconscious")
    assert conditions(fight, "okado") == (("unconscious", "prone"), ("unconscious",))
    fight.do("clear okado unconscious")
    assert conditions(fight, "okado") == (("prone",), ())


def test_a_condition_that_an_action_ends_leaves_the_order():
    fight = Fight("srd5", "add okado", "add guard", "condition okado prone", "start", "stand by okado")
    assert conditions(fight, "okado") == ((), ())


def test_a_shove_gives_a_condition_that_the_order_shows():
    fight = Fight("srd5", "add okado", "add guard", "start", "shove guard by okado dice=1")
    assert conditions(fight, "guard") == (("prone",), ("prone",))


def test_exhaustion_given_again_adds_up_on_the_sheet():
    fight = Fight("srd5", "add okado", "condition okado exhaustion", "condition okado exhaustion")
    assert fight.encounter.combatants["okado"].sheet.exhaustion == 2


def test_healing_wakes_one_that_fell():
    fight = Fight("srd5", "add okado", "add guard", "start", "damage okado 30")
    assert fight.encounter.status(fight.encounter.combatants["okado"]).name == "dying"
    fight.do("heal okado 3")
    assert fight.encounter.combatants["okado"].sheet.conditions == ("prone",)
