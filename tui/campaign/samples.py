"""The sample campaigns: read-only templates, which are copied to be played.

They are in `campaigns/samples/` of a checkout, else in the folder `samples` inside the program, which may be
a zip file. Affray never writes to them.
"""

import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from systems.text import clean
from tui.campaign.folders import (
    CAMPAIGN,
    SAMPLES,
    CampaignsFolder,
    NoCampaign,
    beside_program,
    make_folder,
    make_whole,
)
from tui.campaign.problems import NotSaved, disk_words
from tui.campaign.toml.files import sync, write_all

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def samples_folder() -> "Traversable | None":
    """Return the folder of samples, which may be inside a zip file; None when there is none."""
    beside = beside_program()
    if beside and Path(__file__).is_relative_to(beside / "tui"):
        folder: Traversable = beside / "campaigns" / SAMPLES
    else:
        # Imported only by an installed or zipped program.
        from importlib.resources import files

        folder = files("tui") / SAMPLES
    return folder if folder.is_dir() else None


def names() -> list[str]:
    """Return the names of the samples, in order."""
    folder = samples_folder()
    if folder is None:
        return []
    return sorted(sample.name for sample in folder.iterdir() if (sample / CAMPAIGN).is_file())


def sample_at(path: Path) -> str:
    """Return the name of the sample that a path is in, or "" for any other path."""
    folder = samples_folder()
    if not isinstance(folder, Path):
        return ""
    try:
        parts = path.resolve().relative_to(folder.resolve()).parts
    except (OSError, ValueError, RuntimeError):
        return ""
    return parts[0] if parts and (folder / parts[0] / CAMPAIGN).is_file() else ""


def template(name: str) -> Path:
    """Return the folder of a sample, for reading only. Raises NotSaved if it cannot be unpacked."""
    folder = samples_folder()
    return folder / name if isinstance(folder, Path) else _unpacked(name)


@cache
def _unpacked(name: str) -> Path:
    """Unpack a sample from a zip file into a folder that is deleted when the program ends.

    Raises NotSaved.
    """
    import atexit
    from shutil import rmtree
    from tempfile import mkdtemp

    try:
        folder = Path(mkdtemp(prefix="affray-"))
        atexit.register(rmtree, folder, ignore_errors=True)
        (folder / name).mkdir()
        copy_files(_source(name), folder / name)
    except OSError as error:
        raise NotSaved(f"the sample {name} cannot be unpacked: {disk_words(error)}") from None
    return folder / name


def copy_sample(place: CampaignsFolder, name: str, *, again: bool = False) -> Path:
    """Return the copy of a sample to play; make it if there is none yet.

    `again`: always make a new copy, under the next free name, such as `okado-at-the-gate-2`. Raises
    NotSaved, and NoCampaign if the folder of campaigns is that of the samples.
    """
    check_is_no_template(place.path)
    source = _source(name)
    target = place.path / (free_name(place, name) if again else name)
    if os.path.lexists(target / CAMPAIGN):
        return target
    make_folder(place.path)
    try:
        make_whole(target, lambda half: copy_files(source, half))
    except OSError as error:
        if (target / CAMPAIGN).is_file():  # another program has copied it meanwhile
            return target
        raise NotSaved(f"the sample {name} cannot be copied: {disk_words(error)}") from None
    return target


def check_is_no_template(folder: Path) -> None:
    """Check that a folder may hold new campaigns. Raises NoCampaign for the samples' own folder."""
    samples = samples_folder()
    if isinstance(samples, Path) and folder.resolve().is_relative_to(samples.resolve()):
        raise NoCampaign(
            f"{clean(str(folder), 300)} holds the samples, which are never written to: name another folder"
        )


def free_name(place: CampaignsFolder, name: str) -> str:
    """Return that name, else the first free one of `name-2`, `name-3` and so on."""
    candidates = [name, *(f"{name}-{number}" for number in range(2, 10_000))]
    return next(candidate for candidate in candidates if not os.path.lexists(place.path / candidate))


def _source(name: str) -> "Traversable":
    folder = samples_folder()
    if folder is None or not (folder / name / CAMPAIGN).is_file():
        raise NotSaved(f"there is no sample {clean(name, 80)}")
    return folder / name


def copy_files(source: "Traversable", target: Path) -> None:
    """Copy the TOML files of a campaign, and the texts about it. Raises OSError."""
    for entry in source.iterdir():
        if entry.is_dir():
            if not entry.name.startswith((".", "__")):
                (target / entry.name).mkdir()
                copy_files(entry, target / entry.name)
        elif entry.name.endswith((".toml", ".md")):
            _write(target / entry.name, entry.read_bytes())


def _write(path: Path, data: bytes) -> None:
    """Write a file and sync it to the disk. Raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        write_all(descriptor, data)
        sync(descriptor)
    finally:
        os.close(descriptor)
