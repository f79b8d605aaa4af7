"""Summarise a fight from the data of its events: actions, losses, dice and turns.

Only events in force count. Nothing is read out of a sentence. Losses are in the game's own points, such as
hearts, brains and stamina; see `Ruleset.harm`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction

from systems.contract.ruleset import Ruleset
from systems.dice.sources import Roll
from systems.encounter.amendment import names_ever
from systems.encounter.changes import taken_back
from systems.encounter.events import (
    Event,
    Loss,
    Result,
    round_of,
)
from systems.encounter.history import History
from systems.encounter.losses import PointsTaken, actor_of, losses, losses_in_passing
from systems.encounter.model import Encounter
from systems.frozen import frozen

# A die with fewer sides shows its first or highest face too often to be worth listing.
LISTED_SIDES = 10


# The actor, the action, the target or "", and the thing used or "".
ActionKey = tuple[str, str, str, str]


@frozen
class ActionTotal:
    """All uses of one action by one combatant on another. `degrees`: each degree with its count.

    `name`: the thing used, such as an effect of the sheet; else "".
    """

    actor: str
    action: str
    target: str
    times: int
    degrees: tuple[tuple[str, int], ...]
    lost: int
    healed: int
    felled: int
    name: str = ""

    @classmethod
    def of(cls, key: ActionKey, degrees: Counter[str], lost: int, healed: int, felled: int) -> "ActionTotal":
        """Return the total of the uses with this actor, action, target and name."""
        counts = tuple((word, often) for word, often in degrees.items() if word)
        actor, action, target, name = key
        return cls(actor, action, target, degrees.total(), counts, lost, healed, felled, name)


@frozen
class Luck:
    """The rolls of one combatant with one kind of die. `faces`: the count of each face."""

    of: str
    sides: int
    faces: Mapping[int, int]

    @property
    def count(self) -> int:
        return sum(self.faces.values())

    @property
    def average(self) -> Fraction:
        return Fraction(sum(face * often for face, often in self.faces.items()), self.count)

    @property
    def expected(self) -> Fraction:
        return Fraction(self.sides + 1, 2)


@frozen
class EdgeRoll:
    """A roll of a die with ten sides or more that showed its first or highest face."""

    n: int
    round: int
    of: str
    sides: int
    face: int
    why: str


@frozen
class TurnSpan:
    """One turn: the combatant, and the times of its events from the start of the turn to its end."""

    who: str
    times: tuple[str, ...]


@frozen
class Recap:
    """The summary of a fight.

    Combatants are given by id, `names` maps ids to names. Lists are in fight order.
    """

    rounds: int
    events: int
    names: Mapping[str, str]
    actions: tuple[ActionTotal, ...]
    blows: tuple[PointsTaken, ...]
    healed: Mapping[str, int]
    luck: tuple[Luck, ...]
    edges: tuple[EdgeRoll, ...]
    turns: tuple[TurnSpan, ...]

    @property
    def dealt(self) -> Mapping[str, int]:
        """Return the points that each combatant took from others. Harm to itself is not included."""
        found: Counter[str] = Counter()
        for blow in self.blows:
            if blow.by and not blow.to_itself:
                found[blow.by] += blow.lost
        return found

    @property
    def taken(self) -> Mapping[str, int]:
        """Return the points that each combatant lost."""
        found: Counter[str] = Counter()
        for blow in self.blows:
            found[blow.target] += blow.lost
        return found


def recap_of(
    encounter: Encounter, log: History, counting: Callable[[Iterable[Event]], Iterable[Event]] = iter
) -> Recap:
    """Return the summary of a fight so far. `encounter`: the current state, at the end of the log.

    `counting`: wraps the events in force during the long part of the work, for example to count them.
    """
    events = list(log.newest())[::-1]
    stands = {event.n for event in events}
    names = names_ever(encounter, log)
    changed = _changed(encounter, counting(log.newest()))
    blows = tuple(blow for blow in changed if blow.lost > 0)
    healed: Counter[str] = Counter()
    for loss in changed:
        if loss.lost < 0:
            healed[loss.target] -= loss.lost
    return Recap(
        rounds=encounter.progress.round,
        events=len(events),
        names=names,
        actions=_action_totals(encounter.game, events, changed),
        blows=blows,
        healed=healed,
        luck=_luck(events),
        edges=tuple(_edges(events)),
        turns=tuple(_turns(log.as_amended, stands)),
    )


def _changed(encounter: Encounter, newest: Iterable[Event]) -> list[PointsTaken]:
    """Return the losses of each combatant in each of the newest events, oldest first; negative if regained.

    The fight is taken back event by event, to see which combatants could act before and not after.
    """
    fields = {f"sheet.{name}" for name in encounter.game.harm_fields}
    found: list[PointsTaken] = []
    for event in newest:
        before = taken_back(encounter, (event,))
        passed = losses_in_passing(event)
        changed = [change.who for change in event.changes if change.who and change.field in fields]
        whole = {loss.who: loss for loss in losses(before, encounter, changed)}
        for who in reversed([*whole, *(who for who in passed if who not in whole)]):
            loss, passing = whole.get(who, Loss(who, 0)), passed.get(who, Loss(who, 0))
            own = Loss(who, loss.lost - passing.lost, loss.felled and not passing.felled)
            caused = _losses_by_actor(event, who) if event.actors else [(own, actor_of(event, who))]
            found += [
                PointsTaken(event.n, round_of(event), by, who, part.lost, part.felled)
                for part, by in ((passing, ""), *reversed(caused))
                if part.lost or part.felled
            ]
        encounter = before
    return found[::-1]


def _losses_by_actor(event: Event, target: str) -> list[tuple[Loss, str]]:
    """Return what a target lost to each actor of an event, in order."""
    results = (result for result in event.results if result.target == target)
    return [(Loss(target, result.lost, result.felled), result.actor) for result in results]


def _is_of_action(event: Event, result: Result) -> bool:
    """Return whether a result belongs to an action, not to a hook that the game ran in addition."""
    return (event.command == "action" and result.action == event.action) or bool(result.target)


def _action_totals(
    game: Ruleset, events: Iterable[Event], changed: Iterable[PointsTaken]
) -> tuple[ActionTotal, ...]:
    lost: Counter[tuple[int, str]] = Counter()
    felled: Counter[tuple[int, str]] = Counter()
    for loss in changed:
        if loss.by:
            lost[loss.n, loss.target] += loss.lost
            felled[loss.n, loss.target] += loss.felled
    degrees: dict[ActionKey, Counter[str]] = {}
    sums: dict[ActionKey, list[int]] = {}
    for event in events:
        for result in event.results:
            if not _is_of_action(event, result):
                continue
            declared = game.action(result.action)
            name = str(result.facts.get(declared.names_use, "")) if declared is not None else ""
            key = (result.actor, result.action, result.target or "", name)
            degrees.setdefault(key, Counter())[result.degree] += 1
            # An event knows a combatant's whole loss, which counts for the first result about it.
            change = lost.pop((event.n, result.subject), 0) if key[2] else 0
            falls = felled.pop((event.n, result.subject), 0) if key[2] else 0
            if event.actors:
                change, falls = result.lost, int(result.felled)
            total = sums.setdefault(key, [0, 0, 0])
            total[0] += max(0, change)
            total[1] += max(0, -change)
            total[2] += falls
    return tuple(ActionTotal.of(key, found, *sums[key]) for key, found in degrees.items())


def _luck(events: Iterable[Event]) -> tuple[Luck, ...]:
    counts: dict[tuple[str, int], Counter[int]] = {}
    for _, die in _dice(events):
        counts.setdefault((die.of, die.sides), Counter())[die.face] += 1
    return tuple(Luck(of, sides, faces) for (of, sides), faces in counts.items())


def _edges(events: Iterable[Event]) -> Iterator[EdgeRoll]:
    for event, die in _dice(events):
        sides, face = die.sides, die.face
        if sides >= LISTED_SIDES and face in (1, sides):
            owner, why = die.of, die.why
            yield EdgeRoll(event.n, round_of(event), owner, sides, face, why)


def _dice(events: Iterable[Event]) -> Iterator[tuple[Event, Roll]]:
    """Yield each die of these events whose face is known."""
    for event in events:
        for die in event.rolls:
            if isinstance(die, Roll) and die.sides > 0:
                yield event, die


def _turns(events: Iterable[Event], stands: set[int]) -> Iterator[TurnSpan]:
    """Yield the turns in order. Events that were undone within a turn still count towards its time."""
    who: str | None = None
    times: list[str] = []
    for event in events:
        times.append(event.time)
        if event.n not in stands:
            continue
        for change in event.changes:
            if not change.who and change.field == "turn":
                if who:
                    yield TurnSpan(who, tuple(times))
                who, times = change.after, times[-1:]
    if who and len(times) > 1:
        yield TurnSpan(who, tuple(times))
