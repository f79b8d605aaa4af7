"""`affray list`: the campaigns in the folder, and the samples that are not there yet."""

from argparse import Namespace

from systems.text import clean
from tui.campaign.folders import where
from tui.campaign.listing import campaigns


def run(arguments: Namespace) -> int:
    for one in campaigns(where(arguments.campaigns)):
        about = one.problem or f"{one.title} ({one.system or 'no game'})"
        sample = "  sample" if one.sample else ""
        print(f"{clean(one.name):<28} {clean(str(about), 300)}{sample}")
    return 0
