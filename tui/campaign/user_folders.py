"""Find the folders for a user's data, state and settings on each system.

| | Linux | macOS | Windows |
|---|---|---|---|
| data | `$XDG_DATA_HOME`, `~/.local/share` | `~/Library/Application Support` | `%LOCALAPPDATA%` |
| state | `$XDG_STATE_HOME`, `~/.local/state` | `~/Library/Application Support` | `%LOCALAPPDATA%` |
| settings | `$XDG_CONFIG_HOME`, `~/.config` | `~/Library/Application Support` | `%APPDATA%` |

Each is the folder `affray` in it. An XDG variable with an absolute path counts on every system. Textual
brings `platformdirs`, but its import takes 10 ms, which verbs without screens would pay for these few lines.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

PROGRAM = "affray"


def data_folder() -> Path:
    """Return the folder for campaigns that can't be next to the program."""
    return _folder("XDG_DATA_HOME", ".local/share", "LOCALAPPDATA")


def state_folder() -> Path:
    """Return the folder for what the program remembers. It may be deleted."""
    return _folder("XDG_STATE_HOME", ".local/state", "LOCALAPPDATA")


def unsaved_folders() -> Iterator[Path]:
    """Yield the folders for events that could not be written to their log, the most lasting one first."""
    yield state_folder() / "unsaved"
    if (runtime := os.environ.get("XDG_RUNTIME_DIR")) and Path(runtime).is_absolute():
        yield Path(runtime) / PROGRAM


def settings_folder() -> Path:
    """Return the folder for the user's own settings, such as `keys.toml`."""
    return _folder("XDG_CONFIG_HOME", ".config", "APPDATA")


def _folder(variable: str, on_linux: str, on_windows: str) -> Path:
    if (named := os.environ.get(variable)) and Path(named).is_absolute():
        return Path(named) / PROGRAM
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises if there is no home
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / PROGRAM
    if sys.platform == "win32":
        return Path(os.environ.get(on_windows) or home) / PROGRAM
    return home / on_linux / PROGRAM
