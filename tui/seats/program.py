"""The program of a seat: paints the views from its wire and sends the player's input.

It opens no campaign and imports nothing that could.
"""

import asyncio
import os
import signal
import socket
from contextlib import suppress
from typing import NoReturn

from tui.seats.app import SeatApp
from tui.seats.wire import SeatWire
from tui.terminal.restore import RESTORE
from tui.terminal.symbols import forget_noted_size

_Environment = frozenset[tuple[str, str]]
# The application that was made before the fork, and the environment that it fits.
_made: dict[_Environment, SeatApp] = {}


def run_seat(end: socket.socket) -> int:
    """Run the screens of one seat on the standard streams. `end` is its connection with the server."""
    wire = SeatWire(end)
    app = take_app()
    app.wire = wire
    signal.signal(signal.SIGHUP, _hang_up)
    app.run()
    return app.return_code or 0


def _hang_up(*_: object) -> NoReturn:
    """End immediately. Restore the terminal if it still exists, as after a killed `affray watch`."""
    with suppress(OSError):
        os.write(1, RESTORE)
    os._exit(129)


def make_ready() -> None:
    """Load everything that a seat needs, and make the application that each seat's process uses.

    It is made before the fork, so a seat needs less memory of its own and paints its first screen sooner.
    """
    forget_noted_size(os.environ)
    asyncio.run(_paint_once())
    _made.clear()
    _made[_environment()] = SeatApp(None)


def take_app() -> SeatApp:
    """Return the application made in advance, or a new one if this terminal needs other settings."""
    forget_noted_size(os.environ)
    return _made.pop(_environment(), None) or SeatApp(None)


def _environment() -> _Environment:
    return frozenset(os.environ.items())


async def _paint_once() -> None:
    """Paint a seat's screen without a terminal, so that everything it needs is loaded."""
    app = SeatApp(None)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.exit(0)
