"""`affray import CAMPAIGN FILE`: add characters, creatures or an encounter from a file or standard input."""

import sys
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path

from systems.errors import Wrong
from systems.text import clean
from tui.campaign.campaign import Campaign, load
from tui.campaign.folders import where
from tui.campaign.importing.packs import unpack
from tui.campaign.importing.proposals import Existing, Kept, Proposals, keep, proposed
from tui.campaign.importing.recognising import ACCEPTED, LARGEST, read_file, recognised
from tui.campaign.listing import find_to_play
from tui.cli.output import as_json
from tui.display.import_lines import as_data, import_text, names_of, summary, typed_text
from tui.session.beginning import opening_as_begun
from tui.terminal.notice import notice
from tui.terminal.progress import ProgressLine

_STANDARD_INPUT = "-"
_CHOICES: Mapping[str, Existing] = {
    **dict.fromkeys(("", "y", "yes"), "leave"),
    "both": "both",
    "replace": "replace",
}


def run(arguments: Namespace) -> int:
    if arguments.file is None:
        raise Wrong("", f"name the campaign and the file, affray import CAMPAIGN FILE; {ACCEPTED}")
    campaign = load(find_to_play(where(arguments.campaigns), arguments.campaign))
    is_piped = arguments.file == _STANDARD_INPUT
    path = Path(arguments.file).expanduser()
    file = "standard input" if is_piped else path.name
    if is_piped and sys.stdin.isatty():
        notice("paste a stat block, then press Ctrl+D on a line of its own")
    data = sys.stdin.buffer.read(LARGEST + 1) if is_piped else read_file(path)
    content = recognised(data, file)
    if content.kind == "pack":
        return _pack(campaign, data, file)
    with ProgressLine("reading") as tell:
        proposals = proposed(campaign, content, file, tell)
    is_own = content.kind in ("toml", "csv")
    if not arguments.json:
        for line in typed_text(proposals) if is_own else import_text(proposals):
            print(line)
    can_ask = sys.stdin.isatty() and sys.stdout.isatty() and not is_piped and not is_own
    existing = _agreed(proposals) if can_ask and not arguments.json else "leave"
    if existing is None:
        print("nothing was kept")
        return 1
    with ProgressLine("writing") as tell:
        kept = keep(campaign, proposals.each, existing, tell)
    if arguments.json:
        _print_json(proposals, kept)
    else:
        _print_kept(proposals, kept, is_own=is_own)
    return 0 if kept.made or kept.replaced else 1


def _agreed(proposals: Proposals) -> Existing | None:
    """Ask whether to keep an import, and what to do with existing entries; None to keep nothing."""
    if not proposals.new and not proposals.differing:
        return "leave"
    more = ", both to add what differs under free names, replace to change what exists"
    asked = f"Press Enter to keep this{more if proposals.differing else ''}, or type no: "
    while True:
        try:
            word = input(asked).strip().casefold()
        except EOFError:
            return None
        if word in ("n", "no"):
            return None
        if word in _CHOICES:
            return _CHOICES[word]


def _print_kept(proposals: Proposals, kept: Kept, *, is_own: bool) -> None:
    if len(proposals.each) > 1 and not is_own:
        print(summary(proposals))
    made = [entry.name for entry in kept.made]
    if made:
        print(clean(f"added to the roster of {kept.campaign.name}: {names_of(made)}", 900))
    if kept.replaced:
        print(clean(f"replaced: {names_of([entry.name for entry in kept.replaced])}", 900))
    if not made and not kept.replaced:
        print("nothing was added to the roster")
    if not is_own:
        return
    for problem in proposals.problems:
        print(f"not imported: {problem}")
    for proposal in proposals.each:
        for problem in proposal.problems:
            print(f"not imported: {clean(problem, 300)}")
        if proposal.here is not None:
            changes = "".join(f" · {change}" for change in proposal.changes)
            says = f"{proposal.place}: {proposal.name} is already in the roster and was not changed{changes}"
            print(f"not imported: {clean(says, 600)}")


def _print_json(proposals: Proposals, kept: Kept) -> None:
    """Print a line of JSON for each entry that was read."""
    made = {entry.name: entry.id for entry in kept.made}
    for proposal in proposals.each:
        here = proposal.here
        is_kept = proposal.is_new
        id = made.get(proposal.name, "") if is_kept else here.id if here is not None else ""
        print(as_json(as_data(proposal, kept=is_kept, id=id)))


def _pack(campaign: Campaign, data: bytes, file: str) -> int:
    """Import a pack, and print a line for each part."""
    done = unpack(campaign, data, file, opening_as_begun)
    for sentence in done.sentences:
        print(sentence)
    if not done.is_new:
        print(f"nothing was added to {campaign.name}")
    return 0
