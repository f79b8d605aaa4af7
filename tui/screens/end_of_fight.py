"""End a fight: the question first, then the page of what to save to the roster and what a rest restores."""

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from textual.events import Key

from systems.commands.keep import Keepable, keepable, restorable
from systems.commands.rests import Denied, RestoredValue
from systems.encounter.model import Encounter
from systems.errors import Wrong
from systems.language.tokens import quote
from systems.text import clean, listed
from tui.controllers.table import Table
from tui.display.refusals import why_not_to_end
from tui.display.text import Row, cut, fitted, printable, under_cursor, wrapped
from tui.prompts.prompt import Prompt
from tui.prompts.question import TextPrompt
from tui.services import Services
from tui.session.session import Session
from tui.widgets.input_line import InputLine

_NO_LINE = -1  # a row that can't be ticked, such as a heading


class EndOfFightPrompt(Prompt):
    """Lists the changes to save to the roster, then what rests would restore.

    Enter writes the ticked lines as one event, which undo takes back. Rests are ticked by the game master.
    """

    TAB = "spoils and notes"
    MORE_KEYS: Sequence[tuple[str, str]] = (("Space", "tick"), ("a", "all or none"))

    def __init__(
        self, services: Services, kept: Sequence[Keepable], rests: Sequence[RestoredValue | Denied] = ()
    ) -> None:
        super().__init__(services)
        self.kept, self.rests = kept, _each_once(rests)
        self.restored = [each for each in self.rests if isinstance(each, RestoredValue)]
        self.lines: Sequence[Keepable | RestoredValue] = (*kept, *self.restored)
        self.cursor = 0
        self.ticked = {_key(line) for line in kept}
        self.note = InputLine()
        self.notes = not self.lines
        if not self.lines:  # only a note can be written
            self.TAB, self.MORE_KEYS = "", ()
        elif self.restored:
            both = self.MORE_KEYS if kept else self.MORE_KEYS[:1]
            self.MORE_KEYS = (*both, ("r", "rest"))
        # The index of the line in each row.
        self._places: dict[int, int] = {}

    @property
    def enter_does(self) -> str:
        """Return what Enter does."""
        if self.ticked:
            return "save the ticked lines"
        return "save the note" if self.note.text.strip() else "close without saving"

    @property
    def subject(self) -> str:
        """Return the id of the character whose line is under the cursor; "" for none."""
        return self.lines[self.cursor].who if self.lines and not self.notes else ""

    def wanted_rows(self, width: int) -> int:
        """Return the height of the whole list."""
        return max(1, len(self._list(width))) + 2

    def rows(self, width: int, height: int) -> Sequence[Row]:
        keys = self.services.key_names
        title = f"Save to the roster? {keys['undo']} undoes it."
        if not self.kept:
            title = "The party already matches the roster."
        if self.restored:
            # The lines of the rests may be out of sight.
            title += f" r: {listed(self._chosen_rests) or 'no rest'}"
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
            shown = [[(f"   You can add spoils and notes, such as {self._example()}", "muted")]]
        return [head, *shown, *([[]] * (room - len(shown))), self._note_row(width)]

    def _list(self, width: int) -> list[tuple[int, Row]]:
        """Return the rows of the list, each with the index of its line, or _NO_LINE."""
        shown = (*self.kept, *self.rests)
        column = min(max((cell_len(printable(each.name)) for each in shown), default=0), width // 3)
        found: list[tuple[int, Row]] = []
        at, above = 0, ("", "")
        for each in shown:
            title = "" if isinstance(each, Keepable) else each.rest.title
            if title and title != above[0]:
                found.append((_NO_LINE, [(cut(f" After {title}", width), "accent")]))
            name = printable(each.name) if (title, each.name) != above else ""
            above = (title, each.name)
            if isinstance(each, Denied):
                said = fitted(f"     {fitted(name, column)}  none: {printable(each.says)}", width)
                found.append((_NO_LINE, [(said, "muted")]))
            else:
                found += [(at, row) for row in self._line_rows(at, name, column, width)]
                at += 1
        return found

    def _line_rows(self, at: int, name: str, column: int, width: int) -> list[Row]:
        """Return the rows of one line, with its tick box."""
        line = self.lines[at]
        is_ticked = _key(line) in self.ticked
        tone = "" if is_ticked else "muted"
        found = []
        for number, part in enumerate(wrapped(printable(line.says), max(10, width - column - 9), "")):
            tick = "[x]" if is_ticked else "[ ]"
            begin = " " * (column + 7) if number else f" {tick} {fitted(name, column)}  "
            row: Row = [(begin, "strong" if not number and name else tone), (part, tone)]
            found.append(under_cursor(row, width) if at == self.cursor and not self.notes else row)
        return found

    def _example(self) -> str:
        """Return an example note about a character of the party."""
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
                self.ticked ^= {_key(self.lines[self.cursor])}
                self._move(1)
            case "a":
                kept = {_key(line) for line in self.kept}
                self.ticked = self.ticked - kept if self.ticked & kept else self.ticked | kept
            case "r":
                self._tick_next_rest()
            case _:
                return
        self.services.say("")
        self.refresh()

    def click(self, row: int) -> None:
        """Tick the line that is clicked, or clear its tick."""
        at = self._places.get(row)
        if at is not None and at != _NO_LINE:
            self.notes, self.cursor = False, at
            self.ticked ^= {_key(self.lines[at])}
            self.refresh()

    @property
    def _chosen_rests(self) -> Sequence[str]:
        """Return the titles of the rests of which every line is ticked."""
        titles = dict.fromkeys(each.rest.title for each in self.restored)
        unticked = {each.rest.title for each in self.restored if _key(each) not in self.ticked}
        return [title for title in titles if title not in unticked]

    def _tick_next_rest(self) -> None:
        """Tick the shortest rest, then the next longer one too; after the longest, clear all rests."""
        for title in dict.fromkeys(each.rest.title for each in self.restored):
            theirs = {_key(each) for each in self.restored if each.rest.title == title}
            if not theirs <= self.ticked:
                self.ticked |= theirs
                return
        self.ticked -= {_key(each) for each in self.restored}

    def paste(self, text: str) -> None:
        self.notes = True
        self.note.insert(text.strip("\n"))
        self.refresh()

    def _move(self, by: int) -> None:
        self.cursor = max(0, min(self.cursor + by, len(self.lines) - 1))

    def _write(self) -> None:
        note = clean(self.note.text, 400).replace('"', "'").strip()
        chosen = [line for line in self.lines if _key(line) in self.ticked]
        self.close()
        if not chosen and not note:
            return
        names = _names(self.kept, {line.key for line in self.kept if _key(line) in self.ticked})
        figures = ",".join(line.key for line in self.restored if _key(line) in self.ticked)
        if figures and len(chosen) - len(self.kept) == len(self.restored) and self._has_one_rest:
            figures = "all"
        rest = f" rest={quote(figures)}" if figures else ""
        written = f" note={quote(note, always=True)}" if note else ""
        self.services.command(f"keep {names}{rest}{written}", asked_by=self)

    @property
    def _has_one_rest(self) -> bool:
        return len({each.rest.name for each in self.restored}) == 1


def _key(line: Keepable | RestoredValue) -> tuple[bool, str]:
    """Return the unique key of a line. A rest may restore a value that is also saved."""
    return isinstance(line, RestoredValue), line.key


def _each_once(rests: Sequence[RestoredValue | Denied]) -> list[RestoredValue | Denied]:
    """Return the lines of the rests without repeating what a shorter rest restores in the same way."""
    found: dict[tuple[str, ...], RestoredValue | Denied] = {}
    for each in rests:
        what = (each.who, each.says) if isinstance(each, RestoredValue) else (each.who,)
        found.setdefault(what, each)
    return list(found.values())


def _names(lines: Sequence[Keepable], ticked: set[str]) -> str:
    """Return the ticked lines as they are typed: `all`, ids, or fields."""
    if all(line.key in ticked for line in lines) and lines:
        return "all"
    found: list[str] = []
    for who in dict.fromkeys(line.who for line in lines):
        theirs = [line for line in lines if line.who == who]
        chosen = [line.key for line in theirs if line.key in ticked]
        found += [who] if len(chosen) == len(theirs) else chosen
    return ",".join(found) or "none"


def ask_to_end(services: Services, encounter: Encounter, end: Callable[[], None]) -> Prompt:
    """Return the question whether to end the fight while two sides stand or a combatant is to arrive."""

    def answered(word: str) -> str | None:
        if word.casefold() in ("", "y", "yes"):
            end()
            return None
        return None if word.casefold() in ("n", "no") else "type yes or no"

    why = printable(why_not_to_end(encounter))
    hint = f"{services.key_names['undo']} undoes it."
    return TextPrompt(services, f"{why} End the fight?", answered, does="end the fight", hints=(hint,))


def end_of_fight(table: Table) -> None:
    """End the fight, or open the page of the end for a finished fight.

    If two sides can still fight, or combatants are still to arrive, ask first.
    """
    session, services = table.session, table.services
    if session is None:
        table.say_no_fight()
        return
    progress = session.encounter.progress
    services.say("")
    if not progress.round:
        services.say(f"the fight has not begun: {services.key_names['next']} begins it", error=True)
    elif progress.over:
        open_page(table)
    elif not why_not_to_end(session.encounter):
        _end(table)
    else:
        services.prompts.open(ask_to_end(services, session.encounter, lambda: _end(table)))


def _end(table: Table) -> None:
    table.services.command("end", lambda event: _ended(table))


def _ended(table: Table) -> None:
    """Open the page, unless the rules make an offer first, such as an ability to learn."""
    if table.services.offer is None:
        open_page(table)


def keeps_anything(session: Session) -> bool:
    """Return whether the roster differs from the fight."""
    try:
        return bool(keepable(session.encounter, session.roster))
    except Wrong:
        return False


def is_written_back(session: Session) -> bool:
    """Return whether nothing has happened since the party was saved to the roster."""
    done = (event.command for event in session.log.newest())
    return next((command for command in done if command not in ("note", "say", "roll")), "") == "keep"


def open_page(table: Table) -> None:
    """Open the page of the end, with the stats to save to the roster."""
    session, services = table.session, table.services
    if session is None:
        return
    try:
        lines = keepable(session.encounter, session.roster)
        rests = restorable(session.encounter, session.roster)
    except Wrong as wrong:
        services.say(f"the party's stats to save can't be calculated: {wrong}", error=True)
        return
    services.prompts.open(EndOfFightPrompt(services, lines, rests))
