"""`affray backup CAMPAIGN [FILE]`: save a campaign as one file."""

from argparse import Namespace
from pathlib import Path

from systems.text import clean
from tui.campaign.archive.backup import backup, default_name
from tui.campaign.folders import where
from tui.campaign.listing import find
from tui.cli.output import command
from tui.terminal.progress import Waiting


def run(arguments: Namespace) -> int:
    campaign = find(where(arguments.campaigns), arguments.campaign)
    target = Path(arguments.file or ".").expanduser()
    if target.is_dir():
        target = target / default_name(campaign)
    with Waiting("backing up"):
        count = backup(campaign, target, force=arguments.force)
    files = f"{count} file{'' if count == 1 else 's'}"
    again = command("restore", str(target))
    print(clean(f"{target}: {files}; {again} restores it", 900))
    return 0
