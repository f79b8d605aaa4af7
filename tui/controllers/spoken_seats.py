"""The seats of a table in linear mode: requests, guests and news become lines, and lines answer them.

The desk of the seats and its server run in an event loop. The loop runs only while the table waits for a
line, so a command of the table and one of a seat never run at the same time.
"""

import asyncio
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import count
from threading import Thread
from typing import Any

from textual.events import Key

from systems.encounter.model import Offer
from systems.errors import Misread, Refused, Wrong
from systems.text import as_sentence, clean
from tui.controllers.desk import AnsweredAtSeat
from tui.controllers.seat_asks import SeatAsks
from tui.controllers.seat_words import carry_out_seat_line
from tui.controllers.seats import SeatDesk
from tui.controllers.table import Table
from tui.lists.seat_words import read_seat_line
from tui.services import FinderRows, PageRows, Services
from tui.session.opening import OpenEncounter
from tui.session.session import Session
from tui.session.write_queue import Saved
from tui.terminal.program_log import log_task_error, log_unexpected

LEAVE = "leave"
_CELLS, _ROWS = 300, 60  # room for the lines of a prompt, so that none is cut


class SpokenSeats:
    """The seats of one fight. `say` writes a line."""

    def __init__(self, fight: OpenEncounter, say: Callable[[str], None]) -> None:
        self._say, self._session = say, fight.session
        self._event_loop = asyncio.new_event_loop()
        self._event_loop.set_exception_handler(log_task_error)
        # The line that is being read.
        self._line: asyncio.Future[str] | None = None
        self._interrupted: asyncio.Future[str] | None = None
        # The line that is being read was begun for a question that a player has answered.
        self._is_stale = False
        # The known requests and questions, the number of known events, and the known passwords.
        self._said: set[object] = set()
        self._events = len(fight.session.log.events)
        self._passwords: Mapping[str, str] = {}
        self._is_inviting = False
        view = _View(self)
        self._services = Services(_Program(self._event_loop), lambda: view, {})
        # Here an early Enter counts, so each reading of the clock is a second after the one before.
        ticks = count()
        self._services.clock = lambda: float(next(ticks))
        self._table = _table(self._services, fight)
        self._desk = self._table.desk = SeatDesk(self._table)
        server = self._desk.server
        server.how_to_admit, server.how_to_invite = "type seats admit {}", "seats invite"
        self._in_loop(self._desk.start)

    def _in_loop(self, do: Callable[[], Any]) -> Any:
        """Call a function in the event loop, and return its result."""

        async def called() -> Any:
            return do()

        return self._event_loop.run_until_complete(called())

    def wait_for(self, read: Callable[[], str], prompt: str = "") -> str:
        """Return the line that `read` returns, and serve the seats meanwhile.

        Raises what `read` raises, and AnsweredAtSeat after `interrupt`. `read` shows the prompt.
        """
        if self._line is None:
            self._line = self._event_loop.create_future()
            Thread(target=_read_line, args=(read, self._event_loop, self._line), daemon=True).start()
        elif prompt:
            # The reading began with another prompt.
            self._say(prompt)
        interrupted = self._interrupted = self._event_loop.create_future()
        self._event_loop.run_until_complete(
            asyncio.wait((self._line, interrupted), return_when=asyncio.FIRST_COMPLETED)
        )
        if interrupted.done():
            raise AnsweredAtSeat
        line, self._line = self._line, None
        if self._is_stale and line.exception() is None:
            self._is_stale = False
            self._say("That line was begun for an earlier question, so it does not count. Type it again.")
            return self.wait_for(read, prompt)
        return line.result()

    def interrupt(self) -> None:
        """Stop waiting for a line, because a player has answered the question."""
        if self._interrupted is not None and not self._interrupted.done():
            self._interrupted.set_result("")
            self._is_stale = is_line_begun()

    def seat_asks(self) -> SeatAsks | None:
        """Return what asks seats for dice and choices, or None if none listens."""
        return self._desk.seat_asks()

    def close(self) -> None:
        """Stop the server that was started here, and stop listening."""
        self._event_loop.run_until_complete(self._desk.server.stop())
        self._in_loop(self._desk.stop)
        # The links close in the next step of the loop.
        self._event_loop.run_until_complete(asyncio.sleep(0))
        self._event_loop.close()

    # Lines of the table

    def carry_out(self, line: str) -> None:
        """Carry out a line about the seats, and say its result."""
        try:
            said = self._in_loop(lambda: carry_out_seat_line(self._desk, line))
        except (Misread, Refused, Wrong) as error:
            self._say(as_sentence(clean(str(error), 400)))
            return
        for each in said:
            self._say(each)
        self._is_inviting = self._is_inviting or read_seat_line(line).word == "invite"
        self.changed()

    @property
    def is_asking(self) -> bool:
        """Return whether a die or a choice of a seat's command waits for the next line."""
        return self._services.prompts.current is not None

    def answer(self, line: str) -> None:
        """Answer the open die or choice with a line. `leave` leaves it for later."""
        prompt = self._services.prompts.current
        typed = [Key("space" if letter == " " else letter, letter) for letter in line]
        keys = [Key("escape", None)] if line == LEAVE else [*typed, Key("enter", "\r")]

        def answer() -> None:
            for key in keys:
                # A choice may be taken before its last key, and the next question must not get the rest.
                if prompt is not None and self._services.prompts.current is prompt:
                    prompt.key(key)

        self._in_loop(answer)

    @property
    def has_question(self) -> bool:
        """Return whether a die or a choice of a seat's command waits. It comes before offers."""
        return self._desk.has_question

    def take_for(self, offer: Offer) -> bool:
        """Carry out a seat's request for an offer. Return whether there is one."""
        return bool(self._in_loop(lambda: self._desk.take_for(offer)))

    def take_oldest(self) -> bool:
        """Ask the oldest question, or carry out the oldest request. Return whether there is one."""
        waits = bool(self._desk.waiting_words)
        if waits:
            self._in_loop(lambda: self._desk.take_waiting(0))
        return waits

    @property
    def empty_words(self) -> str:
        """Return which characters of the fight have an empty seat, or ""."""
        empty = self._desk.server.empty_characters
        names = [
            each.name for each in self._session.encounter.in_line() if (each.state.kind or each.id) in empty
        ]
        return f"Empty seats: {', '.join(names)}." if names else ""

    def line_was_said(self) -> None:
        """Note that the table has said its own events."""
        self._events = len(self._session.log.events)

    # What happens at the seats

    def changed(self) -> None:
        """Say the message, new requests, new passwords, and the invitations."""
        messages, desk = self._services.messages, self._desk
        if sentence := messages.sentence:
            messages.sentence = ""
            self._say(as_sentence(sentence))
        for question in desk.questions:
            if question not in self._said:
                self._say(f"{question.words}. Press Enter to answer, or type seats refuse.")
        for request in desk.waiting:
            if request not in self._said:
                self._say(f"{request.words}. Press Enter to accept, or type seats refuse.")
        self._said = {*desk.questions, *desk.waiting}
        self._say_passwords()

    def _say_passwords(self) -> None:
        server = self._desk.server
        report, invitations = server.report, server.inviting.complete
        found = {seat.name: seat.password for seat in report.seats} if report is not None else {}
        if self._is_inviting and invitations:
            self._is_inviting = False
            lines = [line.strip() for invitation in invitations for line in invitation.message]
            for line in filter(None, (*lines, invitations[0].warning)):
                self._say(line)
        elif not self._is_inviting:
            for name, password in found.items():
                if password and self._passwords.get(name) != password:
                    self._say(f"Password of {name}: {password}")
        self._passwords = found

    def say_events(self) -> None:
        """Say what the commands of seats have done."""
        events = self._session.log.events
        for event in events[self._events :]:
            self._say(event.text)
        self._events = len(events)

    def say_question(self) -> None:
        """Say the die or the choice that waits for the next line."""
        if (prompt := self._services.prompts.current) is None:
            return
        # The last row is the line being typed.
        rows = prompt.rows(_CELLS, _ROWS)[:-1]
        for text in ("".join(text for text, _ in row) for row in rows):
            if text.strip():
                self._say(" ".join(text.split()))
        self._say(f'Type the answer, or "{LEAVE}" to answer later.')


