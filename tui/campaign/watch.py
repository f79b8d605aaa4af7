"""Notice changes that others make in an open campaign, read them, and never overwrite them."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from systems.encounter.events import Event
from systems.frozen import evolve, frozen
from systems.schema.conversion import plain_of, replace
from systems.schema.fields import fields_of
from tui.campaign.campaign import ROSTER, Campaign, RosterEntry, load, read_entry, read_roster, roster_file
from tui.campaign.encounters import FOLDER, LOG, OPENING, folder_of
from tui.campaign.folders import CAMPAIGN
from tui.campaign.log.blocks import LogEnd
from tui.campaign.log.file import tail
from tui.campaign.problems import FileProblem
from tui.campaign.toml.files import read_bytes

Signature = tuple[int, int, int]


class Watch:
    """Finds changed files of a campaign: all that users edit, but not the logs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known = self._signatures()

    def folders(self) -> Iterator[Path]:
        """Yield the folders that hold these files."""
        yield from (self.path, self.path / ROSTER, self.path / FOLDER)
        yield from {(self.path / file).parent for file in self._known if file.startswith(FOLDER)}

    def changed(self) -> frozenset[str]:
        """Return the files that were added, removed or written since the last call."""
        now = self._signatures()
        if now == self._known:
            return frozenset()
        before, self._known = self._known, now
        return frozenset(file for file in before.keys() | now.keys() if before.get(file) != now.get(file))

    def _signatures(self) -> dict[str, Signature]:
        """Return the files by their path in the campaign. Called twice a second, and after each command."""
        found: dict[str, Signature] = {}
        for within in ("", f"{ROSTER}/"):
            for entry in _entries(f"{self.path}/{within}"):
                if entry.name.endswith(".toml") and not entry.name.startswith("."):
                    with suppress(OSError):
                        found[within + entry.name] = _signature(entry.stat())
        for entry in _entries(self.path / FOLDER):
            with suppress(OSError):
                found[f"{FOLDER}/{entry.name}/{OPENING}"] = _signature(Path(entry.path, OPENING).stat())
        return found


