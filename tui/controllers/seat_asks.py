"""Dice and choices that seats are asked for beside the table: the first answer counts."""

from collections.abc import Callable
from typing import Any

import attrs

from systems.contract.table import NeedsChoice
from systems.dice.sources import NeedsFace
from systems.visibility.plain import to_plain
from systems.visibility.viewer import Shown, Viewer
from tui.controllers.die_for_seat import die_for_seat
from tui.controllers.seat_meaning import concerns_hidden
from tui.lists.dice_asked import choice_asked, face_asked
from tui.session.session import Attempt, Needs, Session
from tui.wire.frames import Message


@attrs.define(eq=False)
class SeatAsk:
    """A die or a choice that a seat is asked for, beside the table. The first answer counts."""

    asks: "SeatAsks"
    id: int
    most: int
    message: Message
    answered: Callable[[int], None]

    def withdraw(self) -> None:
        """Ask no more."""
        if self.asks.open.pop(self.id, None):
            self.asks.send({"kind": "unask", "ask": self.id})


class SeatAsks:
    """What seats are asked for now. `send` tells all who listen."""

    def __init__(
        self,
        send: Callable[[Message], None],
        shown: Callable[[], Shown],
        later: Callable[[Callable[[], None]], object],
    ) -> None:
        """`shown`: what the table shows to everybody. `later` calls a function a moment afterwards."""
        self.send, self._shown, self._later = send, shown, later
        self.open: dict[int, SeatAsk] = {}
        self._last = 0

    def ask(
        self, session: Session, attempt: Attempt, needs: Needs, answered: Callable[[Any], None]
    ) -> SeatAsk | None:
        """Ask the seat whose die or choice it is; None where no seat may be asked.

        A command of or against a hidden combatant is the game master's alone; so is a die or a choice that
        concerns one in any other command.
        """
        combatant = session.encounter.combatants.get(needs.of)
        if combatant is None or needs.is_concealed or concerns_hidden(session.encounter, attempt.command):
            return None
        character = combatant.state.kind or combatant.id
        message: dict[str, Any] = {"kind": "ask", "character": character}
        # Neither the line nor what is suggested: both may tell of what is out of the seat's sight.
        if isinstance(needs, NeedsChoice):
            choices = tuple(needs.choices)
            # A seat answers with the place of a choice, so with none that is not listed.
            asked = attrs.evolve(choice_asked(session.encounter, needs, ""), suggested=-1, most=0)
            message["choice"] = to_plain(asked)
            return self._asking(len(choices), message, lambda at: answered(choices[at - 1]))
        message["face"] = to_plain(face_asked(session.encounter, needs, "", (1, None)))
        ask = self._asking(needs.sides, message, answered)
        viewer = Viewer(frozenset({character}))
        # Behind the question itself: finding out what the faces do takes a while.
        self._later(lambda: self._explain(ask, attempt, needs, viewer))
        return ask

    def _explain(self, ask: SeatAsk, attempt: Attempt, needs: NeedsFace, viewer: Viewer) -> None:
        """Tell what the faces of a die do and what is added, where that may be told and it is still asked."""
        if ask.id not in self.open:
            return
        does, adds = die_for_seat(attempt, needs, viewer, self._shown())
        if does or adds:
            ask.message = {**ask.message, "does": does, "adds": adds}
            self.send(ask.message)

    def _asking(self, most: int, message: Message, answered: Callable[[int], None]) -> SeatAsk:
        self._last += 1
        ask = SeatAsk(self, self._last, most, {**message, "ask": self._last}, answered)
        self.open[ask.id] = ask
        self.send(ask.message)
        return ask

    def take_reply(self, message: Message) -> None:
        """Take the answer of a seat; what cannot be one is dropped. Raises KeyError and ValueError."""
        value, ask = message["value"], self.open.get(int(message["ask"]))
        if ask is None or type(value) is not int or not 1 <= value <= ask.most:
            return
        ask.withdraw()
        ask.answered(value)
