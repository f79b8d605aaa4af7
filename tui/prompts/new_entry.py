"""A new roster entry: what it is called, and whether it begins as a player's character or as a creature."""

from collections.abc import Callable, Sequence

from systems.text import clean
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.services import Services


class NewEntryPrompt(LinePrompt):
    """A name is typed; Tab or the arrows choose what it begins with.

    `beginnings`: of each choice its name and its figures in words. `make` is called with the name and the
    number of the choice, and says in a sentence why nothing was made, or None.
    """

    TAB = "character or creature"
    label = "name"

    def __init__(
        self,
        services: Services,
        beginnings: Sequence[tuple[str, str]],
        make: Callable[[str, int], str | None],
        *,
        first: int = 0,
    ) -> None:
        super().__init__(services)
        self._beginnings, self._make = beginnings, make
        self.chosen = first

    def title(self) -> str:
        return "A new one: its name, and whether it is a character or a creature"

    def suggest(self) -> Sequence[Suggestion]:
        return [Suggestion(name, name, figures) for name, figures in self._beginnings]

    def _changed(self) -> None:
        # What was chosen stays while the name is typed.
        self.services.say("")

    def tab(self) -> None:
        self.choose(1)

    def choose(self, by: int) -> None:
        self.chosen = (self._at + by) % len(self._beginnings)

    @property
    def _at(self) -> int:
        return self.chosen or 0

    def read(self) -> Reading:
        name = clean(self.line.text)
        what = self._beginnings[self._at][0]
        return Reading(name, f"{name}, {what}") if name else Reading(says=f"the name of {what}")

    def enter(self) -> None:
        reading = self.read()
        problem = self._make(reading.command, self._at) if reading.command else "it needs a name"
        if problem:
            self.services.say(problem, error=True)
            self.refresh()
