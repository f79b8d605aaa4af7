"""Run the server of `affray serve` with its host key, until a signal ends it."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import asyncssh

from systems.text import clean
from tui.campaign.problems import disk_words
from tui.campaign.user_folders import state_folder
from tui.seats.server import Server
from tui.seats.warm_process import WarmProcess
from tui.terminal.program_log import log_task_error
from tui.wire.address import WITH_PARENT

EVERY_ADDRESS = "0.0.0.0"


class NoHostKey(ValueError):
    """Raised if the host key cannot be used. The message is one sentence."""


def host_key_file() -> Path:
    """Return the default path of the host key."""
    return state_folder() / "seats" / "host_key"


def host_key(named: str | None) -> asyncssh.SSHKey:
    """Return the host key from the named file or the state folder, creating the latter if missing.

    Raises NoHostKey if the file can't be used.
    """
    file = Path(named).expanduser() if named else host_key_file()
    shown = clean(str(file), 300)
    try:
        if not file.exists():
            return _made(file)
        mode = file.stat().st_mode & 0o777
        if mode & 0o077:
            raise NoHostKey(f"the host key {shown} can be read by others (mode {mode:03o}): chmod 600 it")
        return asyncssh.import_private_key(file.read_bytes())
    except (asyncssh.KeyImportError, asyncssh.KeyEncryptionError) as error:
        raise NoHostKey(f"the host key {shown} cannot be read: {clean(str(error), 200)}") from None
    except OSError as error:
        raise NoHostKey(f"the host key {shown} cannot be used: {disk_words(error)}") from None


def _made(file: Path) -> asyncssh.SSHKey:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    key = asyncssh.generate_private_key("ssh-ed25519", comment="affray")
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        os.fchmod(descriptor, 0o600)
        opened.write(key.export_private_key())
        opened.flush()
        os.fsync(descriptor)
    return key


async def serve(
    path: Path,
    warm: WarmProcess,
    address: str | None,
    port: int | None,
    key: Any,
    say: Callable[[str], None],
) -> str:
    """Serve until a signal arrives. Return the error that ended the server, or "".

    Without an address or a port, those of the campaign's settings are used.
    """
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(log_task_error)
    server = Server(path, warm, say)
    warm.on_ended = server.process_ended
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, server.stop)
    if os.environ.get(WITH_PARENT):
        loop.add_reader(sys.stdin.fileno(), _end_with_input, server)
    try:
        settings = server.followed.campaign.seats
        address = address or settings.listen or EVERY_ADDRESS
        where = await server.start(address, settings.port if port is None else port, key)
        shown = f"[{where[0]}]" if ":" in where[0] else where[0]
        print(f"listening on {shown}:{where[1]}, host key {key.get_fingerprint()}", flush=True)
        why = await server.stopped
        await server.farewell()
        return why
    finally:
        server.close()
        with suppress(OSError):
            sys.stdout.flush()


def _end_with_input(server: Server) -> None:
    """Stop when standard input ends, because then the parent program has ended."""
    if not os.read(sys.stdin.fileno(), 4096):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        server.stop()
