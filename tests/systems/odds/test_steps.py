"""Damage rolled by levels has the odds of every roll, also over steps whose equal states are put together."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from systems.contract.damage import NO_DAMAGE, Blow, DamagePart, DamageTally
from systems.contract.outcome import Outcome
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.frozen import frozen
from systems.odds import Walker, facts_odds
from systems.odds.walker import spread_of
from tests.laws import examples
from tests.systems.odds.test_walker import by_throwing

POINTS = st.integers(1, 9)


@frozen
class Foe:
    """A target: its hit points, at least, and whether it is prone."""

    hp: int
    prone: bool = False
    blows: int = 0


def blows(points, times, fixed):
    """Return a run of blows with two kinds of damage, each of which may knock the target down."""
    parts = (DamagePart("iron", Blow(((1, 3),))), DamagePart("fire", Blow(((1, 2),)), divided=2))

    def step(table, kind, foe, sum):
        if foe.hp == 0 or not table.chance(2 - foe.prone, 3, "blow", over=True).passed:
            return foe, sum, "missed"
        least = points - foe.hp
        levels = tuple(level for level in {foe.hp - points // 2, foe.hp} if level > 0)
        tally = table.add_damage(DamageTally(least, sum), parts, fixed, tuple(sorted(levels)))
        hp = max(0, points - tally.least)
        prone = hp > 0 and 2 * hp <= points and table.chance(1, 2, "balance").passed
        return Foe(hp, foe.prone or prone, foe.blows + 1), tally.sum, "hit"

    def run(table):
        foe, sum, _ = table.in_steps(range(times), step, Foe(points))
        state = "down" if foe.hp == 0 else "half" if 2 * foe.hp <= points else "up"
        return Outcome({"damage": sum, "state": state, "prone": foe.prone, "blows": foe.blows})

    return run


@examples(8)
@given(POINTS, st.integers(1, 2), st.integers(0, 2))
def test_blows_in_steps_have_the_odds_of_every_roll(points, times, fixed):
    run = blows(points, times, fixed)
    # Each fact alone, and the sum together with the state.
    thrown = by_throwing(lambda table: tuple(_plain(run(table), points).items()))
    walked = spread_of(
        lambda table: Outcome(_one(table, run(table), points)), lambda outcome: tuple(outcome.facts.items())
    )
    assert walked == thrown
    assert facts_odds(run)["damage"] == _of(thrown, 0)


@frozen
class Balance:
    """A roll that fails the more damage was done."""

    def __call__(self, table, damage):
        return table.chance(5 - damage, 4, "balance").passed


@examples(8)
@given(POINTS, st.integers(1, 3), st.integers(0, 2))
def test_rolls_against_the_last_damage_have_the_odds_of_every_roll(points, times, fixed):
    part = DamagePart("", Blow(((1, 4),)), divided=2)

    def step(table, kind, state, sum):
        hp, least, fell = state
        if hp == 0:
            return state, sum, None
        levels = tuple(sorted({1, hp}))
        tally = table.add_damage(DamageTally(least, sum, restarts=fell), (part,), fixed, levels)
        left = max(0, hp - (tally.least - least))
        if left == 0:
            stays, tally = table.by_damage(tally, Balance())
            left, fell = int(stays), True
        return (left, tally.least, fell), tally.sum, None

    def run(table):
        (hp, _, fell), sum, _ = table.in_steps(range(times), step, (points, 0, False))
        sum = table.one_of(sum)
        return sum, fell, hp if fell else points - sum

    assert spread_of(
        lambda table: Outcome({"": run(table)}), lambda outcome: outcome.facts[""]
    ) == by_throwing(run)


def test_a_roll_against_the_last_damage_is_walked_once_for_each_amount():
    asked = []

    @frozen
    class Save:
        def __call__(self, table, damage):
            asked.append(damage)
            return damage > 3

    def run(table):
        tally = table.add_damage(NO_DAMAGE, (DamagePart("", Blow(((1, 6),))),), 0, (1,))
        tally = table.add_damage(tally, (DamagePart("", Blow(((1, 6),))),), 0, (9,))
        return table.by_damage(tally, Save())

    branches = [(Fraction(weight, of), passed) for weight, of, (passed, _) in Walker().walk(run)]
    # 10 or more in sum is the next level.
    assert sorted(branches) == [(Fraction(6, 36), True), (Fraction(12, 36), True), (Fraction(18, 36), False)]
    assert sorted(asked) == [1, 2, 3, 4, 5, 6]
    passed, tally = run(Table(ScriptedDice([2, 5])))
    assert (passed, tally.sum) == (True, 7)


def _one(table, outcome, points):
    return _plain(Outcome({**outcome.facts, "damage": table.one_of(outcome.facts["damage"])}), points)


def _plain(outcome, points):
    """Return the facts; at the table the hit points that are left tell the state."""
    facts = dict(outcome.facts)
    left = max(0, points - facts["damage"])
    assert facts["state"] == ("down" if left == 0 else "half" if 2 * left <= points else "up")
    return facts


def _of(thrown, at):
    found = {}
    for facts, chance in thrown.items():
        found[facts[at][1]] = found.get(facts[at][1], 0) + chance
    return found


def test_sums_of_one_level_are_one_branch():
    part = DamagePart("", Blow(((8, 6),)))
    run = lambda table: table.add_damage(NO_DAMAGE, (part,), 2, (1, 20)).least  # noqa: E731
    assert sorted(least for *_, least in Walker().walk(run)) == [1, 20]
    assert run(Table(ScriptedDice([3] * 8))) == 26


def test_equal_states_are_walked_once_whatever_their_sums():
    walked = []

    def step(table, kind, state, sum):
        walked.append(kind)
        tally = table.add_damage(DamageTally(0, sum), (DamagePart("", Blow(((2, 6),))),), 0, ())
        return state, tally.sum, None

    assert facts_odds(lambda table: Outcome({"sum": table.in_steps("abc", step, ())[1]}))["sum"].keys() == {
        *range(6, 37)
    }
    assert walked == ["a", "b", "c"]
