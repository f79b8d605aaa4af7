"""The commands `hide` and `reveal`: what the players see of the fight."""

from systems.commands.declaration import CommandKind, titled
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


HIDE = CommandKind(
    "hide",
    ("hide TARGETS",),
    "hide combatants from the players",
    lambda taken: Hide(taken.take_targets(), True),
    carry_out=_carry_out,
    blank=Hide("", True),
    title=titled("the hiding of {targets}"),
)
REVEAL = CommandKind(
    "reveal",
    ("reveal TARGETS",),
    "show hidden combatants to the players",
    lambda taken: Hide(taken.take_targets(), False),
    carry_out=_carry_out,
    blank=Hide("", False),
    title=titled("the revealing of {targets}"),
)
