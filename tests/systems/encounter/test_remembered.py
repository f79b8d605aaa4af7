"""Options remembered for a pair of combatants are read from the events in force."""

import pytest

from systems import load
from systems.commands.offers import action_line
from systems.encounter.remembered import (
    acted_in_turn,
    done_before,
    kept_for_again,
    kept_for_another,
    last_target,
    remembered_for,
    remembered_options,
)
from systems.schema.fields import fields_of
from tests.systems.fight import GAMES, Fight


def remembered(fight: Fight, actor: str, name: str = "attack") -> dict[str, dict[str, str]]:
    action = fight.game.action(name)
    assert action is not None
    return remembered_options(fight.log.newest(), fight.encounter, action, actor)


def fight(*lines: str) -> Fight:
    return Fight("atlantis", "add okado", "add tamsin", "add guard x2", "start", *lines)


def test_distance_and_cover_come_from_the_last_attack_on_the_same_target() -> None:
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


def test_an_option_last_used_with_its_default_is_not_filled_in() -> None:
    found = fight("attack guard-1 distance=40 coverage=half by okado", "attack guard-1 distance=40 by okado")
    assert remembered(found, "okado")["guard-1"] == {"distance": "40"}


def test_a_one_time_number_is_not_remembered() -> None:
    assert remembered(fight("attack guard-1 modifier=5 by okado"), "okado") == {"guard-1": {}}


def test_options_of_the_actor_are_remembered_for_any_target() -> None:
    found = Fight("atomic_d20", "add okado", "add guard x2", "start")
    found.do("attack guard-1 relevant=high_concept maneuver=Riposte by okado")
    known = remembered(found, "okado")
    usual = {"relevant": "high_concept", "maneuver": "Riposte"}
    assert remembered_for(known, "guard-1") == remembered_for(known, "guard-2") == usual
    assert remembered(found, "okado", "maneuver") == {}
    found.do("maneuver difficulty=5 maneuver=Block by okado")
    assert remembered_for(remembered(found, "okado", "maneuver"), "") == {"maneuver": "Block"}


def test_undone_actions_are_not_remembered() -> None:
    found = fight("attack guard-1 distance=40 by okado", "undo")
    assert remembered(found, "okado") == {}
    assert last_target(found.log.newest(), "okado") == ""
    found.do("redo")
    assert remembered(found, "okado")["guard-1"] == {"distance": "40"}
    assert last_target(found.log.newest(), "okado") == "guard-1"


def test_another_target_keeps_the_weapon_but_not_the_distance() -> None:
    action = fight().game.action("attack")
    assert action is not None
    options = {"weapon": "bow", "distance": "40", "coverage": "half", "modifier": "5"}
    assert kept_for_another(action, options) == {"weapon": "bow", "modifier": "5"}


def test_a_repeat_asks_for_a_target_only_once_the_last_one_has_fallen() -> None:
    found = fight("attack guard-1 distance=40 by okado")

    def again() -> tuple[tuple[str, ...], bool, dict[str, str]]:
        done = done_before(found.log.newest(), found.encounter, found.encounter.combatants["okado"])
        assert done is not None
        return done.targets, done.is_open, dict(done.options)

    assert again() == (("guard-1",), False, {"distance": "40"})
    found.do("damage guard-1 99")
    assert again() == ((), True, {})


def test_manual_damage_is_not_remembered_as_an_attack() -> None:
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


def repeated(found: Fight, actor: str) -> dict[str, str]:
    """Return the options with which `.` repeats the actor's last action."""
    again = done_before(found.log.newest(), found.encounter, found.encounter.combatants[actor])
    assert again is not None
    return dict(again.options)


def test_a_repeat_keeps_weapon_and_style_and_leaves_out_a_one_off_option() -> None:
    found = Fight("arden", "add okado", "add guard", "start")
    found.do("attack guard style=grappling split=yes modifier=2 by okado")
    assert found.log.events[-1].options["split_minor"] is True
    assert repeated(found, "okado") == {"style": "grappling", "modifier": "2"}


def test_a_repeat_keeps_the_quotes_of_a_name_that_is_a_near_miss() -> None:
    found = Fight("atomic_d20", "add okado", "add guard x2", "start", "set okado practiced Block")
    found.do('attack guard-1 relevant=high_concept maneuver="Blck" by okado')
    again = repeated(found, "okado")
    assert again["maneuver"] == '"Blck"'
    found.do(action_line("attack", ("guard-2",), again, "okado"))
    assert found.log.events[-1].options["maneuver"] == "Blck"
    prefilled = remembered_for(remembered(found, "okado"), "guard-1")
    assert prefilled["maneuver"] == '"Blck"'


def test_a_shot_taken_as_a_reaction_is_repeated_as_an_ordinary_one_that_costs_the_turn() -> None:
    found = Fight("xcom", "add okado", "add guard", "start")
    found.do("attack guard reaction=yes flanked=yes by okado")
    assert repeated(found, "okado") == {"flanked": "yes"}


ONE_OFF = {
    "arden": {"attack.split_minor", "counter.split_minor", "check.split_minor", "check.encounter"},
    "atlantis": {"attack.defence", "attack.second_attack"},
    "atomic_d20": {
        *(f"{name}.{option}" for name in ("attack", "cast", "maneuver") for option in ("boons", "banes")),
        *(f"{name}.use_boon" for name in ("attack", "cast", "maneuver")),
        *(f"{name}.use_stamina" for name in ("attack", "cast", "wound")),
    },
    "simple": {"attack.edge", "check.edge", "save.edge"},
    "srd5": {
        *(f"attack.{option}" for option in ("opportunity", "reaction", "halved", "charge")),
        *(f"multiattack.{option}" for option in ("charge", "spend")),
        *(
            f"{name}.legendary_resistance"
            for name in ("attack", "multiattack", "power", "save", "grapple", "shove")
        ),
        *("power.fail", "power.rolled", "save.fail", "harm.critical", "concentration.fail"),
    },
    "waygate": {
        *(f"{name}.use_aether_mark" for name in ("attack", "test", "opposed", "mystic", "healing_spell")),
        *("opposed.target_use_aether_mark", "bring_back.mark_of", "test.assisted"),
    },
    "xcom": {"attack.reaction"},
}


@pytest.mark.parametrize("name", GAMES)
def test_every_game_leaves_out_of_a_repeat_exactly_the_options_that_it_marks(name: str) -> None:
    left_out = set()
    for action in load(name).actions:
        given = dict.fromkeys(fields_of(action.options), "1")
        kept = kept_for_again(action, given)
        assert set(kept_for_another(action, given)) <= set(kept)
        marks = {option for option in given if option not in kept and option not in ("resists", "fails")}
        left_out |= {f"{action.name}.{option}" for option in marks}
    assert left_out == ONE_OFF[name]


def test_what_an_actor_saves_for_the_turns_of_others_is_no_default() -> None:
    found = Fight("srd5", "add okado", "add guard", "start")
    found.do("set okado legendary_actions 2")
    found.do("set okado legendary_actions_left 2")
    found.do("set okado powers.blast.kind legendary")
    assert remembered_for(remembered(found, "okado", "power"), "guard") == {"power": "second wind"}
    found.do("power guard power=blast by okado dice=1,3,4")
    assert remembered_for(remembered(found, "okado", "power"), "guard") == {"power": "second wind"}


def test_before_the_first_turn_nobody_has_acted_in_it():
    fight = Fight("atlantis", "add okado", "add guard", "attack guard by okado dice=3")
    assert acted_in_turn(fight.log.newest(), fight.encounter) == frozenset()
