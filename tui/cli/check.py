"""`affray check [CAMPAIGN]`: report problems in a campaign's files, or in all; `--repair` repairs them."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from systems.text import clean
from tui.campaign.folders import where
from tui.campaign.listing import find, folder_names
from tui.campaign.lock import take
from tui.campaign.repair.check import check
from tui.campaign.samples import sample_at
from tui.cli.output import command
from tui.terminal.progress import Waiting

if TYPE_CHECKING:
    from tui.campaign.repair.choice import RepairChoice
    from tui.campaign.repair.repair import Repair


def run(arguments: Namespace) -> int:
    place = where(arguments.campaigns)
    if arguments.campaign is not None:
        paths = [find(place, arguments.campaign)]
    else:
        paths = [place.path / name for name in folder_names(place)]
    if arguments.repair and not any(map(sample_at, paths)):  # samples are read-only
        return max([_repaired(path, arguments) for path in paths], default=0)
    bad = 0
    for path in paths:
        with Waiting(f"checking {clean(path.name, 60)}"):
            problems = check(path)
        bad += len(problems)
        for problem in problems:
            print(f"{path.name}/{problem}" if arguments.campaign is None else problem)
    if not bad:
        print(f"{len(paths)} campaign{'' if len(paths) == 1 else 's'} checked, no problems")
    return 1 if bad else 0


def _repaired(path: Path, arguments: Namespace) -> int:
    """Repair one campaign. Without a terminal and without --yes, only say what could be repaired."""
    from tui.campaign.repair.repair import repair

    asks = not arguments.yes and sys.stdin.isatty() and sys.stdout.isatty()
    if not asks and not arguments.yes:
        found = repair(path, lambda found: _first(found, "can be repaired"), write=False)
        if found.done:
            again = command("check", arguments.campaign, "--repair", "--yes", campaigns=arguments.campaigns)
            print(f"nothing has changed yet; run {clean(again, 500)} to repair")
    else:
        with take(path):
            found = repair(path, _asked if asks else lambda found: _first(found, "repaired"))
    for kept in found.kept:
        print(clean(f"the original is kept as {kept}", 900))
    for problem in found.left:
        print(f"not repaired: {problem}")
    if not (found.done or found.left):
        print(clean(f"{path.name}: no problems", 900))
    unchanged = not asks and not arguments.yes and found.done
    return 1 if found.left or unchanged else 0


def _first(repair: "Repair", done: str) -> "RepairChoice":
    """Print the first choice in one line, and return it."""
    print(clean(f"{repair.problem.file}: {done}: {repair.choices[0].says}", 990))
    return repair.choices[0]


def _asked(repair: "Repair") -> "RepairChoice | None":
    """Return the user's choice at the terminal; None for an empty answer, which changes nothing."""
    print(repair.problem)
    for number, choice in enumerate(repair.choices, 1):
        print(clean(f"  {number}  {choice.says}", 990))
    keys = "/".join(str(number) for number in range(1, len(repair.choices) + 1))
    try:
        answer = input(f"  which? [{keys}, Enter: skip] ").strip()
    except EOFError:
        return None
    if answer.casefold() in ("y", "yes"):
        answer = "1"
    if answer.isascii() and answer.isdigit() and 0 < int(answer) <= len(repair.choices):
        return repair.choices[int(answer) - 1]
    return None
