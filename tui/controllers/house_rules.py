"""The house rules of the open campaign, as a form shows them and as they are saved."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from systems.schema.conversion import read
from systems.schema.fields import Field, fields_of
from tui.campaign.campaign import Campaign
from tui.campaign.problems import FileProblem, NotSaved
from tui.display.form import spare_sheet

if TYPE_CHECKING:
    from tui.controllers.table import Table


class HouseRules:
    """What the open campaign decides differently from its game's text; saved in campaign.toml at once."""

    def __init__(self, table: "Table") -> None:
        self._table = table

    @property
    def _campaign(self) -> Campaign:
        campaign = self._table.campaign
        assert campaign is not None
        return campaign

    @property
    def title(self) -> str:
        return f"House rules of {self._campaign.title}"

    @property
    def fields(self) -> Mapping[str, Field]:
        """The house rules that the game declares; the help of each is its reason."""
        return fields_of(self._campaign.ruleset.house)

    @property
    def house(self) -> Any:
        return self._campaign.house

    @property
    def plain(self) -> dict[str, Any]:
        """Those that are not as the game has them, as plain data."""
        return spare_sheet(self.house)

    def read(self, plain: Mapping[str, Any]) -> Any:
        """Return the house rules of plain data. Raises Wrong."""
        return read(self._campaign.ruleset.house, plain, "")

    def keep(self, house: Any) -> str | None:
        """Save changed house rules, which count from now on; return why they were not, or None."""
        from tui.campaign.roster import save_settings

        session = self._table.session
        if session is not None and session.read_only:
            return "another program has this campaign; here you only look on"
        try:
            changed = save_settings(self._campaign, house=house)
        except (NotSaved, FileProblem) as problem:
            return str(problem)
        return self._table.background.bring_in(changed) or None
