"""The commands `start` and `next`: rounds, turns, extra turns."""

from collections.abc import Collection, Container, Sequence
from typing import Any

from systems.commands.beginning import begin_turn, comes_to, run_hook, turn_passes
from systems.commands.conditions import end_of_turn, start_of_round, start_of_turn
from systems.commands.effects import sync_conditions
from systems.commands.initiative import join_order, roll_initiative
from systems.commands.moments import due_at_turn
from systems.commands.offering import hold_offers, tell_offers
from systems.commands.reactions import end_offers, have_again, offer_at_turn_end
from systems.commands.readiness import remind_of_ready
from systems.commands.resolve import resolve_hook, roll_ending_saves, run_effects
from systems.commands.schedule import tell_happenings
from systems.commands.transaction import Transaction
from systems.contract.condition import LISTED
from systems.contract.marked_text import possessive
from systems.contract.ruleset import Ruleset
from systems.encounter import tags
from systems.encounter.events import Seen
from systems.encounter.model import FOREVER, Combatant, Encounter, labels_of
from systems.encounter.schedule import (
    anybody_left,
    arrives_next,
    can_have_turn,
    can_still_act,
    first_to_act,
    group_of,
    is_spent,
    may_act,
    next_delayed,
    next_in_round,
    sharing_turn,
    still_to_act,
    upcoming,
    waiting,
)
from systems.errors import Refused
from systems.frozen import evolve
from systems.sheets import with_fresh_turn
from systems.text import listed, several


def start(transaction: Transaction, surprised: Collection[str] = ()) -> None:
    """Begin round 1 with the first turn. Raises Refused if it has begun, or no combatant can have a turn.

    `surprised`: the ids of the combatants that roll for initiative as the rules say of the surprised.
    """
    progress = transaction.encounter.progress
    if progress.over:
        raise Refused("the fight is over; undo brings it back")
    if progress.round:
        raise Refused(f"the fight has begun already; it is round {progress.round}")
    _arrive(
        transaction, [combatant.id for combatant in transaction.encounter if combatant.state.arrives == 1]
    )
    here = [
        combatant
        for combatant in transaction.encounter
        if not combatant.state.arrives and not combatant.state.waits
    ]
    if not any(transaction.encounter.status(combatant).in_order for combatant in here):
        raise Refused("no combatant can take a turn; add one first")
    order = _first_order(transaction, here, surprised)
    transaction.encounter = transaction.encounter.with_progress(order=tuple(order), round=1)
    transaction.encounter = tags.begin(transaction.encounter)
    transaction.say("The fight begins, round 1.")
    tell_happenings(transaction)
    for combatant in transaction.encounter:
        afresh = transaction.encounter.worked_out(combatant.sheet, "fresh_turn", _with_fresh_turn)
        changed = combatant if afresh is combatant.sheet else evolve(combatant, sheet=afresh)
        transaction.put(sync_conditions(transaction.encounter, changed))
    begin_round(transaction)
    begin_next_turn(transaction)


def _with_fresh_turn(game: Ruleset, sheet: Any, house: Any) -> Any:
    return with_fresh_turn(sheet)


def _first_order(
    transaction: Transaction, here: Sequence[Combatant], surprised: Collection[str]
) -> list[str]:
    """Return the first order: that set by the game master, else by initiative, else the players first."""
    ids = [combatant.id for combatant in here]
    if transaction.encounter.progress.ordered:
        ordered = [who for who in transaction.encounter.progress.order if who in ids]
        return [*ordered, *(who for who in ids if who not in ordered)]
    if transaction.encounter.style == "initiative":
        return roll_initiative(transaction, ids, surprised)
    return [
        combatant.id
        for combatant in sorted(here, key=lambda combatant: not transaction.encounter.is_player(combatant))
    ]


def running(encounter: Encounter) -> bool:
    """Return whether the fight has begun and is not over."""
    return bool(encounter.progress.round) and not encounter.progress.over


