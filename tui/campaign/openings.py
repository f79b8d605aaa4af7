"""The opening of an encounter: read as plain data or as the fight that it begins, and written anew."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from systems.text import clean
from tui.campaign.campaign import Campaign
from tui.campaign.encounters import (
    FOLDER,
    OPENING,
    file_of,
    folder_of,
    free_id,
    info_of,
    names_in,
    pointed,
    write_new,
)
from tui.campaign.toml.files import parse_toml, read_bytes

if TYPE_CHECKING:
    from systems.encounter.model import Encounter


def opening_bytes(campaign: Campaign, encounter: str) -> bytes:
    """The file of an opening. Raises FileProblem."""
    return read_bytes(folder_of(campaign.path, encounter) / OPENING, file_of(encounter, OPENING))


def read_opening(campaign: Campaign, encounter: str, *, check: bool = True) -> dict[str, Any]:
    """The plain data of an opening, `format` left out. Raises FileProblem with line and field.

    `check`: whether every sheet must be one of the game; without it only the TOML is checked.
    """
    data = opening_bytes(campaign, encounter)
    tables = _tables(data, encounter)
    if check:
        _encounter(campaign, encounter, data, tables)
    return tables


def opening_of(campaign: Campaign, encounter: str, data: bytes) -> "Encounter":
    """The fight as the opening with these bytes has it. Raises FileProblem with line and field."""
    return _encounter(campaign, encounter, data, _tables(data, encounter))


def _tables(data: bytes, encounter: str) -> dict[str, Any]:
    tables = parse_toml(data, file_of(encounter, OPENING))
    del tables["format"]
    return tables


def _encounter(campaign: Campaign, encounter: str, data: bytes, tables: dict[str, Any]) -> "Encounter":
    from systems.encounter.serialize import read_encounter

    with pointed(file_of(encounter, OPENING), data):
        return read_encounter(
            campaign.ruleset, campaign.house, campaign.order, tables, campaign.table.players
        )


def new_encounter(
    campaign: Campaign, title: str, opening: Mapping[str, Any] | None = None
) -> tuple[Campaign, str]:
    """A prepared encounter: the campaign with it, and its id, made from the title. Raises NotSaved."""
    taken = {*campaign.encounters, *names_in(campaign.path / FOLDER)}
    encounter = free_id(title, taken, "encounter")
    write_new(campaign.path, encounter, {"title": clean(title, 200) or encounter, **(opening or {})})
    info = info_of(folder_of(campaign.path, encounter), encounter)
    encounters = dict(sorted({**campaign.encounters, encounter: info}.items()))
    return attrs.evolve(campaign, encounters=encounters), encounter