def is_line_begun() -> bool:
    """Return whether a part of the line that is being read has been typed. Only a terminal knows."""
    readline = sys.modules.get("readline")
    return readline is not None and bool(readline.get_line_buffer())


def _read_line(read: Callable[[], str], loop: asyncio.AbstractEventLoop, line: "asyncio.Future[str]") -> None:
    """Read a line in a thread of its own, and give it to the loop."""
    try:
        found = partial(line.set_result, read())
    except (EOFError, OSError, ValueError) as error:
        found = partial(line.set_exception, error)
    # The loop is closed if the program ends while the thread waits.
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(found)


def _table(services: Services, fight: OpenEncounter) -> Table:
    """Return a table with an open fight, which goes on writing to the roster as before."""
    write_roster = fight.session.write_roster
    table = Table(services, fight.campaign, fight.session)
    table.background = _Background(services, fight)
    table.fight = fight
    fight.session.write_roster = write_roster
    return table


class _Program:
    """What linear mode has of a program: an event loop."""

    available_themes: Mapping[str, Any] = {}

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._event_loop = loop

    def set_timer(self, delay: float, callback: Callable[[], Any]) -> object:
        return self._event_loop.call_later(delay, callback)

    def call_later(self, callback: Callable[..., Any], *arguments: Any) -> bool:
        self._event_loop.call_soon_threadsafe(callback, *arguments)
        return True

    def handle_error(self, error: Exception) -> None:
        log_unexpected(error)

    def choose_colours(self, theme: str) -> None:
        pass

    def preview_colours(self, theme: str) -> None:
        pass

    def use_own_keys(self, said: str = "") -> None:
        pass

    def post_message(self, message: Any) -> bool:
        return False

    def copy_to_clipboard(self, text: str) -> None:
        pass

    def exit(self, result: int = 0, return_code: int = 0) -> None:
        pass


