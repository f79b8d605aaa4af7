"""`affray list`: the campaigns in the folder, and the samples that are not there yet."""

from argparse import Namespace

from systems.words import clean
from tui.campaign import samples
from tui.campaign.places import campaigns, where


def run(arguments: Namespace) -> int:
    place = where(arguments.campaigns)
    found = campaigns(place)
    known = {one.name for one in found}
    for one in [*found, *(one for one in samples.entries() if one.name not in known)]:
        about = one.problem or f"{one.title} ({one.system})"
        sample = "" if one.name in known else "  sample"
        print(f"{clean(one.name):<28} {clean(str(about), 300)}{sample}")
    return 0
