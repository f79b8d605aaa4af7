"""Open the fight of a verb that only reads it."""

from argparse import Namespace

from tui.campaign.folders import where
from tui.campaign.listing import find
from tui.session.opening import OpenEncounter, open_fight
from tui.terminal.notice import notice
from tui.terminal.progress import ProgressLine


def open_to_read(arguments: Namespace, *, played: bool = True) -> OpenEncounter:
    """Open the named fight, else the one in progress or played last, without its lock.

    `played`: a fight that was played comes before one that is only prepared.
    """
    path = find(where(arguments.campaigns), arguments.campaign)
    with ProgressLine("opening, event") as progress:
        fight = open_fight(path, arguments.encounter, write=False, played=played, tell=progress)
    notice(fight.notice)
    return fight
