"""The table of play: dice as they fall, questions as they are answered."""

import pytest

from systems.contract.table import (
    MOST_TRIES,
    Blow,
    NeedsChoice,
    ScriptedChoices,
    Suggested,
    Table,
    WrongChoice,
    read_dice,
)
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace, Roll


class Always:
    """A die that shows one face."""

    def face(self, sides, why="", of=""):
        return 1


def test_a_die_is_kept_with_its_sides_its_reason_and_its_owner():
    table = Table(ScriptedDice([13]))
    assert table.d(20, "attack", "target") == 13
    assert table.rolls == [Roll(20, 13, "attack", "target")]


def test_a_role_becomes_its_combatant():
    table = Table(ScriptedDice([13]))
    table.turn_to({"actor": "okado"})
    table.d(20, "attack")
    assert table.rolls[0].of == "okado"


def test_missing_dice_name_their_reason_and_owner():
    with pytest.raises(NeedsFace) as dry:
        Table(ScriptedDice([])).d(12, "damage", "target")
    assert (dry.value.request.sides, dry.value.request.why, dry.value.request.of) == (12, "damage", "target")


def test_a_die_that_does_not_count_still_falls():
    table = Table(ScriptedDice([7]))
    assert table.unused_die(10, "for show") is None
    assert table.rolls == [Roll(10, 7, "for show", "actor")]


@pytest.mark.parametrize(("face", "passed"), [(64, True), (65, True), (66, False)])
def test_a_chance_passes_at_its_target_or_under(face, passed):
    found = Table(ScriptedDice([face])).chance(65, 100, "aim")
    assert (found.passed, found.face) == (passed, face)


def test_a_pool_is_reported_from_high_to_low_and_stored_in_rolling_order():
    table = Table(ScriptedDice([2, 6, 4]))
    assert table.pool(3, 6, "pool") == (6, 4, 2)
    assert [roll.face for roll in table.rolls] == [2, 6, 4]


def test_a_grouped_blow_is_its_grade_and_its_sum():
    table = Table(ScriptedDice([8, 3, 4]))
    blow = Blow(read_dice("2d8+1d4"), plus=-4)
    assert table.grouped(blow, lambda total: total >= 10, "sword") == (True, 11)
    assert [one.sides for one in table.rolls] == [8, 8, 4]


def test_blows_are_thrown_die_by_die_in_the_order_written():
    table = Table(ScriptedDice([8, 1, 4, 1, 1, 1]))
    assert table.blows(2, Blow(read_dice("2d8+1d4"), plus=-4, least=1), "sword") == 9 + 1
    assert [roll.sides for roll in table.rolls] == [8, 8, 4, 8, 8, 4]


@pytest.mark.parametrize(
    ("blow", "total", "worth"),
    [
        (Blow((), plus=3), 0, 3),
        (Blow((), factor=2, plus=1), 5, 11),
        (Blow((), plus=-9), 5, -4),
        (Blow((), plus=-9, least=0), 5, 0),
        (Blow((), plus=-9, least=1), 12, 3),
    ],
)
def test_a_blow_is_worth_its_factor_its_plus_and_at_least_its_least(blow, total, worth):
    assert blow.worth(total) == worth


def test_dice_are_read_in_the_order_written():
    assert read_dice("2d8+1d4+10d20") == ((2, 8), (1, 4), (10, 20))


def test_until_repeats_and_counts():
    table = Table(ScriptedDice([1, 1, 5]))
    assert table.until(lambda again: again.d(6, "try"), lambda face: face > 3) == (5, 3)
    assert len(table.rolls) == 3


def test_until_gives_up_when_nothing_is_ever_decided():
    table = Table(Always())
    with pytest.raises(WrongChoice, match="without a decision"):
        table.until(lambda again: again.d(6, "try"), lambda face: face > 3)
    assert len(table.rolls) == MOST_TRIES


def choose(table, **more):
    return table.choose("Parry?", ("no", "yes"), suggest="yes", of="target", **more)


def test_without_a_person_to_ask_the_first_choice_counts():
    table = Table(ScriptedDice([]))
    assert choose(table) == "no"
    assert table.answers == []


def test_a_suggestion_is_filled_in_and_recorded_for_an_open_question():
    table = Table(ScriptedDice([]), Suggested())
    assert choose(table) == "yes"
    assert [answer.value for answer in table.answers] == ["yes"]


def test_an_option_answers_beforehand():
    table = Table(ScriptedDice([]), ScriptedChoices([]))
    assert choose(table, given="no") == "no"
    assert table.answers == []


def test_answers_are_taken_in_order_and_the_next_question_is_put():
    table = Table(ScriptedDice([]), ScriptedChoices(["no"]))
    table.turn_to({"target": "guard-1"})
    assert choose(table) == "no"
    with pytest.raises(NeedsChoice, match="Parry") as asks:
        choose(table)
    assert asks.value.request.choices == ("no", "yes")
    assert (asks.value.request.of, asks.value.request.suggest) == ("guard-1", "yes")


def test_an_answer_that_is_no_choice_is_refused():
    with pytest.raises(WrongChoice, match="cannot be perhaps"):
        choose(Table(ScriptedDice([]), ScriptedChoices(["perhaps"])))


class SecretSight:
    """Players may not know of a die of okado."""

    def stream_of(self, of):
        return f"stream of {of}"

    def conceals(self, of):
        return of == "okado"


def test_what_players_may_know_of_the_dice_is_given_with_their_combatants():
    table = Table(ScriptedDice([]), ScriptedChoices([]))
    for owner, is_concealed in (("okado", True), ("guard-1", False)):
        table.turn_to({"actor": owner}, SecretSight())
        with pytest.raises(NeedsFace) as dry:
            table.d(20, "attack")
        with pytest.raises(NeedsChoice) as asks:
            table.choose("Parry?", ("no", "yes"), suggest="no")
        assert (dry.value.request.is_concealed, asks.value.request.is_concealed) == (is_concealed,) * 2
