"""`affray export CAMPAIGN`: print the log as Markdown, HTML or JSON Lines, or the roster as TOML or CSV."""

from argparse import Namespace

from tui.campaign.campaign import load
from tui.campaign.exports import ROSTER_FORMATS, roster_document
from tui.campaign.folders import where
from tui.campaign.listing import find
from tui.cli.fights import open_to_read
from tui.display.export import default_readers, export
from tui.terminal.notice import notice
from tui.terminal.progress import ProgressLine


def run(arguments: Namespace) -> int:
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
