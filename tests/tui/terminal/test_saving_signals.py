"""However the program is ended from outside, the fight is on the disk and the terminal is as it was."""

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic

import pytest

from tests.forked import POSSIBLE, Forked
from tests.tui.opened import OKADO, copied
from tui.campaign.log.file import read_log
from tui.settings.remembered import Spot, recall

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")

ROOT = Path(__file__).parents[3]
SOON = 30.0  # only ever waited for when something is broken
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_].*?\x1b\\|[@-Z\\-_=>])"
)
# The child makes the terminal its own, as a login does, and then becomes the program. Without that the
# system does not tell it when the terminal goes.
_LOGIN = """
import fcntl, os, resource, sys, termios
if sys.argv[1] == "login":
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
if sys.argv[2] != "0":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
os.execv(sys.executable, [sys.executable, "-B", "-m", "tui", *sys.argv[3:]])
"""


class Terminal:
    """A terminal with the program in it. `shown` is all that was painted, without colours and moves."""

    def __init__(
        self, home: Path, *words: str, login: bool = True, largest: int = 0, forked: bool = POSSIBLE
    ) -> None:
        self.master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        self.slave = slave
        self.before = termios.tcgetattr(slave)
        environment = {
            **os.environ,
            "TERM": "xterm-256color",
            "AFFRAY_CAMPAIGNS": str(home / "campaigns"),
            "XDG_STATE_HOME": str(home / "state"),
        }
        self.program: subprocess.Popen[bytes]
        if forked and not largest:
            self.program = Forked(
                words,
                env=environment,
                stdin=slave,
                stdout=slave,
                stderr=slave,
                start_new_session=True,
                has_terminal=login,
            )
        else:
            self.program = subprocess.Popen(
                [sys.executable, "-c", _LOGIN, "login" if login else "", str(largest), *words],
                cwd=ROOT,
                env=environment,
                stdin=slave,
                stdout=slave,
                stderr=slave,
                start_new_session=True,
            )
        self.raw = b""

    @property
    def shown(self) -> str:
        return _ESCAPES.sub("", self.raw.decode(errors="replace"))

    def press(self, keys: str) -> None:
        """Press keys, and ignore the output up to now."""
        self.raw = b""
        os.write(self.master, keys.encode())

    def until(self, true: Callable[[], object]) -> None:
        """Read output until a condition holds."""
        end = monotonic() + SOON
        while not true():
            assert monotonic() < end, f"{self.program.poll()} {self.shown[-2000:]!r}"
            self._read()

    def _read(self) -> None:
        if select.select([self.master], [], [], 0.05)[0]:
            with suppress(OSError):
                self.raw += os.read(self.master, 65_536)

    def wait(self) -> int:
        """The exit status, once the program has ended and said all that it had to say."""
        self.until(lambda: self.program.poll() is not None)
        self._read()
        return self.program.returncode

    def hang_up(self) -> None:
        """The terminal is gone."""
        for descriptor in (self.slave, self.master):
            if descriptor >= 0:
                os.close(descriptor)
        self.slave = self.master = -1

    def close(self) -> None:
        self.program.kill()
        self.program.wait()
        self.hang_up()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    copied(tmp_path)
    return tmp_path


@pytest.fixture
def open_terminal(home: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def start(**options: int) -> Terminal:
        opened.append(Terminal(home, OKADO, "--encounter", "north-gate", **options))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def commands(home: Path) -> list[str]:
    path = home / "campaigns" / OKADO / "encounters" / "north-gate" / "log.toml"
    return [one.typed for one in read_log(path).events]


def play(terminal: Terminal) -> None:
    """Two turns, the cursor on Guard 1, and the log's screen."""
    terminal.until(lambda: "n begins" in terminal.shown and "Raider captain" in terminal.shown)
    terminal.press("n")
    terminal.until(lambda: "Round 1" in terminal.shown)
    terminal.press("n")
    terminal.until(lambda: "Tamsin's turn" in terminal.shown)
    terminal.press("jL")
    terminal.until(lambda: "The fight begins" in terminal.shown)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM], ids=lambda number: number.name)
def test_a_signal_ends_the_program_with_everything_saved_and_the_terminal_restored(
    number: signal.Signals, home: Path, open_terminal: Callable[..., Terminal]
) -> None:
    terminal = open_terminal(forked=False)
    play(terminal)
    assert termios.tcgetattr(terminal.slave) != terminal.before
    terminal.raw = b""
    terminal.program.send_signal(number)
    assert terminal.wait() == 128 + number
    assert termios.tcgetattr(terminal.slave) == terminal.before
    assert b"\x1b[?1049l" in terminal.raw
    assert b"\x1b[?25h" in terminal.raw
    assert "Traceback" not in terminal.shown
    assert commands(home) == ["start", "next"]
    assert not (home / "campaigns" / OKADO / ".lock").exists()

    again = open_terminal()
    # The keys of the log's own screen.
    again.until(lambda: "unfold all" in again.shown and "The fight begins" in again.shown)
    assert recall(home / "campaigns" / OKADO, "north-gate") == Spot("north-gate", "log", "guard-1")
    again.press("I")
    again.until(lambda: "Guard 1" in again.shown)
    again.press("\x11")
    assert again.wait() == 0
    assert recall(home / "campaigns" / OKADO, "north-gate") == Spot("north-gate", "", "guard-1")


