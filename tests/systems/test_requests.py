"""A request to the rules alone, at its edges: what games of others may do, and what names may hold."""

from random import Random

import pytest

from systems import built_in, load
from systems.contract.action import Action
from systems.contract.display import StatusWord
from systems.contract.outcome import Ask, Explanation, Outcome, Term, refuse
from systems.contract.ruleset import AmountAction, Ruleset
from systems.contract.sheet import Sheet as BaseSheet
from systems.dice.sources import RandomDice
from systems.errors import Wrong
from systems.frozen import evolve
from systems.requests import odds, resolve
from systems.schema.fields import declare, flag, whole
from systems.sheets import read_sheet

NASTY = "a\x1b[31m\nb\x85"


@declare
class Sheet(BaseSheet):
    points: int = whole(0, 10, 5)
    ready: bool = flag(False)


def _strike(scene, table):
    face = table.d(6, f"strike of {scene.actor_name}")
    if scene.has_target and scene.target.points == 0:
        return refuse("down", "It is down already.")
    return Outcome(
        {"face": face, "even": face % 2 == 0, "absent": None},
        {"target": {"points": scene.target.points - face}},
        lambda: Explanation(
            f"{scene.actor_name} strikes.", (Term(scene.actor_name, face, scene.target_name),)
        ),
        (Ask(f"And {scene.target_name}?", "strike", "target"),),
    )


def _rouse(scene, table):
    return Outcome({}, {"actor": {"points": 10, "ready": True}})


def _never(scene, table):
    return table.until(lambda inside: inside.d(6, "six"), lambda face: face > 6)


ACTIONS = (
    Action("strike", "", _strike, targets="one"),
    Action("rouse", "", _rouse, group="hook"),
    Action("wait", "", lambda scene, table: Outcome({"target": scene.has_target})),
    Action("either", "", lambda scene, table: Outcome({"value": ("1", 1)[table.d(2, "coin") - 1]})),
    Action("never", "", _never),
)
GAME = Ruleset(
    "skirmish",
    "Skirmish",
    "nobody",
    Sheet,
    ACTIONS,
    "strike",
    lambda sheet, house: "up" if sheet.points else "down",
    (StatusWord("up"), StatusWord("down")),
    (),
    AmountAction("strike"),
    AmountAction("strike"),
)


def ask(**request):
    return resolve(GAME, request, RandomDice(Random(1)))


def test_an_answer_has_its_parts_in_order():
    answer = ask(action="strike", actor={"name": "Ann"}, target={"points": 9}, dice=[4])
    assert answer == {
        "facts": {"face": 4, "even": True},
        "actor": {"name": "Ann", "points": 5, "ready": False, "status": "up"},
        "target": {"points": 5, "ready": False, "status": "up"},
        "rolls": [{"sides": 6, "face": 4, "why": "strike of Ann"}],
        "terms": [{"label": "Ann", "value": 4, "note": "target"}],
        "text": "Ann strikes.",
        "asks": [{"text": "And target?", "action": "strike", "by": "target"}],
    }
    assert list(answer) == ["facts", "actor", "target", "rolls", "terms", "text", "asks"]


def test_an_answer_does_not_depend_on_the_given_status():
    assert ask(action="wait", actor={"status": "whatever"}) == ask(action="wait")


def test_a_number_stops_at_the_end_of_its_range():
    assert ask(action="strike", target={"points": 2}, dice=[6])["target"]["points"] == 0


def test_an_action_without_its_own_text_reports_the_changes():
    said = ask(action="rouse", actor={"name": NASTY})["text"]
    assert said == "a [31m b : points 5 → 10, ready false → true."
    assert ask(action="rouse", actor={"points": 10, "ready": True})["text"] == "Nothing changed."


def test_texts_contain_no_control_character_even_from_a_name():
    answer = ask(action="strike", actor={"name": NASTY}, target={"name": NASTY}, dice=[1])
    [roll], [term], [asked] = answer["rolls"], answer["terms"], answer["asks"]
    assert all(str(one).isprintable() for one in (answer["text"], roll["why"], *term.values(), asked["text"]))
    assert answer["actor"]["name"] == answer["target"]["name"] == NASTY


def test_an_action_that_takes_no_target_does_not_see_one():
    answer = ask(action="wait", target={"points": 1})
    assert answer["facts"] == {"target": False}
    assert "target" not in answer


def test_values_that_are_written_alike_share_their_odds():
    assert odds(GAME, {"action": "either"}) == {"facts": {"value": {"1": 1.0}}}


@pytest.mark.parametrize(
    ("dice", "field"),
    [([], "dice"), ([1, 1], "dice"), ([7], "dice[0]"), ([-1], "dice[0]"), ([10**100], "dice[0]")],
)
def test_dice_that_do_not_fit_are_wrong(dice, field):
    with pytest.raises(Wrong) as wrong:
        ask(action="strike", dice=dice)
    assert wrong.value.field == field


def test_dice_that_never_decide_are_wrong():
    with pytest.raises(Wrong):
        ask(action="never", dice=[1] * 1000)
    with pytest.raises(Wrong):
        ask(action="never")
    with pytest.raises(Wrong):
        odds(GAME, {"action": "never"})


def test_the_status_of_a_sheet_is_a_text():
    assert read_sheet(GAME, {"status": "up", "points": 3}, "").points == 3
    for status in ("", 1, None, ["up"]):
        with pytest.raises(Wrong):
            read_sheet(GAME, {"status": status}, "")


def test_a_game_that_keeps_its_status_checks_it():
    stored = evolve(GAME, stored_status=True)
    with pytest.raises(Wrong, match="unknown field"):
        read_sheet(stored, {"status": "up"}, "")


@pytest.mark.parametrize("name", built_in())
def test_every_action_of_every_game_answers_a_minimal_request_or_names_the_missing_part(name):
    game = load(name)
    for action in game.actions:
        try:
            answer = resolve(game, {"action": action.name}, RandomDice(Random(1)))
        except Wrong as error:
            wrong = error
        else:
            assert answer["text"]
            assert ("target" in answer) == (action.targets != "none")
            continue
        assert wrong.field.startswith(("options.", "actor", "target")), (action.name, wrong)
