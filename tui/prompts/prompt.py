"""The base class of all prompts."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from textual.events import Key

from systems.language.tokens import LONGEST
from tui.display.text import Row
from tui.services import Services, Source

# More rows than any screen has.
ALL_ROWS = 999


class Prompt(ABC):
    """A question in the dock. The screen shows `rows` and sends it every key."""

    # The label for Enter in the footer.
    ENTER = "confirm"
    # The label for Escape in the footer.
    ESCAPE = "cancel"
    # The label for Tab in the footer; "" if it does nothing.
    TAB = ""
    # Further keys and their labels.
    MORE_KEYS: Sequence[tuple[str, str]] = ()
    # The longest text that can be pasted, and its longest line; None if a line may be of any length.
    MOST_PASTED = 100_000
    LONGEST_LINE: int | None = LONGEST
    # Whether the dock shows its rows.
    IN_DOCK = True
    # Whether it lists combatants.
    LISTS_TARGETS = False

    def __init__(self, services: Services) -> None:
        self.services = services
        # Called when the prompt closes, also by Escape.
        self.on_close: Callable[[], None] = lambda: None

    @property
    def source(self) -> Source:
        """Return the source of the open fight. Use it only while a fight is open."""
        assert self.services.source is not None
        return self.services.source

    @abstractmethod
    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the rows for the dock; the last one is the line being edited."""

    @abstractmethod
    def key(self, event: Key) -> None:
        """Take one key. The next key goes to the question that is open then."""

    def takes(self, event: Key) -> bool:
        """Return whether the key can be taken now. Otherwise it waits for an answer that is on its way."""
        del event
        return True

    def click(self, row: int) -> None:
        """Take a click on a row, counted from 0: mark the row, or carry it out if it is marked already."""
        del row

    def paste(self, text: str) -> None:
        """Take text from the clipboard; a question without a line ignores it."""
        del text

    def why_not_pasted(self, text: str) -> str:
        """Return why a text is too long to paste here, or ""."""
        longest = max(map(len, text.splitlines()), default=0)
        if self.LONGEST_LINE is not None and longest > self.LONGEST_LINE:
            return f"the pasted text has a line of {longest:,} characters; the limit is {self.LONGEST_LINE:,}"
        if len(text) > self.MOST_PASTED:
            return f"the pasted text has {len(text):,} characters; the limit here is {self.MOST_PASTED:,}"
        return ""

    def opened(self) -> None:
        """Clear the message, which is about an earlier question. Called when the dock shows the prompt."""
        self.services.say("")

    def close(self) -> None:
        """Close the prompt without changing anything."""
        if self.services.messages.is_error:
            self.services.say("")
        self.services.prompts.close(self)
        self.on_close()

    @property
    def enter_does(self) -> str:
        """Return what Enter does, for the footer."""
        return self.ENTER

    @property
    def escape_does(self) -> str:
        """Return what Escape does, for the footer."""
        return self.ESCAPE

    @property
    def subject(self) -> str:
        """Return the id of the combatant to show on the card; "" for the combatant under the cursor."""
        return ""

    def wanted_rows(self, width: int) -> int:
        """Return the number of rows that would be useful; 0 if any number will do."""
        del width
        return 0

    def resume(self) -> None:
        """Open the prompt again after another question."""
        self.services.prompts.open(self)

    def refresh(self) -> None:
        """Paint the prompt again."""
        self.services.prompts.refresh()
