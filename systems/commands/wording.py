"""Describe commands in plain words: requests of seats, offers, and actions at the table.

The program never reads these words; it carries out the command line.
"""

from collections.abc import Mapping

import attrs

from systems.commands.actions import read_action
from systems.contract.ruleset import Action
from systems.encounter.lookup import labels, targets
from systems.encounter.model import Encounter
from systems.errors import Misread, Refused, Wrong
from systems.language.intents import (
    Act,
    Amend,
    ClearCondition,
    DamageOrHeal,
    Delay,
    Intent,
    Next,
    Ready,
    Return,
    RollDice,
    SetCondition,
    SetField,
)
from systems.language.paths import field_and_value, path_meant, path_words
from systems.schema.fields import Field, combatant_options, fields_of, target_options
from systems.text import listed, matches


def intent_words(encounter: Encounter, intent: Intent) -> str:
    """Return words for an intent that a seat may have: `attack on Guard 1, coverage half`, `end the turn`.

    The intent names combatants by id, separated by commas. The words leave out the actor.
    """
    match intent:
        case Act(name, aims, options):
            action = encounter.game.action(name)
            return action_words(encounter, action, aims, options) if action else name
        case Next():
            return "end the turn"
        case Delay():
            return "delay the turn"
        case Return():
            return "return to the order"
        case Ready(_, text):
            return f"get ready: {text}"
        case RollDice(dice):
            return f"roll {dice}"
        case SetField(who, field, value):
            return f"set {_field_words(encounter, who, field, value)}"
        case DamageOrHeal(aims, amount, options, heals):
            given = [f"{name} {names_of(encounter, word)}" for name, word in options.items()]
            return ", ".join(
                [f"{'heal' if heals else 'damage'} {names_of(encounter, aims)} by {amount}", *given]
            )
        case SetCondition():
            return _condition_words(encounter, intent)
        case ClearCondition(aims, name):
            return f"clear {name} from {names_of(encounter, aims)}"
    return ""


def command_words(encounter: Encounter, intent: Intent) -> str:
    """Return words for a command at the table, with its actor: `attack on Guard 1 by Okado, coverage half`.

    The command may name combatants in any way, tags included. Returns "" for other or invalid commands.
    """
    try:
        match intent:
            case Act():
                doing = read_action(encounter, intent)
                aims, doers = ",".join(doing.targets), ",".join(doing.actors)
                return action_words(encounter, doing.action, aims, intent.options, doers)
            case DamageOrHeal():
                ids = ",".join(targets(encounter, intent.targets))
                return intent_words(encounter, attrs.evolve(intent, targets=ids))
            case Next():
                return intent_words(encounter, intent)
            case Amend(number, command=command) if command is not None:
                words = command_words(encounter, command.intent)
                return f"event {number} as {words}" if words else ""
    except (Refused, Wrong):
        return ""
    return ""


def action_words(
    encounter: Encounter, action: Action, aims: str, options: Mapping[str, str], by: str = ""
) -> str:
    """Return an action's title with its targets and options: `attack on Guard 1, coverage half`.

    `by`: the ids of the actors, or "" to leave them out.
    """
    title = f"{action.title} on {names_of(encounter, aims)}" if aims else action.title
    done = f"{title} by {names_of(encounter, by)}" if by else title
    return ", ".join([done, *options_words(encounter, action, options)])


def options_words(encounter: Encounter, action: Action, options: Mapping[str, str]) -> list[str]:
    """Return the options of an action by their labels: `coverage half`, `mark of Aryn`, `aimed`."""
    fields = fields_of(action.options)
    people = {*combatant_options(action.options), *target_options(action.options)}
    words: list[str] = []
    for typed, word in options.items():
        named = matches(typed, fields)
        if len(named) != 1:
            words.append(f"{typed} {word}")
        elif named[0] in people:
            words.append(f"{fields[named[0]].label} {names_of(encounter, word)}")
        else:
            words.append(_option_words(fields[named[0]], word))
    return words


def _option_words(field: Field, word: str) -> str:
    """Return an option's label and value, or only the label of a flag that is set, such as `aimed`."""
    try:
        value = field.type.typed(word, field.name)
    except Wrong:
        value = word
    return field.label if value is True else f"{field.label} {field.words(value)}"


def names_of(encounter: Encounter, ids: str) -> str:
    """Return the names of the combatants with these ids or tags, with tags where names are equal.

    A word that matches no combatant stays unchanged.
    """
    tags = {combatant.tag: combatant.id for combatant in encounter}
    words = [tags.get(word.strip(), word.strip()) for word in ids.split(",")]
    return listed(labels(encounter, words)) if encounter.combatants.keys() >= set(words) else ids


def _field_words(encounter: Encounter, who: str, field: str, value: str) -> str:
    sheet = encounter.combatants[who].sheet
    field, value = field_and_value(sheet, field, value)
    try:
        return f"{path_words(type(sheet), path_meant(sheet, field))} to {value}"
    except (Misread, Refused, Wrong):
        return f"{field} to {value}"


def _condition_words(encounter: Encounter, intent: SetCondition) -> str:
    value = f" {intent.value}" if intent.value is not None else ""
    words = f"{intent.name}{value} on {names_of(encounter, intent.targets)}"
    if intent.rounds is not None:
        words += f" for {intent.rounds} round{'' if intent.rounds == 1 else 's'}"
    if intent.until:
        words += f" until the {intent.until} of {names_of(encounter, intent.of)}'s turn"
    return words