def next_turn(transaction: Transaction, by: str | None = None, *, whole_side: bool = False) -> None:
    """End the turn and begin the next. Raises Refused if `by` may not end it.

    In the sides style, go to the next member of the side that can still act; if there is none, or for a
    `whole_side`, end the side's turn.
    """
    progress = transaction.encounter.progress
    if progress.over:
        raise Refused("the fight is over; undo brings it back")
    if not progress.round:
        raise Refused("the fight has not begun; start it first")
    if progress.round == FOREVER:
        raise Refused(f"round {FOREVER} is the last possible round; end the fight")
    if whole_side and transaction.encounter.style != "sides":
        raise Refused("sides do not take turns in this fight; end a single turn with next")
    if by is not None:
        _check_own(transaction.encounter, by)
        if by != progress.turn:
            # The turn is given back to its earlier combatant, so the sentence says which one is done.
            transaction.say(f"{transaction.combatant(by).name} is done.", [by])
            if _goes_on(transaction, by):
                return
        transaction.encounter = transaction.encounter.with_progress(turn=by)
    left = (
        anybody_left(transaction.encounter)
        or waiting(transaction.encounter)
        or arrives_next(transaction.encounter)
    )
    if not left:
        raise Refused("no combatant is left to take a turn; add one or end the fight")
    _tell_who_has_not_acted(transaction)
    if transaction.encounter.style == "sides" and progress.turn is not None:
        again = transaction.stepped_back.came_next() if transaction.stepped_back else None
        _end_in_side(transaction, again, is_asked=by is not None, whole=whole_side)
        begin_next_turn(transaction, passing=True, again=again)
    else:
        end_turn(transaction)
        begin_next_turn(transaction, passing=True)
    if transaction.stepped_back:
        transaction.stepped_back.keep_reactions(transaction)


def _goes_on(transaction: Transaction, by: str) -> bool:
    """End the turn of a member of the side while another one is acting; return whether that one goes on."""
    acting = transaction.encounter.progress.turn
    if acting not in still_to_act(transaction.encounter):
        return False
    end_turns(transaction, (by,))
    return acting in still_to_act(transaction.encounter)


def _end_in_side(transaction: Transaction, again: str | None, *, is_asked: bool, whole: bool) -> None:
    """End the turn of the acting member of a side, or of the whole side if nobody else on it can act.

    A member that has acted and has actions left keeps its turn while others can act: it comes again.
    `again`: the combatant that had the next turn before a step back. `is_asked`: only this member's turn is
    to end. `whole`: the side's turn is to end.
    """
    progress = transaction.encounter.progress
    if progress.interrupted:
        end_turn(transaction)
        if not whole:
            return
        transaction.encounter = transaction.encounter.with_progress(
            turn=progress.interrupted, interrupted=None
        )
        progress = transaction.encounter.progress
    who = str(progress.turn)
    state = transaction.combatant(who).state
    side = _open_in_side(transaction.encounter)
    others = [other for other in side if other != who]
    if whole or not any(_gets_turn(transaction.encounter, other, again) for other in others):
        _end_side(transaction, side)
    elif not is_asked and state.acted == progress.round and can_still_act(transaction.encounter, who):
        end_offers(transaction, who)
        transaction.put(transaction.combatant(who).with_state(acted=0))
    else:
        end_turn(transaction)


def _end_side(transaction: Transaction, members: Sequence[str]) -> None:
    """End the turns of these members of the active side, and name the members unable to act."""
    progress = transaction.encounter.progress
    end_offers(transaction, progress.turn)
    idle = [who for who in members if not transaction.encounter.status(transaction.combatant(who)).acts]
    _tell_cannot_act(transaction, [who for who in idle if who != progress.turn])
    for who in members:
        # The turn of a combatant that joined during the side's turn may not have begun.
        if transaction.combatant(who).state.begun < progress.round:
            transaction.put(transaction.combatant(who).with_state(done=progress.round))
    end_turns(transaction, [who for who in members if transaction.combatant(who).state.done < progress.round])


def _open_in_side(encounter: Encounter) -> list[str]:
    """Return the members of the active side whose turn is not over, in line order, and the acting one."""
    progress = encounter.progress
    return [who for who in progress.order if who == progress.turn or may_act(encounter, who)]


def _gets_turn(encounter: Encounter, who: str, again: str | None) -> bool:
    """Return whether `next` goes to this member of the side. `again`: see `_end_in_side`."""
    if who != again and is_spent(encounter, who):
        return False
    if encounter.combatants[who].state.begun < encounter.progress.round:
        return True
    return not turn_passes(encounter.with_progress(turn=who), (who,))


