"""The formats of files: how what an older program wrote becomes what this one reads.

A step leads from one format to the next, for each kind of file that it changes. Steps are pure
functions on plain data: a file's tables without `format`, or one event of a log, go in; new ones come
out. They must do with parts: the list of campaigns reads only the head of a file. Loading takes all
steps at once and writes nothing; the file is written in the new format when it is next changed, and
its original stays beside it under its name and `.format-N`.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

# Logs are of format 2, in which events are data; openings, rosters and settings have not changed since 1.
FORMAT = 1
LOG_FORMAT = 2
LOG_NAME = "log.toml"
CAMPAIGN, KIND, OPENING, SEATS, EVENT = "campaign", "kind", "opening", "seats", "event"
Step = Callable[[dict[str, Any]], dict[str, Any]]


def _event_as_data(event: dict[str, Any]) -> dict[str, Any]:
    # Only a log of format 1 pays for this import.
    from systems.encounter.format_1 import from_format_1

    return from_format_1(event)


# From format N to N + 1: `STEPS[N]`, by kind of file.
STEPS: dict[int, Mapping[str, Step]] = {1: {EVENT: _event_as_data}}

_TABLE = re.compile(rb"^[ \t]*\[", re.MULTILINE)
_NUMBER = re.compile(rb"^\xef?\xbb?\xbf?[ \t]*format[ \t]*=[ \t]*([0-9]{1,9})[ \t]*(?:#|\r?$)", re.MULTILINE)


def is_readable(number: int, newest: int = FORMAT) -> bool:
    """Whether every step from that format to the newest is known."""
    return number <= newest and all(step in STEPS for step in range(max(number, newest - 1_000), newest))


def renewed(tables: dict[str, Any], kind: str, number: int, newest: int = FORMAT) -> dict[str, Any]:
    """A file's tables, or an event, of an older format as they are in the newest."""
    if number >= newest:
        return tables
    head = {"format": newest} if "format" in tables else {}
    rest = {name: content for name, content in tables.items() if name != "format"}
    for version in range(number, newest):
        if step := STEPS[version].get(kind):
            rest = step(rest)
    return {**head, **rest}


def renewed_events(events: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """The events of a log of that format as they are in the newest."""
    return events if number >= LOG_FORMAT else [renewed(event, EVENT, number, LOG_FORMAT) for event in events]


def newest_of(file: str) -> int:
    """The newest format of a file of that name."""
    return LOG_FORMAT if file.rpartition("/")[2] == LOG_NAME else FORMAT


def format_of_log(data: bytes) -> int:
    """The format of a log, also where the line that says it is lost: events of format 1 have a verb."""
    number = format_of(data, -1)
    if number >= 0:
        return number
    # The whole of a long log is searched only when its head does not say its format.
    return 1 if b'\nverb = "' in data else LOG_FORMAT


def kind_of(file: str) -> str:
    """Which kind of file a name within a campaign stands for; `` for the head of a log."""
    if file.startswith("roster/"):
        return KIND
    name = file.rpartition("/")[2]
    return {"campaign.toml": CAMPAIGN, "opening.toml": OPENING, "seats.toml": SEATS}.get(name, "")


def format_of(data: bytes, otherwise: int = FORMAT) -> int:
    """The format that a file says it has, without parsing it; `otherwise` when it does not say."""
    table = _TABLE.search(data)
    found = _NUMBER.search(data, 0, table.start() if table else len(data))
    return int(found[1]) if found else otherwise


def name_of_original(name: str, number: int) -> str:
    """The name under which the original of a renewed file stays."""
    return f"{name}.format-{number}"
