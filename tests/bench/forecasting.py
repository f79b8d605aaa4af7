"""Measure the table's keys while a helper process plays the fight, with and without it."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import sleep

from tests.bench.terminal import Terminal
from tests.bench.world import SAMPLE, Row, World
from tests.command import SAMPLES

ROUNDS, KEYS = 5, 40
DOWN, UP = "\x1b[B", "\x1b[A"
_WORDS = "The players win"
# Fights without an end, or none at all.
_SETTINGS = {"alone": "IDLE = 10.0 ** 9", "forecast": "LINE_FIGHTS = 10 ** 9"}


def keys_next_to_it(world: World) -> Iterator[Row]:
    """Move the cursor of a prepared fight, in turn in both programs; medians of several rounds."""
    random = Random(1)
    programs = {name: _program(world, name) for name in _SETTINGS}
    programs["forecast"].until(_WORDS)
    times: dict[str, list[float]] = {name: [] for name in programs}
    spent: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(ROUNDS):
        took: dict[str, list[float]] = {name: [] for name in programs}
        before = {name: _processor(program) for name, program in programs.items()}
        for number in range(KEYS):
            for name, program in programs.items():
                sleep(random.uniform(0.01, 0.03))
                took[name].append(program.press((DOWN, UP)[number % 2]).first)
        for name, program in programs.items():
            times[name].append(median(took[name]))
            spent[name].append((_processor(program) - before[name]) / KEYS)
    for program in programs.values():
        program.kill()
    for what, found in (("first byte", times), ("processor, with the answers", spent)):
        alone, beside = median(found["alone"]), median(found["forecast"])
        yield Row(
            f"cursor down during a forecast, {what}",
            "1.1x",
            f"{beside:.1f} ms, {alone:.1f} ms without: {beside / alone:.2f}x",
        )


def _program(world: World, name: str) -> Terminal:
    """Start the program on a copy of a sample whose fight is prepared, and wait for its first picture."""
    campaign = world.folder / f"forecast-{name}"
    shutil.copytree(SAMPLES / SAMPLE, campaign)
    code = f"from tui.controllers import forecasts; forecasts.{_SETTINGS[name]}"
    run = f"from tui.cli.main import main; raise SystemExit(main([{str(campaign)!r}]))"
    terminal = Terminal([sys.executable, "-c", f"{code}; {run}"], world.environment)
    terminal.until("Okado")
    terminal.settle()
    return terminal


def _processor(terminal: Terminal) -> float:
    """Return the milliseconds of processor time that all threads of a program have used."""
    tasks = Path(f"/proc/{terminal.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6
