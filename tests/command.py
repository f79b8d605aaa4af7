"""Run the `affray` command as a user would: in this process, or as a separate program."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Timer
from typing import Any
from unittest.mock import patch

from systems.frozen import frozen
from tests.forked import POSSIBLE, Forked
from tui.cli.main import main

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "campaigns" / "samples"
# Each sample with its prepared fight; in a checkout that is used for play it may have begun.
PREPARED = {
    "okado-at-the-gate": "north-gate",
    "rooftop-watch": "stairwell",
    "the-bone-court": "throne-room",
    "the-goblin-ford": "the-crossing",
    "the-sunken-vault": "the-bell",
    "the-thin-place": "mill-cellar",
    "the-toll-road": "the-chain",
}
PATIENCE = 60  # seconds after which a started program is killed; no program here needs two
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")  # all except the line feed


@frozen
class Ran:
    """The result of a command: its exit status and its output."""

    status: int
    out: str
    err: str

    @property
    def answers(self) -> list[Any]:
        """Return standard output as JSON values, one per line."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def complaint(self) -> str:
        """Return the one line on standard error, without the program's name."""
        assert self.err.startswith("affray: "), self.err
        assert self.err.endswith("\n"), self.err
        assert self.err.count("\n") == 1, self.err
        assert len(self.err) < 1000, self.err
        return self.err.removeprefix("affray: ").rstrip("\n")


def sample(folder: Path, name: str, called: str = "") -> Path:
    """Copy a sample without its played events; return the path."""
    path = folder / (called or name)
    shutil.copytree(SAMPLES / name, path, ignore=lambda _, names: [one for one in names if one[0] == "."])
    (path / "encounters" / PREPARED[name] / "log.toml").unlink(missing_ok=True)
    return path


def affray(*words: str | Path, given: bytes | str = b"") -> Ran:
    """Call the command in this process. Fail if it writes a control character or a traceback."""
    data = given.encode() if isinstance(given, str) else given
    streams = {
        "stdin": io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"),
        "stdout": io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True),
        "stderr": io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True),
    }
    with ExitStack() as stack:
        for name, stream in streams.items():
            stack.enter_context(patch.object(sys, name, stream))
        status = main([str(one) for one in words])
        out, err = (streams[name].buffer.getvalue().decode() for name in ("stdout", "stderr"))
    ran = Ran(status, out, err)
    assert not CONTROL.search(out + err), ran
    assert "Traceback" not in err, ran
    return ran


def commands(folder: Path, campaign: str, *lines: str, words: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """Return what `affray run` answers to these lines."""
    ran = affray("run", campaign, "--campaigns", folder, *words, given="\n".join((*lines, "")))
    assert ran.status == 0 or not all(answer["ok"] for answer in ran.answers), ran
    return ran.answers


def present(folder: Path, campaign: str, *words: str) -> dict[str, Any]:
    """Return the output of `affray show --json`, without the number of events."""
    ran = affray("show", campaign, "--campaigns", folder, "--json", *words)
    assert ran.status == 0, ran
    [shown] = ran.answers
    return {name: one for name, one in shown.items() if name != "events"}


def may_skip(missing: bool) -> bool:
    """Return whether a test may be skipped because a program is missing: never in `.ci/run`."""
    return missing and not os.environ.get("AFFRAY_TEST_ALL")


def environment(**more: str) -> dict[str, str]:
    """Return the environment for a started program, in which this checkout can be imported from anywhere."""
    path = os.pathsep.join(one for one in (more.pop("PYTHONPATH", ""), str(ROOT)) if one)
    return {**os.environ, "PYTHONPATH": path, **more}


def program(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "tui", *map(str, words)]


def start(*words: str | Path, given: bytes = b"", **more: str) -> Ran:
    """Start the command as a separate program and wait until it ends."""
    return _finished(subprocess.Popen, program(*words), given, more)


def start_forked(*words: str | Path, given: bytes = b"", **more: str) -> Ran:
    """Start the command as a separate program that has its modules loaded, and wait until it ends."""
    return _finished(Forked, words, given, more) if POSSIBLE else start(*words, given=given, **more)


def _finished(
    kind: type[subprocess.Popen[bytes]], words: Sequence[str | Path], given: bytes, more: dict[str, str]
) -> Ran:
    """Start a program and wait until it ends."""
    pipe = subprocess.PIPE
    with kind(words, stdin=pipe, stdout=pipe, stderr=pipe, env=environment(**more)) as process:
        try:
            out, err = process.communicate(given, PATIENCE)
        except BaseException:
            process.kill()
            raise
    return Ran(process.returncode, out.decode(), err.decode())


class Talk:
    """A started program that reads and answers line by line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def say(self, line: bytes) -> Any:
        """Send one line and return its answer."""
        self.send(line + b"\n")
        return self.hear()

    def send(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def finish(self) -> None:
        """Close the program's standard input."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.stdin = None

    def hear(self) -> Any:
        """Return the next line of the answer, or None if no complete line is left."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        return json.loads(line) if line.endswith(b"\n") else None


@contextmanager
def talking(*words: str | Path):
    """Start the command, with its modules loaded, for a dialogue. Kill it at the end, or if it is slow."""
    kind, line = (Forked, words) if POSSIBLE else (subprocess.Popen, program(*words))
    with kind(
        line,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    ) as process:
        watch = Timer(PATIENCE, process.kill)
        watch.start()
        try:
            yield Talk(process)
        finally:
            watch.cancel()
            process.kill()
            process.communicate()
