"""Sum up an encounter for the list of campaigns: its combatants, its round, and its last line."""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from systems.codec.events import read_event
from systems.encounter.events import Event
from systems.frozen import frozen
from systems.text import clean
from tui.campaign.encounters import LOG, EncounterInfo, folder_of
from tui.campaign.problems import FileProblem
from tui.campaign.toml.files import reading
from tui.campaign.toml.limits import LARGEST_LOG

_QUOTED = rb"""("[^"\n]{1,400}"|'[^'\n]{1,400}')"""
# In an opening: the name in a combatant's own table, and not on its sheet.
_NAME = re.compile(rb"^\[\[combatant\]\].*\n(?:(?!\[|name =).*\n)*name = " + _QUOTED, re.MULTILINE)
# The name of a combatant that an event adds.
_JOINED = re.compile(rb'field = "", after = \{ id = "[^"\n]*", name = ' + _QUOTED)
_MOST_NAMES = 200
# Enough of a log to hold nearly every last event, or the first combatants.
_PART = 1 << 16
_BEGIN, _MARK = b"\n[[event]]", b'\nend = "'


@frozen
class EncounterSummary:
    """`names`: those of the combatants at the beginning, else of the first that joined.

    `round`: 0 before the fight. `last`: the last line, "" for none.
    """

    names: tuple[str, ...] = ()
    round: int = 0
    last: str = ""


def summary_of(campaign: Path, info: EncounterInfo) -> EncounterSummary:
    """Return the summary of an encounter, as far as its files can be read."""
    names = tuple(_names(_NAME, info.source or b""))
    if info.n and not names:
        names = tuple(_names(_JOINED, _part(folder_of(campaign, info.id) / LOG, of_end=False)))
    event = _last_event(folder_of(campaign, info.id) / LOG) if info.n else Event()
    return EncounterSummary(names, event.round, clean(event.text, 400))


def _names(pattern: re.Pattern[bytes], data: bytes) -> list[str]:
    """Return the names of combatants without reading their sheets."""
    found = []
    for match in list(pattern.finditer(data))[:_MOST_NAMES]:
        name = _tables(b"name = " + match[1]).get("name")
        found += [clean(name, 60)] if isinstance(name, str) else []
    return found


def _last_event(log: Path) -> Event:
    """Return the last whole event of a log; an empty one if it cannot be read."""
    end = b"\n" + _part(log, of_end=True)
    stop = end.rfind(_MARK)
    start = end.rfind(_BEGIN, 0, stop)
    if stop < 0 or start < 0:
        return Event()
    events = _tables(end[start:stop]).get("event")
    if not isinstance(events, list) or not isinstance(events[0], dict):
        return Event()
    return read_event(events[0])


def _part(log: Path, *, of_end: bool) -> bytes:
    """Return the beginning or the end of a log; b"" if it cannot be read."""
    try:
        with reading(log, log.name, LARGEST_LOG) as opened:
            opened.seek(max(0, opened.seek(0, os.SEEK_END) - _PART) if of_end else 0)
            return opened.read(_PART)
    except (FileProblem, OSError):
        return b""


def _tables(data: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError):
        return {}
