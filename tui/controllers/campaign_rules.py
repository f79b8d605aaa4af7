"""All that campaign.toml decides, as one value."""

from typing import Any

from systems.frozen import frozen
from tui.campaign.campaign import Campaign, SeatSettings, Settings

# How the names of their fields begin, see CampaignRules.
TABLE, SEATS = "table", "seats"


@frozen
class CampaignRules:
    """What campaign.toml decides, as one sheet of a form. The fields of a part are called `table dice`.

    A house rule has its own name, which no blank is in.
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
    """Return what a campaign decides."""
    return CampaignRules(campaign.house, campaign.table, campaign.seats)
