"""The command `refresh`: bring the players' characters up to date with the roster."""

from systems.commands.declaration import CommandKind
from systems.commands.membership import refresh
from systems.frozen import frozen
from systems.language.intents import Intent


@frozen
class Refresh(Intent):
    """Bring the players' characters up to date with the roster."""


REFRESH = CommandKind(
    "refresh",
    ("refresh",),
    "before the fight: update the players' characters from the roster",
    lambda taken: Refresh(),
    carry_out=lambda transaction, intent: refresh(transaction, transaction.entries),
    blank=Refresh(),
)
