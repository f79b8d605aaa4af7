"""The command `remove`: take combatants out of the fight."""

from systems.commands.declaration import CommandKind, titled
from systems.commands.membership import remove
from systems.commands.transaction import Transaction
from systems.encounter.lookup import targets
from systems.frozen import frozen
from systems.language.intents import Intent


@frozen
class Remove(Intent):
    """Remove combatants from the fight."""

    targets: str


def _carry_out(transaction: Transaction, intent: Remove) -> None:
    ids = targets(transaction.encounter, intent.targets)
    transaction.record(targets=ids)
    remove(transaction, ids)


REMOVE = CommandKind(
    "remove",
    ("remove TARGETS",),
    "take combatants out of the fight",
    lambda taken: Remove(taken.take_targets()),
    carry_out=_carry_out,
    blank=Remove(""),
    title=titled("{targets}'s departure"),
)
