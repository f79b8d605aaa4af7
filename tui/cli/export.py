"""`affray export CAMPAIGN`: print the log as Markdown, HTML or JSON Lines, or the roster as TOML or CSV.

With `--pack`, write an encounter to a file that others can import.
"""

import os
from argparse import Namespace
from pathlib import Path

from systems.text import clean, listed
from tui.campaign.campaign import load
from tui.campaign.exports import ROSTER_FORMATS, roster_document
from tui.campaign.folders import where
from tui.campaign.importing.packs import pack
from tui.campaign.listing import find
from tui.campaign.problems import NotSaved
from tui.campaign.toml.files import write_atomic
from tui.cli.fights import open_to_read
from tui.display.export import default_readers, export
from tui.session.beginning import opening_as_begun
from tui.session.opening import chosen_encounter, played_encounter
from tui.terminal.notice import notice
from tui.terminal.progress import ProgressLine


def run(arguments: Namespace) -> int:
    if arguments.pack is not None:
        return _pack(arguments)
    if arguments.format in ROSTER_FORMATS:
        campaign = load(find(where(arguments.campaigns), arguments.campaign))
        print(roster_document(campaign, arguments.format), end="")
        for problem in campaign.roster_problems:
            notice(f"left out: {problem}")
        return 0
    return _log(arguments)


def _log(arguments: Namespace) -> int:
    fight = open_to_read(arguments)
    session = fight.session
    readers = arguments.readers or default_readers(arguments.format)
    campaign = fight.campaign
    if arguments.format == "jsonl" and arguments.encounter is None:
        # The other formats have a heading that says so.
        notice(f"this is the log of {session.encounter.progress.title} ({fight.encounter})")
    with ProgressLine("writing the log, events") as tell:
        document = export(
            session.log, session.encounter, campaign.title, arguments.format, readers, campaign.seats, tell
        )
    print(document, end="")
    return 0


def _pack(arguments: Namespace) -> int:
    """Write an encounter, its creatures and the house rules to a file, or to standard output for `-`."""
    campaign = load(find(where(arguments.campaigns), arguments.campaign))
    encounter = chosen_encounter(campaign, arguments.encounter or played_encounter(campaign))
    packed = pack(campaign, encounter, opening_as_begun(campaign.path, encounter))
    left = f"left out: {listed(packed.left_out)}"
    if arguments.pack == "-":
        print(packed.text, end="")
        notice(left)
        return 0
    path = Path(arguments.pack).expanduser()
    if os.path.lexists(path):
        raise NotSaved(f"{path} already exists; choose another name")
    write_atomic(path.absolute(), packed.text.encode())
    title = campaign.encounters[encounter].title
    print(clean(f"{path}: {title} ({encounter}); affray import CAMPAIGN {path} keeps it", 900))
    print(clean(left, 900))
    return 0
