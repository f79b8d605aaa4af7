"""One thing that can be done about a problem, and free names for what it sets aside."""

import os
from collections.abc import Mapping
from pathlib import Path

import attrs


@attrs.frozen
class Choice:
    """One thing that can be done: what it is, and the files as they are after it, None for one that goes."""

    says: str
    files: Mapping[str, bytes | None]


def aside(campaign: Path, file: str) -> str:
    """A free name for what is set aside of a file; no TOML file, so that nothing reads it."""
    return free(campaign, file, "aside")


def free(campaign: Path, file: str, what: str) -> str:
    """The first of `FILE.WHAT-1`, `FILE.WHAT-2` and so on that nothing has."""
    names = (f"{file}.{what}-{number}" for number in range(1, 100_000))
    return next(name for name in names if not os.path.lexists(campaign / name))
