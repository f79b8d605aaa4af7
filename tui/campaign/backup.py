"""A campaign as one file, and back: a zip archive with the campaign's folder in it.

The archive holds what people and the program wrote: every TOML file, pages (`*.md`), and what was set
aside (`torn-1.txt`, originals). Caches, locks and hidden files stay behind.
"""

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from systems.words import clean
from tui.campaign.encounters import FOLDER, LOG, names_in
from tui.campaign.log_file import LARGEST
from tui.campaign.log_text import header_end, scan
from tui.campaign.places import CAMPAIGN, NoCampaign, Place, check_name, make_folder, make_whole
from tui.campaign.problems import FileProblem, NotSaved, Unsure, disk_words
from tui.campaign.toml_file import read_bytes, sync, sync_folder, write_all

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

ROSTER = "roster"
KEPT = (".toml", ".md", ".txt")
# What this program sets aside: `guard.toml.format-0`, `log.toml.before-mend-1`, `log.toml.aside-1`.
_ASIDE = (".toml.format-", ".toml.before-mend-", ".toml.aside-")
_MOST_FILES = 20_000
_AT_LEAST = 64 * 1024 * 1024  # what any archive may unfold to
_TIMES = 100  # and a large one, compared with itself: texts shrink to a tenth, a bomb to a thousandth
_LONGEST_NAME = 300
_AT_ONCE = 1 << 20


class BadBackup(ValueError):
    """A file that cannot be restored: one sentence."""


@attrs.frozen
class Restored:
    """What came back: the campaign's folder, how many files, and how many entries were left alone."""

    path: Path
    files: int
    left: int


def files_of(campaign: Path) -> Iterator[str]:
    """The files of a campaign that a backup holds, as names within its folder, logs before openings.

    A log that is read first fits the opening that is read later: who fights cannot change any more.
    """
    for folder in ("", ROSTER, *(f"{FOLDER}/{one}" for one in names_in(campaign / FOLDER))):
        names = [one for one in names_in(campaign / folder) if is_kept(one)]
        for name in sorted(names, key=lambda one: (one != LOG, one)):
            if (campaign / folder / name).is_file():
                yield f"{folder}/{name}" if folder else name


def is_kept(name: str) -> bool:
    """Whether a file of that name belongs to a campaign."""
    return not name.startswith(".") and (name.endswith(KEPT) or any(one in name for one in _ASIDE))


def backup(campaign: Path, target: Path, *, force: bool = False) -> int:
    """Write a campaign into one file; the number of files in it. Raises NotSaved and FileProblem.

    `target` is only ever a whole archive. One that is there is replaced only by `force`. Another program
    may write meanwhile: of a log, what is whole is taken.
    """
    from zipfile import ZIP_DEFLATED, ZipFile

    if not force and os.path.lexists(target):
        raise NotSaved(f"{clean(str(target), 300)} is there already; --force replaces it")
    beside = target.with_name(f".{target.name[:80]}.{os.getpid()}.new")
    count = 0
    try:
        descriptor = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o666)
        with os.fdopen(descriptor, "wb") as opened:
            with ZipFile(opened, "w", ZIP_DEFLATED) as archive:
                top = campaign.resolve().name
                for file in files_of(campaign):
                    for name, data in _contents(campaign, file):
                        archive.writestr(_entry(f"{top}/{name}", campaign / file), data)
                        count += 1
            opened.flush()
            sync(opened.fileno())
        _put_in_place(beside, target, force)
    except OSError as error:
        raise NotSaved(f"the backup was not written: {disk_words(error)}") from None
    finally:
        with suppress(OSError):
            beside.unlink()
    return count


def _contents(campaign: Path, file: str) -> Iterator[tuple[str, bytes]]:
    """A file's name and bytes; a log's torn end goes into a file of its own. Raises FileProblem."""
    name = file.rpartition("/")[2]
    data = read_bytes(campaign / file, file, LARGEST if name.endswith(".toml") else _AT_LEAST)
    if name == LOG:
        with suppress(FileProblem):
            blocks = scan(data, header_end(data, file), 0)
            if blocks.torn:
                yield file, data[: blocks.broken]
                yield f"{file}.aside-0", data[blocks.broken :]
                return
    yield file, data


def _entry(name: str, path: Path) -> "ZipInfo":
    from zipfile import ZIP_DEFLATED, ZipInfo

    with suppress(OSError):
        when = time.localtime(path.stat().st_mtime)[:6]
        if 1980 <= when[0] < 2108:
            entry = ZipInfo(name, when)
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            return entry
    entry = ZipInfo(name)
    entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
    return entry


def _put_in_place(beside: Path, target: Path, force: bool) -> None:
    """Give the finished file its name. Raises OSError when the name is taken, or when it may not last.

    What was there before is then there again.
    """
    old = beside.with_suffix(".old")
    replaced = force and os.path.lexists(target)
    try:
        if force:
            with suppress(OSError):
                os.link(target, old)
            beside.replace(target)
        else:
            _name_anew(beside, target)
        try:
            sync_folder(target.parent)
        except OSError as error:
            _back_to(old if replaced else None, target, error)
            raise
    finally:
        with suppress(OSError):
            old.unlink()


def _name_anew(beside: Path, target: Path) -> None:
    try:
        os.link(beside, target)  # the one way to rename that never replaces
    except FileExistsError:
        raise
    except OSError:  # a disk without links
        if os.path.lexists(target):
            raise FileExistsError from None
        beside.replace(target)


