"""What helps with a line that a player types: the server works it out, for one line after the other."""

from collections.abc import Callable, Coroutine
from typing import Any

from systems.visibility.plain import BadPlainData, from_plain
from systems.visibility.view import LineHelp
from tui.seats.seat_question import SeatQuestion, Wire
from tui.widgets.input_line import InputLine


class TypedLineHelp:
    """Help with the line of the question that is open.

    `question`: that question now. `run`: runs a coroutine beside the screen. `came` is called when help has.
    """

    def __init__(
        self,
        wire: Wire | None,
        question: Callable[[], SeatQuestion | None],
        run: Callable[[Coroutine[Any, Any, None]], object],
        came: Callable[[], None],
    ) -> None:
        self._wire, self._question, self._run, self._came = wire, question, run, came
        # What the server answered last, to which line, and whether it is being asked.
        self._help, self._helped, self._asks = LineHelp(), "", False
        self._completes = False

    def want(self) -> None:
        """Ask what may come next in the typed line and what it would come to."""
        typed = self._typed
        if typed and typed != self._helped and not self._asks and self._wire is not None:
            self._asks = True
            self._run(self._fetch())

    def complete(self) -> None:
        """Put the best word in place of the typed beginning, at once or when it is known."""
        self._completes = True
        self._put_word()

    def leave(self) -> None:
        """Complete nothing that is still to come: another key was typed."""
        self._completes = False

    def known(self, command: str) -> LineHelp:
        """Return what is known of the typed line, or was known of it a key ago."""
        return self._help if command and self._helped.startswith(command) else LineHelp()

    @property
    def filled(self) -> str:
        """What is filled in behind the target that is typed, once the server has said what that is."""
        typed = self._typed.strip()
        return self._help.filled if typed and self._helped.strip() == typed else ""

    @property
    def _typed(self) -> str:
        question = self._question()
        return question.typed if question is not None else ""

    async def _fetch(self) -> None:
        while self._wire is not None and (typed := self._typed) and typed != self._helped:
            found = await self._wire.ask("line", line=typed)
            try:
                self._help = LineHelp() if found is None else from_plain(LineHelp, found)
            except BadPlainData:
                self._help = LineHelp()
            self._helped = typed
            self._put_word()
            self._came()
        self._asks = False

    def _put_word(self) -> None:
        question = self._question()
        if question is None or not self._completes or question.typed != self._helped:
            return
        self._completes = False
        if self._help.words:
            word = self._help.words[0][0]
            before = question.line.text.rpartition(" ")
            # `attack ` stands before the text of a target, and is no part of it.
            question.line = InputLine(f"{before[0]}{before[1]}{word}{'' if word.endswith('=') else ' '}")
            self.want()
