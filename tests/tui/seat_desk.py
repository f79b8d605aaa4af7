"""A game master's program with a desk of seats, in one process: the test plays the server."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from systems.commands.table import kind_of
from systems.errors import Misread, Refused, Wrong
from systems.visibility.acting import read_request
from systems.visibility.viewer import Viewer
from tests.tui.opened import OKADO, copied, opened
from tests.tui.pilot import Pilot, running
from tests.tui.table import text_of
from tui.app import AffrayApp
from tui.campaign.seats import escaped_name, named_seat
from tui.controllers.seat_meaning import answer_words, seen_at
from tui.controllers.seats import SeatDesk
from tui.display.refusals import misread_words
from tui.wire.messages import plain_message, read
from tui.wire.table_messages import TO_TABLE

SIZE = (120, 34)


class FakeLink:
    """The connection with the server: keeps what was sent."""

    is_open = True

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def send(self, message: object) -> None:
        self.sent.append(json.loads(json.dumps(plain_message(message))))

    def abort(self) -> None:
        self.is_open = False


@dataclass(slots=True)
class Table:
    """A game master's program with the desk of its seats."""

    app: AffrayApp
    pilot: Pilot
    desk: SeatDesk
    link: FakeLink
    count: int = 0

    async def seat(
        self, line: str, name: str = "okado", own: Sequence[str] = (), n: int | None = None
    ) -> None:
        """A line that a seat has typed; `n`: after which event, the newest one if it is not said."""
        self.count += 1
        try:
            request = self.request(line, name, own or (name,), len(self.events) if n is None else n)
        except (Misread, Refused, Wrong) as error:
            words = misread_words(line, error) if isinstance(error, Misread) else str(error)
            text = answer_words(words)
            self.link.send(
                {"kind": "result", "id": f"t{self.count}", "seat": name, "ok": False, "text": text}
            )
            return
        await self.hear(**request)

    def request(self, line: str, name: str, own: Sequence[str], n: int) -> dict[str, Any]:
        """What the server makes of a line: it reads the line in the fight that the seat sees."""
        viewer = Viewer(frozenset(own))
        command = read_request(seen_at(self.session, n, viewer, self.desk._shown()), viewer, line)
        return {
            "kind": "request",
            "id": f"t{self.count}",
            "seat": name,
            "characters": list(own),
            "encounter": self.app.table.fight.encounter,
            "line": line,
            "n": n,
            "command": command.name,
            "intent": kind_of(command).plain(command.intent),
        }

    async def hear(self, **message: Any) -> None:
        """A message of the server."""
        self.desk._received(self.link, read(message, TO_TABLE))
        await self.pilot.idle()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    @property
    def session(self) -> Any:
        return self.app.table.session

    @property
    def events(self) -> Sequence[Any]:
        return self.session.log.events

    @property
    def turn(self) -> str:
        return self.session.encounter.progress.turn

    @property
    def text(self) -> str:
        return text_of(self.app)

    def told(self, kind: str) -> list[dict[str, Any]]:
        """The messages of a kind that the server was sent."""
        return [message for message in self.link.sent if message["kind"] == kind]

    @property
    def answer(self) -> str:
        """What the seats were told last."""
        return self.told("result")[-1]["text"]

    @property
    def asked(self) -> dict[str, Any]:
        """The die or choice that a seat was asked for last."""
        return self.told("ask")[-1]


@asynccontextmanager
async def table(
    folder: Path,
    acting: str,
    *lines: str,
    dice: str = "program",
    name: str = OKADO,
    hand_over: str = "ask",
) -> AsyncIterator[Table]:
    """A sample after these lines, with the seats' `acting` and `hand_over`."""
    campaign = copied(folder, name)
    file = campaign / "campaign.toml"
    text = file.read_text().replace('dice = "program"', f'dice = "{dice}"')
    file.write_text(f'{text}\n[seats]\nacting = "{acting}"\nhand_over = "{hand_over}"\n')
    app = opened(folder, name=name)
    async with running(app, SIZE) as pilot:
        for line in lines:
            app.table.session.do(line)
        desk, link = SeatDesk(app.table), FakeLink()
        app.table.desk, desk.listener.links = desk, [link]  # type: ignore[list-item]
        app.services.show_all()
        await pilot.idle()
        yield Table(app, pilot, desk, link)


REAL = "players"


async def answered(here: Table, name: str) -> None:
    """Answer the dice of a seat's character until none of them is asked for."""
    while here.desk.asks.open and here.asked["character"] == name:
        face = {20: 20, 6: 2}.get(here.asked.get("face", {}).get("sides"), 1)
        await here.hear(kind="reply", ask=here.asked["ask"], value=face, seat=name)


ATTACK = {"action": "attack", "targets": "guard-1", "by": "okado"}
GHOST = ("start", "add guard as Ghost hidden", "order Ghost after okado")
MARK, OTHER_MARK = f"SHA256:{'x' * 43}", f"SHA256:{'y' * 43}"


def knock(number: int, name: str = "tamsin", **more: Any) -> dict[str, Any]:
    """A guest as the server reports it, with the first key."""
    said = {"address": "192.168.100.101", "fingerprint": MARK, "key_of": "", "kicked_from": ""}
    return {"id": number, "name": escaped_name(name), "seat": named_seat(name), **said, **more}


def seats_state(**seats: dict[str, Any]) -> dict[str, Any]:
    """The state that the server reports, without knocks."""
    plain = {"password": "", "kicked": [], "screens": [], "keys": [], "characters": []}
    listed = [{"name": name, **plain, **more} for name, more in seats.items()]
    return {"kind": "state", "seats": listed, "knocks": [], "where": WHERE}


WHERE = {"address": "192.168.100.100", "port": 22222, "fingerprint": f"SHA256:{'z' * 43}"}


def let_in(knock: int, seat: str, *, for_good: bool = True, second_key: bool = False) -> dict[str, Any]:
    """The message that lets a guest in."""
    said = {"knock": knock, "seat": seat, "for_good": for_good, "second_key": second_key}
    return {"kind": "let_in", **said}
