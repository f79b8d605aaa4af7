"""The table of all commands, by name, in the order in which help lists them."""

import attrs

from systems.commands.declaration import CommandKind, Commands
from systems.commands.note import NOTE
from systems.language.commands import DECLARATIONS
from systems.language.declaration import Declaration


def _kind(declared: Declaration) -> CommandKind:
    return CommandKind(**attrs.asdict(declared, recurse=False))


_OTHERS = {declared.name: _kind(declared) for declared in DECLARATIONS}
COMMANDS: Commands = {**_OTHERS, NOTE.name: NOTE}
# Commands that are still carried out by the dispatcher.
NOT_MOVED = frozenset(_OTHERS)
