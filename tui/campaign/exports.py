"""Export the roster as one document that `affray import` reads back: TOML or CSV."""

import csv
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import Any, Literal

from systems.schema.entry_lines import entry_line
from systems.schema.fields import Entry, fields_of
from systems.schema.types import TableOf
from systems.schema.values import as_typed
from tui.campaign.campaign import Campaign, RosterEntry
from tui.campaign.roster import entry_tables
from tui.campaign.toml.document import document

RosterFormat = Literal["toml", "csv"]
ROSTER_FORMATS: tuple[RosterFormat, ...] = ("toml", "csv")
_LIST = "character"  # in TOML, each entry is a table of this list


def roster_document(
    campaign: Campaign, format: RosterFormat, entries: Iterable[RosterEntry] | None = None
) -> str:
    """Return these entries of a campaign's roster, by default all, as a document."""
    chosen = list(campaign.roster.values() if entries is None else entries)
    if format == "csv":
        return _csv(campaign, chosen)
    return document({_LIST: [entry_tables(campaign.ruleset, entry) for entry in chosen]}).decode()


def _csv(campaign: Campaign, entries: Iterable[RosterEntry]) -> str:
    """Return CSV: a line of field names, then a line per entry. A table has one column per name."""
    rows = [_cells(campaign, entry) for entry in entries]
    columns = list(dict.fromkeys(["name", "side", *(column for row in rows for column in row)]))
    order = [*_HEAD, *fields_of(campaign.ruleset.sheet)]
    columns.sort(key=lambda column: order.index(column.partition(".")[0]))
    found = StringIO()
    writer = csv.writer(found, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[row.get(column, "") for column in columns] for row in rows])
    return found.getvalue()


_HEAD = ("name", "side", "party")


def _cells(campaign: Campaign, entry: RosterEntry) -> dict[str, str]:
    """Return an entry's cells by column, as they are typed. A field at its default has no cell."""
    tables = entry_tables(campaign.ruleset, entry)
    cells = {word: str(tables[word]) for word in _HEAD if tables.get(word)}
    for name, field in fields_of(campaign.ruleset.sheet).items():
        if name in tables and name not in cells:
            cells |= dict(_field_cells(name, field.type, getattr(entry.sheet, name)))
            if field.same_as:
                # Without a column for the full value, the import would read the value that is left as the
                # full one.
                cells.setdefault(field.same_as, as_typed(getattr(entry.sheet, field.same_as)))
    return cells


def _field_cells(name: str, type: Any, value: Any) -> Mapping[str, str]:
    match value:
        case (Entry(), *_):
            return {name: "; ".join(entry_line(entry) for entry in value)}
        case Mapping() if isinstance(type, TableOf) and not any("." in key for key in value):
            return {f"{name}.{key}": as_typed(part) for key, part in value.items()}
    return {name: as_typed(value)}
