"""Lists in the prompts of a seat, fetched from the server, which knows what the seat may see."""

from asyncio import sleep
from collections.abc import Callable, Coroutine
from typing import Any, Generic, Protocol, TypeVar

from systems.errors import Misread
from systems.language.intents import Command
from systems.visibility.view import Offered
from tui.lists.action_list import ActionList
from tui.lists.command_help import CommandHelp
from tui.lists.target_list import Asked, TargetList
from tui.seats.seat_messages import ActionsAsked, AskedBySeat, HelpAsked, SeatSpot, TargetsAsked
from tui.services import OpenPrompt

_SOON = 0.15  # seconds before an unanswered question is repeated
_MOST_TRIES = 20
NO_ANSWER = "The table does not answer. Press any key to ask again, or Esc to cancel."
_MOST_ODDS = 12  # repetitions of a question to get odds that took too long to calculate
T = TypeVar("T")
RunTask = Callable[[Coroutine[Any, Any, None]], object]


class Wire(Protocol):
    """The connection as a seat's screen uses it.

    `request`, `reply` and `withdraw` return whether the table was reached.
    """

    def request(self, line: str) -> bool:
        """Ask the table to carry out a line of the command language."""

    def reply(self, ask: int, value: int | str) -> bool:
        """Answer a question of the table: typed dice, or the number of a choice."""

    def withdraw(self, id: str) -> bool:
        """Withdraw a request that waits."""

    async def ask(self, question: AskedBySeat, kind: type[T]) -> T | None:
        """Return the server's answer to a question, or None. It reveals only what the seat may see.

        `kind`: the class of the answer. Raises TimeoutError if the server does not answer.
        """

    def remember(self, spot: SeatSpot) -> None:
        """Have the server store the player's place."""


class Newest(Generic[T]):
    """Asks one question after another, and skips outdated questions in between.

    `value`: the newest answer. `came` is called with each answer.
    """

    def __init__(
        self,
        wire: Wire | None,
        run: RunTask,
        kind: type[T],
        first: T,
        answered: Callable[[], None] = lambda: None,
        unanswered: Callable[[], None] = lambda: None,
    ) -> None:
        """Set up the questions. `first` is the value until the first answer; `answered` follows `came`.

        `unanswered` is called if the server does not answer. `ask_again` then repeats the question.
        """
        self._wire, self._run, self._kind = wire, run, kind
        self._after, self._unanswered = answered, unanswered
        self.value = first
        self.came: Callable[[], None] = lambda: None
        self._wanted: AskedBySeat | None = None
        self._answered: AskedBySeat | None = None
        self._runs = self._is_on_its_way = self._is_old = False

    def want(self, question: AskedBySeat) -> None:
        """Ask this question, unless it was the last one."""
        self._wanted = question
        self.ask_again()

    def ask_again(self) -> None:
        """Repeat the last question, unless it is answered or on its way."""
        if self._wanted != self._answered and not self._runs and self._wire is not None:
            self._runs = True
            self._run(self._fetch(self._wire))

    def is_answer_to(self, question: AskedBySeat) -> bool:
        """Return whether the newest answer belongs to this question."""
        return question == self._answered

    def forget(self) -> None:
        """Mark the newest answer as outdated after a change of the fight. It is shown until the next one."""
        if self._is_on_its_way:
            self._is_old = True
        else:
            self._wanted = self._answered = None

    async def _fetch(self, wire: Wire) -> None:
        tries = 0
        while (wanted := self._wanted) is not None and wanted != self._answered:
            self._is_on_its_way = True
            try:
                answer = await wire.ask(wanted, self._kind)
            except TimeoutError:
                break
            finally:
                self._is_on_its_way = False
            if answer is None:
                # Too many questions were sent at once: the newest one is repeated.
                tries += 1
                if tries <= _MOST_TRIES:
                    await sleep(_SOON)
                    continue
                break
            self.value, self._answered = answer, wanted
            self.came()
            if self._is_old:
                self._is_old = False
                self.forget()
                self.came()
            self._after()
        self._runs = self._is_old = False
        if self._wanted != self._answered:
            self._unanswered()


