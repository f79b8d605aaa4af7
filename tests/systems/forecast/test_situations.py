"""Laws of the states that a combatant may be in."""

from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from systems.forecast.situations import Situation, Situations, State
from tests.systems.fight import Fight

_OKADO = Fight("simple", "add okado").encounter.combatants["okado"]
_SITUATION = Situation((State(_OKADO, 0),))
_WAYS = st.dictionaries(st.integers(1, 9), st.integers(1, 30), min_size=1)
_LOSSES = st.dictionaries(st.integers(-3, 9), st.integers(1, 30), min_size=1)


def _chances(situations: Situations) -> dict[int, Fraction]:
    return {
        points: Fraction(weight, situations.whole)
        for _, ways in situations
        for points, weight in ways.items()
    }


@given(_WAYS, _LOSSES, st.integers(1, 30))
def test_losses_change_the_chances_as_fractions_would(
    ways: dict[int, int], losses: dict[int, int], factor: int
) -> None:
    whole, of = sum(ways.values()), sum(losses.values())
    after = Situations(whole * of * factor)
    after.add_after(_SITUATION, ways, tuple(sorted(losses.items())), factor)
    expected: Counter[int] = Counter()
    for points, weight in ways.items():
        for loss, many in losses.items():
            if points > loss:
                expected[points - loss] += Fraction(weight, whole) * Fraction(many, of)
    assert _chances(after) == expected
    assert after.chance() == sum(expected.values())


@given(_WAYS, st.integers(1, 30), st.integers(1, 30))
def test_a_common_factor_of_all_weights_changes_no_chance(
    ways: dict[int, int], rest: int, factor: int
) -> None:
    situations = Situations(sum(ways.values()) + rest)
    situations.add(_SITUATION, ways)
    before = _chances(situations)
    situations.scale(factor)
    assert _chances(situations) == before
    situations.reduce()
    assert _chances(situations) == before
