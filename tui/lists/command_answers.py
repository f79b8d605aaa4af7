"""Work out the help for a line of the command language."""

from typing import TYPE_CHECKING

from systems.commands.conditions import SetCondition, counted
from systems.commands.table import COMMANDS, completions, read_command
from systems.encounter.lookup import condition_named
from systems.encounter.model import Encounter
from systems.errors import Misread, Refused
from systems.text import clean, plain_number
from tui.display.card import titled
from tui.lists.command_help import NOTHING_TYPED, CommandHelp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from systems.encounter.roster import JoiningEntry


def command_help(
    encounter: Encounter, roster: "Mapping[str, JoiningEntry]", line: str, begun: str
) -> CommandHelp:
    """Return the help for a line. `begun`: the line up to the cursor."""
    found = completions(encounter, roster, begun)
    words = tuple((completion.text, completion.help) for completion in found)
    return CommandHelp(title_of(encounter, line), words)


def wrong_with(encounter: Encounter, line: str) -> tuple[str, int, int]:
    """Return why a line can't be read, and the start and end of the faulty part; "" if it can be read."""
    try:
        read_command(encounter, line)
    except Misread as error:
        return str(error), error.start, error.end
    return "", 0, 0


def title_of(encounter: Encounter, line: str) -> str:
    """Return the usage of the command or action that a line begins with."""
    verb = line.split(" ", 1)[0]
    if (declared := COMMANDS.get(verb.casefold())) and " " in line:
        if declared.name == "condition" and (number := _number_of_condition(encounter, line)):
            return f"{number} · {declared.usage}"
        return f"{declared.usage}: {declared.help}"
    action = encounter.game.action(verb)
    return f"{titled(action.title)}: {action.help}" if action else NOTHING_TYPED


def _number_of_condition(encounter: Encounter, line: str) -> str:
    """Return what the number after a condition means: `prone for 2 rounds`, `burning, value 2`."""
    try:
        intent = read_command(encounter, line).intent
        if not isinstance(intent, SetCondition) or intent.value is None:
            return ""
        name = condition_named(encounter, intent.name, quoted=intent.quoted)
        value, rounds = counted(encounter, name, intent)
    except (Misread, Refused):
        return ""
    words = clean(encounter.game.condition_label(name), 40)
    if value is not None:
        return f"{words}, value {plain_number(value)}"
    return f"{words} for {rounds} round{'' if rounds == 1 else 's'}"
