"""Read an encounter's opening as plain data or as the fight that it begins, and write new ones."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from systems.encounter.serialize import read_encounter
from systems.frozen import evolve
from systems.text import clean
from tui.campaign.campaign import Campaign
from tui.campaign.encounters import (
    EMPTY,
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
    """Return the bytes of an opening's file. Raises FileProblem."""
    return read_bytes(folder_of(campaign.path, encounter) / OPENING, file_of(encounter, OPENING))


def read_opening(campaign: Campaign, encounter: str, *, check: bool = True) -> dict[str, Any]:
    """Return an opening as plain data without `format`. Raises FileProblem with line and field.

    `check`: also check that every sheet is valid in the game; otherwise only the TOML is checked.
    """
    data = opening_bytes(campaign, encounter)
    tables = _tables(data, encounter)
    if check:
        _encounter(campaign, encounter, data, tables)
    return tables


def opening_of(campaign: Campaign, encounter: str, data: bytes) -> "Encounter":
    """Return the fight that an opening with these bytes begins. Raises FileProblem with line and field."""
    return _encounter(campaign, encounter, data, _tables(data, encounter))


def _tables(data: bytes, encounter: str) -> dict[str, Any]:
    tables = parse_toml(data, file_of(encounter, OPENING))
    del tables["format"]
    return tables


def _encounter(campaign: Campaign, encounter: str, data: bytes, tables: dict[str, Any]) -> "Encounter":
    with pointed(file_of(encounter, OPENING), data):
        return read_encounter(
            campaign.ruleset, campaign.house, campaign.order, tables, campaign.table.players
        )


def new_encounter(
    campaign: Campaign, title: str, opening: Mapping[str, Any] | None = None
) -> tuple[Campaign, str]:
    """Prepare an encounter; return the campaign with it, and its id, made from the title. Raises NotSaved."""
    taken = {*campaign.encounters, *names_in(campaign.path / FOLDER)}
    encounter = free_id(title, taken, "encounter")
    write_new(campaign.path, encounter, {"title": clean(title, 200) or encounter, **(opening or EMPTY)})
    info = info_of(folder_of(campaign.path, encounter), encounter)
    encounters = dict(sorted({**campaign.encounters, encounter: info}.items()))
    return evolve(campaign, encounters=encounters), encounter
