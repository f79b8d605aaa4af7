"""Screen and cursor are remembered for an encounter, and forgotten without harm."""

from pathlib import Path

import pytest

from tui.campaign.user_folders import state_folder
from tui.settings.remembered import NAME, Spot, recall, remember


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_it_goes_on_where_it_was(tmp_path: Path) -> None:
    remember(tmp_path / "docks", Spot("gate", "log", "guard-2"))
    remember(tmp_path / "moor", Spot("first", "", "okado"))
    assert recall(tmp_path / "docks", "gate") == Spot("gate", "log", "guard-2")
    assert recall(tmp_path / "docks", "quay") == Spot("quay")
    assert recall(tmp_path / "attic", "gate") == Spot("gate")


def test_it_does_not_grow_without_end(tmp_path: Path) -> None:
    for number in range(80):
        remember(tmp_path / str(number), Spot("gate", "log", str(number)))
    assert recall(tmp_path / "79", "gate").cursor == "79"
    assert recall(tmp_path / "0", "gate") == Spot("gate")


@pytest.mark.parametrize("junk", [b"", b"\xff", b"[1]", b'{"a": 3}', b"[" * 100_000])
def test_whatever_the_file_holds_nothing_breaks(tmp_path: Path, junk: bytes) -> None:
    state_folder().mkdir(parents=True)
    (state_folder() / NAME).write_bytes(junk)
    assert recall(tmp_path, "gate") == Spot("gate")
    remember(tmp_path, Spot("gate", "log", "okado"))
    assert recall(tmp_path, "gate").screen == "log"
