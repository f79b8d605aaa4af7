"""The commands `delay`, `return` and `order`, and leaving the order."""

from collections.abc import Iterable, Sequence

from systems.commands.initiative import place_by_initiative
from systems.commands.reactions import end_offers
from systems.commands.readiness import act_as_ready
from systems.commands.transaction import Transaction
from systems.commands.turns import begin_next_turn, running
from systems.contract.marked_text import as_actor, possessive
from systems.encounter.lookup import arrived, single, targets
from systems.encounter.model import FOREVER, Combatant, CombatantState, Encounter
from systems.encounter.schedule import can_have_turn, next_delayed, next_in_round
from systems.errors import Refused
from systems.schema.fields import fields_of
from systems.schema.types import Whole
from systems.text import listed, plain_number


def leave_order(transaction: Transaction, ids: Iterable[str], *, waits: bool = False) -> None:
    """Take combatants out of the order, for good or to wait. If one of them has the turn, it passes on."""
    gone = set(ids)
    progress = transaction.encounter.progress
    if progress.interrupted in gone:
        # The extra turn continues, although it no longer interrupts another turn.
        transaction.encounter = transaction.encounter.with_progress(interrupted=progress.turn)
    # The place in the order decides who is next, so the turn passes on before the place is given up.
    absent = {"waits": True} if waits else {"arrives": FOREVER}
    transaction.put(*(transaction.combatant(who).with_state(**absent) for who in gone))
    if progress.turn in gone:
        end_offers(transaction, progress.turn)
        if running(transaction.encounter):
            begin_next_turn(transaction, excluding=gone)
        else:
            transaction.encounter = transaction.encounter.with_progress(turn=None, interrupted=None)
    # If nobody else can act, a delaying combatant has its turn back by now.
    gone = {
        who
        for who in gone
        if transaction.combatant(who).state.waits or transaction.combatant(who).state.arrives
    }
    order = tuple(who for who in transaction.encounter.progress.order if who not in gone)
    transaction.encounter = transaction.encounter.with_progress(order=order)


def delay(transaction: Transaction, who: str) -> None:
    """Delay a combatant's turn. Raises Refused outside a fight and for a combatant without a turn."""
    combatant = transaction.combatant(who)
    if not running(transaction.encounter):
        raise Refused("a turn can only be delayed during a fight")
    if combatant.state.waits:
        raise Refused(f"{combatant.name} waits already")
    arrived(combatant)
    if not can_have_turn(transaction.encounter, who):
        raise Refused(
            f"{combatant.name} is {transaction.encounter.status(combatant).name} and has no turn to delay"
        )
    number = transaction.encounter.progress.round
    if into_next := _is_last_in_sight(transaction.encounter, combatant):
        # The next combatants are hidden. Without this, the players would get a second turn in the same round.
        transaction.put(combatant.with_state(done=number))
    transaction.say(
        f"{as_actor(combatant.name)} waits{f' into round {number + 1}' if into_next else ''}.", [who]
    )
    leave_order(transaction, [who], waits=True)


def _is_last_in_sight(encounter: Encounter, combatant: Combatant) -> bool:
    """Return whether the round, as far as this combatant's side can see, ends when it delays."""
    progress = encounter.progress
    unseen = {other.id for other in encounter if combatant.in_sight and not other.in_sight}
    excluding = {combatant.id, *unseen}
    others = any(who not in excluding and can_have_turn(encounter, who) for who in progress.order)
    is_due = next_in_round(encounter, excluding) or next_delayed(encounter, excluding)
    return others and not is_due and not progress.interrupted


def check_can_return(combatant: Combatant) -> None:
    """Raise Refused unless the combatant delays its turn or has readied an action."""
    if not combatant.state.waits and not combatant.state.ready:
        raise Refused(f"{combatant.name} has neither delayed its turn nor readied an action")


def return_to_order(transaction: Transaction, who: str) -> None:
    """Return a delaying combatant to the order after the current turn, and use its readied action.

    Raises Refused if it neither delays nor has readied an action.
    """
    combatant = transaction.combatant(who)
    check_can_return(combatant)
    if transaction.encounter.progress.over:
        raise Refused("the fight is over; undo brings it back")
    act_as_ready(transaction, who)
    if not combatant.state.waits:
        return
    combatant = transaction.combatant(who)
    transaction.put(combatant.with_state(waits=False))
    progress = transaction.encounter.progress
    order = [member for member in progress.order if member != who]
    others_turn = _other_sides_turn(transaction.encounter, combatant)
    after = _last_of_side(transaction.encounter, combatant.side, order) if others_turn else progress.present
    order.insert(order.index(after) + 1 if after in order else len(order), who)
    transaction.encounter = transaction.encounter.with_progress(order=tuple(order))
    _tell_return(transaction, who, others_turn)


def _tell_return(transaction: Transaction, who: str, others_turn: bool) -> None:
    """Report that a delaying combatant is back in the order, and its place there."""
    combatant, progress = transaction.combatant(who), transaction.encounter.progress
    back = f"{as_actor(combatant.name)} is back in the order"
    place = progress.order.index(who)
    if not others_turn and place:
        before = transaction.combatant(progress.order[place - 1])
        earlier = map(transaction.combatant, reversed(progress.order[:place]))
        # Players read the place among the combatants they see. A separate sentence gives the real one.
        if (seen := next((other for other in earlier if other.in_sight), None)) is not None:
            transaction.say(f"{back}, after {seen.name}.", [who, seen.id])
        else:
            transaction.say(f"{back}.", [who])
        if seen is not before:
            transaction.say(f"{combatant.name} comes after {before.name}.", [who, before.id])
        return
    transaction.say(f"{back}.", [who])
    if others_turn and combatant.state.done < progress.round:
        whose = progress.side or "others"
        transaction.say(
            f"{possessive(combatant.name)} turn comes when the {whose} are done.",
            [who, progress.present or who],
        )


