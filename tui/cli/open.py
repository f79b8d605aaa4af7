"""`affray [CAMPAIGN]`: the screens. With no name the last campaign, or the chooser."""

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tui.campaign.folders import CampaignsFolder, NoCampaign, last, where
from tui.campaign.listing import find, find_to_play
from tui.campaign.problems import FileProblem, NotSaved
from tui.terminal.progress import Progress, Waiting
from tui.terminal.symbols import forget_noted_size, tell_depth, unknown_set

if TYPE_CHECKING:
    from argparse import Namespace

    from tui.session.opening import OpenEncounter


def run(arguments: "Namespace") -> int:
    place = where(arguments.campaigns)
    if arguments.linear:
        return _linear(place, arguments)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        if arguments.campaign is not None:
            _named(find, place, arguments)
        raise NoCampaign("the screens need a terminal; for programs there are affray run and affray show")
    # Until the first picture (Alongside.start) nothing is garbage, and looking for it would cost a tenth of
    # the start.
    gc.disable()
    os.environ.setdefault("TEXTUAL_FPS", "120")
    tell_depth(os.environ)
    forget_noted_size(os.environ)
    named = _named(find_to_play, place, arguments) if arguments.campaign is not None else last(place)
    fight, notice = _fight(named, arguments)
    from tui.app import AffrayApp
    from tui.settings.remembered import Spot, recall

    # A dropped line goes on where it was.
    spot = recall(fight.campaign.path, fight.encounter) if fight else Spot()
    here = fight is not None and spot.cursor in fight.session.encounter.combatants
    app = AffrayApp(
        campaign=fight.campaign if fight else None,
        session=fight.session if fight else None,
        chooser=fight is None,
        notice=notice,
        screen=spot.screen,
        cursor=spot.cursor if here else "",
    )
    table = app.table
    table.fight, table.folder = fight, arguments.campaigns
    own = app.use_own_colours()
    wrong = [unknown_set(), app.use_colours(arguments.theme) if arguments.theme else own]
    if any(wrong):
        app.say("\n".join(filter(None, (*wrong, app.services.messages.sentence))), error=True)
    try:
        app.run()
        return app.return_code or 0
    finally:
        gc.enable()
        # Another campaign may have been opened meanwhile.
        if table.fight is not None:
            _close(table.fight)


def _linear(place: CampaignsFolder, arguments: "Namespace") -> int:
    """Play one line at a time. Raises NoCampaign where none is named and none was open before."""
    named = _named(find_to_play, place, arguments) if arguments.campaign is not None else last(place)
    if named is None:
        raise NoCampaign("name a campaign, such as affray --linear okado-at-the-gate; affray list lists them")
    from tui.linear.program import play
    from tui.session.opening import open_fight

    with Progress("opening, event") as progress:
        fight = open_fight(named, arguments.encounter, or_watch=True, seed=arguments.seed, tell=progress)
    try:
        return play(fight)
    finally:
        _close(fight)


def _close(fight: "OpenEncounter") -> None:
    """Close a fight; a long one leaves a cache, which takes a moment."""
    with Waiting("everything is saved; the next opening is made quick"):
        fight.close()


def _named(
    find: Callable[[CampaignsFolder, str], Path], place: CampaignsFolder, arguments: "Namespace"
) -> Path:
    """The campaign that was named. Raises NoCampaign, which says so where a verb is mistyped."""
    try:
        return find(place, arguments.campaign)
    except NoCampaign as error:
        from tui.cli.main import VERBS
        from tui.cli.other_words import meant_verb

        if not (arguments.is_verb_left_out and (verb := meant_verb(arguments.campaign, VERBS))):
            raise
        raise NoCampaign(f"{error} (did you mean affray {verb}?)", suggestion=verb) from None


def _fight(named: Path | None, arguments: "Namespace") -> "tuple[OpenEncounter | None, str]":
    """The fight to open, or none and why: then the chooser opens. Raises when it was asked for by name."""
    if named is None:
        return None, ""
    from tui.session.opening import NoEncounter, open_fight

    try:
        with Progress("opening, event") as progress:
            fight = open_fight(named, arguments.encounter, or_watch=True, seed=arguments.seed, tell=progress)
    except (FileProblem, NotSaved, NoEncounter) as error:
        if arguments.campaign is not None:
            raise
        return None, str(error)
    return fight, fight.notice
