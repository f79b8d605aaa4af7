"""`affray serve CAMPAIGN`: serve the players' seats over SSH."""

import asyncio
import gc
import os
import sys
from argparse import Namespace
from contextlib import suppress

from systems.text import clean
from tui.campaign.folders import where
from tui.campaign.listing import find_to_play
from tui.terminal.notice import LONGEST_ERROR, notice
from tui.terminal.symbols import unknown_set


def run(arguments: Namespace) -> int:
    from tui.seats.warm_process import WarmProcess

    _give_way()
    notice(unknown_set())
    path = find_to_play(where(arguments.campaigns), arguments.campaign)
    warm = WarmProcess()
    warm.start()
    try:
        from tui.seats.serving import host_key, serve

        key = host_key(arguments.host_key)
        gc.freeze()
        why = asyncio.run(serve(path, warm, arguments.listen, arguments.port, key, notice))
    finally:
        warm.close()
    if why:
        print(f"affray: {clean(why, LONGEST_ERROR)}", file=sys.stderr)
        return 1
    return 0


def _give_way() -> None:
    """Lower the priority of this process and its seats, so that the table's keys come first."""
    with suppress(OSError, AttributeError):
        os.nice(10)
    # On Linux, a batch process does not interrupt the table or the server when it wakes up.
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
