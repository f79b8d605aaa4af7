"""The SSH side of the server: the requests that a connection may make, and the refusal of all others.

All private names of asyncssh that Affray uses are in this file.
"""

import asyncio
import logging
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import asyncssh
from asyncssh.channel import SSHServerChannel
from asyncssh.constants import MSG_IGNORE, MSG_KEXINIT

from tui.seats import bounds
from tui.seats.bounds import TokenBucket
from tui.seats.joining import Admission, Joining
from tui.seats.ssh_session import SeatSession, SessionPlace

PROMPT = "Password from the game master, or Enter to knock: "
NO_SUCH_NAME = "a seat's name has only small letters, digits, - and _: type it as in your invitation"
_QUICKACK = getattr(socket, "TCP_QUICKACK", None)
_QUICKACK_EVERY, _QUICKACK_FOR = 0.003, 1.0  # seconds
# Each hash takes much memory, so only a few are computed at once.
HASHING = ThreadPoolExecutor(bounds.HASHES, "hashing")
_TOO_MANY = asyncssh.DISC_PROTOCOL_ERROR


class SeatConnection(asyncssh.SSHServerConnection):
    """A connection with bounded input. It reports to its session when the client does not read."""

    server: "SeatServer"

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        now = self._loop.time()
        self._bucket = TokenBucket(bounds.BYTES, bounds.BYTE_BURST, now)
        self._exchanges = TokenBucket(bounds.KEY_EXCHANGES, bounds.KEY_EXCHANGE_BURST, now)
        self._before_login = 0
        assert isinstance(transport, asyncio.Transport)
        # Many small packets at once would keep all other clients waiting.
        transport.max_size = bounds.AT_ONCE  # type: ignore[attr-defined]  # only its own transports have it
        transport.set_write_buffer_limits(high=bounds.UNSENT, low=bounds.UNSENT // 4)
        self._since_heard = 0
        self._asks_for_life = False
        super().connection_made(transport)

    def data_received(self, data: bytes, datatype: Any = None) -> None:
        wait = self._bucket.take(len(data), self._loop.time())
        if self._since_heard > bounds.UNHEARD:
            self.server.set_deaf(False)
        self._since_heard = 0
        if self._unsent() > bounds.UNSENT_ANSWERS:
            self.abort()
            return
        if not self.server.has_logged_in:
            self._before_login += len(data)
            if self._before_login > bounds.BYTES_BEFORE_LOGIN:
                self.abort()
                return
            self.server.heard()
        super().data_received(data, datatype)
        if wait > 0 and self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()
            self._loop.call_later(wait, self._resume)

    def _unsent(self) -> int:
        """Return the number of buffered bytes for a client that does not read."""
        return self._transport.get_write_buffer_size() if self._transport is not None else 0

    def process_packet(self, pkttype: int, pktid: int, packet: Any) -> Any:
        """Process a packet. A connection that exchanges keys too often is ended.

        A login name that no seat can have is refused in our own words.
        """
        if pkttype == MSG_KEXINIT and not self._exchanges.try_take(1, self._loop.time()):
            self.abort()
            return True
        try:
            return super().process_packet(pkttype, pktid, packet)
        except asyncssh.IllegalUserName:
            raise asyncssh.IllegalUserName(NO_SUCH_NAME) from None

    def _resume(self) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    def note_sent(self, size: int) -> None:
        """Count the bytes sent to a client, and request a keepalive answer before they are too many.

        Data buffered by the systems in between is invisible here. Only an answer shows that the client has
        read.
        """
        self._since_heard += size
        if self._since_heard > bounds.UNHEARD // 2 and not self._asks_for_life:
            self._asks_for_life = True
            self.create_task(self._ask_for_life())
        if self._since_heard > bounds.UNHEARD:
            self.server.set_deaf(True)

    async def _ask_for_life(self) -> None:
        try:
            await self._make_global_request(b"keepalive@openssh.com")
        finally:
            self._asks_for_life = False

    def pause_writing(self) -> None:
        self.server.set_full(True)

    def resume_writing(self) -> None:
        self.server.set_full(False)

    async def validate_public_key(self, username: str, key_data: bytes, msg: bytes, signature: bytes) -> bool:
        """Return whether the client may sign with a key or, once it has signed, whether that opens a seat.

        `msg` is empty for a key that is only offered. A public key is no secret, so an offer proves nothing.
        """
        is_valid = await super().validate_public_key(username, key_data, msg, signature)
        return is_valid and (not msg or self.server.key_is_proven())

    def send_userauth_failure(self, partial_success: bool) -> None:
        """Ask for another login method. A proven key that opens no seat counts as the first of two."""
        if self.server.count_refusal():
            super().send_userauth_failure(partial_success or self.server.takes_proof())

    async def reload_config(self) -> None:
        """Do nothing: there is no configuration file."""

    def send_packet(self, pkttype: int, *args: bytes, handler: Any = None) -> None:
        """Send a packet without the empty packet that ciphers with chained blocks need first.

        No such cipher is offered here. Each packet is a write, and wakes the client.
        """
        if pkttype != MSG_IGNORE:
            super().send_packet(pkttype, *args, handler=handler)

    def create_seat_channel(self) -> "SeatChannel":
        """Return a channel for one screen or one command."""
        return SeatChannel(
            self, self._loop, True, False, False, 0, 1024, None, "strict", bounds.CHANNEL_WINDOW, 32 * 1024
        )


class SeatChannel(SSHServerChannel[bytes]):
    """A channel that accepts no environment variables."""

    def _process_env_request(self, packet: Any) -> bool:
        return False


class SeatServer(asyncssh.SSHServer):
    """One connection: its login, then its one session.

    `place` makes the place of a client that has logged in. `ended` and `logged_in` are called with this
    object.
    """

    def __init__(
        self,
        joining: Joining,
        place: Callable[["SeatServer"], SessionPlace],
        ended: Callable[["SeatServer"], None],
        logged_in: Callable[["SeatServer"], None],
    ) -> None:
        self._joining, self._place, self._ended, self._logged_in = joining, place, ended, logged_in
        self._conn: SeatConnection | None = None
        self.address = ""
        self.name = ""
        # The first key that the client has proven to hold with a signature.
        self.first_key = ""
        # The key that opened a seat, or "" after a password or a knock.
        self.key = ""
        self._offered_key = ""
        self._has_new_proof = False
        self.admission: Admission | None = None
        self.has_logged_in = False
        # Connections without a screen or command are counted.
        self.is_idle = True
        self.session: SeatSession | None = None
        self._keys = self._passwords = self._refusals = 0
        self._silence: asyncio.TimerHandle | None = None
        self._quick_until = 0.0
        self._quick: asyncio.TimerHandle | None = None
        self._leaving: asyncio.TimerHandle | None = None

    # The connection

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        assert isinstance(conn, SeatConnection)
        self._conn, conn.server = conn, self
        self.address = str((conn.get_extra_info("peername") or ("?",))[0])
        self._quick_until = self._loop().time() + _QUICKACK_FOR
        self._acknowledge()
        self.heard()

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._silence, self._quick, self._leaving):
            if timer:
                timer.cancel()
        self._silence = self._quick = self._leaving = None
        if self.session:
            self.session.lost()
        self._conn = None
        self._ended(self)

    def _loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def _acknowledge(self) -> None:
        """Acknowledge packets immediately during a login, which saves the client two delays of 40 ms."""
        self._quick = None
        if self._conn is None or self.has_logged_in or _QUICKACK is None:
            return
        if self._loop().time() < self._quick_until:
            end = self._conn.get_extra_info("socket")
            with suppress(OSError, AttributeError):
                end.setsockopt(socket.IPPROTO_TCP, _QUICKACK, 1)
            self._quick = self._loop().call_later(_QUICKACK_EVERY, self._acknowledge)

    def heard(self) -> None:
        """Restart the login timer, because the client has sent something."""
        if self._silence:
            self._silence.cancel()
        self._silence = None
        if not self.has_logged_in:
            self._silence = self._loop().call_later(bounds.ANSWER, self.hang_up, "no answer")

    def hang_up(self, reason: str) -> None:
        """End the connection with one sentence."""
        if self._conn is not None:
            self._conn.disconnect(_TOO_MANY, reason)

    def drop(self) -> None:
        """End the connection without waiting for the client."""
        if self._conn is not None:
            self._conn.abort()

    def set_full(self, full: bool) -> None:
        """Tell the session whether the connection's buffer is full."""
        if self.session:
            self.session.set_full(full)

    def set_deaf(self, deaf: bool) -> None:
        """Tell the session whether the client has stopped answering."""
        if self.session:
            self.session.set_deaf(deaf)

    def note_sent(self, size: int) -> None:
        """Count the bytes sent to the client."""
        if self._conn is not None:
            self._conn.note_sent(size)

    # The login

    def begin_auth(self, username: str) -> bool:
        self.name, self.first_key, self.key, self.admission = username, "", "", None
        self._offered_key = ""
        return True

    @property
    def used_key(self) -> str:
        """Return the key that opened the seat, else the first key proven, or ""."""
        return self.key or self.first_key

    def count_refusal(self) -> bool:
        """Count a refused login request. Return False if it ended the connection."""
        self._refusals += 1
        if self._refusals > bounds.REFUSALS:
            self.hang_up("too many tries")
            return False
        return True

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Return whether the client may sign with a key: it opens the seat, or no key is proven yet."""
        line = " ".join(key.export_public_key().decode("ascii").split()[:2])
        is_repeated, self._offered_key = line == self._offered_key, line
        if self._joining.of_key(username, line) is not None:
            return True
        # A key comes once as an offer and once with its signature.
        self._keys += not is_repeated
        if self._keys > bounds.KEYS:
            self.hang_up("too many keys: name the right one with ssh -o IdentitiesOnly=yes -i FILE")
            return False
        return not self.first_key

    def key_is_proven(self) -> bool:
        """Note that the client has signed with the key offered last. Return whether that opens a seat."""
        seat = self._joining.of_key(self.name, self._offered_key)
        if seat is not None:
            self.admission, self.key = Admission("seat", seat.name), self._offered_key
            return True
        self.first_key = self.first_key or self._offered_key
        self._has_new_proof = True
        return False

    def takes_proof(self) -> bool:
        """Return, once, whether a key that opens no seat has just been proven."""
        is_new, self._has_new_proof = self._has_new_proof, False
        return is_new

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> Any:
        self.admission, self.key = None, ""
        self._passwords += 1
        if self._passwords > bounds.PASSWORDS:
            self.hang_up("too many passwords")
            return False
        return "", "", "", [(PROMPT, False)]

    async def validate_kbdint_response(self, username: str, responses: Sequence[str]) -> bool:
        self.admission = None
        if len(responses) != 1:
            return False
        found = self._joining.of_password(username, responses[0], self.first_key)
        if found.verdict == "no" and self._joining.has_lasting:
            found = await self._of_lasting(username, responses[0])
        match found.verdict:
            case "seat" | "knock":
                self.admission = found
                return True
            case "full":
                self.hang_up("too many guests are waiting; try again in a while")
            case "locked":
                self.hang_up("the table is locked")
        return False

    async def _of_lasting(self, username: str, typed: str) -> Admission:
        """Compare a typed password with the seat's permanent one, after the delay for earlier wrong tries."""
        if self._silence:
            # The client waits for the server now.
            self._silence.cancel()
            self._silence = None
        joining = self._joining
        await asyncio.sleep(joining.delay(username, self.address))
        lasting = joining.lasting_of(username)
        matches = await self._loop().run_in_executor(HASHING, lasting.matches, typed)
        return joining.of_lasting(username, self.address, lasting, matches=matches)

    def password_auth_supported(self) -> bool:
        return False

    def auth_completed(self) -> None:
        self.has_logged_in = True
        if self._silence:
            self._silence.cancel()
        # After the login, or a knock, the client must open a screen or run a command soon.
        self._silence = self._loop().call_later(bounds.ANSWER, self.hang_up, "no screen or command started")
        self._logged_in(self)

    def session_begins(self) -> None:
        """Stop the login timer: the client has opened a screen or run a command."""
        self.is_idle = False
        if self._silence:
            self._silence.cancel()
            self._silence = None

    def session_is_over(self) -> None:
        """End the connection soon, unless the client does so first."""
        if self._conn is not None and self._leaving is None:
            self._leaving = self._loop().call_later(bounds.AFTER, self.drop)

    # Requests after the login

    def session_requested(self) -> Any:
        if self.session is not None or self._conn is None or self.admission is None:
            return False
        self.session = SeatSession(self._place(self), self.note_sent)
        return self._conn.create_seat_channel(), self.session


