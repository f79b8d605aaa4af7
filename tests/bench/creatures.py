"""Measure the odds of every attack, power and multiattack of the creatures of SRD 5.2."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import process_time
from typing import Any

from systems.commands.preview import preview
from systems.commands.relevance import relevant_options
from tests.bench.world import Row
from tests.systems.fight import Fight
from tests.systems.srd5.facing import FOLDER, facing

TIMES = 3
SLOWEST = 5
# Each kind of measurement, with the milliseconds that it may take.
BUDGETS = {
    "odds of an attack": 16,
    "odds of a power": 16,
    "odds of a multiattack": 50,
    "odds of an attack, with a reaction": 150,
    "odds of a multiattack, with a reaction": 150,
    "options that can matter": 16,
}
Taken = dict[str, list[tuple[float, str]]]


def slowest() -> Iterator[Row]:
    """Yield the slowest of each kind: against a hero, and against a knight that can parry."""
    taken: Taken = defaultdict(list)
    for name in sorted(path.stem for path in FOLDER.glob("*.toml")):
        with suppress(AssertionError):
            _measure(taken, name)
    for kind, budget in BUDGETS.items():
        found = sorted(taken[kind], reverse=True)
        over = sum(took > budget for took, _ in found)
        yield Row(f"srd5, {len(found)} × {kind}", f"{budget} ms", f"{over} take longer; the slowest:")
        for took, what in found[:SLOWEST]:
            yield Row(f"  {what}", "", f"{took:.1f} ms")


def _measure(taken: Taken, name: str) -> None:
    """Add the times of one creature."""
    fight = facing(name, max_hp=60)
    for action, options in _uses(fight, name):
        what = " ".join((name, *options.values()))
        taken[f"odds of {_NAMES[action]}"].append((_odds(fight, name, "mira", action, options), what))
        taken["options that can matter"].append((_choices(fight, name, action, options), f"{what} {action}"))
    if name == "knight":
        return
    fight = facing(name, "knight")
    for action, options in _uses(fight, name):
        if action != "power":
            took = _odds(fight, name, "knight", action, options)
            what = " ".join((name, *options.values()))
            taken[f"odds of {_NAMES[action]}, with a reaction"].append((took, what))


_NAMES = {"attack": "an attack", "power": "a power", "multiattack": "a multiattack"}


def _uses(fight: Fight, name: str) -> list[tuple[str, dict[str, Any]]]:
    """Return every attack and power of a creature, and its multiattack, with options."""
    sheet = fight.sheet(name)
    found: list[tuple[str, dict[str, Any]]] = [("attack", {"weapon": each.name}) for each in sheet.attacks]
    found += [("power", {"power": each.name}) for each in sheet.powers]
    return [*found, ("multiattack", {})] if sheet.multiattack else found


def _odds(fight: Fight, actor: str, target: str, action: str, options: dict[str, Any]) -> float:
    used = fight.game.action(action)
    assert used is not None
    return _spent(lambda: preview(fight.encounter, used, actor, target, used.options(**options)))


def _choices(fight: Fight, actor: str, action: str, options: dict[str, Any]) -> float:
    used = fight.game.action(action)
    assert used is not None
    return _spent(lambda: relevant_options(fight.encounter, used, actor, "mira", used.options(**options)))


def _spent(run: Callable[[], object]) -> float:
    """Return the milliseconds of processor time, the fastest of several times."""
    best = float("inf")
    for _ in range(TIMES):
        start = process_time()
        run()
        best = min(best, process_time() - start)
    return best * 1000
