"""Measure exact odds of attacks with effects, and of every attack and power of the creatures of SRD 5.2."""

from collections.abc import Iterator
from typing import Any

from systems.commands.preview import preview
from tests.bench.creatures import slowest
from tests.bench.world import Row, World, timed
from tests.systems.emberfall import emberfall

TIMES = 7
EXTRA_DIE = {"ada": {"damage": ("1d8+3 slashing", "1d6 fire")}, "mage": {"max_hp": 99}}
SIX_EFFECTS = {
    "ada": {
        "damage": ("1d8+3 slashing", "2d6 fire"),
        "on_edge": ("1d4 cold",),
        "conditions_on_hit": ("prone", "poisoned"),
    },
    "mage": {"max_hp": 99, "shield": 5, "resists": ("fire",)},
    "guard": {"protects": 2},
}
FIVE_SAVES = {"ada": {"conditions_on_hit": ("prone", "poisoned", "frightened", "prone", "poisoned")}}


def effects(world: World) -> Iterator[Row]:
    plain = spent("attack", {})
    for what, budget, action, sheets, options in (
        ("attack with six effects, two saves among them", "16 ms", "attack", SIX_EFFECTS, {"edge": 1}),
        ("five saves after one hit", "16 ms", "attack", FIVE_SAVES, {}),
        ("three attacks with an extra die", "16 ms", "volley", EXTRA_DIE, {}),
        ("three attacks with six effects", "150 ms", "volley", SIX_EFFECTS, {}),
    ):
        took = spent(action, sheets, **options)
        yield Row(f"odds, {what}", budget, f"{took:.1f} ms, {took / plain:.0f}x an attack without effects")
    yield from slowest()


def spent(name: str, sheets: dict[str, Any], **options: object) -> float:
    """Return the milliseconds for the odds next to a target, the fastest of several times."""
    fight = emberfall("add ada", "add bo", "add mage", "add guard", "start", **sheets)
    action = fight.game.action(name)
    assert action is not None
    given = action.options(**options)
    return min(timed(lambda: preview(fight.encounter, action, "ada", "mage", given)) for _ in range(TIMES))
