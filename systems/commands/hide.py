"""The commands `hide` and `reveal`: what the players see of the fight."""

import attrs

from systems.commands.declaration import CommandKind, Described, Earlier
from systems.commands.membership import hide
from systems.commands.transaction import Transaction
from systems.encounter.lookup import targets
from systems.frozen import frozen
from systems.language.intents import Intent


@frozen
class Hide(Intent):
    """Hide combatants from the players, or reveal them."""

    targets: str
    hidden: bool = True


def _carry_out(transaction: Transaction, intent: Hide) -> None:
    ids = targets(transaction.encounter, intent.targets)
    transaction.record(targets=ids)
    hide(transaction, ids, intent.hidden)


def _again(intent: Hide, earlier: Earlier) -> Intent:
    return attrs.evolve(intent, targets=earlier.targets(intent.targets))


def _title_of_hiding(described: Described) -> str:
    return f"the hiding of {described.targets}" if described.targets else ""


def _title_of_revealing(described: Described) -> str:
    return f"the revealing of {described.targets}" if described.targets else ""


HIDE = CommandKind(
    "hide",
    ("hide TARGETS",),
    "hide combatants from the players",
    lambda taken: Hide(taken.take_targets(), True),
    carry_out=_carry_out,
    again=_again,
    title=_title_of_hiding,
)
REVEAL = CommandKind(
    "reveal",
    ("reveal TARGETS",),
    "show hidden combatants to the players",
    lambda taken: Hide(taken.take_targets(), False),
    carry_out=_carry_out,
    again=_again,
    title=_title_of_revealing,
)
