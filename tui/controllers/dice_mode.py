"""Who rolls is a matter of the table: what `D` has chosen is in campaign.toml, and so it is so next time."""

from typing import TYPE_CHECKING

from systems.schema.conversion import replace
from tui.campaign.campaign import Campaign
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.roster import save_settings

if TYPE_CHECKING:
    from tui.app import AffrayApp


def keep_dice(app: "AffrayApp") -> str | None:
    """Keep for the campaign how dice are rolled now; the sentence why it holds for this sitting only."""
    campaign, session = app.campaign, app.session
    if session is None or session.read_only or not isinstance(campaign, Campaign):
        return None
    try:
        app.campaign = save_settings(campaign, table=replace(campaign.table, dice=session.dice))
    except (NotSaved, FileProblem) as problem:
        return f"so it is for now, but not kept for the campaign: {problem}"
    return None
