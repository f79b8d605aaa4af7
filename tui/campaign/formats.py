"""The formats of files, and the steps that convert older formats to the newest.

A step leads from one format to the next, for each kind of file that it changes. Steps are pure functions on
plain data: they take a file's tables without `format`, or one event of a log, and return new ones. They must
accept part of a file, since the list of campaigns reads only its head. Loading takes all steps and writes
nothing. The next change writes the file in the new format and keeps the original next to it, under its name
and `.format-N`.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

# Logs of format 1 were never released.
FORMAT = 1
LOG_FORMAT = 2
LOG_NAME = "log.toml"
CAMPAIGN, KIND, OPENING, SEATS, EVENT = "campaign", "kind", "opening", "seats", "event"
FormatStep = Callable[[dict[str, Any]], dict[str, Any]]


# `STEPS[N]`: the steps from format N to N + 1, by kind of file.
STEPS: dict[int, Mapping[str, FormatStep]] = {}

_TABLE = re.compile(rb"^[ \t]*\[", re.MULTILINE)
_NUMBER = re.compile(rb"^\xef?\xbb?\xbf?[ \t]*format[ \t]*=[ \t]*([0-9]{1,9})[ \t]*(?:#|\r?$)", re.MULTILINE)


def is_readable(number: int, newest: int = FORMAT) -> bool:
    """Return whether every step from that format to the newest is known."""
    return number <= newest and all(step in STEPS for step in range(max(number, newest - 1_000), newest))


def renewed(tables: dict[str, Any], kind: str, number: int, newest: int = FORMAT) -> dict[str, Any]:
    """Return a file's tables, or an event, converted to the newest format."""
    if number >= newest:
        return tables
    head = {"format": newest} if "format" in tables else {}
    rest = {name: content for name, content in tables.items() if name != "format"}
    for version in range(number, newest):
        if step := STEPS[version].get(kind):
            rest = step(rest)
    return {**head, **rest}


def newest_of(file: str) -> int:
    """Return the newest format for a file of that name."""
    return LOG_FORMAT if file.rpartition("/")[2] == LOG_NAME else FORMAT


def format_of_log(data: bytes) -> int:
    """Return the format that a log declares; the newest if its head is lost."""
    return format_of(data, LOG_FORMAT)


def kind_of(file: str) -> str:
    """Return the kind of file that a name within a campaign means; "" for the head of a log."""
    if file.startswith("roster/"):
        return KIND
    name = file.rpartition("/")[2]
    return {"campaign.toml": CAMPAIGN, "opening.toml": OPENING, "seats.toml": SEATS}.get(name, "")


def format_of(data: bytes, otherwise: int = FORMAT) -> int:
    """Return the format that a file declares, without parsing it; `otherwise` if it declares none."""
    table = _TABLE.search(data)
    found = _NUMBER.search(data, 0, table.start() if table else len(data))
    return int(found[1]) if found else otherwise


def name_of_original(name: str, number: int) -> str:
    """Return the name under which the original of a converted file is kept."""
    return f"{name}.format-{number}"
