"""Screen and cursor are remembered per encounter, and losing them does no harm."""

from pathlib import Path

import pytest

from tui.campaign.user_folders import state_folder
from tui.settings.remembered import NAME, Spot, recall, remember


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_a_new_login_returns_to_the_last_screen_and_cursor(tmp_path: Path) -> None:
    remember(tmp_path / "docks", Spot("gate", "log", "guard-2"))
    remember(tmp_path / "moor", Spot("first", "", "okado"))
    assert recall(tmp_path / "docks", "gate") == Spot("gate", "log", "guard-2")
    assert recall(tmp_path / "docks", "quay") == Spot("quay")
    assert recall(tmp_path / "attic", "gate") == Spot("gate")


def test_the_memory_of_screens_does_not_grow_without_limit(tmp_path: Path) -> None:
    for number in range(80):
        remember(tmp_path / str(number), Spot("gate", "log", str(number)))
    assert recall(tmp_path / "79", "gate").cursor == "79"
    assert recall(tmp_path / "0", "gate") == Spot("gate")


@pytest.mark.parametrize("junk", [b"", b"\xff", b"[1]", b'{"a": 3}', b"[" * 100_000])
def test_a_damaged_file_does_no_harm(tmp_path: Path, junk: bytes) -> None:
    state_folder().mkdir(parents=True)
    (state_folder() / NAME).write_bytes(junk)
    assert recall(tmp_path, "gate") == Spot("gate")
    remember(tmp_path, Spot("gate", "log", "okado"))
    assert recall(tmp_path, "gate").screen == "log"
