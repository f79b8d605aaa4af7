"""The command `plan`: play the turns of the creatures up to the next player's.

It makes no event of its own. Each action and each end of a turn is an ordinary command, and all of them are
one batch. A program carries them out, because choosing them needs forecasts, which need these commands.
"""

from systems.commands.declaration import CommandKind
from systems.commands.transaction import Transaction
from systems.errors import Refused
from systems.frozen import frozen
from systems.language.intents import Intent
from systems.language.tokens import TokenLine


@frozen
class PlayPlan(Intent):
    """Play the turns of these creatures, "" for all of them, up to the next player's turn."""

    targets: str = ""


def _read(taken: TokenLine) -> PlayPlan:
    return PlayPlan(taken.take_targets() if taken.words else "")


def _carry_out(transaction: Transaction, intent: PlayPlan) -> None:
    raise Refused("a plan is several commands; only the game master's own line carries it out")


PLAN = CommandKind(
    "plan",
    ("plan [TARGETS]",),
    "play the creatures' turns up to the next player's",
    _read,
    carry_out=_carry_out,
    blank=PlayPlan(),
    in_history=False,
)
