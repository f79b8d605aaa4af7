"""Read lines and write JSON without control characters, for the verbs that other programs use."""

import json
import shlex
import sys
from collections.abc import Iterator
from typing import Any

from systems.text import clean
from tui.cli.main import VERBS
from tui.cli.other_words import EXTRA_WORDS
from tui.terminal.notice import LONGEST_ERROR
from tui.terminal.program_log import error_place, log_unexpected

LONGEST_LINE = 10_000_000
_AT_ONCE = 1 << 20


def command(*words: str | None, campaigns: str | None = None) -> str:
    """Return a command of this program that can be pasted into a shell.

    `campaigns`: the folder of campaigns if it was named on the command line. Words that are None are left
    out.
    """
    options = ["--campaigns", campaigns] if campaigns else []
    return shlex.join(["affray", *(word for word in words if word is not None), *options])


def opening_command(name: str, campaigns: str | None = None) -> str:
    """Return the command that opens a campaign; with `open` if the campaign is called like a verb."""
    return command("open" if name in (*VERBS, *EXTRA_WORDS) else None, name, campaigns=campaigns)


def as_json(value: Any) -> str:
    """Return one line of JSON, in ASCII, so that it can't contain a control character."""
    return json.dumps(value).replace("\x7f", "\\u007f")


def put(value: Any) -> None:
    """Print one line of JSON at once."""
    put_line(as_json(value))


def put_line(line: str) -> None:
    """Print one line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def lines() -> Iterator[bytes]:
    """Yield the lines of standard input that are not blank, each as soon as it arrives.

    Only a line feed ends a line. Of a line longer than LONGEST_LINE, only the beginning is returned, which is
    still longer than that.
    """
    source = sys.stdin.buffer
    while line := source.readline(LONGEST_LINE + 2):
        if len(line) > LONGEST_LINE + 1:
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = source.readline(_AT_ONCE)
        if line.strip():
            yield line


def too_long(line: bytes) -> bool:
    """Return whether a line is too long to be read."""
    return len(line.removesuffix(b"\n")) > LONGEST_LINE


def unexpected(error: Exception) -> str:
    """Log an unexpected error, and return one sentence about it with its place in the code."""
    log_unexpected(error)
    place = error_place(error)
    where = f" in {place}" if place else ""
    return clean(f"unexpected {type(error).__name__}{where}: {error}", LONGEST_ERROR)


def printable(value: Any) -> Any:
    """Return the same plain data, with every text on one line and without control characters."""
    match value:
        case str():
            return value if value.isprintable() else clean(value, len(value))
        case dict():
            return {printable(name): printable(inner) for name, inner in value.items()}
        case list() | tuple():
            return [printable(inner) for inner in value]
    return value
