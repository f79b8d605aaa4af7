"""Return an encounter in the state in which its fight began."""

from pathlib import Path

from systems.encounter.history import encounter_after
from systems.encounter.serialize import plain
from tui.campaign.campaign import load
from tui.campaign.encounters import opening_text
from tui.campaign.openings import opening_bytes
from tui.campaign.problems import FileProblem
from tui.session.opening import NoEncounter, open_fight


def opening_as_begun(folder: Path, encounter: str) -> bytes:
    """Return an encounter's opening with everything that was prepared before its first turn.

    That is the file itself if nothing was prepared, or if its log cannot be read. Raises FileProblem.
    """
    try:
        session = open_fight(folder, encounter, write=False).session
    except (FileProblem, NoEncounter):
        return opening_bytes(load(folder), encounter)
    log, before = session.log, 0
    for number in log.standing:
        if log.as_amended[number - 1].command == "start":
            break
        before = number
    if not before:
        return opening_bytes(load(folder), encounter)
    return opening_text(plain(encounter_after(session.encounter, log, before)))