async def server_options(key: asyncssh.SSHKey, factory: Callable[[], SeatServer]) -> Any:
    """Return asyncssh's options for all connections."""
    logging.getLogger("asyncssh").setLevel(logging.CRITICAL + 1)
    return await asyncssh.SSHServerConnectionOptions.construct(
        server_factory=factory,
        server_host_keys=[key],
        server_version="Affray",
        # Excluded: methods whose arithmetic costs a server ten times as much or more.
        kex_algs="-diffie-hellman-*,rsa2048-*",
        compression_algs=["none"],
        keepalive_interval=bounds.KEEPALIVE,
        keepalive_count_max=bounds.KEEPALIVES,
        login_timeout=bounds.LOGIN,
        public_key_auth=True,
        kbdint_auth=True,
        password_auth=False,
        host_based_auth=False,
        gss_host=None,
        gss_kex=False,
        gss_auth=False,
        agent_forwarding=False,
        x11_forwarding=False,
        allow_scp=False,
        allow_pty=True,
        line_editor=False,
        encoding=None,
        config=None,
    )


async def speak(end: socket.socket, options: Any) -> SeatConnection:
    """Start SSH on an accepted socket."""
    end.setblocking(False)
    with suppress(OSError):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # The system's own buffer for a client that does not read.
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, bounds.UNSENT)
    loop = asyncio.get_running_loop()
    _, connection = await loop.connect_accepted_socket(lambda: SeatConnection(loop, options), end)
    return connection
