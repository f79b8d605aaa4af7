"""The prompt for a new row of a table or list, with suggestions from the game and the roster."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from systems.encounter.completion import Completion, matching
from systems.errors import Wrong
from systems.schema.fields import Entries
from tui.display.form import FormRow, changed
from tui.prompts.line import LinePrompt, Reading, Suggestion, refused
from tui.services import Services


class NewRowPrompt(LinePrompt):
    """Prompt of `+ add` on the roster: a name and its number, or one line for a weapon. Tab completes.

    `plain`: the current sheet. `suggested`: the suggestions. `give` stores a line and returns an error, or
    None.
    """

    ENTER = "add"
    label = "add"

    def __init__(
        self,
        services: Services,
        row: FormRow,
        plain: Mapping[str, Any],
        suggested: Sequence[str],
        give: Callable[[str], str | None],
        text: str = "",
    ) -> None:
        super().__init__(services, text)
        self._row, self._plain, self._give = row, plain, give
        self._is_line = isinstance(row.field.type, Entries)
        self._known = [Completion(text) for text in suggested]

    def title(self) -> str:
        return f"{self._row.field.label}: {self._row.help}"

    def suggest(self) -> Sequence[Suggestion]:
        return [Suggestion(found.text) for found in matching(self.line.text.strip(), self._known)]

    def complete(self, suggestion: Suggestion) -> None:
        self.line.set(suggestion.text if self._is_line else f"{suggestion.text} ")

    def read(self) -> Reading:
        typed = self.line.text.strip()
        if not typed:
            return Reading(says="Tab chooses one of these" if self._known else "")
        try:
            changed(self._plain, self._row, typed)
        except Wrong as wrong:
            # The beginning of a name is not a mistake yet.
            return Reading(says=str(wrong)) if self.suggestions else refused(self.line.text, wrong)
        return Reading(typed)

    def submit(self, reading: Reading) -> None:
        # Closed first: storing it may ask about a change from outside.
        self.close()
        if problem := self._give(reading.command):
            self.services.prompts.open(self)
            self.services.say(problem, error=True)
