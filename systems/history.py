"""Undo, redo and back over the events of a fight.

An event is plain data with a number `n`, a `kind` (command, undo, redo or back), `refs` to other
events, and `changes`. Nothing is ever erased: undo is an event that takes the changes of others back.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from systems.changes import Change, patch, read_change, reverse, value_at
from systems.encounter import Encounter
from systems.kinds import Wrong
from systems.play import Refused

Event = Mapping[str, Any]


@attrs.frozen
class History:
    """The events of a fight, those that stand, those that were undone, and the turns to go back to.

    `standing` and `undone` are numbers of events, the newest last.
    """

    events: tuple[Event, ...] = ()
    standing: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()

    def event(self, number: int) -> Event:
        """The event of that number. Raises Refused when the log has none."""
        if not 1 <= number <= len(self.events):
            raise Refused(f"the log holds no event {number}")
        return self.events[number - 1]

    def turns(self) -> list[int]:
        """The `next` events that stand and were not stepped back over, the newest last."""
        found: list[int] = []
        for number in self.standing:
            event = self.event(number)
            if event.get("kind") == "back":
                found = [one for one in found if one not in event.get("refs", ())]
            elif event.get("verb") == "next":
                found.append(number)
        return found


def history(events: Sequence[Event]) -> History:
    """The history of a log."""
    standing: list[int] = []
    undone: list[int] = []
    for event in events:
        _advance(standing, undone, event)
    return History(tuple(events), tuple(standing), tuple(undone))


def extended(before: History, event: Event) -> History:
    """The history with one more event."""
    standing, undone = list(before.standing), list(before.undone)
    _advance(standing, undone, event)
    return History((*before.events, event), tuple(standing), tuple(undone))


def _advance(standing: list[int], undone: list[int], event: Event) -> None:
    refs = event.get("refs", ())
    match event.get("kind"):
        case "undo":
            for one in refs:
                standing.remove(one)
                undone.append(one)
        case "redo":
            for one in refs:
                undone.remove(one)
                standing.append(one)
        case _:
            standing.append(event["n"])
            undone.clear()


def undo(encounter: Encounter, log: History, number: int) -> tuple[Encounter, list[int], str]:
    """The encounter with the newest `number` commands taken back, their numbers, and a sentence."""
    if not log.standing:
        raise Refused("there is nothing to undo; this is the opening")
    if number > len(log.standing):
        raise Refused(f"only {len(log.standing)} commands can be undone")
    refs = list(reversed(log.standing[-number:]))
    changes = [change for one in refs for change in reverse(_changes(log.event(one)))]
    return patch(encounter, changes), refs, _named("Undone", log, refs)


def redo(encounter: Encounter, log: History, number: int) -> tuple[Encounter, list[int], str]:
    """The encounter with the last `number` undone commands done again."""
    if not log.undone:
        raise Refused("there is nothing to redo")
    if number > len(log.undone):
        raise Refused(f"only {len(log.undone)} commands can be redone")
    refs = list(reversed(log.undone[-number:]))
    changes = [change for one in refs for change in _changes(log.event(one))]
    return patch(encounter, changes), refs, _named("Redone", log, refs)


def back(encounter: Encounter, log: History) -> tuple[Encounter, list[int], str]:
    """The encounter with all that the last `next` did restored; what was done since then stays."""
    turns = log.turns()
    if not turns:
        raise Refused("this is the first turn; there is none to go back to")
    number = turns[-1]
    event = log.event(number)
    changes = _changes(event)
    # What was added or set by later commands stays: only what still is as `next` left it goes back,
    # and numbers that moved on keep what moved them.
    found = encounter
    for change in reverse(changes):
        found = _restored(found, change)
    turn = found.turn
    named = f"it is {turn.name}'s turn again" if turn else "the turn before again"
    return found, [number], f"Back: {named}, round {found.course.round}."


def _restored(encounter: Encounter, change: Change) -> Encounter:
    """One change of a turn taken back, minding what happened to the field since."""
    now = value_at(encounter, change.who, change.field)
    if now == change.before:
        return patch(encounter, [change])
    if change.who and change.who not in encounter.combatants:
        return encounter
    numbers = (now, change.before, change.after)
    if all(type(one) is int for one in numbers):
        moved = attrs.evolve(change, after=now + change.after - change.before)
        try:
            return patch(encounter, [moved])
        except Wrong:
            return encounter
    return encounter


def _changes(event: Event) -> tuple[Change, ...]:
    return tuple(read_change(one) for one in event.get("changes", ()))


def _named(word: str, log: History, refs: Sequence[int]) -> str:
    """`Undone: attack guard-1 by okado.`"""
    commands = [str(log.event(one).get("command", "")) for one in refs]
    named = "; ".join(commands[:4]) + (" …" if len(commands) > 4 else "")
    count = f" {len(refs)}" if len(refs) > 1 else ""
    return f"{word}{count}: {named}."
