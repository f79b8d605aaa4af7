"""A seat's screen without a server: a fight in memory, and a wire that keeps what is sent."""

import json
from typing import Any

from systems.codec.plain import to_plain
from systems.visibility.build import view
from systems.visibility.view import View
from systems.visibility.viewer import Shown, Viewer
from tests.systems.fight import Fight
from tests.tui.pilot import running
from tests.tui.table import text_of
from tui.lists.dice_asked import FaceAsked
from tui.seats.app import SeatApp
from tui.seats.questions import SeatAnswers, SeenFight

OKADO = Viewer(frozenset({"okado"}))
SIZES = [(60, 20), (80, 24), (110, 30), (140, 40), (200, 60)]


class FakeWire:
    """Keeps sent messages and answers questions like the server. `is_open` False: not connected."""

    def __init__(self, play: Fight, viewer: Viewer, shown: Shown) -> None:
        self.sent: list[str] = []
        self.replies: list[tuple[int, Any]] = []
        self.withdrawn: list[str] = []
        self.spots: list[dict[str, Any]] = []
        self.is_open = True
        self.fight, self.viewer, self.shown = play, viewer, shown
        self.answers = SeatAnswers()

    async def start(self, received, lost) -> None:
        pass

    def request(self, line: str) -> bool:
        if self.is_open:
            self.sent.append(line)
        return self.is_open

    def reply(self, ask: int, value) -> bool:
        self.replies.append((ask, value))
        return self.is_open

    def withdraw(self, id: str) -> bool:
        self.withdrawn.append(id)
        return self.is_open

    def remember(self, spot) -> None:
        self.spots.append(dict(spot))

    async def ask(self, what: str, **details):
        moment = SeenFight(self.fight.encounter, self.fight.log, self.viewer, self.shown)
        question = json.loads(json.dumps({"what": what, **details}))
        return json.loads(json.dumps(self.answers.answer(moment, question)))


def fight(*lines: str) -> Fight:
    return Fight("atlantis", "add okado", "add tamsin", "add guard x2", "start", *lines)


def seen(play: Fight, viewer: Viewer = OKADO) -> View:
    return view(play.encounter, play.log, viewer)


class Seat:
    """A seat's application that shows a view, driven by keys."""

    def __init__(
        self, first: View, size=(80, 24), play: Fight | None = None, viewer: Viewer = OKADO, **shown
    ) -> None:
        self.app = SeatApp(FakeWire(play or fight(), viewer, Shown(**shown)))
        self.first, self.size = first, size

    async def __aenter__(self) -> "Seat":
        self._running = running(self.app, self.size)
        self.pilot = await self._running.__aenter__()
        self.app.seat.show_view(self.first)
        await self.pilot.idle()
        return self

    async def __aexit__(self, *error) -> None:
        await self._running.__aexit__(*error)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    @property
    def text(self) -> str:
        return text_of(self.app)

    @property
    def sent(self) -> list[str]:
        return self.app.wire.sent


def die(number: int, name: str = "Okado") -> dict[str, Any]:
    return {"kind": "ask", "ask": number, "face": to_plain(FaceAsked(name, 20, "attack"))}
