"""Events that the disk refused are recovered once by the next opening, or left alone."""

from errno import ENOSPC
from pathlib import Path

import pytest

from systems.codec.events import read_event
from tests.tui.campaign.examples import events
from tui.campaign.log import file as log_file
from tui.campaign.log.blocks import LogEnd, encode
from tui.campaign.log.file import LogWriter, read_log
from tui.campaign.log.recovery import recover_unsaved, save_unsaved
from tui.campaign.user_folders import state_folder


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.toml"
    LogWriter(path).append(*events(5)[:3])
    return path


def test_saved_events_are_added_to_the_log_once(log: Path) -> None:
    kept = save_unsaved(LogWriter(log), events(5)[3:])
    assert kept is not None
    writer = LogWriter(log)
    assert recover_unsaved(writer) == (events(5)[3:], "2 events that could not be saved before are saved now")
    assert recover_unsaved(writer) == ([], "")
    assert not kept.exists()
    assert read_log(log).events == events(5)


def test_nothing_happens_without_saved_events(log: Path) -> None:
    assert recover_unsaved(LogWriter(log)) == ([], "")
    assert not state_folder().exists()


def test_a_log_with_other_events_and_the_saved_ones_are_left_alone(log: Path) -> None:
    kept = save_unsaved(LogWriter(log), events(5)[3:])
    assert kept is not None
    LogWriter(log).append(read_event({"n": 4, "text": "Something else."}))
    before = log.read_bytes()
    back, said = recover_unsaved(LogWriter(log))
    assert back == []
    assert f"kept in {kept}; the log has gone on without them" in said
    assert log.read_bytes() == before
    assert kept.exists()


def test_saved_events_that_reached_the_disk_after_all_are_dropped(log: Path) -> None:
    writer = LogWriter(log)
    kept = save_unsaved(writer, events(5)[3:])
    assert kept is not None
    writer.append(*events(5)[3:])
    assert recover_unsaved(LogWriter(log)) == ([], "")
    assert not kept.exists()


def test_another_folder_is_used_if_the_first_cannot_be_written(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "state").write_bytes(b"a file where a folder should be")
    assert save_unsaved(LogWriter(log), events(5)[3:]) is None
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    kept = save_unsaved(LogWriter(log), events(5)[3:])
    assert kept is not None
    assert kept.is_relative_to(tmp_path / "run")
    assert recover_unsaved(LogWriter(log))[0] == events(5)[3:]


def test_saved_events_that_could_not_be_recovered_yet_are_not_overwritten(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    first = save_unsaved(LogWriter(log), events(5)[3:])
    assert first is not None
    held = first.read_bytes()
    with monkeypatch.context() as full:
        full.setattr(log_file, "write_all", refused)
        back, said = recover_unsaved(LogWriter(log))
    assert (back, f"still in {first}" in said) == ([], True)
    second = save_unsaved(LogWriter(log), [read_event({"n": 4, "text": "Something else."})])
    assert second not in (None, first)
    assert first.read_bytes() == held
    back, said = recover_unsaved(LogWriter(log))
    assert back == events(5)[3:]
    assert f"kept in {second}; the log has gone on without them" in said
    assert not first.exists()


def test_events_saved_twice_are_recovered_in_order(log: Path) -> None:
    writer = LogWriter(log)
    save_unsaved(writer, events(4)[3:])
    later = LogWriter(log)
    later.end = LogEnd(later.end.size, encode(events(4)[3], later.end.mark)[1], 4)
    save_unsaved(later, events(5)[4:])
    assert recover_unsaved(LogWriter(log))[0] == events(5)[3:]
    assert recover_unsaved(LogWriter(log)) == ([], "")
    assert read_log(log).events == events(5)


def test_events_that_a_slow_disk_wrote_after_all_are_left_out_and_the_rest_recovered(log: Path) -> None:
    writer = LogWriter(log)
    kept = save_unsaved(writer, events(5)[3:])
    assert kept is not None
    writer.append(events(5)[3])
    assert recover_unsaved(LogWriter(log))[0] == events(5)[4:]
    assert not kept.exists()
    assert read_log(log).events == events(5)
