"""`affray restore FILE [--as NAME]`: restore a campaign from a backup, under a free name."""

from argparse import Namespace
from pathlib import Path

from systems.text import clean
from tui.campaign.archive.restore import restore
from tui.campaign.folders import where
from tui.campaign.repair.check import check
from tui.cli.output import command, opening_command
from tui.terminal.notice import notice
from tui.terminal.progress import Waiting


def run(arguments: Namespace) -> int:
    with Waiting("restoring"):
        found = restore(Path(arguments.file).expanduser(), where(arguments.campaigns), arguments.name)
    name = found.path.name
    opens = opening_command(name, arguments.campaigns)
    print(clean(f"restored as {name}: {found.files} files in {found.path}; open it with {opens}", 900))
    if found.left:
        notice(f"{found.left} files that do not belong to a campaign were left in the backup")
    with Waiting("checking the restored campaign"):
        problems = check(found.path)
    if problems:
        lists = command("check", name, campaigns=arguments.campaigns)
        many = f"; {len(problems)} in all, {lists} lists them" if len(problems) > 1 else ""
        notice(f"{problems[0]}{many}")
    return 0
