"""`python -m tests.faults [--fresh] [SCENE ...]`: try every fault at every call, and print the results."""

import argparse
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from tests.faults.points import Runner, on_two_cores, parallel, points_of
from tests.faults.scenes import SCENES


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help="words of a scene's name; all by default")
    parser.add_argument("--fresh", action="store_true", help="a new interpreter for every run: slower")
    parser.add_argument("--kind", default="", help="only faults whose name begins so")
    given = parser.parse_args()
    began = monotonic()
    tried, lost, invented, wrong = Counter[str](), 0, 0, 0
    with TemporaryDirectory(prefix="affray-faults-") as folder:
        runner = Runner(Path(folder))
        points = [
            point
            for scene in SCENES
            if not given.scenes or any(word in scene.name for word in given.scenes)
            for point in points_of(scene, runner)
            if point.kind.startswith(given.kind)
        ]
        runner.close()
        for found in parallel(points, Path(folder), on_two_cores(), given.fresh):
            tried[found.point.scene.name] += 1
            lost += found.lost
            invented += found.invented
            wrong += bool(found.wrong)
            for one in found.wrong:
                print(f"{found.point}: {one[:1000]}")
    for name, number in tried.items():
        print(f"{number:6} points: {name}")
    took = f"{sum(tried.values())} points in {monotonic() - began:.0f} s"
    print(f"{took}: {lost} lost, {invented} invented, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
