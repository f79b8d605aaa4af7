"""Measure the danger of each sample's whole party, at the start and after each of the first turns."""

import shutil
from collections.abc import Iterator
from contextlib import suppress

from systems.errors import Refused
from tests.bench.world import Row, World, processor_time
from tests.command import SAMPLES
from tui.session.dangers import dangers
from tui.session.live_fight import live_fight
from tui.session.opening import open_fight

TIMES, TURNS = 3, 8


def whole_parties(world: World) -> Iterator[Row]:
    for sample in sorted(path.name for path in SAMPLES.iterdir()):
        folder = world.folder / f"danger-{sample}"
        shutil.copytree(SAMPLES / sample, folder)
        for name in sorted(path.name for path in (folder / "encounters").iterdir()):
            if took := list(_turns(world, sample, name)):
                words = f"{took[0]:.0f} ms at the start, {max(took):.0f} ms the slowest of {len(took)} turns"
                yield Row(f"danger of a party, {sample}, {name}", "100 ms", words)


def _turns(world: World, sample: str, name: str) -> Iterator[float]:
    """Yield the processor time at the beginning of each turn; none if the fight cannot start at once."""
    opened = open_fight(world.folder / f"danger-{sample}", name, seed=5)
    with suppress(Refused):
        opened.session.do("start")
    for _ in range(TURNS):
        fight = live_fight(opened.session)
        if not dangers(fight):
            break
        yield min(processor_time(lambda here=fight: dangers(here)) for _ in range(TIMES))
        with suppress(Refused):
            opened.session.do("next")
    opened.close()
