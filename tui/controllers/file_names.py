"""Files written on request: check the typed name, and ask before a file is replaced."""

from collections.abc import Callable, Collection
from pathlib import Path

from systems.errors import InputError
from systems.text import clean, listed
from tui.campaign.problems import disk_words
from tui.campaign.toml.files import replace_file
from tui.prompts.question import ask_yes_or_no
from tui.services import Services


def named_file(name: str, endings: Collection[str], also: Collection[str] = ()) -> tuple[Path, bool]:
    """Return the path for a typed name, and whether the file exists.

    Raises InputError if the name is invalid. `endings`: the endings that an error lists. `also`: other
    spellings of them.
    """
    if not name:
        raise InputError("a file needs a name")
    try:
        path = Path(name).expanduser()
    except RuntimeError:
        raise InputError(f"{clean(name, 60)}: there is no such home folder") from None
    if path.suffix.lower() not in (*endings, *also):
        raise InputError(f"the name must end in {listed(endings, 'or')}, which sets the format")
    try:
        if path.is_dir():
            raise InputError(f"{clean(name, 60)} is a folder")
        taken, folder = path.exists(), path.absolute().parent
        if not folder.is_dir():
            raise InputError(f"there is no folder {clean(str(folder), 200)}")
    except (OSError, ValueError):
        raise InputError(f"{clean(name, 60)} cannot be a file's name") from None
    return path, taken


def write_file(path: Path, document: str) -> str | None:
    """Write a file durably. Return why it was not written, or None."""
    try:
        replace_file(path.absolute(), document.encode(), durable=True)
    except OSError as error:
        return f"{clean(str(path), 100)} was not written: {disk_words(error)}"
    return None


def ask_to_replace(services: Services, path: Path, write: Callable[[], str | None]) -> None:
    """Ask whether to replace an existing file, and write it after a yes."""

    name = clean(str(path), 200)
    ask_yes_or_no(services, f"{name} already exists. Replace it?", write, f"{name} is unchanged.")


def whole_path(name: str) -> str:
    """Return the absolute path of a typed file name, for display."""
    try:
        return f"→ {clean(str(Path(name).expanduser().absolute()), 300)}" if name else ""
    except (OSError, RuntimeError):
        return ""
