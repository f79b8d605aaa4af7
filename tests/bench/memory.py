"""Measure the memory of an idle program: its proportional share of memory, in megabytes (Linux)."""

import re
from collections.abc import Iterator
from pathlib import Path

from tests.bench.marker import MARKER
from tests.bench.start import opened
from tests.bench.terminal import Terminal
from tests.bench.world import Row, World


def resting(world: World) -> Iterator[Row]:
    bare = world.bare("static")
    bare.until(MARKER)
    bare.settle()
    fights = {"6 combatants, 10 events": (6, 10), "50 combatants, 5,000 events": (50, 5_000)}
    running = {name: opened(world, world.campaign(*size)) for name, size in fights.items()}
    least = share(bare)
    yield Row("memory, bare Textual", "", f"{least:.1f} MB")
    for name, terminal in running.items():
        found = share(terminal)
        yield Row(f"memory, {name}", "1.3x", f"{found:.1f} MB, {found / least:.2f}x")
    for terminal in (bare, *running.values()):
        terminal.kill()


def share(terminal: Terminal) -> float:
    text = Path(f"/proc/{terminal.pid}/smaps_rollup").read_text("ascii")
    return int(re.search(r"^Pss: +(\d+)", text, re.MULTILINE).group(1)) / 1024
