"""What an encounter is about, for the list of campaigns: who is in it, its round, its last line."""

import os
import re
import tomllib
from pathlib import Path
from typing import Any

from systems.frozen import frozen
from systems.text import clean
from tui.campaign.encounters import LOG, EncounterInfo, folder_of
from tui.campaign.problems import FileProblem
from tui.campaign.toml.files import reading
from tui.campaign.toml.limits import LARGEST_LOG

_NAME = re.compile(rb"""^name = ("[^"\n]{1,400}"|'[^'\n]{1,400}')[ \t]*\r?$""", re.MULTILINE)
_MOST_NAMES = 200
# As much of the end of a log as holds nearly every last event.
_END = 1 << 16
_BEGIN, _MARK = b"\n[[event]]", b'\nend = "'


@frozen
class EncounterSummary:
    """`names`: of those who were there at the beginning. `round`: 0 before the fight. `last`: "" for none."""

    names: tuple[str, ...] = ()
    round: int = 0
    last: str = ""


def summary_of(campaign: Path, info: EncounterInfo) -> EncounterSummary:
    """Return what an encounter of a campaign's folder is about, as far as it can be read."""
    names = tuple(_names(info.source or b""))
    event = _last_event(folder_of(campaign, info.id) / LOG) if info.n else {}
    number, text = event.get("round"), event.get("text")
    return EncounterSummary(
        names,
        number if type(number) is int else 0,
        clean(text, 400) if isinstance(text, str) else "",
    )


def _names(opening: bytes) -> list[str]:
    """The names of an opening's combatants, without reading their sheets."""
    found = []
    for match in list(_NAME.finditer(opening))[:_MOST_NAMES]:
        name = _tables(b"name = " + match[1]).get("name")
        found += [clean(name, 60)] if isinstance(name, str) else []
    return found


def _last_event(log: Path) -> dict[str, Any]:
    """The last whole event of a log; {} where it cannot be read."""
    try:
        with reading(log, log.name, LARGEST_LOG) as opened:
            opened.seek(max(0, opened.seek(0, os.SEEK_END) - _END))
            end = b"\n" + opened.read(_END)
    except (FileProblem, OSError):
        return {}
    stop = end.rfind(_MARK)
    start = end.rfind(_BEGIN, 0, stop)
    if stop < 0 or start < 0:
        return {}
    events = _tables(end[start:stop]).get("event")
    return events[0] if isinstance(events, list) and isinstance(events[0], dict) else {}


def _tables(data: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode())
    except (ValueError, RecursionError):
        return {}
