"""`affray new NAME --system GAME`: a campaign to fill."""

from argparse import Namespace

from systems.text import clean
from tui.campaign.campaign import new_campaign
from tui.campaign.folders import where
from tui.cli.output import opening_command


def run(arguments: Namespace) -> int:
    campaign = new_campaign(where(arguments.campaigns), arguments.name, arguments.system, arguments.title)
    opens = opening_command(campaign.name, arguments.campaigns)
    print(
        clean(
            f"made {campaign.path}; open it with {opens}, R is its roster",
            900,
        )
    )
    return 0
