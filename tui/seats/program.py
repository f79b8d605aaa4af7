"""The program of a seat: paints the views from its wire and sends the player's input.

It opens no campaign and imports nothing that could.
"""

import os
import signal
import socket
from contextlib import suppress
from typing import NoReturn

from tui.seats.app import SeatApp
from tui.seats.wire import SeatWire
from tui.terminal.restore import RESTORE
from tui.terminal.symbols import forget_noted_size


def run_seat(end: socket.socket) -> int:
    """Run the screens of one seat on the standard streams. `end` is its connection with the server."""
    wire = SeatWire(end)
    forget_noted_size(os.environ)
    app = SeatApp(wire)
    signal.signal(signal.SIGHUP, _hang_up)
    app.run()
    return app.return_code or 0


def _hang_up(*_: object) -> NoReturn:
    """End immediately. Restore the terminal if it still exists, as after a killed `affray watch`."""
    with suppress(OSError):
        os.write(1, RESTORE)
    os._exit(129)


async def paint_once() -> None:
    """Paint a seat's screen without a terminal, so that everything it needs is loaded."""
    app = SeatApp(None)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.exit(0)
