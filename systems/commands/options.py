"""Change the options of a command that is amended."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from systems.contract.ruleset import Action
from systems.encounter.events import Event
from systems.errors import Refused
from systems.schema.fields import fields_of
from systems.schema.values import as_typed
from systems.text import listed, matches, shown


def options_as_typed(event: Event) -> dict[str, str]:
    """Return the options of an event as they would be typed."""
    return {name: as_typed(value) for name, value in event.options.items() if value is not None}


def parts_given(given: Mapping[str, str], texts: Sequence[str], numbers: Sequence[str]) -> dict[str, Any]:
    """Return the given fields of a command by name.

    Raises Refused for an unknown name or an invalid number.
    """
    found: dict[str, Any] = {}
    for word, value in given.items():
        name = next(iter(matches(word, (*texts, *numbers))), "")
        if not name:
            raise Refused(f"this command has no option {shown(word)}; it has {listed((*texts, *numbers))}")
        if name in numbers and not re.fullmatch(r"-?[0-9]{1,4}", value):
            raise Refused(f"{name}: expected a whole number, got {shown(value)}")
        found[name] = int(value) if name in numbers else value
    return found


def options_of(action: Action | None) -> tuple[str, ...]:
    """Return the names of an action's options."""
    return tuple(fields_of(action.options)) if action else ()


def merged(known: Sequence[str], old: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Return the old options, replaced by those given now; names are compared in any spelling."""
    replaced = {name for word in given for name in matches(word, known)}
    return {name: value for name, value in old.items() if name not in replaced} | dict(given)
