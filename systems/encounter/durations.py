"""Set and describe how long conditions last: N rounds, or until a combatant's turn starts or ends."""

from systems.contract.marked_text import possessive
from systems.encounter.model import FOREVER, ActiveCondition, Encounter
from systems.schema.conversion import replace
from systems.text import clean, listed


def for_rounds(encounter: Encounter, held: ActiveCondition, rounds: int) -> ActiveCondition:
    """Return the condition with a duration of this round and `rounds` - 1 more."""
    return replace(held, last_round=min(FOREVER, max(1, encounter.progress.round) + rounds - 1))


def until_turn(encounter: Encounter, held: ActiveCondition, moment: str, of: str) -> ActiveCondition:
    """Return the condition with a duration until the next start or end (`moment`) of a turn of `of`.

    The end of the current turn does not count.
    """
    skips = 1 if moment == "end" and encounter.progress.turn == of else 0
    return replace(held, until=moment, of=of, skips=skips)


_OWN_TURN = {"start": "until own turn", "end": "until own turn ends"}
_OF_SOURCE = {"source_falls": "falls", "source_dies": "dies"}
_EVENTS = {"damaged": "damaged", "healed": "healed", "falls": "unable to act"}
_MOMENTS = {
    "start": "at the start of its turns",
    "end": "at the end of its turns",
    "damaged": "when damaged",
}


def until_event(encounter: Encounter, held: ActiveCondition) -> str:
    """Return what ends a condition: `until damaged`, `until Okado falls`, `while swallowed`, or ""."""
    events = [_EVENTS[event] for event in held.ends_when if event in _EVENTS]
    for event, does in _OF_SOURCE.items():
        if event in held.ends_when:
            source = encounter.combatants.get(held.source or "")
            events.append(f"{clean(source.name) if source else 'its source'} {does}")
    until = f"until {listed(events, 'or')}" if events else ""
    if held.brought_by is None:
        return until
    return " or ".join(filter(None, (f"while {encounter.game.condition_label(held.brought_by)}", until)))


def way_out(held: ActiveCondition) -> str:
    """Return the save that ends a condition and its escape number: `wisdom save 14 at the end of its turns`.

    Viewers who may not know the difficulty of the save have a condition without it.
    """
    found = []
    if held.save and held.again:
        against = "" if held.difficulty is None else f" {held.difficulty}"
        moments = " and ".join(_MOMENTS[moment] for moment in held.again)
        found.append(f"{clean(held.save)} save{against} {moments}")
    if held.escape is not None:
        found.append(f"escape {held.escape}")
    return ", ".join(found)


def left(encounter: Encounter, held: ActiveCondition) -> str:
    """Return how long a condition still lasts: `2 rounds`, `until the end of Okado's turn`, or ""."""
    if held.last_round is not None:
        rounds = _rounds_left(encounter, held.last_round)
        return f"{rounds} round{'' if rounds == 1 else 's'}"
    if held.of is not None and held.until is not None:
        return f"until the {held.until} of {possessive(name_of(encounter, held.of))} turn"
    return ""


def left_briefly(encounter: Encounter, held: ActiveCondition, who: str) -> str:
    """Return the same for the row of `who`: `2r`, `until end of Okado`, `until own turn ends` or ""."""
    if held.last_round is not None:
        return f"{_rounds_left(encounter, held.last_round)}r"
    if held.of is not None and held.until is not None:
        own = _OWN_TURN.get(held.until) if held.of == who else None
        return own or f"until {held.until} of {name_of(encounter, held.of)}"
    return ""


def _rounds_left(encounter: Encounter, last: int) -> int:
    return max(1, last - max(1, encounter.progress.round) + 1)


def name_of(encounter: Encounter, who: str) -> str:
    """Return the name of a combatant, or its id if it has left the fight."""
    combatant = encounter.combatants.get(who)
    return combatant.name if combatant else who
