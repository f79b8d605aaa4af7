"""Find: the screen goes to the first match while you type."""

from textual.events import Key

from systems.text import clean, shown
from tui.prompts.line import LinePrompt, Reading
from tui.services import Services


class FindPrompt(LinePrompt):
    """Prompt of `/`: part of a name or text to find."""

    ENTER = "find"
    TAB = ""
    label = "find"

    def title(self) -> str:
        return "Find: part of a name or text"

    def __init__(self, services: Services) -> None:
        super().__init__(services)
        self._is_found = True
        self._go_back = services.way_back()

    def key(self, event: Key) -> None:
        if event.key == "escape":
            self._go_back()
        super().key(event)

    def read(self) -> Reading:
        if not self._is_found:
            return Reading(wrong=f"nothing here matches {shown(self.line.text)}")
        return Reading(says="Enter stays here")

    def _changed(self) -> None:
        super()._changed()
        self._is_found = self.services.find(clean(self.line.text))

    def enter(self) -> None:
        if self._is_found:
            self.close()
        else:
            super().enter()
