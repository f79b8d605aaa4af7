"""`affray list`: list the campaigns, and the samples that have not been opened yet."""

from argparse import Namespace

from systems.text import clean
from tui.campaign.folders import where
from tui.campaign.listing import campaigns


def run(arguments: Namespace) -> int:
    for campaign in campaigns(where(arguments.campaigns)):
        about = campaign.problem or f"{campaign.title} ({campaign.system or 'no game'})"
        sample = "  sample, not opened yet" if campaign.sample else ""
        print(f"{clean(campaign.name):<28} {clean(str(about), 300)}{sample}")
    return 0
