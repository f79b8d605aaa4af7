"""Save events that could not be written to their log in the user's own folder, and recover them later.

They are stored as the blocks that continue the log, so their marks show whether they still do.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from itertools import count
from pathlib import Path

from systems.encounter.events import Event
from tui.campaign.log.blocks import encode, scan
from tui.campaign.log.file import LogWriter
from tui.campaign.log.parse import decode
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.toml.files import read_bytes, replace_file
from tui.campaign.toml.limits import LARGEST_LOG
from tui.campaign.user_folders import unsaved_folders


def save_unsaved(writer: LogWriter, events: Iterable[Event]) -> Path | None:
    """Save events that continue the log. Return the file; None if no folder of the user accepts it."""
    blocks, mark = [], writer.end.mark
    for event in events:
        block, mark = encode(event, mark)
        blocks.append(block)
    for folder in unsaved_folders():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            # Events saved earlier could not be recovered yet, so keep them.
            names = (_name(writer.path, number) for number in count(1))
            path = next(candidate for name in names if not os.path.lexists(candidate := folder / name))
            replace_file(path, b"".join(blocks))
            return path
    return None


def recover_unsaved(writer: LogWriter) -> tuple[list[Event], str]:
    """Write the unsaved events to the log. Return them and one line about them, or "".

    Events that no longer continue the log stay in their file.
    """
    events: list[Event] = []
    said: list[str] = []
    for path in [*_kept(writer.path)]:
        back, about = _recover_file(writer, path)
        events += back
        said += [about] if about else []
    return events, "; ".join(said)


def _recover_file(writer: LogWriter, path: Path) -> tuple[list[Event], str]:
    """Write the unsaved events of one file to the log, and delete the file."""
    try:
        data = read_bytes(path, path.name, LARGEST_LOG)
    except FileProblem:
        return [], ""
    # A slow disk may have taken the first of them after all.
    last = b'end = "%08x"\n' % writer.end.mark
    begin = at + len(last) if (at := data.find(last)) >= 0 else 0
    blocks = scan(data, begin, writer.end.mark)
    if blocks.broken >= 0 or not blocks.bounds:
        if not _holds(writer.path, data):
            return [], f"events that could not be saved are kept in {path}; the log has gone on without them"
        with suppress(OSError):
            path.unlink()
        return [], ""
    try:
        events = decode(data, blocks, path.name)
        writer.append(*events)
    except (FileProblem, NotSaved, ValueError) as error:
        return [], f"events that could not be saved are still in {path}: {error}"
    with suppress(OSError):
        path.unlink()
    several = len(events) != 1
    number = f"{len(events)} events" if several else "1 event"
    return events, f"{number} that could not be saved before {'are' if several else 'is'} saved now"


def _holds(log: Path, data: bytes) -> bool:
    try:
        return data in read_bytes(log, log.name, LARGEST_LOG)
    except FileProblem:
        return False


def _kept(log: Path) -> Iterator[Path]:
    """Yield the files of unsaved events of this log, the oldest of a folder first."""
    name = Path(_name(log, 1)).stem
    for folder in unsaved_folders():
        yield from sorted(folder.glob(f"{name}*.toml"), key=lambda path: (len(path.name), path.name))


def _name(log: Path, number: int) -> str:
    name = blake2b(os.fsencode(log.absolute()), digest_size=8).hexdigest()
    return f"{name}-{number}.toml" if number > 1 else f"{name}.toml"
