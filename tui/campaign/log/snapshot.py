"""Store the state of a fight at the end of its cached log, so that earlier events need not be applied again.

A snapshot is the result of applying the events, and is trusted only with the same opening, game and program.
Otherwise the log is applied from its opening: a snapshot saves time and decides nothing.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import systems
from systems.encounter.changes import apply_all, from_parts, to_parts
from systems.encounter.history import History, HistoryState
from systems.encounter.model import Encounter
from systems.encounter.timeline import Points, Timeline
from systems.frozen import asdict, frozen
from systems.plugins.loading import SUBSYSTEMS
from systems.schema.fields import fields_of
from tui.campaign.campaign import Campaign
from tui.campaign.openings import opening_bytes, opening_of
from tui.campaign.problems import UNFIT

Stamp = tuple[str, str, list[str], bytes, list[tuple[str, int, int, int]]]


@frozen(eq=False)
class Snapshot:
    """A fight after the first `known.count` events of its log.

    `stamp`: everything else that it depends on; None if that is unknown. `points`: see Timeline.
    """

    stamp: Stamp | None
    encounter: Encounter
    known: HistoryState = HistoryState()
    points: Points = {}


def bookmark_of(campaign: Campaign, encounter: str, left: Mapping[str, Any] | None) -> Snapshot:
    """Return the snapshot stored with a fight if it is still valid, or else the opening.

    Raises FileProblem for a bad opening.
    """
    opening = opening_bytes(campaign, encounter)
    stamp = _stamp(campaign, opening)
    if left and stamp and left["stamp"] == stamp:
        present = from_parts(
            campaign.ruleset, campaign.house, campaign.order, left["parts"], campaign.table.players
        )
        return Snapshot(stamp, present, HistoryState(**left["known"]), left["points"])
    return Snapshot(stamp, opening_of(campaign, encounter, opening))


def later_bookmark(mark: Snapshot, log: History, curves: Timeline) -> dict[str, Any] | None:
    """Return what `bookmark_of` needs at the end of this log; None if it would not give the same result."""
    with suppress(*UNFIT):
        present = apply_all(mark.encounter, log.events[mark.known.count :])
        parts, known = to_parts(present), asdict(log.known)
        if (
            mark.stamp
            and from_parts(present.game, present.house, present.style, parts, present.players) == present
        ):
            return {"stamp": mark.stamp, "parts": parts, "known": known, "points": curves.points(log)}
    return None


def _stamp(campaign: Campaign, opening: bytes) -> Stamp | None:
    """Return the game, the opening, and the files that read and apply a fight, so that any change shows.

    None for a game by another author, whose files are unknown, and for a program that is not a folder.
    """
    home = Path(systems.__file__).parent
    files = Path(__file__).parent
    # Sorted, because the order of a set changes from one start to the next.
    subsystems = (home / name for name in sorted(SUBSYSTEMS))
    folders = home, *subsystems, home / campaign.system, files.parent, files, files.parent / "toml"
    if not campaign.ruleset.sheet.__module__.startswith(f"systems.{campaign.system}."):
        return None
    with suppress(OSError):
        return (
            campaign.system,
            campaign.table.players,
            _fields(campaign.ruleset.sheet),
            opening,
            [entry for folder in folders for entry in _files(folder)],
        )
    return None


def _fields(sheet: type) -> list[str]:
    """Return the fields of a sheet with their defaults; a campaign may have meters of its own."""
    return [f"{name}: {field.default_text}" for name, field in fields_of(sheet).items()]


@cache
def _files(folder: Path) -> tuple[tuple[str, int, int, int], ...]:
    """Return the program's files. Read once: the running program is the one that was installed then."""
    with os.scandir(folder) as found:
        about = [(entry.name, entry.stat()) for entry in found if entry.name.endswith(".py")]
    return tuple(sorted((name, stamp.st_size, stamp.st_mtime_ns, stamp.st_ctime_ns) for name, stamp in about))
