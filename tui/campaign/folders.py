"""Find the folder of campaigns, check campaign names, and remember which campaign was open last."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from systems.errors import InputError
from systems.frozen import frozen
from systems.text import clean
from tui.campaign.problems import NotSaved, Unsure, disk_words
from tui.campaign.user_folders import data_folder, state_folder

CAMPAIGN = "campaign.toml"
SAMPLES = "samples"  # the folder of samples; no campaign may have this name
VARIABLE = "AFFRAY_CAMPAIGNS"
PROGRAM_FILE = (
    "AFFRAY_PROGRAM_FILE"  # set by the single-file program, which runs from the folder it was unpacked to
)
_LONGEST = 80
_LONGEST_BYTES = 200


class NoCampaign(InputError, ValueError):
    """There is no campaign of that name, or no campaign can have it. The message is one sentence."""

    code = "unknown_name"


@frozen
class CampaignsFolder:
    """The folder of campaigns, and in a few words why it was chosen. It may not exist yet.

    `is_chosen`: whether the user named it, or it travels with the program. Then no campaign in another folder
    is meant.
    """

    path: Path
    why: str
    is_chosen: bool = False


def where(option: str | None = None) -> CampaignsFolder:
    """Return the folder of campaigns: the option's, the environment's, the program's, or the user's."""
    if option:
        return CampaignsFolder(named_folder(option), "given with --campaigns", is_chosen=True)
    if named := os.environ.get(VARIABLE):
        return CampaignsFolder(named_folder(named), f"named by {VARIABLE}", is_chosen=True)
    beside = beside_program()
    if beside and can_write(beside / "campaigns"):
        return CampaignsFolder(beside / "campaigns", "next to the program", PROGRAM_FILE in os.environ)
    why = "the folder next to the program is not writable" if beside else "the program is installed"
    return CampaignsFolder(data_folder() / "campaigns", f"your data folder, since {why}")


def named_folder(given: str) -> Path:
    """Return a folder that the user named. Raises NoCampaign for the home folder of an unknown user."""
    try:
        return Path(given).expanduser().absolute()
    except RuntimeError:
        raise NoCampaign(f'there is no home folder for "{clean(given, 80)}"') from None


def beside_program() -> Path | None:
    """Return the checkout, or the folder of the single-file program; None for an installed program."""
    if started := os.environ.get(PROGRAM_FILE):
        return Path(started).parent
    checkout = Path(__file__).parents[2]
    return checkout if (checkout / "pyproject.toml").is_file() else None


def can_write(folder: Path) -> bool:
    """Return whether a folder, or the nearest existing one above it, is writable."""
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


def check_name(name: str) -> str:
    """Return the name of a campaign if a folder can have it. Raises NoCampaign with the reason."""
    shown = f'"{clean(name, 40)}"'
    if not name.strip():
        raise NoCampaign("a campaign needs a name")
    if name != name.strip():
        raise NoCampaign(f"a campaign's name can't begin or end with a space: {shown}")
    if len(name) > _LONGEST or len(name.encode(errors="replace")) > _LONGEST_BYTES:
        raise NoCampaign(f"a campaign's name can have at most {_LONGEST} characters")
    if name[0] in ".-~":
        raise NoCampaign(f"a campaign's name can't begin with a dot, a hyphen or a tilde: {shown}")
    if any(letter in '/\\:<>"|?*' or not letter.isprintable() for letter in name):
        raise NoCampaign(f"a campaign's folder has the same name, and no folder can be called {shown}")
    if name.casefold() == SAMPLES:
        raise NoCampaign(f"{shown} is the folder of the samples; choose another name")
    return name


def remember(folder: Path) -> None:
    """Remember that this campaign was opened last. Never fails: forgetting it costs one key press."""
    from tui.campaign.toml.files import replace_file

    last, name = state_folder() / "last", os.fsencode(folder.absolute())
    with suppress(OSError):
        if not last.is_file() or last.read_bytes() != name:
            last.parent.mkdir(parents=True, exist_ok=True)
            replace_file(last, name, durable=False)


def last(place: CampaignsFolder) -> Path | None:
    """Return the folder of the last opened campaign, if it still holds one and is allowed here; else None."""
    try:
        folder = Path(os.fsdecode((state_folder() / "last").read_bytes()))
        if not folder.is_absolute() or (place.is_chosen and folder.parent != place.path):
            return None
        return folder if (folder / CAMPAIGN).is_file() else None
    except (OSError, ValueError):
        return None


def make_folder(folder: Path) -> None:
    """Create a folder and its parents. Raises NotSaved."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(
            f"the folder {clean(str(folder), 300)} cannot be created: {disk_words(error)}"
        ) from None


def check_is_there(folder: Path) -> None:
    """Check that a campaign's folder still exists, so that no part of it is created again.

    Raises NotSaved.
    """
    if not folder.is_dir():
        raise NotSaved(f"the folder {clean(str(folder), 300)} no longer exists")


def make_whole(folder: Path, fill: Callable[[Path], None]) -> None:
    """Create a folder with everything that `fill` puts into it, or not at all.

    It is filled under a hidden name, which is never listed as a campaign, and synced before it is renamed.
    Raises OSError, also if a folder of that name exists and is not empty, and what `fill` raises.
    """
    from shutil import rmtree

    from tui.campaign.toml.files import sync_folder

    half = folder.with_name(f".{folder.name[:80]}.{os.getpid()}.new")
    rmtree(half, ignore_errors=True)
    named = False
    try:
        half.mkdir()
        fill(half)
        for inside in (half, *(inner for inner in half.rglob("*") if inner.is_dir())):
            sync_folder(inside)
        half.rename(folder)
        named = True
        sync_folder(folder.parent)
    except BaseException as error:
        rmtree(folder if named else half, ignore_errors=True)
        if named and os.path.lexists(folder / CAMPAIGN) and isinstance(error, OSError):
            raise Unsure(error.errno, error.strerror) from None
        raise