class _View:
    """A view for the services, which says in lines what a screen would paint."""

    screen_name = ""
    # Linear mode says the line of each event.
    shows_newest_line = True

    def __init__(self, seats: SpokenSeats) -> None:
        self._seats = seats

    def show_message(self) -> None:
        self._seats.changed()

    def show_prompt(self) -> None:
        self._seats.changed()

    def prompt_changed(self) -> None:
        self._seats.say_question()

    def show_change(self) -> None:
        self._seats.say_events()

    def show_header(self) -> None:
        pass

    def refresh_all(self) -> None:
        pass

    def open_page(
        self, title: str, rows: PageRows, *, aside: bool = False, closed: "Callable[[], None] | None" = None
    ) -> None:
        pass

    def renew_page(self) -> None:
        pass

    def open_finder(self, title: str, rows: FinderRows) -> None:
        pass

    def find(self, text: str) -> bool:
        return False

    def way_back(self) -> Callable[[], None]:
        return lambda: None


class _Background:
    """Linear mode saves each event at once, so nothing runs in the background."""

    saved = Saved()

    def __init__(self, services: Services, fight: OpenEncounter) -> None:
        self._services, self._fight = services, fight

    @property
    def is_read_only(self) -> bool:
        return self._fight.session.read_only

    def remember_spot(self, *, dropped: bool) -> None:
        pass

    def opened(self, fight: OpenEncounter | None) -> None:
        pass

    def open_desk(self) -> None:
        pass

    def fight_moved(self) -> None:
        pass

    def take_over_from_other(self) -> None:
        pass

    def give_up(self) -> None:
        """Let another program write the fight. Lines that change it are refused from then on."""
        self._fight.close()
        self._fight.session.writer = None
        self._services.say("Another login has taken over the fight; you can only watch here.")

    def bring_in(self, campaign: object) -> str:
        return ""

    def read_changed(self) -> None:
        pass

    def take_over(self) -> Session | None:
        return None
