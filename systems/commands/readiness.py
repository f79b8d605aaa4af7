"""Readied actions: what a combatant prepares to do when something happens, until its next turn."""

from systems.commands.transaction import Transaction
from systems.contract.marked_text import as_actor
from systems.errors import Refused
from systems.text import clean

LONGEST = 200


def get_ready(transaction: Transaction, who: str, text: str) -> None:
    """Ready an action for a combatant.

    Raises Refused outside a fight, and for a combatant that cannot act.
    """
    combatant, progress = transaction.combatant(who), transaction.encounter.progress
    if not progress.round or progress.over:
        raise Refused("an action can only be readied during a fight")
    if combatant.state.arrives:
        raise Refused(f"{combatant.name} arrives in round {combatant.state.arrives}")
    status = transaction.encounter.status(combatant)
    if not status.acts:
        raise Refused(f"{combatant.name} is {status.name} and cannot act")
    transaction.put(combatant.with_state(ready=clean(text, LONGEST)))
    _say(transaction, who, f"{as_actor(combatant.name)} is ready: {_words(text)}")


def act_as_ready(transaction: Transaction, who: str) -> None:
    """Use a combatant's readied action; it is no longer ready afterwards."""
    combatant = transaction.combatant(who)
    if combatant.state.ready:
        transaction.put(combatant.with_state(ready=None))
        transaction.say(
            f"{as_actor(combatant.name)} uses its readied action: {_words(combatant.state.ready)}", [who]
        )


def end_ready(transaction: Transaction, who: str) -> None:
    """End a combatant's readied action when its turn begins."""
    combatant = transaction.combatant(who)
    if combatant.state.ready:
        transaction.put(combatant.with_state(ready=None))
        _say(transaction, who, f"{combatant.name} is no longer ready: {_words(combatant.state.ready)}")


def remind_of_ready(transaction: Transaction, excluding: str) -> None:
    """Remind the game master of readied actions when a turn begins, except that of combatant `excluding`."""
    for combatant in transaction.encounter.in_line():
        if (
            combatant.state.ready
            and combatant.id != excluding
            and transaction.encounter.status(combatant).acts
        ):
            said = f"{combatant.name} is ready: {_words(combatant.state.ready)}"
            transaction.say(said, [combatant.id], seen="gm", upcoming=True)


def _say(transaction: Transaction, who: str, sentence: str) -> None:
    """Add a sentence that only the combatant's owner and the game master may read."""
    transaction.say(sentence, [who], owners=[who])


def _words(text: str) -> str:
    said = clean(text, LONGEST)
    return said if said[-1:] in ".!?…" else f"{said}."
