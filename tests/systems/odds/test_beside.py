"""Rolls on which nothing depends, and graded d20 tests, have the odds of every roll of their dice."""

from collections import Counter
from fractions import Fraction
from random import Random

import icepool
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from systems.commands.preview import preview
from systems.contract.action import Action, SideEffect
from systems.contract.d20 import D20Test, roll_d20, roll_d20_beside
from systems.contract.outcome import GivenCondition, Outcome
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace, RandomDice
from systems.odds import Walker, facts_odds
from tests.laws import examples
from tests.systems.odds.test_walker import by_throwing, spread_by_walking
from tests.systems.toy import toy

TESTS = st.builds(
    D20Test,
    st.integers(-2, 12),
    bonus=st.integers(-3, 3),
    edge=st.integers(-1, 1),
    extra=st.sampled_from([(), (("1d3", "bless"),), (("-1d2", "bane"), ("1d3", "luck"))]),
    critical=st.sampled_from([None, 5, 6]),
    fumble=st.sampled_from([None, 1]),
    defences=st.integers(0, 4),
    boosts=st.integers(0, 4),
    sides=st.just(6),
)
SAVE = D20Test(12, bonus=2, critical=None, fumble=None)


@examples(40)
@given(TESTS)
def test_a_d20_test_has_the_odds_of_every_roll_and_one_branch_for_each_result(test):
    def run(table):
        return roll_d20(table, test, "attack").grade

    walked = spread_by_walking(run)
    assert walked == by_throwing(run)
    assert len(list(Walker().walk(run))) == len(walked) <= 4 + test.defences + test.boosts


@examples(20)
@given(TESTS)
def test_the_totals_of_a_d20_test_have_the_odds_of_every_roll(test):
    def run(table):
        thrown = roll_d20(table, test, "attack")
        return Outcome({"total": thrown.total, "natural": thrown.natural, "hit": thrown.grade.succeeded})

    thrown = {"total": Counter(), "natural": Counter(), "hit": Counter()}
    for facts, chance in by_throwing(lambda table: tuple(run(table).facts.items())).items():
        for name, value in facts:
            thrown[name][value] += chance
    assert facts_odds(run) == thrown


def test_a_d20_test_agrees_with_another_calculator():
    test = D20Test(15, bonus=5, edge=1, extra=(("1d4", "bless"),))
    die = icepool.map_function(
        lambda natural, more: (
            "critical"
            if natural == 20
            else "fumble"
            if natural == 1
            else "passed"
            if natural + more + 5 >= 15
            else "failed"
        )
    )(icepool.d(20).highest(2), icepool.d(4))
    walked = spread_by_walking(lambda table: roll_d20(table, test, "attack").grade.grade)
    assert walked == {grade: Fraction(many, die.denominator()) for grade, many in die.items()}


def test_a_pass_says_how_much_more_defence_would_have_stopped_it():
    def at(face, test):
        return roll_d20(Table(ScriptedDice([face])), test, "attack").grade

    shield = D20Test(12, bonus=4, defences=5, boosts=3)
    assert [at(face, shield).beaten_by for face in (7, 8, 12, 13, 20)] == [0, 1, 5, 0, 0]
    assert [at(face, shield).saved_by for face in (1, 4, 5, 7, 8)] == [0, 0, 3, 1, 0]


def bitten(saves, side_effect=False):
    """Hit on 11 or more of a d20. A save is (needed, condition if it failed, condition if it passed)."""

    def run(scene, table):
        hit = table.chance(11, 20, "attack", over=True).passed
        gives, facts = [], {}
        for at, (needed, failed, passed) in enumerate(saves if hit else ()):
            saved = table.beside("1d20", AtLeast(needed), f"save {at}", "target")
            gives += saved.if_failed(GivenCondition("target", failed)) if failed else ()
            gives += saved.if_passed(GivenCondition("target", passed)) if passed else ()
            facts[f"saved {at}"] = saved.fact
        return Outcome({"hit": hit, **facts}, gives=tuple(gives))

    effects = (SideEffect("saved 0", "prone", value=False),) if side_effect else ()
    return Action("bite", "A bite.", run, targets="one", success="hit", side_effects=effects)


class AtLeast:
    """Whether the dice alone reach a number; equal for equal numbers."""

    def __init__(self, needed):
        self.needed = needed

    def __call__(self, natural, total):
        return natural >= self.needed

    def __eq__(self, other):
        return isinstance(other, AtLeast) and other.needed == self.needed

    def __hash__(self):
        return hash(self.needed)


NAMES = st.sampled_from(["", "sharp", "bleeding", "prone"])
SAVES = st.lists(st.tuples(st.integers(0, 22), NAMES, NAMES), max_size=3)


@examples(30)
@given(SAVES, st.booleans())
@example([(12, "prone", "prone"), (5, "prone", "")], True)
def test_conditions_after_saves_have_the_chance_of_every_roll(saves, side_effect):
    bite = bitten(saves, side_effect)
    fight = toy("add ada", "add orc", "start")
    found = preview(fight.encounter, bite, "ada", "orc", bite.options())
    assert dict(found.effects) == enumerated(bite, saves, side_effect)


def enumerated(bite, saves, side_effect):
    """Return effect -> chance, from the passing and failing of every save."""
    chances = Counter()
    waiting = [((), Fraction(1, 2), frozenset())]
    for needed, failed, passed in saves:
        fails = Fraction(max(0, min(20, needed - 1)), 20)
        waiting = [
            ((*results, result), chance * share, gained | {words} - {""})
            for results, chance, gained in waiting
            for result, share, words in ((False, fails, failed), (True, 1 - fails, passed))
        ]
    for results, chance, gained in waiting:
        shown = gained | ({"prone"} if side_effect and results and not results[0] else set())
        for words in shown:
            chances[words] += chance
    return {words: chance for words, chance in chances.items() if chance}


def test_saves_after_a_hit_make_no_branches():
    run = bitten([(12, "prone", ""), (9, "bleeding", ""), (15, "sharp", "")]).run
    assert len(list(Walker().walk(lambda table: run(None, table)))) == 2
    assert facts_odds(lambda table: run(None, table))["saved 0"] == {
        False: Fraction(11, 40),
        True: Fraction(9, 40),
    }


def test_saves_agree_with_many_random_rolls():
    run = bitten([(12, "prone", "")]).run
    table = Table(RandomDice(Random(1)))
    given = sum(bool(run(None, table).gives) for _ in range(4_000))
    assert abs(given / 4_000 - 0.275) < 0.03


@pytest.mark.parametrize("use", [bool, [True].count])
@pytest.mark.parametrize("table", [Table(ScriptedDice([5, 5])), Walker()], ids=["table", "odds"])
def test_a_result_that_counts_as_a_share_cannot_be_read(use, table):
    with pytest.raises(TypeError, match=r"use table\.chance"):
        use(roll_d20_beside(table, SAVE, "save"))


def test_words_can_read_what_a_roll_came_to_only_at_the_table():
    saved = roll_d20_beside(Table(ScriptedDice([9])), SAVE, "save")
    assert (saved.passed, saved.fact, saved.sums) == (False, False, (9,))
    for read in ("passed", "sums"):
        with pytest.raises(TypeError):
            getattr(roll_d20_beside(Walker(), SAVE, "save"), read)


def test_a_real_die_of_a_save_says_which_faces_pass():
    with pytest.raises(NeedsFace) as asked:
        roll_d20_beside(Table(ScriptedDice([])), SAVE, "save")
    assert (asked.value.request.passes_at, asked.value.request.over) == (10, True)
