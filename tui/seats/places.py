"""Each player's place at a seat, saved in a file: cursor, unfinished line, and the newest event shown."""

import asyncio
import json
import os
from contextlib import suppress
from pathlib import Path

from systems.codec.plain import BadPlainData, from_plain, to_plain
from systems.frozen import asdict, evolve, frozen
from systems.text import spaced
from tui.campaign.toml.files import replace_file
from tui.seats.seat_messages import SeatSpot
from tui.wire.address import table_socket

SOON = 1.0  # seconds until changes are saved
_LONGEST = 500  # characters of each text; a typed line is the longest
_LARGEST = 1024 * 1024  # bytes of the file


@frozen
class Place:
    """The place of one seat's player.

    `encounter`, `n`: the newest event shown.
    """

    spot: SeatSpot = SeatSpot()
    encounter: str = ""
    n: int = 0


class Places:
    """The places at one campaign's table by seat name. A server and `watch` may both write the file."""

    def __init__(self, campaign: Path) -> None:
        self._campaign = campaign
        self._by_name = self._read()
        self._changed: set[str] = set()
        self._saving: asyncio.TimerHandle | None = None

    def of(self, seat: str) -> Place:
        """Return the place of a seat's player."""
        return self._by_name.get(seat, Place())

    def remember(self, seat: str, spot: SeatSpot) -> None:
        """Store a player's spot without its long texts."""
        self._keep(seat, evolve(self.of(seat), spot=_short(spot)))

    def show(self, seat: str, encounter: str, n: int) -> None:
        """Store that a seat was shown an encounter up to event `n`."""
        self._keep(seat, evolve(self.of(seat), encounter=encounter, n=n))

    def _keep(self, seat: str, place: Place) -> None:
        if place == self._by_name.get(seat):
            return
        self._by_name[seat] = place
        self._changed.add(seat)
        if self._saving is None:
            self._saving = asyncio.get_running_loop().call_later(SOON, self.save)

    def save(self) -> None:
        """Save the changes to the file. If that fails, they stay in memory only."""
        if self._saving is not None:
            self._saving.cancel()
            self._saving = None
        if self._changed:
            # Another program may have saved other seats meanwhile.
            kept = {**self._read(), **{name: self._by_name[name] for name in self._changed}}
            self._changed.clear()
            text = json.dumps({name: to_plain(place) for name, place in kept.items()})
            with suppress(OSError):
                self._write(text.encode())

    def _write(self, data: bytes) -> None:
        file = self._file()
        if not file.exists():
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
        replace_file(file, data, durable=False)

    def _file(self) -> Path:
        return table_socket(self._campaign).with_suffix(".places")

    def _read(self) -> dict[str, Place]:
        """Read the places from the file.

        Invalid entries are skipped, because places are only a convenience.
        """
        found: dict[str, Place] = {}
        with suppress(OSError, ValueError, RecursionError):
            file = self._file()
            known = json.loads(file.read_bytes()) if file.stat().st_size <= _LARGEST else {}
            for name, held in known.items() if isinstance(known, dict) else ():
                with suppress(BadPlainData):
                    place = from_plain(Place, held)
                    found[name] = evolve(place, spot=_short(place.spot))
        return found


def _short(spot: SeatSpot) -> SeatSpot:
    """Return a spot with its short texts, each on one line."""
    texts = {name: text for name, text in asdict(spot).items() if isinstance(text, str)}
    return evolve(
        spot, **{name: spaced(text) if len(text) <= _LONGEST else "" for name, text in texts.items()}
    )
