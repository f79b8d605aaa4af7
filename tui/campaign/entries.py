"""An entry of a roster: a character or a kind of creature."""

from typing import Any

from systems.frozen import field, frozen


@frozen
class RosterEntry:
    """A character or a kind of creature in the roster.

    `sheet`: the game's sheet, with name and notes. `party`: the party that joins a fight together; "" for
    none. `source`: the bytes of its file when it was read; None for a new entry.
    """

    id: str
    side: str
    sheet: Any
    party: str = ""
    source: bytes | None = field(default=None, eq=False)

    @property
    def name(self) -> str:
        """Return its name; the id if the sheet has none."""
        return self.sheet.name or self.id

    @property
    def notes(self) -> str:
        """Return the game master's notes, or ""."""
        return self.sheet.notes or ""
