"""The values of the game that the screens show, its questions, and its page."""

import re
from pathlib import Path

import pytest

from systems import xcom
from systems.contract.action import Scene
from systems.contract.table import ScriptedChoices, Table
from systems.dice.scripted import ScriptedDice
from systems.schema.fields import fields_of
from systems.sheets import read_sheet
from systems.xcom.house import House
from systems.xcom.movement import MoveOptions, move

from .asking import GAME, RANGER, RIFLE, ask

HOUSE = House()
PAGE = (Path(xcom.__file__).parent / "README.md").read_text(encoding="utf-8")


def sheet(**fields):
    return read_sheet(GAME, fields, "sheet")


def marks(**fields):
    return [mark.text for mark in GAME.glance(sheet(**fields), HOUSE)]


def test_a_glance_shows_actions_cover_and_marks():
    assert marks(actions_left=1, cover="half", marked=True) == ["1 action", "half cover", "marked"]
    assert marks(actions_left=0, dashing=True, collar=True) == ["no action", "dashing", "collar"]
    assert marks(health=0) == []


def rules_of(action, **options):
    declared = GAME.action(action)
    scene = Scene(sheet(**RANGER), sheet(), declared.options(**options), HOUSE, has_target=True)
    return declared.run(scene, Table(ScriptedDice([1]))).tell().rules


def test_an_explanation_names_the_rules_used():
    assert rules_of("act", kind="full") == ("XCM-38",)
    assert rules_of("act", kind="move_action") == ("XCM-40",)
    assert rules_of("move")[0] == "XCM-42"
    assert rules_of("move", dash=True)[0] == "XCM-43"
    assert rules_of("psi") == ("XCM-21", "XCM-22")
    assert rules_of("psi", contested=False) == ("XCM-21",)


def test_a_briefing_names_dangers():
    assert GAME.brief(sheet(), HOUSE) == ()
    assert GAME.brief(sheet(marked=True), HOUSE) == ("Marked: +15 to ranged attacks on it",)
    assert GAME.brief(sheet(), House(exposed_is_flanked=True)) == ("In the open: flanked by ranged attacks",)
    assert GAME.brief(sheet(health=-1), HOUSE) == ("Down, cannot act",)


def test_calculated_values_are_the_sum_of_their_terms():
    full = sheet(
        **{**RANGER, "weapons": [{**RIFLE, "aim": 5, "crit": 10}], "cover": "full", "psi": 60, "amp": 30}
    )
    found = {figure.label: figure for figure in GAME.figures(full, HOUSE)}
    assert {name: figure.value for name, figure in found.items()} == {
        "rifle": 70,
        "defense": 40,
        "dash": 24,
        "psi": 90,
    }
    assert all(sum(term.value for term in one.terms) == one.value for one in found.values() if one.terms)
    assert found["rifle"].note == "3 to 5 damage, critical 6 to 8, crit 10"


def test_conditions_name_existing_fields_and_options():
    for condition in GAME.conditions:
        assert not condition.field or condition.field in fields_of(GAME.sheet)
        for effect in condition.effects:
            assert effect.option in fields_of(GAME.action(effect.action).options)


def test_players_go_first_and_sides_alternate():
    assert GAME.order(HOUSE) == "sides"


def moved(**options):
    scene = Scene(sheet(**RANGER, cover="half"), sheet(), MoveOptions(**options), HOUSE, "Ranger")
    return move(scene, Table(None, ScriptedChoices([])))


def test_a_move_names_the_new_cover():
    outcome = moved(cover="full", steps=("o", "o"))
    assert outcome.changes["actor"]["cover"] == "full"
    assert outcome.tell().text.endswith("now behind full cover, 1 action left.")
    assert moved(cover="none", steps=("o",)).tell().text.endswith("now in the open, 1 action left.")


def test_the_cover_stays_without_a_word_about_it():
    assert "cover" not in moved().changes["actor"]
    outcome = moved(steps=("o",))
    assert "cover" not in outcome.changes["actor"]
    assert outcome.tell().text.endswith("still behind half cover, 1 action left.")


