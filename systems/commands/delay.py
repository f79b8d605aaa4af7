"""The commands `delay` and `return`: wait with a turn, and come back into the order."""

from systems.commands.cast import come_back
from systems.commands.declaration import CommandKind, Requester, titled
from systems.commands.reorder import check_can_return, delay, return_to_order
from systems.commands.transaction import Transaction
from systems.encounter.lookup import single
from systems.encounter.model import Combatant, Encounter
from systems.errors import Refused
from systems.frozen import frozen
from systems.language.intents import Intent
from systems.language.tokens import TokenLine


@frozen
class Delay(Intent):
    """Delay a turn. `who`: "" for the combatant whose turn it is."""

    who: str = ""


@frozen
class Return(Intent):
    """Bring a delaying combatant back into the order."""

    who: str


def _read_delay(taken: TokenLine) -> Intent:
    return Delay(taken.words.pop(0).text if taken.words else taken.take_by())


def _delay(transaction: Transaction, intent: Delay) -> None:
    waits = _waiting(transaction.encounter, intent.who)
    transaction.record(actor=waits)
    delay(transaction, waits)


def _waiting(here: Encounter, who: str) -> str:
    """Return the id of the combatant that delays: the one named, or else the one whose turn it is.

    Raises Refused.
    """
    if not who and here.turn is None:
        raise Refused("nobody has the turn; name the combatant that waits")
    return single(here, who).id if who else str(here.progress.turn)


def _own_delay(asker: Requester, intent: Delay) -> tuple[Combatant, Intent]:
    actor = asker.actor(intent.who)
    return actor, Delay(actor.id)


def _return(transaction: Transaction, intent: Return) -> None:
    returns = single(transaction.encounter, intent.who).id
    transaction.record(actor=returns)
    if transaction.combatant(returns).state.away:
        come_back(transaction, returns)
    else:
        return_to_order(transaction, returns)


def _own_return(asker: Requester, intent: Return) -> tuple[Combatant, Intent]:
    actor = asker.actor(intent.who)
    check_can_return(actor)
    return actor, Return(actor.id)


DELAY = CommandKind(
    "delay",
    ("delay [WHO]",),
    "delay a turn",
    _read_delay,
    carry_out=_delay,
    line=lambda intent: f"delay {intent.who}",
    words=lambda encounter, intent: "delay the turn",
    blank=Delay(),
    title=titled("{actor's} delay"),
    own_intent=_own_delay,
    goes_through="in own turn",
    gives_up_turn=True,
)
RETURN = CommandKind(
    "return",
    ("return WHO",),
    "let a delaying combatant act after this turn, trigger a readied action, or come back from away",
    lambda taken: Return(taken.take("the name").text),
    stands_for={"WHO": "waiting"},
    carry_out=_return,
    line=lambda intent: f"return {intent.who}",
    words=lambda encounter, intent: "return to the order",
    blank=Return(""),
    title=titled("{actor's} return"),
    own_intent=_own_return,
    needs_no_turn=True,
)
