"""The command `back`: return to the turn before, and keep later changes."""

from collections.abc import Mapping
from typing import Any

from systems.commands.declaration import CommandKind, HistoryStep
from systems.commands.effects import sync_conditions
from systems.contract.marked_text import possessive
from systems.encounter.amendment import names_ever
from systems.encounter.changes import Change, patch, reverse, value_at
from systems.encounter.events import Event, Sentence
from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.encounter.tags import lasts
from systems.errors import Refused, Wrong
from systems.frozen import evolve, frozen
from systems.language.intents import Intent


@frozen
class Back(Intent):
    """Step back to the previous turn."""


# These fields return to their earlier values, whatever passed the turn on since.
TURN_FIELDS = ("turn", "round", "side", "interrupted", "offers")


def back(encounter: Encounter, log: History) -> tuple[Encounter, list[int], list[Sentence]]:
    """Return the encounter before the last `next` but with later changes, the event's number, and the
    sentences.

    A `delay` that passed the turn on counts like a `next`. Raises Refused if there is no earlier turn, or its
    combatant has left.
    """
    if encounter.progress.over:
        raise Refused("the fight is over; undo brings it back")
    event = _last_passed(log)
    if event is None:
        raise Refused("this is the first turn; there is none to go back to")
    turn = event.turn or None
    if turn is not None and turn not in encounter.combatants:
        left = names_ever(encounter, log).get(turn, turn)
        raise Refused(
            f"the previous turn was {possessive(left)}, but {left} has left the fight; undo brings both back"
        )
    changes = reverse(event.changes)
    found = encounter
    for change in changes:
        found = undone(found, change)
    for who in dict.fromkeys(change.who for change in changes):
        if who in found.combatants:
            found = found.with_combatants(sync_conditions(found, found.combatants[who]))
    found = _at_that_turn(found, event, changes)
    named = f"it is {possessive(found.turn.name)} turn again" if found.turn else "it is nobody's turn"
    about = (found.turn.id,) if found.turn else ()
    number = found.progress.round
    # The sentence belongs to the round that it returns to. Otherwise it would reveal a hidden turn between
    # the rounds.
    said = Sentence(f"Back: {named}, round {number}.", about, round=number)
    return found, [event.n], [said]


def _last_passed(log: History) -> Event | None:
    """Return the newest standing event that passed the turn on and was not stepped back over; or None."""
    stepped: set[int] = set()
    for event in log.newest():
        if event.kind == "back":
            stepped.update(event.refs)
        elif event.n not in stepped and passes_turn(event):
            return event
    return None


def passes_turn_on(event: Event) -> bool:
    """Return whether an event passed the turn on: `next`, `back`, or a combatant that gave up its place."""
    leaves = _gives_up_turn(event, "remove") or _gives_up_turn(event, "flee")
    return event.kind == "back" or passes_turn(event) or leaves


def passes_turn(event: Event) -> bool:
    """Return whether a `next` or a `delay` passed the turn on in this event."""
    return event.command == "next" or _gives_up_turn(event, "delay")


def _gives_up_turn(event: Event, command: str) -> bool:
    """Return whether this command passed the turn on because the combatant with the turn left the order."""
    moved = any(not change.who and change.field in ("turn", "round") for change in event.changes)
    return event.command == command and moved


def undone(encounter: Encounter, change: Change) -> Encounter:
    """Return the encounter after a reversed change, merged with later changes of the same field."""
    if (change.who == "" and change.field in TURN_FIELDS) or lasts(encounter, change):
        return encounter
    if change.who and change.who not in encounter.combatants:
        return encounter
    now = value_at(encounter, change.who, change.field)
    # The tracker's own numbers are not sums. Only values of the sheet keep later additions.
    own = bool(change.who) and not change.field.startswith("sheet.") and isinstance(now, int)
    after = change.after if own else restored(now, change.before, change.after)
    if change.who == "" and change.field == "order":
        after = [who for who in after or () if who in encounter.combatants]
    try:
        return patch(encounter, [evolve(change, before=now, after=after)])
    except Wrong:
        return encounter  # The field cannot hold the value, so it stays unchanged.


