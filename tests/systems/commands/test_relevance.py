"""Which options of an action can matter is found by asking the rules, and so is why it is refused."""

from typing import Any

import pytest

from systems.commands.preview import preview
from systems.commands.relevance import MOST_RUNS, THROWS, refusal_of, relevant_options
from systems.contract.action import Action
from systems.contract.outcome import Outcome
from systems.encounter.completion import option_words
from systems.errors import Wrong
from systems.frozen import evolve
from systems.schema.conversion import replace
from systems.schema.fields import declare, fields_of, whole
from systems.schema.types import Whole
from tests.systems.fight import GAMES, Fight
from tests.systems.toy import TOY, toy


def main_action(fight: Fight) -> Action:
    action = fight.game.action(fight.game.default_action)
    assert action is not None
    return action


def relevant(fight: Fight, actor: str = "okado", **options: Any) -> dict[str, str]:
    action = main_action(fight)
    return relevant_options(fight.encounter, action, actor, "guard", action.options(**options))


def in_fight(game: str) -> Fight:
    return Fight(game, "add okado", "add guard", "start")


def test_the_distance_matters_for_a_bow_and_not_for_a_sword() -> None:
    fight = in_fight("atlantis")
    assert "distance" not in relevant(fight)
    bow = replace(fight.sheet("okado").weapons[0], name="bow", kind="ranged", max_range=90)
    archer = fight.encounter.combatants["okado"].with_sheet({"weapons": (bow,)})
    fight.encounter = fight.encounter.with_combatants(archer)
    assert relevant(fight)["distance"] == "0"


def test_an_option_of_an_active_defence_matters_once_the_defence_is_active() -> None:
    fight = in_fight("atlantis")
    fight.do("set guard traits.body 9")
    assert "defence_trait" not in relevant(fight)
    assert "defence_trait" in relevant(fight, defence="active", defence_ability="bow")


def test_what_stands_for_an_absent_option_is_told_where_only_one_value_comes_to_the_same() -> None:
    assert relevant(in_fight("simple"))["weapon"] == "bow"
    assert relevant(in_fight("simple"), weapon="sword")["weapon"] == "sword"
    assert relevant(in_fight("atlantis"))["size"] == "medium"
    assert relevant(in_fight("atomic_d20"))["save"] == ""


def test_a_manoeuvre_that_was_chosen_matters_where_the_others_come_to_the_same() -> None:
    fight = in_fight("atomic_d20")
    bearer = fight.encounter.combatants["okado"].with_sheet({"practiced": ("Cleave", "Shield Bash")})
    fight.encounter = fight.encounter.with_combatants(bearer)
    assert "maneuver" in relevant(fight, maneuver="Cleave")


def test_a_value_that_comes_to_the_same_by_chance_is_not_told_as_the_one_that_stands() -> None:
    fight = in_fight("waygate")
    for who in ("okado", "guard"):
        for name in ("str", "dex", "vit", "wp", "int", "cha"):
            fight.do(f"set {who} {name} 2")
    opposed = fight.game.action("opposed")
    assert opposed is not None
    listed = relevant_options(fight.encounter, opposed, "okado", "guard", opposed.options())
    assert (listed["attribute"], listed["target_attribute"]) == ("", "")


@pytest.mark.parametrize("game", GAMES)
def test_an_option_that_is_not_listed_changes_nothing_in_the_odds(game: str) -> None:
    fight = in_fight(game)
    action = main_action(fight)
    options = action.options()
    listed, before = relevant(fight), preview(fight.encounter, action, "okado", "guard", options)
    assert listed
    for name, field in fields_of(action.options).items():
        words = option_words(fight.sheet("okado"), field, fight.sheet("guard"))
        values = (
            [field.type.nearest(number) for number in (-7, 3, 25, 70)]
            if isinstance(field.type, Whole)
            else [field.type.typed(word) for word in words]
        )
        for value in values if name not in listed else ():
            try:
                found = preview(fight.encounter, action, "okado", "guard", replace(options, **{name: value}))
            except Wrong:
                continue
            assert found.refused or found == before, (name, value)


@pytest.mark.parametrize("game", GAMES)
def test_the_reason_for_a_refusal_is_that_of_the_odds_and_needs_no_die(game: str) -> None:
    fight = in_fight(game)
    for action in fight.game.actions:
        try:
            options = action.options()
        except TypeError:  # an option is needed
            continue
        if action.group == "hook" or action.targets == "none":
            continue
        why = refusal_of(fight.encounter, action, "okado", "guard", options)
        assert why == preview(fight.encounter, action, "okado", "guard", options).refused


def test_what_has_yet_to_be_given_is_no_refusal_and_what_a_sheet_lacks_is_one() -> None:
    fight = in_fight("waygate")

    def reason(name: str) -> str:
        action = fight.game.action(name)
        assert action is not None
        return refusal_of(fight.encounter, action, "okado", None, action.options())

    assert reason("test") == ""
    assert "no spell on the sheet" in reason("mystic")


def test_a_second_attack_that_the_rules_do_not_allow_is_refused_with_their_sentence() -> None:
    fight = Fight("atlantis", "add okado", "add guard", "start", "set okado attacks_per_round 1")
    fight.do("attack guard by okado")
    action = main_action(fight)
    why = refusal_of(fight.encounter, action, "okado", "guard", action.options())
    assert why.startswith("Okado")


def test_an_action_with_very_many_options_is_not_tried_with_all_their_values() -> None:
    runs = []

    def count(scene: Any, table: Any) -> Outcome:
        runs.append(hash(scene.options))  # reads all options
        return Outcome({})

    many = type("Many", (), {"__annotations__": {}})
    for number in range(400):
        many.__annotations__[f"option_{number}"] = int
        setattr(many, f"option_{number}", whole(-99, 99, 0))
    action = Action("count", "an action", count, declare(many))
    fight = toy("add ada", "add orc", "start")
    fight.encounter = evolve(fight.encounter, game=evolve(TOY, actions=(*TOY.actions, action)))
    found = relevant_options(fight.encounter, action, "ada", None, action.options())
    assert len(runs) < 2 * MOST_RUNS
    assert "option_399" in found
    assert "option_0" not in found


def test_a_number_is_relevant_even_if_only_its_next_value_matters() -> None:
    @declare
    class Step:
        step: int = whole(-50, 50, 0)

    action = Action("step", "", lambda scene, table: Outcome({"is_one": scene.options.step == 1}), Step)
    fight = toy("add ada", "start")
    assert list(relevant_options(fight.encounter, action, "ada", None, Step())) == ["step"]


def test_an_option_that_the_action_never_reads_is_not_tried() -> None:
    runs = []

    def throw(scene: Any, table: Any) -> Outcome:
        runs.append(scene.options.bonus)
        return Outcome({"total": table.d(6, "throw") + scene.options.bonus})

    options = type("Two", (), {"__annotations__": {"bonus": int, "unused": int}})
    options.bonus = whole(0, 9, 0)
    options.unused = whole(0, 9, 0)
    action = Action("throw", "a throw", throw, declare(options))
    fight = toy("add ada", "add orc", "start")
    fight.encounter = evolve(fight.encounter, game=evolve(TOY, actions=(*TOY.actions, action)))
    assert relevant_options(fight.encounter, action, "ada", None, action.options()) == {"bonus": "0"}
    assert len(runs) == len(THROWS) + 1
