"""One writer per campaign: a living one is named, a dead one is ignored."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from systems.frozen import evolve
from tests.tui.campaign.examples import names_in
from tui.campaign import lock
from tui.campaign.lock import CampaignLocked, Owner, myself, take
from tui.campaign.problems import NotSaved

DEAD = 2**22 + 1  # more than any process number here


def write_owner(folder: Path, owner: Owner) -> None:
    (folder / lock.NAME).write_text(owner.lines(), encoding="utf-8")


def test_an_open_campaign_names_its_owner(tmp_path: Path) -> None:
    with take(tmp_path) as held:
        assert held.held
        with pytest.raises(CampaignLocked) as caught:
            take(tmp_path)
        me = myself()
        assert (caught.value.pid, caught.value.user, caught.value.host) == (me.pid, me.user, me.host)
        for part in (str(me.pid), me.user, me.host, "since"):
            assert part in str(caught.value)
        assert str(caught.value).isprintable()
        assert f"since {me.since[:10]}" in str(caught.value)
        assert not str(caught.value).endswith(me.since[-6:])  # to the minute, without the zone
    take(tmp_path).release()


def test_a_released_lock_leaves_nothing_behind(tmp_path: Path) -> None:
    held = take(tmp_path)
    held.release()
    held.release()
    assert not held.held
    assert names_in(tmp_path) == []


def test_the_lock_of_a_dead_process_is_taken_over(tmp_path: Path) -> None:
    write_owner(tmp_path, evolve(myself(), pid=DEAD))
    with take(tmp_path):
        assert str(os.getpid()) in (tmp_path / lock.NAME).read_text(encoding="utf-8")


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Yield a process that has the campaign and whose child outlives it."""
    code = (
        "import os, sys; from pathlib import Path; from tui.campaign.lock import take\n"
        "held = take(Path(sys.argv[1]))\n"
        "if os.fork() == 0:\n"
        "    print('taken', flush=True); sys.stdin.read(); os._exit(0)\n"
        "sys.stdin.read()"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        cwd=Path(__file__).parents[3],
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "taken\n"
    yield started
    started.kill()
    started.communicate()


def test_a_killed_program_holds_nothing_even_if_its_child_lives(
    tmp_path: Path, holder: subprocess.Popen[str]
) -> None:
    with pytest.raises(CampaignLocked, match=f"process {holder.pid} of"):
        take(tmp_path)
    holder.kill()
    holder.wait()
    with take(tmp_path) as held:
        assert held.held


def test_a_living_owner_keeps_the_campaign_even_if_the_disk_has_another_lock(
    tmp_path: Path, holder: subprocess.Popen[str]
) -> None:
    elsewhere = tmp_path / "as another mount shows it"
    elsewhere.mkdir()
    (elsewhere / lock.NAME).write_bytes((tmp_path / lock.NAME).read_bytes())
    with pytest.raises(CampaignLocked, match=f"process {holder.pid} of"):
        take(elsewhere)
    holder.kill()
    # Its parent has not waited for it: the rest in the list of processes holds no lock.
    os.waitid(os.P_PID, holder.pid, os.WEXITED | os.WNOWAIT)
    with take(elsewhere) as held:
        assert held.held


def test_a_free_lock_can_be_taken_whatever_the_file_holds(tmp_path: Path) -> None:
    for junk in (b"", b"\0" * 100, b"pid x", b"pid 99999999999999999999\n", b"\xff\xfe", b"pid \xc2\xb2\n"):
        (tmp_path / lock.NAME).write_bytes(junk)
        take(tmp_path).release()


def test_a_lock_of_another_host_is_held_until_it_is_released_or_deleted(tmp_path: Path) -> None:
    write_owner(tmp_path, Owner(1, "anna\x1b[31m", "attic", "2025-01-01 20:14:00+01:00", boot="other"))
    with pytest.raises(CampaignLocked) as caught:
        take(tmp_path)
    assert "process 1 of anna [31m on attic since 2025-01-01" in str(caught.value)
    assert "delete the file .lock" in str(caught.value)
    (tmp_path / lock.NAME).unlink()
    take(tmp_path).release()


def test_a_restarted_container_has_its_own_lock(tmp_path: Path) -> None:
    if not myself().boot:
        pytest.skip("this system does not name its runs")
    write_owner(tmp_path, evolve(myself(), host="1f2e3d", pid=DEAD))
    take(tmp_path).release()


def test_a_lock_that_was_deleted_is_no_longer_ours(tmp_path: Path) -> None:
    first = take(tmp_path)
    (tmp_path / lock.NAME).unlink()
    assert not first.held
    second = take(tmp_path)
    first.release()
    assert second.held
    second.release()


def test_without_flock_the_process_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def unknown(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", unknown)
    parent = evolve(myself(), pid=os.getppid(), started=lock._started(os.getppid()))
    write_owner(tmp_path, parent)
    with pytest.raises(CampaignLocked):
        take(tmp_path)
    for dead in (evolve(parent, pid=DEAD), evolve(parent, started="1")):
        if dead.pid == DEAD or parent.started:
            write_owner(tmp_path, dead)
            take(tmp_path).release()


def test_an_unwritable_folder_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(NotSaved, match="the campaign cannot be written: there is a file where a folder"):
        take(tmp_path / "file")
