"""The table of all commands, by name, in the order in which help lists them."""

from systems.commands.action import GAME_ACTION
from systems.commands.add import ADD
from systems.commands.amend import AMEND
from systems.commands.amounts import DAMAGE, HEAL
from systems.commands.clear import CLEAR
from systems.commands.condition import CONDITION
from systems.commands.count import COUNT
from systems.commands.declaration import CommandKind, Commands
from systems.commands.delay import DELAY, RETURN
from systems.commands.end import END
from systems.commands.groups import GROUP, UNGROUP
from systems.commands.hide import HIDE, REVEAL
from systems.commands.keep import KEEP
from systems.commands.next import NEXT
from systems.commands.note import NOTE
from systems.commands.order import ORDER
from systems.commands.readiness import READY
from systems.commands.refresh import REFRESH
from systems.commands.remove import REMOVE
from systems.commands.roll import ROLL
from systems.commands.say import SAY
from systems.commands.schedule import SCHEDULE, UNSCHEDULE
from systems.commands.set import SET
from systems.commands.start import START
from systems.commands.step_back import BACK
from systems.commands.undo import REDO, UNDO
from systems.language.intents import Command

COMMANDS: Commands = {
    kind.name: kind
    for kind in (
        START,
        REFRESH,
        NEXT,
        BACK,
        END,
        DELAY,
        RETURN,
        READY,
        SCHEDULE,
        UNSCHEDULE,
        ORDER,
        GROUP,
        UNGROUP,
        DAMAGE,
        HEAL,
        SET,
        COUNT,
        CONDITION,
        CLEAR,
        ADD,
        REMOVE,
        HIDE,
        REVEAL,
        ROLL,
        NOTE,
        SAY,
        KEEP,
        UNDO,
        REDO,
        AMEND,
    )
}


def kind_named(name: str) -> CommandKind | None:
    """Return the declaration with a name, also that of the game's actions; None for an unknown name."""
    return GAME_ACTION if name == GAME_ACTION.name else COMMANDS.get(name)


def kind_of(command: Command) -> CommandKind:
    """Return the declaration of a command, also that of an action of the game."""
    return GAME_ACTION if command.name == GAME_ACTION.name else COMMANDS[command.name]
