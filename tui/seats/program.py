"""The seat's own program: it paints views that come over its wire, and sends what the player types.

It opens no campaign and imports nothing that could.
"""

import os
import signal
import socket

from tui.seats.app import SeatApp
from tui.seats.wire import SeatWire


def run_seat(end: socket.socket) -> int:
    """Run the screens of one seat on the standard streams; `end` is its connection with the server."""
    wire = SeatWire(end)
    app = SeatApp(wire)
    signal.signal(signal.SIGHUP, lambda *_: os._exit(129))
    app.run()
    return app.return_code or 0


async def paint_once() -> None:
    """Paint a seat's screen without a terminal, so that all it needs is loaded and laid out once."""
    app = SeatApp(None)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        app.exit(0)