@pytest.mark.parametrize("login", [True, False], ids=["told", "not told"])
def test_a_terminal_that_is_gone_ends_it_with_everything_on_disk(
    login: bool, home: Path, open_terminal: Callable[..., Terminal]
) -> None:
    terminal = open_terminal(login=login)
    play(terminal)
    terminal.hang_up()
    status = terminal.program.wait(SOON)
    assert status == 128 + signal.SIGHUP
    assert commands(home) == ["start", "next"]
    assert not (home / "campaigns" / OKADO / ".lock").exists()
    assert recall(home / "campaigns" / OKADO, "north-gate") == Spot("north-gate", "log", "guard-1")


def test_a_program_killed_outright_opens_on_the_screen_it_was_on(
    home: Path, open_terminal: Callable[..., Terminal]
) -> None:
    terminal = open_terminal()
    play(terminal)
    campaign = home / "campaigns" / OKADO
    terminal.until(lambda: recall(campaign, "north-gate").screen == "log")
    terminal.program.send_signal(signal.SIGKILL)
    terminal.wait()
    again = open_terminal()
    again.until(lambda: "unfold all" in again.shown and "The fight begins" in again.shown)


def test_a_terminal_that_nobody_reads_keeps_no_campaign_shut_once_it_hangs_up(
    home: Path, open_terminal: Callable[..., Terminal]
) -> None:
    terminal = open_terminal()
    play(terminal)
    lock = home / "campaigns" / OKADO / ".lock"
    assert lock.exists()
    # Nobody reads: what is painted fills the terminal, the writer's queue, and then holds up the program.
    os.set_blocking(terminal.master, False)
    with suppress(BlockingIOError):
        os.write(terminal.master, b"LI" * 60)
    end = monotonic() + SOON
    while not is_held_up(terminal.program.pid):
        assert monotonic() < end
    began = monotonic()
    terminal.hang_up()
    while lock.exists():
        assert monotonic() < began + 1.0
    assert commands(home) == ["start", "next"]
    assert terminal.program.wait(SOON) == 128 + signal.SIGHUP


def is_held_up(process: int) -> bool:
    """Whether a process that had much to do has done next to nothing for a while."""

    def ticks() -> int:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11])

    before, end = ticks(), monotonic() + 0.5
    while monotonic() < end:
        select.select([], [], [], 0.05)
    return ticks() - before <= 3


def test_a_line_that_drops_while_the_disk_refuses_costs_nothing(
    home: Path, open_terminal: Callable[..., Terminal]
) -> None:
    terminal = open_terminal(largest=5000)  # no file may become larger, so the log soon cannot grow
    terminal.until(lambda: "n begins" in terminal.shown and "Raider captain" in terminal.shown)
    for _ in range(9):
        terminal.press("n")
        terminal.until(lambda: "'s turn" in terminal.shown)
    terminal.until(lambda: "unsaved since" in terminal.shown)
    saved = len(commands(home))
    assert 0 < saved < 9
    terminal.raw = b""
    terminal.program.send_signal(signal.SIGHUP)
    assert terminal.wait() == 128 + signal.SIGHUP
    assert f"{9 - saved} events were not saved, kept in" in terminal.shown
    assert len(commands(home)) == saved
    again = open_terminal()
    again.until(lambda: f"{9 - saved} events that could not be saved before are saved now" in again.shown)
    assert commands(home) == ["start", *["next"] * 8]


def test_a_terminal_that_is_gone_while_the_disk_refuses_keeps_no_campaign_shut(
    home: Path, open_terminal: Callable[..., Terminal]
) -> None:
    terminal = open_terminal(largest=5000)
    terminal.until(lambda: "n begins" in terminal.shown and "Raider captain" in terminal.shown)
    for _ in range(9):
        terminal.press("n")
        terminal.until(lambda: "'s turn" in terminal.shown)
    terminal.until(lambda: "unsaved since" in terminal.shown)
    terminal.hang_up()
    assert terminal.program.wait(SOON) == 128 + signal.SIGHUP
    assert not (home / "campaigns" / OKADO / ".lock").exists()
    assert len([*(home / "state").glob("affray/unsaved/*")]) == 1
    again = open_terminal()
    again.until(lambda: "that could not be saved before are saved now" in again.shown)
    assert commands(home) == ["start", *["next"] * 8]


def test_a_fight_reopens_at_the_same_place_after_a_kill(
    home: Path, open_terminal: Callable[..., Terminal]
) -> None:
    terminal = open_terminal()
    play(terminal)
    terminal.program.kill()
    terminal.program.wait(SOON)
    assert commands(home) == ["start", "next"]
    again = open_terminal()
    again.until(lambda: "Tamsin's turn" in again.shown)
    again.press("n")
    again.until(lambda: "Guard 1's turn" in again.shown)
    again.press("\x11")
    assert again.wait() == 0
    assert commands(home) == ["start", "next", "next"]
