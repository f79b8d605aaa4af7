"""A campaign of each format is kept for ever: it opens, goes back to its opening and forth, unchanged."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from systems.encounter.serialize import plain, read_encounter
from tests.command import affray
from tui.campaign.campaign import load
from tui.campaign.formats import LOG_FORMAT
from tui.campaign.log.blocks import HEADER, encode
from tui.campaign.log.file import read_log
from tui.campaign.openings import read_opening
from tui.campaign.repair.check import check
from tui.session.opening import open_fight

GOLDEN = Path(__file__).parents[2] / "golden"
FORMATS = sorted(one.name for one in GOLDEN.iterdir() if one.is_dir())
CURRENT = f"format-{LOG_FORMAT}"


def held(folder: Path) -> dict[str, bytes]:
    files = (one for one in folder.rglob("*") if one.is_file() and not one.name.startswith("."))
    return {str(one.relative_to(folder)): one.read_bytes() for one in files}


def holds(now: Any, then: Any) -> bool:
    """Whether all that was there then is there now; fields may have come since."""
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
    """A copy of a golden campaign."""
    return Path(shutil.copytree(GOLDEN / request.param, tmp_path / request.param))


def test_this_format_has_its_golden_campaign() -> None:
    assert CURRENT in FORMATS


def test_it_opens_without_a_problem_and_the_present_is_what_it_was(golden: Path) -> None:
    before = held(golden)
    assert check(golden) == []
    found = load(golden)
    assert found.title == "The ferry at night"
    assert found.notes == 'Two lines,\none of them "quoted".'
    assert found.house.tie_passes is False
    assert sorted(found.roster) == ["anna", "ferryman", "wader"]
    ran = affray("show", golden, "--json", "--encounter", "crossing")
    assert ran.err == ""
    assert holds(
        json.loads(ran.out), json.loads((GOLDEN / f"{golden.name}.json").read_text(encoding="utf-8"))
    )
    assert held(golden) == before


def test_it_goes_back_to_the_opening_and_forth_again_and_nothing_before_changes(golden: Path) -> None:
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


def test_its_log_is_what_this_program_would_write() -> None:
    path = GOLDEN / CURRENT / "encounters/crossing/log.toml"
    mark, blocks = 0, [HEADER]
    for event in read_log(path, cache=False).events:
        block, mark = encode(event, mark)
        blocks.append(block)
    assert b"".join(blocks) == path.read_bytes()


def test_the_first_event_after_format_1_reads_every_line_again_in_the_fight_as_it_then_stood(
    tmp_path: Path,
) -> None:
    golden = Path(shutil.copytree(GOLDEN / "format-1", tmp_path / "format-1"))
    path = golden / "encounters/crossing/log.toml"
    old, newest = (
        read_log(path, cache=False).events,
        read_log(GOLDEN / "format-2/encounters/crossing/log.toml", cache=False).events,
    )
    assert not any("actor" in event for event in old)
    fight = open_fight(golden, "crossing")
    fight.session.do("note more")
    fight.close()
    renewed = read_log(path, cache=False).events[:-1]
    assert [event["changes"] for event in renewed] == [event["changes"] for event in old]
    assert [event["text"] for event in renewed] == [event["text"] for event in old]
    for event, played in zip(renewed, newest, strict=True):
        assert event["command"] == played["command"]
        assert "sentences" not in event
        if event["kind"] == "command":
            # A line that the rules of today read otherwise says no more than it did.
            for part in ("actor", "action", "targets"):
                assert event.get(part) in (played.get(part), None), event["typed"]
    known = [event for event in renewed if "actor" in event or "targets" in event]
    assert len(known) > len(renewed) // 2
