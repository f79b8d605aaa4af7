"""Remember the last screen and cursor for a login that returns, and the theme.

They are in the user's state folder. Losing them costs a few key presses.
"""

import os
from contextlib import suppress
from pathlib import Path

from msgspec import json

from systems.frozen import frozen
from tui.campaign.toml.files import replace_file
from tui.campaign.user_folders import state_folder

NAME, COLOURS = "screens.json", "colours"
_MOST = 50
_LARGEST = 100_000
_LONGEST_NAME = 100


@frozen
class Spot:
    """The name of a screen, "" for the first one, and the id of the combatant under the cursor."""

    encounter: str = ""
    screen: str = ""
    cursor: str = ""


def remember(campaign: Path, spot: Spot) -> None:
    """Remember the spot. Never fails."""
    known = {name: spot for name, spot in _known().items() if name != _key(campaign)}
    newest = [*known.items(), (_key(campaign), [spot.encounter, spot.screen, spot.cursor])][-_MOST:]
    _keep(NAME, json.encode(dict(newest)).decode())


def recall(campaign: Path, encounter: str) -> Spot:
    """Return where the user was in that encounter; its first screen if that is not remembered."""
    match _known().get(_key(campaign)):
        case [str(known), str(screen), str(cursor)] if known == encounter:
            return Spot(known, screen, cursor)
    return Spot(encounter)


def remember_colours(theme: str) -> None:
    """Remember the name of a theme. Never fails."""
    _keep(COLOURS, theme)


def recall_colours() -> str:
    """Return the name of the theme that was chosen last, or ""."""
    try:
        data = (state_folder() / COLOURS).read_bytes()
        return data.decode() if len(data) <= _LONGEST_NAME else ""
    except (OSError, ValueError):
        return ""


def _keep(name: str, text: str) -> None:
    with suppress(OSError, ValueError):
        state_folder().mkdir(parents=True, exist_ok=True)
        replace_file(state_folder() / name, text.encode(), durable=False)


def _known() -> dict[str, object]:
    try:
        data = (state_folder() / NAME).read_bytes()
        found = json.decode(data) if len(data) <= _LARGEST else None
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _key(campaign: Path) -> str:
    return os.fsencode(campaign.absolute()).decode(errors="surrogateescape").encode(errors="replace").decode()
