"""Add up who took how many points so far, event by event, so that a key costs no more in a long fight.

The recap (recap.py) also knows who fell, and takes the whole fight back for that.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from systems.encounter.events import Event, round_of
from systems.encounter.history import EventStack, History, in_both
from systems.encounter.losses import PointsTaken, actor_of, losses_in_passing
from systems.frozen import frozen


@frozen
class Totals:
    """The points that combatants took from others, and lost, by id, and the heaviest blow."""

    dealt: Mapping[str, int]
    taken: Mapping[str, int]
    heaviest: PointsTaken | None = None


@frozen
class _Counted:
    """An event in force: its points, and the heaviest blow up to it."""

    n: int
    points: tuple[PointsTaken, ...]
    heaviest: PointsTaken | None


class SoFar:
    """Follows one fight. `totals` are those of the last moment that was read to its end."""

    def __init__(self, harm_fields: Sequence[str]) -> None:
        self._fields = {f"sheet.{name}" for name in harm_fields}
        self._counted: list[_Counted] = []
        # The stack that the counted events come from.
        self._stands: EventStack | None = None
        self._amended: object = None
        self._dealt: Counter[str] = Counter()
        self._taken: Counter[str] = Counter()
        self.totals = Totals({}, {})

    def follow(self, log: History, most: int) -> bool:
        """Count up to `most` more events in force; return whether all are counted now."""
        if log.amended is not self._amended:
            # Earlier events have other results.
            self._amended = log.amended
            self._take_back(0)
        self._take_back(in_both(self._stands, log.stands))
        self._stands = log.stands
        last = self._counted[-1].n if self._counted else 0
        left = log.after(last)
        for event in islice(left, most):
            self._count(event)
        if next(left, None) is not None:
            return False
        heaviest = self._counted[-1].heaviest if self._counted else None
        self.totals = Totals(+self._dealt, +self._taken, heaviest)
        return True

    def _take_back(self, number: int) -> None:
        """Take back the counted events after this number."""
        while self._counted and self._counted[-1].n > number:
            self._add(self._counted.pop().points, -1)

    def _count(self, event: Event) -> None:
        points = tuple(self._points(event))
        self._add(points, 1)
        heaviest = self._counted[-1].heaviest if self._counted else None
        for blow in points:
            if blow.by and not blow.to_itself and (heaviest is None or blow.lost > heaviest.lost):
                heaviest = blow
        self._counted.append(_Counted(event.n, points, heaviest))

    def _add(self, points: Sequence[PointsTaken], sign: int) -> None:
        for blow in points:
            self._taken[blow.target] += sign * blow.lost
            if blow.by and not blow.to_itself:
                self._dealt[blow.by] += sign * blow.lost

    def _points(self, event: Event) -> Iterator[PointsTaken]:
        """Yield what an event took from each combatant. A loss as turns pass has no cause."""
        lost: Counter[str] = Counter()
        for change in event.changes:
            if (
                change.field in self._fields
                and isinstance(change.before, int)
                and isinstance(change.after, int)
            ):
                lost[change.who] += change.before - change.after
        passed = losses_in_passing(event) if event.passing else {}
        for who, points in lost.items():
            passing = passed[who].lost if who in passed else 0
            for part, by in ((passing, ""), (points - passing, actor_of(event, who))):
                if part > 0:
                    yield PointsTaken(event.n, round_of(event), by, who, part)
