"""`affray import CAMPAIGN FILE`: add characters and creatures from TOML or CSV to the roster."""

from argparse import Namespace
from pathlib import Path

from systems.errors import Wrong
from systems.text import clean, several
from tui.campaign.campaign import load
from tui.campaign.folders import where
from tui.campaign.imports import FORMATS, check_format, import_file
from tui.campaign.listing import find_to_play
from tui.display.typed_lines import reading_lines
from tui.terminal.progress import ProgressLine


def run(arguments: Namespace) -> int:
    if arguments.file is None:
        # The one word may be the file.
        check_format(Path(arguments.campaign))
        raise Wrong("", f"name the campaign and the file, affray import CAMPAIGN FILE; {FORMATS}")
    campaign = load(find_to_play(where(arguments.campaigns), arguments.campaign))
    progress = ProgressLine("importing")
    done = import_file(campaign, Path(arguments.file).expanduser(), progress)
    progress.end()
    for line in reading_lines(done.lines):
        print(f"   {clean(line, 300)}")
    count = len(done.names)
    if count:
        print(clean(f"added to the roster of {campaign.name}: {several(done.names)}", 900))
    else:
        print("nothing was added to the roster")
    for problem in done.problems:
        print(f"not imported: {problem}")
    return 0 if count else 1
