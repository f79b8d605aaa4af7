"""The sample campaigns: in a checkout its own campaigns, else those that the program carries inside."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tui.campaign.encounters import LOG, state_of
from tui.campaign.folders import CAMPAIGN, CampaignsFolder, beside_program, make_folder, make_whole
from tui.campaign.problems import NotSaved, disk_words
from tui.campaign.toml.files import sync, write_all

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


def samples() -> "Traversable | None":
    """The folder of samples; it may be inside a zip file. None when there are none."""
    beside = beside_program()
    if beside and Path(__file__).is_relative_to(beside / "tui"):
        folder: Traversable = beside / "campaigns"
    else:
        # Only an installed or zipped program pays for this import.
        from importlib.resources import files

        folder = files("tui") / "samples"
    return folder if folder.is_dir() else None


def names() -> list[str]:
    """The names of the samples, in order."""
    folder = samples()
    if folder is None:
        return []
    return sorted(one.name for one in folder.iterdir() if (one / CAMPAIGN).is_file())


def open_sample(place: CampaignsFolder, name: str) -> Path:
    """The sample's folder in the place, copied there if it is not there yet. Raises NotSaved."""
    source, target = samples(), place.path / name
    if source is None or not (source / name / CAMPAIGN).is_file():
        raise NotSaved(f"there is no sample {name}")
    if (target / CAMPAIGN).is_file():
        return target
    make_folder(place.path)
    try:
        make_whole(target, lambda half: _copy(source / name, half))
    except OSError as error:
        if (target / CAMPAIGN).is_file():  # another program has copied it meanwhile
            return target
        raise NotSaved(f"the sample {name} cannot be copied: {disk_words(error)}") from None
    return target


def _copy(source: "Traversable", target: Path) -> None:
    """Copy a campaign as it was prepared: its TOML files and what is written about it. Raises OSError.

    In a checkout the sample may have been played since: of the logs only those of finished fights go along.
    """
    for one in source.iterdir():
        if one.is_dir():
            if not one.name.startswith((".", "__")):
                (target / one.name).mkdir()
                _copy(one, target / one.name)
        elif one.name.endswith((".toml", ".md")) and (one.name != LOG or _is_finished(one)):
            _write(target / one.name, one.read_bytes())


def _write(path: Path, data: bytes) -> None:
    """Make a file that lasts. Raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        write_all(descriptor, data)
        sync(descriptor)
    finally:
        os.close(descriptor)


def _is_finished(log: "Traversable") -> bool:
    """Whether a log tells a whole fight; one that is packed away inside the program is as it was shipped."""
    return not isinstance(log, Path) or state_of(log) == "finished"
