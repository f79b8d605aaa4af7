"""Where campaigns are: the folder of campaigns, names that folders can have, and which was open last."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from systems.errors import InputError
from systems.frozen import frozen
from systems.text import clean
from tui.campaign.problems import NotSaved, disk_words
from tui.campaign.user_folders import data_folder, state_folder

CAMPAIGN = "campaign.toml"
SAMPLES = "samples"  # the folder of samples; no campaign has this name
VARIABLE = "AFFRAY_CAMPAIGNS"
PROGRAM_FILE = "AFFRAY_PROGRAM_FILE"  # set by the single-file program, which runs where it was unpacked to
_LONGEST = 80
_LONGEST_BYTES = 200


class NoCampaign(InputError, ValueError):
    """No campaign of that name, or a name that no campaign can have: one sentence."""

    code = "unknown_name"


@frozen
class CampaignsFolder:
    """The folder of campaigns, and in a few words why it is that one. It may not exist yet.

    `is_chosen`: a person named it, or it travels with the program; a campaign elsewhere is not meant then.
    """

    path: Path
    why: str
    is_chosen: bool = False


def where(option: str | None = None) -> CampaignsFolder:
    """The folder of campaigns: the option, else the environment, else beside the program, else the user's."""
    if option:
        return CampaignsFolder(named_folder(option), "given with --campaigns", is_chosen=True)
    if named := os.environ.get(VARIABLE):
        return CampaignsFolder(named_folder(named), f"named by {VARIABLE}", is_chosen=True)
    beside = beside_program()
    if beside and can_write(beside / "campaigns"):
        return CampaignsFolder(beside / "campaigns", "beside the program", PROGRAM_FILE in os.environ)
    why = "the folder beside the program cannot be written" if beside else "the program is installed"
    return CampaignsFolder(data_folder() / "campaigns", f"your data folder, since {why}")


def named_folder(given: str) -> Path:
    """A folder as a user names it. Raises NoCampaign for the home of somebody unknown."""
    try:
        return Path(given).expanduser().absolute()
    except RuntimeError:
        raise NoCampaign(f'there is no home folder for "{clean(given, 80)}"') from None


def beside_program() -> Path | None:
    """The checkout, or the folder that holds the single-file program; None for an installed program."""
    if started := os.environ.get(PROGRAM_FILE):
        return Path(started).parent
    checkout = Path(__file__).parents[2]
    return checkout if (checkout / "pyproject.toml").is_file() else None


def can_write(folder: Path) -> bool:
    """Whether a folder, or the nearest one above it that exists, can be written."""
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


def check_name(name: str) -> str:
    """The name of a campaign, if it can be the name of a folder. Raises NoCampaign with the reason."""
    shown = f'"{clean(name, 40)}"'
    if not name.strip():
        raise NoCampaign("a campaign needs a name")
    if name != name.strip():
        raise NoCampaign(f"a campaign's name has no space at either end, as {shown} has")
    if len(name) > _LONGEST or len(name.encode(errors="replace")) > _LONGEST_BYTES:
        raise NoCampaign(f"a campaign's name has at most {_LONGEST} characters")
    if name[0] in ".-~":
        raise NoCampaign(f"a campaign's name does not begin with a dot, a hyphen or a tilde, as {shown} does")
    if any(letter in '/\\:<>"|?*' or not letter.isprintable() for letter in name):
        raise NoCampaign(f"a campaign's folder has its name, and no folder can be called {shown}")
    if name.casefold() == SAMPLES:
        raise NoCampaign(f"{shown} is the folder of the samples; a campaign needs another name")
    return name


def remember(folder: Path) -> None:
    """Keep in mind that this campaign was opened last. Never fails: forgetting it costs one key."""
    from tui.campaign.toml.files import replace_file

    last, name = state_folder() / "last", os.fsencode(folder.absolute())
    with suppress(OSError):
        if not last.is_file() or last.read_bytes() != name:
            last.parent.mkdir(parents=True, exist_ok=True)
            replace_file(last, name, durable=False)


def last(place: CampaignsFolder) -> Path | None:
    """The folder of the campaign that was opened last, if it is still one and stands where it may."""
    try:
        folder = Path(os.fsdecode((state_folder() / "last").read_bytes()))
        if not folder.is_absolute() or (place.is_chosen and folder.parent != place.path):
            return None
        return folder if (folder / CAMPAIGN).is_file() else None
    except (OSError, ValueError):
        return None


def make_folder(folder: Path) -> None:
    """Make a folder and those above it. Raises NotSaved."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise NotSaved(f"the folder {clean(str(folder), 300)} cannot be made: {disk_words(error)}") from None


def check_is_there(folder: Path) -> None:
    """Raise NotSaved where the folder of a campaign that was read is gone: no part of it is made anew."""
    if not folder.is_dir():
        raise NotSaved(f"the folder {clean(str(folder), 300)} is not there any more")


def make_whole(folder: Path, fill: Callable[[Path], None]) -> None:
    """Make a folder that is there with all that `fill` puts into it, or not at all.

    Raises OSError, also when a folder of that name is there and not empty, and whatever `fill` raises.
    It is filled under a hidden name, which nobody takes for a campaign, and synced before it gets its own.
    """
    from shutil import rmtree

    from tui.campaign.problems import Unsure
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
