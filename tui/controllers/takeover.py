"""Take a fight over from a program that hangs: ask it to give up the fight, then end it."""

import os
import signal
from contextlib import suppress
from pathlib import Path

from tui.campaign.lock import CampaignLocked, take
from tui.campaign.problems import NotSaved
from tui.wire.address import connect, table_socket
from tui.wire.frames import encode


def ask_for_fight(campaign: Path) -> None:
    """Ask the program that has a campaign to give it up."""
    with suppress(OSError), connect(table_socket(campaign)) as end:
        end.sendall(encode({"kind": "take_over"}))


def end_owner(campaign: Path) -> None:
    """End a program of this machine that does not answer, in the same way as a dropped connection."""
    try:
        take(campaign).release()
    except CampaignLocked as held:
        if not held.elsewhere and held.pid > 1:
            with suppress(OSError):
                os.kill(held.pid, signal.SIGHUP)
                # A stopped process must continue in order to end.
                os.kill(held.pid, signal.SIGCONT)
    except NotSaved:
        return