def _entries(folder: str | Path) -> "Sequence[os.DirEntry[str]]":
    """Return the entries of a folder; none if it doesn't exist."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return ()


def _signature(found: os.stat_result) -> Signature:
    return (found.st_mtime_ns, found.st_size, found.st_ino)


@frozen
class Reread:
    """A campaign read again. `changes`: a line for each file that others changed. `wrong`: the bad files."""

    campaign: Campaign
    changes: tuple[str, ...] = ()
    wrong: tuple[FileProblem, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changes or self.wrong)


def reread(campaign: Campaign, files: Iterable[str]) -> Reread:
    """Return the campaign with the changes of others in these files.

    For a bad file, the earlier content stays. Files with the bytes that this program last read or wrote do
    not count as changed.
    """
    files = {file for file in files if not _is_known(campaign, file)}
    if not files:
        return Reread(campaign)
    try:
        new = load(campaign.path)
        if new.system != campaign.system:
            raise FileProblem(CAMPAIGN, 0, "system", "the game cannot change while the campaign is open")
    except FileProblem as problem:
        roster, problems = read_roster(campaign.path, campaign.ruleset)
        new = evolve(campaign, roster=roster, problems=(problem, *problems))
    wrong = {problem.file: problem for problem in new.problems}
    kept = {id: entry for id, entry in campaign.roster.items() if roster_file(id) in wrong}
    new = evolve(new, roster=dict(sorted({**new.roster, **kept}.items())))
    changes = [_sentence(campaign, file) for file in sorted(files) if file not in wrong]
    return Reread(new, tuple(changes), tuple(wrong[file] for file in sorted(files) if file in wrong))


def _is_known(campaign: Campaign, file: str) -> bool:
    known = campaign.source if file == CAMPAIGN else None
    if file.startswith(f"{ROSTER}/"):
        entry = campaign.roster.get(Path(file).stem)
        known = entry.source if entry else None
    elif file.startswith(f"{FOLDER}/"):
        info = campaign.encounters.get(Path(file).parent.name)
        known = info.source if info else None
    try:
        return known == read_bytes(campaign.path / file, file)
    except FileProblem:
        return known is None


def _sentence(campaign: Campaign, file: str) -> str:
    if not (campaign.path / file).exists():
        return f"{file} is gone"
    is_new = file.startswith(f"{ROSTER}/") and Path(file).stem not in campaign.roster
    return f"{file} is new" if is_new else f"{file} was changed outside Affray and has been read again"


_NOT_ON_SHEET = {"side", "party"}  # fields of an entry that are not on its sheet


@frozen
class FieldConflict:
    """A field that both sides changed: its path, and the plain values; None for no value."""

    field: str
    before: Any
    mine: Any
    theirs: Any


@frozen
class Conflict:
    """A sheet that was changed both here and outside since it was read.

    `theirs`: the entry in the file now; None if the file is gone, or bad: then `problem` says why. `both`:
    the fields that were changed to different values. A field that only one side changed does not conflict.
    """

    before: RosterEntry
    mine: RosterEntry
    theirs: RosterEntry | None
    problem: FileProblem | None = None
    both: tuple[FieldConflict, ...] = ()

    def with_mine(self) -> RosterEntry | None:
        """Return their sheet with all changes made here; None if there is no sheet to change."""
        return self._merged(take_theirs=False)

    def with_theirs(self) -> RosterEntry | None:
        """Return the same, but with their value for each field that both sides changed."""
        return self._merged(take_theirs=True)

    def _merged(self, *, take_theirs: bool) -> RosterEntry | None:
        if self.theirs is None:
            return None
        contested = {difference.field for difference in self.both} if take_theirs else set()
        changed = {
            name: getattr(self.mine.sheet, name)
            for name in _changed(self.before, self.mine) - contested - _NOT_ON_SHEET
        }
        extra = {
            name: getattr(self.mine, name)
            for name in _NOT_ON_SHEET & (_changed(self.before, self.mine) - contested)
        }
        return evolve(self.theirs, **extra, sheet=replace(self.theirs.sheet, **changed))


def conflict_of(campaign: Campaign, mine: RosterEntry) -> Conflict | None:
    """Return the conflict between a changed sheet and its file, after saving it has raised Changed.

    None if there is no longer one: the file still has the bytes that were read.
    """
    before = campaign.roster.get(mine.id, mine)
    try:
        theirs = read_entry(campaign.path, mine.id, campaign.ruleset)
    except FileProblem as problem:
        gone = not (campaign.path / roster_file(mine.id)).exists()
        return Conflict(before, mine, None, None if gone else problem)
    if theirs.source == mine.source:
        return None
    both = []
    for name in sorted(_changed(before, mine) & _changed(before, theirs)):
        was, ours, other = (_value(version, name) for version in (before, mine, theirs))
        if ours != other:
            both.append(FieldConflict(name, was, ours, other))
    return Conflict(before, mine, theirs, None, tuple(both))


def _changed(before: RosterEntry, after: RosterEntry) -> set[str]:
    """Return the fields that differ, of the sheet as well as side and party."""
    names = {*_NOT_ON_SHEET, *fields_of(type(before.sheet))}
    return {name for name in names if _value(before, name) != _value(after, name)}


def _value(entry: RosterEntry, name: str) -> Any:
    return plain_of(getattr(entry if name in _NOT_ON_SHEET else entry.sheet, name))


class Follower:
    """Reads the events that another program adds to the log of a fight."""

    def __init__(self, campaign: Path, encounter: str, end: LogEnd) -> None:
        self.path = folder_of(campaign, encounter) / LOG
        self.file = f"{FOLDER}/{encounter}/{LOG}"
        self.end = end
        self._seen: Signature | None = None

    def news(self) -> Sequence[Event]:
        """Return the new events. Raises FileProblem if the log no longer continues what was read."""
        try:
            now = _signature(self.path.stat())
        except OSError:
            if self.end.n:
                raise FileProblem(self.file, 0, "", "is missing") from None
            return []
        if now == self._seen:
            return []
        log = tail(self.path, self.end, self.file)
        if log.problem:
            raise log.problem
        self._seen, self.end = now, log.end
        return log.events
