"""The commands `delay`, `return` and `order`, and leaving the order."""

from collections.abc import Iterable

from systems.commands.initiative import place_by_initiative
from systems.commands.reactions import end_offers
from systems.commands.transaction import Transaction
from systems.commands.turns import begin_next_turn, running
from systems.encounter.model import FOREVER, Combatant, CombatantState, Encounter
from systems.encounter.schedule import can_have_turn
from systems.errors import Refused
from systems.schema.fields import fields_of
from systems.schema.types import Whole
from systems.text import plain_number


def leave_order(play: Transaction, ids: Iterable[str], *, waits: bool = False) -> None:
    """Take combatants out of the order, for good or to wait; whose turn it is passes it on."""
    gone = set(ids)
    progress = play.encounter.progress
    if progress.interrupted in gone:
        # An extra turn stays one, though it interrupts nobody now.
        play.encounter = play.encounter.with_progress(interrupted=progress.turn)
    # The place in the order decides who is next, so the turn passes on before it is given up.
    absent = {"waits": True} if waits else {"arrives": FOREVER}
    play.put(*(play.combatant(who).with_state(**absent) for who in gone))
    if progress.turn in gone:
        end_offers(play, progress.turn)
        if running(play.encounter):
            begin_next_turn(play, besides=gone)
        else:
            play.encounter = play.encounter.with_progress(turn=None, interrupted=None)
    # Where nobody else can act, who waits has its turn back by now.
    gone = {who for who in gone if play.combatant(who).state.waits or play.combatant(who).state.arrives}
    order = tuple(who for who in play.encounter.progress.order if who not in gone)
    play.encounter = play.encounter.with_progress(order=order)


def delay(play: Transaction, who: str) -> None:
    """Delay a combatant's turn. Raises Refused outside a fight and for a combatant without a turn."""
    combatant = play.combatant(who)
    if not running(play.encounter):
        raise Refused("nobody can wait outside a fight")
    if combatant.state.waits:
        raise Refused(f"{combatant.name} waits already")
    _check_here(combatant)
    if not can_have_turn(play.encounter, who):
        raise Refused(
            f"{combatant.name} is {play.encounter.status(combatant).name} and has no turn to wait with"
        )
    play.say(f"{combatant.name} waits.", [who])
    number = play.encounter.progress.round
    leave_order(play, [who], waits=True)
    if play.encounter.progress.round > number:
        play.say(f"{combatant.name} waits into round {play.encounter.progress.round}.", [who])


def return_to_order(play: Transaction, who: str) -> None:
    """Return a delaying combatant to the order after the present turn. Raises Refused if it does not wait."""
    combatant = play.combatant(who)
    if not combatant.state.waits:
        raise Refused(f"{combatant.name} does not wait")
    if play.encounter.progress.over:
        raise Refused("the fight is over; undo brings it back")
    play.put(combatant.with_state(waits=False))
    progress = play.encounter.progress
    order = [member for member in progress.order if member != who]
    order.insert(order.index(progress.present) + 1 if progress.present in order else len(order), who)
    play.encounter = play.encounter.with_progress(order=tuple(order))
    play.say(f"{combatant.name} is back in the order.", [who])
    if place := order.index(who):
        play.say(
            f"{combatant.name} comes after {play.combatant(order[place - 1]).name}.", [who, order[place - 1]]
        )


def move(play: Transaction, who: str, beside: str, after: bool) -> None:
    """Place one combatant before or after another, for good. Raises Refused if they are the same."""
    combatant, other = play.combatant(who), play.combatant(beside)
    if who == beside:
        raise Refused(f"{combatant.name} cannot stand before or after itself")
    for moved in (combatant, other):
        _check_ordered(moved)
    order = [member for member in _whole_order(play.encounter) if member != who]
    order.insert(order.index(beside) + after, who)
    play.encounter = play.encounter.with_progress(order=tuple(order), ordered=True)
    play.say(f"{combatant.name} comes {'after' if after else 'before'} {other.name}.", [who, beside])


def set_value(play: Transaction, who: str, value: int) -> None:
    """Set an initiative score, or the place in the order in styles without scores. Raises Refused."""
    combatant = play.combatant(who)
    if play.encounter.style == "initiative":
        scores = fields_of(CombatantState)["initiative"].type
        assert isinstance(scores, Whole)
        if not scores.low <= value <= scores.high:
            raise Refused(f"an initiative score is {scores.expected}")
        play.put(combatant.with_state(initiative=value))
        if play.encounter.progress.round and who in play.encounter.progress.order:
            place_by_initiative(play, who)
        play.say(f"{combatant.name} has initiative {plain_number(value)}.", [who])
        return
    _check_ordered(combatant)
    order = [member for member in _whole_order(play.encounter) if member != who]
    order.insert(max(0, min(value - 1, len(order))), who)
    play.encounter = play.encounter.with_progress(order=tuple(order), ordered=True)
    play.say(f"{combatant.name} comes {_nth(order.index(who) + 1)} in the order.", [who])


def _nth(place: int) -> str:
    """Return `1st`, `2nd`, `11th`."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def _check_here(combatant: Combatant) -> None:
    """Raise Refused if a combatant is still to arrive."""
    if combatant.state.arrives:
        raise Refused(f"{combatant.name} arrives in round {combatant.state.arrives}")


def _check_ordered(combatant: Combatant) -> None:
    """Raise Refused if a combatant has no place in the order now."""
    _check_here(combatant)
    if combatant.state.waits:
        raise Refused(f"{combatant.name} waits; return {combatant.id} first")


def _whole_order(encounter: Encounter) -> tuple[str, ...]:
    """Return the order; before the fight everybody as they joined, the players first."""
    if encounter.progress.round:
        return encounter.progress.order
    here = [
        combatant.id
        for combatant in sorted(encounter, key=lambda combatant: not encounter.is_player(combatant))
        if not combatant.state.arrives
    ]
    return (*encounter.progress.order, *(who for who in here if who not in encounter.progress.order))
