"""Measure the time from a key to the settled screen, for the cursor and for whole commands."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from statistics import median, quantiles
from time import sleep

from systems.frozen import frozen
from tests.bench.marker import MARKER
from tests.bench.start import opened
from tests.bench.terminal import Painted, Terminal
from tests.bench.world import Row, World

TIMES = 40
DOWN, UP = "\x1b[B", "\x1b[A"


@frozen
class Case:
    """A program, the keys to measure in order, and the text typed before each of them."""

    terminal: Terminal
    keys: tuple[str, ...]
    before: str = ""


def measured(cases: dict[str, Case], times: int = TIMES) -> dict[str, list[Painted]]:
    """Press the keys of all programs in turn, at irregular intervals."""
    random = Random(1)
    found: dict[str, list[Painted]] = {name: [] for name in cases}
    for time in range(times):
        for name, case in cases.items():
            for key in case.before:
                case.terminal.press(key)
            sleep(random.uniform(0.01, 0.03))
            found[name].append(case.terminal.press(case.keys[time % len(case.keys)]))
    for case in cases.values():
        case.terminal.kill()
    return found


def middle(painted: Sequence[Painted], of: Callable[[Painted], float]) -> float:
    return median(of(one) for one in painted)


def in_words(painted: Sequence[Painted], bare: Sequence[Painted] | None = None) -> str:
    """Return median and 95th percentile of the last byte, bytes and frames, with the ratios to `bare`."""
    last, size = middle(painted, lambda one: one.last), middle(painted, lambda one: one.size)
    frames = middle(painted, lambda one: one.frames)
    late = quantiles([one.last for one in painted], n=20)[-1]
    text = f"{last:.1f} ms (p95 {late:.1f}), {size:.0f} bytes, {frames:.0f} frame{'' if frames == 1 else 's'}"
    if bare is None:
        return text
    ratio = last / middle(bare, lambda one: one.last)
    return f"{text}: {ratio:.2f}x, bytes {size / middle(bare, lambda one: one.size):.2f}x"


def table(world: World, rows: int) -> Terminal:
    terminal = world.bare("table", str(rows))
    terminal.until(MARKER)
    terminal.settle()
    return terminal


def cursor(world: World) -> Iterator[Row]:
    for people, budget in ((20, "1.0x, 1.0x b."), (1_000, "0.3x, 0.3x b.")):
        bare, affray = table(world, people), opened(world, world.campaign(people, 3))
        steps, keys = (5, (DOWN, UP)) if people < 100 else (40, (DOWN,))
        for _ in range(steps):  # away from the edge, or past the point at which both scroll
            bare.press(DOWN)
            affray.press(DOWN)
        found = measured({"bare": Case(bare, keys), "affray": Case(affray, keys)})
        yield Row(f"cursor down, bare table, {people:,} rows", "", in_words(found["bare"]))
        yield Row(f"cursor down, {people:,} combatants", budget, in_words(found["affray"], found["bare"]))


def commands(world: World) -> Iterator[Row]:
    small, large = world.campaign(8, 100), world.campaign(8, 10_000)
    cases = {
        "bare": Case(table(world, 20), (DOWN, UP)),
        "next": Case(opened(world, small), ("n",)),
        "damage": Case(opened(world, world.campaign(8, 99)), ("\r",), "d31"),
        "next late": Case(opened(world, large), ("n",)),
        "damage late": Case(opened(world, world.campaign(8, 9_999)), ("\r",), "d31"),
    }
    found = measured(cases)
    yield Row("cursor down, bare table", "", in_words(found["bare"]))
    yield Row("next turn, after 100 events", "2x", in_words(found["next"], found["bare"]))
    yield Row("d 3 1, Enter, after 100 events", "2x", in_words(found["damage"], found["bare"]))
    for what, early in (("next", "next turn"), ("damage", "d 3 1, Enter")):
        late, soon = (middle(found[name], lambda one: one.last) for name in (f"{what} late", what))
        yield Row(f"{early}, after 10,000 events", "1x of 100", f"{late:.1f} ms: {late / soon:.2f}x")
