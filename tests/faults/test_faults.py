"""Test that saved events survive any disk fault at any moment, and that none are invented.

These tests try some points of every scene. A thorough run and `python -m tests.faults` try all of them.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.disk import KILLS, WRITE_KILLS
from tests.faults.points import ROOT, Point, Runner, parallel, points_of, try_point
from tests.faults.scenes import SCENES, Scene
from tests.laws import THOROUGH

# The simulated disk identifies files by inode, and the program is killed by a signal.
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc and SIGKILL")


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    """Yield one runner for all tests here, because each would wait half a second for its imports."""
    made = Runner(tmp_path_factory.mktemp("faults"))
    yield made
    made.close()


def representative(points: list[Point], at_most: int) -> list[Point]:
    """Return each call of the scene with other faults than the call before it, kills first."""
    kinds = sorted({one.kind for one in points}, key=lambda kind: (kind not in (*KILLS, *WRITE_KILLS), kind))
    ranked = sorted(points, key=lambda one: ((kinds.index(one.kind) - one.call) % len(kinds), one.call))
    return ranked[:at_most]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_exactly_the_acknowledged_events_are_saved(scene: Scene, runner: Runner, tmp_path: Path) -> None:
    every = points_of(scene, runner)
    points = every if THOROUGH else representative(every, 8)
    found = parallel(points, tmp_path) if THOROUGH else [try_point(point, runner) for point in points]
    assert [f"{one.point}: {one.wrong}" for one in found if one.wrong] == []


def test_a_write_that_cannot_be_undone_is_reported(tmp_path: Path, runner: Runner) -> None:
    scene = SCENES[1]
    sync = next(one for one in points_of(scene, runner) if one.name.startswith("fdatasync"))
    point = Point(scene, sync.call, sync.name, "EIO+")
    home = tmp_path / "try" / "home"
    (home / "campaigns").mkdir(parents=True)
    (home / "state").mkdir()
    scene.prepare(home)
    ran = runner.run(home, scene.words(home), scene.text, (point.call, point.kind))
    assert [one["ok"] for one in ran.answers] == [False, False]
    assert all("could not be undone either" in one["error"] for one in ran.answers)


def test_a_kill_between_streamed_commands_loses_nothing(tmp_path: Path) -> None:
    """Start the program as a user does, and kill it after each answer in turn."""
    scene = SCENES[0]
    commands = scene.text.splitlines()
    for killed_after in (1, len(commands) // 2, len(commands) - 1):
        home = tmp_path / str(killed_after)
        (home / "campaigns").mkdir(parents=True)
        scene.prepare(home)
        environment = {
            **os.environ,
            "AFFRAY_CAMPAIGNS": str(home / "campaigns"),
            "XDG_STATE_HOME": str(home / "state"),
        }
        command = [sys.executable, "-m", "tui", *scene.words(home)]
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as program:
            assert program.stdin is not None
            assert program.stdout is not None
            program.stdin.write("\n".join(commands) + "\n")
            program.stdin.flush()
            for _ in range(killed_after):
                assert '"ok": true' in program.stdout.readline()
            program.send_signal(signal.SIGKILL)
            # Not `communicate`, which drops output that was buffered after the last line.
            answered = killed_after + program.stdout.read().count('"ok": true')
        shown = subprocess.run(
            [sys.executable, "-m", "tui", "show", scene.campaign, "--json"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert f'"events": {answered},' in shown.stdout or f'"events": {answered + 1},' in shown.stdout
