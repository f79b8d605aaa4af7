"""Set up the measurements: campaigns of any size, and a home folder for the programs."""

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

import tomli_w

from systems.errors import Refused
from systems.frozen import frozen
from tests.bench.marker import MARKER
from tests.bench.terminal import Terminal
from tests.command import ROOT, SAMPLES
from tests.tui.table import session_of
from tui.campaign.campaign import load
from tui.campaign.log.file import LogWriter
from tui.campaign.openings import read_opening

SAMPLE = "okado-at-the-gate"
COLUMNS = (52, 12)
# The commands of a fight that can go on forever, because no combatant dies of them.
LINES = (
    "attack 2",
    "damage 3 4",
    "heal 3 4",
    "condition 2 prone for 2 rounds",
    "roll 2d6+3",
    "heal all 60",
)


@frozen
class Row:
    """One line of the table."""

    what: str
    budget: str
    measured: str

    def __str__(self) -> str:
        return f"{self.what:<{COLUMNS[0]}} {self.budget:<{COLUMNS[1]}} {self.measured}"


class World:
    """A folder with campaigns, and programs that use it as their home.

    The environment is a user's: variables that slow down every start of Python are removed.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        home = {"HOME": str(folder)}
        for kind in ("CACHE", "CONFIG", "DATA", "STATE"):
            home[f"XDG_{kind}_HOME"] = str(folder / kind.lower())
        os.environ.update(home)
        for name in ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED", "AFFRAY_CAMPAIGNS", "NO_COLOR"):
            os.environ.pop(name, None)
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "TERM": "xterm-256color",
            "COLORTERM": "truecolor",
        }

    def campaign(self, people: int, events: int) -> Path:
        """Return a campaign whose fight has `people` combatants and `events` events; each is made once."""
        path = self.folder / f"fight-{people}-{events}"
        if path.exists():
            return path
        shutil.copytree(SAMPLES / SAMPLE, path, ignore=shutil.ignore_patterns("encounters", ".*"))
        encounter = path / "encounters" / "bench"
        encounter.mkdir(parents=True)
        guard = (SAMPLES / SAMPLE / "roster" / "guard.toml").read_text("utf-8")
        (path / "roster" / "guard.toml").write_text(guard, encoding="utf-8")
        opening = {"format": 1, "title": "Bench", "combatant": [_combatant(n) for n in range(1, people + 1)]}
        (encounter / "opening.toml").write_text(tomli_w.dumps(opening), encoding="utf-8")
        self._play(path, events)
        return path

    def _play(self, path: Path, events: int) -> None:
        campaign = load(path)
        kept: list[Mapping[str, object]] = []
        session = session_of(
            campaign.ruleset,
            campaign.house,
            None,
            campaign.roster,
            read_opening(campaign, "bench"),
            [],
            MemoryLog(kept),
        )
        session.do("start")
        for line in cycle(LINES):
            if len(kept) >= events - 2:
                break
            with suppress(Refused):  # a combatant without an attack left
                session.do(line)
            session.do("next")
        for _ in range(events - len(kept)):
            session.do(f"note {MARKER}")
        LogWriter(campaign.log_path("bench"), "log.toml").append(*kept)

    def affray(self, campaign: Path) -> Terminal:
        """Start the program on a campaign."""
        return Terminal([sys.executable, "-m", "tui", str(campaign)], self.environment)

    def bare(self, *words: str) -> Terminal:
        """Start a bare Textual application; see bare.py."""
        return Terminal([sys.executable, "-m", "tests.bench.bare", *words], self.environment)


@frozen
class MemoryLog:
    """Keeps events in memory."""

    events: list[Mapping[str, object]]

    def append(self, *events: Mapping[str, object]) -> None:
        self.events.extend(events)


def _combatant(number: int) -> dict[str, object]:
    """Return a combatant. Players come first; the first has the name to look for."""
    plays = number <= 4
    return {
        "id": f"one-{number}",
        "name": f"{MARKER} 1" if number == 1 else f"Guard {number}",
        "side": "players" if plays else "foes",
        "kind": "guard",
        "tag": number,
        "sheet": {
            "name": "Guard",
            "abilities": {"melee": 36, "athletics": 15},
            "max_life": 90,
            "weapons": [{"name": "sword", "damage": 15, "ability": "melee"}],
            "attacks_per_round": 9,
        },
    }


def timed(run: Callable[[], object]) -> float:
    """Return the milliseconds that a call takes."""
    begin = perf_counter()
    run()
    return 1000 * (perf_counter() - begin)


def processor_time(run: Callable[[], object]) -> float:
    """Return the milliseconds of processor time that a call takes, which other programs change less."""
    begin = process_time()
    run()
    return 1000 * (process_time() - begin)


def interleaved(cases: Mapping[str, Callable[[], float]], times: int) -> dict[str, float]:
    """Return the median of each case. They run in turn, so that a busy machine affects all alike."""
    found: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(times):
        for name, run in cases.items():
            found[name].append(run())
    return {name: median(each) for name, each in found.items()}
