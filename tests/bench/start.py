"""Measure the time from the start to the first useful screen, and from Ctrl+Q to the end."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.bench.marker import MARKER
from tests.bench.terminal import Terminal
from tests.bench.world import Row, World, interleaved

TIMES = 11
# The processor time for Affray's own imports at its first screen, once the parts of Textual are loaded.
IMPORTS = """
from time import process_time
import textual.app, textual.widgets
from textual.widgets import Static
begin = process_time()
import tui.cli.main, tui.cli.open, tui.session.opening, tui.app, tui.screens.initiative, tui.display.card
import systems
systems.load("atlantis")
print(1000 * (process_time() - begin))
"""


def starting(world: World) -> Iterator[Row]:
    fight, small = world.campaign(50, 5_000), world.campaign(6, 10)
    for campaign in (fight, small):  # compiles, and leaves the cache of the log
        painted(world.affray(campaign))
    found = interleaved(
        {
            "bare": lambda: painted(world.bare("static")),
            "fight": lambda: painted(world.affray(fight)),
            "small": lambda: painted(world.affray(small)),
            "table": lambda: painted(world.bare("table", "20")),
        },
        TIMES,
    )
    bare = found["bare"]
    imports = interleaved({"own": lambda: imported(world)}, TIMES)["own"]
    yield Row("start, bare Textual", "", f"{bare:.0f} ms")
    yield Row("start, a bare table of 20 rows", "", f"{found['table']:.0f} ms, {found['table'] / bare:.2f}x")
    yield Row("start, 6 combatants, 10 events", "", f"{found['small']:.0f} ms, {found['small'] / bare:.2f}x")
    yield Row(
        "start, 50 combatants, 5,000 events", "1.3x", f"{found['fight']:.0f} ms, {found['fight'] / bare:.2f}x"
    )
    yield Row("start, imports beyond those of Textual", "25 ms", f"{imports:.0f} ms of the processor")
    loaded = loaded_at_first(world.folder / "loaded.json", MARKER, fight, world.environment)
    yield Row("start, modules before the first picture", "", f"{len(loaded['modules'])}")
    yield Row("start, classes of our own before it", "", f"{len(loaded['classes'])}")


def loaded_at_first(
    file: Path, text: str, campaign: Path, environment: Mapping[str, str]
) -> Mapping[str, list[str]]:
    """Return the names of the modules and of our own classes that are loaded when the text is painted."""
    words = [sys.executable, "-m", "tests.bench.loaded", str(file), text, str(campaign)]
    terminal = Terminal(words, environment)
    try:
        terminal.until(text)
    finally:
        terminal.kill()
    found: Mapping[str, list[str]] = json.loads(file.read_text("utf-8"))
    return found


def imported(world: World) -> float:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS], env=world.environment, capture_output=True, check=True
    )
    return float(done.stdout)


def painted(terminal: Terminal) -> float:
    took = terminal.until(MARKER)
    terminal.settle()
    terminal.leave()
    return took


def leaving(world: World) -> Iterator[Row]:
    campaign = world.campaign(6, 10)
    found = interleaved(
        {"bare": lambda: left(world.bare("static")), "affray": lambda: left(world.affray(campaign))}, TIMES
    )
    yield Row("leave, bare Textual", "", f"{found['bare']:.0f} ms")
    yield Row("leave, a fight", "0.3x", f"{found['affray']:.0f} ms, {found['affray'] / found['bare']:.2f}x")


def left(terminal: Terminal) -> float:
    terminal.until(MARKER)
    terminal.settle()
    return terminal.leave()


def opened(world: World, campaign: Path) -> Terminal:
    """Start the program on a campaign and wait until its screen is settled."""
    terminal = world.affray(campaign)
    terminal.until(MARKER)
    terminal.settle()
    return terminal
