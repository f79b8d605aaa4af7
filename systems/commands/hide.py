"""The commands `hide` and `reveal`: what the players see of the fight."""

from functools import partial

from systems.commands.declaration import CommandKind, titled, with_targets
from systems.commands.membership import hide
from systems.frozen import frozen
from systems.language.intents import Intent


@frozen
class Hide(Intent):
    """Hide combatants from the players, or reveal them."""

    targets: str
    hidden: bool = True


HIDE = CommandKind(
    "hide",
    ("hide TARGETS",),
    "hide combatants from the players",
    lambda taken: Hide(taken.take_targets(), True),
    carry_out=with_targets(partial(hide, hidden=True)),
    blank=Hide("", True),
    title=titled("the hiding of {targets}"),
)
REVEAL = CommandKind(
    "reveal",
    ("reveal TARGETS",),
    "show hidden combatants to the players",
    lambda taken: Hide(taken.take_targets(), False),
    carry_out=with_targets(partial(hide, hidden=False)),
    blank=Hide("", False),
    title=titled("the revealing of {targets}"),
)
