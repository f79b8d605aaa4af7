"""The server's connection with the game master's program. It is retried while there is none."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from systems.commands.table import kind_of
from systems.errors import Misread, Refused, Wrong
from systems.visibility.acting import read_request
from tui.campaign.seats import Seat
from tui.controllers.seat_meaning import NOT_OPEN, seen_at
from tui.display.refusals import misread_words
from tui.seats.following import FollowedCampaign, viewer_of
from tui.terminal.program_log import log_unexpected
from tui.wire.address import connect
from tui.wire.link import Link, connected
from tui.wire.table_messages import FROM_TABLE, SentRequest

_EVERY = 0.5  # seconds between two tries


class TableLink:
    """Calls `received` for each message of the table, and `changed` on connection and disconnection."""

    def __init__(self, path: Path, received: Callable[[object], None], changed: Callable[[], None]) -> None:
        self._path, self._received, self._changed = path, received, changed
        self._link: Link | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def is_there(self) -> bool:
        """Return whether the game master's program runs."""
        return self._link is not None and self._link.is_open

    def start(self) -> None:
        """Connect in the running event loop, as soon as possible."""
        self._task = asyncio.get_running_loop().create_task(self._keep_connected())

    def stop(self) -> None:
        """Stop connecting."""
        if self._task:
            self._task.cancel()
        if self._link:
            self._link.abort()

    def send(self, message: object) -> bool:
        """Send a message. Return False if there is no game master's program."""
        return self._link is not None and self._link.send(message)

    def send_newest(self, message: object) -> None:
        """Send a message that replaces an unsent one of its kind."""
        if self._link is not None:
            self._link.send_newest(message)

    async def _keep_connected(self) -> None:
        while True:
            lost = asyncio.Event()
            try:
                end = connect(self._path)
            except OSError:
                await asyncio.sleep(_EVERY)
                continue
            self._link = await connected(
                Link(self._received, lost.set, kinds=FROM_TABLE, failed=log_unexpected), end
            )
            self._changed()
            await lost.wait()
            self._link = None
            self._changed()
            await asyncio.sleep(_EVERY)


def request_message(followed: FollowedCampaign, seat: Seat, line: str, n: int, token: str) -> SentRequest:
    """Return the request of a seat for the table, with the meaning of its line.

    `n`: the number of the event after which it was typed. Raises Refused with the sentence for the seat.
    """
    fight = followed.fight_of(seat)
    if fight is None:
        raise Refused(NOT_OPEN)
    session, viewer, shown = fight.session, viewer_of(seat), followed.campaign.seats
    try:
        command = read_request(seen_at(session, n, viewer, shown), viewer, line)
    except Misread as error:
        raise Refused(misread_words(line, error)) from None
    except Wrong as error:
        raise Refused(str(error)) from None
    return SentRequest(
        token,
        seat.name,
        tuple(seat.characters),
        fight.fight.encounter,
        line,
        n,
        command.name,
        kind_of(command).plain(command.intent),
    )
