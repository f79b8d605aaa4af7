"""The answers of a turn that is begun anew: those that were given before, where they still can be."""

import ast
from collections.abc import Sequence
from pathlib import Path

import systems
from systems.codec.events import plain_event
from systems.commands.replayed import EventDice, RecordedAnswers
from systems.contract.or_number import OrNumber
from systems.contract.outcome import Answer
from systems.contract.table import ScriptedChoices, Suggested, Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import Roll, Total, TotalRoll
from tests.systems.fight import Fight


def test_a_typed_number_outside_the_list_is_kept():
    for most, kept in ((199, "14"), (9, "5")):
        answers = RecordedAnswers([Answer("14", "gm")], Suggested())
        assert answers.answer("How much?", OrNumber(("5", "10"), most), "gm", "5") == kept


def asked_again(recorded: Sequence[Answer], question: str, id: str) -> Answer:
    """Ask Mira a question with yes or no; return the answer as an amended event records it."""
    dice = ScriptedDice([])
    table = Table(dice, RecordedAnswers(recorded, Suggested()))
    table.choose(question, (False, True), suggest=False, of="mira", id=id)
    return table.answers[0]


def test_an_answer_is_never_taken_for_another_question():
    first = Table(ScriptedDice([]), ScriptedChoices([True]))
    first.choose("Does Mira spend a boon?", (False, True), suggest=False, of="mira", id="boon")
    assert first.answers == [Answer(True, "mira", question="boon")]
    for question, id, value in (
        ("Does Mira take the wound with stamina?", "stamina", False),
        ("Does Mira spend a boon, 2 kept?", "boon", True),
        ("Does Mira spend a boon, 2 kept?", "", True),
    ):
        assert asked_again(first.answers, question, id).value is value
    assert asked_again([Answer(True, "mira")], "From an old log?", "stamina").value is True


def test_a_question_that_is_no_longer_asked_leaves_the_later_answers_to_theirs():
    recorded = [Answer("fortitude", "mira", question="save"), Answer(True, "mira", question="stamina")]
    assert asked_again(recorded, "Does Mira take the wound with stamina?", "stamina").value is True


def test_an_event_records_the_id_of_a_question_and_amending_its_cause_keeps_the_answer():
    lines = ("set okado stamina 3", "damage okado 1")
    fight = Fight("atomic_d20", "add okado", "add tamsin", "start", *lines)
    number = len(fight.log.events)
    [before] = fight.log.event(number).answers
    assert before.question == "stamina"
    stored = plain_event(fight.log.event(number))
    assert stored["questions"] == ["stamina"]
    fight.do(f"amend {number - 1} set okado stamina 2")
    [now] = fight.log.as_amended[number - 1].answers
    assert (now.value, now.question) == (before.value, "stamina")


def test_every_question_of_a_game_has_an_id():
    package = Path(systems.__file__).parent
    calls = [
        (path.name, node)
        for path in package.glob("*/*.py")
        if ".choose" in (source := path.read_text())
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "choose"
    ]
    assert len(calls) >= 10
    assert [name for name, call in calls if "id" not in {word.arg for word in call.keywords}] == []


def test_an_answer_that_no_longer_fits_takes_the_later_ones_to_its_question_with_it():
    recorded = [
        Answer("two", "mira", question="boon"),
        Answer(True, "mira", question="boon"),
        Answer(True, "mira", question="stamina"),
    ]
    table = Table(ScriptedDice([]), RecordedAnswers(recorded, Suggested()))
    for id in ("boon", "boon", "stamina"):
        table.choose("Does Mira do it?", (False, True), suggest=False, of="mira", id=id)
    assert [answer.value for answer in table.answers] == [False, False, True]


def test_a_total_given_now_replaces_the_first_of_the_recorded_totals():
    pair = ((2, 6),)
    rolls = [TotalRoll("2d6", 7, "harm", "mira"), TotalRoll("2d6", 9, "harm", "mira")]
    dice = EventDice(rolls, [Total(12)], ScriptedDice([]))
    assert [dice.total(pair, "harm", "mira") for _ in range(2)] == [12, 9]


def test_a_die_rolled_for_another_reason_keeps_the_face_of_its_owner_if_that_is_wanted():
    rolls = [Roll(6, 2, "strike", "orc"), Roll(6, 5, "strike", "mira"), Roll(8, 7, "harm", "mira")]
    dice = EventDice(rolls, [], ScriptedDice([]))
    dice.any_reason = True
    assert [dice.face(6, "shoot", "mira"), dice.face(8, "burn", "mira"), dice.face(6, "aim", "mira")] == [
        5,
        7,
        2,
    ]


def test_a_total_given_now_replaces_as_many_recorded_faces_as_it_has_dice():
    rolls = [Roll(6, face, "harm", "mira") for face in (1, 2, 3)]
    dice = EventDice(rolls, [Total(12)], ScriptedDice([]))
    assert (dice.total(((2, 6),), "harm", "mira"), dice.face(6, "harm", "mira")) == (12, 3)


def test_a_total_rolled_for_another_reason_counts_if_that_is_wanted_and_no_other_fits():
    pair, rolls = ((2, 6),), [TotalRoll("2d6", 7, "strike", "mira"), TotalRoll("2d6", 9, "harm", "mira")]
    dice = EventDice(rolls, [], ScriptedDice([]))
    dice.any_reason = True
    assert [dice.total(pair, why, "mira") for why in ("harm", "burn")] == [9, 7]
