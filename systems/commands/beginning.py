"""How a turn begins, whether it passes at once, and whose turn comes next.

Who comes next is found by beginning the next turns on the side, as `next` will: so both agree on who is
passed over.
"""

import attrs

from systems.commands.conditions import start_of_turn
from systems.commands.reactions import without_reactions
from systems.commands.readiness import end_ready
from systems.commands.transaction import Transaction
from systems.contract.table import Table
from systems.dice.sources import NeedsFace, ScriptedDice
from systems.encounter.model import FOREVER, Combatant, Encounter
from systems.encounter.schedule import (
    anybody_acts,
    can_have_turn,
    first_to_act,
    group_of,
    next_delayed,
    next_in_round,
    sharing_turn,
)


def begin_turn(transaction: Transaction, who: str) -> None:
    """Begin the turn of one of those who share it, once in a round."""
    combatant, number = transaction.combatant(who), transaction.encounter.progress.round
    if combatant.state.begun == number or not can_have_turn(transaction.encounter, who):
        return
    if transaction.stepped_back and transaction.stepped_back.begin_turn(transaction, who):
        return
    transaction.put(combatant.with_state(begun=number))
    end_ready(transaction, who)
    start_of_turn(transaction, who)
    for held in transaction.combatant(who).conditions:
        condition = transaction.encounter.game.condition(held.name)
        if condition and condition.each_turn:
            transaction.hook(condition.each_turn, who)
    # Last, so that it sees what they have done: who bleeds to below 0 is dying in this very turn.
    transaction.hook("turn_start", who)


def turn_passes(encounter: Encounter, members: tuple[str, ...]) -> bool:
    """Return whether the turn of these ends at once: nobody in it can act, and somebody else can.

    Where the rules lay something before the game master for one of them, the turn stays.
    """
    if any(encounter.status(encounter.combatants[member]).acts for member in members):
        return False
    theirs = without_reactions(encounter.offers)
    if any(offer.by in members or offer.target in members for offer in theirs):
        return False
    return anybody_acts(encounter)


def following(encounter: Encounter) -> Combatant | None:
    """Return who acts after the present turn, also in the next round; or None."""
    coming = upcoming(encounter)
    return coming[0] if coming else None


def upcoming(encounter: Encounter) -> tuple[Combatant, int] | None:
    """Return who acts after the present turn and the round, as far as it is known; or None."""
    number = encounter.progress.round
    if who := _following_in_round(encounter):
        return who, number
    if not number or number >= FOREVER - 1:
        return None
    after = encounter.with_progress(round=number + 1, turn=None, side=None, interrupted=None)
    who = _following_in_round(after)
    # Where nobody else can act, the turn comes again, and nobody needs to be told.
    return None if who is None or who.id == encounter.progress.turn else (who, number + 1)


def _following_in_round(encounter: Encounter) -> Combatant | None:
    """Return who acts after the present turn in this round, at its end who has delayed; or None."""
    progress = encounter.progress
    if progress.interrupted not in (None, progress.turn):
        return encounter.combatants[str(progress.interrupted)]
    passed = set(sharing_turn(encounter, progress.turn)) if progress.turn else set()
    while who := next_in_round(encounter, passed) or next_delayed(encounter, passed):
        if first := _turn_of(encounter, who):
            return encounter.combatants[first]
        passed |= {who, *group_of(encounter, who)}
    return None


def _turn_of(encounter: Encounter, who: str) -> str | None:
    """Return who has the turn that comes to this one, or None where it passes at once.

    What the start of the turn brings counts, as what the rules ask of the dying; where dice would fall for
    it, all stays as it is.
    """
    members = (who,) if encounter.style == "sides" else group_of(encounter, who)
    # What is on offer now is gone by then, and one who has delayed waits no more.
    due = attrs.evolve(
        encounter.with_progress(turn=who).with_combatants(encounter.combatants[who].with_state(waits=False)),
        offers=(),
    )
    play = Transaction(due, Table(ScriptedDice(())))
    try:
        for member in members:
            begin_turn(play, member)
    except NeedsFace:
        play.encounter = due
    return None if turn_passes(play.encounter, members) else first_to_act(play.encounter, who)
