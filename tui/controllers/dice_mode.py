"""The dice modes: `D` switches between them, and campaign.toml stores the choice."""

from systems.schema.conversion import replace
from tui.campaign.campaign import Campaign
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.roster import save_settings
from tui.controllers.table import Table
from tui.session.session import DICE_MODES

# The change is reported, because with Caps Lock on the key is pressed by accident.
DICE_SAID = {
    "program": "The program rolls all dice.",
    "real": "All dice are real now: Affray asks for each.",
    "players": "The players' dice are real now, the program rolls the others.",
}


def next_dice_mode(table: Table) -> None:
    """Switch to the next mode: the program rolls, all dice are real, the players' dice are real."""
    session = table.session
    if session is None:
        return
    at = DICE_MODES.index(session.dice)
    session.dice = DICE_MODES[(at + 1) % len(DICE_MODES)]
    problem = _keep_dice(table)
    table.services.say(problem or DICE_SAID[session.dice], error=bool(problem))
    table.services.show_header()


def _keep_dice(table: Table) -> str | None:
    """Save the dice mode in the campaign. Return why it lasts for this session only, or None."""
    campaign, session = table.campaign, table.session
    if session is None or session.read_only or not isinstance(campaign, Campaign):
        return None
    try:
        table.campaign = save_settings(campaign, table=replace(campaign.table, dice=session.dice))
    except (NotSaved, FileProblem) as problem:
        return f"this lasts until you leave, because the campaign was not saved: {problem}"
    return None
