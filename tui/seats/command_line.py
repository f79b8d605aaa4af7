"""The two commands that a seat may run without a screen: `status` and `roll DICE`."""

import asyncio
from typing import Protocol

from systems.contract.marked_text import possessive
from systems.dice.expression import DiceError
from systems.dice.notation import parse
from systems.errors import Refused
from systems.text import clean, plain_number
from systems.visibility.parts import OrderRow
from systems.visibility.view import View
from tui.campaign.seats import Seat
from tui.controllers.seat_meaning import answer_words
from tui.seats import bounds
from tui.seats.following import FollowedCampaign
from tui.seats.ssh_session import SeatSession

_LONGEST = 300
_PATIENCE = 30.0  # seconds that a roll at the table may take
_PATIENCE_OF_PEOPLE = 300.0


class CommandTable(Protocol):
    """The game master's program as a command without a screen uses it."""

    def request_of_command(self, command: "SeatCommandLine", line: str) -> bool:
        """Forward the request of a command. Return False if no game master's program is running.

        Raises Refused.
        """

    def forget_command(self, command: "SeatCommandLine") -> None:
        """Stop waiting for the answer to a command."""


class CommandHost(Protocol):
    """The server as a command without a screen uses it."""

    followed: FollowedCampaign

    @property
    def table(self) -> CommandTable:
        """Return the game master's program."""


class SeatCommandLine:
    """One command of a seat and the session that receives its answer. `dice`: "" for `status`."""

    def __init__(self, server: CommandHost, session: SeatSession, seat: Seat, dice: str) -> None:
        self.server, self.session, self.seat, self.dice = server, session, seat, dice
        self._timer: asyncio.TimerHandle | None = None

    def run(self) -> None:
        """Answer immediately, or forward the command to the table."""
        if not self.dice:
            view, _ = self.server.followed.view_of(self.seat)
            self.finish("\n".join(status_lines(view)), 0)
            return
        try:
            parse(self.dice)
        except DiceError as error:
            self.finish(f"{error}", 1)
            return
        if not self.session.pace.requests.try_take(1, asyncio.get_running_loop().time()):
            self.finish(bounds.TOO_FAST, 1)
            return
        try:
            is_sent = self.server.table.request_of_command(self, f"roll {self.dice}")
        except Refused as error:
            self.finish(answer_words(str(error)), 1)
            return
        if not is_sent:
            self.finish("The game master's program is not running; nothing was rolled.", 1)
            return
        self._timer = asyncio.get_running_loop().call_later(
            _PATIENCE, self.finish, "The table does not answer.", 1
        )

    def wait(self, text: str) -> None:
        """Say that the command waits for the game master, who may take a while."""
        self._write(text)
        if self._timer:
            self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(
                _PATIENCE_OF_PEOPLE,
                self.finish,
                "The game master has not answered; the request may still wait.",
                1,
            )

    def _write(self, text: str) -> None:
        for line in text.split("\n"):
            self.session.write(f"{clean(line, 4_000)}\n".encode())

    def finish(self, text: str, status: int) -> None:
        """Write the answer and end the session."""
        self.stop()
        self._write(text)
        self.session.end(status)

    def stop(self) -> None:
        """Stop waiting for an answer."""
        if self._timer:
            self._timer.cancel()
        self.server.table.forget_command(self)


def command_line(
    server: CommandHost, session: SeatSession, seat: Seat, command: str
) -> SeatCommandLine | None:
    """Return the command for a typed line, or None if a seat may not run it."""
    verb, _, rest = command.strip().partition(" ")
    dice = rest.strip()
    if verb == "status" and not dice:
        return SeatCommandLine(server, session, seat, "")
    if verb == "roll" and dice and len(command) <= _LONGEST:
        return SeatCommandLine(server, session, seat, dice)
    return None


def status_lines(view: View) -> list[str]:
    """Return the fight as a seat sees it, with one line for each combatant."""
    if view.over:
        state = "the fight is over"
    elif not view.round:
        state = "the fight has not begun"
    else:
        state = f"round {view.round}" + (f", {possessive(view.turn)} turn" if view.turn else "")
        state += f", next {view.next}" if view.next else ""
    return [f"{view.title}: {state}" if view.title else state, *map(_row, view.rows)]


def _row(row: OrderRow) -> str:
    words = [row.side] if row.side else []
    words += [] if row.initiative is None else [f"initiative {plain_number(row.initiative)}"]
    words += [row.instead.text] if row.instead else []
    words += [f"{level.now}/{level.full}" for level in row.levels if level is not None]
    words += [f"just now {' '.join(word.text for word in row.last)}"] if row.last else []
    words += [word.text for word in row.words]
    mark = ">" if row.turn == "now" else " "
    return f"{mark} {row.tag:>2} {row.name}  {', '.join(words)}".rstrip()
