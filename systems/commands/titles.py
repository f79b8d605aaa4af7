"""Give events short titles that name their combatants: `Tamsin's attack on Guard 1`."""

from collections.abc import Iterable, Mapping

from systems.commands.declaration import Described
from systems.commands.table import COMMANDS
from systems.contract.ruleset import Ruleset
from systems.encounter.events import Event, names_in
from systems.language.paths import path_words
from systems.text import clean, several, spoken

_LONGEST = 40
# Commands without combatants.
_OF_THE_FIGHT: Mapping[str, str] = {
    "start": "the start of the fight",
    "end": "the end of the fight",
    "next": "the next turn",
    "back": "the step back",
    "keep": "saving to the roster",
}
# Commands by one combatant.
_OF_ACTOR: Mapping[str, str] = {
    "delay": "{actor}'s delay",
    "ready": "{actor}'s readied action",
    "return": "{actor}'s return",
}
# Commands about several combatants.
_OF_TARGETS: Mapping[str, str] = {
    "order": "{targets}'s place in the order",
    "add": "{targets}'s arrival",
    "remove": "{targets}'s departure",
    "group": "the shared turn of {targets}",
    "ungroup": "the separate turns of {targets}",
    "hide": "the hiding of {targets}",
    "reveal": "the revealing of {targets}",
}


def title_of(event: Event, names: Mapping[str, str], game: Ruleset | None = None) -> str:
    """Return a short title of an event that names its combatants.

    `names`: the names of combatants, by id. `game`: the source of action and condition labels. An event
    without data gets the line that was typed.
    """
    names = {**names_in(event), **names}
    command, actor = event.command, _name(event.actor, names)
    targets, turn = _names(event.targets, names), _name(event.turn, names)
    if command == "action" and (doers := actor or _actors(event, names)):
        found = _title_of_action(event, doers, targets, game)
    elif command == "next" and turn:
        found = f"the end of {turn}'s turn"
    elif command in _OF_ACTOR and actor:
        found = _OF_ACTOR[command].format(actor=actor)
    elif command in _OF_TARGETS and targets:
        found = _OF_TARGETS[command].format(targets=targets)
    elif (kind := COMMANDS.get(command)) and (
        words := kind.title(Described(event, actor, targets, turn, game))
    ):
        found = words
    else:
        found = _OF_THE_FIGHT.get(command) or _title_of_data(event, command, actor, targets, game)
    return found or clean(event.typed or command, 80) or "a command"


def action_title(name: str, game: Ruleset | None) -> str:
    """Return the title of an action, even if the game no longer has it."""
    action = game.action(name) if game is not None else None
    return clean(action.title if action is not None else spoken(name), _LONGEST)


def _title_of_action(event: Event, doers: str, targets: str, game: Ruleset | None) -> str:
    name = event.action
    return f"{doers}'s {action_title(name, game)}{f' on {targets}' if targets else ''}" if name else ""


def _title_of_data(event: Event, command: str, actor: str, targets: str, game: Ruleset | None) -> str:
    """Return the title of a command that is described by its options, or "" if these are not known."""
    options, by = event.options, f" by {actor}" if actor else ""

    def given(name: str) -> str:
        return clean(str(options.get(name) or ""), _LONGEST)

    match command:
        case "damage" if targets:
            return f"{given('amount')} damage to {targets}{by}".strip()
        case "heal" if targets:
            return f"healing of {targets}{by}"
        case "set" | "count" if targets and (field := options.get("field")):
            return f"the change of {targets}'s {_field_words(str(field), game)}"
        case "count" if targets and (name := given("name")):
            return f"the count of {targets}'s {_condition_words(name, game)}"
        case "condition" if targets and (name := given("name")):
            return f"{_condition_words(name, game)} on {targets}"
        case "clear" if targets and (name := given("name")):
            return f"the end of {_condition_words(name, game)} on {targets}"
        case "roll" if dice := given("dice"):
            return f"a roll of {dice}"
        case "happening" if text := given("text"):
            return f'the scheduled event "{text}"'
        case "amend":
            return "the amendment of event " + ", ".join(str(number) for number in event.refs)
    return ""


def _condition_words(name: str, game: Ruleset | None) -> str:
    return game.condition_label(name) if game is not None else spoken(name)


def _field_words(field: str, game: Ruleset | None) -> str:
    path = tuple(field.replace('"', "").split("."))
    return clean(path_words(game.sheet, path) if game is not None else spoken(field), _LONGEST)


def _actors(event: Event, names: Mapping[str, str]) -> str:
    return _names(dict.fromkeys(result.actor for result in event.results), names)


def _name(who: str, names: Mapping[str, str]) -> str:
    return names.get(who) or clean(who, 60)


def _names(ids: Iterable[str], names: Mapping[str, str]) -> str:
    return several([_name(who, names) for who in ids if who])
