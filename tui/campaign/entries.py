"""An entry of a roster: a character, or a kind of creature."""

from typing import Any

import attrs

from systems.frozen import frozen


@frozen
class RosterEntry:
    """A character, or a kind of creature, of the roster.

    `sheet` is the game's; name and notes stand on it. `party`: the band that it belongs to, which joins a
    fight together, "" for none. `source`: the bytes of its file when it was read, None for one that is new.
    """

    id: str
    side: str
    sheet: Any
    party: str = ""
    source: bytes | None = attrs.field(default=None, eq=False, repr=False)

    @property
    def name(self) -> str:
        """What it is called; the id where the sheet does not say."""
        return self.sheet.name or self.id

    @property
    def notes(self) -> str:
        """What the game master noted; empty where there is nothing."""
        return self.sheet.notes or ""