def _tell_who_has_not_acted(transaction: Transaction) -> None:
    """Report the members of a group that have not acted in the turn that ends.

    If no member has acted, nothing is reported: a group may let its turn pass, as a single combatant may.
    """
    encounter, turn = transaction.encounter, transaction.encounter.progress.turn
    group = sharing_turn(encounter, turn) if turn else ()
    if len(group) < 2 or transaction.acted is None:
        return
    acted, people = transaction.acted(), encounter.combatants
    still = [
        who
        for who in group
        if who not in acted and encounter.status(people[who]).acts and not people[who].state.ready
    ]
    if not any(who in acted for who in group):
        return
    for some in transaction.in_sight(still):
        names = several([people[who].name for who in some])
        transaction.say(f"{names} {'has' if len(some) == 1 else 'have'} not acted.", some)


def _check_own(encounter: Encounter, by: str) -> None:
    """Raise Refused unless the turn belongs to that combatant or, in the sides style, to its side."""
    combatant, progress = encounter.combatants[by], encounter.progress
    if by == progress.turn or may_act(encounter, by):
        return
    if encounter.style != "sides" or progress.interrupted:
        whose = f"; it is {possessive(encounter.turn.name)}" if encounter.turn else ""
        raise Refused(f"it is not {possessive(combatant.name)} turn{whose}")
    if combatant.side != progress.side:
        raise Refused(f"it is not {possessive(combatant.name)} turn; the {progress.side or 'others'} have it")
    raise Refused(f"{combatant.name} has no turn to end in this round")


def end_turn(transaction: Transaction, *, passes: bool = False) -> None:
    """End the current turn: hooks, expiring conditions, offers, and what others may do as it ends.

    Reactions stay on offer when the turn `passes` at once, because there was no time to use them.
    """
    progress = transaction.encounter.progress
    end_offers(transaction, progress.turn, passes=passes)
    if progress.turn is not None:
        end_turns(transaction, sharing_turn(transaction.encounter, progress.turn))


def end_turns(transaction: Transaction, ended: Sequence[str]) -> None:
    """End the turns of these combatants, in this order."""
    progress = transaction.encounter.progress
    for who in ended:
        if transaction.encounter.status(transaction.combatant(who)).in_order:
            resolve_hook(transaction, "turn_end", who)
            # Before conditions end with the turn, else one would be gone before its save.
            roll_ending_saves(transaction, who, "end")
            run_effects(transaction, due_at_turn(transaction.encounter, "end", who))
        end_of_turn(transaction, who)
        if not progress.interrupted:
            transaction.put(transaction.combatant(who).with_state(done=progress.round))
    offer_at_turn_end(transaction, ended)


def begin_next_turn(
    transaction: Transaction,
    *,
    passing: bool = False,
    excluding: Container[str] = (),
    again: str | None = None,
) -> None:
    """Begin the next turn, in a new round if this one is done.

    At the end of a round, delaying combatants have their turns, except those in `excluding`. The turn of a
    combatant that cannot act begins and ends at once. `passing`: if nobody is left but a combatant arrives
    later, let one round pass. `again`: the combatant that had the next turn before a step back.
    """
    back, extra = transaction.encounter.progress.interrupted, transaction.encounter.progress.turn
    if back is not None:
        transaction.encounter = transaction.encounter.with_progress(interrupted=None)
    if back is not None and back != extra:
        transaction.encounter = transaction.encounter.with_progress(turn=back)
        if can_have_turn(transaction.encounter, back):
            transaction.say(f"{possessive(transaction.combatant(back).name)} turn goes on.", [back])
            return
        transaction.put(transaction.combatant(back).with_state(done=transaction.encounter.progress.round))
    while anybody_left(transaction.encounter) or passing or next_delayed(transaction.encounter, excluding):
        due = next_in_round(transaction.encounter, again=again)
        if who := due or _recall_delayed(transaction, excluding):
            hold_offers(transaction)
            left_out = _begin(transaction, who)
            who = first_to_act(transaction.encounter, who, left_out)
            if who != transaction.encounter.progress.turn:
                transaction.encounter = transaction.encounter.with_progress(turn=who)
            sharing = sharing_turn(transaction.encounter, who)
            if not turn_passes(transaction.encounter, sharing):
                _brief(transaction, who)
                return
            tell_offers(transaction)
            _tell_cannot_act(transaction, sharing)
            end_turn(transaction, passes=True)
            continue
        _new_round(transaction)
        passing, excluding = False, ()
    transaction.encounter = transaction.encounter.with_progress(turn=None)
    transaction.say("No combatant is left to take a turn.")


