"""Convert events that an older version of a game wrote.

A game may rename a field (`formerly`) or convert its sheets (`Ruleset.version` and `migrate`). The changes of
an event refer to fields of a sheet, so they are converted as well: the sheets before and after each event are
converted, and their difference gives the new changes.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from itertools import takewhile
from typing import Any

from systems.contract.ruleset import Ruleset
from systems.encounter.changes import Change, differences, joined, reverse, split
from systems.encounter.events import Event
from systems.encounter.history import history
from systems.encounter.serialize import with_present_sheet
from systems.frozen import evolve
from systems.schema.fields import former_names
from systems.sheets import VERSION, check_version, converted

Sheets = dict[str, Any]


def migrated(game: Ruleset, opening: Mapping[str, Any], events: Sequence[Event]) -> Sequence[Event]:
    """Return the events with the fields and values of the game's present version.

    `opening` is the plain data of the opening. Raises Wrong for events of a newer version, and if the game
    cannot convert a sheet.
    """
    if events and game.version != 1 and events[0].game_version != game.version:
        events = _converted(game, opening, events)
    if former_names(game.sheet):
        events = [_renamed(game, event) for event in events]
    return events


def version_of(given: Mapping[str, Any]) -> int:
    """Return the game version that wrote a file, or 1 if none is given."""
    version = given.get(VERSION, 1)
    return version if type(version) is int else 1


def _renamed(game: Ruleset, event: Event) -> Event:
    """Return the event with the current names of sheet fields."""
    former = former_names(game.sheet)

    def renamed(change: Change) -> Change:
        path = split(change.field)
        if len(path) > 1 and path[0] == "sheet" and path[1] in former:
            return evolve(change, field=joined((path[0], former[path[1]], *path[2:])))
        if not path:
            before, after = (with_present_sheet(game, side) for side in (change.before, change.after))
            return evolve(change, before=before, after=after)
        return change

    replaced = tuple(_renamed(game, version) for version in event.replaced)
    return evolve(event, changes=tuple(map(renamed, event.changes)), replaced=replaced)


def _converted(game: Ruleset, opening: Mapping[str, Any], events: Sequence[Event]) -> Sequence[Event]:
    """Return the events with all older versions converted, one version at a time."""
    for event in events:
        check_version(game, event.game_version)
    first = version_of(opening)
    sheets: Sheets = {who["id"]: who.get("sheet", {}) for who in opening.get("combatant", ())}
    for version in range(first, game.version):
        events = _step(game, version, dict(sheets), events)
        sheets = {who: converted(game, version, sheet, version + 1) for who, sheet in sheets.items()}
    return events


def _step(game: Ruleset, version: int, sheets: Sheets, events: Sequence[Event]) -> Sequence[Event]:
    """Return the events with those of one version converted to the next. `sheets`: those of the opening."""
    found: list[Event] = []
    for number, event in enumerate(events):
        if event.game_version > version:
            return [*found, *events[number:]]
        replaced: tuple[Event, ...] = ()
        if event.replaced or event.dropped:
            replaced = _replaced(game, version, dict(sheets), events[:number], event)
        moved = _moved(game, version, sheets, event.changes)
        found.append(evolve(event, replaced=replaced, changes=tuple(moved)))
    return found


def _replaced(
    game: Ruleset, version: int, sheets: Sheets, events: Sequence[Event], amendment: Event
) -> tuple[Event, ...]:
    """Return the newer versions of events that an amendment carries, converted.

    `sheets`: those before the amendment. They are taken back to the first corrected event, then follow the
    corrected events.
    """
    corrected = {event.n: event for event in amendment.replaced}
    dropped = set(amendment.dropped)
    first = min((*corrected, *dropped))
    past = list(takewhile(lambda event: event.n >= first, history(events).newest()))
    for event in past:
        for change in reverse(event.changes):
            if _is_of_a_sheet(change):
                _apply(sheets, change)
    found: list[Event] = []
    for event in reversed(past):
        number = event.n
        if number in dropped:
            continue
        changes = _moved(game, version, sheets, corrected.get(number, event).changes)
        if number in corrected:
            found.append(evolve(corrected[number], changes=tuple(changes)))
    return tuple(found)


def _moved(game: Ruleset, version: int, sheets: Sheets, changes: Sequence[Change]) -> list[Change]:
    """Return an event's changes in the next version, and apply the event to `sheets`."""
    found = [change for change in changes if not _is_of_a_sheet(change)]
    for who in dict.fromkeys(change.who for change in changes):
        own = [change for change in changes if change.who == who and change not in found]
        if not own:
            continue
        before = sheets.get(who)
        for change in own:
            _apply(sheets, change)
        if any(change.field == "" for change in own):
            found += [_whole(game, version, change) for change in own if change.field == ""]
            continue
        old, new = (converted(game, version, sheet or {}, version + 1) for sheet in (before, sheets[who]))
        found += differences(who, ("sheet",), old, new)
    return found


def _is_of_a_sheet(change: Change) -> bool:
    """Return whether a change concerns a sheet, or a whole combatant that joined or left."""
    return not change.field or change.field.startswith("sheet.")


def _apply(sheets: Sheets, change: Change) -> None:
    """Apply a change to a plain sheet."""
    if change.field == "":
        sheets.pop(change.who, None)
        if change.after is not None:
            sheets[change.who] = deepcopy(change.after.get("sheet", {}))
        return
    sheet = deepcopy(sheets.get(change.who) or {})
    sheets[change.who] = sheet
    *path, last = split(change.field)[1:]
    for name in path:
        sheet = sheet.setdefault(name, {})
    if change.after is None:
        sheet.pop(last, None)
    else:
        sheet[last] = deepcopy(change.after)


def _whole(game: Ruleset, version: int, change: Change) -> Change:
    """Return the converted change of a whole combatant that joined or left."""
    parts = [
        part and {**part, "sheet": converted(game, version, part.get("sheet", {}), version + 1)}
        for part in (change.before, change.after)
    ]
    return Change(change.who, "", *parts)
