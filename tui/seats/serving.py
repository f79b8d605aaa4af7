"""Run the server of `affray serve` until a signal ends it."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tui.seats.server import Server
from tui.seats.warm_process import WarmProcess
from tui.terminal.program_log import log_task_error
from tui.wire.address import WITH_PARENT

EVERY_ADDRESS = "0.0.0.0"


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
