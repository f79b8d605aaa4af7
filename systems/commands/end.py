"""The command `end`: end the fight."""

from systems.commands.cast import turn_all_back
from systems.commands.declaration import CommandKind
from systems.commands.resolve import resolve_hook
from systems.commands.transaction import Transaction
from systems.errors import Refused
from systems.frozen import frozen
from systems.language.intents import Intent


@frozen
class End(Intent):
    """End the fight."""


def _carry_out(transaction: Transaction, intent: End) -> None:
    progress = transaction.encounter.progress
    if not progress.round:
        raise Refused("the fight has not begun, so it cannot end")
    if progress.over:
        raise Refused("the fight is over already")
    # Offers that the end of the fight makes remain, such as an ability to learn.
    transaction.encounter = transaction.encounter.without_offers()
    turn_all_back(transaction)
    for combatant in list(transaction.encounter):
        if not combatant.state.arrives:
            resolve_hook(transaction, "encounter_end", combatant.id)
    transaction.encounter = transaction.encounter.with_progress(over=True)
    transaction.say(f"The fight is over after {progress.round} round{'' if progress.round == 1 else 's'}.")


END = CommandKind(
    "end",
    ("end",),
    "end the fight",
    lambda taken: End(),
    carry_out=_carry_out,
    blank=End(),
    title=lambda described: "the end of the fight",
)
