"""A fight as one viewer knows it: others have the sheets that they look like, and names in place of ids."""

from systems.visibility.known import known_fight
from systems.visibility.viewer import Shown, Viewer
from tests.systems.fight import Fight
from tests.systems.toy import toy

OKADO = Viewer(frozenset({"okado"}))


def fight(*lines: str) -> Fight:
    names = ("add okado", "add tamsin", "add guard x2", "add guard as Ghost hidden")
    return Fight("atlantis", *names, "start", *lines)


def test_others_have_blank_sheets_with_the_health_that_is_shown():
    play = fight("damage guard-1 30", "set guard-1 abilities.dodge 99", "damage tamsin 10")
    found = known_fight(play.encounter, play.log, OKADO, Shown())
    guard, tamsin = found.named.combatants["guard-1"].sheet, found.named.combatants["tamsin"].sheet
    assert guard.abilities == play.game.sheet().abilities
    assert 0 < guard.life * 2 <= guard.max_life
    assert guard.max_life != play.encounter.combatants["guard-1"].sheet.max_life
    assert tamsin.life == play.encounter.combatants["tamsin"].sheet.life
    assert found.named.combatants["okado"].sheet is play.encounter.combatants["okado"].sheet


def test_nobody_out_of_sight_is_in_it_and_names_stand_for_ids():
    play = fight("remove guard-1", "add guard as Guest", "reveal ghost", "condition guard-2 marked")
    found = known_fight(play.encounter, play.log, OKADO, Shown())
    assert sorted(found.named.combatants) == ["ghost", "guard-2", "guest", "okado", "tamsin"]
    assert found.name_of(found.ids["ghost"]) == "ghost"
    hidden = fight()
    assert "ghost" not in known_fight(hidden.encounter, hidden.log, OKADO, Shown()).named.combatants


def test_a_fallen_combatant_is_shown_as_fallen():
    play = fight("damage guard-1 60")
    found = known_fight(play.encounter, play.log, OKADO, Shown())
    assert not found.named.status(found.named.combatants["guard-1"]).acts


def test_a_turn_that_is_interrupted_by_an_extra_turn_is_known():
    play = toy("add ada", "add bo", "add orc", "start", "again by bo")
    found = known_fight(play.encounter, play.log, Viewer(frozenset({"ada"})), Shown())
    assert (found.named.progress.turn, found.named.progress.interrupted) == ("bo", "ada")


def test_a_condition_without_a_turn_or_a_source_has_nothing_to_do_with_a_combatant_called_x():
    play = Fight("atlantis", "add okado", "add guard as X", "start", "condition okado marked")
    [held] = known_fight(play.encounter, play.log, OKADO, Shown()).named.combatants["okado"].conditions
    assert (held.name, held.of, held.source) == ("marked", None, None)