def _back_to(old: Path | None, target: Path, error: OSError) -> None:
    """Bring back what was there before, after that error; None: nothing was. Raises Unsure."""
    try:
        if old is None:
            target.unlink()
        else:
            old.replace(target)
    except OSError:
        raise Unsure(error.errno, error.strerror) from None


def restore(archive: Path, place: Place, name: str | None = None) -> Restored:
    """Bring a backup back as a new campaign of the place; never into a folder that is there.

    Without a name it has its own, or the next free one made from that. Raises BadBackup with the reason,
    NoCampaign for a name that cannot be, and NotSaved.
    """
    from zipfile import BadZipFile, LargeZipFile, ZipFile
    from zlib import error as ZlibError  # noqa: N812

    named = clean(archive.name, 100)
    try:
        about = archive.stat()
        if not stat.S_ISREG(about.st_mode):
            raise BadBackup("is no file")
        with ZipFile(archive) as opened:
            top, found, left = _chosen(opened, about.st_size)
            name = check_name(name) if name is not None else _free_name(place, top or archive.stem)
            make_folder(place.path)
            path = _unfolded(opened, found, place.path, name)
    except (BadZipFile, LargeZipFile, ZlibError, EOFError, NotImplementedError, RuntimeError) as error:
        said = clean(str(error), 200) or type(error).__name__
        raise BadBackup(f"{named} is damaged or no backup: {said}") from None
    except BadBackup as error:
        raise BadBackup(f"{named} {error}") from None
    except (UnicodeError, ValueError, OverflowError) as error:
        if isinstance(error, NoCampaign):
            raise
        raise BadBackup(f"{named} is damaged or no backup") from None
    except OSError as error:
        raise NotSaved(f"{named} was not restored: {disk_words(error)}") from None
    return Restored(path, len(found), left)


def _chosen(opened: "ZipFile", size: int) -> "tuple[str, dict[str, ZipInfo], int]":
    """The folder in an archive, its files by name, and how many others there are. Raises BadBackup."""
    entries = opened.infolist()
    if len(entries) > _MOST_FILES:
        raise BadBackup(f"holds more than {_MOST_FILES:,} files")
    for one in entries:
        _check_safe(one)
    files = [one for one in entries if not one.is_dir()]
    heads = [one.filename for one in files if one.filename.rpartition("/")[2] == CAMPAIGN]
    heads = [one for one in heads if one.count("/") <= 1]
    if len(heads) != 1:
        raise BadBackup(f"holds {'no' if not heads else 'more than one'} {CAMPAIGN}")
    top = heads[0].rpartition("/")[0]
    start = f"{top}/" if top else ""
    found: dict[str, ZipInfo] = {}
    seen: set[str] = set()
    for one in files:
        name = one.filename.removeprefix(start)
        if not one.filename.startswith(start) or not _belongs(name):
            continue
        if name.casefold() in seen:
            raise BadBackup(f"holds {clean(name)} twice")
        seen.add(name.casefold())
        found[name] = one
    most = max(_AT_LEAST, _TIMES * size)
    if sum(one.file_size for one in found.values()) > most:
        raise BadBackup(f"would unfold to more than {most // 1024 // 1024} MB, which no campaign does")
    return top, found, len(files) - len(found)


def _check_safe(one: "ZipInfo") -> None:
    """Raise BadBackup for an entry that is no plain file below the archive's top."""
    name = one.filename
    shown = f'"{clean(name, 60)}"'
    if len(name) > _LONGEST_NAME or not name.isprintable():
        raise BadBackup(f"holds a name that no file should have: {shown}")
    parts = name.removesuffix("/").split("/")
    if name.startswith("/") or "\\" in name or ":" in name or any(part in ("", ".", "..") for part in parts):
        raise BadBackup(f"holds a name that leads out of its folder: {shown}")
    kind = stat.S_IFMT(one.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise BadBackup(f"holds {shown}, which is a link or no file")


def _belongs(name: str) -> bool:
    """Whether a name within the folder is one that a backup holds."""
    match name.split("/"):
        case [file] | ["roster", file]:
            return is_kept(file)
        case ["encounters", folder, file]:
            return not folder.startswith(".") and is_kept(file)
    return False


def _free_name(place: Place, wanted: str) -> str:
    """That name, else the first free one made from it."""
    try:
        base = check_name(wanted)
    except NoCampaign:
        base = "restored"
    names = [base, f"{base}-restored", *(f"{base}-restored-{number}" for number in range(2, 10_000))]
    return next(one for one in names if len(one) > 80 or not os.path.lexists(place.path / one))


def _unfolded(opened: "ZipFile", found: "dict[str, ZipInfo]", place: Path, name: str) -> Path:
    """Write the files into a new folder, which gets its name when all are there. Raises OSError, NotSaved."""
    target, taken = place / name, f"there is a folder {clean(name)} already; --as gives it another name"
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
    """One file of an archive, no longer than the archive says it is. Raises OSError, BadBackup."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    written = 0
    try:
        with opened.open(entry) as source:
            while some := source.read(_AT_ONCE):
                written += len(some)
                if written > entry.file_size:
                    raise BadBackup("holds more than it says")
                write_all(descriptor, some)
        sync(descriptor)
    finally:
        os.close(descriptor)


def default_name(campaign: Path) -> str:
    """`docks-2026-11-06.zip`: the campaign and the day."""
    return f"{campaign.resolve().name}-{time.strftime('%Y-%m-%d')}.zip"
