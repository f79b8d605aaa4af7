"""The page of seats: who sits where, what each player types, who knocks, what waits, and the server."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from textual.events import Key

from tui.display.seats_page import SeatsPage, key_rows, page_rows, picked
from tui.display.text import Row
from tui.prompts.prompt import Prompt
from tui.services import Services


class Desk(Protocol):
    """What the page lists, and what its keys do."""

    state: Mapping[str, Any]

    @property
    def waiting_words(self) -> Sequence[str]: ...

    @property
    def server_words(self) -> str: ...

    @property
    def is_served(self) -> bool: ...

    def take_all(self) -> None: ...

    def take_waiting(self, at: int) -> None: ...

    def refuse_waiting(self, at: int) -> None: ...

    def hand_out_word(self, seat: str) -> None: ...

    def let_in(self, knock: int, seat: str, *, for_good: bool) -> None: ...

    def turn_away(self, knock: int) -> None: ...

    def kick(self, seat: str) -> None: ...

    def lock(self, locked: bool) -> None: ...

    def start_or_stop_server(self) -> None: ...


class SeatsPrompt(Prompt):
    """Lists knocks, requests and seats; a mark goes over them.

    The mark stays with who is marked, also when somebody knocks and the rows move.
    """

    TAB = "mark the next"

    def __init__(self, services: Services, desk: Desk) -> None:
        super().__init__(services)
        self.desk, self.marked = desk, 0
        self._marked_name = ""

    @property
    def enter_does(self) -> str:
        # The footer may be painted before the rows that somebody who knocks has moved.
        page = self._page
        self._follow(page)
        row = picked(page, self.marked)
        return "let in for good" if row.knock else "take the request" if row.waiting is not None else ""

    @property
    def _page(self) -> SeatsPage:
        desk = self.desk
        return SeatsPage(desk.state, tuple(desk.waiting_words), desk.server_words, desk.is_served)

    def wanted_rows(self, width: int) -> int:
        page = self._page
        return 1 + page.count + len(key_rows(width))

    def rows(self, width: int, height: int) -> Sequence[Row]:
        page = self._page
        self._follow(page)
        return page_rows(page, self.marked, width, height)

    def _follow(self, page: SeatsPage) -> None:
        """Put the mark on the row of whom it was on; where that one is gone, it stays at its place."""
        names = page.names
        if self._marked_name in names:
            self.marked = names.index(self._marked_name)
        self._mark(page, min(self.marked, max(0, page.count - 1)))

    def _mark(self, page: SeatsPage, at: int) -> None:
        self.marked = at
        self._marked_name = page.names[at] if page.names else ""

    def key(self, event: Key) -> None:
        page = self._page
        count = max(1, page.count)
        self._follow(page)
        match event.character or event.key:
            case _ if event.key == "escape":
                self.close()
                return
            case _ if event.key in ("down", "tab"):
                self._mark(page, (self.marked + 1) % count)
            case _ if event.key in ("up", "shift+tab"):
                self._mark(page, (self.marked - 1) % count)
            case "s":
                self.desk.start_or_stop_server()
            case "l":
                self.desk.lock(not page.is_locked)
            case "t":
                self.close()
                self.desk.take_all()
                return
            case _:
                self._act(page, event)
        self.refresh()

    def _act(self, page: SeatsPage, event: Key) -> None:
        """A key for the knock, the request or the seat that is marked."""
        row = picked(page, self.marked)
        refuses = event.key in ("backspace", "delete")
        match event.character or event.key:
            case "w" if row.seat:
                self.desk.hand_out_word(row.seat["name"])
            case "k" if row.seat:
                self.desk.kick(row.seat["name"])
            case _ if event.key in ("enter", "o") and row.knock:
                self._let_in(page, row.knock, for_good=event.key == "enter")
            case _ if refuses and row.knock:
                self.desk.turn_away(row.knock["id"])
            case _ if event.key == "enter" and row.waiting is not None:
                self.desk.take_waiting(row.waiting)
            case _ if refuses and row.waiting is not None:
                self.desk.refuse_waiting(row.waiting)

    def _let_in(self, page: SeatsPage, knock: Mapping[str, Any], *, for_good: bool) -> None:
        """Let the player in at the seat of the typed name, or at the only free one."""
        names = [seat["name"] for seat in page.seats]
        free = [seat["name"] for seat in page.seats if not seat["screens"]]
        wanted = str(knock["name"]).casefold()
        if wanted in names:
            self.desk.let_in(knock["id"], wanted, for_good=for_good)
        elif len(free) == 1:
            self.desk.let_in(knock["id"], free[0], for_good=for_good)
        else:
            self.services.say(
                f"there is no seat {wanted}: seats are {', '.join(names) or 'none'}", error=True
            )