def _other_sides_turn(encounter: Encounter, combatant: Combatant) -> bool:
    """Return whether the style is sides and another side has the turn; all its members act first."""
    progress = encounter.progress
    return encounter.style == "sides" and bool(progress.turn) and progress.side != combatant.side


def _last_of_side(encounter: Encounter, side: str, order: Sequence[str]) -> str | None:
    return next((who for who in reversed(order) if encounter.combatants[who].side == side), None)


def move(transaction: Transaction, who: str, beside: str, after: bool) -> None:
    """Place one combatant before or after another for the rest of the fight.

    Raises Refused if they are the same.
    """
    combatant, other = transaction.combatant(who), transaction.combatant(beside)
    if who == beside:
        raise Refused(f"{combatant.name} cannot be placed before or after itself; name another combatant")
    for moved in (combatant, other):
        check_ordered(moved)
    order = [member for member in whole_order(transaction.encounter) if member != who]
    order.insert(order.index(beside) + after, who)
    transaction.encounter = transaction.encounter.with_progress(order=tuple(order), ordered=True)
    transaction.say(f"{combatant.name} comes {'after' if after else 'before'} {other.name}.", [who, beside])


def set_totals(transaction: Transaction, totals: Sequence[tuple[str, int]]) -> None:
    """Set initiative scores that were rolled outside the program, before the fight begins. Raises Refused."""
    encounter, scores = transaction.encounter, fields_of(CombatantState)["initiative"].type
    assert isinstance(scores, Whole)
    if totals and encounter.style != "initiative":
        raise Refused("this fight does not use initiative; start it without numbers")
    if totals and encounter.progress.round:
        raise Refused(f"the fight has begun already; it is round {encounter.progress.round}")
    found: dict[str, int] = {}
    for word, value in totals:
        combatant = encounter.combatants[single(encounter, word).id]
        arrived(combatant)
        if combatant.id in found:
            raise Refused(f"{combatant.name} is given twice; give one score each")
        if not scores.low <= value <= scores.high:
            raise Refused(f"an initiative score must be {scores.expected}")
        found[combatant.id] = value
        transaction.put(combatant.with_state(initiative=value))
    if found:
        transaction.record(targets=found, totals=[*found.values()])


def set_surprised(transaction: Transaction, words: Sequence[str]) -> tuple[str, ...]:
    """Return the ids of the surprised before the fight begins, and report them. Raises Refused."""
    encounter = transaction.encounter
    if not words:
        return ()
    if encounter.style != "initiative" or encounter.initiative.surprised is None:
        raise Refused(f"{encounter.game.title} has no rule for surprise at this table")
    ids = targets(encounter, ",".join(words))
    for who in ids:
        arrived(encounter.combatants[who])
        if encounter.combatants[who].state.initiative is not None:
            raise Refused(f"{encounter.combatants[who].name} has an initiative already and rolls none")
    transaction.record(surprised=[*ids])
    for group in transaction.in_sight(ids):
        names = [transaction.combatant(who).name for who in group]
        transaction.say(f"{listed(names)} {'is' if len(group) == 1 else 'are'} surprised.", group)
    return ids


def set_value(transaction: Transaction, who: str, value: int) -> None:
    """Set an initiative score, or in styles without scores the place in the order. Raises Refused."""
    combatant = transaction.combatant(who)
    if transaction.encounter.style == "initiative":
        scores = fields_of(CombatantState)["initiative"].type
        assert isinstance(scores, Whole)
        if not scores.low <= value <= scores.high:
            raise Refused(f"an initiative score must be {scores.expected}")
        transaction.put(combatant.with_state(initiative=value))
        if transaction.encounter.progress.round and who in transaction.encounter.progress.order:
            place_by_initiative(transaction, who)
        transaction.say(f"{combatant.name} has initiative {plain_number(value)}.", [who])
        return
    check_ordered(combatant)
    order = [member for member in whole_order(transaction.encounter) if member != who]
    order.insert(max(0, min(value - 1, len(order))), who)
    transaction.encounter = transaction.encounter.with_progress(order=tuple(order), ordered=True)
    transaction.say(f"{combatant.name} comes {_nth(order.index(who) + 1)} in the order.", [who])


def _nth(place: int) -> str:
    """Return `1st`, `2nd`, `11th`."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def check_ordered(combatant: Combatant) -> None:
    """Raise Refused if a combatant has no place in the order now."""
    arrived(combatant)
    if combatant.state.waits:
        raise Refused(f"{combatant.name} waits and has no place in the order until it returns")


def whole_order(encounter: Encounter) -> tuple[str, ...]:
    """Return the order; before the fight the players and then the others, as they joined."""
    if encounter.progress.round:
        return encounter.progress.order
    here = [
        combatant.id
        for combatant in sorted(encounter, key=lambda combatant: not encounter.is_player(combatant))
        if not combatant.state.arrives
    ]
    return (*encounter.progress.order, *(who for who in here if who not in encounter.progress.order))
