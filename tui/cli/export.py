"""`affray export CAMPAIGN`: the log of a fight as Markdown, HTML or JSON Lines."""

from argparse import Namespace

from tui.campaign.folders import where
from tui.campaign.listing import find
from tui.display.export import export
from tui.session.opening import open_fight
from tui.terminal.notice import notice


def run(arguments: Namespace) -> int:
    path = find(where(arguments.campaigns), arguments.campaign)
    fight = open_fight(path, arguments.encounter, write=False)
    notice(fight.notice)
    session = fight.session
    print(export(session.log, session.encounter, fight.campaign.title, arguments.format), end="")
    return 0
