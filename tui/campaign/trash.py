"""What was deleted: moved into a folder `.trash`, numbered, until somebody empties that."""

from pathlib import Path

from systems.text import clean
from tui.campaign.folders import check_is_there, make_folder
from tui.campaign.problems import NotSaved, Unsure, disk_words
from tui.campaign.toml.files import sync_folder

TRASH = ".trash"


def move(old: Path, new: Path) -> None:
    """Move a file or folder for good; where it stays in doubt, it is moved back. Raises OSError."""
    old.rename(new)
    try:
        # The new name first: a power cut in between leaves two files rather than none.
        sync_folder(new.parent)
        sync_folder(old.parent)
    except OSError as error:
        try:
            new.rename(old)
        except OSError:
            raise Unsure(error.errno, error.strerror) from None
        raise


def throw_away(path: Path, trash: Path, name: str, shown: str) -> Path:
    """Move what is at a path into the trash; where it is now. Raises NotSaved, which names `shown`."""
    check_is_there(trash.parent)
    make_folder(trash)
    numbers = _numbers(trash, name)
    place = trash / f"{name}.{numbers[-1] + 1 if numbers else 1}.deleted"
    try:
        move(path, place)
    except OSError as error:
        raise NotSaved(f"{shown} was not deleted: {disk_words(error)}") from None
    return place


def last_thrown(trash: Path, name: str) -> Path | None:
    """Where that which was thrown away last under this name is now; None when there is none."""
    numbers = _numbers(trash, name)
    return trash / f"{name}.{numbers[-1]}.deleted" if numbers else None


def bring_back(place: Path, path: Path, shown: str) -> None:
    """Move what was thrown away back to its path. Raises NotSaved."""
    if path.exists():
        raise NotSaved(f"{shown} was not brought back: there is another {clean(path.name)} now")
    try:
        move(place, path)
    except OSError as error:
        raise NotSaved(f"{shown} was not brought back: {disk_words(error)}") from None


def _numbers(trash: Path, name: str) -> list[int]:
    """The numbers of what was thrown away under that name, in order."""
    found = []
    for path in trash.glob("*.deleted"):
        stem, _, number = path.name.removesuffix(".deleted").rpartition(".")
        if stem == name and number.isascii() and number.isdigit():
            found.append(int(number))
    return sorted(found)
