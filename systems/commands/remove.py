"""The command `remove`: take combatants out of the fight."""

import attrs

from systems.commands.declaration import CommandKind, Described, Earlier
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


def _again(intent: Remove, earlier: Earlier) -> Intent:
    return attrs.evolve(intent, targets=earlier.targets(intent.targets))


def _title(described: Described) -> str:
    return f"{described.targets}'s departure" if described.targets else ""


REMOVE = CommandKind(
    "remove",
    ("remove TARGETS",),
    "take combatants out of the fight",
    lambda taken: Remove(taken.take_targets()),
    carry_out=_carry_out,
    again=_again,
    title=_title,
)
