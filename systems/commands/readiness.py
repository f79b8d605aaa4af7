"""The command `ready`: an action that a combatant prepares until its next turn."""

from systems.commands.declaration import CommandKind, Requester, titled
from systems.commands.transaction import Transaction
from systems.contract.marked_text import as_actor
from systems.encounter.lookup import arrived, single
from systems.encounter.model import Combatant
from systems.errors import Misread, Refused
from systems.frozen import frozen
from systems.language.intents import Intent
from systems.language.tokens import words_of
from systems.text import clean


@frozen
class Ready(Intent):
    """Ready an action. `text`: the action and its trigger."""

    who: str
    text: str


LONGEST = 200


def get_ready(transaction: Transaction, who: str, text: str) -> None:
    """Ready an action for a combatant.

    Raises Refused outside a fight, and for a combatant that cannot act.
    """
    combatant, progress = transaction.combatant(who), transaction.encounter.progress
    if not progress.round or progress.over:
        raise Refused("an action can only be readied during a fight")
    arrived(combatant)
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


def _read(line: str) -> Intent:
    """Read `ready WHO TEXT`. The text is the rest of the line, without quotes around it."""
    words = words_of(line)[1:]
    for what in ("the name", "the readied action")[len(words) :]:
        raise Misread(f"{what} is missing", len(line), len(line))
    who, first, *others = words
    return Ready(who.text, line[first.start :].strip() if others else first.text)


def _carry_out(transaction: Transaction, intent: Ready) -> None:
    readies = single(transaction.encounter, intent.who).id
    transaction.record(actor=readies, text=intent.text)
    get_ready(transaction, readies, intent.text)


def _own_intent(asker: Requester, intent: Ready) -> tuple[Combatant, Intent]:
    actor = asker.own(intent.who)
    return actor, Ready(actor.id, intent.text)


READY = CommandKind(
    "ready",
    ("ready WHO TEXT",),
    "ready an action and its trigger; return uses it",
    read_text=_read,
    carry_out=_carry_out,
    line=lambda intent: f"ready {intent.who} {intent.text}",
    words=lambda encounter, intent: f"get ready: {intent.text}",
    blank=Ready("", ""),
    title=titled("{actor's} readied action"),
    own_intent=_own_intent,
    goes_through="in own turn",
)
