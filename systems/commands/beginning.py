"""Begin turns, and decide whether a turn passes at once."""

from contextlib import suppress

from systems.commands.conditions import start_of_turn
from systems.commands.escapes import offer_escapes
from systems.commands.moments import due_at_turn
from systems.commands.reactions import have_again, offer_reactions, without_reactions, word_late_offers
from systems.commands.readiness import end_ready
from systems.commands.resolve import resolve_hook, roll_ending_saves, run_effects
from systems.commands.transaction import Transaction
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace
from systems.encounter.model import FOREVER, Encounter
from systems.encounter.schedule import anybody_acts, can_have_turn
from systems.frozen import evolve


def begin_turn(transaction: Transaction, who: str) -> None:
    """Begin the turn of one member of a group, once in a round."""
    combatant, number = transaction.combatant(who), transaction.encounter.progress.round
    if combatant.state.begun == number or not can_have_turn(transaction.encounter, who):
        return
    if transaction.stepped_back and transaction.stepped_back.begin_turn(transaction, who):
        return
    transaction.put(combatant.with_state(begun=number))
    end_ready(transaction, who)
    word_late_offers(transaction, who)
    have_again(transaction, "own_turn", who)
    start_of_turn(transaction, who)
    for held in transaction.combatant(who).conditions:
        condition = transaction.encounter.game.condition(held.name)
        if condition and condition.each_turn:
            run_hook(transaction, condition.each_turn, who)
    roll_ending_saves(transaction, who, "start")
    # Last, so that it sees the earlier effects: a combatant that bleeds to below 0 is dying in this very
    # turn.
    run_hook(transaction, "turn_start", who)
    run_effects(transaction, due_at_turn(transaction.encounter, "start", who))
    offer_escapes(transaction, who)


def run_hook(transaction: Transaction, name: str, who: str) -> None:
    """Run a hook of a turn's beginning, then offer the others their reactions to it."""
    outcome = resolve_hook(transaction, name, who)
    if outcome is not None:
        offer_reactions(transaction, name, who, facts=outcome.facts)


def turn_passes(encounter: Encounter, members: tuple[str, ...]) -> bool:
    """Return whether this turn ends at once: none of its members can act, and another combatant can.

    If the rules leave a decision to the game master for one of them, the turn stays.
    """
    if any(encounter.status(encounter.combatants[member]).acts for member in members):
        return False
    theirs = without_reactions(encounter.offers)
    if any(offer.by in members or offer.target in members for offer in theirs):
        return False
    return anybody_acts(encounter)


def with_turn_begun(encounter: Encounter, who: str) -> Encounter:
    """Return a copy of the encounter in which the next turn of a combatant has begun.

    So a plan for that turn counts what its start gives back, such as action points. Effects of its start that
    need dice are left out.
    """
    combatant, number = encounter.combatants[who], max(1, encounter.progress.round)
    is_next_round = combatant.state.begun == number
    if is_next_round:
        number = min(number + 1, FOREVER)
    due = encounter.with_progress(round=number, turn=who, side=combatant.side, interrupted=None)
    play = Transaction(evolve(due, offers=()), Table(ScriptedDice(())))
    play.carries_out_due = False
    play.put(combatant.with_state(begun=0, done=0, acted=0))
    with suppress(NeedsFace):
        if is_next_round:
            resolve_hook(play, "round_start", who)
    with suppress(NeedsFace):
        begin_turn(play, who)
        return play.encounter
    with suppress(NeedsFace):
        resolve_hook(play, "turn_start", who)
    return play.encounter


def comes_to(encounter: Encounter, members: tuple[str, ...]) -> bool:
    """Return whether these members get a turn: begun on a copy, as `next` will, it does not pass.

    So the effects of its start count, such as what the rules ask of the dying. If dice would be rolled for
    it, the current state decides.
    """
    # Present offers will be gone by then.
    due = evolve(encounter.with_progress(turn=members[0]), offers=())
    play = Transaction(due, Table(ScriptedDice(())))
    try:
        for member in members:
            begin_turn(play, member)
    except NeedsFace:
        return not turn_passes(due, members)
    return not turn_passes(play.encounter, members)
