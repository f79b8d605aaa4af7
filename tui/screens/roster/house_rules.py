"""The house rules and settings of the open campaign, as a form shows and saves them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from systems.contract.sheet import Section
from systems.errors import Wrong
from systems.frozen import evolve
from systems.schema.conversion import read
from systems.schema.fields import Field, fields_of
from tui.campaign.campaign import Campaign, SeatSettings, Settings
from tui.display.form import spare_sheet
from tui.screens.roster.editing import SEATS, TABLE, CampaignRules, rules_of

if TYPE_CHECKING:
    from tui.screens.roster.editing import RosterEdits


class HouseRules:
    """The decisions of the open campaign: table settings, house rules, and seat settings.

    Changes are saved in campaign.toml immediately.
    """

    def __init__(self, edits: "RosterEdits") -> None:
        self._edits = edits

    @property
    def _campaign(self) -> Campaign:
        return self._edits.campaign

    @property
    def title(self) -> str:
        return f"House rules of {self._campaign.title}"

    @property
    def fields(self) -> Mapping[str, Field]:
        """Return the settings and the game's house rules. The help of each gives its reason."""
        return {
            **_named_for(TABLE, Settings),
            **fields_of(self._campaign.ruleset.house),
            **_named_for(SEATS, SeatSettings),
        }

    @property
    def sections(self) -> Sequence[Section]:
        """Return the sections of the page."""
        return (
            Section("The table", tuple(_named_for(TABLE, Settings))),
            Section("House rules", tuple(fields_of(self._campaign.ruleset.house))),
            Section("Players' seats", tuple(_named_for(SEATS, SeatSettings))),
        )

    @property
    def rules(self) -> CampaignRules:
        return rules_of(self._campaign)

    @property
    def plain(self) -> dict[str, Any]:
        """Return the values that differ from their defaults, as plain data."""
        rules = self.rules
        table = {f"{TABLE} {name}": value for name, value in spare_sheet(rules.table).items()}
        seats = {f"{SEATS} {name}": value for name, value in spare_sheet(rules.seats).items()}
        return {**table, **spare_sheet(rules.house), **seats}

    def read(self, plain: Mapping[str, Any]) -> CampaignRules:
        """Return the rules of plain data. Raises Wrong."""
        house = {name: value for name, value in plain.items() if " " not in name}
        return CampaignRules(
            read(self._campaign.ruleset.house, house, ""),
            _read_part(TABLE, Settings, plain),
            _read_part(SEATS, SeatSettings, plain),
        )

    def keep(self, rules: CampaignRules) -> str | None:
        """Save changed rules, which take effect immediately. Return why they were not saved, or None."""
        return self._edits.keep_rules(rules, f"{self._changed(rules)} again.")

    def _changed(self, rules: CampaignRules) -> str:
        """Return the previous value of the changed rule as text: `players is party`."""
        before = self.rules
        for name, field in self.fields.items():
            if getattr(rules, name) != (value := getattr(before, name)):
                return f"{field.label} is {field.default_words if value is None else field.words(value)}"
        return "the previous value counts"


def _named_for(part: str, of: type) -> dict[str, Field]:
    return {f"{part} {name}": evolve(field, name=f"{part} {name}") for name, field in fields_of(of).items()}


def _read_part(part: str, of: type, plain: Mapping[str, Any]) -> Any:
    begins = f"{part} "
    try:
        return read(
            of,
            {key.removeprefix(begins): value for key, value in plain.items() if key.startswith(begins)},
            "",
        )
    except Wrong as wrong:
        raise wrong.at(f"{begins}{wrong.field}") from None