def _recall_delayed(transaction: Transaction, excluding: Container[str]) -> str | None:
    """Give a delaying combatant its turn at the round's end; return its id, or None."""
    who = next_delayed(transaction.encounter, excluding)
    if who is not None:
        transaction.put(transaction.combatant(who).with_state(waits=False))
        others = (other for other in transaction.encounter.progress.order if other != who)
        transaction.encounter = transaction.encounter.with_progress(order=(*others, who))
        transaction.say(f"{transaction.combatant(who).name} has waited until the end of the round.", [who])
    return who


def _tell_cannot_act(transaction: Transaction, ids: Sequence[str]) -> None:
    """Say which combatants' turn passes at once: `Guard 1 and Guard 2 are unconscious and cannot act.`"""
    alike: dict[tuple[str, int], list[str]] = {}
    for at, some in enumerate(transaction.in_sight(ids)):
        for who in some:
            status = transaction.encounter.status(transaction.combatant(who)).name
            alike.setdefault((status, at), []).append(who)
    for (status, _), some in alike.items():
        names = several([transaction.combatant(who).name for who in some])
        transaction.say(f"{names} {'is' if len(some) == 1 else 'are'} {status} and cannot act.", some)


def give_turn(transaction: Transaction) -> None:
    """Begin a turn if the fight goes on, no combatant has a turn, and one can have it."""
    here = transaction.encounter
    if running(here) and any(can_have_turn(here, who) for who in here.progress.order):
        begin_next_turn(transaction)


def extra_turn(transaction: Transaction, who: str) -> None:
    """Begin an extra turn at once; the interrupted turn resumes afterwards.

    An extra turn in an extra turn ends that one.
    """
    progress = transaction.encounter.progress
    if not running(transaction.encounter) or progress.turn is None or who == progress.turn:
        return
    if progress.interrupted:
        end_turn(transaction)
    transaction.encounter = transaction.encounter.with_progress(
        turn=who, interrupted=progress.interrupted or progress.turn
    )
    transaction.say(f"{transaction.combatant(who).name} takes an extra turn now.", [who])
    start_of_turn(transaction, who)
    run_hook(transaction, "turn_start", who)


def _new_round(transaction: Transaction) -> None:
    number = transaction.encounter.progress.round + 1
    transaction.encounter = transaction.encounter.with_progress(round=number, turn=None, side=None)
    transaction.say(f"Round {number}.")
    if transaction.stepped_back and transaction.stepped_back.begin_round(transaction, number):
        return
    tell_happenings(transaction)
    arriving = [each.id for each in transaction.encounter if 0 < each.state.arrives <= number]
    _arrive(transaction, arriving)
    for group in transaction.in_sight(arriving):
        names = several([transaction.combatant(who).name for who in group])
        transaction.say(f"{names} {'arrives' if len(group) == 1 else 'arrive'}.", group)
    if arriving:
        join_order(transaction, *arriving)
    start_of_round(transaction)
    have_again(transaction, "round")
    begin_round(transaction)


def _arrive(transaction: Transaction, ids: Sequence[str]) -> None:
    """Let combatants that arrive now take part in the fight."""
    arrived = [transaction.combatant(who).with_state(arrives=0, away=False) for who in ids]
    transaction.encounter = tags.come_in_sight(transaction.encounter, arrived)


def begin_round(transaction: Transaction) -> None:
    """Run the game's `round_start` for every combatant that has arrived."""
    for combatant in transaction.encounter:
        if not combatant.state.arrives:
            resolve_hook(transaction, "round_start", combatant.id)


