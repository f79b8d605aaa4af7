"""The prompt of a seat that lists its requests and withdraws them."""

from collections.abc import Callable, Sequence

from textual.events import Key

from tui.display.text import Row, printable, under_cursor, wrapped
from tui.prompts.prompt import Prompt
from tui.services import FirstLook, Services
from tui.wire.request_list import ListedRequest

TITLE = "Your requests to the game master"
NONE = "None of your requests waits."


class RequestsPrompt(Prompt):
    """Lists the requests of a seat. `listed` returns them, `withdraw` takes the id of one.

    The mark stays with its request. If that is answered, the mark moves to another one; a key pressed too
    early after that does not count for it.
    """

    TAB = "next"
    ESCAPE = "close"

    def __init__(
        self,
        services: Services,
        listed: Callable[[], Sequence[ListedRequest]],
        withdraw: Callable[[str], None],
    ) -> None:
        super().__init__(services)
        self._listed, self._withdraw = listed, withdraw
        self._marked = ""
        # The request that the mark went to by itself.
        self._moved_to = ""
        self._first_look = FirstLook(services.now)

    @property
    def _open(self) -> Sequence[ListedRequest]:
        return [each for each in self._listed() if each.is_open]

    def _at(self) -> int:
        """Return the index of the marked request among those that wait. Move the mark if it is gone."""
        ids = [each.id for each in self._open]
        if self._marked in ids:
            return ids.index(self._marked)
        self._moved_to = ids[0] if self._marked and ids else ""
        self._first_look.paint(self._moved_to)
        self._marked = ids[0] if ids else ""
        return 0

    @property
    def enter_does(self) -> str:
        return "withdraw" if self._open else ""

    def wanted_rows(self, width: int) -> int:
        return len(self._rows(width))

    def rows(self, width: int, height: int) -> Sequence[Row]:
        return self._rows(width)[:height]

    def _rows(self, width: int) -> list[Row]:
        at, listed = self._at(), self._listed()
        marked = self._open[at].id if self._open else ""
        rows: list[Row] = [[(f" {TITLE if listed else NONE}", "strong accent")]]
        for each in listed:
            words = f"waits: {each.text}" if each.is_open else each.text
            lines = wrapped(printable(words), max(10, width - 3), "")
            found: list[Row] = [[(f"  {line}", "" if each.is_open else "muted")] for line in lines]
            rows += [under_cursor(row, width) for row in found] if each.id == marked else found
        return rows

    def key(self, event: Key) -> None:
        at, waiting = self._at(), self._open
        match event.key:
            case "escape":
                self.close()
                return
            case "down" | "tab" if waiting:
                self._mark(waiting[(at + 1) % len(waiting)])
            case "up" | "shift+tab" if waiting:
                self._mark(waiting[(at - 1) % len(waiting)])
            case "enter" | "backspace" | "delete" if waiting:
                self._take(waiting[at])
        self.refresh()

    def _mark(self, listed: ListedRequest) -> None:
        self._marked, self._moved_to = listed.id, ""

    def _take(self, listed: ListedRequest) -> None:
        if self._moved_to == listed.id and not self._first_look.takes(listed.id):
            self.services.say("The mark has just moved to this request: press the key again.", error=True)
            return
        self._moved_to = ""
        self._withdraw(listed.id)
