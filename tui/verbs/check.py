"""`affray check [CAMPAIGN]`: every problem in the files of one campaign, or of all."""

import os
from argparse import Namespace
from contextlib import suppress

from tui.campaign.check import check
from tui.campaign.places import find, folder_names, where


def run(arguments: Namespace) -> int:
    place = where(arguments.campaigns)
    if arguments.campaign is not None:
        paths = [find(place, arguments.campaign)]
    else:
        with suppress(FileNotFoundError):
            os.listdir(place.path)  # noqa: PTH208 - a folder that cannot be read is not one without campaigns
        paths = [place.path / name for name in folder_names(place)]
    bad = 0
    for path in paths:
        problems = check(path)
        bad += len(problems)
        for one in problems:
            print(f"{path.name}/{one}" if arguments.campaign is None else one)
    if not bad:
        print(f"{len(paths)} campaign{'' if len(paths) == 1 else 's'} checked, nothing wrong")
    return 1 if bad else 0
