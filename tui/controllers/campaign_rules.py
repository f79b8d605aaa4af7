"""All decisions of campaign.toml as one value."""

from typing import Any

from systems.frozen import frozen
from tui.campaign.campaign import Campaign, SeatSettings, Settings

# Prefixes of their field names, see CampaignRules.
TABLE, SEATS = "table", "seats"


@frozen
class CampaignRules:
    """The decisions of campaign.toml as one sheet of a form.

    The fields of a part have names such as `table dice`. A house rule has its own name, which contains no
    space.
    """

    house: Any
    table: Settings
    seats: SeatSettings

    def __getattr__(self, key: str) -> Any:
        part, _, name = key.partition(" ")
        if not name:
            return getattr(self.house, key)
        return getattr(self.table if part == TABLE else self.seats, name)


def rules_of(campaign: Campaign) -> CampaignRules:
    """Return the rules of a campaign."""
    return CampaignRules(campaign.house, campaign.table, campaign.seats)
