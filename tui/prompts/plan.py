"""The prompt of the enemy's plan: its actions, to change, leave out and carry out."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from textual.events import Key

from systems.encounter.model import Encounter
from tui.display.plan import NOT_COUNTED, plan_heading, plan_row
from tui.display.text import Row, cut
from tui.prompts.prompt import Prompt
from tui.services import Services

if TYPE_CHECKING:
    from systems.forecast.plan import PlannedAction


class ShownPlan(Protocol):
    """A plan that is shown. `at` is the index of an action."""

    @property
    def encounter(self) -> Encounter:
        """Return the encounter that was planned for."""

    @property
    def actions(self) -> "Sequence[PlannedAction]": ...

    @property
    def expected(self) -> int:
        """Return how many actions there will be, while the later ones are still being planned."""

    @property
    def temper(self) -> str: ...

    @property
    def notes(self) -> Sequence[str]:
        """Return sentences about the plan: why it cannot be carried out now, and which policies failed."""

    def change(self, at: int) -> str:
        """Replace an action by the creature's next best one. Return why there is none, or ""."""

    def leave_out(self, at: int) -> None: ...

    def change_temper(self) -> None: ...

    def carry_out(self) -> None: ...


class PlanPrompt(Prompt):
    """Prompt of `M`: a row for each planned action."""

    ENTER = "carry out"
    MORE_KEYS: Sequence[tuple[str, str]] = (
        ("Space", "other action"),
        ("Backspace", "leave out"),
        ("t", "temper"),
    )

    def __init__(self, services: Services, plan: ShownPlan) -> None:
        super().__init__(services)
        self._plan, self._at, self._top = plan, 0, 0

    @property
    def subject(self) -> str:
        actions = self._plan.actions
        return actions[self._at].who if actions else ""

    def wanted_rows(self, width: int) -> int:
        return self._plan.expected + len(self._plan.notes) + 2

    def rows(self, width: int, height: int) -> Sequence[Row]:
        plan, notes = self._plan, [*self._plan.notes, NOT_COUNTED]
        room = max(1, height - len(notes) - 1)
        self._top = min(max(self._top, self._at - room + 1), self._at)
        shown = [
            plan_row(plan.encounter, action, width, cursor=at == self._at)
            for at, action in enumerate(plan.actions)
        ][self._top : self._top + room]
        left = len(plan.actions) - len(shown)
        more = f" … {left} more" if left > 0 else ""
        below: list[Row] = [[(cut(f" {note}", width), "muted")] for note in notes]
        return [plan_heading(f"{plan.temper}{more}", width), *shown, *below]

    def key(self, event: Key) -> None:
        count = len(self._plan.actions)
        match event.key:
            case "escape":
                self.close()
                return
            case "enter":
                self.close()
                self._plan.carry_out()
                return
            case "down" | "tab" | "j" if count:
                self._at = (self._at + 1) % count
            case "up" | "shift+tab" | "k" if count:
                self._at = (self._at - 1) % count
            case "space" if count:
                self.services.say(self._plan.change(self._at))
            case "backspace" | "delete" if count:
                self._plan.leave_out(self._at)
                self._at = max(0, min(self._at, count - 2))
            case "t":
                self._plan.change_temper()
                self._at = 0
        self.refresh()

    def click(self, row: int) -> None:
        at = self._top + row - 1
        if 0 <= at < len(self._plan.actions):
            self._at = at
            self.refresh()
