"""What reaches a seat is the same to the byte, however many are hidden, in every sample."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import cycle
from pathlib import Path
from random import Random

import pytest
from rich.segment import Segment

from systems.codec.plain import to_plain
from systems.dice.sources import DieRequest
from systems.encounter.events import Event
from systems.visibility.build import view
from systems.visibility.changes import to_changes
from systems.visibility.view import View
from systems.visibility.viewer import PUBLIC, Viewer
from tests.tui.opened import SAMPLES, copied
from tests.tui.pilot import running
from tui.seats.app import SeatApp
from tui.session.opening import OpenEncounter, open_fight
from tui.wire.frames import encode

NAMES = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
HIDDEN = (0, 1, 4)
MOST_NEXT = 40


class World:
    """A sample with so many hidden combatants. `seed` None: the dice in sight are real ones.

    `saves`: what happens is written to the campaign, else it is kept in memory.
    """

    def __init__(
        self, folder: Path, name: str, hidden: int, seed: int | None, *, saves: bool = False
    ) -> None:
        self.path = copied(folder / f"{hidden}-{seed}", name)
        self.fight: OpenEncounter = open_fight(self.path, seed=seed)
        self.session, self.seed, self.hidden = self.fight.session, seed, hidden
        if not saves:
            self.session.writer = Kept()
        self.thrown: dict[str, Random] = {}
        roster = self.session.roster
        self.players = {who for who, entry in roster.items() if entry.side == "players"}
        self.foe = next(who for who in roster if who not in self.players)

    def play(self) -> Iterator[None]:
        """A start, turns, attacks and rolls; a pause after each thing that can be seen."""
        for at in range(self.hidden):
            self.session.do(f'add {self.foe} as "Shadow {at + 1}" hidden')
        if self.session.encounter.progress.round == 0:
            self._thrown("start")
            self._pass_hidden()
            yield
        for _ in range(3):
            self._act()
            yield
            self._roll()
            yield
            if self.hidden:
                # What is out of sight goes on between things that are seen.
                self.session.do("roll 3d6 secret")
                self.session.do(f"damage {self.hidden_ids()[0]} 2")
            self._thrown("next")
            self._pass_hidden()
            yield

    def hidden_ids(self) -> list[str]:
        people = self.session.encounter
        return [each.id for each in people if each.state.name and each.state.name.startswith("Shadow")]

    def _pass_hidden(self) -> None:
        for _ in range(MOST_NEXT):
            turn = self.session.encounter.turn
            if turn is None or turn.in_sight:
                return
            self._thrown("next")

    def _act(self) -> None:
        """Return the main action of the combatant with the turn against the first conscious foe in sight."""
        people, game = self.session.encounter, self.session.game
        seen = [each for each in people if each.in_sight and people.status(each).acts]
        actor = people.turn or seen[0]
        target = next(each for each in seen if each.side != actor.side)
        self._thrown(f"{game.default_action} {target.id} by {actor.id}")

    def _roll(self) -> None:
        who = next(each for each in self.session.encounter if each.in_sight).id
        self._thrown(f"roll 2d6 for {who}")

    def _thrown(self, line: str) -> None:
        """A line whose dice are real where there is no seed."""
        self.session.dice = "real" if self.seed is None else "program"
        attempt = self.session.begin(line, asks=True)
        while not isinstance(found := attempt.run(), Event):
            if isinstance(found, DieRequest):
                attempt.give(found, self._face(found))
            else:
                attempt.answer(found.suggest)
        self.session.keep(found)
        self.session.dice = "program"

    def _face(self, needs: DieRequest) -> int:
        """What a real die shows. Each person has a row of faces for each purpose.

        So a roll-off against somebody hidden, which only one world has, uses up no face of another roll.
        """
        purpose = f"{needs.of} {needs.why}"
        return self.thrown.setdefault(purpose, Random(purpose)).randint(1, needs.sides)

    def views(self) -> list[View]:
        """What every seat and the public see."""
        shown = self.fight.campaign.seats
        viewers = [Viewer(frozenset({who})) for who in sorted(self.players)]
        return [view(self.session.encounter, self.session.log, each, shown) for each in (*viewers, PUBLIC)]


class Kept:
    """Keeps events in memory."""

    def append(self, *events: object) -> None:
        """Take events."""


def sha(views: list[View], before: Sequence[View] = ()) -> str:
    """Return the hash of the views as sent: whole, and as differences from earlier ones."""
    found = sha256()
    for seen, earlier in zip(views, before or views, strict=True):
        found.update(encode({"kind": "view", "view": to_plain(seen)}))
        found.update(encode({"kind": "view", "changes": to_changes(earlier, seen)}))
    return found.hexdigest()


def sums(folder: Path, name: str, hidden: int, seed: int | None) -> list[str]:
    world = World(folder, name, hidden, seed)
    found, before = [], []
    for _ in world.play():
        views = world.views()
        found.append(sha(views, before))
        before = views
    return found


@pytest.mark.parametrize(("name", "seed"), [*zip(NAMES, cycle([None, 11]), strict=False)])
def test_the_bytes_of_a_seat_are_the_same_with_0_1_and_4_hidden(tmp_path, name, seed):
    none, one, four = (sums(tmp_path, name, hidden, seed) for hidden in HIDDEN)
    assert len(set(none)) > 4
    assert none == one
    assert none == four


async def test_the_painted_screen_of_a_seat_is_the_same_with_0_1_and_4_hidden(tmp_path):
    painted = []
    for hidden in HIDDEN:
        world, app, found = World(tmp_path, NAMES[0], hidden, 11), SeatApp(None), []
        async with running(app, (100, 30)) as pilot:
            for _ in world.play():
                app.seat.show_view(world.views()[0])
                await pilot.idle()
                found.append(picture(app))
        painted.append(found)
    assert painted[0] == painted[1] == painted[2]
    assert len(set(painted[0])) > 4


def picture(app: SeatApp) -> str:
    """Return the hash of the screen with its colours."""
    lines = app.screen._compositor.render_strips(app.size)
    pieces = [
        (piece.text, str(piece.style)) for line in lines for piece in line if isinstance(piece, Segment)
    ]
    return sha256(repr(pieces).encode()).hexdigest()


def test_a_revealed_combatant_changes_the_bytes(tmp_path):
    hidden, seen = (World(tmp_path / str(at), NAMES[0], 1, 11) for at in range(2))
    for world in (hidden, seen):
        next(world.play())
    assert sha(hidden.views()) == sha(seen.views())
    seen.session.do(f"reveal {seen.hidden_ids()[0]}")
    assert sha(hidden.views()) != sha(seen.views())
