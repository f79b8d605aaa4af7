"""Who rolls the dice: `D` goes through the dice modes, and the choice is kept in campaign.toml."""

from systems.schema.conversion import replace
from tui.campaign.campaign import Campaign
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.roster import save_settings
from tui.controllers.table import Table
from tui.session.session import DICE_MODES

# Said when it changes: with the capitals locked nobody means to press that key.
DICE_SAID = {
    "program": "The program rolls all dice.",
    "real": "All dice are real now: each is asked for.",
    "players": "The players' dice are real now, the program rolls the others.",
}


def next_dice_mode(table: Table) -> None:
    """Go on to the next way: the program rolls, all dice are real, the players' are."""
    session = table.session
    if session is None:
        return
    at = DICE_MODES.index(session.dice)
    session.dice = DICE_MODES[(at + 1) % len(DICE_MODES)]
    problem = _keep_dice(table)
    table.services.say(problem or DICE_SAID[session.dice], error=bool(problem))
    table.services.show_header()


def _keep_dice(table: Table) -> str | None:
    """Keep for the campaign how dice are rolled now; return why that holds for this sitting only."""
    campaign, session = table.campaign, table.session
    if session is None or session.read_only or not isinstance(campaign, Campaign):
        return None
    try:
        table.campaign = save_settings(campaign, table=replace(campaign.table, dice=session.dice))
    except (NotSaved, FileProblem) as problem:
        return f"so it is for now, but not kept for the campaign: {problem}"
    return None
