"""The command `roll`: roll any dice, for a combatant, for the game master, or in secret."""

from systems.commands.actions import roll_notation
from systems.commands.declaration import CommandKind, Described, Requester
from systems.commands.transaction import Transaction
from systems.contract.marked_text import as_actor
from systems.dice.notation import describe, parse
from systems.encounter.events import Seen
from systems.encounter.lookup import single
from systems.encounter.model import Combatant
from systems.errors import Refused
from systems.frozen import frozen
from systems.language.declaration import checked_dice
from systems.language.intents import Intent
from systems.language.tokens import TokenLine


@frozen
class RollDice(Intent):
    """Roll dice in notation. `secret`: only the game master sees it."""

    dice: str
    who: str = ""
    secret: bool = False


def _read(taken: TokenLine) -> Intent:
    secret = bool(taken.words and taken.words[-1].says("secret") and taken.words.pop())
    who = taken.take_by()
    if len(taken.words) > 2 and taken.words[-2].says("for"):
        who = taken.words.pop().text
        taken.words.pop()
    return RollDice(checked_dice(taken.rest("what to roll, such as 2d6+3,"), parse), who, secret)


def _carry_out(transaction: Transaction, intent: RollDice) -> None:
    who = single(transaction.encounter, intent.who) if intent.who else None
    transaction.record(actor=who.id if who else "", dice=intent.dice, secret=intent.secret)
    transaction.is_secret = intent.secret
    transaction.roll_for({})
    result = roll_notation(transaction.table, intent.dice, who.id if who else "gm")
    seen: Seen | None = "gm" if intent.secret else None
    says = f"{as_actor(who.name)} rolls" if who else "Rolled"
    transaction.say(f"{says} {describe(result)}.", [who.id] if who else [], seen=seen)


def _own_intent(asker: Requester, intent: RollDice) -> tuple[Combatant, Intent]:
    if intent.secret:
        raise Refused("only the game master rolls in secret")
    actor = asker.actor(intent.who)
    return actor, RollDice(intent.dice, actor.id)


def _title(described: Described) -> str:
    dice = described.option("dice")
    return f"a roll of {dice}" if dice else ""


ROLL = CommandKind(
    "roll",
    ("roll DICE [for WHO] [secret]",),
    "roll dice, such as 2d6+3",
    _read,
    carry_out=_carry_out,
    line=lambda intent: f"roll {intent.dice} for {intent.who}",
    words=lambda encounter, intent: f"roll {intent.dice}",
    blank=RollDice(""),
    title=_title,
    own_intent=_own_intent,
    goes_through="in own turn",
    needs_no_turn=True,
)
