"""The encounters of a campaign: their openings (`opening.toml`) and how far their logs have come."""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Literal
from unicodedata import normalize

from systems.errors import Wrong
from systems.frozen import field, frozen
from systems.text import clean
from tui.campaign.folders import check_is_there
from tui.campaign.problems import UNSURE, FileProblem, NotSaved, disk_words
from tui.campaign.toml.files import (
    FORMAT,
    parse_toml,
    read_bytes,
    reading,
    sync_folder,
    text_of,
    write_atomic,
)
from tui.campaign.toml.limits import LARGEST_LOG

# The opening of an encounter without combatants; they are numbered by the present rules.
EMPTY: Mapping[str, Any] = {"numbering": 2}
FOLDER = "encounters"
OPENING = "opening.toml"
LOG = "log.toml"
ID = re.compile(r"[a-z0-9][a-z0-9-]{0,79}")
FightState = Literal["prepared", "running", "finished"]

_BLOCK = re.compile(rb"^\[\[event\]\][ \t]*\r?$", re.MULTILINE)
_NUMBER = re.compile(rb"^n = ([0-9]{1,15})[ \t]*\r?$", re.MULTILINE)
_TIME = re.compile(rb'^time = "([^"\\\n]{1,40})"', re.MULTILINE)
# As `log.blocks.encode` writes a change of that field. No text can hold this, since its quotes are escaped.
_OVER = b'{ who = "", field = "over"'
_ROUND = re.compile(rb"^round = ([0-9]{1,15})[ \t]*\r?$", re.MULTILINE)
_NEW_ROUND = re.compile(rb'^    \{ who = "", field = "round"[^}\n]*\}', re.MULTILINE)
_CHANGE = 200  # no such change has more bytes
_AT_ONCE = 1 << 18


@frozen
class EncounterInfo:
    """One encounter in the list.

    `n`: number of events in its log. `time`: time of the last one, as written. `begun`: whether its first
    round has begun; notes and additions may come before that. `problem`: the reason why its opening can't be
    read at all, else None; the sheets are checked when it is opened. `source`: the bytes of the opening when
    it was read.
    """

    id: str
    title: str
    state: FightState = "prepared"
    n: int = 0
    time: str = ""
    begun: bool = False
    problem: FileProblem | None = None
    source: bytes | None = field(default=None, eq=False)


def folder_of(campaign: Path, encounter: str) -> Path:
    """Return the folder of an encounter."""
    return campaign / FOLDER / encounter


def file_of(encounter: str, name: str) -> str:
    """Return the name of an encounter's file for errors, such as `encounters/first/log.toml`."""
    return f"{FOLDER}/{encounter}/{name}"


def encounters_of(campaign: Path) -> tuple[dict[str, EncounterInfo], list[FileProblem]]:
    """Return all encounters by id, in order, and the problems with them."""
    found: dict[str, EncounterInfo] = {}
    problems: list[FileProblem] = []
    for name in names_in(campaign / FOLDER):
        folder = folder_of(campaign, name)
        if not (os.path.lexists(folder / OPENING) or os.path.lexists(folder / LOG)):
            continue
        if not ID.fullmatch(name):
            problems.append(FileProblem(f"{FOLDER}/{name}", 0, "", NOT_AN_ID, code="not_an_id"))
            continue
        found[name] = info = info_of(folder, name)
        if info.problem:
            problems.append(info.problem)
        problems += [
            FileProblem(file_of(name, other), 0, "", "is another copy of this fight's log and is not read")
            for other in names_in(folder)
            if other != LOG and other.casefold().startswith("log") and other.endswith(".toml")
        ]
    return found, problems


NOT_AN_ID = "expected a name of small letters a-z, digits and hyphens, at most 80"


def names_in(folder: Path) -> list[str]:
    """Return the names in a folder in order, without hidden ones; [] if there is no such folder."""
    try:
        return sorted(entry.name for entry in folder.iterdir() if not entry.name.startswith("."))
    except OSError:
        return []


def info_of(folder: Path, name: str) -> EncounterInfo:
    title, problem, data = name, None, None
    try:
        data = read_bytes(folder / OPENING, file_of(name, OPENING))
        title = _title(data, name)
    except FileProblem as error:
        problem = error
    n, time, over, begun = _progress(folder / LOG)
    return EncounterInfo(name, title, _state(n, over), n, time, begun, problem, data)


def _state(n: int, over: bool) -> FightState:
    return "finished" if over else "running" if n else "prepared"


def _title(data: bytes, name: str) -> str:
    """Return the title of an opening without reading its combatants. Raises FileProblem."""
    head = data[: found.start()] if (found := re.search(rb"^[ \t]*\[", data, re.MULTILINE)) else data
    try:
        tables = parse_toml(head, file_of(name, OPENING))
    except FileProblem:
        tables = parse_toml(data, file_of(name, OPENING))
    title = tables.get("title")
    return clean(title, 200) if isinstance(title, str) and title else name


