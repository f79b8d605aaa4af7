"""`affray watch CAMPAIGN`: open the public view, a seat's screen, or a read-only copy of a seat's view."""

import asyncio
import os
import sys
from argparse import Namespace
from pathlib import Path
from socket import socket

from systems.text import clean
from tui.campaign.folders import NoCampaign, where
from tui.campaign.listing import find
from tui.terminal.notice import LONGEST_ERROR, notice
from tui.terminal.restore import RESTORE


def run(arguments: Namespace) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoCampaign(
            "the screens need a terminal (with ssh, give no command); programs can use affray show"
        )
    import termios

    from tui.seats.watching import fork_screen

    # Fork before anything of the campaign is read.
    pid, wire = fork_screen()
    before = termios.tcgetattr(sys.stdin)
    try:
        path = find(where(arguments.campaigns), arguments.campaign)
        why = asyncio.run(_watch(arguments, path, wire))
    finally:
        wire.close()
        status = _status(pid)
    if status < 0:
        os.write(sys.stdout.fileno(), RESTORE)
        termios.tcsetattr(sys.stdin, termios.TCSANOW, before)
        why = why or "the screen ended unexpectedly; run the same command to open it again"
    if why:
        print(f"affray: {clean(why, LONGEST_ERROR)}", file=sys.stderr)
        return 1
    return 0


def _status(pid: int) -> int:
    """Wait for the process that paints; a negative status is the signal that ended it."""
    try:
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    except ChildProcessError:
        return 0


async def _watch(arguments: Namespace, path: Path, wire: socket) -> str:
    from tui.seats.watching import Watcher, go

    name = arguments.seat or arguments.look_as
    watcher = Watcher(path, name, arguments.seat is not None, notice)
    go(wire)
    return await watcher.run(wire)
