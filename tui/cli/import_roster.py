"""`affray import CAMPAIGN FILE`: add characters, creatures or an encounter from a file."""

from argparse import Namespace
from functools import partial
from pathlib import Path

from systems.errors import Wrong
from systems.text import clean, several
from tui.campaign.campaign import Campaign, load
from tui.campaign.folders import where
from tui.campaign.importing.packs import unpack
from tui.campaign.importing.recognising import is_pack, read_file
from tui.campaign.imports import FORMATS, check_format, import_file
from tui.campaign.listing import find_to_play
from tui.display.typed_lines import reading_lines
from tui.session.beginning import opening_as_begun
from tui.terminal.progress import ProgressLine


def run(arguments: Namespace) -> int:
    if arguments.file is None:
        # The one word may be the file.
        check_format(Path(arguments.campaign))
        raise Wrong("", f"name the campaign and the file, affray import CAMPAIGN FILE; {FORMATS}")
    campaign = load(find_to_play(where(arguments.campaigns), arguments.campaign))
    path = Path(arguments.file).expanduser()
    data = read_file(path)
    if is_pack(data):
        return _pack(campaign, data, path.name)
    progress = ProgressLine("importing")
    done = import_file(campaign, path, progress)
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


def _pack(campaign: Campaign, data: bytes, file: str) -> int:
    """Import a pack, and print a line for each part."""
    done = unpack(campaign, data, file, partial(opening_as_begun, campaign.path))
    for sentence in done.sentences:
        print(sentence)
    if not done.is_new:
        print(f"nothing was added to {campaign.name}")
    return 0
