"""A game's sheets: their base, the sections of their fields, and the values of new ones."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from systems.frozen import frozen
from systems.schema.fields import declare, declare_field, text
from systems.schema.types import Choice, ListOf

# How a creature chooses in forecasts and plans (systems/forecast/habits.py).
HABITS = (
    "flees when bloodied",
    "flees when alone",
    "swarms the weakest",
    "goes for the strongest",
    "fights those near it",
    "strikes at random",
    "helps the fallen first",
)


@declare
class Sheet:
    """Base of every game's sheet."""

    name: str | None = text(None, "what it is called")
    notes: str | None = text(None, "anything worth remembering")
    # Absent and not empty, so that answers of rules without habits do not list them.
    habits: tuple[str, ...] | None = declare_field(
        ListOf(Choice(HABITS), (), None), None, "how it chooses in a plan"
    )


@declare
class NoHouse:
    """The house rules of a game that has none."""


@frozen
class Section:
    """A group of fields under one heading, on the roster and on the status screen."""

    title: str
    fields: tuple[str, ...]


@frozen
class Templates:
    """Sensible values for a new sheet, as plain data: of a player's character, and of a creature.

    Some of them go together because they say how it fights. `fighting`: paths such as `abilities.melee`; a
    typed line that gives one of them gets no default of these or of the gear. `gear`: fields such as weapons
    and armour; a line that gives an entry of them gets no other gear.
    """

    player: Mapping[str, Any] = {}
    creature: Mapping[str, Any] = {}
    fighting: tuple[str, ...] = ()
    gear: tuple[str, ...] = ("weapons",)


def in_sections(
    sections: Sequence[Section], names: Collection[str], rest: str = "Sheet"
) -> Iterator[tuple[str, list[str]]]:
    """Return these field names by section, each with its title; fields without a section come last.

    `rest`: the title of the last group if there are sections; without any it is "".
    """
    placed = {name for section in sections for name in section.fields}
    for section in sections:
        if found := [name for name in section.fields if name in names]:
            yield section.title, found
    if left := [name for name in names if name not in placed]:
        yield rest if sections else "", left
