"""Keys that are typed ahead of an answer of the server: none is lost, and none means something else."""

from collections import deque
from collections.abc import Callable

from textual.events import Key, Paste

from tui.display.text import printable
from tui.services import Question

LONGEST_LINE = 500
_MOST_AHEAD = 200


class TypedAhead:
    """Hands keys and pasted text to the question that is open as soon as it can take them.

    `question`: that question now. `take_key` takes a key while none is open, `begins_anew` says whether a
    key begins another line in place of what is typed, and has then begun it. `is_waiting`: a key before still
    waits for the server.
    """

    def __init__(
        self,
        question: Callable[[], Question | None],
        take_key: Callable[[Key], None],
        begins_anew: Callable[[str | None], bool],
        is_waiting: Callable[[], bool],
    ) -> None:
        self._is_waiting = is_waiting
        self._question, self._take_key, self._begins_anew = question, take_key, begins_anew
        self._waiting: deque[Key | Paste] = deque()

    def take(self, event: Key | Paste) -> None:
        """Take a key; behind one that waits it waits too. Escape drops what waits."""
        if isinstance(event, Key) and event.key == "escape":
            self._waiting.clear()
        if not self._waiting and self._can_take(event):
            self._take_now(event)
        elif len(self._waiting) < _MOST_AHEAD:
            self._waiting.append(event)

    def go_on(self) -> None:
        """Take the keys that waited, as far as that can be: an answer has come."""
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
        # No line becomes longer than the server takes.
        line = getattr(question, "line", None)
        room = LONGEST_LINE - len(line.text) if line is not None else LONGEST_LINE
        if isinstance(event, Paste):
            question.paste(printable(event.text.split("\n", 1)[0])[: max(0, room)])
        elif not self._begins_anew(event.character) and (room > 0 or not event.is_printable):
            question.key(event)
