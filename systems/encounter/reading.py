"""Reading of a command line in an encounter, whose combatants are named without quotes."""

from systems.encounter.model import Encounter
from systems.language.intents import Command
from systems.language.parser import parse


def read_command(encounter: Encounter, line: str) -> Command:
    """Parse a line in the words of the encounter's game and the names of its combatants. Raises Misread."""
    return parse(line, encounter.game, names_in_lines(encounter))


def names_in_lines(encounter: Encounter) -> tuple[str, ...]:
    """Return the names that need no quotes in a line."""
    return tuple(name for combatant in encounter if " " in (name := combatant.name))
