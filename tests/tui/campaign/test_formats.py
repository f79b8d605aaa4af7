"""Older formats: a file is read, rewritten when it changes, and its original is kept next to it."""

from pathlib import Path
from typing import Any

import pytest

from systems.codec.events import plain_event, read_event
from systems.encounter.events import Event
from systems.frozen import evolve
from tests.tui.campaign.examples import (
    CAMPAIGN,
    GUARD,
    OPENING,
    SEATS,
    campaign,
    event,
    is_one_line,
    names_in,
)
from tui.campaign import formats
from tui.campaign.campaign import Settings, load
from tui.campaign.formats import CAMPAIGN as HEAD
from tui.campaign.formats import EVENT, KIND, newest_of
from tui.campaign.formats import OPENING as START
from tui.campaign.formats import SEATS as PLACES
from tui.campaign.log.blocks import encode
from tui.campaign.log.file import LogWriter, read_log, tail
from tui.campaign.openings import read_opening
from tui.campaign.problems import FileProblem
from tui.campaign.repair.check import check
from tui.campaign.roster import save_entry, save_settings
from tui.session.opening import open_fight


def renaming(old: str, new: str) -> formats.FormatStep:
    """Return a step that renames a field, in nested tables too."""

    def step(given: Any) -> Any:
        match given:
            case dict():
                return {new if name == old else name: step(one) for name, one in given.items()}
            case list():
                return [step(one) for one in given]
        return given

    return step


# An invented format 0, in which every name was different.
ZERO = {
    HEAD: renaming("game", "system"),
    KIND: renaming("hit_points", "max_life"),
    START: renaming("hit_points", "max_life"),
    PLACES: renaming("people", "characters"),
    EVENT: renaming("said", "text"),
}
FILES = {
    "campaign.toml": CAMPAIGN.replace("system =", "game ="),
    "roster/guard.toml": GUARD.replace("max_life", "hit_points"),
    "encounters/gate/opening.toml": OPENING.replace("max_life", "hit_points"),
    "seats.toml": SEATS.replace("characters", "people"),
}


def older_event(n: int) -> Event:
    """Return an event as the invented format stored it."""
    plain = plain_event(event(n))
    return read_event({"said" if name == "text" else name: value for name, value in plain.items()})


