"""A d20 test in one call: advantage, extra dice, natural 20 and 1, and how far it is from another result."""

from functools import lru_cache
from typing import Literal

from systems.contract.aside import Aside
from systems.contract.table import ExtraDice, Table
from systems.dice.sources import NeedsFace
from systems.frozen import frozen

D20Grade = Literal["fumble", "failed", "passed", "critical"]


@frozen
class D20Test:
    """A roll of a d20 with a bonus and extra dice against a number.

    `edge`: above 0 the better of two d20, below 0 the worse. `extra`: dice added to the total, such as
    `("1d4", "bless")` or `("-1d6", "cutting words")`. A natural roll of `critical` or more always passes, one
    of `fumble` or less always fails; None for a test without such rolls, such as a save. `defences`: the
    largest amount by which reactions can still raise `needed`, `boosts` the largest by which they can raise
    the total. With both 0, odds have one branch for each grade.
    """

    needed: int
    bonus: int = 0
    edge: int = 0
    extra: tuple[ExtraDice, ...] = ()
    critical: int | None = 20
    fumble: int | None = 1
    defences: int = 0
    boosts: int = 0
    sides: int = 20

    @property
    def dice(self) -> str:
        """Return the d20 in notation, two of them with an edge."""
        return f"1d{self.sides}" if not self.edge else f"2d{self.sides}k{'h' if self.edge > 0 else 'l'}1"


@frozen
class D20Result:
    """How a d20 test ended.

    `beaten_by`: how much more defence would turn a pass into a failure, 0 if the test's `defences` can't.
    `saved_by`: how much more would turn a failure into a pass, 0 if its `boosts` can't.
    """

    grade: D20Grade
    beaten_by: int = 0
    saved_by: int = 0

    @property
    def succeeded(self) -> bool:
        return self.grade in ("passed", "critical")


@frozen(eq=False)
class D20Roll:
    """A d20 test that was rolled: its result, the natural roll, the total, and the sum of each extra die.

    In odds only `grade` can be read: `natural` and `total` represent all sums of that grade, for facts
    alone, and `extra` is empty.
    """

    grade: D20Result
    natural: int
    total: int
    extra: tuple[int, ...] = ()


@frozen
class _Grading:
    """Grades the natural roll and the total of a test; equal tests are graded once in odds."""

    test: D20Test

    def __call__(self, natural: int, total: int) -> D20Result:
        test = self.test
        if test.critical is not None and natural >= test.critical:
            return D20Result("critical")
        if test.fumble is not None and natural <= test.fumble:
            return D20Result("fumble")
        margin = total - test.needed
        if margin >= 0:
            return D20Result("passed", beaten_by=margin + 1 if margin < test.defences else 0)
        return D20Result("failed", saved_by=-margin if -margin <= test.boosts else 0)


@frozen
class _Passes:
    """Whether a natural roll and a total pass a test."""

    test: D20Test

    def __call__(self, natural: int, total: int) -> bool:
        return _Grading(self.test)(natural, total).succeeded


@lru_cache(maxsize=1024)
def _gradings(test: D20Test) -> tuple[_Grading, _Passes]:
    return _Grading(test), _Passes(test)


def roll_d20(table: Table, test: D20Test, why: str, of: str = "actor") -> "D20Roll":
    """Roll a d20 test."""
    grading, _ = _gradings(test)
    try:
        return D20Roll(*table.graded(test.dice, grading, why, of, extra=test.extra, plus=test.bonus))
    except NeedsFace as needs:
        raise _knowing(test, needs) from None


def roll_d20_beside(table: Table, test: D20Test, why: str, of: str = "target") -> Aside:
    """Roll a d20 test on which nothing later in this action depends; see `Table.beside`."""
    _, passes = _gradings(test)
    try:
        return table.beside(test.dice, passes, why, of, extra=test.extra, plus=test.bonus)
    except NeedsFace as needs:
        raise _knowing(test, needs) from None


def _knowing(test: D20Test, needs: NeedsFace) -> NeedsFace:
    """Return the request for a real die with the face that passes, if one face alone decides."""
    is_alone = not test.edge and not test.extra and needs.request.sides == test.sides
    if is_alone and test.critical is None and test.fumble is None:
        return needs.knowing(passes_at=test.needed - test.bonus, over=True)
    return needs
