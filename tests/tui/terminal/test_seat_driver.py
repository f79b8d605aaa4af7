"""Output of a seat: a frame at once, and the newest picture for a terminal that does not read."""

import asyncio
import os
from collections.abc import Iterator
from typing import Any

import pytest

from tui.terminal.seat_driver import DroppingWriter

BEGINS, ENDS = "\x1b[?2026h", "\x1b[?2026l"
TITLE = "\x1b]2;Your turn, Okado\x07"


class Pipe:
    """Stands where the terminal does."""

    def __init__(self) -> None:
        self.end, self._file = os.pipe()
        os.set_blocking(self.end, False)

    def fileno(self) -> int:
        return self._file

    def read(self) -> str:
        """Return the output since the last call."""
        try:
            return os.read(self.end, 4 * 1024 * 1024).decode()
        except BlockingIOError:
            return ""

    def close(self) -> None:
        os.close(self.end)
        os.close(self._file)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    found = Pipe()
    yield found
    found.close()


def writer(pipe: Any) -> DroppingWriter:
    found = DroppingWriter(pipe)
    found.start()
    return found


async def test_a_frame_and_the_title_before_it_are_one_write(pipe: Pipe, monkeypatch) -> None:
    written = []
    write = os.write
    monkeypatch.setattr(os, "write", lambda end, data: written.append(data) or write(end, data))
    seat = writer(pipe)
    for text in (TITLE, "\x07", BEGINS, "a row", "x" * 500, ENDS):
        seat.write(text)
    assert [data.decode() for data in written] == [f"{TITLE}\x07{BEGINS}a row{'x' * 500}{ENDS}"]


async def test_a_short_sequence_that_no_frame_follows_is_written_all_the_same(pipe: Pipe) -> None:
    seat = writer(pipe)
    seat.write(TITLE)
    assert pipe.read() == ""
    async with asyncio.timeout(20):
        while not (found := pipe.read()):
            await asyncio.sleep(0)
    assert found == TITLE


async def test_a_frame_of_a_terminal_that_marks_none_is_written_at_once(pipe: Pipe) -> None:
    seat = writer(pipe)
    seat.write("x" * 500)
    assert pipe.read() == "x" * 500


async def test_output_for_a_slow_terminal_is_dropped_by_whole_frames_and_reported_later(pipe: Pipe) -> None:
    seat = writer(pipe)
    missed = []
    seat.drained = lambda: missed.append(True)
    frames = [f"{BEGINS}{number}:{'x' * 100_000}{ENDS}" for number in range(5)]
    for frame in frames:
        for text in (BEGINS, frame.removeprefix(BEGINS).removesuffix(ENDS), ENDS):
            seat.write(text)
    seat.write(TITLE)
    found = ""
    async with asyncio.timeout(20):
        while not missed:
            found += pipe.read()
            await asyncio.sleep(0)
    found += pipe.read()
    assert found.startswith(frames[0])
    assert found[len(frames[0]) :].replace(BEGINS + ENDS, "") in (TITLE, "")
    assert missed == [True]


async def test_the_last_words_go_out_before_it_stops(pipe: Pipe) -> None:
    seat = writer(pipe)
    seat.write("\x1b[?1049l")
    seat.stop()
    assert pipe.read() == "\x1b[?1049l"
