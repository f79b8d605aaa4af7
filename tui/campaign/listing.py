"""List the campaigns in the folder of campaigns, and the samples; find one by name, title or path."""

import os
from contextlib import suppress
from pathlib import Path

from systems.frozen import frozen
from systems.text import clean, listed, nearest
from tui.campaign import samples
from tui.campaign.encounters import FOLDER as ENCOUNTERS
from tui.campaign.folders import CAMPAIGN, CampaignsFolder, NoCampaign, check_name, named_folder
from tui.campaign.problems import FileProblem
from tui.campaign.toml.files import parse_toml, read_toml


@frozen
class ListedCampaign:
    """One campaign in the list.

    `modified`: seconds since 1970 of its newest file; 0.0 for a sample that is not copied yet. `problem`: the
    reason why it cannot be opened, else None.
    """

    name: str
    title: str
    system: str
    modified: float
    problem: FileProblem | None = None
    sample: bool = False


def find(place: CampaignsFolder, given: str) -> Path:
    """Return the folder of a campaign, given by name, title or path, to read it.

    For a sample that has not been opened yet, that is the template, which is never written to: `find_to_play`
    makes the copy to play. Raises NoCampaign, and NotSaved if a template cannot be unpacked.
    """
    found = _located(place, given)
    return samples.template(found) if isinstance(found, str) else found


def find_to_play(place: CampaignsFolder, given: str) -> Path:
    """Return the folder of a campaign, given by name, title or path, to play in it.

    A sample is copied into the folder of campaigns first. Raises NoCampaign, and NotSaved if the sample
    cannot be copied.
    """
    found = _located(place, given)
    return samples.copy_sample(place, found) if isinstance(found, str) else found


def _located(place: CampaignsFolder, given: str) -> Path | str:
    """Return the folder of a campaign, or the name of a sample that is not in the place yet."""
    named = True
    try:
        check_name(given)
    except NoCampaign:
        named = False
        # A path is tried before titles, which would have to be read from the files of all campaigns.
        if "/" not in given and (titled := _titled(place, given)):
            return titled
        if not given or "\0" in given or not any(letter in given for letter in "/\\.~"):
            raise
    if named and is_campaign(place.path / given):
        return _own_or_sample(place, place.path / given)
    if named and given in samples.names():
        return given
    folder = named_folder(given)
    with suppress(OSError):
        folder = folder.parent if folder.name == CAMPAIGN else folder
        if is_campaign(folder) or samples.sample_at(folder):
            return _own_or_sample(place, folder.absolute())
    if titled := _titled(place, given):
        return titled
    known = sorted({*folder_names(place), *samples.names()})
    near = nearest(given, known)
    meant = f"did you mean {near}?" if near else "affray list shows the campaigns"
    raise NoCampaign(f'there is no campaign "{clean(given, 80)}"; {meant}', suggestion=near)


def _titled(place: CampaignsFolder, title: str) -> Path | str | None:
    """Return the campaign or sample of that title, or whose title or name begins so; None if there is none.

    Upper and lower case are the same. Raises NoCampaign if several match.
    """
    wanted = " ".join(title.split()).casefold()
    if not wanted:
        return None
    known = campaigns(place)
    found = [entry for entry in known if entry.title.casefold() == wanted]
    does = "are called"
    if not found:
        found = [entry for entry in known if _begins(entry.name, wanted) or _begins(entry.title, wanted)]
        does = "begin with"
    if len(found) > 1:
        names = listed([entry.name for entry in found], "or")
        raise NoCampaign(f'several campaigns {does} "{clean(title, 80)}": name the folder, {names}')
    if not found:
        return None
    return found[0].name if found[0].sample else place.path / found[0].name


def _begins(name: str, wanted: str) -> bool:
    """Return whether a name or title begins with the words; hyphens and underscores count as blanks."""
    blanks = str.maketrans("-_", "  ")
    return name.casefold().translate(blanks).startswith(wanted.translate(blanks))


def _own_or_sample(place: CampaignsFolder, folder: Path) -> Path | str:
    """Return that folder; for a sample's, its copy in the place, or its name when there is none yet."""
    name = samples.sample_at(folder)
    if not name:
        return folder
    copy = place.path / name
    return copy if is_campaign(copy) and not samples.sample_at(copy) else name


def is_campaign(folder: Path) -> bool:
    """Return whether a folder holds a campaign, even one without campaign.toml."""
    if os.path.lexists(folder / CAMPAIGN) and not (folder / CAMPAIGN).is_dir():
        return True
    return (folder / ENCOUNTERS).is_dir()


def folder_names(place: CampaignsFolder) -> list[str]:
    """Return the names of folders that hold a campaign, in order.

    A name that no command accepts is left out.
    """
    found = []
    with suppress(OSError):
        for folder in place.path.iterdir():
            with suppress(NoCampaign, OSError):
                if is_campaign(folder):
                    found.append(check_name(folder.name))
    return sorted(found)


def campaigns(place: CampaignsFolder) -> list[ListedCampaign]:
    """Return every campaign of the place, newest first, then the samples that have not been copied there."""
    own = folder_names(place)
    entries = [_entry_of(name, place.path / name) for name in own]
    entries.sort(key=lambda entry: (-entry.modified, entry.name))
    return entries + [sample for sample in _samples() if sample.name not in own]


def _entry_of(name: str, folder: Path) -> ListedCampaign:
    """Return the list's entry of one campaign, with its problem if it has one."""
    try:
        found = read_toml(folder / CAMPAIGN, CAMPAIGN)
    except FileProblem as problem:
        return ListedCampaign(name, name, "", _newest(folder), problem)
    return _described(name, found, _newest(folder))


def _described(
    name: str, found: dict[str, object], modified: float, *, sample: bool = False
) -> ListedCampaign:
    """Return the list's entry from the tables of campaign.toml."""
    title, system = found.get("title"), found.get("system")
    title = clean(title, 200) if isinstance(title, str) else ""
    system = clean(system, 80) if isinstance(system, str) else ""
    return ListedCampaign(name, title or name, system, modified, sample=sample)


def _newest(folder: Path) -> float:
    """Return when a file of the campaign was last written: seconds since 1970, 0.0 if unknown."""
    times = [0.0]
    for pattern in (CAMPAIGN, "roster/*.toml", "encounters/*/*.toml"):
        for path in folder.glob(pattern):
            with suppress(OSError):
                times.append(path.stat().st_mtime)
    return max(times)


def _samples() -> list[ListedCampaign]:
    """Return the samples as entries of the list of campaigns."""
    folder = samples.samples_folder()
    if folder is None:
        return []
    found = []
    for name in samples.names():
        try:
            data = (folder / name / CAMPAIGN).read_bytes()
            found.append(_described(name, parse_toml(data, CAMPAIGN), 0.0, sample=True))
        except (FileProblem, OSError):
            continue
    return found
