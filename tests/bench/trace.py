"""Files and functions of the product that a key, a seat's line and an amendment touch.

Each walk is made twice in its own process, and the second one counts: the first has imported the modules.
A function is counted once, however often it is called. Lambdas and comprehensions belong to the enclosing
function.
`python -m tests.bench.trace WALK` lists what one walk touches.
"""

import asyncio
import json
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from systems.frozen import frozen
from systems.language.parser import parse
from systems.visibility.sight import seen_encounter
from tests.bench.world import Row, World
from tests.command import ROOT
from tests.tui.seat_desk import table
from tests.tui.table import at_the_gate, playing

PRODUCT = tuple(f"{ROOT / folder}/" for folder in ("systems", "tui"))
COUNTED = {"parses": parse.__code__, "fights as seen": seen_encounter.__code__}

Touch = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class Trace:
    """Count calls of the product's functions, also in threads that are started meanwhile."""

    calls: Counter[CodeType] = field(default_factory=Counter)

    def __enter__(self) -> "Trace":
        threading.setprofile(self._called)
        sys.setprofile(self._called)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _called(self, frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PRODUCT):
            self.calls[frame.f_code] += 1

    @property
    def functions(self) -> set[tuple[str, str]]:
        """File and name of each function."""
        return {(_file(code), code.co_name) for code in self.calls if not code.co_name.startswith("<")}

    @property
    def figures(self) -> dict[str, int]:
        """The number of files and functions, and how often the functions of `COUNTED` are called."""
        counted = {what: self.calls[code] for what, code in COUNTED.items()}
        files = {_file(code) for code in self.calls}
        return {"files": len(files), "functions": len(self.functions), **counted}


def _file(code: CodeType) -> str:
    return str(Path(code.co_filename).relative_to(ROOT))


@asynccontextmanager
async def at_the_table(keys: str, *before: str, lines: tuple[str, ...] = ()) -> AsyncIterator[Touch]:
    """These keys, after others, in a fight at 80x24."""
    async with playing(at_the_gate(*lines)) as play:
        for early in before:
            await play.press(early)
        # What the start leaves for quiet moments is no part of a key.
        play.app.background.end()
        await asyncio.sleep(0)

        async def press() -> None:
            await play.press(keys)

        yield press


@asynccontextmanager
async def of_a_seat(line: str) -> AsyncIterator[Touch]:
    """A line that a seat has typed, from its arrival at the table to its answer. The server has read it."""
    with tempfile.TemporaryDirectory() as folder:
        async with table(Path(folder), "free") as here:
            here.app.background._importing.cancel()
            await asyncio.sleep(0)
            request = here.request(line, "okado", ("okado",), len(here.events))

            async def hear() -> None:
                await here.hear(**request)

            yield hear


@frozen
class Walk:
    """What is traced. `was` and `budget` are files and functions: at first, and at most."""

    what: str
    opened: Callable[[], Any]
    was: tuple[int, int]
    budget: tuple[int, int] | None = None


# The log of the fight that is amended has nine events; the attack is the seventh.
AMENDED = ("attack 3", "next", "next")
WALKS: Mapping[str, Walk] = {
    "action": Walk("a", lambda: at_the_table("a"), (73, 416), (48, 277)),
    "target": Walk("a, then 3", lambda: at_the_table("3", "a"), (46, 214)),
    "enter": Walk("a 3, then Enter", lambda: at_the_table("<Enter>", "a", "3"), (81, 495), (54, 330)),
    "seat": Walk("a seat's attack 3", lambda: of_a_seat("attack 3"), (89, 518), (59, 345)),
    "amend": Walk(
        "amend 7 dice=17, typed, and Enter",
        lambda: at_the_table(":amend 7 dice=17<Enter>", lines=AMENDED),
        (92, 569),
        (46, 284),
    ),
}


async def traced(walk: Walk) -> Trace:
    """Make a walk twice and trace the second."""
    for _ in range(2):
        async with walk.opened() as touch:
            with Trace() as trace:
                await touch()
    return trace


def tracing(world: World) -> Iterator[Row]:
    """Files and functions of each walk, and their share of what they were at first."""
    for name, walk in WALKS.items():
        words = [sys.executable, "-m", "tests.bench.trace", name, "--json"]
        found = subprocess.run(words, env=world.environment, check=True, capture_output=True, text=True)
        figures = json.loads(found.stdout)
        budget = f"{walk.budget[0]}, {walk.budget[1]}" if walk.budget else ""
        yield Row(walk.what, budget, in_words(figures, walk))


def in_words(figures: Mapping[str, int], walk: Walk) -> str:
    """Figures as text: files and functions with their share of the first figures, then the calls."""
    shares = [
        f"{figures[what]} {what} ({figures[what] / was:.2f}x of {was})"
        for what, was in zip(("files", "functions"), walk.was, strict=True)
    ]
    return ", ".join([*shares, *(f"{figures[what]} {what}" for what in COUNTED if figures[what])])


def main(name: str, *options: str) -> int:
    """Trace one walk and print its figures, or each function with its file."""
    trace = asyncio.run(traced(WALKS[name]))
    if options:
        print(json.dumps(trace.figures))
        return 0
    for file, function in sorted(trace.functions):
        print(f"{file}: {function}")
    print(in_words(trace.figures, WALKS[name]))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
