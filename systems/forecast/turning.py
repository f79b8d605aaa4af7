"""Where a fight turned: the moments between which the players' chance to win is compared."""

from collections.abc import Callable, Iterator
from itertools import zip_longest
from math import hypot

from systems.encounter.events import Event
from systems.encounter.history import History, encounter_after
from systems.encounter.model import Encounter
from systems.frozen import frozen


@frozen
class PlayedMoment:
    """The fight after an event. `round`: the rounds that are over by then. `event`: its number in the log."""

    round: int
    event: int
    encounter: Encounter


@frozen
class WinChance:
    """The players' chance to win at a moment, and how far it may be off."""

    round: int
    event: int
    win: float
    margin: float


@frozen
class Turning:
    """The chances after each round, and the event that moved them most in the round that did.

    `event`: its number, 0 if no event moved them. `points`: by how much, from −100 to 100. `margin`: by how
    many points that may be off.
    """

    curve: tuple[WinChance, ...]
    event: int = 0
    points: float = 0.0
    margin: float = 0.0

    @property
    def curve_margin(self) -> float:
        """Return how far a chance of the curve may be off."""
        return max((each.margin for each in self.curve), default=0.0)

    @property
    def is_clear(self) -> bool:
        """Return whether the event moved the chances by more than that may be off."""
        return bool(self.event) and abs(self.points) > self.margin


# Returns the chance at a moment.
FindChance = Callable[[PlayedMoment], WinChance]


def round_moments(encounter: Encounter, log: History) -> list[PlayedMoment]:
    """Return the moments after the start and after each round, up to the end of the fight so far.

    `encounter`: the present fight, at the end of the log.
    """
    found: list[PlayedMoment] = []
    played = [event for event in reversed([*log.newest()]) if event.kind == "command"]
    if encounter.progress.over:
        # What follows the end is about the roster or the recap.
        played = played[
            : max((at for at, event in enumerate(played) if event.command == "end"), default=None)
        ]
    for event, after in zip_longest(played, played[1:]):
        number = after.round if after is not None else encounter.progress.round
        if number > event.round and not (after is None and encounter.progress.over):
            found.append(PlayedMoment(number - 1, event.n, encounter_after(encounter, log, event.n)))
    if played and found and played[-1].n != found[-1].event:
        last = played[-1]
        found.append(PlayedMoment(last.round, last.n, encounter_after(encounter, log, last.n)))
    return found


def blow_moments(
    encounter: Encounter, log: History, first: PlayedMoment, last: PlayedMoment
) -> Iterator[PlayedMoment]:
    """Yield the moments after each event between two moments that may have moved the chances."""
    for event in reversed([*log.newest()]):
        if first.event < event.n < last.event and _has_effect(event):
            yield PlayedMoment(last.round, event.n, encounter_after(encounter, log, event.n))


def _has_effect(event: Event) -> bool:
    """Return whether an event may have moved the chances: an action, also one that failed, or any change."""
    return bool(event.results) or any(
        change.who and change.field.startswith(("sheet", "conditions")) for change in event.changes
    )


def turning_of(
    encounter: Encounter, log: History, find: FindChance, tell: Callable[[int, int], None]
) -> Turning:
    """Return where a fight turned. `tell`: called with the moments done and their number so far."""
    moments = round_moments(encounter, log)
    curve: list[WinChance] = []
    for moment in moments:
        tell(len(curve), len(moments))
        curve.append(find(moment))
    if len(curve) < 2:
        return Turning(tuple(curve))
    at = max(range(1, len(curve)), key=lambda at: abs(curve[at].win - curve[at - 1].win))
    blows = [*blow_moments(encounter, log, moments[at - 1], moments[at]), moments[at]]
    before, best = curve[at - 1], Turning(tuple(curve))
    for done, moment in enumerate(blows):
        tell(len(curve) + done, len(curve) + len(blows))
        after = curve[at] if moment is moments[at] else find(moment)
        points = 100 * (after.win - before.win)
        if abs(points) > abs(best.points):
            margin = 100 * hypot(before.margin, after.margin)
            best = Turning(tuple(curve), moment.event, points, margin)
        before = after
    return best
