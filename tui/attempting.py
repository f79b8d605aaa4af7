"""One command on its way at the table: it asks for the dice and choices that it needs, then it counts."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from systems.commands import Done
from systems.dice import WrongFace
from systems.history import Event
from systems.kinds import Wrong
from systems.language import Misread
from systems.notation_line import DiceError
from systems.play import Refused
from systems.table import WrongChoice
from tui.session import Attempt, ReadOnly

if TYPE_CHECKING:
    from tui.app import AffrayApp

# What a person may have asked for that cannot be; each is one sentence.
CANNOT_BE = (Misread, Refused, Wrong, WrongFace, WrongChoice, DiceError, ReadOnly)


class Attempting:
    """Runs an attempt, as often as it takes, and keeps what comes of it."""

    def __init__(self, app: "AffrayApp", line: str, then: Callable[[Event], None] | None) -> None:
        self.app, self.line, self.then = app, line, then
        self.attempt: Attempt | None = None

    def go(self) -> None:
        """Start, or go on after an answer."""
        session = self.app.session
        if session is None:
            self.app.say("no fight is open; choose a campaign first", error=True)
            return
        try:
            if self.attempt is None:
                self.attempt = session.begin(self.line, asks=True)
            found = self.attempt.run()
            if not isinstance(found, Done):
                return
            event = session.keep(found)
        except CANNOT_BE as error:
            self.app.say(str(error), error=True)
            return
        self.app.say("")
        self.app.fight_changed(event)
        if self.then:
            self.then(event)
