"""`affray where`: print the folder of campaigns, and why it was chosen."""

from argparse import Namespace

from systems.text import clean
from tui.campaign.folders import where


def run(arguments: Namespace) -> int:
    place = where(arguments.campaigns)
    print(clean(str(place.path), 4_000))
    print(clean(place.why, 400))
    return 0
