"""`affray import CAMPAIGN FILE`: characters and creatures from TOML or CSV, into the roster."""

from argparse import Namespace
from pathlib import Path

from systems.text import clean, several
from tui.campaign.campaign import load
from tui.campaign.folders import where
from tui.campaign.imports import import_file
from tui.campaign.listing import find_to_play
from tui.display.typed_lines import reading_lines
from tui.terminal.progress import Progress


def run(arguments: Namespace) -> int:
    campaign = load(find_to_play(where(arguments.campaigns), arguments.campaign))
    progress = Progress("importing")
    done = import_file(campaign, Path(arguments.file).expanduser(), progress)
    progress.end()
    for told in reading_lines(done.lines):
        print(f"   {clean(told, 300)}")
    count = len(done.names)
    if count:
        is_new = "is" if count == 1 else "are"
        print(clean(f"{several(done.names)} {is_new} new in the roster of {campaign.name}", 900))
    else:
        print("nobody is new in the roster")
    for problem in done.problems:
        print(f"not taken: {problem}")
    return 0 if count else 1
