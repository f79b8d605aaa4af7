"""`python -m tests.fuzz --seconds N`: try inputs for that long, then report their number and the failures."""

import argparse
import os
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from random import SystemRandom

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.fuzz.targets import TARGETS, Target

_AT_ONCE = 200
_SLOW = 5.0  # seconds for one input


@dataclass(slots=True)
class Count:
    """The results of one target."""

    tried: int = 0
    slowest: float = 0.0
    slow: str = ""
    failures: dict[str, str] = field(default_factory=dict)


def run(target: Target, count: Count, number: int, until: float) -> None:
    """Try one round of inputs. Shrink each failure, and note it once per place in the code."""

    def tries(value: object) -> None:
        if time.monotonic() > until and not count.failures:
            return
        begin = time.monotonic()
        count.tried += 1
        try:
            target.holds(value)
        finally:
            if (took := time.monotonic() - begin) > count.slowest:
                count.slowest, count.slow = took, repr(value)[:200]

    profile = settings(
        max_examples=_AT_ONCE,
        deadline=None,
        database=None,
        derandomize=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    try:
        seed(number)(profile(given(target.inputs)(tries)))()
    except Exception as error:  # noqa: BLE001 - any exception is a finding
        place = traceback.extract_tb(error.__traceback__)[-1]
        key = f"{type(error).__name__} at {place.filename}:{place.lineno}"
        notes = "\n".join(getattr(error, "__notes__", ()))
        count.failures.setdefault(key, f"{str(error)[:1500]}\n{notes[:3000]}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", choices=[one.name for one in TARGETS], help="one reader alone")
    arguments = parser.parse_args()
    os.environ["HOME"] = tempfile.mkdtemp(prefix="affray-fuzz-home-")
    targets = [one for one in TARGETS if arguments.only in (None, one.name)]
    counts = {one.name: Count() for one in targets}
    random = SystemRandom()
    begin = time.monotonic()
    for number, target in enumerate(targets, 1):
        # Each target gets an equal share of the time, however long one input takes.
        until = begin + arguments.seconds * number / len(targets)
        while time.monotonic() < until:
            run(target, counts[target.name], random.getrandbits(32), until)
    for name, count in counts.items():
        failed = f"{len(count.failures)} failures"
        print(f"{name:<10} {count.tried:>9,} inputs  {failed}  slowest {count.slowest:.2f} s")
        if count.slowest > 1:
            print(f"  {count.slow}")
        for place, about in count.failures.items():
            print(f"  {place}\n    " + about.replace("\n", "\n    "))
    failures = sum(len(one.failures) for one in counts.values())
    total = sum(one.tried for one in counts.values())
    print(f"{total:,} inputs in {time.monotonic() - begin:.0f} s, {failures} failures")
    return 1 if failures or any(one.slowest > _SLOW for one in counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
