"""`affray export CAMPAIGN`: the log of a fight as Markdown, HTML or JSON Lines."""

from argparse import Namespace

from tui.campaign.folders import where
from tui.campaign.listing import find
from tui.display.export import default_readers, export
from tui.session.opening import open_fight
from tui.terminal.notice import notice


def run(arguments: Namespace) -> int:
    path = find(where(arguments.campaigns), arguments.campaign)
    fight = open_fight(path, arguments.encounter, write=False)
    notice(fight.notice)
    session = fight.session
    readers = arguments.readers or default_readers(arguments.format)
    campaign = fight.campaign
    document = export(
        session.log, session.encounter, campaign.title, arguments.format, readers, campaign.seats
    )
    print(document, end="")
    return 0
