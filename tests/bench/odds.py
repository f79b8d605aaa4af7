"""Measure exact odds of every action, on the written examples of each game and in the sample fights."""

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from statistics import median
from typing import Any

from systems import built_in, load
from systems.commands.preview import preview
from systems.commands.relevance import relevant_options
from systems.odds import TooManyDice
from systems.requests import odds
from tests.bench.world import Row, World, timed
from tests.command import PREPARED, ROOT, SAMPLES
from tui.session.opening import open_fight

TIMES = 5


def exact(world: World) -> Iterator[Row]:
    for name in built_in():
        game = load(name)
        found = dict(sorted(took(name).items(), key=lambda one: -one[1][0]))
        (slowest, (worst, example)), default = next(iter(found.items())), found[game.default_action]
        yield Row(
            f"odds, {name}, {game.default_action}, slowest example",
            "16 ms",
            f"{default[0]:.1f} ms ({default[1]})",
        )
        yield Row(
            f"odds, {name}, slowest of {len(found)} actions: {slowest}",
            "16 ms",
            f"{worst:.1f} ms ({example})",
        )
    for sample, encounter in PREPARED.items():
        yield previewed(sample, encounter)
        yield asked(sample, encounter)


def took(name: str) -> dict[str, tuple[float, str]]:
    """Return, by action, the milliseconds of its slowest example, and the example's id."""
    game, found = load(name), defaultdict[str, tuple[float, str]](lambda: (0.0, ""))
    book = tomllib.loads((ROOT / "tests" / "vectors" / f"{name}.toml").read_text("utf-8"))
    for one in book["vector"]:
        request = {key: one[key] for key in ("action", "actor", "target", "options", "house") if key in one}
        found[one["action"]] = max(found[one["action"]], (spent(game, request), one["id"]))
    return found


def spent(game: Any, request: dict[str, Any]) -> float:
    try:
        return median(timed(lambda: odds(game, request)) for _ in range(TIMES))
    except TooManyDice:
        return float("inf")


def asked(sample: str, encounter: str) -> Row:
    """Measure the search for the options that can matter, for the first few pairs."""
    session = open_fight(SAMPLES / sample, encounter, write=False).session
    fight, game = session.encounter, session.game
    action = game.action(game.default_action)
    options = action.options()
    pairs = [(actor.id, foe.id) for actor in fight for foe in fight if actor.side != foe.side][:TIMES]

    def found(actor: str, foe: str) -> float:
        return median(
            timed(lambda: relevant_options(fight, action, actor, foe, options)) for _ in range(TIMES)
        )

    slowest = max(found(*pair) for pair in pairs)
    return Row(f"options that can matter, {game.name}", "16 ms", f"{slowest:.1f} ms the slowest")


def previewed(sample: str, encounter: str) -> Row:
    """Measure the first player's default action against every foe, as the list of targets previews it."""
    session = open_fight(SAMPLES / sample, encounter, write=False).session
    fight, game = session.encounter, session.game
    action = game.action(game.default_action)
    actor = next(one for one in fight if one.side == "players")
    foes = [one.id for one in fight if one.side != actor.side]
    options = action.options()

    def shown(foe: str) -> float:
        return median(timed(lambda: preview(fight, action, actor.id, foe, options)) for _ in range(TIMES))

    slowest = max(map(shown, foes))
    return Row(
        f"odds next to a target, {game.name}, {len(foes)} foes", "16 ms", f"{slowest:.1f} ms the slowest"
    )
