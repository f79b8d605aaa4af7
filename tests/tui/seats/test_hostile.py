"""Seats that freeze, flood, die or are killed: the server and all other seats continue."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from tests.command import commands
from tests.tui.seats.opened import CAMPAIGN, Table, children, served, wait_for
from tui.seats.bounds import SCREENS_PER_SEAT
from tui.terminal.restore import RESTORE

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="processes are looked at through /proc"
)


def warm(table: Table) -> int:
    """The warm process of a server."""
    wait_for(lambda: children(table.process.pid), "the warm process")
    [found] = children(table.process.pid)
    return found


def test_a_frozen_client_gets_the_newest_picture_and_not_its_backlog(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key", "tamsin": "other"}) as table:
        seat = table.seat("okado", key=table.key(), size=(200, 60))
        seat.until("Guard 1")
        other = table.seat("tamsin", key=table.key("other"), size=(200, 60))
        other.until("Guard 1")
        os.kill(seat.pid, signal.SIGSTOP)
        lines = [line for _ in range(150) for line in ("next", "damage 3 1", "damage 4 1", "heal 3 1")]
        commands(tmp_path / "campaigns", CAMPAIGN, "start", *lines, "end")
        other.until("over after")
        seat.read(0)
        seat.forget()
        os.kill(seat.pid, signal.SIGCONT)
        seat.until("over after")
        while seat.read(0.5):
            pass
        assert len(seat.output) <= 256 * 1024
        seat.press("?")
        seat.until("Ctrl+Q")


def test_a_million_keys_stop_nobody(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key", "tamsin": "other"}) as table:
        seat = table.seat("okado", key=table.key())
        other = table.seat("tamsin", key=table.key("other"))
        for each in (seat, other):
            each.until("Guard 1")
        flood = subprocess.Popen(
            [*table.words("okado", "-tt", key=table.key())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        assert flood.stdin is not None
        os.set_blocking(flood.stdin.fileno(), False)
        end = monotonic() + 1
        while monotonic() < end:
            try:
                flood.stdin.raw.write(b"jk" * 30_000)  # type: ignore[attr-defined]
            except (BlockingIOError, OSError):
                break
            other.read(0.01)
        begin = monotonic()
        other.forget()
        commands(tmp_path / "campaigns", CAMPAIGN, "start")
        other.until("ound 1")
        assert monotonic() - begin < 5
        flood.kill()
        flood.wait()
        flood.stdin.close()
        table.process.terminate()
        begin = monotonic()
        table.process.wait(5)
        assert monotonic() - begin < 2


def test_many_screens_opened_at_once_leave_no_more_than_three(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table:
        seats = [table.seat("okado", key=table.key()) for _ in range(8)]

        def ended() -> int:
            for seat in seats:
                if not seat.over:
                    seat.read(0)
            return sum(seat.over for seat in seats)

        wait_for(lambda: ended() >= 8 - SCREENS_PER_SEAT, "the end of the oldest screens")
        for seat in seats:
            if not seat.over:
                seat.until("Guard 1")
        assert ended() == 8 - SCREENS_PER_SEAT


def test_a_killed_client_leaves_no_process(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}) as table:
        seats = warm(table)
        seat = table.seat("okado", key=table.key())
        seat.until("Guard 1")
        assert len(children(seats)) == 1
        seat.kill()
        wait_for(lambda: not children(seats), "the end of the seat's process")


def test_a_killed_seat_and_a_killed_warm_process_cost_one_login(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}, forked=False) as table:
        seats = warm(table)
        seat = table.seat("okado", key=table.key())
        seat.until("Guard 1")
        os.kill(children(seats)[0], signal.SIGKILL)
        seat.finished()
        # Its terminal is as it was before, and it says what to do.
        assert RESTORE in seat.output
        assert "type the same line again" in seat.text
        seat = table.seat("okado", key=table.key())
        seat.until("Guard 1")
        os.kill(seats, signal.SIGKILL)
        seat.forget()
        commands(tmp_path / "campaigns", CAMPAIGN, "start")
        seat.until("ound 1")
        wait_for(lambda: children(table.process.pid) not in ([], [seats]), "another warm process")
        table.seat("okado", key=table.key()).until("Guard 1")


def test_a_killed_server_takes_all_its_processes_with_it(tmp_path: Path) -> None:
    with served(tmp_path, keys={"okado": "key"}, forked=False) as table:
        seats = warm(table)
        seat = table.seat("okado", key=table.key())
        seat.until("Guard 1")
        [child] = children(seats)
        table.process.kill()
        table.process.wait()
        seat.finished()
        for pid in (seats, child):
            wait_for(lambda pid=pid: not Path(f"/proc/{pid}").exists(), "the end of a process")  # type: ignore[misc]


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Table, int, int]]:
    """Yield a server that was started with exec, its warm process, and the process of its one seat."""
    with served(tmp_path_factory.mktemp("table"), keys={"okado": "key"}, forked=False) as table:
        commands(table.campaign.parent, CAMPAIGN, "add guard as Umbrahound hidden", "start")
        seats = warm(table)
        table.seat("okado", key=table.key()).until("Guard 1")
        [child] = children(seats)
        yield table, seats, child


def test_a_seats_process_may_do_little_and_opens_no_file_of_the_campaign(
    processes: tuple[Table, int, int],
) -> None:
    table, seats, child = processes
    limits = Path(f"/proc/{child}/limits").read_text()
    for name in ("Max cpu time", "Max file size", "Max address space", "Max core file size"):
        [line] = [line for line in limits.splitlines() if line.startswith(name)]
        assert "unlimited" not in line, line
    opened = [str(path.readlink()) for path in Path(f"/proc/{child}/fd").iterdir()]
    assert not [path for path in opened if str(table.campaign) in path]
    for pid in (child, seats):
        assert not holds(pid, b"Umbrahound")
    assert holds(child, b"Raider captain")


@pytest.mark.skipif(not Path("/proc/self/autogroup").exists(), reason="sessions are not grouped here")
def test_a_seats_whole_session_gives_way_to_the_table(processes: tuple[Table, int, int]) -> None:
    for pid in processes[1:]:
        assert os.getpriority(os.PRIO_PROCESS, pid) >= 10
        assert Path(f"/proc/{pid}/autogroup").read_text().split()[-1] == "10"


def holds(pid: int, word: bytes) -> bool:
    """Whether the memory of a process holds a word, as bytes or as a wide text."""
    words = (word, word.decode().encode("utf-16-le"), word.decode().encode("utf-32-le"))
    with Path(f"/proc/{pid}/maps").open() as maps, Path(f"/proc/{pid}/mem").open("rb", 0) as memory:
        for line in maps:
            first, last = (int(place, 16) for place in line.split()[0].split("-"))
            if line.split()[1][0] != "r" or "[v" in line:
                continue
            try:
                memory.seek(first)
                data = memory.read(last - first)
            except (OSError, ValueError):
                continue
            if any(each in data for each in words):
                return True
    return False
