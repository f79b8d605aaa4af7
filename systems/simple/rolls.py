"""The four ways to roll: over a number, under a skill, in bands, and a pool of dice.

A roll has a `value` (bonus, skill or number of dice) and an `against` (the number to reach, or a penalty).
Attacks and checks roll alike.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Literal

from systems.contract.action import Need, Scene
from systems.contract.area import Resistance
from systems.contract.outcome import Step, Term, optional_term, owned
from systems.contract.table import Blow, ExtraDice, Table, read_dice
from systems.frozen import frozen
from systems.simple.house import House
from systems.text import listed, plain_number

Grade = Literal["fumble", "failed", "partial", "passed", "critical"]
RANK: dict[Grade, int] = {"fumble": 0, "failed": 1, "partial": 2, "passed": 3, "critical": 4}
MOST_POOL = 60


@frozen
class Throw:
    """The result of a roll: its grade, and the sum of the dice, or how many of a pool counted.

    In odds `sum` is not a number: the rules use only the grade. `beaten_by`: how much more defence would turn
    a hit over a number into a miss; 0 if interruptions cannot raise it so much. `extra`: what each extra die
    adds to the value. In odds there are none.
    """

    grade: Grade
    sum: int
    beaten_by: int = 0
    extra: tuple[Term, ...] = ()

    @property
    def succeeded(self) -> bool:
        return RANK[self.grade] >= RANK["partial"]


def throw(
    table: Table,
    house: House,
    value: int,
    against: int,
    edge: int,
    why: str,
    defences: int = 0,
    extra: Sequence[ExtraDice] = (),
) -> Throw:
    """Roll the dice of the house rules.

    `edge` above 0: the better of two rolls; below 0 the worse (R9). A pool has one die more for each point of
    `edge`, or one less. `defences`: the most that interruptions can add to the number to reach. `extra`: dice
    that effects add to the value, or take from it; of a pool each is one die more or less (R15).
    """
    if house.roll == "pool":
        value += total_of(pool_terms(extra))
        counted = table.count(pool_size(value + edge), sides_of(house), house.counts_from, why)
        return Throw("passed" if counted >= max(1, against) else "failed", counted)
    grade = grading(house, value, against)
    blow = Blow(read_dice(house.rolled))
    if extra:
        return _throw_with(table, house, value, against, edge, why, defences, extra)
    if defences and (dice := graded_dice(blow, edge)):
        (found, beaten_by), natural, *_ = table.graded(dice, Window(house, value, against, defences), why)
        return Throw(found, natural, beaten_by)
    if not edge:
        return Throw(*table.grouped(blow, grade, why))

    is_better = edge > 0
    total = twice(table, blow, is_better is not (house.roll == "under"), why)
    return Throw(grade(total), total)


def _throw_with(
    table: Table,
    house: House,
    value: int,
    against: int,
    edge: int,
    why: str,
    defences: int,
    extra: Sequence[ExtraDice],
) -> Throw:
    """Roll with extra dice; the natural sum alone decides about criticals and fumbles."""
    blow, window = Blow(read_dice(house.rolled)), Window(house, value, against, defences)
    sign = -1 if house.roll == "under" else 1
    added = [(dice if sign > 0 else _negated(dice), label) for dice, label in extra]
    if dice := graded_dice(blow, edge if house.roll != "under" else -edge):
        (found, beaten_by), natural, _, sums = table.graded(dice, window, why, extra=added)
    else:
        is_highest = (edge > 0) is not (house.roll == "under")
        natural = twice(table, blow, is_highest, why)
        sums = tuple(table.roll(dice, label) for dice, label in added)
        found, beaten_by = window(natural, natural + sum(sums))
    terms = tuple(Term(label, sign * value, dice) for value, (dice, label) in zip(sums, extra, strict=False))
    return Throw(found, natural, beaten_by, terms)


def _negated(dice: str) -> str:
    return dice.removeprefix("-") if dice.startswith("-") else f"-{dice}"


def pool_terms(extra: Sequence[ExtraDice]) -> tuple[Term, ...]:
    """Return the dice that effects add to a pool, or take from it."""
    return tuple(Term(label, -1 if dice.startswith("-") else 1, "a die") for dice, label in extra)


def extra_terms(house: House, thrown: Throw, extra: Sequence[ExtraDice]) -> tuple[Term, ...]:
    """Return the terms of extra dice: what they rolled, or the dice of a pool."""
    return pool_terms(extra) if house.roll == "pool" else thrown.extra


@frozen
class Window:
    """Grades a roll over a number together with how much more defence would turn a hit into a miss."""

    house: House
    value: int
    against: int
    most: int

    def __call__(self, natural: int, total: int) -> tuple[Grade, int]:
        added = total - natural
        # Rolled under a skill, a number subtracted from the dice is added to the skill.
        value = self.value + (-added if self.house.roll == "under" else added)
        grade = grading(self.house, value, self.against)(natural)
        if self.house.roll != "over":
            return grade, 0
        by = natural + value - self.against + self.house.ties_succeed
        return grade, by if grade == "passed" and by <= self.most else 0


def graded_dice(blow: Blow, edge: int) -> str:
    """Return the dice of a roll in notation; "" for several dice of which the better roll counts."""
    number, sides = blow.dice[0]
    if not edge:
        return "+".join(f"{number}d{sides}" for number, sides in blow.dice)
    if len(blow.dice) > 1 or number > 1:
        return ""
    return f"2d{sides}k{'h' if edge > 0 else 'l'}1"


def twice(table: Table, blow: Blow, highest: bool, why: str) -> int:
    """Return the higher or the lower of two rolls of the dice."""
    if [number for number, _ in blow.dice] == [1]:
        return table.roll(f"2d{blow.dice[0][1]}k{'h' if highest else 'l'}1", why)

    def both(again: Table) -> int:
        sums = [again.blows(1, blow, why) for _ in range(2)]
        return max(sums) if highest else min(sums)

    return table.until(both, lambda _: True)[0]


@lru_cache(maxsize=256)
def grading(house: House, value: int, against: int) -> Callable[[int], Grade]:
    """Return the function that grades a sum of the dice; cached, so that odds can recognise it."""
    parts = read_dice(house.rolled)
    lowest, highest = sum(many for many, _ in parts), sum(many * sides for many, sides in parts)

    def over(total: int) -> Grade:
        if house.naturals and total in (lowest, highest):
            return "fumble" if total == lowest else "critical"
        reached = total + value
        return "passed" if reached > against or (house.ties_succeed and reached == against) else "failed"

    def under(total: int) -> Grade:
        if house.naturals and total in (lowest, highest):
            return "critical" if total == lowest else "fumble"
        return "passed" if total <= value - against else "failed"

    def bands(total: int) -> Grade:
        reached = total + value - against
        if reached >= house.full_from:
            return "passed"
        return "partial" if reached >= house.partial_from else "failed"

    return {"over": over, "under": under, "bands": bands}[house.roll]


def sides_of(house: House) -> int:
    """Return the sides of one die of a pool."""
    return read_dice(house.rolled)[0][1]


def pool_size(dice: int) -> int:
    """Return how many dice a pool has: at least 1, at most MOST_POOL (R5)."""
    return max(1, min(dice, MOST_POOL))


def roll_terms(house: House, terms: tuple[Term, ...], against: int, edge: int, sum: int) -> tuple[Term, ...]:
    """Return the terms of the explanation: of the total, the number to roll under, or the dice of a pool."""
    match house.roll:
        case "over":
            return (*terms, Term(house.rolled, sum, edge_words(edge), "actor"))
        case "bands":
            taken = owned("target", *optional_term("defence", -against))
            return (*terms, *taken, Term(house.rolled, sum, edge_words(edge), "actor"))
        case "under":
            return (*terms, *owned("target", *optional_term("defence", -against)))
    dice = (*terms, *owned("options", *optional_term("edge", edge)))
    bent = pool_size(total_of(dice)) - total_of(dice)
    limit = "at least 1 die" if bent > 0 else f"at most {MOST_POOL} dice"
    return (*dice, *optional_term(limit, bent))


def shown_total(house: House, value: int, against: int, edge: int, thrown: Throw) -> int | None:
    """Return the sum of the explanation's terms; None for a sum that the odds don't distinguish.

    Extra dice count only if the total is that of the dice: odds don't know what they roll.
    """
    match house.roll:
        case "under":
            return value - against
        case "pool":
            return pool_size(value + edge)
    # In odds a branch represents many sums at once, which is not a number.
    rolled: object = thrown.sum
    if not isinstance(rolled, int):
        return None
    return rolled + total_of(thrown.extra) + value - (against if house.roll == "bands" else 0)


TOTAL_HELP = (
    "dice and value, in bands less what is taken off; under: the number to roll; "
    "of a pool: its dice. Left out of the odds over a number and in bands"
)


def total_of(terms: tuple[Term, ...]) -> int:
    """Return the sum of the terms."""
    return sum(term.value for term in terms)


def edge_words(edge: int) -> str:
    """Return which of two rolls counts; "" for a single roll."""
    return "" if not edge else "the better of two" if edge > 0 else "the worse of two"


def against_words(house: House, value: int, against: int, sum: int) -> str:
    """Return the roll and what it needs, such as `17 against 15`, or `3 of 5 dice count, 2 needed`."""
    match house.roll:
        case "over":
            return f"{plain_number(sum + value)} against {plain_number(against)}"
        case "under":
            return f"{sum} rolled against {plain_number(value - against)}"
        case "bands":
            return f"{plain_number(sum + value - against)} in all"
    return f"{sum} of {value} {'die counts' if value == 1 else 'dice count'}, {max(1, against)} needed"


def needed_total(house: House, value: int, against: int) -> int:
    """Return the number that the total, the dice alone (under), or the count of a pool is compared with."""
    match house.roll:
        case "under":
            return value - against
        case "bands":
            return house.partial_from
        case "pool":
            return max(1, against)
    return against


def needs(scene: Scene[Any, Any, House]) -> Need:
    """Return how it must compare, by the house rules."""
    if scene.house.roll == "under":
        return "at_most"
    return "at_least" if scene.house.roll != "over" or scene.house.ties_succeed else "more"


def rolled_steps(house: House, sum: int) -> tuple[Step, ...]:
    """Return the step with the dice, for the ways of rolling in which they are no term of the total."""
    label = {"under": "rolled", "pool": "dice that count"}.get(house.roll)
    return (Step(label, str(sum), of="actor"),) if label else ()


def needed_step(house: House, value: int, against: int) -> Step:
    """Return the step of the explanation with the number needed."""
    match house.roll:
        case "over":
            least = "at least" if house.ties_succeed else "more than"
            return Step("needed", plain_number(against), least)
        case "under":
            return Step("needed", plain_number(value - against), "at most")
        case "bands":
            bands = [f"{house.partial_from} partial", f"{house.full_from} full"]
            return Step("needed", plain_number(house.full_from), listed(bands))
    return Step("needed", str(max(1, against)), f"dice with {house.counts_from} or more")


def resistance(house: House, why: str, terms: tuple[Term, ...], difficulty: int) -> Resistance:
    """Return a roll against a difficulty in the table's way of rolling, such as a saving throw (R13)."""
    taken = optional_term("difficulty", -difficulty)
    match house.roll:
        case "under":
            return Resistance(
                why, total_of((*terms, *taken)), house.rolled, under=True, against=(*terms, *taken)
            )
        case "bands":
            return Resistance(why, house.partial_from, house.rolled, (*terms, *taken))
        case "pool":
            dice = f"{pool_size(total_of(terms))}d{sides_of(house)}c>={house.counts_from}"
            return Resistance(why, max(1, difficulty), dice)
    return Resistance(why, difficulty + (not house.ties_succeed), house.rolled, terms)
