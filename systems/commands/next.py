"""The command `next`: end the turn, and begin the next one."""

from systems.commands.declaration import CommandKind, Described, Requester
from systems.commands.transaction import Transaction
from systems.commands.turns import next_turn
from systems.contract.marked_text import possessive
from systems.encounter.lookup import single
from systems.encounter.model import Combatant
from systems.errors import Refused
from systems.frozen import frozen
from systems.language.intents import Intent
from systems.language.tokens import TokenLine


@frozen
class Next(Intent):
    """End the turn. `by`: the combatant whose turn ends, if several share the turn.

    `side`: end the turn of the whole side.
    """

    by: str = ""
    side: bool = False


def _read(taken: TokenLine) -> Next:
    is_side = taken.take_word("side") is not None
    return Next(side=True) if is_side else Next(taken.take_by())


def _carry_out(transaction: Transaction, intent: Next) -> None:
    here = transaction.encounter
    ends = single(here, intent.by).id if intent.by else None
    transaction.record(actor=ends or here.progress.turn or "", side=intent.side)
    next_turn(transaction, ends, whole_side=intent.side)


def _own_intent(asker: Requester, intent: Next) -> tuple[Combatant, Intent]:
    if intent.side:
        raise Refused("only the game master can end the turn of a whole side")
    actor = asker.actor(intent.by)
    if not asker.has_turn(actor):
        raise Refused(f"it is not {possessive(actor.name)} turn")
    return actor, Next(actor.id)


def _title(described: Described) -> str:
    if described.event.options.get("side") is True:
        return "the end of the side's turn"
    return f"the end of {possessive(described.turn)} turn" if described.turn else "the next turn"


NEXT = CommandKind(
    "next",
    ("next [by WHO]", "next side"),
    "next turn, or the next side's",
    _read,
    carry_out=_carry_out,
    line=lambda intent: f"next by {intent.by}",
    words=lambda encounter, intent: "end the turn",
    table_words=lambda encounter, intent: "end the turn",
    blank=Next(),
    title=_title,
    own_intent=_own_intent,
    goes_through="in own turn",
    gives_up_turn=True,
)
