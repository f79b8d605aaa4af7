"""Describe events and commands in a few words, by their declarations: `Tamsin's attack on Guard 1`."""

from collections.abc import Iterable, Mapping

from systems.commands.declaration import Described
from systems.commands.table import kind_named, kind_of
from systems.contract.ruleset import Ruleset
from systems.encounter.events import Event, names_in
from systems.encounter.model import Encounter
from systems.errors import Refused, Wrong
from systems.language.intents import Amend, Command
from systems.text import clean, several


def title_of(event: Event, names: Mapping[str, str], game: Ruleset | None = None) -> str:
    """Return a short title of an event that names its combatants.

    `names`: the names of combatants, by id. `game`: the source of action and condition labels. An event
    without data gets the line that was typed.
    """
    names = {**names_in(event), **names}
    kind = kind_named(event.command)
    doers = dict.fromkeys(result.actor for result in event.results)
    described = Described(
        event,
        _name(event.actor, names),
        _names(event.targets, names),
        _name(event.turn, names),
        _names(doers, names),
        game,
    )
    found = kind.title(described) if kind is not None else ""
    return found or clean(event.typed or event.command, 80) or "a command"


def _name(who: str, names: Mapping[str, str]) -> str:
    return names.get(who) or clean(who, 60)


def _names(ids: Iterable[str], names: Mapping[str, str]) -> str:
    return several([_name(who, names) for who in ids if who])


def command_words(encounter: Encounter, command: Command) -> str:
    """Return words for a command at the table, with its actor: `attack on Guard 1 by Okado, coverage half`.

    The command may name combatants in any way, tags included. Returns "" for other or invalid commands.
    """
    if isinstance(command.intent, Amend):
        inner = command.intent.command
        words = command_words(encounter, inner) if inner is not None else ""
        return f"event {command.intent.number} as {words}" if words else ""
    try:
        return kind_of(command).table_words(encounter, command.intent)
    except (Refused, Wrong):
        return ""
