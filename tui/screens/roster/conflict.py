"""The prompt for a sheet that was changed both here and in its file. It shows both; you keep one."""

from collections.abc import Callable, Sequence
from typing import Any

from textual.events import Key

from tui.campaign.watch import Conflict
from tui.display.text import Row, printable, wrapped
from tui.prompts.prompt import ALL_ROWS, Prompt
from tui.services import Services


class ConflictPrompt(Prompt):
    """Asks which changes to keep. Calls `settle(mine)`; Escape keeps the changes from outside."""

    ENTER = ""
    ESCAPE = "keep the file"

    def __init__(self, services: Services, conflict: Conflict, settle: Callable[[bool], None]) -> None:
        super().__init__(services)
        self.conflict, self._settle = conflict, settle

    def wanted_rows(self, width: int) -> int:
        return len(self.rows(width, ALL_ROWS))

    def rows(self, width: int, height: int) -> Sequence[Row]:
        conflict = self.conflict
        name = printable(conflict.mine.name)
        what = "was deleted" if conflict.theirs is None else "was changed"
        said = f"{name} {what} outside Affray while you edited it here."
        found: list[Row] = [[(f" {line}", "strong warning")] for line in wrapped(said, width - 2)]
        for difference in conflict.both:
            field = difference.field.replace("_", " ")
            before, mine = shown(difference.before), shown(difference.mine)
            values = f"was {before} · yours {mine} · in the file {shown(difference.theirs)}"
            first, *others = wrapped(f"{field}  {values}", max(20, width - 6), indent="")
            found.append([(f"   {first[: len(field)]}", "strong"), (first[len(field) :], "")])
            found += [[(f"     {line}", "")] for line in others]
        theirs = "leave it deleted" if conflict.theirs is None else "keep the file"
        keys: Row = [(" m ", "strong"), ("keep yours  ", "muted"), ("t, Esc ", "strong"), (theirs, "muted")]
        return [*found[: max(0, height - 1)], keys]

    def key(self, event: Key) -> None:
        match event.key:
            case "m":
                self.close()
                self._settle(True)
            case "t" | "escape":
                self.close()
                self._settle(False)
            case _:
                self.services.say("m keeps yours, t keeps the file", error=True)


def shown(value: Any) -> str:
    """Return a plain value in a few words."""
    match value:
        case None | "":
            return "nothing"
        case dict():
            return printable(", ".join(f"{name} {shown(part)}" for name, part in value.items()))
        case list() | tuple():
            return printable(", ".join(shown(part) for part in value))
    return printable(str(value))
