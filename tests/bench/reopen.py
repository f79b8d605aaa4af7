"""Measure how long it takes to reopen a long log: with its cache, without it, and with `tomllib`."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from tests.bench.world import Row, World, interleaved, timed
from tui.campaign.log.cache import NAME
from tui.campaign.log.file import read_log
from tui.session.opening import open_fight

TIMES = 5
EVENTS = 10_000


def reopening(world: World) -> Iterator[Row]:
    campaign = world.campaign(8, EVENTS)
    log = campaign / "encounters" / "bench" / "log.toml"
    open_fight(campaign).close()
    cached = log.with_name(NAME).read_bytes()

    def without() -> float:
        log.with_name(NAME).unlink(missing_ok=True)
        took = timed(lambda: read_log(log, cache=False))
        log.with_name(NAME).write_bytes(cached)
        return took

    found = interleaved(
        {
            "tomllib": lambda: timed(lambda: tomllib.loads(log.read_text("utf-8"))),
            "with": lambda: timed(lambda: read_log(log)),
            "without": without,
            "fight": lambda: timed(lambda: opened(campaign)),
        },
        TIMES,
    )
    bare = found["tomllib"]
    size = log.stat().st_size / 1e6
    yield Row(f"{EVENTS:,} events, {size:.1f} MB, tomllib alone", "", f"{bare:.0f} ms")
    for name, what, budget in (
        ("with", "log with its cache", "0.2x"),
        ("without", "log without", "1.1x"),
        ("fight", "whole fight with the cache", "0.2x"),
    ):
        yield Row(f"{EVENTS:,} events, {what}", budget, f"{found[name]:.0f} ms, {found[name] / bare:.2f}x")


def opened(campaign: Path) -> None:
    open_fight(campaign, write=False)
