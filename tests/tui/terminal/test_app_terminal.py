"""The program in a real terminal: one key is one frame, and it restores the terminal."""

import codecs
import os
import select
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.forked import POSSIBLE, Forked

termios = pytest.importorskip("termios")
pty = pytest.importorskip("pty")
fcntl = pytest.importorskip("fcntl")

ROOT = Path(__file__).parents[3]
RUN = "from tests.tui.table import app; import sys; a = app(); a.run(); sys.exit(a.return_value)"
FRAME, FRAME_ENDS = b"\x1b[?2026h", b"\x1b[?2026l"
QUIET, PATIENCE = 0.4, 20.0


@dataclass(slots=True)
class Terminal:
    """A child in a pseudo terminal that knows synchronised output."""

    child: subprocess.Popen[bytes]
    fd: int

    def read(self, until: bytes = b"") -> bytes:
        """What arrives up to `until`, or until nothing more comes."""
        found = b""
        while select.select([self.fd], [], [], PATIENCE if until else QUIET)[0]:
            try:
                part = os.read(self.fd, 65_536)
            except OSError:
                break
            if not part:
                break
            if b"?2026$p" in part:
                os.write(self.fd, b"\x1b[?2026;2$y")
            found += part
            if until and until in found:
                break
        assert until in found, found[-500:]
        return found

    def leave(self) -> None:
        os.write(self.fd, b"\x11")

    def press(self, keys: str) -> bytes:
        os.write(self.fd, keys.encode())
        return self.read()


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    with opened_terminal() as found:
        yield found


@contextmanager
def opened_terminal() -> Iterator[Terminal]:
    """The program in a terminal of its own."""
    fd, theirs = pty.openpty()
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    known = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "PYTHONPATH": str(ROOT)}
    words = ["-c", RUN] if POSSIBLE else [sys.executable, "-c", RUN]
    child = (Forked if POSSIBLE else subprocess.Popen)(
        words, stdin=theirs, stdout=theirs, stderr=theirs, cwd=ROOT, env=known
    )
    yield Terminal(child, fd)
    child.kill()
    child.wait()
    os.close(theirs)
    os.close(fd)


def test_one_key_is_one_frame_and_costs_few_bytes(terminal: Terminal) -> None:
    terminal.read(until=b"Okado")
    terminal.read()
    steps = (
        ("\x1b[B", 2_000),
        ("\x1b[A", 2_000),
        ("n", 6_000),
        ("d", 6_000),
        ("4", 3_000),
        ("7", 3_000),
        ("\r", 6_000),
    )
    frames = 0
    for key, most in steps:
        os.write(terminal.fd, key.encode())
        painted = terminal.read(until=FRAME_ENDS)
        assert len(painted) < most, key
        frames += painted.count(FRAME)
    # A second frame of any key would have come by now.
    assert frames + terminal.read().count(FRAME) == len(steps)
    terminal.leave()


def test_ctrl_q_leaves_with_status_0_and_restores_the_terminal(terminal: Terminal) -> None:
    before = termios.tcgetattr(terminal.fd)
    terminal.read(until=b"Okado")
    assert termios.tcgetattr(terminal.fd) != before
    os.write(terminal.fd, b"\x11")
    last = terminal.read(until=b"\x1b[?1004l")
    assert b"\x1b[?1049l" in last
    assert b"\x1b[?25h" in last
    assert terminal.child.wait(PATIENCE) == 0
    assert termios.tcgetattr(terminal.fd) == before


def test_keys_that_arrive_together_all_count_in_order_escape_included(
    terminal: Terminal,
) -> None:
    terminal.read(until=b"Okado")
    os.write(terminal.fd, b"a3\rd47\rn")
    text = terminal.read(until=b"Tamsin's turn").decode(errors="replace")
    assert "Guard 2 takes" in text
    os.write(terminal.fd, b"a3\x1bd47\r\x1b[B\x1bOB\x1b\x1bn")
    text = terminal.read(until=b"Guard 1's turn").decode(errors="replace")
    assert "Guard 2 takes" in text
    os.write(terminal.fd, b"a")
    terminal.read(until=b"beat")
    os.write(terminal.fd, b"\x1b")
    os.write(terminal.fd, b"n")
    assert "Guard 2's turn" in terminal.read(until=b"Guard 2's turn").decode(errors="replace")
    terminal.leave()


