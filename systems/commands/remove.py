"""The command `remove`: take combatants out of the fight."""

from systems.commands.declaration import CommandKind, titled, with_targets
from systems.commands.membership import remove
from systems.frozen import frozen
from systems.language.intents import Intent


@frozen
class Remove(Intent):
    """Remove combatants from the fight."""

    targets: str


REMOVE = CommandKind(
    "remove",
    ("remove TARGETS",),
    "take combatants out of the fight",
    lambda taken: Remove(taken.take_targets()),
    carry_out=with_targets(remove),
    blank=Remove(""),
    title=titled("{targets}'s departure"),
)
