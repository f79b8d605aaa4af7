"""Back up a campaign as one file: a zip archive with the campaign's folder in it.

The archive holds what users and the program wrote: every TOML file, pages (`*.md`), and files that were set
aside (`torn-1.txt`, originals). It leaves out caches, locks and hidden files.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from systems.text import clean
from tui.campaign.encounters import FOLDER, LOG, names_in
from tui.campaign.log.blocks import header_end, scan
from tui.campaign.problems import FileProblem, NotSaved, Unsure, disk_words
from tui.campaign.toml.files import read_bytes, sync, sync_folder
from tui.campaign.toml.limits import LARGEST_LOG

ROSTER = "roster"
KEPT = (".toml", ".md", ".txt")
AT_LEAST = 64 * 1024 * 1024  # the largest size that any archive may unpack to
# Files that this program sets aside: `guard.toml.format-0`, `log.toml.before-repair-1`, `log.toml.aside-1`.
_ASIDE = (".toml.format-", ".toml.before-repair-", ".toml.before-mend-", ".toml.aside-")


def files_of(campaign: Path) -> Iterator[str]:
    """Yield the files that a backup holds, as names within the campaign's folder, logs before openings.

    A log that is read first fits the opening that is read later, because the combatants of a started fight no
    longer change.
    """
    for folder in ("", ROSTER, *(f"{FOLDER}/{encounter}" for encounter in names_in(campaign / FOLDER))):
        names = [entry for entry in names_in(campaign / folder) if is_kept(entry)]
        for name in sorted(names, key=lambda one: (one != LOG, one)):
            if (campaign / folder / name).is_file():
                yield f"{folder}/{name}" if folder else name


def is_kept(name: str) -> bool:
    """Return whether a file of this name belongs in a backup."""
    return not name.startswith(".") and (name.endswith(KEPT) or any(word in name for word in _ASIDE))


def backup(campaign: Path, target: Path, *, force: bool = False) -> int:
    """Write a campaign into one file and return the number of files in it. Raises NotSaved and FileProblem.

    `target` is always a whole archive. An existing one is replaced only with `force`. Another program may
    write meanwhile: a log is read up to its last whole block.
    """
    if not force and os.path.lexists(target):
        raise NotSaved(f"{clean(str(target), 300)} already exists; --force replaces it")
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
    """Yield a file's name and bytes; a log's torn end becomes a file of its own. Raises FileProblem."""
    name = file.rpartition("/")[2]
    data = read_bytes(campaign / file, file, LARGEST_LOG if name.endswith(".toml") else AT_LEAST)
    if name == LOG:
        with suppress(FileProblem):
            blocks = scan(data, header_end(data, file), 0)
            if blocks.torn:
                yield file, data[: blocks.broken]
                yield f"{file}.aside-0", data[blocks.broken :]
                return
    yield file, data


def _entry(name: str, path: Path) -> "ZipInfo":
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
    """Give the finished file its name. Raises OSError if the name is taken or the file may not be durable.

    In that case the previous file is restored.
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
        os.link(beside, target)  # the only way to rename that never replaces
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if os.path.lexists(target):
            raise FileExistsError from None
        beside.replace(target)


def _back_to(old: Path | None, target: Path, error: OSError) -> None:
    """Restore the previous file after this error; None: there was none. Raises Unsure."""
    try:
        if old is None:
            target.unlink()
        else:
            old.replace(target)
    except OSError:
        raise Unsure(error.errno, error.strerror) from None


def default_name(campaign: Path) -> str:
    """Return `docks-2026-11-06.zip`: the campaign and the day."""
    return f"{campaign.resolve().name}-{time.strftime('%Y-%m-%d')}.zip"