def test_the_game_master_is_asked_only_when_a_combatant_falls():
    assert ask("harm", amount=8)["asks"][0]["text"].startswith("Ranger is down")
    assert ask("harm", amount=7)["asks"] == []
    assert ask("harm", {"health": 0}, amount=7)["asks"] == []
    assert ask("attack", target={"name": "Serpent", "health": 1}, dice=[1, 1])["asks"][0]["text"].startswith(
        "Serpent"
    )


def test_dodge_and_crit_together_leave_abilities_to_the_game_master():
    answer = ask("attack", {**RANGER, "crit": 50}, {"dodge": 30, "health": 20}, dice=[1, 1, 1, 1])
    assert [one["text"] for one in answer["asks"]] == [
        "Dodge and crit both passed: abilities that answer to that may trigger."
    ]


@pytest.mark.parametrize(
    ("action", "options", "text"),
    [
        ("act", {"kind": "core"}, "Ranger spends a core action, 1 action left."),
        ("act", {"kind": "move_action"}, "Ranger takes a move action, 2 actions left."),
        ("move", {"steps": ["o", "d"]}, "Ranger moves 2 squares, 1 action left. Cost 3, mobility 12."),
        ("move", {"steps": ["o"] * 13}, "Ranger has mobility 12 to spend, and the way costs 13."),
        ("harm", {"amount": 9}, "Ranger takes 9 (health 8 → −1), down."),
        ("heal", {"amount": 9}, "Ranger is healed by 0."),
        ("status", {}, "Ranger is up. Health 8 of 8, 2 actions left."),
        ("turn_start", {}, "Nothing changed."),
    ],
)
def test_an_action_is_logged_in_one_line(action, options, text):
    assert ask(action, **options)["text"] == text


@pytest.mark.parametrize(
    ("dice", "text"),
    [
        ([66], "Ranger misses Serpent. 66 rolled against 65."),
        (
            [9, 31, 51, 12],
            "Ranger hits Serpent for 4 (health 6 → 2). 9 rolled against 65, 5 damage, armor 1.",
        ),
        (
            [9, 30, 51, 12],
            "Ranger grazes Serpent for 2 (health 6 → 4). 9 rolled against 65, dodge 30 against 30, "
            "3 damage, armor 1.",
        ),
        (
            [9, 31, 50, 12],
            "Ranger critically hits Serpent for 7 (health 6 → −1), down. 9 rolled against 65, "
            "crit 50 against 50, 8 damage, armor 1.",
        ),
        (
            [9, 30, 50, 12],
            "Ranger hits Serpent for 4 (health 6 → 2). 9 rolled against 65, dodge 30 against 30 "
            "and crit 50 against 50 cancel out, 5 damage, armor 1.",
        ),
    ],
)
def test_an_attack_is_logged_in_one_line(dice, text):
    serpent = {"name": "Serpent", "max_health": 6, "dodge": 30, "armor": 1}
    assert ask("attack", {**RANGER, "crit": 50}, serpent, dice=dice)["text"] == text


def test_the_page_names_every_action_house_rule_condition_and_ruling():
    named = set(re.findall(r"`(\w+)", PAGE))
    assert {one.name for one in GAME.actions} <= named
    assert set(fields_of(GAME.house)) <= named
    assert {one.name for one in GAME.conditions} <= named
    assert {f"R{number}" for number in range(1, 32)} <= set(re.findall(r"\bR\d+", PAGE))


def test_choices_carry_notes_on_weapons_and_reactions():
    weapons = [
        RIFLE,
        {**RIFLE, "name": "cannon", "proficient": False},
        {**RIFLE, "name": "frag", "area": "gas"},
    ]
    action = GAME.action("attack")
    actor = sheet(**{**RANGER, "weapons": weapons}, overwatch=True)
    notes = action.notes(Scene(actor, sheet(), action.options(), HOUSE, has_target=True))
    assert notes == {
        "reaction=yes": "costs no action, ends the overwatch",
        "reaction=no": "ends the turn",
        "weapon=cannon": "not proficient, a graze at most",
        "weapon=frag": "affects several targets",
    }
