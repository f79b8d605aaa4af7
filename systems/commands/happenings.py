"""Schedule events for the start of a round."""

from systems.commands.transaction import Transaction
from systems.encounter.model import FOREVER, Happening
from systems.errors import Refused
from systems.text import clean

LONGEST = 200
MOST = 100


def add_happening(transaction: Transaction, text: str, number: int, hidden: bool) -> None:
    """Schedule an event for the start of a later round. Raises Refused for a round that has begun."""
    progress = transaction.encounter.progress
    if progress.over:
        raise Refused("the fight is over; undo brings it back")
    if not progress.round < number < FOREVER:
        raise Refused(f"it is round {progress.round}; schedule the event for a later round")
    if len(progress.happenings) >= MOST:
        raise Refused(f"{MOST} events are scheduled already; drop one first")
    said = clean(text, LONGEST)
    happening = Happening(
        name=said, round=number, hidden=hidden, given=frozenset(("name", "round", "hidden"))
    )
    due = sorted((*progress.happenings, happening), key=lambda each: each.round)
    transaction.encounter = transaction.encounter.with_progress(happenings=tuple(due))
    alone = ", for you alone" if hidden else ""
    transaction.say(f"Round {number}: {_sentence(happening)} It stays hidden until then{alone}.", seen="gm")


def drop_happening(transaction: Transaction, number: int) -> str:
    """Remove a scheduled event and return its text. Raises Refused for an unknown number."""
    happenings = transaction.encounter.progress.happenings
    if not happenings:
        raise Refused("nothing is scheduled, so there is nothing to drop")
    if not 1 <= number <= len(happenings):
        most = len(happenings)
        numbers = "the only one is 1" if most == 1 else f"choose 1 to {most}"
        raise Refused(f"there is no scheduled event {number}; {numbers}")
    dropped = happenings[number - 1]
    left = tuple(each for each in happenings if each is not dropped)
    transaction.encounter = transaction.encounter.with_progress(happenings=left)
    transaction.say(f"No longer scheduled for round {dropped.round}: {_sentence(dropped)}", seen="gm")
    return dropped.name


def tell_happenings(transaction: Transaction) -> None:
    """Announce the events scheduled for the start of this round."""
    progress = transaction.encounter.progress
    due = [each for each in progress.happenings if each.round <= progress.round]
    if not due:
        return
    left = tuple(each for each in progress.happenings if each.round > progress.round)
    transaction.encounter = transaction.encounter.with_progress(happenings=left)
    for happening in due:
        said = _sentence(happening)
        transaction.say(said[0].upper() + said[1:], seen="gm" if happening.hidden else "all")


def _sentence(happening: Happening) -> str:
    return happening.name if happening.name[-1] in ".!?…" else f"{happening.name}."
