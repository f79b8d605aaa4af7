"""Where the game master's program listens: a socket that nobody else may connect to."""

import os
import stat
from pathlib import Path

import pytest

from tui.wire.address import connect, listen, seats_folder, table_socket


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


def said_through(path: Path) -> bytes:
    """What arrives of a word that is sent through a socket at that path."""
    with listen(path) as listener, connect(path) as client:
        listener.setblocking(True)
        end, _ = listener.accept()
        with end:
            client.sendall(b"hello")
            return end.recv(5)


def test_its_owner_alone_may_connect_and_look_into_the_folder(tmp_path: Path) -> None:
    path = table_socket(tmp_path)
    with listen(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(seats_folder().stat().st_mode) == 0o700


def test_each_campaign_has_its_own_and_every_way_to_a_campaign_leads_to_it(tmp_path: Path) -> None:
    first, second = tmp_path / "one", tmp_path / "two"
    for folder in (first, second):
        folder.mkdir()
    (tmp_path / "link").symlink_to(first)
    for other in (tmp_path / "link", second / ".." / "one"):
        assert table_socket(other) == table_socket(first)
    assert table_socket(second) != table_socket(first)


def test_remains_of_a_dead_program_do_no_harm(tmp_path: Path) -> None:
    path = table_socket(tmp_path)
    listen(path).close()
    assert path.exists()
    with pytest.raises(OSError, match="refused"):
        connect(path)
    assert said_through(path) == b"hello"


def test_without_a_listener_there_is_no_connection(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        connect(table_socket(tmp_path))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="long paths are reached through /proc")
def test_a_path_that_is_too_long_for_a_socket_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / ("deep" * 20) / ("deeper" * 20)))
    path = table_socket(tmp_path)
    assert len(os.fsencode(path)) > 108
    before = set(Path("/proc/self/fd").iterdir())
    assert said_through(path) == b"hello"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(set(Path("/proc/self/fd").iterdir())) == len(before)


def test_a_socket_that_cannot_be_made_is_closed_and_the_file_mask_restored(tmp_path: Path) -> None:
    mask = os.umask(0o022)
    try:
        with pytest.raises(OSError):  # noqa: PT011 - whatever the system says
            listen(tmp_path / "nowhere" / "x.sock")
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(mask)
