"""Hand out passwords to `affray invite` by a socket that only the user can open."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from tui.seats.following import FollowedCampaign
from tui.seats.joining import LASTS, Joining, Lasts
from tui.terminal.program_log import log_unexpected
from tui.wire.address import connect, server_socket
from tui.wire.link import Link, connected
from tui.wire.listener import Listener
from tui.wire.messages import RefusedMessage
from tui.wire.server_report import (
    FROM_SERVER,
    TO_SERVER,
    Invite,
    Invited,
    PasswordOfSeat,
    ServedAt,
)

_PATIENCE = 20.0  # seconds; hashing a lasting password takes a moment for each seat


class InvitingServer(Protocol):
    """The server as the desk uses it."""

    followed: FollowedCampaign
    joining: Joining
    where: ServedAt

    def start_task(self, work: Any) -> None: ...

    async def make_passwords(self, names: Iterable[str], lasts: Lasts) -> None: ...


class InvitationDesk:
    """The server's end: makes the passwords that `affray invite` asks for."""

    def __init__(self, server: InvitingServer) -> None:
        self._server = server
        self._path = server_socket(server.followed.path)
        self._listener = Listener(self._received, TO_SERVER, log_unexpected)

    def start(self) -> None:
        """Listen in the running event loop. A second server of one campaign takes over."""
        self._listener.start(self._path)

    def stop(self) -> None:
        """Stop listening."""
        if self._listener.stop():
            with suppress(OSError):
                self._path.unlink()

    def _received(self, link: Link, invite: Invite) -> None:
        lasts = next((lasts for lasts in LASTS if lasts == invite.lasts), None)
        self._server.start_task(self._invite(link, invite.seats, lasts))

    async def _invite(self, link: Link, names: Iterable[str], lasts: Lasts | None) -> None:
        """Answer with the passwords of these seats. Without `lasts`, none is made."""
        passwords = self._server.joining.passwords
        if lasts is not None:
            # Inviting again repeats a message and does not end the password in it.
            missing = [name for name in names if name not in passwords or passwords[name].lasts != lasts]
            await self._server.make_passwords(missing, lasts)
        found = [passwords[name] for name in names if name in passwords]
        seats = tuple(PasswordOfSeat(each.seat, each.text, each.lasts) for each in found)
        link.send(Invited(self._server.where, seats))


async def ask_for_passwords(campaign: Path, seats: Iterable[str], lasts: str) -> Invited | None:
    """Return the running server's answer with its address and the passwords, or None without a server."""
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[Invited | None] = loop.create_future()

    def end(found: Invited | None) -> None:
        if not answered.done():
            answered.set_result(found)

    def received(answer: Invited | RefusedMessage) -> None:
        end(answer if isinstance(answer, Invited) else None)

    try:
        end_of_wire = connect(server_socket(campaign))
    except OSError:
        return None
    link = await connected(Link(received, lambda: end(None), kinds=FROM_SERVER), end_of_wire)
    link.send(Invite(tuple(seats), lasts))
    try:
        return await asyncio.wait_for(answered, _PATIENCE)
    except TimeoutError:
        return None
    finally:
        link.abort()
