"""Read and complete lines with all commands of the table."""

from collections.abc import Mapping, Sequence
from typing import Any

from systems.commands.roll import RollDice
from systems.commands.table import COMMANDS
from systems.contract.ruleset import Ruleset
from systems.encounter import completion, reading
from systems.encounter.completion import Completion
from systems.encounter.loose_words import ActorOf
from systems.encounter.model import Encounter
from systems.language import parser
from systems.language.intents import Command


def parse(line: str, game: Ruleset, names: Sequence[str] = ()) -> Command:
    """Parse a line; see `systems.language.parser.parse`."""
    return parser.parse(line, game, COMMANDS, names)


def parse_roll(line: str, names: Sequence[str] = ()) -> RollDice:
    """Parse `roll DICE [for WHO] [secret]`, which is the same in every game. Raises Misread."""
    intent = parser.parse_one(COMMANDS["roll"], line, names)
    assert isinstance(intent, RollDice)
    return intent


def read_command(encounter: Encounter, line: str, actor_of: ActorOf | None = None) -> Command:
    """Parse a line in an encounter; see `systems.encounter.reading.read_command`."""
    return reading.read_command(encounter, line, COMMANDS, actor_of)


def completions(encounter: Encounter, roster: Mapping[str, Any], line: str) -> Sequence[Completion]:
    """Return the completions of the last word of a line; see `systems.encounter.completion.completions`."""
    return completion.completions(encounter, roster, line, COMMANDS)
