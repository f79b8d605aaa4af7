"""A list of words to choose from, one in each row."""

from collections.abc import Callable, Sequence

from textual.events import Key

from systems.text import shown
from tui.display.text import Row, cut, printable, under_cursor
from tui.prompts.prompt import Prompt
from tui.services import Services


class PickPrompt(Prompt):
    """A question with a list of words. Letters mark a word that begins with them; Enter takes it."""

    ENTER = "choose"

    def __init__(
        self,
        services: Services,
        title: str,
        words: Sequence[str],
        now: str,
        given: Callable[[str], None],
    ) -> None:
        super().__init__(services)
        self.title, self.words, self.given = title, tuple(words), given
        self.now = now
        self.chosen = self.words.index(now) if now in self.words else 0
        self._typed = ""
        self._top = 0

    def wanted_rows(self, width: int) -> int:
        return len(self.words) + 1

    def rows(self, width: int, height: int) -> Sequence[Row]:
        room = max(1, height - 1)
        top = self._top = max(0, min(self.chosen - room + 1, len(self.words) - room))
        rows: list[Row] = [[(cut(f" {printable(self.title)}", width), "strong")]]
        for at, word in list(enumerate(self.words))[top : top + room]:
            now = "  now" if word == self.now else ""
            row: Row = [(f"   {printable(word).replace('_', ' ')}", ""), (now, "muted")]
            rows.append(under_cursor(row, width) if at == self.chosen else row)
        if below := len(self.words) - top - room:
            rows[-1] = [*rows[-1], (f"  … {below} more", "muted")] if below > 0 else rows[-1]
        return rows

    def click(self, row: int) -> None:
        at = self._top + row - 1
        if row < 1 or at >= len(self.words):
            return
        if at == self.chosen:
            self._take()
        else:
            self.chosen = at
            self.refresh()

    def _take(self) -> None:
        self.close()
        self.given(self.words[self.chosen])

    def key(self, event: Key) -> None:
        match event.key:
            case "escape":
                self.close()
                return
            case "enter":
                self._take()
                return
            case "up" | "left" | "shift+tab":
                self.chosen = (self.chosen - 1) % len(self.words)
            case "down" | "right" | "tab" | "space":
                self.chosen = (self.chosen + 1) % len(self.words)
            case _ if event.character and event.character.isprintable():
                self._go_to(event.character)
        self.refresh()

    def _go_to(self, letter: str) -> None:
        found = go_to_word(self.words, self._typed, letter)
        self._typed, self.chosen = found or (self._typed, self.chosen)
        self.services.say("" if found else none_begins(letter), error=not found)


def none_begins(letter: str) -> str:
    """Return the error for a letter that begins no word."""
    return f"no choice begins with {shown(letter)}: use the arrows and Enter"


def go_to_word(words: Sequence[str], typed: str, letter: str) -> tuple[str, int] | None:
    """Return the typed letters and the index of the first word that begins with them; None for no word.

    A letter that does not fit starts a new beginning. Typing only marks a word; Enter takes it.
    """
    for begun in (typed + letter.casefold(), letter.casefold()):
        for at, word in enumerate(words):
            if word.casefold().startswith(begun):
                return begun, at
    return None
