"""What came of a fight, from the data of its events: deeds, blows, falls, dice and turns.

Everything is counted from the events that stand, none that was undone; nothing is read out of a sentence.
Losses are in the game's own points, such as hearts, brains and stamina; see `Ruleset.harm`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from systems.encounter.amendment import names_ever
from systems.encounter.changes import taken_back
from systems.encounter.events import (
    Event,
    results_of,
    round_of,
    subject_of,
    tables_in,
    word_in,
)
from systems.encounter.history import History, changes_of
from systems.encounter.losses import Loss, losses, losses_in_passing
from systems.encounter.model import Encounter
from systems.frozen import frozen

# Commands whose loss is somebody's doing; at a turn's end nobody does it.
_DOING = ("action", "damage", "heal")
# A die with fewer sides shows its highest face too often to be told of.
_TOLD_SIDES = 10


@frozen
class Blow:
    """What one event took from somebody.

    `by`: whose doing it was, "" for nobody's. `felled`: the target could act before and not after.
    """

    n: int
    round: int
    by: str
    target: str
    lost: int
    felled: bool = False

    @property
    def to_itself(self) -> bool:
        """Return whether the combatant did it to itself, such as by paying for a spell."""
        return self.by == self.target


@frozen
class Deed:
    """One action of one combatant on another, all times together. `degrees`: how often each came."""

    actor: str
    action: str
    target: str
    times: int
    degrees: tuple[tuple[str, int], ...]
    lost: int
    healed: int
    felled: int


@frozen
class Luck:
    """The dice of one kind of one owner. `faces`: face -> how often it fell."""

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
    """A die of ten sides or more that showed its first or its last face."""

    n: int
    round: int
    of: str
    sides: int
    face: int
    why: str


@frozen
class TurnSpan:
    """One turn: whose, and when its events happened, from the one that gave it to the one that took it."""

    who: str
    times: tuple[str, ...]


@frozen
class Recap:
    """A fight summed up; ids throughout, `names` says who they are. Lists are in the order of the fight."""

    rounds: int
    events: int
    names: Mapping[str, str]
    deeds: tuple[Deed, ...]
    blows: tuple[Blow, ...]
    healed: Mapping[str, int]
    luck: tuple[Luck, ...]
    edges: tuple[EdgeRoll, ...]
    turns: tuple[TurnSpan, ...]

    @property
    def dealt(self) -> Mapping[str, int]:
        """Return how much each took from others; harm to oneself is not among it."""
        found: Counter[str] = Counter()
        for blow in self.blows:
            if blow.by and not blow.to_itself:
                found[blow.by] += blow.lost
        return found

    @property
    def taken(self) -> Mapping[str, int]:
        """Return how much each lost."""
        found: Counter[str] = Counter()
        for blow in self.blows:
            found[blow.target] += blow.lost
        return found


def recap_of(
    encounter: Encounter, log: History, told: Callable[[Iterable[Event]], Iterable[Event]] = iter
) -> Recap:
    """Return what came of the fight up to now. `encounter`: the present, to which the log leads.

    `told`: the standing events pass through it in the part of the work that takes long.
    """
    events = list(log.newest())[::-1]
    stands = {event["n"] for event in events}
    names = names_ever(encounter, log)
    changed = _changed(encounter, told(log.newest()))
    blows = tuple(blow for blow in changed if blow.lost > 0)
    healed: Counter[str] = Counter()
    for loss in changed:
        if loss.lost < 0:
            healed[loss.target] -= loss.lost
    return Recap(
        rounds=encounter.progress.round,
        events=len(events),
        names=names,
        deeds=_deeds(events, changed),
        blows=blows,
        healed=healed,
        luck=_luck(events),
        edges=tuple(_edges(events)),
        turns=tuple(_turns(log.as_amended, stands)),
    )


def _changed(encounter: Encounter, newest: Iterable[Event]) -> list[Blow]:
    """What each of the newest events took from each combatant, below zero what it gave back; oldest first.

    The fight is gone back through event by event, to see who could act before and not after.
    """
    fields = {f"sheet.{name}" for name in encounter.game.harm_fields}
    found: list[Blow] = []
    for event in newest:
        before = taken_back(encounter, (event,))
        passed = losses_in_passing(event)
        changed = [change.who for change in changes_of(event) if change.who and change.field in fields]
        whole = {loss.who: loss for loss in losses(before, encounter, changed)}
        for who in reversed([*whole, *(who for who in passed if who not in whole)]):
            loss, nobodys = whole.get(who, Loss(who, 0)), passed.get(who, Loss(who, 0))
            own = Loss(who, loss.lost - nobodys.lost, loss.felled and not nobodys.felled)
            found += [
                Blow(event["n"], round_of(event), by, who, part.lost, part.felled)
                for part, by in ((nobodys, ""), (own, _doer(event, who)))
                if part.lost or part.felled
            ]
        encounter = before
    return found[::-1]


def _doer(event: Event, target: str) -> str:
    """Whose doing a change was: the actor of the result about the target, else of the event."""
    own = (word_in(result, "actor") for result in results_of(event) if word_in(result, "target") == target)
    actor = word_in(event, "actor") if word_in(event, "command") in _DOING else ""
    return next((who for who in own if who), actor)


def _is_deed(event: Event, result: Mapping[str, Any]) -> bool:
    """Return whether a result is somebody's doing, and no hook of the game's that was run besides."""
    own = word_in(event, "command") == "action" and word_in(result, "action") in ("", event.get("action"))
    return own or bool(word_in(result, "target"))


def _deeds(events: Iterable[Event], changed: Iterable[Blow]) -> tuple[Deed, ...]:
    lost: Counter[tuple[int, str]] = Counter()
    felled: Counter[tuple[int, str]] = Counter()
    for loss in changed:
        if loss.by:
            lost[loss.n, loss.target] += loss.lost
            felled[loss.n, loss.target] += loss.felled
    degrees: dict[tuple[str, str, str], Counter[str]] = {}
    sums: dict[tuple[str, str, str], list[int]] = {}
    for event in events:
        for result in results_of(event):
            if not _is_deed(event, result):
                continue
            action = word_in(result, "action") or word_in(event, "action")
            key = (word_in(result, "actor"), action, word_in(result, "target"))
            degrees.setdefault(key, Counter())[word_in(result, "degree")] += 1
            change = lost[event["n"], subject_of(result)] if key[2] else 0
            total = sums.setdefault(key, [0, 0, 0])
            total[0] += max(0, change)
            total[1] += max(0, -change)
            total[2] += felled[event["n"], subject_of(result)] if key[2] else 0
    return tuple(
        Deed(*key, found.total(), tuple((word, often) for word, often in found.items() if word), *sums[key])
        for key, found in degrees.items()
    )


def _luck(events: Iterable[Event]) -> tuple[Luck, ...]:
    fallen: dict[tuple[str, int], Counter[int]] = {}
    for _, die in _dice(events):
        fallen.setdefault((word_in(die, "of"), die["sides"]), Counter())[die["face"]] += 1
    return tuple(Luck(of, sides, faces) for (of, sides), faces in fallen.items())


def _edges(events: Iterable[Event]) -> Iterator[EdgeRoll]:
    for event, die in _dice(events):
        sides, face = die["sides"], die["face"]
        if sides >= _TOLD_SIDES and face in (1, sides):
            owner, why = word_in(die, "of"), word_in(die, "why")
            yield EdgeRoll(event["n"], round_of(event), owner, sides, face, why)


def _dice(events: Iterable[Event]) -> Iterator[tuple[Event, Mapping[str, int]]]:
    """Each die of these events; one without its figures, such as a hand may have written, is left out."""
    for event in events:
        for die in tables_in(event, "rolls"):
            if type(die.get("sides")) is int and type(die.get("face")) is int and die["sides"] > 0:
                yield event, die


def _turns(events: Iterable[Event], stands: set[int]) -> Iterator[TurnSpan]:
    """The turns in order. What was undone within a turn took its time, too."""
    who: str | None = None
    times: list[str] = []
    for event in events:
        times.append(word_in(event, "time"))
        if event["n"] not in stands:
            continue
        for change in changes_of(event):
            if not change.who and change.field == "turn":
                if who:
                    yield TurnSpan(who, tuple(times))
                who, times = change.after, times[-1:]
    if who and len(times) > 1:
        yield TurnSpan(who, tuple(times))
