"""Try every fault at every call: run, fail, reopen, and compare with what was acknowledged."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from systems.frozen import frozen
from tests.faults.child import Job
from tests.faults.disk import after_power_cut, faults_of
from tests.faults.scenes import Scene

ROOT = Path(__file__).resolve().parents[2]


@frozen
class Ran:
    """The result of a run of the program. `status` is negative if a signal ended it."""

    status: int
    out: str
    err: str
    calls: list[str]

    @property
    def answers(self) -> list[dict[str, Any]]:
        """Return the JSON lines of the output; a kill may cut the last one short."""
        lines = self.out.splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("\n")]


@frozen
class Point:
    """A fault at one call of a scene."""

    scene: Scene
    call: int
    name: str
    kind: str

    def __str__(self) -> str:
        return f"{self.scene.name}: {self.kind} at call {self.call}, {self.name}"


@dataclass(slots=True)
class Finding:
    """The result of a point. `wrong` is empty if all is well."""

    point: Point
    wrong: list[str]
    lost: int = 0
    invented: int = 0


class Runner:
    """Runs jobs one at a time, each in its own process and folder.

    `memory`: the bytes of address space that a process may use; 0 for any.
    """

    def __init__(self, folder: Path, fresh: bool = False, memory: int = 0) -> None:
        self.folder, self.fresh, self.memory = folder, fresh, memory
        self._server: subprocess.Popen[str] | None = None

    def run(
        self, home: Path, words: Sequence[str], text: str = "", fault: tuple[int, str] | None = None
    ) -> Ran:
        """Run the program on the campaigns under `home`."""
        io = home / "io"
        shutil.rmtree(io, ignore_errors=True)
        io.mkdir()
        (io / "in").write_text(text, encoding="utf-8")
        job = Job(list(words), str(io), str(home / "campaigns"), str(home / "state"), fault, self.memory)
        status = self._fresh(job) if self.fresh else self._forked(job)
        if status == -9 and (io / "image").is_file():
            after_power_cut(io / "image")
        out, err = ((io / name).read_text("utf-8", "replace") for name in ("out", "err"))
        return Ran(status, out, err, (io / "trace").read_text("utf-8", "replace").splitlines())

    def _fresh(self, job: Job) -> int:
        command = [sys.executable, "-m", "tests.faults.child", job.plain()]
        return subprocess.run(command, cwd=ROOT, check=False).returncode

    def _forked(self, job: Job) -> int:
        if self._server is None:
            command = [sys.executable, "-m", "tests.faults.child"]
            self._server = subprocess.Popen(
                command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(job.plain() + "\n")
        self._server.stdin.flush()
        return int(self._server.stdout.readline())

    def close(self) -> None:
        if self._server is not None:
            self._server.communicate()
            self._server = None


def points_of(scene: Scene, runner: Runner) -> list[Point]:
    """Return every point of a scene, from a run without faults."""
    home = _home(scene, runner.folder / "count")
    ran = runner.run(home, scene.words(home), scene.text)
    wrong = check(scene, home, ran, "", runner)
    if wrong.wrong:
        raise AssertionError(f"{scene.name}, without a fault: {wrong.wrong}")
    return [
        Point(scene, number, call, kind)
        for number, call in enumerate(ran.calls, 1)
        for kind in faults_of(call.split(" ")[0])
    ]


def try_point(point: Point, runner: Runner) -> Finding:
    """Run with the fault, reopen, and compare."""
    home = _home(point.scene, runner.folder / "try")
    ran = runner.run(home, point.scene.words(home), point.scene.text, (point.call, point.kind))
    found = check(point.scene, home, ran, point.kind, runner)
    found.point = point
    return found


def _home(scene: Scene, home: Path) -> Path:
    shutil.rmtree(home, ignore_errors=True)
    (home / "campaigns").mkdir(parents=True)
    (home / "state").mkdir()
    scene.prepare(home)
    return home


def check(scene: Scene, home: Path, ran: Ran, kind: str, runner: Runner) -> Finding:
    """Return the mistakes after a run: none if exactly the acknowledged changes are stored."""
    found = Finding(Point(scene, 0, "", kind), [])
    killed = ran.status == -9
    if ran.status not in (0, 1, -9):
        found.wrong.append(f"exit status {ran.status}: {ran.err[-300:]}")
    if "Traceback" in ran.out + ran.err or ran.err.count("\n") > 2:
        found.wrong.append(f"not one line: {ran.err[-600:]}")
    for answer in ran.answers:
        if not answer["ok"] and (len(answer["error"]) > 999 or not answer["error"].isprintable()):
            found.wrong.append(f"an error that is no line: {answer}")
        if not answer["ok"] and "unexpected" in answer["error"]:
            found.wrong.append(f"an error that nobody foresaw: {answer}")
    if not kind and not all(one["ok"] for one in ran.answers):
        found.wrong.append(f"refused without a fault: {ran.answers}")
    scene.check(scene, home, ran, killed, runner, found)
    return found


def check_fight(scene: Scene, home: Path, ran: Ran, killed: bool, runner: Runner, found: Finding) -> None:
    """Check a log: all acknowledged events, at most the one in progress, and a fight that can continue."""
    path = home / "campaigns" / scene.campaign
    acknowledged = [one for one in ran.answers if one["ok"]]
    numbers = [one["n"] for one in acknowledged]
    before = scene.events
    if numbers != list(range(before + 1, before + 1 + len(numbers))):
        found.wrong.append(f"acknowledged numbers are {numbers}, after {before} events")
    said = any("may contain it" in one["error"] for one in ran.answers if not one["ok"])
    show = ["show", scene.campaign, "--json"]
    show += ["--encounter", scene.encounter] if scene.encounter else []
    shown = runner.run(home, show)
    if shown.status != 0:
        found.wrong.append(f"show: status {shown.status}: {shown.err.strip()}")
        return
    present = json.loads(shown.out)
    expected = before + len(acknowledged)
    found.lost = max(0, expected - present["events"])
    more = present["events"] - expected
    found.invented = max(0, more - (1 if killed or said else 0))
    if found.lost or found.invented:
        found.wrong.append(f"{expected} acknowledged, {present['events']} there; answers {ran.answers[-2:]}")
        return
    if not more and acknowledged:
        state = acknowledged[-1]["state"]
        if (present["round"], present["turn"]) != (state["round"], state["turn"]):
            found.wrong.append(f"the turn is {present['turn']}, not {state}")
    on = runner.run(home, ["run", scene.campaign], "note and the fight goes on\n")
    if on.status or not on.answers or not on.answers[0]["ok"] or on.answers[0]["n"] != present["events"] + 1:
        found.wrong.append(f"the next writer does not go on: {on}")
        return
    found.wrong += _compare_log(scene, path, acknowledged, bool(more), present["events"] + 1)
    found.wrong += _compare_files(scene, home)


def _compare_log(
    scene: Scene, path: Path, acknowledged: list[dict[str, Any]], more: bool, expected: int
) -> list[str]:
    """Compare the log, read by another parser, with the answers; the event in progress is complete."""
    # A sample has older fights next to the one in progress.
    log = max(path.glob("encounters/*/log.toml"), key=lambda file: file.stat().st_mtime_ns)
    events = tomllib.loads(log.read_text(encoding="utf-8"))["event"]
    wrong = []
    if [one["n"] for one in events] != list(range(1, expected + 1)):
        wrong.append(f"numbers in the log: {[one['n'] for one in events]}")
    wrong += [
        f"event {answer['n']} is {events[answer['n'] - 1]['text']!r}, not {answer['text']!r}"
        for answer in acknowledged
        if events[answer["n"] - 1]["text"] != answer["text"]
    ]
    if more:
        command = events[-2]["typed"]
        if command not in scene.text.splitlines():
            wrong.append(f"in the log stands {command!r}, which nobody asked for")
    return wrong


def _compare_files(scene: Scene, home: Path) -> list[str]:
    """Check the files that a fight must not change, and that torn bytes are kept."""
    wrong = []
    path = home / "campaigns" / scene.campaign
    for name, data in scene.files(home).items():
        if (path / name).read_bytes() != data:
            wrong.append(f"{name} was changed")
    if scene.torn:
        kept = [one.read_bytes() for one in path.glob("encounters/*/torn-*.txt")]
        if scene.torn not in kept:
            wrong.append(f"the torn end is not kept: {kept}")
    return wrong


def parallel(
    points: Iterable[Point], folder: Path, workers: int = 2, fresh: bool = False
) -> Iterator[Finding]:
    """Try the points, as many in parallel as there are processors."""
    todo = list(points)
    with ThreadPoolExecutor(workers) as pool:
        shares = [todo[number::workers] for number in range(workers)]
        found = [
            pool.submit(_share, share, folder / f"worker-{number}", fresh)
            for number, share in enumerate(shares)
        ]
        for one in found:
            yield from one.result()


def _share(points: Sequence[Point], folder: Path, fresh: bool) -> list[Finding]:
    folder.mkdir(parents=True, exist_ok=True)
    runner = Runner(folder, fresh)
    try:
        return [try_point(point, runner) for point in points]
    finally:
        runner.close()


def on_two_cores() -> int:
    return max(1, min(4, os.cpu_count() or 1))
