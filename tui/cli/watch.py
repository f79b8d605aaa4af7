"""`affray watch CAMPAIGN`: the public view, a seat's screen, or what a seat sees."""

import asyncio
import os
import sys
from argparse import Namespace
from contextlib import suppress
from pathlib import Path
from socket import socket

from systems.text import clean
from tui.campaign.folders import NoCampaign, where
from tui.campaign.listing import find
from tui.terminal.notice import LONGEST_ERROR, notice


def run(arguments: Namespace) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoCampaign("the screens need a terminal; for programs there is affray show")
    from tui.seats.watching import fork_screen

    # Before anything of the campaign is read.
    pid, wire = fork_screen()
    try:
        path = find(where(arguments.campaigns), arguments.campaign)
        why = asyncio.run(_watch(arguments, path, wire))
    finally:
        wire.close()
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)
    if why:
        print(f"affray: {clean(why, LONGEST_ERROR)}", file=sys.stderr)
        return 1
    return 0


async def _watch(arguments: Namespace, path: Path, wire: socket) -> str:
    from tui.seats.watching import Watcher, go

    name = arguments.seat or arguments.look_as
    watcher = Watcher(path, name, arguments.seat is not None, notice)
    go(wire)
    return await watcher.run(wire)