def _progress(path: Path) -> tuple[int, str, bool, bool]:
    """Return the last whole event's number and time, and whether the fight is over and has begun.

    The log is searched, not parsed. An unreadable log counts as one in progress: opening it reports what is
    wrong.
    """
    try:
        with reading(path, path.name, LARGEST_LOG) as log:
            return _read_progress(log)
    except FileProblem:
        return (1, "", False, True) if os.path.lexists(path) else (0, "", False, False)


def _read_progress(log: BinaryIO) -> tuple[int, str, bool, bool]:
    """Return the same for an opened log.

    Reads backwards, so a long log is not held in memory. Raises OSError.
    """
    size, most = log.seek(0, os.SEEK_END), _AT_ONCE
    while True:
        begin = max(0, size - most)
        log.seek(begin)
        end = log.read(size - begin) if begin else b"\n" + log.read(size)
        stop = end.rfind(b'\nend = "') + 1
        start = end.rfind(b"\n[[event]]", 0, stop) + 1
        if start or not begin:
            break
        most *= 4
    if not start or not _BLOCK.match(end, start):
        return 0, "", False, False
    number, time = _NUMBER.search(end, start, stop), _TIME.search(end, start, stop)
    over = _is_over(log, size - len(end) + stop)
    begun = over or _has_begun(end[start:stop])
    return int(number[1]) if number else 1, time[1].decode(errors="replace") if time else "", over, begun


def _has_begun(event: bytes) -> bool:
    """Return whether the first round has begun after this event."""
    if changed := _NEW_ROUND.search(event):
        return b"after = " in changed[0]
    found = _ROUND.search(event)
    return found is None or int(found[1]) > 0


def _is_over(log: BinaryIO, stop: int) -> bool:
    """Return whether the last change of `over` before `stop` ends the fight. Raises OSError."""
    while stop > 0:
        begin = max(0, stop - _AT_ONCE)
        log.seek(begin)
        part = log.read(stop - begin + _CHANGE)
        if (last := part.rfind(_OVER, 0, stop - begin + len(_OVER) - 1)) >= 0:
            return b"after = true" in part[last : part.find(b"}", last)]
        stop = begin
    return False


def current(encounters: Mapping[str, EncounterInfo]) -> str | None:
    """Return the encounter in progress, else the first prepared one.

    Of several in progress, the last one played. None if all are finished or unreadable.
    """
    running = [info for info in encounters.values() if info.state == "running"]
    if running:
        return max(running, key=lambda info: info.time).id  # prefers a fight to an older copy of it
    return next(
        (info.id for info in encounters.values() if info.state == "prepared" and not info.problem), None
    )


def in_progress(encounters: Mapping[str, EncounterInfo]) -> str | None:
    """Return the newest encounter whose rounds have begun and that is not over, or None."""
    running = [info for info in encounters.values() if info.state == "running" and info.begun]
    return max(running, key=lambda info: info.time).id if running else None


class pointed:  # noqa: N801 - reads as a statement: with pointed(file, data)
    """Context manager that turns Wrong into a FileProblem with the file and the field's line."""

    def __init__(self, file: str, data: bytes) -> None:
        self.file, self.data = file, data

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, Wrong):
            # Imported only for an opening with an error.
            from tui.campaign.toml.positions import line_of

            line = line_of(text_of(self.data, self.file), error.field.lstrip("."))
            raise FileProblem.of(self.file, line, error) from None


def opening_text(opening: Mapping[str, Any]) -> bytes:
    """Return an opening as the bytes of its file."""
    rest = {name: content for name, content in opening.items() if name not in ("format", "combatant")}
    combatants = list(opening.get("combatant", ()))
    return file_bytes({**rest, "combatant": combatants})


def file_bytes(tables: Mapping[str, Any]) -> bytes:
    """Return tables as the bytes of a new file, with its format."""
    # Imported only when a file is written.
    from tui.campaign.toml.document import document

    return document({"format": FORMAT, **tables})


def write_new(campaign: Path, encounter: str, opening: Mapping[str, Any]) -> None:
    """Create an encounter's folder with its opening. Raises NotSaved."""
    check_is_there(campaign)
    folder = folder_of(campaign, encounter)
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise NotSaved(f"{FOLDER}/{encounter} was not created: {disk_words(error)}") from None
    try:
        write_atomic(folder / OPENING, opening_text(opening))
        sync_folder(folder.parent)
    except (NotSaved, OSError) as error:
        with suppress(OSError):
            (folder / OPENING).unlink(missing_ok=True)
            folder.rmdir()
        if isinstance(error, NotSaved):
            raise
        unsure = UNSURE if os.path.lexists(folder / OPENING) else ""
        raise NotSaved(f"{FOLDER}/{encounter} was not created: {disk_words(error)}{unsure}") from None


def free_id(name: str, taken: set[str], otherwise: str) -> str:
    """Return an id made from a name: small letters, digits and hyphens, numbered if it is taken."""
    plain = normalize("NFKD", name[:200]).encode("ascii", "ignore").decode().lower()
    base = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-") or otherwise
    if base not in taken:
        return base
    return next(candidate for number in range(2, 100_000) if (candidate := f"{base}-{number}") not in taken)
