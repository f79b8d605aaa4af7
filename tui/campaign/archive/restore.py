"""Restore a campaign from its one file: nothing outside its own folder, nothing over another campaign."""

import errno
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile, LargeZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812 - a class with the name of a function

from systems.errors import InputError
from systems.frozen import frozen
from systems.text import clean
from tui.campaign.archive.backup import AT_LEAST, is_kept
from tui.campaign.folders import CAMPAIGN, CampaignsFolder, NoCampaign, check_name, make_folder, make_whole
from tui.campaign.problems import NotSaved, disk_words
from tui.campaign.samples import check_is_no_template
from tui.campaign.toml.files import sync, write_all

if TYPE_CHECKING:
    from zipfile import ZipInfo

_MOST_FILES = 20_000
_TIMES = 100  # large and far bigger than its archive: texts shrink to a tenth, a zip bomb to a thousandth
_LONGEST_NAME = 300
_AT_ONCE = 1 << 20


class BadBackup(InputError, ValueError):
    """A file cannot be restored; one sentence says why."""

    code = "unreadable"


@frozen
class RestoredCampaign:
    """The result: the campaign's folder, the number of files, and the number of entries ignored."""

    path: Path
    files: int
    left: int


def restore(archive: Path, place: CampaignsFolder, name: str | None = None) -> RestoredCampaign:
    """Restore a backup as a new campaign of the folder; never into an existing one.

    Without a name it gets its own, or the next free name made from that. Raises BadBackup with the reason,
    NoCampaign for an invalid name, and NotSaved.
    """
    named = clean(archive.name, 100)
    try:
        if not os.path.lexists(archive):
            raise BadBackup("does not exist: give the path of a file that affray backup wrote")
        about = archive.stat()
        if not stat.S_ISREG(about.st_mode):
            raise BadBackup("is not a file")
        with ZipFile(archive) as opened:
            top, found, left = _chosen(opened, about.st_size)
            name = check_name(name) if name is not None else _free_name(place, top or archive.stem)
            check_is_no_template(place.path)
            make_folder(place.path)
            path = _unfolded(opened, found, place.path, name)
    except (BadZipFile, LargeZipFile, ZlibError, EOFError, NotImplementedError, RuntimeError) as error:
        said = clean(str(error), 200) or type(error).__name__
        raise BadBackup(f"{named} is damaged or not a backup: {said}") from None
    except BadBackup as error:
        raise BadBackup(f"{named} {error}") from None
    except (UnicodeError, ValueError, OverflowError) as error:
        if isinstance(error, NoCampaign):
            raise
        raise BadBackup(f"{named} is damaged or not a backup") from None
    except OSError as error:
        raise NotSaved(f"{named} was not restored: {disk_words(error)}") from None
    return RestoredCampaign(path, len(found), left)


def _chosen(opened: "ZipFile", size: int) -> "tuple[str, dict[str, ZipInfo], int]":
    """Return the folder in an archive, its files by name, and the number of other files. Raises BadBackup."""
    entries = opened.infolist()
    if len(entries) > _MOST_FILES:
        raise BadBackup(f"holds more than {_MOST_FILES:,} files")
    for entry in entries:
        _check_safe(entry)
    files = [entry for entry in entries if not entry.is_dir()]
    heads = [entry.filename for entry in files if entry.filename.rpartition("/")[2] == CAMPAIGN]
    heads = [head for head in heads if head.count("/") <= 1]
    if len(heads) != 1:
        raise BadBackup(f"holds {'no' if not heads else 'more than one'} {CAMPAIGN}")
    top = heads[0].rpartition("/")[0]
    start = f"{top}/" if top else ""
    found: dict[str, ZipInfo] = {}
    seen: set[str] = set()
    for entry in files:
        name = entry.filename.removeprefix(start)
        if not entry.filename.startswith(start) or not _belongs(name):
            continue
        if name.casefold() in seen:
            raise BadBackup(f"holds {clean(name)} twice")
        seen.add(name.casefold())
        found[name] = entry
    most = max(AT_LEAST, _TIMES * size)
    if sum(entry.file_size for entry in found.values()) > most:
        raise BadBackup(
            f"would unpack to more than {most // 1024 // 1024} MB, which is too much for a campaign"
        )
    return top, found, len(files) - len(found)


def _check_safe(entry: "ZipInfo") -> None:
    """Raise BadBackup for an entry that is not a plain file below the archive's top."""
    name = entry.filename
    shown = f'"{clean(name, 60)}"'
    if len(name) > _LONGEST_NAME or not name.isprintable():
        raise BadBackup(f"contains an invalid file name: {shown}")
    parts = name.removesuffix("/").split("/")
    if name.startswith("/") or "\\" in name or ":" in name or any(part in ("", ".", "..") for part in parts):
        raise BadBackup(f"contains a file name that leads out of its folder: {shown}")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise BadBackup(f"holds {shown}, which is a link or not a file")


def _belongs(name: str) -> bool:
    """Return whether a name within the folder is one that a backup holds."""
    match name.split("/"):
        case [file] | ["roster", file]:
            return is_kept(file)
        case ["encounters", folder, file]:
            return not folder.startswith(".") and is_kept(file)
    return False


def _free_name(place: CampaignsFolder, wanted: str) -> str:
    """Return this name, or the first free one made from it."""
    try:
        base = check_name(wanted)
    except NoCampaign:
        base = "restored"
    names = [base, f"{base}-restored", *(f"{base}-restored-{number}" for number in range(2, 10_000))]
    return next(free for free in names if len(free) > 80 or not os.path.lexists(place.path / free))


def _unfolded(opened: "ZipFile", found: "dict[str, ZipInfo]", place: Path, name: str) -> Path:
    """Write the files into a new folder, which gets its name when all are there. Raises OSError, NotSaved."""
    target, taken = place / name, f"a folder {clean(name)} already exists; --as gives it another name"
    if os.path.lexists(target):
        raise NotSaved(taken)

    def fill(half: Path) -> None:
        for file, entry in found.items():
            _write_one(opened, entry, half / file)

    try:
        make_whole(target, fill)
    except OSError as error:
        if error.errno in (errno.EEXIST, errno.ENOTEMPTY):
            raise NotSaved(taken) from None
        raise
    return target


def _write_one(opened: "ZipFile", entry: "ZipInfo", path: Path) -> None:
    """Write one file, no larger than the archive says it is. Raises OSError, BadBackup."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    written = 0
    try:
        with opened.open(entry) as source:
            while some := source.read(_AT_ONCE):
                written += len(some)
                if written > entry.file_size:
                    raise BadBackup("contains more than it declares")
                write_all(descriptor, some)
        sync(descriptor)
    finally:
        os.close(descriptor)
