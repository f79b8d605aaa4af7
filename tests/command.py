"""The command as its users have it: called in this process, or started as a program of its own."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Timer
from typing import Any
from unittest.mock import patch

import attrs

from tui.cli.main import main

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "campaigns" / "samples"
# Each sample with its fight that is prepared; a checkout that is played in may have begun it.
PREPARED = {
    "okado-at-the-gate": "north-gate",
    "rooftop-watch": "stairwell",
    "the-bone-court": "throne-room",
    "the-goblin-ford": "the-crossing",
    "the-thin-place": "mill-cellar",
    "the-toll-road": "the-chain",
}
PATIENCE = 60  # seconds after which a started program is given up; none of these needs two
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")  # all but the line feed


@attrs.frozen
class Ran:
    """What a command left: its exit status, and what it wrote."""

    status: int
    out: str
    err: str

    @property
    def answers(self) -> list[Any]:
        """Standard output, one JSON value a line."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def complaint(self) -> str:
        """The one line on standard error, without the program's name in front."""
        assert self.err.startswith("affray: "), self.err
        assert self.err.endswith("\n"), self.err
        assert self.err.count("\n") == 1, self.err
        assert len(self.err) < 1000, self.err
        return self.err.removeprefix("affray: ").rstrip("\n")


def sample(folder: Path, name: str, called: str = "") -> Path:
    """A copy of a sample as it was before anybody played it; its path."""
    path = folder / (called or name)
    shutil.copytree(SAMPLES / name, path, ignore=lambda _, names: [one for one in names if one[0] == "."])
    (path / "encounters" / PREPARED[name] / "log.toml").unlink(missing_ok=True)
    return path


def affray(*words: str | Path, given: bytes | str = b"") -> Ran:
    """Call the command in this process. Fails when a control character or a traceback was written."""
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
    """What `affray run` answers to those lines."""
    ran = affray("run", campaign, "--campaigns", folder, *words, given="\n".join((*lines, "")))
    assert ran.status == 0 or not all(answer["ok"] for answer in ran.answers), ran
    return ran.answers


def present(folder: Path, campaign: str, *words: str) -> dict[str, Any]:
    """What `affray show --json` says, without the number of events."""
    ran = affray("show", campaign, "--campaigns", folder, "--json", *words)
    assert ran.status == 0, ran
    [shown] = ran.answers
    return {name: one for name, one in shown.items() if name != "events"}


def may_skip(missing: bool) -> bool:
    """Return whether a test may be skipped because a program is missing: never in `.ci/run`."""
    return missing and not os.environ.get("AFFRAY_TEST_ALL")


def environment(**more: str) -> dict[str, str]:
    """The environment of a started program, which imports this checkout from anywhere."""
    path = os.pathsep.join(one for one in (more.pop("PYTHONPATH", ""), str(ROOT)) if one)
    return {**os.environ, "PYTHONPATH": path, **more}


def program(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "tui", *map(str, words)]


def start(*words: str | Path, given: bytes = b"", **more: str) -> Ran:
    """Start the command as a program of its own and wait for its end."""
    done = subprocess.run(
        program(*words),
        input=given,
        capture_output=True,
        env=environment(**more),
        timeout=PATIENCE,
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


class Talk:
    """A started program that is spoken with line by line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def say(self, line: bytes) -> Any:
        """One line, and its answer."""
        self.send(line + b"\n")
        return self.hear()

    def send(self, data: bytes) -> None:
        assert self.process.stdin
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def finish(self) -> None:
        """Say that nothing more comes."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.stdin = None

    def hear(self) -> Any:
        """The next line of the answer; None when there is no whole line any more."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        return json.loads(line) if line.endswith(b"\n") else None


@contextmanager
def talking(*words: str | Path):
    """Start the command and speak with it; it is killed when the talk is over, or takes too long."""
    with subprocess.Popen(
        program(*words),
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
