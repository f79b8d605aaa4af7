"""Parse command lines in an encounter, whose combatants can be named without quotes."""

from contextlib import suppress

import attrs

from systems.encounter.lookup import names_in_lines, single
from systems.encounter.loose_words import ActorOf, with_sorted_words
from systems.encounter.model import Combatant, Encounter
from systems.errors import Refused
from systems.language.declaration import Declarations
from systems.language.intents import Act, Amend, Command
from systems.language.parser import parse


def read_command(
    encounter: Encounter, line: str, commands: Declarations, actor_of: ActorOf | None = None
) -> Command:
    """Parse a line with the words of the encounter's game and the names of its combatants. Raises Misread.

    `actor_of`: returns the combatant whose action it is. Default: the named one, else the one whose turn it
    is.
    """
    parsed = parse(line, encounter.game, commands, names_in_lines(encounter))
    return sorted_command(encounter, parsed, actor_of)


def sorted_command(encounter: Encounter, command: Command, actor_of: ActorOf | None = None) -> Command:
    """Return a parsed command with the loose words of its action sorted. Raises Misread."""
    match command.intent:
        case Act() as act:
            sorted_act = with_sorted_words(encounter, act, actor_of or (lambda act: _actor(encounter, act)))
            return command if sorted_act is act else attrs.evolve(command, intent=sorted_act)
        case Amend(command=Command() as inner) as amend:
            meant = attrs.evolve(amend, command=sorted_command(encounter, inner, actor_of))
            return attrs.evolve(command, intent=meant)
    return command


def _actor(encounter: Encounter, act: Act) -> Combatant | None:
    """Return the combatant named as the actor, else the one whose turn it is."""
    with suppress(Refused):
        return single(encounter, act.by) if act.by else encounter.turn
    return None
