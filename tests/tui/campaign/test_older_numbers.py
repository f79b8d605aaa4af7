"""Fights begun before numbers became part of names keep their numbers, names and words.

`older_samples` holds the sample campaigns of that version. `older_samples.json` holds the id, name and tag of
each combatant, as that version showed them: on opening, and after each command of `LATER`.
"""

import json
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from systems.errors import Refused
from tests.command import affray
from tui.campaign.campaign import load
from tui.campaign.openings import read_opening
from tui.session.opening import open_fight
from tui.session.session import Session

OLDER = Path(__file__).parent / "older_samples"
EXPECTED = json.loads(OLDER.with_suffix(".json").read_text(encoding="utf-8"))
ADDED = {
    "okado-at-the-gate": "guard",
    "rooftop-watch": "brute",
    "the-bone-court": "skeleton",
    "the-goblin-ford": "goblin",
    "the-thin-place": "wicked-thrasher",
    "the-toll-road": "bandit",
}
# ADDED stands for the creature kind of the campaign.
LATER = (
    "add ADDED",
    "start",
    "add ADDED x2",
    "add ADDED hidden",
    "add ADDED in round 90",
    "hide 2",
    "remove 3",
    "add ADDED",
    "reveal h1",
    "reveal h2",
    "amend 1 add ADDED x2",
    "undo",
    "add ADDED as Newcomer",
)
FIGHTS = sorted(
    (path.parents[2].name, path.parent.name) for path in OLDER.glob("*/encounters/*/opening.toml")
)


def shown(session: Session) -> list[list[str]]:
    """Return id, name and tag of each combatant in the order of the screen."""
    return [[each.id, each.name, each.tag] for each in session.encounter.in_line()]


def seen_by_then(folder: Path, campaign: str, encounter: str) -> list[list[list[str]]]:
    """Return what is shown on opening, and after each later command."""
    session = open_fight(folder, encounter, seed=3).session
    found = [shown(session)]
    if session.encounter.progress.over:
        session.do("undo")
    for line in LATER:
        if session.encounter.progress.round and line in ("start", "amend 1 add ADDED x2"):
            continue  # the fight was played, so event 1 is its start
        with suppress(Refused):  # not every line fits every fight
            session.do(line.replace("ADDED", ADDED[campaign]))
        found.append(shown(session))
    return found


@pytest.mark.parametrize(("campaign", "encounter"), FIGHTS)
def test_an_older_fight_keeps_its_tags_and_names_and_goes_on_in_its_own_way(tmp_path, campaign, encounter):
    folder = Path(shutil.copytree(OLDER / campaign, tmp_path / campaign))
    assert seen_by_then(folder, campaign, encounter) == EXPECTED[f"{campaign}/{encounter}"]


@pytest.mark.parametrize(("campaign", "encounter"), FIGHTS)
def test_an_older_fight_keeps_its_words_through_undo_and_redo(tmp_path, campaign, encounter):
    folder = Path(shutil.copytree(OLDER / campaign, tmp_path / campaign))
    session = open_fight(folder, encounter, seed=3).session
    words = [event.text for event in session.log.events]
    first = shown(session)
    for _ in words:
        if session.log.standing:
            session.do("undo")
    opening = read_opening(load(folder), encounter)["combatant"]
    called = {
        each["id"]: (each["name"], str(each.get("tag") or f"h{each['hidden_tag']}")) for each in opening
    }
    assert {who: (name, tag) for who, name, tag in shown(session)} == called
    for _ in range(len(session.log.standing), len(words)):
        if shown(session) != first:
            session.do("redo")
    assert shown(session) == first
    assert [event.text for event in session.log.events][: len(words)] == words


@pytest.mark.parametrize("campaign", sorted({campaign for campaign, _ in FIGHTS}))
def test_an_older_campaign_has_no_problems(tmp_path, campaign):
    folder = Path(shutil.copytree(OLDER / campaign, tmp_path / campaign))
    assert affray("check", folder).status == 0
