"""Commands in the words of people: what a seat asks for, and what taking an offer does.

Nothing reads these words: a command is carried out by its line.
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
    """Return what an intent that a seat may have does: `attack on Guard 1, coverage half`, `end the turn`.

    Its combatants are named by their ids, with commas between them; who acts is not said.
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
    """Return what a command at the table does and who does it: `attack on Guard 1 by Okado, coverage half`.

    People may be named in it as at the table, by tags too. "" where it has no such words or cannot be.
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
    """Return an action as people call it, its targets, its options: `attack on Guard 1, coverage half`.

    `by`: the ids of those who do it, "" where that is not to be said.
    """
    title = f"{action.title} on {names_of(encounter, aims)}" if aims else action.title
    done = f"{title} by {names_of(encounter, by)}" if by else title
    return ", ".join([done, *options_words(encounter, action, options)])


def options_words(encounter: Encounter, action: Action, options: Mapping[str, str]) -> list[str]:
    """Return the options of an action as people call them: `coverage half`, `mark of Aryn`, `aimed`."""
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
    """Return an option with its value as people read it, `aimed` for one that is simply given."""
    try:
        value = field.type.typed(word, field.name)
    except Wrong:
        value = word
    return field.label if value is True else f"{field.label} {field.words(value)}"


def names_of(encounter: Encounter, ids: str) -> str:
    """Return the names of those whose ids or tags these are, with tags where two have one name.

    A word that means nobody stays as it is.
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
