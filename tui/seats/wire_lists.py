"""What the questions of a seat show: asked of the server, which answers from what the seat may see."""

from asyncio import sleep
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Generic, Protocol, TypeVar

from systems.visibility.plain import BadPlainData, from_plain, to_plain
from systems.visibility.view import Offered
from tui.lists.action_list import ActionList
from tui.lists.command_help import CommandHelp
from tui.lists.target_list import Asked, TargetList
from tui.services import Question

_SOON = 0.15  # seconds until a question is asked again to which there was no answer
_MOST_TRIES = 20
NO_ANSWER = "The table does not answer. Any key asks again; Esc leaves the question."
_MOST_ODDS = 12  # times that odds which were not known in time are asked for
T = TypeVar("T")
Run = Callable[[Coroutine[Any, Any, None]], object]


class Wire(Protocol):
    """What a seat's screen asks of its connection; each answers whether the table could be reached."""

    def request(self, line: str) -> bool:
        """Ask the table to carry out a line of the command language."""

    def reply(self, ask: int, value: Any) -> bool:
        """Answer a question of the table: the face of a die, or a choice."""

    async def ask(self, what: str, **details: Any) -> Any:
        """The answer to a question, worked out from what the seat may see; None if there is none.

        Raises TimeoutError where nobody answers.
        """

    def remember(self, spot: Mapping[str, Any]) -> None:
        """Have it kept in mind where the player was."""


class Newest(Generic[T]):
    """Asks one question after another; of those that come up meanwhile only the newest.

    `value`: the newest answer; `came` is called with each.
    """

    def __init__(
        self,
        wire: Wire | None,
        run: Run,
        what: str,
        kind: type[T],
        first: T,
        answered: Callable[[], None] = lambda: None,
        unanswered: Callable[[], None] = lambda: None,
    ) -> None:
        """`first`: what is shown until the first answer. `answered` is called behind `came`.

        `unanswered` is called when nobody answers: then it is asked again by `ask_again`.
        """
        self._wire, self._run, self._what, self._kind = wire, run, what, kind
        self._after, self._unanswered = answered, unanswered
        self.value = first
        self.came: Callable[[], None] = lambda: None
        self._wanted: Mapping[str, Any] | None = None
        self._answered: Mapping[str, Any] | None = None
        self._runs = self._is_on_its_way = self._is_old = False

    def want(self, **details: Any) -> None:
        """Ask this, unless it is what was asked last."""
        self._wanted = details
        self.ask_again()

    def ask_again(self) -> None:
        """Ask what was asked last, unless it is answered or on its way."""
        if self._wanted != self._answered and not self._runs and self._wire is not None:
            self._runs = True
            self._run(self._fetch(self._wire))

    def is_answer_to(self, **details: Any) -> bool:
        """Return whether the newest answer is to this."""
        return details == self._answered

    def forget(self) -> None:
        """The fight has changed: the newest answer is but to be shown until another comes."""
        if self._is_on_its_way:
            self._is_old = True
        else:
            self._wanted = self._answered = None

    async def _fetch(self, wire: Wire) -> None:
        tries = 0
        while (wanted := self._wanted) is not None and wanted != self._answered:
            self._is_on_its_way = True
            try:
                self.value = from_plain(self._kind, await wire.ask(self._what, **wanted))
            except BadPlainData:
                # Too much was asked at once: the newest question is asked again.
                tries += 1
                if tries <= _MOST_TRIES:
                    await sleep(_SOON)
                    continue
                break
            except TimeoutError:
                break
            finally:
                self._is_on_its_way = False
            self._answered = wanted
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
    """A question about an action. `by`: whose action it is, "" for whoever acts.

    `plot_odds` shows the odds in full of what has been typed.
    """

    def __init__(
        self, newest: Newest[TargetList], action: str, by: str, plot_odds: Callable[[Asked], None]
    ) -> None:
        self.newest, self.action, self.by, self.plot = newest, action, by, plot_odds
        self.changed: Callable[[], None] = lambda: None
        self._odds_left = _MOST_ODDS
        newest.came = self._came

    def _details(self, asked: Asked) -> dict[str, Any]:
        return {"action": self.action, "by": self.by, "asked": to_plain(asked)}

    def _came(self) -> None:
        if self.newest.value.unknown and self._odds_left:
            # The odds that there was no time for are asked for with the same question.
            self._odds_left -= 1
            self.newest.forget()
        elif not self.newest.value.unknown:
            self._odds_left = _MOST_ODDS
        self.changed()

    def show(self, asked: Asked) -> TargetList:
        """Return the newest answer, and ask for the one to this."""
        self.newest.want(**self._details(asked))
        return self.newest.value

    def is_known(self, asked: Asked) -> bool:
        """Return whether the newest answer is to this."""
        return self.newest.is_answer_to(**self._details(asked))

    def begin(self) -> None:
        """Nothing goes on while no key is pressed."""

    def stop(self) -> None:
        """Nothing goes on while no key is pressed."""


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
        """Return the newest help, and ask for the help with this."""
        self.newest.want(line=line, at=at)
        return self.newest.value

    def is_known(self, line: str, at: int) -> bool:
        """Return whether the newest help is for this line."""
        return self.newest.is_answer_to(line=line, at=at)


class WireActions:
    """The list of actions. `choose_action` and `take_offer` go on with what was chosen."""

    def __init__(
        self,
        newest: Newest[ActionList],
        choose_action: Callable[[str], None],
        take_offer: Callable[[Offered], None],
        offers: tuple[Offered, ...],
    ) -> None:
        self.newest, self._choose, self._take, self._offers = newest, choose_action, take_offer, offers
        self.changed: Callable[[], None] = lambda: None
        newest.came = self._came

    def _came(self) -> None:
        self.changed()

    def show(self) -> ActionList:
        """Return the list, empty until it has come."""
        self.newest.want()
        return self.newest.value

    def is_known(self) -> bool:
        """Return whether the list has come."""
        return self.newest.is_answer_to()

    def choose(self, name: str, asked_by: Question) -> None:
        """Ask for what the action needs, or do it."""
        self._choose(name)

    def take(self, at: int, asked_by: Question) -> None:
        """Take the offer at that place."""
        if at < len(self._offers):
            self._take(self._offers[at])
