"""A campaign of each format is kept for good. It opens, and can be undone and redone, unchanged."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from systems.codec.events import plain_event
from systems.encounter.events import Event
from systems.encounter.serialize import plain, read_encounter
from systems.frozen import evolve
from tests.command import affray
from tests.tui.campaign.golden import CURRENT, GOLDEN, copy_without_log, play
from tui.campaign.campaign import load
from tui.campaign.log.blocks import HEADER, encode
from tui.campaign.log.file import read_log
from tui.campaign.openings import read_opening
from tui.campaign.repair.check import check
from tui.session.opening import open_fight

FORMATS = sorted(path.name for path in GOLDEN.iterdir() if path.is_dir())


def held(folder: Path) -> dict[str, bytes]:
    files = (one for one in folder.rglob("*") if one.is_file() and not one.name.startswith("."))
    return {str(one.relative_to(folder)): one.read_bytes() for one in files}


def holds(now: Any, then: Any) -> bool:
    """Return whether `now` contains all of `then`; it may have newer fields."""
    match then:
        case dict():
            return isinstance(now, dict) and all(
                name in now and holds(now[name], one) for name, one in then.items()
            )
        case list():
            return isinstance(now, list) and len(now) == len(then) and all(map(holds, now, then))
    return bool(now == then)


@pytest.fixture(params=FORMATS)
def golden(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a copy of a golden campaign."""
    return Path(shutil.copytree(GOLDEN / request.param, tmp_path / request.param))


def test_this_format_has_its_golden_campaign() -> None:
    assert CURRENT in FORMATS


def test_the_golden_campaign_opens_without_a_problem_and_its_state_is_unchanged(golden: Path) -> None:
    before = held(golden)
    assert check(golden) == []
    found = load(golden)
    assert found.title == "The ferry at night"
    assert found.notes == 'Two lines,\none of them "quoted".'
    assert found.house.tie_passes is False
    assert sorted(found.roster) == ["anna", "ferryman", "wader"]
    ran = affray("show", golden, "--json", "--encounter", "crossing")
    assert ran.err == ""
    now, then = json.loads(ran.out), json.loads((GOLDEN / f"{golden.name}.json").read_text(encoding="utf-8"))
    assert holds(now, then)
    assert held(golden) == before


def test_the_golden_campaign_can_be_undone_to_its_opening_and_redone(golden: Path) -> None:
    before = held(golden)
    fight = open_fight(golden, "crossing")
    session = fight.session
    there, standing = plain(session.encounter), session.log.standing
    opening = read_opening(fight.campaign, "crossing")
    start = read_encounter(session.game, session.house, fight.campaign.order, opening)
    for _ in standing:
        session.do("undo")
    assert plain(session.encounter) == plain(start)
    for _ in standing:
        session.do("redo")
    assert plain(session.encounter) == there
    assert session.log.standing == standing
    session.do(f"undo {len(standing)}")
    session.do(f"redo {len(standing)}")
    assert plain(session.encounter) == there
    fight.close()
    after = held(golden)
    log = "encounters/crossing/log.toml"
    if golden.name == CURRENT:
        assert after[log].startswith(before[log])
    else:
        assert after[f"{log}.{golden.name}"] == before[log]
    assert {name: one for name, one in after.items() if name in before and name != log} == {
        name: one for name, one in before.items() if name != log
    }
    assert check(golden) == []


def test_this_program_would_write_the_golden_log() -> None:
    path = GOLDEN / CURRENT / "encounters/crossing/log.toml"
    mark, blocks = 0, [HEADER]
    for event in read_log(path, cache=False).events:
        # A stored event would be written as it was read.
        block, mark = encode(evolve(event), mark)
        blocks.append(block)
    assert b"".join(blocks) == path.read_bytes()


def test_its_typed_lines_lead_to_the_same_events_today(tmp_path: Path) -> None:
    events = read_log(GOLDEN / CURRENT / "encounters/crossing/log.toml", cache=False).events
    lines = [(event.typed, [die.face for die in event.rolls]) for event in events]
    played = play(copy_without_log(tmp_path), lines)
    for now, then in zip(played, events, strict=True):
        today, before = without_words(now), without_words(then)
        # The start of a turn says more today, but still everything it said then.
        told, known = today.pop("told"), before.pop("told")
        is_same = holds(today, before)
        assert is_same == (then.n not in NUMBERED_OTHERWISE_TODAY), then
        is_kept = all(any(holds(one, other) for one in told) for other in known)
        assert not is_same or is_kept == (then.n not in TOLD_OTHERWISE_TODAY), then


# At that time, a late arrival had the tag of a visible combatant.
NUMBERED_OTHERWISE_TODAY = {30, 32, 33, 34}
# A combatant that returns after a hidden one is now reported after the visible one before it.
TOLD_OTHERWISE_TODAY = {21}


def without_words(read: Event) -> dict[str, Any]:
    """Return an event without its wording; sentences keep their subjects and viewers."""
    words = ("text", "sentences", "end")
    event = plain_event(read)
    told = [
        {name: known[name] for name in known if name not in ("start", "end")}
        for known in event.get("sentences", ())
    ]
    return {name: event[name] for name in event if name not in words} | {"told": told}
