"""How far long work has come."""

import io
import sys

from tui.terminal import progress
from tui.terminal.progress import ProgressLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_long_work_shows_its_progress_and_then_clears_the_line(monkeypatch):
    clock = iter([0.0, 0.1, 0.6, 0.65, 0.8])
    monkeypatch.setattr(progress, "monotonic", lambda: next(clock))
    monkeypatch.setattr(sys, "stderr", found := Terminal())
    tell = ProgressLine("importing")
    for done in (1, 2, 3, 4):
        tell(done, 5000)
    tell.end()
    lines = found.getvalue().split("\r")
    assert lines[1:3] == ["importing 2 of 5,000 …", "importing 4 of 5,000 …"]
    assert [line.strip() for line in lines[3:]] == ["", ""]


def test_short_or_unwatched_work_shows_no_progress(monkeypatch):
    monkeypatch.setattr(sys, "stderr", found := io.StringIO())
    monkeypatch.setattr(progress, "_SOON", 0.0)
    tell = ProgressLine("importing")
    tell(1, 2)
    tell.end()
    assert found.getvalue() == ""
