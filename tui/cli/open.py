"""`affray [CAMPAIGN]`: open the screens on a campaign, by default the last one, or on the chooser."""

import gc
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tui.campaign.folders import CampaignsFolder, NoCampaign, last, where
from tui.campaign.listing import find, find_to_play
from tui.campaign.problems import FileProblem, NotSaved
from tui.terminal.progress import ProgressLine, Waiting
from tui.terminal.symbols import forget_noted_size, tell_depth, unknown_set

if TYPE_CHECKING:
    from argparse import Namespace

    from tui.controllers.spoken_seats import SpokenSeats
    from tui.session.opening import OpenEncounter


def run(arguments: "Namespace") -> int:
    place = where(arguments.campaigns)
    if arguments.linear:
        return _linear(place, arguments)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        if arguments.campaign is not None:
            _named(find, place, arguments)
        raise NoCampaign("the screens need a terminal; programs can use affray run and affray show")
    # Until the first picture (BackgroundServices.start) nothing is garbage. Searching for it would take a
    # tenth of the start.
    gc.disable()
    os.environ.setdefault("TEXTUAL_FPS", "120")
    tell_depth(os.environ)
    forget_noted_size(os.environ)
    named = _named(find_to_play, place, arguments) if arguments.campaign is not None else last(place)
    fight, notice = _fight(named, arguments)
    from tui.app import AffrayApp
    from tui.settings.remembered import Spot, recall

    # A login that returns after a disconnect continues on the same screen.
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
    app.background.shows_danger = True
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
        # The user may have opened another campaign meanwhile.
        if table.fight is not None:
            _close(table.fight)


def _linear(place: CampaignsFolder, arguments: "Namespace") -> int:
    """Play one line at a time. Raises NoCampaign if none is named and none was open before."""
    named = _named(find_to_play, place, arguments) if arguments.campaign is not None else last(place)
    if named is None:
        raise NoCampaign("name a campaign, such as affray --linear okado-at-the-gate; affray list lists them")
    from tui.linear.program import play
    from tui.session.opening import open_fight

    with ProgressLine("opening, event") as progress:
        fight = open_fight(named, arguments.encounter, or_watch=True, seed=arguments.seed, tell=progress)
    try:
        return play(fight, _open_seats)
    finally:
        _close(fight)


def _open_seats(fight: "OpenEncounter", say: Callable[[str], None]) -> "SpokenSeats":
    """Open the seats of a fight that is played in linear mode."""
    from tui.controllers.spoken_seats import SpokenSeats

    return SpokenSeats(fight, say)


def _close(fight: "OpenEncounter") -> None:
    """Close a fight. A long one takes a moment, since its cache is written."""
    with Waiting("everything is saved; writing a cache for the next start"):
        fight.close()


def _named(
    find: Callable[[CampaignsFolder, str], Path], place: CampaignsFolder, arguments: "Namespace"
) -> Path:
    """Return the folder of the named campaign.

    Raises NoCampaign, which suggests a verb if one was mistyped.
    """
    try:
        return find(place, arguments.campaign)
    except NoCampaign as error:
        from tui.cli.main import VERBS
        from tui.cli.other_words import meant_verb

        if not (arguments.is_verb_left_out and (verb := meant_verb(arguments.campaign, VERBS))):
            raise
        raise NoCampaign(f"{error} (did you mean affray {verb}?)", suggestion=verb) from None


def _fight(named: Path | None, arguments: "Namespace") -> "tuple[OpenEncounter | None, str]":
    """Return the fight to open and its notice; None and the reason for the chooser.

    Raises the error if the campaign was named.
    """
    if named is None:
        return None, ""
    from tui.session.opening import NoEncounter, open_fight

    try:
        with ProgressLine("opening, event") as progress:
            fight = open_fight(named, arguments.encounter, or_watch=True, seed=arguments.seed, tell=progress)
    except (FileProblem, NotSaved, NoEncounter) as error:
        if arguments.campaign is not None:
            raise
        return None, str(error)
    return fight, fight.notice
