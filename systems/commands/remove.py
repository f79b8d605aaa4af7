"""The commands `remove` and `flee`: take combatants out of the fight, for good or until they return."""

from systems.commands.cast import flee
from systems.commands.declaration import CommandKind, titled, with_targets
from systems.commands.membership import remove
from systems.frozen import frozen
from systems.language.intents import Intent


@frozen
class Remove(Intent):
    """Take combatants out of the fight. `flees`: they may come back by `return`."""

    targets: str
    flees: bool = False


REMOVE = CommandKind(
    "remove",
    ("remove TARGETS",),
    "take combatants out of the fight",
    lambda taken: Remove(taken.take_targets()),
    carry_out=with_targets(remove),
    blank=Remove(""),
    title=titled("{targets'} departure"),
)
FLEE = CommandKind(
    "flee",
    ("flee TARGETS",),
    "let combatants flee from the fight, until `return`",
    lambda taken: Remove(taken.take_targets(), True),
    carry_out=with_targets(flee),
    blank=Remove("", True),
    title=titled("{targets'} flight"),
)
