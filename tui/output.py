"""What goes to standard output: JSON on one line, text without control characters."""

import json
import sys
from collections.abc import Iterator
from typing import Any

LONGEST_LINE = 10_000_000


def as_json(value: Any) -> str:
    """One line of JSON, in ASCII, so that no control character can be in it."""
    return json.dumps(value).replace("\x7f", "\\u007f")


def put(value: Any) -> None:
    """One JSON line to standard output, at once."""
    sys.stdout.write(as_json(value) + "\n")
    sys.stdout.flush()


def lines() -> Iterator[bytes]:
    """The lines of standard input that are not blank; they end at a line feed only."""
    for line in sys.stdin.buffer:
        if line.strip():
            yield line
