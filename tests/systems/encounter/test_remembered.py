"""Options that are remembered for a pair are read from the events that stand."""

from systems.encounter.remembered import (
    kept_for_another,
    last_target,
    remembered_for,
    remembered_options,
)
from tests.systems.fight import Fight


def remembered(fight: Fight, actor: str, name: str = "attack") -> dict[str, dict[str, str]]:
    action = fight.game.action(name)
    assert action is not None
    return remembered_options(fight.log.newest(), fight.game, action, actor)


def fight(*lines: str) -> Fight:
    return Fight("atlantis", "add okado", "add tamsin", "add guard x2", "start", *lines)


def test_distance_and_cover_are_those_of_the_last_attack_on_the_same_target() -> None:
    found = fight(
        "attack guard-1 distance=10 coverage=part by okado",
        "attack guard-2 distance=80 by okado",
        "attack guard-1 distance=40 coverage=half by tamsin",
    )
    assert remembered(found, "okado") == {
        "guard-1": {"distance": "10", "coverage": "part"},
        "guard-2": {"distance": "80"},
    }


def test_the_distance_holds_both_ways_and_the_cover_one_way() -> None:
    found = fight("attack guard-1 distance=40 coverage=half by okado")
    assert remembered(found, "guard-1") == {"okado": {"distance": "40"}}
    found.do("attack okado distance=5 by guard-1")
    assert remembered(found, "okado")["guard-1"] == {"distance": "5", "coverage": "half"}


def test_what_was_back_at_its_default_the_last_time_is_not_filled_in() -> None:
    found = fight("attack guard-1 distance=40 coverage=half by okado", "attack guard-1 distance=40 by okado")
    assert remembered(found, "okado")["guard-1"] == {"distance": "40"}


def test_a_number_of_the_moment_is_not_remembered() -> None:
    assert remembered(fight("attack guard-1 modifier=5 by okado"), "okado") == {"guard-1": {}}


def test_what_holds_for_the_actor_is_remembered_whoever_it_is_aimed_at() -> None:
    found = Fight("atomic_d20", "add okado", "add guard x2", "start")
    found.do("attack guard-1 relevant=high_concept maneuver=Riposte by okado")
    known = remembered(found, "okado")
    usual = {"relevant": "high_concept", "maneuver": "Riposte"}
    assert remembered_for(known, "guard-1") == remembered_for(known, "guard-2") == usual
    assert remembered(found, "okado", "maneuver") == {}
    found.do("maneuver difficulty=5 maneuver=Block by okado")
    assert remembered_for(remembered(found, "okado", "maneuver"), "") == {"maneuver": "Block"}


def test_what_was_undone_is_not_remembered() -> None:
    found = fight("attack guard-1 distance=40 by okado", "undo")
    assert remembered(found, "okado") == {}
    assert last_target(found.log.newest(), "okado") == ""
    found.do("redo")
    assert remembered(found, "okado")["guard-1"] == {"distance": "40"}
    assert last_target(found.log.newest(), "okado") == "guard-1"


def test_for_another_target_the_weapon_is_kept_and_the_distance_is_not() -> None:
    action = fight().game.action("attack")
    assert action is not None
    options = {"weapon": "bow", "distance": "40", "coverage": "half", "modifier": "5"}
    assert kept_for_another(action, options) == {"weapon": "bow", "modifier": "5"}


def test_damage_by_hand_is_no_attack_that_is_remembered() -> None:
    found = fight("attack guard-1 by okado", "damage guard-2 3 by okado")
    assert last_target(found.log.newest(), "okado") == "guard-1"


def test_an_option_of_the_same_name_in_another_action_is_another_option() -> None:
    found = Fight("waygate", "add okado", "add guard", "start")
    for line in ('spells.firebolt "1d8"', 'spells."minor heal" "1d4"', 'spells."minor heal".healing 1d6'):
        found.do(f"set okado {line}")
    found.do("attack guard spell=firebolt by okado")
    assert remembered(found, "okado")["guard"] == {"spell": "firebolt"}
    found.do('healing_spell guard spell="minor heal" by okado')
    assert remembered(found, "okado")["guard"] == {"spell": "firebolt"}
    found.do("attack guard by okado")
    assert remembered(found, "okado")["guard"] == {}
