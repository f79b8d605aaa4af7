"""Events that their disk never took: put by in the user's own folder when the program has to end,
and brought into the log when it is opened again.

They are kept as the very blocks that continue the log, so their marks tell whether they still do.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tui.campaign.log_file import LogWriter
from tui.campaign.log_parse import decode
from tui.campaign.log_text import LARGEST_LOG, Event, encode, scan
from tui.campaign.places import state_folder
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.toml_file import read_bytes, replace_file


def put_by(writer: LogWriter, events: Iterable[Mapping[str, Any]]) -> Path | None:
    """Keep events that continue what the log holds; where they are kept, None when no place takes them."""
    blocks, mark = [], writer.end.mark
    for event in events:
        block, mark = encode(event, mark)
        blocks.append(block)
    for path in _places(writer.path):
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, b"".join(blocks))
            return path
    return None


def bring_back(writer: LogWriter) -> tuple[list[Event], str]:
    """What was put by, now in the log, and one line about it; nothing and "" when nothing was.

    What no longer continues the log stays where it is.
    """
    if not any(folder.is_dir() for folder in _folders()):
        return [], ""
    for path in _places(writer.path):
        try:
            data = read_bytes(path, path.name, LARGEST_LOG)
        except FileProblem:
            continue
        blocks = scan(data, 0, writer.end.mark)
        if blocks.broken >= 0 or not blocks.bounds:
            if _holds(writer.path, data):
                path.unlink(missing_ok=True)
                continue
            return [], f"events that could not be saved are kept in {path}; the log has gone on without them"
        try:
            events = decode(data, blocks, path.name)
            writer.append(*events)
        except (FileProblem, NotSaved, ValueError) as error:
            return [], f"events that could not be saved are still in {path}: {error}"
        with suppress(OSError):
            path.unlink()
        count = f"{len(events)} events" if len(events) != 1 else "1 event"
        return (
            events,
            f"{count} that could not be saved before {'are' if len(events) != 1 else 'is'} saved now",
        )
    return [], ""


def _holds(log: Path, data: bytes) -> bool:
    try:
        return data in read_bytes(log, log.name, LARGEST_LOG)
    except FileProblem:
        return False


def _places(log: Path) -> Iterator[Path]:
    from hashlib import blake2b

    name = blake2b(os.fsencode(log.absolute()), digest_size=8).hexdigest()
    for folder in _folders():
        yield folder / f"{name}.toml"


def _folders() -> Iterator[Path]:
    """Folders of the user's own, the one that outlives the machine's next start first."""
    yield state_folder() / "unsaved"
    if (runtime := os.environ.get("XDG_RUNTIME_DIR")) and Path(runtime).is_absolute():
        yield Path(runtime) / "affray"