def _at_that_turn(encounter: Encounter, event: Event, changes: tuple[Change, ...]) -> Encounter:
    """Return the encounter with the turn, round, side, extra turn and offers from before the event."""
    found = {change.field: change for change in changes if change.who == "" and change.field in TURN_FIELDS}
    before = {name: change.after for name, change in found.items()}
    turn = event.turn or None
    left = found["turn"].before if "turn" in found else turn
    if "side" not in before and left != encounter.progress.turn:
        # The turn, and the side with it, has since passed on in another way.
        side = encounter.combatants[turn].side if turn else None
    else:
        side = before.get("side", encounter.progress.side)
    interrupted = before.get("interrupted")
    if interrupted and interrupted not in encounter.combatants:
        interrupted = turn  # It has left since. The extra turn continues and interrupts no other turn.
    encounter = encounter.with_progress(turn=turn, round=event.round, side=side, interrupted=interrupted)
    if "offers" not in before:
        return encounter
    here = {None, *encounter.combatants}
    offers = [
        offer
        for offer in before["offers"] or ()
        if {offer.get("by"), offer.get("target")} <= here and not _is_used(encounter, offer)
    ]
    return patch(encounter, [Change("", "offers", None, offers or None)])


def _is_used(encounter: Encounter, offer: Mapping[str, Any]) -> bool:
    """Return whether an offer is of a reaction that its owner has used since; it stays used."""
    owner, reaction = encounter.combatants.get(offer.get("by") or ""), offer.get("reaction")
    return bool(owner and reaction and encounter.game.spent_by(reaction) in owner.state.reacted)


# Merging a value


def restored(now: Any, left: Any, earlier: Any) -> Any:
    """Return the value without the event's change; numbers keep later additions, lists later members.

    `earlier`: the value before the event. `left`: the value after it. All are plain data; None means absent.
    """
    if now == left and type(now) is type(left):
        return earlier
    if left == earlier and type(left) is type(earlier):
        return now
    match now, left, earlier:
        case bool(), _, _:
            return now
        case int(), int(), int():
            return now + earlier - left
        case dict(), _, _ if _all_are(dict, left, earlier):
            return _restored_table(now, left or {}, earlier or {})
        case ((list() | None), _, _) if _all_are(list, now, left, earlier):
            return _restored_list(now or [], left or [], earlier or []) or None
    return now


def _all_are(kind: type, *values: Any) -> bool:
    return all(value is None or isinstance(value, kind) for value in values)


def _restored_table(now: dict[str, Any], left: dict[str, Any], earlier: dict[str, Any]) -> dict[str, Any]:
    names = dict.fromkeys((*now, *earlier))
    found = {name: restored(now.get(name), left.get(name), earlier.get(name)) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _restored_list(now: list[Any], left: list[Any], earlier: list[Any]) -> list[Any]:
    """Merge lists whose items are texts or have names; return any other list unchanged."""
    if not all(_name(item) for item in (*now, *left, *earlier)):
        return now
    left_by, earlier_by = ({_name(item): item for item in items} for items in (left, earlier))
    found = []
    for item in now:
        name = _name(item)
        untouched = item == left_by.get(name)
        if not untouched or name in earlier_by:
            found.append(earlier_by[name] if untouched else item)
    there = {_name(item) for item in found}
    for at, item in enumerate(earlier):
        if _name(item) not in left_by and _name(item) not in there:
            found.insert(_place(found, earlier[:at]), item)
    return found


def _place(found: list[Any], before: list[Any]) -> int:
    """Return the index after the nearest item that used to precede this one."""
    names = [_name(item) for item in found]
    return next((names.index(_name(item)) + 1 for item in reversed(before) if _name(item) in names), 0)


def _name(item: Any) -> str:
    """Return the text or the `name` that identifies an item, or "" if it has none."""
    return item if isinstance(item, str) else str(item.get("name", "")) if isinstance(item, dict) else ""


def _step(encounter: Encounter, log: History, intent: Back) -> HistoryStep:
    return HistoryStep("back", *back(encounter, log))


BACK = CommandKind(
    "back",
    ("back",),
    "step back to the previous turn",
    lambda taken: Back(),
    step=_step,
    blank=Back(),
    title=lambda described: "the step back",
)
