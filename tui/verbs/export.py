"""`affray export CAMPAIGN`: the log of a fight as Markdown, HTML or JSON Lines."""

from argparse import Namespace

from tui.campaign.listing import find
from tui.campaign.places import where
from tui.export import export
from tui.open_fight import open_fight
from tui.verbs import notice


def run(arguments: Namespace) -> int:
    path = find(where(arguments.campaigns), arguments.campaign)
    fight = open_fight(path, arguments.encounter, write=False)
    notice(fight.notice)
    print(export(fight.session, fight.campaign, arguments.format), end="")
    return 0
