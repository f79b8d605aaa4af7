"""Taking a fight over from a login that hangs: its program is asked to give it up, else made to end."""

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
    """Have a program of this machine that does not answer end in good order, as if its line had dropped."""
    try:
        take(campaign).release()
    except CampaignLocked as held:
        if not held.elsewhere and held.pid > 1:
            with suppress(OSError):
                os.kill(held.pid, signal.SIGHUP)
                # One that was stopped goes on, to end.
                os.kill(held.pid, signal.SIGCONT)
    except NotSaved:
        return
