"""Describe commands in plain words: requests of seats, offers, and actions at the table.

The program never reads these words; it carries out the command line.
"""

from collections import Counter
from collections.abc import Mapping

from systems.contract.action import Action
from systems.encounter.lookup import labels
from systems.encounter.model import Encounter
from systems.errors import Wrong
from systems.schema.fields import Field, combatant_options, fields_of, target_options
from systems.text import listed, matches


def action_words(
    encounter: Encounter, action: Action, aims: str, options: Mapping[str, str], by: str = ""
) -> str:
    """Return an action's title with its targets and options: `attack on Guard 1, coverage half`.

    `by`: the ids of the actors, or "" to leave them out.
    """
    words = options_words(encounter, action, options)
    # An option with the name of the action says more than its title: `power tail sweep`.
    named = next((word for word in words if word.startswith(f"{action.title} ")), "")
    title = f"{named or action.title} on {names_of(encounter, aims)}" if aims else named or action.title
    done = f"{title} by {names_of(encounter, by)}" if by else title
    return ", ".join([done, *(word for word in words if word != named)])


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

    One that is named twice has `×2` after its name. A word that matches no combatant stays unchanged.
    """
    tags = {combatant.tag: combatant.id for combatant in encounter}
    words = [tags.get(word.strip(), word.strip()) for word in ids.split(",")]
    if not encounter.combatants.keys() >= set(words):
        return ids
    times = Counter(words)
    names = zip(labels(encounter, list(times)), times.values(), strict=True)
    return listed([f"{name} ×{number}" if number > 1 else name for name, number in names])
