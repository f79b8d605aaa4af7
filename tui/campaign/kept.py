"""Save to the roster what characters keep after a fight, and undo it."""

from collections.abc import Iterable, Sequence

from systems.encounter.roster import RosterChange
from systems.frozen import evolve
from systems.schema.conversion import write
from systems.schema.fields import fields_of
from systems.sheets import read_sheet
from systems.text import listed
from tui.campaign.campaign import Campaign, RosterEntry
from tui.campaign.problems import FileProblem, NotSaved
from tui.campaign.roster import save_entry


def write_kept(campaign: Campaign, changes: Iterable[RosterChange]) -> tuple[Campaign, str]:
    """Write the changes; return the campaign with them, and a sentence about unchanged fields, or "".

    A field that was edited since stays unchanged. Writes every file or none. Raises NotSaved, FileProblem.
    """
    by_entry: dict[str, list[RosterChange]] = {}
    for change in changes:
        by_entry.setdefault(change.entry, []).append(change)
    left: list[str] = []
    written: list[RosterEntry] = []
    for id, theirs in by_entry.items():
        entry = campaign.roster.get(id)
        if entry is None:
            left.append(f"{id} is no longer in the roster")
            continue
        changed, stays = _changed(campaign, entry, theirs)
        if stays:
            left.append(
                f"{listed(stays)} of {entry.name} {'was' if len(stays) == 1 else 'were'} changed since"
            )
        if changed == entry:
            continue
        try:
            campaign = save_entry(campaign, changed)
        except (NotSaved, FileProblem):
            _restore(campaign, written)
            raise
        written.append(entry)
    return campaign, f"{'; '.join(left)}: not changed." if left else ""


def _changed(
    campaign: Campaign, entry: RosterEntry, changes: Sequence[RosterChange]
) -> tuple[RosterEntry, list[str]]:
    """Return the entry with the changes, and the labels of fields that were edited since."""
    plain, stays = write(entry.sheet), []
    for change in changes:
        if plain.get(change.field) != change.before:
            known = fields_of(type(entry.sheet))
            stays.append(known[change.field].label if change.field in known else change.field)
        elif change.after is None:
            plain.pop(change.field, None)
        else:
            plain[change.field] = change.after
    return evolve(entry, sheet=read_sheet(campaign.ruleset, plain, "")), stays


def _restore(campaign: Campaign, entries: Iterable[RosterEntry]) -> None:
    """Write back the earlier entries after another one could not be written. Raises NotSaved."""
    for entry in entries:
        campaign = save_entry(campaign, evolve(entry, source=campaign.roster[entry.id].source))
