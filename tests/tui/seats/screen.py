"""A seat's screen without a server: a fight in memory, and a wire that keeps what is sent."""

import json
from typing import Any, TypeVar

from systems.codec.plain import plain_value, to_plain
from systems.visibility.build import view
from systems.visibility.view import View
from systems.visibility.viewer import Shown, Viewer
from tests.systems.fight import Fight
from tests.tui.pilot import running
from tests.tui.table import text_of
from tui.lists.dice_asked import FaceAsked
from tui.seats.app import SeatApp
from tui.seats.questions import SeatAnswers, SeenFight
from tui.seats.seat_messages import FROM_SEAT, AskedBySeat, SeatSpot
from tui.seats.wire import read_answer
from tui.wire.messages import plain_message, read

T = TypeVar("T")

OKADO = Viewer(frozenset({"okado"}))
SIZES = [(60, 20), (80, 24), (110, 30), (140, 40), (200, 60)]


class FakeWire:
    """Keeps sent messages and answers questions like the server. `is_open` False: not connected."""

    def __init__(self, play: Fight, viewer: Viewer, shown: Shown) -> None:
        self.sent: list[str] = []
        self.replies: list[tuple[int, Any]] = []
        self.withdrawn: list[str] = []
        self.spots: list[SeatSpot] = []
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

    def remember(self, spot: SeatSpot) -> None:
        self.spots.append(spot)

    async def ask(self, question: AskedBySeat, kind: type[T]) -> T | None:
        moment = SeenFight(self.fight.encounter, self.fight.log, self.viewer, self.shown)
        asked = read(json.loads(json.dumps(plain_message(question))), FROM_SEAT)
        return read_answer(json.loads(json.dumps(plain_value(self.answers.answer(moment, asked)))), kind)


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
