"""Undo and redo over the events of a fight.

Events are never erased: undo is an event that reverses the changes of others. The events of a batch are
undone together. Events of seats between them stay in force, so a stack may have gaps. An amendment is a
command that carries newer versions of earlier events, `replaced`, and the numbers of events that no longer
happened, `dropped`. Both apply as long as the amendment is in force.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile
from typing import NamedTuple, overload

from systems.encounter.changes import apply_all, taken_back, value_at
from systems.encounter.events import Event as Event
from systems.encounter.model import Encounter
from systems.errors import Refused, Wrong
from systems.frozen import evolve, frozen

# By number: the newer version of an event, or None if an amendment dropped it.
Amended = Mapping[int, Event | None]
AMEND = "amend"
# In an event of the game master's own table, this is who asked for it.
TABLE = ("", "gm")
NumberRange = tuple[int, int]  # the first and the last of consecutive numbers


class _EventSequence(Sequence[Event]):
    """Events in order. A slice is a view that looks them up when they are needed."""

    __slots__ = ()

    @overload
    def __getitem__(self, at: int) -> Event: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Event]: ...
    def __getitem__(self, at: int | slice) -> Event | Sequence[Event]:
        return EventsView(self, range(*at.indices(len(self)))) if isinstance(at, slice) else self._at(at)

    @abstractmethod
    def _at(self, at: int) -> Event: ...


class Events(_EventSequence):
    """The events of a log, oldest first. A longer log shares the memory of the log it continues.

    `past`: the first events, in any kind of sequence that never changes. `since`: the later events.
    """

    __slots__ = ("_length", "_past", "_since")

    def __init__(self, past: Sequence[Event] = (), since: Iterable[Event] = ()) -> None:
        self._past = past
        self._since = list(since)
        self._length = len(past) + len(self._since)

    def __len__(self) -> int:
        return self._length

    def _at(self, at: int) -> Event:
        if not -self._length <= at < self._length:
            raise IndexError(at)
        at %= self._length
        old = len(self._past)
        return self._past[at] if at < old else self._since[at - old]

    def followed_by(self, event: Event) -> "Events":
        """Return these events and one more.

        The longest log is extended in place, any other is copied first.
        """
        longer = Events.__new__(Events)
        since = self._length - len(self._past)
        longer._past = self._past
        longer._since = self._since if len(self._since) == since else self._since[:since]
        longer._since.append(event)
        longer._length = self._length + 1
        return longer


class EventsView(_EventSequence):
    """A view of a slice of events."""

    __slots__ = ("_events", "_places")

    def __init__(self, events: Sequence[Event], places: range) -> None:
        self._events, self._places = events, places

    def __len__(self) -> int:
        return len(self._places)

    def _at(self, at: int) -> Event:
        return self._events[self._places[at]]


class AmendedEvents(_EventSequence):
    """The events of a log, with amended events replaced by their newer versions."""

    __slots__ = ("_amended", "_events")

    def __init__(self, events: Sequence[Event], amended: Amended) -> None:
        self._events, self._amended = events, amended

    def __len__(self) -> int:
        return len(self._events)

    def _at(self, at: int) -> Event:
        event = self._events[at]
        return self._amended.get(event.n) or event


class EventStack(NamedTuple):
    """An immutable stack of event numbers. Pushing takes the same time at any height.

    Consecutive numbers are stored as one run from `first` to `top`. `height` counts all numbers.
    """

    first: int
    top: int
    below: "EventStack | None"
    height: int

    def __repr__(self) -> str:
        return f"EventStack of {self.height}, event {self.top} on top"

    def down(self) -> Iterator[int]:
        """Yield the numbers from top to bottom."""
        pile: EventStack | None = self
        while pile is not None:
            yield from range(pile.top, pile.first - 1, -1)
            pile = pile.below


def _put(pile: EventStack | None, number: int) -> EventStack:
    if pile is None:
        return EventStack(number, number, None, 1)
    if pile.top + 1 == number:
        return EventStack(pile.first, number, pile.below, pile.height + 1)
    return EventStack(number, number, pile, pile.height + 1)


def _taken(pile: EventStack) -> EventStack | None:
    """Return the stack without its top."""
    if pile.first == pile.top:
        return pile.below
    return EventStack(pile.first, pile.top - 1, pile.below, pile.height - 1)


def _upwards(pile: EventStack | None) -> tuple[int, ...]:
    return () if pile is None else tuple(pile.down())[::-1]


def _runs(pile: EventStack | None) -> list[NumberRange]:
    """Return a stack as plain data, bottom first."""
    found: list[NumberRange] = []
    while pile is not None:
        found.append((pile.first, pile.top))
        pile = pile.below
    return found[::-1]


def _pile(runs: Iterable[NumberRange]) -> EventStack | None:
    pile: EventStack | None = None
    for first, top in runs:
        pile = EventStack(first, top, pile, top - first + 1 + (pile.height if pile else 0))
    return pile


@frozen
class HistoryState:
    """The events in force and the undone events among the first `count`, as plain data.

    `amends`: the numbers of the amendments in force, oldest first.
    """

    count: int = 0
    stands: Sequence[NumberRange] = ()
    gone: Sequence[NumberRange] = ()
    amends: Sequence[int] = ()


NOTHING_KNOWN = HistoryState()


@frozen(eq=False)
class History:
    """The events of a fight: those in force, and the undone ones that can be redone.

    `stands`: the events in force. `gone`: the undone events. `amends`: the numbers of the amendments in
    force. `amended`: the newer versions of events.
    """

    events: Events = Events()
    stands: EventStack | None = None
    gone: EventStack | None = None
    amends: tuple[int, ...] = ()
    amended: Amended = {}

    @property
    def standing(self) -> tuple[int, ...]:
        """Return the numbers of the events in force, newest last, without the dropped ones."""
        return tuple(n for n in _upwards(self.stands) if self.amended.get(n, n) is not None)

    def standing_since(self, first: int, count: int | None = None) -> set[int]:
        """Return the numbers in `standing` that are not below `first`.

        `count`: as of a time when the log had this many events, by default all of them.
        """
        newest = () if self.stands is None else self.stands.down()
        numbers = takewhile(lambda n: n >= first, newest)
        found = {n for n in numbers if self.amended.get(n, n) is not None}
        if count is None:
            return found
        for event in reversed(self.events[count:]):
            refs = [number for number in event.refs if first <= number <= count]
            match event.kind:
                case "undo":
                    found.update(refs)
                case "redo":
                    found.difference_update(refs)
                case _:
                    found.discard(event.n)
        return found

    def with_standing(self, number: int) -> "History":
        """Return the history with the event of that number in force, on top of the others."""
        return evolve(self, stands=_put(self.stands, number))

    def is_replaced(self, number: int) -> bool:
        """Return whether an event is an amendment or was dropped by one."""
        return number in self.amends or self.amended.get(number, number) is None

    @property
    def as_amended(self) -> Sequence[Event]:
        """Return all events, amended ones in their newer versions."""
        return AmendedEvents(self.events, self.amended) if self.amended else self.events

    @property
    def undone(self) -> tuple[int, ...]:
        """Return the numbers of the events that can be redone, the next one last."""
        return _upwards(self.gone)

    @property
    def known(self) -> HistoryState:
        """Return a summary that spares `history` reading these events again."""
        return HistoryState(len(self.events), _runs(self.stands), _runs(self.gone), self.amends)

    def event(self, number: int) -> Event:
        """Return the event of that number. Raises Refused if the log has none."""
        if not 1 <= number <= len(self.events):
            raise Refused(f"the log holds no event {number}")
        return self.events[number - 1]

    def newest(self) -> Iterator[Event]:
        """Yield the events in force, newest first, in their amended versions and without the amendments."""
        numbers = iter(()) if self.stands is None else self.stands.down()
        if not self.amended:
            yield from map(self.event, numbers)
            return
        events, amended = self.events, self.amended
        for number in numbers:
            event = amended[number] if number in amended else events[number - 1]
            if event is not None and number not in self.amends:
                yield event

    def after(self, number: int) -> Iterator[Event]:
        """Yield the events in force after the event of that number, oldest first, in the form of `newest`.

        Only those are read that are asked for.
        """
        runs: list[EventStack] = []
        pile = self.stands
        while pile is not None and pile.top > number:
            runs.append(pile)
            pile = pile.below
        for run in reversed(runs):
            for n in range(max(run.first, number + 1), run.top + 1):
                event = self.amended[n] if n in self.amended else self.events[n - 1]
                if event is not None and n not in self.amends:
                    yield event


def in_both(stack: EventStack | None, other: EventStack | None) -> int:
    """Return the highest number up to which two stacks hold the same numbers.

    Stacks of the same fight share what lies below their difference, so little is read.
    """
    found: int | None = None
    while stack is not other:
        if stack is not None and other is not None and stack.first == other.first:
            if found is None or stack.top != other.top:
                found = min(stack.top, other.top)
            stack, other = stack.below, other.below
            continue
        found = None
        if other is None or (stack is not None and stack.first > other.first):
            stack = stack.below if stack is not None else None
        else:
            other = other.below
    if found is not None:
        return found
    return 0 if stack is None else stack.top


def history(events: Sequence[Event], known: HistoryState = NOTHING_KNOWN) -> History:
    """Return the history of a log. Raises Wrong if its numbers do not fit together.

    `known`: a summary of its first events, so that only the later ones are read.
    """
    stands, gone = _pile(known.stands), _pile(known.gone)
    amends: Sequence[int] = tuple(known.amends)
    for at in range(known.count, len(events)):
        stands, gone = _advanced(stands, gone, events[at], at + 1)
        amends = _amends(amends, events[at], events)
    held = events if isinstance(events, Events) else Events(events)
    return History(held, stands, gone, tuple(amends), _amended(events, amends))


def extended(before: History, event: Event) -> History:
    """Return the history with one more event."""
    stands, gone = _advanced(before.stands, before.gone, event, len(before.events) + 1)
    events = before.events.followed_by(event)
    amends = tuple(_amends(before.amends, event, events))
    amended = before.amended if amends == before.amends else _amended(events, amends)
    return History(events, stands, gone, amends, amended)


def before_event(before: History, number: int, amended: Amended) -> History:
    """Return the history before an event in force, with these newer versions of events."""
    stands = before.stands
    while stands is not None and stands.top >= number:
        stands = _taken(stands)
    amends = tuple(n for n in before.amends if n < number)
    return evolve(before, stands=stands, gone=None, amends=amends, amended=amended)


def _amends(amends: Sequence[int], event: Event, events: Sequence[Event]) -> Sequence[int]:
    """Return the numbers of the amendments in force after an event."""
    match event.kind:
        case "undo" if amends:
            return tuple(number for number in amends if number not in event.refs)
        case "redo":
            again = [n for n in event.refs if events[n - 1].command == AMEND]
            return (*amends, *again)
    return (*amends, event.n) if event.command == AMEND else amends


def _amended(events: Sequence[Event], amends: Sequence[int]) -> Amended:
    """Return the newer versions of events from the amendments, of which the newest counts."""
    found: dict[int, Event | None] = {}
    for number in amends:
        event = events[number - 1]
        found |= dict.fromkeys(event.dropped)
        found |= {replaced.n: replaced for replaced in event.replaced}
    return found


def _advanced(
    stands: EventStack | None, gone: EventStack | None, event: Event, number: int
) -> tuple[EventStack | None, EventStack | None]:
    if event.n != number:
        raise Wrong("n", f"expected {number}, got {event.n}")
    match event.kind:
        case "undo":
            return _moved(stands, gone, event)
        case "redo":
            gone, stands = _moved(gone, stands, event)
            return stands, gone
    return _put(stands, number), None


def _moved(
    source: EventStack | None, into: EventStack | None, event: Event
) -> tuple[EventStack | None, EventStack | None]:
    """Move the events that `event` refers to from one stack to the other. Raises Wrong.

    The events in force stay in the order of their numbers. An undone batch may lie below other events.
    """
    for n in event.refs:
        above: list[int] = []
        while event.batch and event.kind == "undo" and source is not None and source.top > n:
            above.append(source.top)
            source = _taken(source)
        if source is None or source.top != n:
            raise Wrong("refs", f"event {event.n} names event {n}, which is not the next one")
        source = _with(_taken(source), above)
        into = _inserted(into, n) if event.kind == "redo" else _put(into, n)
    return source, into


def _with(pile: EventStack | None, above: Iterable[int]) -> EventStack | None:
    """Return the stack with these numbers put back on it. `above`: from top to bottom."""
    for number in reversed([*above]):
        pile = _put(pile, number)
    return pile


def _inserted(pile: EventStack | None, number: int) -> EventStack | None:
    """Return the stack with a number in the order of the numbers."""
    above: list[int] = []
    while pile is not None and pile.top > number:
        above.append(pile.top)
        pile = _taken(pile)
    return _with(_put(pile, number), above)


def encounter_after(
    encounter: Encounter,
    log: History,
    number: int,
    counting: Callable[[Iterable[Event]], Iterable[Event]] = iter,
) -> Encounter:
    """Return the encounter after the event of that number, or after the opening for 0, as amended.

    `encounter`: the current state, at the end of the log. `counting`: wraps the events to take back, to
    count them.
    """
    if log.amended and (number == 0 or number in log.standing_since(number)) and number not in log.amends:
        after = takewhile(lambda event: event.n > number, log.newest())
        return taken_back(encounter, counting(after))
    later = range(len(log.events), number, -1)
    return taken_back(encounter, counting(map(log.event, later)))


@frozen
class Steps:
    """What an undo or a redo leads to: the encounter, and the numbers of the events that it concerns.

    The numbers are in the order in which the events are taken back or applied. `batch`: see Event.batch.
    """

    after: Encounter
    refs: Sequence[int]
    batch: int = 0


def undo(encounter: Encounter, log: History, number: int) -> Steps:
    """Undo the newest `number` commands, or the newest batch if `number` is 1 and the newest command has one.

    Raises Refused if there are fewer commands, or if an event between those of the batch depends on them.
    """
    if log.stands is None:
        raise Refused("there is nothing to undo; this is the opening")
    if number > log.stands.height:
        raise Refused(f"only {log.stands.height} can be undone")
    if number == 1 and (batch := log.event(log.stands.top).batch):
        return _without_batch(encounter, log, batch)
    refs = list(islice(log.stands.down(), number))
    return Steps(taken_back(encounter, map(log.event, refs)), refs)


def _without_batch(encounter: Encounter, log: History, batch: int) -> Steps:
    """Undo the events of a batch, which are the newest. Other events between them stay if they can.

    Those of the table that depend on the batch are undone, too. Raises Refused for those of a seat.
    """
    newest = [] if log.stands is None else [*takewhile(lambda n: n >= batch, log.stands.down())]
    here = taken_back(encounter, map(log.event, newest))
    refs: list[int] = []
    for n in reversed(newest):
        event = log.event(n)
        if event.batch == batch:
            refs.append(n)
        elif _fits(here, event):
            here = apply_all(here, [event])
        elif event.who in TABLE:
            refs.append(n)
        else:
            raise Refused(
                f"event {n} of {event.who} depends on these {len(newest)} commands; "
                f"undo {len(newest)} undoes them all"
            )
    return Steps(here, refs[::-1], batch)


def _fits(encounter: Encounter, event: Event) -> bool:
    """Return whether an event still finds the values that it changed when it happened."""
    return all(
        (not change.who or not change.field or change.who in encounter.combatants)
        and value_at(encounter, change.who, change.field) == change.before
        for change in event.changes
    )


def redo(encounter: Encounter, log: History, number: int) -> Steps:
    """Redo the last `number` undone commands, or the batch of the last one if `number` is 1.

    Raises Refused if there are fewer.
    """
    if log.gone is None:
        raise Refused("there is nothing to redo")
    if number > log.gone.height:
        raise Refused(f"only {log.gone.height} can be redone")
    batch, many = _undone_with(log, log.gone) if number == 1 else (0, number)
    refs = list(islice(log.gone.down(), many))
    return Steps(apply_all(encounter, map(log.event, refs)), refs, batch)


def _undone_with(log: History, gone: EventStack) -> tuple[int, int]:
    """Return the batch as which the next event to redo was undone, or 0, and the number of its events."""
    for event in reversed(log.events):
        if event.kind == "undo" and gone.top in event.refs:
            refs = list(islice(gone.down(), len(event.refs)))
            return (event.batch, len(refs)) if event.batch and refs == [*event.refs[::-1]] else (0, 1)
    return 0, 1
