"""Find the combatants of an event that have left the fight, so that its lines stay the same."""

from collections.abc import Mapping

from systems.encounter.events import Event, combatants_in
from systems.encounter.history import History
from systems.encounter.model import Combatant, Encounter
from systems.encounter.serialize import read_combatant


def with_departed(encounter: Encounter, log: History, event: Event) -> Encounter:
    """Return the encounter with the combatants of an event that have left it, for reading its sentences."""
    missing = {who for who in combatants_in(event) if who and who not in encounter.combatants}
    return encounter.with_combatants(*_departed(encounter, log, missing)) if missing else encounter


def _departed(encounter: Encounter, log: History, missing: set[str]) -> list[Combatant]:
    """Return combatants unchanged since they left the fight. The newest events are searched first."""
    found: dict[str, Combatant] = {}
    for event in reversed(log.events):
        for change in event.changes:
            who = change.who
            if who in missing - found.keys() and not change.field and isinstance(change.before, Mapping):
                found[who] = read_combatant(encounter.game, change.before, who, encounter.players)
        if missing <= found.keys():
            break
    return list(found.values())
