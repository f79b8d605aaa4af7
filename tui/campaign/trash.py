"""Move deleted files into a numbered place in the folder `.trash`, and back. Affray never empties it."""

from pathlib import Path

from systems.text import clean
from tui.campaign.folders import check_is_there, make_folder
from tui.campaign.problems import NotSaved, Unsure, disk_words
from tui.campaign.toml.files import sync_folder

TRASH = ".trash"


def move(old: Path, new: Path) -> None:
    """Move a file or folder and sync it; if that fails, move it back. Raises OSError."""
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
    """Move a path into the trash; return its new path. Raises NotSaved, which names `shown`."""
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
    """Return the path of the last file deleted under this name, or None."""
    numbers = _numbers(trash, name)
    return trash / f"{name}.{numbers[-1]}.deleted" if numbers else None


def bring_back(place: Path, path: Path, shown: str) -> None:
    """Move a deleted file or folder back to its path. Raises NotSaved."""
    if path.exists():
        raise NotSaved(f"{shown} was not restored: another {clean(path.name)} exists now")
    try:
        move(place, path)
    except OSError as error:
        raise NotSaved(f"{shown} was not restored: {disk_words(error)}") from None


def _numbers(trash: Path, name: str) -> list[int]:
    """Return the numbers of deleted files under that name, in order."""
    found = []
    for path in trash.glob("*.deleted"):
        stem, _, number = path.name.removesuffix(".deleted").rpartition(".")
        if stem == name and number.isascii() and number.isdigit():
            found.append(int(number))
    return sorted(found)
