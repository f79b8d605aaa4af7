"""The commands `schedule` and `unschedule`: events at the start of a round."""

import re

from systems.commands.declaration import CommandKind, Described
from systems.commands.transaction import Transaction
from systems.encounter.events import Event
from systems.encounter.model import FOREVER, Encounter, Happening
from systems.errors import Misread, Refused
from systems.frozen import frozen
from systems.language.declaration import text_after
from systems.language.intents import Intent
from systems.language.tokens import words_of
from systems.text import clean


@frozen
class Schedule(Intent):
    """Schedule an event for the beginning of a round. `hidden`: only the game master reads it."""

    text: str
    round: int
    hidden: bool = False


@frozen
class Unschedule(Intent):
    """Cancel a scheduled event; `number` counts them from 1."""

    number: int


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
        raise Refused(f"{MOST} events are scheduled already; cancel one first")
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
        raise Refused("nothing is scheduled, so there is nothing to cancel")
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


_IN_ROUND = re.compile(r"(.*\S)?\s*\bin\s+round\s+([0-9]{1,6})", re.IGNORECASE)


def _read(line: str) -> Intent:
    """Read `schedule TEXT in round N [hidden]`, with the text as typed."""
    text = text_after(line)
    shown_text, _, last = text.rpartition(" ")
    hidden = last.casefold() == "hidden"
    when = _IN_ROUND.fullmatch(shown_text.strip() if hidden else text)
    if when is None:
        raise Misread(
            "the round is missing, such as: schedule the ceiling falls in round 10", len(line), len(line)
        )
    if not when[1]:
        raise Misread("the text of the scheduled event is missing", len(line), len(line))
    said = words_of(when[1])
    return Schedule(said[0].text if len(said) == 1 else when[1], int(when[2]), hidden)


def _schedule(transaction: Transaction, intent: Schedule) -> None:
    transaction.record(text=intent.text, round=intent.round, hidden=intent.hidden)
    add_happening(transaction, intent.text, intent.round, intent.hidden)


def _unschedule(transaction: Transaction, intent: Unschedule) -> None:
    transaction.record(text=drop_happening(transaction, intent.number))


def _unschedule_again(intent: Unschedule, event: Event, here: Encounter) -> Intent:
    """Return the intent with the present number of the event, which is found by its text."""
    names = [each.name for each in here.progress.happenings]
    name = str(event.options.get("text", ""))
    return Unschedule(names.index(name) + 1) if name in names else intent


def _title(described: Described) -> str:
    text = described.option("text")
    return f'the scheduled event "{text}"' if text else ""


SCHEDULE = CommandKind(
    "schedule",
    ("schedule TEXT in round N [hidden]",),
    "schedule an event for the beginning of a round; only you see it before",
    read_text=_read,
    carry_out=_schedule,
    blank=Schedule("", 0),
    title=_title,
)
UNSCHEDULE = CommandKind(
    "unschedule",
    ("unschedule N",),
    "cancel a scheduled event",
    lambda taken: Unschedule(taken.take_number("the number of the scheduled event")),
    carry_out=_unschedule,
    blank=Unschedule(0),
    again=_unschedule_again,
    title=_title,
)