@pytest.fixture
def older(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a campaign of format 0 with two events in its log."""
    monkeypatch.setitem(formats.STEPS, 0, ZERO)
    monkeypatch.setitem(formats.STEPS, 1, {})
    docks = campaign(tmp_path)
    for file, text in FILES.items():
        (docks / file).write_text(text.replace("format = 1", "format = 0"))
    mark, blocks = 0, [b"format = 0\n"]
    for n in (1, 2):
        block, mark = encode(older_event(n), mark)
        blocks.append(block)
    (docks / "encounters/gate/log.toml").write_bytes(b"".join(blocks))
    return docks


def test_every_file_of_an_older_format_is_read_and_none_is_touched(older: Path) -> None:
    before = {path: path.read_bytes() for path in older.rglob("*.toml")}
    found = load(older)
    assert found.problems == ()
    assert found.system == "atlantis"
    assert found.roster["guard"].sheet.max_life == 30
    assert read_opening(found, "gate")["combatant"][0]["sheet"]["max_life"] == 40
    assert [one.text for one in read_log(found.log_path("gate")).events] == [event(1).text] * 2
    assert check(older) == []
    fight = open_fight(older, write=False)
    assert len(fight.session.log.events) == 2
    assert {path: path.read_bytes() for path in older.rglob("*.toml")} == before


def test_a_changed_kind_is_written_in_the_new_format_and_its_original_stays(older: Path) -> None:
    found = load(older)
    old = (older / "roster/guard.toml").read_bytes()
    guard = found.roster["guard"]
    found = save_entry(found, evolve(guard, sheet=evolve(guard.sheet, max_life=31)))
    new = (older / "roster/guard.toml").read_text()
    assert "format = 1" in new
    assert "max_life = 31" in new
    assert "# Cheap steel" in new
    assert (older / "roster/guard.toml.format-0").read_bytes() == old
    assert load(older).roster == found.roster
    # A file that already has the new format is not kept again.
    save_entry(found, evolve(found.roster["guard"], side="players"))
    assert names_in(older / "roster") == ["guard.toml", "guard.toml.format-0"]
    assert (older / "roster/guard.toml.format-0").read_bytes() == old


def test_changed_settings_keep_their_original_too(older: Path) -> None:
    found = load(older)
    before = (older / "campaign.toml").read_bytes()
    save_settings(found, table=Settings(dice="players"))
    assert (older / "campaign.toml.format-0").read_bytes() == before
    assert load(older).table.dice == "players"
    assert "# we like it harder" in (older / "campaign.toml").read_text()


def test_an_older_log_is_rewritten_by_the_first_event_after_it(older: Path) -> None:
    path = load(older).log_path("gate")
    old, end = path.read_bytes(), read_log(path).end
    writer = LogWriter(path)
    assert path.read_bytes() == old, "nothing is written before something happens"
    writer.append(event(3))
    writer.append(event(4))
    assert path.read_bytes().startswith(b"format = 2\n")
    assert (path.parent / "log.toml.format-0").read_bytes() == old
    assert read_log(path).events == [event(n, event(1).text) for n in range(1, 5)]
    assert check(older) == []
    with pytest.raises(FileProblem):
        tail(path, end)


def test_a_read_only_session_reads_events_appended_by_an_older_program(older: Path) -> None:
    path = load(older).log_path("gate")
    found = read_log(path, cache=False)
    block, _ = encode(older_event(3), found.end.mark)
    path.write_bytes(path.read_bytes() + block)
    (appended,) = tail(path, found.end).events
    assert appended == event(3)


def test_a_newer_file_of_any_kind_is_refused_in_one_sentence(tmp_path: Path) -> None:
    docks = campaign(tmp_path)
    LogWriter(docks / "encounters/gate/log.toml").append(event(1))
    for file in (*FILES, "encounters/gate/log.toml"):
        path = docks / file
        old = path.read_bytes()
        newer = newest_of(file) + 1
        path.write_bytes(old.replace(b"format = %d" % (newer - 1), b"format = %d" % newer))
        said = check(docks)
        assert [one.file for one in said if "a newer Affray is needed" in str(one)] == [file]
        assert all(map(is_one_line, said))
        if file not in ("seats.toml", "roster/guard.toml"):
            with pytest.raises(
                FileProblem, match=f"is of format {newer}; this program reads format {newer - 1}"
            ):
                open_fight(docks, "gate")
        assert path.read_bytes() == old.replace(b"format = %d" % (newer - 1), b"format = %d" % newer)
        path.write_bytes(old)


@pytest.mark.parametrize("number", ["0", "-1", "true", '"1"', "1.0", "99999999999999999999"])
def test_a_format_that_never_existed_is_refused(tmp_path: Path, number: str) -> None:
    docks = campaign(tmp_path)
    (docks / "roster/guard.toml").write_text(GUARD.replace("format = 1", f"format = {number}"))
    (problem,) = load(docks).problems
    assert "format" in str(problem)


def test_steps_follow_one_another_and_none_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(formats.STEPS, 1, {KIND: lambda given: {**given, "two": 1}})
    monkeypatch.setitem(formats.STEPS, 2, {KIND: lambda given: {**given, "three": given["two"] + 1}})
    assert formats.renewed({"format": 1, "a": 0}, KIND, 1, 3) == {"format": 3, "a": 0, "two": 1, "three": 2}
    assert formats.renewed({"format": 1, "a": 0}, START, 1, 3) == {"format": 3, "a": 0}
    assert [formats.is_readable(one, 3) for one in (0, 1, 2, 3, 4)] == [False, True, True, True, False]


@pytest.mark.parametrize(
    ("text", "number"),
    [(b"format = 0\n", 0), (b"\xef\xbb\xbfformat=7 # x\r\n", 7), (b"# format = 3\nformat = 2", 2), (b"", 1),
     (b"[a]\nformat = 0\n", 1), (b'format = "0"\n', 1)],
)  # fmt: skip
def test_a_format_is_read_without_parsing(text: bytes, number: int) -> None:
    assert formats.format_of(text) == number
