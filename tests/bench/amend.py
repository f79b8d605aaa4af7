"""Measure an amendment after which 500 events are played again."""

from collections.abc import Iterator
from statistics import median

from systems.errors import Misread, Refused, Wrong
from tests.bench.world import Row, World, timed
from tests.systems.fight import GAMES, Fight
from tui.campaign.progress import without_garbage_collection

TIMES, EVENTS, BUDGET = 5, 500, "250 ms"


def amending(world: World) -> Iterator[Row]:
    for game in GAMES:
        fight = played(game)
        number = len(fight.log.events) - EVENTS
        # A condition that is never ended changes every later state.
        line = f"amend {number} condition guard-8 marked"
        with without_garbage_collection():  # as in the program
            took = median(timed(lambda fight=fight, line=line: fight.done(line)) for _ in range(TIMES))
        yield Row(f"{EVENTS} events amended, {game}", BUDGET, f"{took:.0f} ms")


def played(game: str) -> Fight:
    """Return a long fight of blows, healing and turns."""
    fight = Fight(game, "add okado", "add tamsin", "add guard x8", "start")
    while len(fight.log.events) < EVENTS + 10:
        count = len(fight.log.events)
        target = f"guard-{count % 7 + 1}" if fight.turn in ("okado", "tamsin") else "okado"
        for line in (f"{fight.game.default_action} {target}", "next", "heal all 3", f"damage {target} 1"):
            try:
                fight.do(line)
            except (Misread, Refused, Wrong):
                continue
    return fight
