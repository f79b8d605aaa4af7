"""Recognise by its content what a file or a pasted text holds."""

import re
from pathlib import Path

from tui.campaign.toml.files import read_bytes

LARGEST = 20 * 1024 * 1024  # bytes of a file
_PACK = re.compile(rb"^pack[ \t]*=[ \t]*[\"']", re.MULTILINE)
_TABLE = re.compile(rb"^[ \t]*\[", re.MULTILINE)


def read_file(path: Path) -> bytes:
    """Return the bytes of a file to import. Raises FileProblem."""
    return read_bytes(path, path.name, LARGEST)


def is_pack(data: bytes) -> bool:
    """Return whether a file is an encounter that was exported with `--pack`."""
    table = _TABLE.search(data)
    return _PACK.search(data, 0, table.start() if table else len(data)) is not None
