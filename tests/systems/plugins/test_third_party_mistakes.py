"""Mistakes of a third-party game that only appear in play cost one command and get one sentence."""

import re

import pytest

import systems
from systems import load
from systems.contract.action import Action
from systems.contract.condition import Effect
from systems.contract.display import Figure, Mark
from systems.contract.outcome import Ask, Explanation, GivenCondition, Outcome, Term
from systems.contract.reaction import TURN_END, Reaction
from systems.contract.ruleset import Initiative
from systems.contract.table import NeedsChoice, ScriptedChoices, Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace
from systems.odds import TooManyDice, Walker
from tests.command import affray, commands, present
from tests.systems.gutterlight import ACTIONS, RULESET
from tests.systems.plugins.outsider import brought, changed, fails, made, played, resolved, with_condition

NOBODY = f"tests/systems/plugins/outsider.py, line {fails.__code__.co_firstlineno + 1}"


def answers(outcome):
    return made(actions=changed(brace={"run": lambda scene, table: outcome, "amount": "stance"}))


MISTAKES = {
    "exception": (made(actions=changed(brace={"run": fails})), "KeyError: 'nobody'"),
    "nothing": (answers(None), "it answers null, not an Outcome"),
    "list": (answers(Outcome({"stance": 1, "more": [1]})), "a fact is a list or a table"),
    "amount": (answers(Outcome({"stance": "high"})), 'the fact stance is "high", not a number'),
    "role": (
        answers(Outcome({}, {"ally": {"stance": "open"}})),
        'a name in its changes is "ally", not one of actor, target',
    ),
    "field": (answers(Outcome({}, {"actor": {"stanse": "open"}})), "did you mean stance?"),
    "value": (answers(Outcome({}, {"actor": {"stance": 5}})), "expected one of open, guarded, got 5"),
    "table": (
        answers(Outcome({}, {"actor": {"skills": {"cook": 1}}})),
        '"cook" is not a name',
    ),
    "ask": (answers(Outcome({}, asks=(Ask("Flee?", "flee"),))), 'it asks for "flee", which is not an action'),
    "asked": (
        answers(Outcome({}, asks=(Ask("Flee?", by="ally"),))),
        'its asks[0].by is "ally", not one of actor, target',
    ),
    "gives": (
        answers(Outcome({}, gives=(GivenCondition("crowd", "afraid"),))),
        'its gives[0].who is "crowd", not one of actor, target, allies, foes',
    ),
    "undeclared": (
        answers(Outcome({}, gives=(GivenCondition("actor", "ablase"),))),
        'it gives "ablase", which is not one of its conditions; did you mean ablaze?',
    ),
    "until and rounds": (
        answers(Outcome({}, gives=(GivenCondition("actor", "ablaze", rounds=2, until="end"),))),
        "lasts for some rounds or until a turn, not both",
    ),
    "moment": (
        answers(Outcome({}, gives=(GivenCondition("actor", "ablaze", until="noon"),))),
        "not one of start, end",
    ),
    "rounds": (answers(Outcome({}, gives=(GivenCondition("actor", "ablaze", rounds=0),))), "its rounds"),
    "given value": (
        answers(Outcome({}, gives=(GivenCondition("actor", "ablaze", 1000),))),
        "its value: expected a whole number from -999 to 999, got 1000",
    ),
    "nameless": (answers(Outcome({}, gives=(GivenCondition("actor", ""),))), "expected a text"),
    "facts": (answers(Outcome(None)), "its facts is null, not a table"),
    "fact": (answers(Outcome({"more": b"x"})), "facts are numbers, flags, texts and tuples"),
    "speechless": (answers(Outcome({}, asks=(Ask(""),))), "it asks without a sentence"),
    "asked option": (
        answers(Outcome({}, asks=(Ask("Strike?", "attack", options={"weapn": "hook"}),))),
        'it asks for attack, which has no option "weapn"; did you mean weapon?',
    ),
    "asked value": (
        answers(Outcome({}, asks=(Ask("Strike?", "attack", options={"bonus": 40}),))),
        "it asks for attack: bonus: expected a whole number from -9 to 9, got 40",
    ),
    "degree": (answers(Outcome({}, degree=3)), "its degree is 3, not a text"),
    "extra turn": (
        answers(Outcome({}, extra_turn="bosun")),
        'its extra_turn is "bosun", not one of actor, target',
    ),
}


