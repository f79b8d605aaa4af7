"""`affray check [CAMPAIGN]`: every problem in the files of one campaign, or of all; `--repair` repairs."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from systems.text import clean
from tui.campaign.folders import where
from tui.campaign.listing import find, folder_names
from tui.campaign.repair.check import check
from tui.campaign.samples import sample_at
from tui.cli.output import command
from tui.terminal.progress import Waiting

if TYPE_CHECKING:
    from tui.campaign.repair.choice import Choice
    from tui.campaign.repair.repair import Repair


def run(arguments: Namespace) -> int:
    place = where(arguments.campaigns)
    if arguments.campaign is not None:
        paths = [find(place, arguments.campaign)]
    else:
        paths = [place.path / name for name in folder_names(place)]
    if arguments.repair and not any(map(sample_at, paths)):  # a template is read only
        return max([_mended(path, arguments) for path in paths], default=0)
    bad = 0
    for path in paths:
        with Waiting(f"looking through {clean(path.name, 60)}"):
            problems = check(path)
        bad += len(problems)
        for problem in problems:
            print(f"{path.name}/{problem}" if arguments.campaign is None else problem)
    if not bad:
        print(f"{len(paths)} campaign{'' if len(paths) == 1 else 's'} checked, nothing wrong")
    return 1 if bad else 0


def _mended(path: Path, arguments: Namespace) -> int:
    """Repair one campaign; without a terminal and without --yes, only say what could be repaired."""
    from tui.campaign.lock import take
    from tui.campaign.repair.repair import repair

    asks = not arguments.yes and sys.stdin.isatty() and sys.stdout.isatty()
    if not asks and not arguments.yes:
        found = repair(path, lambda one: _said(one, "can be repaired"), write=False)
        if found.done:
            again = command("check", arguments.campaign, "--repair", "--yes", campaigns=arguments.campaigns)
            print(f"nothing is changed yet; {clean(again, 500)} repairs this")
    else:
        with take(path):
            found = repair(path, _asked if asks else lambda one: _said(one, "repaired"))
    for kept in found.kept:
        print(clean(f"the original is kept as {kept}", 900))
    for problem in found.left:
        print(f"left: {problem}")
    if not (found.done or found.left):
        print(clean(f"{path.name}: nothing wrong", 900))
    unchanged = not asks and not arguments.yes and found.done
    return 1 if found.left or unchanged else 0


def _said(repair: "Repair", how: str) -> "Choice":
    """The first choice, told in one line."""
    print(clean(f"{repair.problem.file}: {how}: {repair.choices[0].says}", 990))
    return repair.choices[0]


def _asked(repair: "Repair") -> "Choice | None":
    """What the person at the terminal chooses; an empty answer leaves things as they are."""
    print(repair.problem)
    for number, choice in enumerate(repair.choices, 1):
        print(clean(f"  {number}  {choice.says}", 990))
    keys = "/".join(str(number) for number in range(1, len(repair.choices) + 1))
    try:
        answer = input(f"  which? [{keys}, Enter: leave it] ").strip()
    except EOFError:
        return None
    if answer.casefold() in ("y", "yes"):
        answer = "1"
    if answer.isascii() and answer.isdigit() and 0 < int(answer) <= len(repair.choices):
        return repair.choices[int(answer) - 1]
    return None
