"""The page of a fight's end: what each character keeps, ticked line by line, and written to the roster."""

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from textual.events import Key

from systems.commands.keep import Keepable
from systems.encounter.model import Encounter
from systems.text import clean
from tui.display.refusals import why_not_to_end
from tui.display.text import Row, cut, fitted, printable, under_cursor, wrapped
from tui.prompts.prompt import Prompt
from tui.services import Services
from tui.widgets.input_line import InputLine


class EndOfFightPrompt(Prompt):
    """Lists what the characters keep; Enter writes what is ticked, as one event, which undo takes back."""

    TAB = "spoils and notes"
    MORE_KEYS: Sequence[tuple[str, str]] = (("Space", "tick"), ("a", "all or none"))

    def __init__(self, services: Services, lines: Sequence[Keepable]) -> None:
        super().__init__(services)
        self.lines, self.cursor = lines, 0
        self.ticked = {line.key for line in lines}
        self.note = InputLine()
        self.notes = not lines
        if not lines:  # a note is all that can be written
            self.TAB, self.MORE_KEYS = "", ()
        # Which line stands in which row.
        self._places: dict[int, int] = {}

    @property
    def enter_does(self) -> str:
        """Return what Enter does."""
        if self.ticked:
            return "write what is ticked"
        return "write the note" if self.note.text.strip() else "go back, nothing is written"

    @property
    def subject(self) -> str:
        """Return whose line the cursor is on."""
        return self.lines[self.cursor].who if self.lines and not self.notes else ""

    def wanted_rows(self, width: int) -> int:
        """Return how many rows the whole list takes."""
        return max(1, len(self._list(width))) + 2

    def rows(self, width: int, height: int) -> Sequence[Row]:
        keys = self.services.key_names
        title = f"What goes to the roster? Afterwards {keys['undo']} undoes it."
        if not self.lines:
            title = "The party is as the roster has it already."
        head: Row = [(" ", ""), (cut(title, width - 2), "strong")]
        room = max(1, height - 2)
        found = self._list(width)
        at = next((at for at, (number, _) in enumerate(found) if number == self.cursor), 0)
        top = max(0, min(at - room // 2, len(found) - room))
        shown = [row for _, row in found[top : top + room]]
        self._places = {row: number for row, (number, _) in enumerate(found[top : top + room], 1)}
        if more := len(found) - top - len(shown):
            shown[-1] = [(f"   … {more + 1} more", "muted")]
        if not found:
            shown = [[(f"   Spoils and notes can be added, such as {self._example()}", "muted")]]
        return [head, *shown, *([[]] * (room - len(shown))), self._note_row(width)]

    def _list(self, width: int) -> list[tuple[int, Row]]:
        """Return the rows of the list, each with the number of its line."""
        names = [printable(line.name) for line in self.lines]
        column = min(max((cell_len(name) for name in names), default=0), width // 3)
        found: list[tuple[int, Row]] = []
        for at, line in enumerate(self.lines):
            name = names[at] if not at or names[at - 1] != names[at] else ""
            parts = wrapped(printable(line.says), max(10, width - column - 9), "")
            tick = "[x]" if line.key in self.ticked else "[ ]"
            for part_at, part in enumerate(parts):
                begin = f" {tick} {fitted(name, column)}  " if not part_at else " " * (column + 7)
                tone = "" if line.key in self.ticked else "muted"
                row: Row = [(begin, "strong" if not part_at and name else tone), (part, tone)]
                chosen = at == self.cursor and not self.notes
                found.append((at, under_cursor(row, width) if chosen else row))
        return found

    def _example(self) -> str:
        """Return a note for somebody of the party."""
        here = self.services.source.encounter if self.services.source else None
        party = (printable(each.name) for each in here or () if here and here.is_player(each))
        return f"{next(party, 'Sera')}: 30 gold"

    def _note_row(self, width: int) -> Row:
        if not self.notes and not self.note.text:
            return [(cut(f" Tab: spoils and notes, such as {self._example()}", width), "muted")]
        label = " spoils, notes "
        typed = self.note.row(max(8, width - len(label) - 2))
        return [(label, "accent strong"), *(typed if self.notes else [(cut(self.note.text, width), "")])]

    def key(self, event: Key) -> None:
        match event.key:
            case "escape":
                self.close()
                return
            case "enter":
                self._write()
                return
            case "tab" | "shift+tab":
                self.notes = not self.notes or not self.lines
            case _ if self.notes:
                if not self.note.key(event):
                    self.notes = event.key not in ("up", "down") or not self.lines
            case "up" | "k" | "down" | "j":
                self._move(-1 if event.key in ("up", "k") else 1)
            case "space":
                self.ticked ^= {self.lines[self.cursor].key}
                self._move(1)
            case "a":
                self.ticked = set() if self.ticked else {line.key for line in self.lines}
            case _:
                return
        self.services.say("")
        self.refresh()

    def click(self, row: int) -> None:
        """Tick what is clicked, or leave it out."""
        at = self._places.get(row)
        if at is not None:
            self.notes, self.cursor = False, at
            self.ticked ^= {self.lines[at].key}
            self.refresh()

    def paste(self, text: str) -> None:
        self.notes = True
        self.note.insert(text.strip("\n"))
        self.refresh()

    def _move(self, by: int) -> None:
        self.cursor = max(0, min(self.cursor + by, len(self.lines) - 1))

    def _write(self) -> None:
        note = clean(self.note.text, 400).replace('"', "'").strip()
        chosen = [line for line in self.lines if line.key in self.ticked]
        self.close()
        if not chosen and not note:
            return
        written = f' note="{note}"' if note else ""
        self.services.command(f"keep {_names(self.lines, self.ticked)}{written}", asked_by=self)


def _names(lines: Sequence[Keepable], ticked: set[str]) -> str:
    """Return what is ticked as it is typed: `all`, characters, or their fields."""
    if all(line.key in ticked for line in lines) and lines:
        return "all"
    found: list[str] = []
    for who in dict.fromkeys(line.who for line in lines):
        theirs = [line for line in lines if line.who == who]
        chosen = [line.key for line in theirs if line.key in ticked]
        found += [who] if len(chosen) == len(theirs) else chosen
    return ",".join(found) or "none"


def ask_to_end(services: Services, encounter: Encounter, end: Callable[[], None]) -> Prompt:
    """Return the question whether the fight ends although two sides stand, or somebody is to arrive."""
    from tui.prompts.question import Question

    def answered(word: str) -> str | None:
        if word.casefold() in ("", "y", "yes"):
            end()
            return None
        return None if word.casefold() in ("n", "no") else "Enter ends it, Esc goes on"

    why = printable(why_not_to_end(encounter))
    hint = f"{services.key_names['undo']} undoes it."
    return Question(services, f"{why} End the fight?", answered, does="end the fight", hints=(hint,))
