"""Run the named measurements, or all, and print a table."""

import gc
import os
import platform
import sys
import tempfile
from pathlib import Path

from tests.bench import (
    amend,
    dangers,
    dice,
    effects,
    fights,
    forecasting,
    keys,
    memory,
    odds,
    plans,
    reopen,
    seats,
    start,
    sweeps,
    trace,
)
from tests.bench.world import Row, World

MEASUREMENTS = {
    "start": start.starting,
    "leave": start.leaving,
    "keys": keys.cursor,
    "commands": keys.commands,
    "reopen": reopen.reopening,
    "amend": amend.amending,
    "odds": odds.exact,
    "effects": effects.effects,
    "plans": plans.planning,
    "danger": dangers.whole_parties,
    "fights": fights.playing,
    "forecast": forecasting.keys_next_to_it,
    "sweeps": sweeps.sweeping,
    "dice": dice.rolling,
    "memory": memory.resting,
    "seats": seats.sitting,
    "trace": trace.tracing,
}


def main(names: list[str]) -> int:
    if unknown := set(names) - set(MEASUREMENTS):
        print(f"no measurement {', '.join(sorted(unknown))}; measurements: {', '.join(MEASUREMENTS)}")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        print(
            f"Python {platform.python_version()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
        )
        print()
        print(Row("what", "budget", "measured"))
        # As the programs do after their imports.
        gc.collect()
        gc.freeze()
        for name in names or MEASUREMENTS:
            for row in MEASUREMENTS[name](world):
                print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
