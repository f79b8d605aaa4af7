"""A fight in memory for the tests of the screens: a session whose writer is a list."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from types import SimpleNamespace
from typing import Any

from systems import load
from systems.contract.ruleset import OrderStyle, Ruleset
from systems.encounter.changes import replay
from systems.encounter.history import Event, history
from systems.encounter.model import new_encounter
from systems.encounter.serialize import plain
from systems.encounter.timeline import Timeline
from systems.frozen import evolve, frozen
from systems.schema.conversion import read
from tests.tui.pilot import Pilot, running
from tui.app import AffrayApp
from tui.campaign.campaign import SeatSettings
from tui.session.session import EventWriter, Session, chance

NOON = "2026-01-01T12:00:00+00:00"


@frozen
class Entry:
    """An entry of the roster."""

    name: str
    side: str
    sheet: Any
    party: str = ""


@dataclass(slots=True)
class Shelf:
    """Keeps events in a list; `broken` makes it refuse, as a full disk does."""

    events: list[Mapping[str, Any]] = field(default_factory=list)
    broken: Exception | None = None

    def append(self, *events: Mapping[str, Any]) -> None:
        if self.broken:
            raise self.broken
        self.events += events


SHEETS: dict[str, dict[str, Any]] = {
    "okado": {
        "abilities": {"melee": 53, "dodge": 30, "stealth": 40},
        "traits": {"body": 12},
        "max_life": 52,
        "weapons": [{"name": "sword", "damage": 15}, {"name": "katana", "damage": 18}],
        "max_armour_pool": 20,
        "armour_per_attack": 6,
        "attacks_per_round": 2,
    },
    "tamsin": {"abilities": {"melee": 30, "bow": 45}, "max_life": 48},
    "guard": {
        "abilities": {"melee": 36},
        "max_life": 45,
        "weapons": [{"name": "sword", "damage": 15}],
        "max_armour_pool": 10,
        "armour_per_attack": 4,
    },
    "raider-captain": {
        "abilities": {"melee": 48},
        "max_life": 50,
        "weapons": [{"name": "axe", "damage": 18}],
        "max_armour_pool": 30,
        "armour_per_attack": 8,
    },
    "wolf": {"abilities": {"melee": 30}, "max_life": 20},
}
PLAYERS = ("okado", "tamsin")


def roster() -> dict[str, Entry]:
    game = load("atlantis")
    return {
        name: Entry(
            name.replace("-", " ").capitalize(),
            "players" if name in PLAYERS else "foes",
            read(game.sheet, sheet),
        )
        for name, sheet in SHEETS.items()
    }


def session_of(
    game: Ruleset,
    house: Any,
    style: OrderStyle | None,
    roster: Mapping[str, Any],
    opening: Mapping[str, Any],
    events: Sequence[Event],
    writer: EventWriter | None,
) -> Session:
    """The session of an opening and its events. Raises Wrong when they do not fit together."""
    present = replay(game, house, style, opening, events)
    return Session(game, house, roster, present, history(events), writer)


def session(*commands: str, title: str = "North gate", seed: int = 3) -> Session:
    """A session of Atlantis after these commands."""
    played = _played(commands, title, seed)
    assert isinstance(played.writer, Shelf)
    return evolve(
        played,
        roster=roster(),
        writer=Shelf([*played.writer.events]),
        streams=deepcopy(played.streams),
        curves=Timeline(),
    )


@cache
def _played(commands: tuple[str, ...], title: str, seed: int) -> Session:
    """The same session, which many tests begin with; nobody changes it."""
    game = load("atlantis")
    house = game.house()
    # The keys in these tests name combatants by the numbers that they have in a fight of an older version.
    opening = plain(new_encounter(game, house, title=title)) | {"numbering": 1}
    found = session_of(game, house, None, roster(), opening, [], Shelf())
    found.streams = chance(seed)
    found.now = lambda: NOON
    for line in commands:
        found.do(line)
    return found


GATE = ("add okado", "add tamsin", "add guard x2", "add raider-captain", "add wolf in round 3")


def at_the_gate(*commands: str, begun: bool = True) -> Session:
    """Okado, Tamsin, two guards, a captain, and a wolf that comes in round 3."""
    return session(*GATE, *(("start",) if begun else ()), *commands)


def campaign(title: str = "Okado at the gate") -> Any:
    """As much of a campaign as the header shows."""
    return SimpleNamespace(title=title, seats=SeatSettings())


def app(here: Session | None = None) -> AffrayApp:
    return AffrayApp(campaign=campaign(), session=here or at_the_gate())


def text_of(app: AffrayApp) -> str:
    """The text that is on the screen."""
    height = app.size.height
    lines = app.screen._compositor.render_strips(app.size)
    return "\n".join("".join(segment.text for segment in line).rstrip() for line in lines[:height])


SIZES = [(60, 20), (80, 24), (140, 40)]
NAMED = {
    " ": "space",
    "+": "plus",
    "-": "minus",
    ".": "full_stop",
    ":": "colon",
    "/": "slash",
    "?": "question_mark",
}
SPECIAL = {
    "Enter": "enter",
    "Esc": "escape",
    "Tab": "tab",
    "Up": "up",
    "Down": "down",
    "Left": "left",
    "Right": "right",
}


def keys(text: str) -> list[str]:
    """`a3<Enter>` as Textual names keys; what stands in angles is a key by its name."""
    found: list[str] = []
    while text:
        if text.startswith("<") and ">" in text:
            name, text = text[1:].split(">", 1)
            # A key that the program takes for none would let a test press nothing.
            assert name in SPECIAL or name == name.lower(), name
            found.append(SPECIAL.get(name, name))
        else:
            found.append(NAMED.get(text[0], text[0]))
            text = text[1:]
    return found


@dataclass(slots=True)
class Play:
    """A running program: `press` types, `text` is what is on the screen."""

    app: AffrayApp
    pilot: Pilot

    async def press(self, text: str) -> None:
        await self.pilot.press(*keys(text))

    @property
    def text(self) -> str:
        return text_of(self.app)

    @property
    def session(self) -> Session:
        assert self.app.table.session is not None
        return self.app.table.session

    def one(self, who: str) -> Any:
        return self.session.encounter.combatants[who]

    @property
    def last(self) -> Mapping[str, Any]:
        """The newest event."""
        return self.session.log.events[-1]


@asynccontextmanager
async def playing(here: Session | None = None, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Play]:
    """The program on a screen of that size."""
    program = app(here)
    async with running(program, size) as pilot:
        yield Play(program, pilot)