def test_a_stopped_program_continues_at_the_same_place(terminal: Terminal) -> None:
    shell = termios.tcgetattr(terminal.fd)
    terminal.read(until=b"Okado")
    terminal.read()
    terminal.press("d4")
    ours = termios.tcgetattr(terminal.fd)
    for stop in (signal.SIGTSTP, signal.SIGSTOP) * 2:
        # What was painted before the stop must not count as painted after it.
        terminal.read()
        terminal.child.send_signal(stop)
        assert os.WIFSTOPPED(os.waitpid(terminal.child.pid, os.WUNTRACED)[1])
        termios.tcsetattr(terminal.fd, termios.TCSANOW, shell)
        terminal.child.send_signal(signal.SIGCONT)
        assert b"damage" in terminal.read(until=b"damage")
        assert termios.tcgetattr(terminal.fd) == ours
    terminal.read()
    assert "Guard 2 takes 7 " in terminal.press("7\r").decode()
    terminal.leave()
    assert terminal.child.wait(PATIENCE) == 0
    assert termios.tcgetattr(terminal.fd) == shell


@pytest.mark.parametrize("encoding", ["ascii", "iso-8859-1"])
def test_replacement_letters_are_as_wide_as_their_symbols(
    encoding: str,
) -> None:
    from tui.terminal.driver import letters_instead

    codecs.register_error("letters_instead", letters_instead)
    for text in ("▸ 1 Okado  52/52  ████░░", "╭─ Log ───╮", "life 45 → 4 …", "Bram ⏎ 🐺 −3"):
        written = text.encode(encoding, "letters_instead").decode(encoding)
        assert "\\" not in written
        assert cell_len(written) == cell_len(text)
    assert "life 45 → 4 …".encode(encoding, "letters_instead") == b"life 45 > 4 ~"


def test_a_page_a_palette_and_a_question_are_one_frame_each_once_they_have_been_open(
    terminal: Terminal,
) -> None:
    terminal.read(until=b"Okado")
    terminal.read()
    for key in ("?", "\x1b", "\x10", "\x1b", "a", "3", "\x1b"):
        os.write(terminal.fd, key.encode())
        terminal.read(until=FRAME_ENDS)
    terminal.read()
    keys = ("?", "\x1b", "o", "\x1b", "\x10", "\x1b", "a", "3", "\x1b", "x", "\x1b", "D")
    painted = b""
    for key in keys:
        os.write(terminal.fd, key.encode())
        # The next key comes after a frame, however slow the machine is.
        painted += terminal.read(until=FRAME_ENDS)
    painted += terminal.read()
    assert painted.count(FRAME) == len(keys)
    terminal.leave()


def test_letters_in_place_of_symbols_reach_every_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFRAY_SYMBOLS", "letters")
    # The keys of screens and prompts, and what each shows last.
    keys = {"R": b"Roster", "L": b"Before the fight", "S": b"Conditions", "C": b"quit", "I": b"arrives"}
    keys |= {"a": b"beat", "o": FRAME_ENDS, "\x1b": b"help", "?": b"undo"}
    with opened_terminal() as terminal:
        painted = terminal.read(until=b"Okado")
        for key, last in keys.items():
            os.write(terminal.fd, key.encode())
            painted += terminal.read(until=last)
        painted += terminal.read()
        terminal.leave()
    assert {letter for letter in painted.decode() if not letter.isascii()} == set()


def test_clicks_and_the_wheel_are_asked_for_and_moves_of_the_mouse_are_not(terminal: Terminal) -> None:
    started = terminal.read(until=b"Okado") + terminal.read()
    assert b"\x1b[?1000h\x1b[?1006h" in started
    assert b"\x1b[?1003h" not in started
    # A click on the third row: down and up, with no move before it.
    clicked = terminal.press("\x1b[<0;10;4M\x1b[<0;10;4m")
    assert b"\x1b[4;1H" in clicked
    assert "▌".encode() in clicked
    turned = terminal.press("\x1b[<65;10;4M")
    assert b"\x1b[5;1H" in turned
    terminal.leave()
