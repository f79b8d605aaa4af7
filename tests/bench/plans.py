"""Measure the plan for twelve creatures of each game against four characters of the players."""

from collections.abc import Iterator
from statistics import median

from systems.forecast.plan import plan_of
from systems.sheets import read_sheet
from tests.bench.world import Row, World, processor_time, timed
from tests.systems.fight import GAMES, Entry, Fight
from tests.systems.srd5.facing import FOLDER, sheet_of

TIMES = 5
LINES = ("add okado", "add tamsin", "add okado as Mira", "add okado as Idris", "add guard x12", "start")


def planning(world: World) -> Iterator[Row]:
    for game in GAMES:
        for words, hurt in (("unhurt", 0), ("each with other points", 1)):
            fight = _ready(game, hurt)
            due = len(plan_of(fight.encounter, "sensible", _first, {}).due)
            took = median(
                timed(lambda here=fight.encounter: plan_of(here, "sensible", _first, {}))
                for _ in range(TIMES)
            )
            yield Row(f"plan, {game}, {due} creatures, {words}", "300 ms", f"{took:.0f} ms")

    for at in (0, 12):
        fight = _legendary(at)
        took = min(
            processor_time(lambda here=fight.encounter: plan_of(here, "sensible", _first, {}))
            for _ in range(TIMES)
        )
        yield Row("plan, srd5, 12 different legendary creatures", "300 ms", f"{took:.0f} ms")


def _legendary(at: int) -> Fight:
    """Return a fight in the turn of a legendary creature, with the twelve from this place on."""
    fight = Fight("srd5", *LINES[:4], style="manual")
    files = [path for path in sorted(FOLDER.glob("*.toml")) if "legendary_actions" in path.read_text()]
    for path in files[at : at + 12]:
        fight.roster[path.stem] = Entry(path.stem, "foes", read_sheet(fight.game, sheet_of(path.stem), ""))
        fight.do(f"add {path.stem}")
    fight.do("start")
    while fight.encounter.turn is None or fight.encounter.is_player(fight.encounter.turn):
        fight.do("next")
    fight.encounter = fight.encounter.without_offers()
    return fight


def _first(many: int) -> int:
    return 0


def _ready(game: str, hurt: int) -> Fight:
    """Return a fight in a creature's turn with the players last, so that all creatures are due."""
    fight = Fight(game, *LINES[:-1], style="manual")
    creatures = [each for each in fight.encounter if not fight.encounter.is_player(each)]
    field = fight.game.harm_fields[0]
    for at, each in enumerate(creatures):
        left = max(1, getattr(each.sheet, field) - hurt * (at % 6))
        fight.encounter = fight.encounter.with_combatants(each.with_sheet({field: left}))
    fight.do("start")
    while fight.encounter.turn is None or fight.encounter.is_player(fight.encounter.turn):
        fight.do("next")
    return fight
