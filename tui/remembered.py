"""Where the game master was when the line dropped: screen and cursor, so that opening again goes on there.

Kept in the user's state folder; losing it costs two keys.
"""

import json
import os
from contextlib import suppress
from pathlib import Path

from systems.values import frozen
from tui.campaign.places import state_folder
from tui.campaign.toml_file import replace_file

NAME = "screens.json"
_MOST = 50
_LARGEST = 100_000


@frozen
class Spot:
    """The screen by its name, empty for the first one, and the id of the combatant under the cursor."""

    encounter: str = ""
    screen: str = ""
    cursor: str = ""


def remember(campaign: Path, spot: Spot) -> None:
    """Keep it in mind. Never fails."""
    known = {name: one for name, one in _known().items() if name != _key(campaign)}
    newest = [*known.items(), (_key(campaign), [spot.encounter, spot.screen, spot.cursor])][-_MOST:]
    with suppress(OSError, ValueError):
        state_folder().mkdir(parents=True, exist_ok=True)
        replace_file(state_folder() / NAME, json.dumps(dict(newest)).encode(), durable=False)


def recall(campaign: Path, encounter: str) -> Spot:
    """Where it was in that encounter; nowhere for another one, or when nobody knows."""
    match _known().get(_key(campaign)):
        case [str(known), str(screen), str(cursor)] if known == encounter:
            return Spot(known, screen, cursor)
    return Spot(encounter)


def _known() -> dict[str, object]:
    try:
        data = (state_folder() / NAME).read_bytes()
        found = json.loads(data) if len(data) <= _LARGEST else None
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _key(campaign: Path) -> str:
    return os.fsencode(campaign.absolute()).decode(errors="surrogateescape").encode(errors="replace").decode()
