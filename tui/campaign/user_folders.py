"""Where a user's own files of this program stand on each system: data, state and settings.

| | Linux | macOS | Windows |
|---|---|---|---|
| data | `$XDG_DATA_HOME`, `~/.local/share` | `~/Library/Application Support` | `%LOCALAPPDATA%` |
| state | `$XDG_STATE_HOME`, `~/.local/state` | `~/Library/Application Support` | `%LOCALAPPDATA%` |
| settings | `$XDG_CONFIG_HOME`, `~/.config` | `~/Library/Application Support` | `%APPDATA%` |

Each with `affray` below it. An XDG variable with an absolute path counts on every system. Textual brings
`platformdirs`, but that takes 10 ms to import, which verbs without screens would pay for these few lines.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

PROGRAM = "affray"


def data_folder() -> Path:
    """Return the folder for what the user made: campaigns, when they cannot stand beside the program."""
    return _folder("XDG_DATA_HOME", ".local/share", "LOCALAPPDATA")


def state_folder() -> Path:
    """Return the folder for what the program remembers and may forget."""
    return _folder("XDG_STATE_HOME", ".local/state", "LOCALAPPDATA")


def unsaved_folders() -> Iterator[Path]:
    """Yield the folders for events that their disk never took, the one that outlives the next start first."""
    yield state_folder() / "unsaved"
    if (runtime := os.environ.get("XDG_RUNTIME_DIR")) and Path(runtime).is_absolute():
        yield Path(runtime) / PROGRAM


def settings_folder() -> Path:
    """Return the folder for what the user set by hand: `keys.toml`."""
    return _folder("XDG_CONFIG_HOME", ".config", "APPDATA")


def _folder(variable: str, on_linux: str, on_windows: str) -> Path:
    if (named := os.environ.get(variable)) and Path(named).is_absolute():
        return Path(named) / PROGRAM
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where there is no home
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / PROGRAM
    if sys.platform == "win32":
        return Path(os.environ.get(on_windows) or home) / PROGRAM
    return home / on_linux / PROGRAM