class WireTargets:
    """The targets of an action. `by`: the actor, or "" for the default one.

    `plot_odds` shows the odds page for the typed text. `is_planned`: the action is for the next turn.
    """

    def __init__(
        self,
        newest: Newest[TargetList],
        action: str,
        by: str,
        plot_odds: Callable[[Asked], None],
        *,
        is_planned: bool = False,
    ) -> None:
        self.newest, self.action, self.by, self.plot = newest, action, by, plot_odds
        self._is_planned = is_planned
        self.changed: Callable[[], None] = lambda: None
        self.command: Command | None = None
        self._odds_left = _MOST_ODDS
        newest.came = self._came

    def _question(self, asked: Asked) -> TargetsAsked:
        return TargetsAsked(action=self.action, asked=asked, by=self.by, planned=self._is_planned)

    def _came(self) -> None:
        if self.newest.value.unknown and self._odds_left:
            # The same question is asked again for odds that took too long to calculate.
            self._odds_left -= 1
            self.newest.forget()
        elif not self.newest.value.unknown:
            self._odds_left = _MOST_ODDS
        self.changed()

    def show(self, asked: Asked) -> TargetList:
        """Return the newest list, and request the one for this input."""
        self.newest.want(self._question(asked))
        return self.newest.value

    def is_known(self, asked: Asked) -> bool:
        """Return whether the newest list belongs to this input."""
        return self.newest.is_answer_to(self._question(asked))

    def begin(self) -> None:
        """Do nothing: no work continues between keys."""

    def stop(self) -> None:
        """Do nothing: no work continues between keys."""


class WireCommands:
    """Help with the command line."""

    does = "sends it"

    def __init__(self, newest: Newest[CommandHelp]) -> None:
        self.newest = newest
        self.changed: Callable[[], None] = lambda: None
        newest.came = self._came

    def _came(self) -> None:
        self.changed()

    def show(self, line: str, at: int) -> CommandHelp:
        """Return the newest help, and request the help for this line."""
        self.newest.want(HelpAsked(line=line, at=at))
        return self.newest.value

    def is_known(self, line: str, at: int) -> bool:
        """Return whether the newest help is for this line."""
        return self.newest.is_answer_to(HelpAsked(line=line, at=at))

    def read(self, line: str) -> None:
        """Raise Misread if the server has answered that the line can't be read."""
        help = self.newest.value
        if help.wrong and self.is_known(line, len(line)):
            raise Misread(help.wrong, help.start, help.end)


class WireActions:
    """The list of actions. `choose_action` and `take_offer` continue with the player's choice.

    `is_planned`: they are for the next turn.
    """

    def __init__(
        self,
        newest: Newest[ActionList],
        choose_action: Callable[[str], None],
        take_offer: Callable[[Offered], None],
        offers: tuple[Offered, ...],
        *,
        is_planned: bool = False,
    ) -> None:
        self._question = ActionsAsked(planned=is_planned)
        self.newest, self._choose, self._take, self._offers = newest, choose_action, take_offer, offers
        self.changed: Callable[[], None] = lambda: None
        newest.came = self._came

    def _came(self) -> None:
        self.changed()

    def show(self) -> ActionList:
        """Return the list, which is empty until it arrives."""
        self.newest.want(self._question)
        return self.newest.value

    def is_known(self) -> bool:
        """Return whether the list has arrived."""
        return self.newest.is_answer_to(self._question)

    def choose(self, name: str, asked_by: OpenPrompt) -> None:
        """Open the prompt of an action, or carry it out."""
        self._choose(name)

    def take(self, at: int, asked_by: OpenPrompt) -> None:
        """Accept the offer with this index."""
        if at < len(self._offers):
            self._take(self._offers[at])
