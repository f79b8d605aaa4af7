"""The walker takes every branch once, with the right weight."""

from collections import Counter
from fractions import Fraction

import icepool
import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.contract.outcome import Outcome
from systems.contract.table import Blow, Suggested, Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace
from systems.odds import TooManyDice, Walker, facts_odds, spread, spread_of
from tests.laws import examples


def spread_by_walking(run, choices=None):
    """Return value -> probability over every branch."""
    found = Counter()
    for weight, of, value in Walker(choices).walk(run):
        found[value] += Fraction(weight, of)
    return found


def by_throwing(run):
    """Return the same from every face of every die, at a table with scripted dice."""
    found = Counter()
    waiting = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        try:
            found[run(Table(ScriptedDice(faces)))] += chance
        except NeedsFace as dry:
            sides = dry.request.sides
            waiting += [((*faces, face), chance / sides) for face in range(1, sides + 1)]
    return found


def icepool_odds(die):
    return {value: Fraction(many, die.denominator()) for value, many in die.items()}


CALLS = st.one_of(
    st.tuples(st.just("d"), st.sampled_from([2, 3, 4])),
    st.tuples(st.just("chance"), st.integers(-1, 7), st.just(6)),
    st.tuples(st.just("pool"), st.integers(0, 2), st.just(3)),
    st.tuples(st.just("blows"), st.integers(0, 2), st.integers(-3, 3)),
    st.tuples(st.just("choose"), st.integers(1, 3)),
)


def called(table, call):
    """Make one call to the table and return the values that may count."""
    match call:
        case ("d", sides):
            return table.d(sides, "die")
        case ("chance", target, sides):
            return table.chance(target, sides, "chance").passed
        case ("pool", number, sides):
            return table.pool(number, sides, "pool")
        case ("blows", number, plus):
            return table.blows(number, Blow(((1, 3),), plus=plus, factor=2, least=0), "blows")
        case ("choose", many):
            return table.choose("Which?", range(many), suggest=many - 1)


@examples(25)
@given(st.lists(CALLS, min_size=1, max_size=4), st.lists(CALLS, max_size=2))
def test_any_action_has_the_odds_of_every_roll(calls, more):
    def run(table):
        seen = [called(table, call) for call in calls]
        if seen[0] in (1, True, (3, 3), 2):  # later questions depend on earlier dice
            seen += [called(table, call) for call in more]
        return tuple(seen)

    walked = spread_by_walking(run)
    assert walked == by_throwing(run)
    assert sum(walked.values()) == 1


def test_a_chance_is_two_branches():
    branches = list(Walker().walk(lambda table: table.chance(65, 100, "aim").passed))
    assert branches == [(65, 100, True), (35, 100, False)]


@pytest.mark.parametrize(("target", "passes"), [(0, False), (-9, False), (100, True), (120, True)])
def test_a_certain_chance_is_one_branch(target, passes):
    assert [
        value for _, _, value in Walker().walk(lambda table: table.chance(target, 100, "aim").passed)
    ] == [passes]


def test_the_face_of_a_chance_is_one_of_its_side():
    faces = {
        (one.passed, one.face) for _, _, one in Walker().walk(lambda table: table.chance(65, 100, "aim"))
    }
    assert faces == {(True, 65), (False, 100)}


@pytest.mark.parametrize(("number", "sides"), [(1, 6), (3, 6), (5, 4), (2, 20)])
def test_a_pool_is_its_multisets(number, sides):
    walked = spread_by_walking(lambda table: table.pool(number, sides, "pool"))
    expected = icepool_odds(icepool.d(sides).pool(number).expand())
    assert walked == {tuple(reversed(faces)): chance for faces, chance in expected.items()}


def test_the_best_of_a_pool_agrees_with_icepool():
    walked = spread_by_walking(lambda table: sum(table.pool(4, 6, "ability")[:3]))
    assert walked == icepool_odds(icepool.d(6).highest(4, 3))


@pytest.mark.parametrize(
    ("number", "blow"),
    [
        (1, Blow(((2, 6),))),
        (3, Blow(((1, 8),), plus=-3, least=1)),
        (2, Blow(((2, 8), (1, 4)), plus=2)),
        (2, Blow(((1, 6),), plus=1, factor=2, least=5)),
        (4, Blow(((1, 4),), plus=-4)),
        (0, Blow(((2, 6),))),
        (2, Blow((), plus=3)),
    ],
)
def test_blows_are_the_convolution_of_single_ones(number, blow):
    dice = icepool.Die([0])
    for many, sides in blow.dice:
        dice = dice + many @ icepool.d(sides)
    single = dice.map(blow.worth)
    walked = spread_by_walking(lambda table: table.blows(number, blow, "damage"))
    assert walked == icepool_odds(sum((single for _ in range(number)), icepool.Die([0])))


def test_the_weights_of_a_spread_add_up_to_its_whole():
    values, weights, whole = spread(3, Blow(((2, 8), (1, 4))))
    assert (values[0], values[-1]) == (9, 60)
    assert sum(weights) == whole == 256**3


