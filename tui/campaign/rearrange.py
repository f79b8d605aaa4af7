"""Delete, copy and rename campaigns and their encounters. Deleted ones are moved into `.trash`.

The caller must hold the campaign's lock, or take it with `writing`.
"""

import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from systems.text import clean
from tui.campaign import lock
from tui.campaign.encounters import FOLDER, LOG, OPENING, file_of, folder_of, free_id, names_in
from tui.campaign.folders import CAMPAIGN, CampaignsFolder, check_name, make_whole
from tui.campaign.problems import NotSaved, disk_words
from tui.campaign.samples import check_is_no_template, copy_files
from tui.campaign.toml.edit import edited
from tui.campaign.toml.files import parse_toml, read_bytes, write_atomic
from tui.campaign.toml.limits import LARGEST_LOG
from tui.campaign.trash import TRASH, bring_back, throw_away

_NUMBERED = re.compile(r"(.*) \(([0-9]{1,4})\)")


@contextmanager
def writing(campaign: Path) -> Iterator[None]:
    """Hold the campaign's lock for the body. Raises NotSaved if another program has it."""
    try:
        held = lock.take(campaign)
    except lock.CampaignLocked as error:
        raise NotSaved(str(error)) from None
    with held:
        yield


# Campaigns


def delete_campaign(campaign: Path) -> Path:
    """Move a campaign into the trash of its folder; return its new path. Raises NotSaved."""
    check_is_no_template(campaign.parent)
    return throw_away(campaign, campaign.parent / TRASH, campaign.name, campaign.name)


def undelete_campaign(thrown: Path, campaign: Path) -> None:
    """Restore a campaign that `delete_campaign` moved. Raises NotSaved."""
    bring_back(thrown, campaign, campaign.name)


def copy_campaign(place: CampaignsFolder, campaign: Path, name: str, title: str) -> Path:
    """Copy a campaign with its fights under another name. Raises NoCampaign, NotSaved, FileProblem."""
    check_is_no_template(place.path)
    target = place.path / check_name(name)
    if target.exists():
        raise NotSaved(f"a folder {clean(name, 60)} already exists")
    head = read_bytes(campaign / CAMPAIGN, CAMPAIGN)
    renamed = edited(head, {**parse_toml(head, CAMPAIGN), "title": clean(title, 200)}, CAMPAIGN)

    def fill(half: Path) -> None:
        copy_files(campaign, half)
        write_atomic(half / CAMPAIGN, renamed)

    try:
        make_whole(target, fill)
    except OSError as error:
        raise NotSaved(f"{clean(name, 60)} was not created: {disk_words(error)}") from None
    return target


# Encounters


def delete_encounter(campaign: Path, encounter: str) -> Path:
    """Move an encounter into the campaign's trash; return its new path. Raises NotSaved."""
    folder = folder_of(campaign, encounter)
    return throw_away(folder, campaign / TRASH, f"{encounter}.encounter", f"{FOLDER}/{encounter}")


def undelete_encounter(thrown: Path, campaign: Path, encounter: str) -> None:
    """Restore an encounter that `delete_encounter` moved. Raises NotSaved."""
    bring_back(thrown, folder_of(campaign, encounter), f"{FOLDER}/{encounter}")


def copy_encounter(campaign: Path, encounter: str, title: str, restart_with: bytes | None = None) -> str:
    """Copy an encounter under another title; return the id of the copy. Raises NotSaved, FileProblem.

    `restart_with`: the opening with which the copy starts, without events; None copies the events too.
    """
    opening = _titled(campaign, encounter, title, restart_with)
    new = free_id(title, set(names_in(campaign / FOLDER)), "encounter")
    log = folder_of(campaign, encounter) / LOG

    def fill(half: Path) -> None:
        write_atomic(half / OPENING, opening)
        if log.exists() and restart_with is None:
            write_atomic(half / LOG, read_bytes(log, file_of(encounter, LOG), LARGEST_LOG))

    try:
        make_whole(folder_of(campaign, new), fill)
    except OSError as error:
        raise NotSaved(f"{FOLDER}/{new} was not created: {disk_words(error)}") from None
    return new


def rename_encounter(campaign: Path, encounter: str, title: str) -> None:
    """Give an encounter another title. Its folder keeps its name. Raises NotSaved, FileProblem."""
    opening = _titled(campaign, encounter, title)
    write_atomic(folder_of(campaign, encounter) / OPENING, opening)


def _titled(campaign: Path, encounter: str, title: str, opening: bytes | None = None) -> bytes:
    """Return an encounter's opening, by default its file, with another title.

    Raises NotSaved, FileProblem.
    """
    file = file_of(encounter, OPENING)
    data = read_bytes(folder_of(campaign, encounter) / OPENING, file) if opening is None else opening
    return edited(data, {**parse_toml(data, file), "title": clean(title, 200) or encounter}, file)


def next_title(title: str, taken: Collection[str]) -> str:
    """Return the title with the first free number after it: `North gate (2)`."""
    found = _NUMBERED.fullmatch(title)
    base = found[1] if found else title
    return next(new for number in range(2, 10_000) if (new := f"{base} ({number})") not in taken)
