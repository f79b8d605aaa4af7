"""A possible repair, and free names for files that it sets aside."""

import os
from collections.abc import Mapping
from pathlib import Path

from systems.frozen import frozen


@frozen
class RepairChoice:
    """One possible repair: its description, and the files after it; None for a removed file."""

    says: str
    files: Mapping[str, bytes | None]


def aside(campaign: Path, file: str) -> str:
    """Return a free name for a part set aside; not a TOML file, so that nothing reads it."""
    return free(campaign, file, "aside")


def free(campaign: Path, file: str, what: str) -> str:
    """Return the first free name of `FILE.WHAT-1`, `FILE.WHAT-2` and so on."""
    names = (f"{file}.{what}-{number}" for number in range(1, 100_000))
    return next(name for name in names if not os.path.lexists(campaign / name))