def test_until_has_the_odds_of_the_rolls_that_end_it():
    def throw(table):
        return table.d(6, "mine") - table.d(6, "yours", "target")

    walked = spread_by_walking(lambda table: table.until(throw, bool)[0])
    expected = icepool_odds(icepool.d(6) - icepool.d(6))
    assert walked == {value: chance / (1 - expected[0]) for value, chance in expected.items() if value}


def test_until_counts_no_tries_in_odds_and_leaves_the_fact_out():
    def run(table):
        value, tries = table.until(lambda again: again.d(4, "try"), lambda face: face > 1)
        return Outcome({"value": value, "tries": tries})

    assert facts_odds(run) == {"value": dict.fromkeys((2, 3, 4), Fraction(1, 3))}


def test_a_repetition_inside_a_repetition_is_weighed_too():
    def inner(table):
        return table.until(lambda again: again.d(3, "inner"), lambda face: face != 3)[0]

    walked = spread_by_walking(
        lambda table: table.until(lambda again: inner(again) + again.d(2, "d"), lambda n: n > 2)[0]
    )
    assert walked == {3: Fraction(2, 3), 4: Fraction(1, 3)}


def test_a_die_that_cannot_matter_is_no_branch():
    def run(table):
        table.unused_die(20, "for show")
        return table.d(2, "coin")

    assert len(list(Walker().walk(run))) == 2


def test_an_action_without_dice_is_one_certain_branch():
    assert list(Walker().walk(lambda table: "done")) == [(1, 1, "done")]


def test_odds_take_the_first_choice_by_default():
    def run(table):
        return table.choose("Which?", ("no", "yes"), suggest="yes")

    assert spread_by_walking(run) == {"no": 1}
    assert spread_by_walking(run, Suggested()) == {"yes": 1}


def test_a_fact_that_a_branch_does_not_have_adds_nothing():
    def run(table):
        face = table.d(4, "die")
        return Outcome({"face": face, "high": True} if face > 3 else {"face": face, "note": None})

    assert facts_odds(run) == {
        "face": dict.fromkeys(range(1, 5), Fraction(1, 4)),
        "high": {True: Fraction(1, 4)},
    }


def test_branches_of_different_depth_are_weighed_alike():
    def run(table):
        face = table.d(20, "die")
        return Outcome({"luck": face + table.d(20, "again") if face == 20 else face})

    found = facts_odds(run)["luck"]
    assert sum(found.values()) == 1
    assert (found[19], found[21]) == (Fraction(1, 20), Fraction(1, 400))


GROUPED = Blow(((2, 6),), plus=-1, least=3)


def test_a_grouped_blow_has_a_branch_for_each_grade_and_the_odds_of_every_sum():
    def run(table):
        face = table.d(4, "die")
        if face == 4:
            return Outcome({"damage": 5, "bad": False})
        bad, damage = table.grouped(GROUPED, lambda total: total >= 8, "damage")
        return Outcome({"damage": damage, "bad": bad})

    def plainly(table):
        face = table.d(4, "die")
        damage = 5 if face == 4 else table.blows(1, GROUPED, "damage")
        return Outcome({"damage": damage, "bad": damage >= 8})

    assert facts_odds(run) == facts_odds(plainly)
    assert len(list(Walker().walk(run))) == 3 * 2 + 1


def test_a_grouped_blow_repeated_until_it_is_bad_has_the_odds_of_every_bad_sum():
    def run(table):
        def throw(again):
            return again.grouped(GROUPED, lambda total: total >= 8, "damage")

        (_, damage), _ = table.until(throw, lambda found: found[0])
        return Outcome({"damage": damage})

    tenths = {8: 4, 9: 3, 10: 2, 11: 1}
    assert facts_odds(run) == {"damage": {one: Fraction(many, 10) for one, many in tenths.items()}}


def test_the_sum_of_a_grouped_blow_cannot_be_used_in_odds():
    def halved(table):
        return Outcome({"damage": table.grouped(GROUPED, bool, "damage")[1] // 2})

    with pytest.raises(TypeError):
        facts_odds(halved)


def test_facts_odds_and_spread_of_agree():
    def run(table):
        return Outcome({"sum": sum(table.pool(2, 6, "pool")), "damage": table.blows(1, Blow(((1, 4),)), "d")})

    assert facts_odds(run)["sum"] == spread_of(run, lambda outcome: outcome.facts["sum"])


@pytest.mark.parametrize(
    "run",
    [
        lambda table: [table.d(20, "die") for _ in range(5)],
        lambda table: table.pool(15, 20, "pool"),
        lambda table: table.pool(40, 6, "pool"),
        lambda table: table.blows(99, Blow(((99, 20),)), "blows"),
        lambda table: table.until(lambda again: again.d(6, "never"), lambda face: face > 6),
    ],
    ids=["branches", "multisets", "pool", "blows", "without end"],
)
def test_odds_that_would_take_too_long_say_too_many_dice(run):
    with pytest.raises(TooManyDice, match="too many dice for exact odds"):
        for _ in Walker().walk(run, most=5_000):
            pass
