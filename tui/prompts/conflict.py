"""A sheet was changed here and, meanwhile, by somebody else: both are shown, and one counts."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from textual.events import Key

from tui.campaign.watch import Conflict
from tui.display.text import Row, cut, printable, wrapped
from tui.prompts.prompt import Prompt

if TYPE_CHECKING:
    from tui.app import AffrayApp


class ConflictPrompt(Prompt):
    """`settle` is called with whether mine counts where both changed the same field. Escape leaves theirs."""

    def __init__(self, app: "AffrayApp", conflict: Conflict, settle: Callable[[bool], None]) -> None:
        super().__init__(app)
        self.conflict, self._settle = conflict, settle

    def rows(self, width: int, height: int) -> Sequence[Row]:
        conflict = self.conflict
        name = printable(conflict.mine.name)
        what = "was changed" if conflict.theirs else "was deleted"
        said = f"{name} {what} outside while you changed it here."
        found: list[Row] = [[(f" {line}", "strong warning")] for line in wrapped(said, width - 2)]
        for one in conflict.both:
            field = one.field.replace("_", " ")
            values = f"was {shown(one.before)} · yours {shown(one.mine)} · theirs {shown(one.theirs)}"
            found.append([(f"   {field}  ", "strong"), (cut(values, max(10, width - len(field) - 6)), "")])
        theirs = "what is in the file" if conflict.theirs else "it stays deleted"
        keys: Row = [(" m ", "strong"), ("mine  ", "muted"), ("t ", "strong"), (theirs, "muted")]
        return [*found[: max(0, height - 1)], keys]

    def key(self, event: Key) -> None:
        match event.key:
            case "m":
                self.close()
                self._settle(True)
            case "t" | "escape":
                self.close()
                self._settle(False)


def shown(value: Any) -> str:
    """A plain value in a few words."""
    match value:
        case None | "":
            return "nothing"
        case dict():
            return printable(", ".join(f"{name} {shown(one)}" for name, one in value.items()))
        case list() | tuple():
            return printable(", ".join(shown(one) for one in value))
    return printable(str(value))
