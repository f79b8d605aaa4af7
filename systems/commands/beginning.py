"""How a turn begins, and whether it passes at once."""

import attrs

from systems.commands.conditions import start_of_turn
from systems.commands.reactions import without_reactions
from systems.commands.readiness import end_ready
from systems.commands.transaction import Transaction
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace
from systems.encounter.model import Encounter
from systems.encounter.schedule import anybody_acts, can_have_turn


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


def comes_to(encounter: Encounter, members: tuple[str, ...]) -> bool:
    """Return whether a turn comes to these: it is begun on the side, as `next` will, and does not pass.

    So what the start of the turn brings counts, as what the rules ask of the dying; where dice would fall
    for it, all stays as it is.
    """
    # What is on offer now is gone by then.
    due = attrs.evolve(encounter.with_progress(turn=members[0]), offers=())
    play = Transaction(due, Table(ScriptedDice(())))
    try:
        for member in members:
            begin_turn(play, member)
    except NeedsFace:
        return not turn_passes(due, members)
    return not turn_passes(play.encounter, members)
