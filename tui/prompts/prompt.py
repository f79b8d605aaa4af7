"""What every question has in common: it takes keys in order, shows rows, and closes or stays."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from textual.events import Key

from tui.display.text import Row
from tui.services import Services, Source

# More rows than any screen has.
ALL_ROWS = 999


class Prompt(ABC):
    """A question. The screen shows `rows` and hands over every key."""

    # What Enter does here, for the footer.
    ENTER = "do it"
    # What Escape does here, for the footer: in one press.
    ESCAPE = "cancel"
    # What Tab does here, for the footer; "" where it does nothing.
    TAB = ""
    # Further keys and what they do.
    MORE_KEYS: Sequence[tuple[str, str]] = ()
    # Characters that are taken at once from the clipboard, in lines as long as the language has them.
    MOST_PASTED = 100_000
    # Whether its rows are shown in the dock.
    IN_DOCK = True
    # Whether it lists combatants, as many as may be aimed at.
    LISTS_TARGETS = False

    def __init__(self, services: Services) -> None:
        self.services = services
        # Called when it closes, also when it was left.
        self.on_close: Callable[[], None] = lambda: None

    @property
    def source(self) -> Source:
        """What can be listed; only asked for while a fight is open."""
        assert self.services.source is not None
        return self.services.source

    @abstractmethod
    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return what stands in the dock, the last row being the line that is edited."""

    @abstractmethod
    def key(self, event: Key) -> None:
        """Take one key. The next key goes to the question that is open then."""

    def takes(self, event: Key) -> bool:
        """Return whether it can take that key now; else the key waits for an answer that is on its way."""
        del event
        return True

    def click(self, row: int) -> None:
        """Take a click on one of its rows, counted from 0: mark what stands there; what is marked, do it."""
        del row

    def paste(self, text: str) -> None:
        """Take text from the clipboard; a question without a line ignores it."""
        del text

    def why_not_pasted(self, text: str) -> str:
        """Return why that is too long to be pasted here, or ""."""
        from systems.language.tokens import LONGEST

        longest = max(map(len, text.splitlines()), default=0)
        if longest > LONGEST:
            return f"what is pasted has a line of {longest:,} characters, and {LONGEST:,} is the most"
        if len(text) > self.MOST_PASTED:
            return f"what is pasted has {len(text):,} characters, and {self.MOST_PASTED:,} is the most here"
        return ""

    def opened(self) -> None:
        """Called when the dock shows it: what was said before is about something else."""
        self.services.say("")

    def close(self) -> None:
        """Leave everything as it was."""
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
        """Return the id of whom the card beside the order shows; "" for who is under the cursor."""
        return ""

    def wanted_rows(self, width: int) -> int:
        """Return how many rows it has use for; 0 where the place it has will do."""
        del width
        return 0

    def resume(self) -> None:
        """Go on with it after another question has taken its place."""
        self.services.prompts.open(self)

    def refresh(self) -> None:
        """Show what changed."""
        self.services.prompts.refresh()
