"""Find: the screen goes to the first match while the text is typed."""

from systems.text import clean
from tui.prompts.line import LinePrompt, Reading


class FindPrompt(LinePrompt):
    """`/`: a part of what is looked for."""

    ENTER = "find"
    label = "find"

    def title(self) -> str:
        return "Find: a part of the name or the text"

    def read(self) -> Reading:
        return Reading(says="Enter stays there")

    def _changed(self) -> None:
        super()._changed()
        self._find()

    def _find(self) -> None:
        self.services.find(clean(self.line.text))

    def enter(self) -> None:
        self.close()
