"""Convert events from format 1 to format 2, as far as an event alone allows."""

from collections.abc import Mapping
from typing import Any

from systems.encounter.events import tables_in, word_in

_OLD_NAMES = {
    "act": "action",
    "orderbeside": "order",
    "ordervalue": "order",
    "setfield": "set",
    "setcondition": "condition",
    "clearcondition": "clear",
    "rolldice": "roll",
}
_BY_FIRST_WORD = {"hurt": ("damage", "heal"), "hide": ("hide", "reveal")}


def from_format_1(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event of format 1 in the shape of format 2, as far as its own data allows.

    Format 1 has actor, targets and options only in the typed line. They are left out, because parsing that
    line needs the encounter before the event (commands/reread.py). There are no sentences.
    """
    if "typed" in event:  # the file was updated by hand
        return dict(event)
    found: dict[str, Any] = {}
    for name, value in event.items():
        match name:
            case "verb":
                found["command"] = _declared_name(value, event.get("command"))
            case "command":
                found["typed"] = value
            case "secret":
                found["options"] = {"secret": True}
            case "terms" | "steps" | "rules":
                pass
            case _:
                found[name] = value
    if results := _old_results(event):
        found["results"] = results
    return found


def _declared_name(verb: object, typed: object) -> str:
    """Return the declared name of a command from its format-1 verb."""
    verb = verb if isinstance(verb, str) else ""
    if verb in _BY_FIRST_WORD:
        first = typed.split(None, 1)[:1] if isinstance(typed, str) else []
        usual, other = _BY_FIRST_WORD[verb]
        return other if [word.casefold() for word in first] == [other] else usual
    return _OLD_NAMES.get(verb, verb)


def _old_results(event: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return results made from the terms, steps and rules of an event."""
    found: dict[str, dict[str, Any]] = {}
    for part in ("terms", "steps"):
        for line in tables_in(event, part):
            who = word_in(line, "of")
            result = found.setdefault(who, {"target": who} if who else {})
            result.setdefault(part, []).append({name: value for name, value in line.items() if name != "of"})
    results = list(found.values())
    if isinstance(rules := event.get("rules"), list) and rules:
        if not results:
            results.append({})
        results[0]["rules"] = rules
    return results