@pytest.mark.parametrize(("game", "says"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_of_an_action_refuses_it_in_one_sentence(game, says, monkeypatch, tmp_path):
    played(monkeypatch, tmp_path, game, "start")
    before = present(tmp_path, "night")
    [answer] = commands(tmp_path, "night", "brace")
    assert re.match(
        r"the game sixth has a mistake in brace \(tests/systems/\S+\.py, line \d+\): ", answer["error"]
    )
    assert says in answer["error"]
    assert present(tmp_path, "night") == before
    [told] = affray("resolve", "sixth", given='{"action": "brace"}').answers
    assert says in told["error"]
    load.cache_clear()


def test_a_mistake_in_a_hook_is_reported_and_the_fight_continues(monkeypatch, tmp_path):
    game = made(actions=changed(turn_start={"run": fails}))
    for answer in played(monkeypatch, tmp_path, game, "start", "next"):
        said = f"Eel: the game sixth has a mistake in turn_start ({NOBODY}): KeyError: 'nobody'. Eel's turn"
        assert said in answer["text"]
    load.cache_clear()


def test_dice_that_never_decide_get_a_sentence(monkeypatch, tmp_path):
    def endless(scene, table):
        return table.until(lambda again: again.d(6, "powder"), lambda face: False)

    [_, answer] = played(
        monkeypatch, tmp_path, made(actions=changed(brace={"run": endless})), "start", "brace"
    )
    assert answer["error"] == "the dice were rolled a thousand times without a decision"
    load.cache_clear()


def test_a_number_stops_at_its_range_as_in_any_game(monkeypatch):
    game = brought(monkeypatch, answers(Outcome({}, {"actor": {"stress": 99, "burning": -1}})))
    answer = resolved(game, action="brace")
    assert (answer["actor"]["stress"], answer["actor"]["burning"]) == (20, 0)


@pytest.mark.parametrize(
    "tell",
    [fails, lambda: "words", lambda: Explanation("Braced.", (Term("stance", 0.5),))],
    ids=["exception", "text", "term"],
)
def test_an_outcome_without_text_still_counts(tell, monkeypatch):
    game = brought(monkeypatch, answers(Outcome({}, {"actor": {"stance": "guarded"}}, tell)))
    answer = resolved(game, action="brace", actor={"name": "Ana"})
    assert answer["actor"]["stance"] == "guarded"
    assert answer["text"].startswith("Ana: brace (the game sixth has a mistake in the words of brace (tests/")


def late(right):
    """Right on an untouched sheet, wrong on one with a name."""

    def shows(sheet, *given):
        if sheet.name:
            raise KeyError("late")
        return right

    return shows


def test_a_mistake_in_displayed_values_shows_a_placeholder(monkeypatch):
    game = brought(
        monkeypatch,
        made(status=late("up"), glance=late(()), brief=late(()), figures=late(()), join=late({})),
    )
    sheet, house = game.sheet(name="Ana"), game.house()
    assert game.status(sheet, house) == "unknown"
    assert game.glance(sheet, house) == (Mark("glance fails", "danger"),)
    line = late.__code__.co_firstlineno + 5
    place = f"tests/systems/plugins/test_third_party_mistakes.py, line {line}"
    why = f"the game sixth has a mistake in {{}} ({place}): KeyError: 'late'"
    assert game.brief(sheet, house) == ("T" + why.format("brief")[1:],)
    assert game.figures(sheet, house) == (Figure("mistake", 0, (), why.format("figures")),)
    with pytest.raises(ValueError, match="mistake in join"):
        game.join(sheet, True)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        (lambda sheet, house, held: 1 // 0, "ZeroDivisionError"),
        (lambda sheet, house, held: {"hp": 1}, "it sets hp"),
        (lambda sheet, house, held: None, "AttributeError"),
    ],
)
def test_a_mistake_in_the_changes_of_a_condition_is_one_sentence(changes, why, monkeypatch):
    game = brought(monkeypatch, with_condition(also_changes=changes))
    with pytest.raises(ValueError, match=f"mistake in the condition odd \\(.*\\): .*{why}"):
        game.conditions[-1].also_changes(game.sheet(), game.house(), True)


@pytest.mark.parametrize("shown", [None, "hurt", (None,), (Mark("hurt", "rosy"),), (Figure("harm", 7.5),)])
def test_displayed_values_are_of_the_right_kind(shown, monkeypatch):
    def shows(sheet, house):
        return shown if sheet.name else ()

    game = brought(monkeypatch, made(glance=shows, brief=shows, figures=shows))
    sheet, house = game.sheet(name="Ana"), game.house()
    assert game.glance(sheet, house) == (Mark("glance fails", "danger"),)
    assert "mistake in brief" in game.brief(sheet, house)[0]
    assert "mistake in figures" in game.figures(sheet, house)[0].note


@pytest.mark.parametrize("rule", [Initiative(fails), Initiative(lambda sheet, table: 1, tie=fails), fails])
def test_a_mistake_in_initiative_is_one_sentence(rule, monkeypatch, tmp_path):
    [started] = played(monkeypatch, tmp_path, made(initiative=rule), "start")
    assert started["error"] == f"the game sixth has a mistake in initiative ({NOBODY}): KeyError: 'nobody'"
    load.cache_clear()


def test_a_mistake_in_the_trigger_of_a_condition_is_one_sentence(monkeypatch):
    game = brought(monkeypatch, with_condition(Effect("attack", "bonus", when=fails)))
    [effect] = game.condition("odd").effects
    with pytest.raises(ValueError, match="the game sixth has a mistake in the condition odd"):
        effect.when(game.sheet(), None)


def test_dice_and_questions_reach_the_table(monkeypatch):
    game = brought(monkeypatch, RULESET)
    attack = game.action("attack")
    scene = systems.contract.action.Scene(game.sheet(), game.sheet(), attack.options(), game.house())
    with pytest.raises(NeedsFace):
        attack.run(scene, Table(ScriptedDice([])))
    with pytest.raises(NeedsChoice):
        attack.run(scene, Table(ScriptedDice([1]), ScriptedChoices([])))
    many = Action(
        "many", "Too many dice.", lambda scene, table: Outcome({"best": table.pool(99, 20, "dice")[0]})
    )
    crowd = brought(monkeypatch, made(actions=(*ACTIONS, many)))
    with pytest.raises(TooManyDice):
        next(Walker().walk(lambda table: crowd.action("many").run(scene, table)))


def asks(*given):
    return (Ask("Flee?", "flee"),)


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"offers": fails}, f"({NOBODY}): KeyError: 'nobody'"),
        ({"offers": lambda scene: (), "ready": fails}, f"({NOBODY}): KeyError: 'nobody'"),
        ({"offers": lambda scene: None}, "its asks is null, not a tuple"),
        ({"offers": asks}, 'it asks for "flee", which is not an action'),
    ],
)
def test_a_mistake_in_a_reaction_is_reported_and_the_turn_continues(parts, why, monkeypatch, tmp_path):
    game = made(reactions=(Reaction("flinch", "", TURN_END, **{"whose": "others", **parts}),))
    *_, passed = played(monkeypatch, tmp_path, game, "add eel", "start", "next")
    assert passed["ok"]
    assert "the game sixth has a mistake in the reaction flinch" in passed["text"]
    assert why in passed["text"]
    load.cache_clear()
