"""Keys and pasted text of a seat that wait until the open prompt can take them."""

from collections import deque
from collections.abc import Callable

from textual.events import Key, Paste

from tui.display.text import printable
from tui.services import OpenPrompt

LONGEST_LINE = 500
_MOST_AHEAD = 200


class TypedAhead:
    """Hands keys and pasted text to the open prompt as soon as it can take them.

    `question` returns the open prompt. `take_key` handles a key while none is open. `replaces_line` handles a
    key that replaces a refused line, and returns whether it did. `is_waiting`: an earlier key still waits for
    the server.
    """

    def __init__(
        self,
        question: Callable[[], OpenPrompt | None],
        take_key: Callable[[Key], None],
        replaces_line: Callable[[str | None], bool],
        is_waiting: Callable[[], bool],
    ) -> None:
        self._is_waiting = is_waiting
        self._question, self._take_key, self._replaces_line = question, take_key, replaces_line
        self._waiting: deque[Key | Paste] = deque()

    def take(self, event: Key | Paste) -> None:
        """Handle a key now, or queue it after other waiting keys. Escape clears the queue."""
        if isinstance(event, Key) and event.key == "escape":
            self._waiting.clear()
        if not self._waiting and self._can_take(event):
            self._take_now(event)
        elif len(self._waiting) < _MOST_AHEAD:
            self._waiting.append(event)

    def go_on(self) -> None:
        """Handle the waiting keys after an answer, as far as possible."""
        while self._waiting and self._can_take(self._waiting[0]):
            self._take_now(self._waiting.popleft())

    def _can_take(self, event: Key | Paste) -> bool:
        if self._is_waiting():
            return False
        question = self._question()
        key = event if isinstance(event, Key) else Key("x", "x")
        return question is None or question.takes(key)

    def _take_now(self, event: Key | Paste) -> None:
        question = self._question()
        if question is None:
            if isinstance(event, Key):
                self._take_key(event)
            return
        # No line may become longer than the server accepts.
        line = getattr(question, "line", None)
        room = LONGEST_LINE - len(line.text) if line is not None else LONGEST_LINE
        if isinstance(event, Paste):
            question.paste(printable(event.text.split("\n", 1)[0])[: max(0, room)])
        elif not self._replaces_line(event.character) and (room > 0 or not event.is_printable):
            question.key(event)