def _begin(transaction: Transaction, who: str) -> Container[str]:
    """Begin the turn of a combatant, or of its whole side when the side changes.

    Returns the members of its group that do not begin with it; see `began_together` in step_forward.py.
    """
    side = transaction.combatant(who).side
    sides = transaction.encounter.style == "sides"
    changes = sides and side != transaction.encounter.progress.side
    transaction.encounter = transaction.encounter.with_progress(turn=who, side=side)
    group = (who,) if sides else group_of(transaction.encounter, who)
    before = transaction.stepped_back
    beginning = before.began_together(transaction, who, group) if before else group
    if changes:
        beginning = tuple(
            member
            for member in transaction.encounter.progress.order
            if transaction.combatant(member).side == side
        )
        # A side without visible combatants is not reported to players.
        in_sight = [member for member in beginning if not transaction.combatant(member).state.hidden]
        transaction.say(f"The {side} have the turn.", in_sight or beginning)
    for member in beginning:
        begin_turn(transaction, member)
    return {*group} - {*beginning}


def _brief(transaction: Transaction, who: str) -> None:
    """Report the new turn: `Okado's turn. Hurt: −5 to everything. Next: Guard 1.`"""
    if not transaction.tells:
        return
    encounter = transaction.encounter
    combatant = encounter.combatants[who]
    # The game itself reports conditions that represent a field of the sheet, unless it is a list of them.
    known = {held: encounter.game.condition(held.name) for held in combatant.conditions}
    told = [held for held, own in known.items() if not (own and own.field and own.on is not LISTED)]
    transaction.say(f"{possessive(combatant.name)} turn.", [who])
    for line in encounter.game.brief(combatant.sheet, encounter.house):
        # It shows values of the sheet, such as wounds or the actions left in the turn.
        transaction.say(line.rstrip(".") + ".", [who], exact=True)
    _brief_shared(transaction, who)
    for secret in (False, True):
        if some := labels_of([held for held in told if held.secret == secret], encounter.game):
            transaction.say(f"Conditions: {listed(some)}.", [who], seen="gm" if secret else None)
    tell_offers(transaction)
    _brief_due(transaction, who)
    remind_of_ready(transaction, excluding=who)
    for waits in waiting(encounter):
        if not transaction.before.combatants[waits].state.waits:
            continue  # just reported
        transaction.say(f"{encounter.combatants[waits].name} waits.", [waits], upcoming=True)
    if coming := upcoming(encounter, comes_to):
        follows, number = coming
        if number > encounter.progress.round:
            _brief_round(transaction, number)
        when = f", round {number}" if number > encounter.progress.round else ""
        transaction.say(f"Next: {follows.name}{when}.", [follows.id], upcoming=True)


def _brief_shared(transaction: Transaction, who: str) -> None:
    """Report the other combatants that share this turn."""
    encounter = transaction.encounter
    others = [
        other
        for other in sharing_turn(encounter, who)
        if other != who and encounter.status(encounter.combatants[other]).acts
    ]
    for some in transaction.in_sight(others):
        names = several([transaction.combatant(other).name for other in some])
        transaction.say(f"Shared with {names}.", [who, *some])


def _brief_due(transaction: Transaction, who: str) -> None:
    """Report the conditions that end with this turn, and its own that end with this round."""
    for combatant in transaction.encounter:
        for held in combatant.conditions:
            seen: Seen | None = "gm" if held.secret else None
            if held.until == "end" and held.of == who and not held.skips:
                said = (
                    f"{combatant.name} is {held.label_in(transaction.encounter.game)} until this turn ends."
                )
                transaction.say(said, [combatant.id, who], seen=seen, upcoming=True)
            elif combatant.id == who and held.last_round == transaction.encounter.progress.round:
                label = held.label_in(transaction.encounter.game)
                said = f"{combatant.name} is {label} for this round only."
                transaction.say(said, [who], seen=seen, upcoming=True)


def _brief_round(transaction: Transaction, number: int) -> None:
    """Report to the game master what happens in the next round."""
    encounter = transaction.encounter
    arriving = [each.name for each in encounter if 0 < each.state.arrives <= number]
    verb = "arrives" if len(arriving) == 1 else "arrive"
    due = [f"{several(arriving)} {verb}"] if arriving else []
    due += [each.name.rstrip(".") for each in encounter.progress.happenings if each.round <= number]
    if due:
        ids = [each.id for each in encounter if 0 < each.state.arrives <= number]
        transaction.say(f"Due in round {number}: {'; '.join(due)}.", ids, seen="gm", upcoming=True)
