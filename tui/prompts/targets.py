"""The prompt for an action: its targets and options, with the odds for each target."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress

from rich.cells import cell_len
from textual.events import Key

from systems.errors import Misread
from systems.frozen import evolve
from systems.language.tokens import words_of
from systems.text import as_sentence, listed, matches, shown, starting_with
from tui.display.odds import OddsColumns
from tui.display.refusals import asks_again
from tui.display.text import Piece, Row, cut, cut_row, fitted, printable, width, wrapped
from tui.lists.target_list import Asked, DigitStep, OptionShown, TargetList, TargetRow, TargetSource
from tui.prompts.options import OptionEditor
from tui.prompts.prompt import Prompt
from tui.services import Services
from tui.widgets.input_line import InputLine

_SHORTEST_NAME = 8
_ROWS_AROUND = 2  # the title and the line
_USUAL_ROWS = 12
_NUMBER = re.compile(r"[+-]?[0-9]*")


def _can_begin(option: OptionShown, typed: str) -> bool:
    """Return whether a value of an option begins with the typed text."""
    if _NUMBER.fullmatch(typed) and option.takes_number:
        return True
    return bool(starting_with(typed.rpartition(",")[2], option.choices))


class TargetPrompt(Prompt):
    """Prompt of `a`: the tags of the targets, then options after a space or with Tab. Rows show the odds.

    The source may take a moment to answer. Text typed into the line of targets is shown at once. Other keys
    wait for the answer to the key before.
    """

    TAB = "or Space: options"
    LISTS_TARGETS = True

    def __init__(
        self,
        services: Services,
        source: TargetSource,
        given: Mapping[str, str] | None = None,
        *,
        option: str = "",
        line: str = "",
    ) -> None:
        """`given`: options to fill in.

        `option`: the option to ask about first. `line`: the first text of the line.
        """
        super().__init__(services)
        self.targets = source
        self.line = InputLine(line)
        self.editor = OptionEditor()
        self.editor.chosen = dict(given or {})
        # The combatants that act, if the actor is not alone.
        self.doers = ""
        self.shown = TargetList()
        self._asked = Asked()
        # Whether the newest question has been answered, and whether the prompt has begun.
        self._is_settled = self._has_begun = False
        self._option = option
        # Whether the option being edited was named by typing, as in `threshold=13`. A space ends it.
        self._is_named = False
        # Whether the option being edited was chosen with Tab. Then all typing is for it.
        self._is_chosen = False
        # The options that a beginning may mean, such as `t` in `t=25`. The next character decides.
        self._could_be: tuple[str, ...] = ()
        # The line and the options with the near miss that Enter has asked about.
        self._asked_about: object = None
        # The height until the first paint.
        self._height = _USUAL_ROWS
        self._longest_title = 0
        # How many rows of the list give way to the meaning of the option being edited.
        self._covered = 0
        source.changed = self._more_is_known
        self._ask()

    # Questions to the source

    def _current(self, step: DigitStep = "", by: int = 0) -> Asked:
        """Return the typed and chosen parts so far."""
        return Asked(
            line=self.line.text,
            at_end=self.line.at == len(self.line.text),
            marked=self.shown.typed.marked,
            named=self.shown.typed.named,
            collects=self.shown.typed.collects,
            chosen=tuple(self.editor.chosen.items()),
            field=self.editor.field,
            doers=self.doers,
            height=self._height,
            step=step,
            by=by,
        )

    def _ask(self, step: DigitStep = "", by: int = 0) -> None:
        """Ask the source, and show the answer as soon as it is known."""
        self._asked, self._is_settled = self._current(step, by), False
        self._take(self.targets.show(self._asked))

    def _take(self, found: TargetList) -> None:
        """Show an answer. If it is for the newest question, finish what its key began."""
        is_answer = self.targets.is_known(self._asked)
        if found.result.command:
            # The rows stay. If the command fails, the prompt is opened again and asks for new ones.
            if is_answer:
                self._asked, self._is_settled = Asked(), True
                self.close()
                self.services.command(found.result.command, asked_by=self, read=self.targets.command)
            return
        self.shown = found
        self.TAB = "options" if found.action.targets == "none" else type(self).TAB
        marks = (("Ctrl+R", "resists, fails"),) if found.action.can_mark else ()
        plot = (("Ctrl+O", "odds"),) if found.action.has_odds else ()
        self.MORE_KEYS = (*type(self).MORE_KEYS, *marks, *plot)
        if not is_answer:
            return
        self._is_settled = True
        self.editor.chosen = dict(found.typed.chosen)
        asked = self._asked
        if asked.step and found.typed.line != self.line.text:
            self.line.set(found.typed.line)
        if not self._has_begun:
            self._begin()
        elif asked.step:
            self._finish(asked, found)

    def _begin(self) -> None:
        """Ask about a needed option first, even if it has a suggested value.

        If nothing has to be asked, carry out the action.
        """
        self._has_begun = True
        if self.shown.is_settled:
            self._ask("enter")
            return
        name = self._option or self.shown.options.first
        if name and (first := self.shown.options.option(name)) is not None:
            self.editor.go_to(first)
            self._ask()

    def _finish(self, asked: Asked, found: TargetList) -> None:
        """Finish the step that was answered."""
        if asked.step == "complete" and found.typed.line == asked.line:
            self._go(1)
        elif found.result.why:
            if asked.step == "enter" and (missing := found.options.option(found.options.missing)) is not None:
                self.editor.go_to(missing)
                self._ask()
            if asked.step == "enter" and found.result.meant[1]:
                self._ask_once_more(found)
                return
            self.services.say(found.result.why, error=True)

    def _ask_once_more(self, found: TargetList) -> None:
        """Ask whether a near miss was meant. Enter on the same line takes it."""
        now = (found.typed.line, found.typed.chosen)
        if self._asked_about != now:
            self._asked_about = now
            self.services.say(asks_again(found.result.why), error=True)
            return
        option, meant = found.result.meant
        if option:
            self.editor.chosen[option] = meant
            self.editor.go_to(found.options.option(option))
        else:
            self.line.set(meant)
        self._ask("enter")

    def _more_is_known(self) -> None:
        """Show odds that have become known since."""
        if self._is_settled:
            self._ask()
        else:
            self._take(self.targets.show(self._asked))
        if self.services.prompts.current is self:
            self.refresh()

    @property
    def enter_does(self) -> str:
        is_listed = self.editor.listed(self._options) is not None and not self._is_alone
        return "choose" if is_listed else self.shown.action.does

    @property
    def escape_does(self) -> str:
        return f"leave {self._left_by_escape}" if self._left_by_escape else super().escape_does

    @property
    def subject(self) -> str:
        return self.shown.typed.marked or ""

    def opened(self) -> None:
        super().opened()
        self.targets.begin()

    def close(self) -> None:
        self.targets.stop()
        super().close()

    def wanted_rows(self, width: int) -> int:
        choices = self.editor.listed(self._options)
        # What an option means comes and goes; rows that move with Tab would be worse than a shorter list.
        below = 0 if self.editor.field else len(self._below(width))
        return max(self.shown.list.wanted + below, _ROWS_AROUND + len(choices.choices) if choices else 0)

    @property
    def _is_alone(self) -> bool:
        """Return whether the action has no target."""
        return self.shown.action.targets == "none"

    @property
    def _options(self) -> Sequence[OptionShown]:
        return self.shown.options.shown

    @property
    def _edited(self) -> OptionShown | None:
        """Return the option being edited."""
        return self.shown.options.option(self.editor.field)

    # Keys

    def takes(self, event: Key) -> bool:
        if self._is_settled or event.key == "escape":
            return True
        is_edited = not self._asked.step and not self.editor.field and not self._is_alone
        return is_edited and (event.is_printable or event.key in ("backspace", "left", "right"))

    def key(self, event: Key) -> None:
        match event.key:
            case "escape":
                self._escape()
            case "enter" | "space" if self.editor.listed(self._options) and not self._is_alone:
                # The rows of the targets were hidden, so they come first.
                self.editor.go_to(None)
                self._ask()
            case "enter":
                self._ask("enter")
            case "tab" if self.editor.field or not self.line.text.strip():
                self._go(1)
            case "tab":
                self._ask("complete")
            case "shift+tab":
                self._go(-1)
            case "up" | "down" if self.editor.choose(1 if event.key == "down" else -1, self._options):
                self._ask()
            case "up" | "down":
                self._move(1 if event.key == "down" else -1)
            case "pageup" | "pagedown":
                self._move(self._height if event.key == "pagedown" else -self._height)
            case "ctrl+o" if self.shown.action.has_odds:
                self.targets.plot(self._current())
            case "ctrl+t":
                self._ask("take")
            case "ctrl+r" if self.shown.action.targets == "many":
                self._ask("resist")
            case _ if self.editor.field or self._is_alone:
                self._type_option(event)
            case _:
                if self.line.key(event):
                    self._typed()
        if self.services.prompts.current is self:
            self.refresh()

    def _typed(self) -> None:
        self.services.say("")
        self._ask()

    def _type_option(self, event: Key) -> None:
        """Take a key for the option being edited. Without targets, typing opens the first option.

        Another option can be named as in `:`, for example `at=dex thr=13`. If a word is expected, a tag names
        a target.
        """
        if self._could_be and event.is_printable and event.character:
            self._go_to_what_begins(event.character)
        self._could_be = ()
        self.services.say("")
        if event.character == "=" and self._go_to_named():
            self._ask()
            return
        if self._ends_option(event) or self._begins_a_tag(event):
            self._is_named = False
            self.editor.go_to(None)
            # Before a target is typed, the space only ends the option.
            if not self._is_alone and (self.line.text or event.character != " "):
                self.line.key(event)
            self._typed()
            return
        typed = event.character if event.character and event.character.isprintable() else ""
        if not self.editor.field and typed:
            self._is_chosen = False
            self.editor.go_to(self._next_option(typed))
        option = self._edited
        if option is not None and typed and (other := self._other_option(option, typed)):
            begun = self.editor.line.text
            self.editor.leave()
            option = other
            self.editor.go_to(option)
            for character in begun:
                self.editor.key(Key(character, character), option)
        if option is not None and self.editor.key(event, option):
            self._ask()

    def _next_option(self, typed: str) -> OptionShown | None:
        """Return the first open option that the typed text can begin, or None. Used while none is edited."""
        options = self._options
        still_open = [option for option in options if option.name not in self.editor.chosen]
        return next((option for option in still_open if _can_begin(option, typed)), None) or next(
            iter(still_open or options), None
        )

    def _other_option(self, edited: OptionShown, typed: str) -> OptionShown | None:
        """Return the only other open option that fits the typed text, if the edited one does not."""
        begun = self.editor.line.text + typed
        if (
            self._is_named
            or self._is_chosen
            or not edited.choices
            or _can_begin(edited, begun)
            or begun == " "
        ):
            return None
        others = [
            option
            for option in self._options
            if option.name not in (edited.name, *self.editor.chosen) and _can_begin(option, begun)
        ]
        # A needed option comes first, such as the threshold of a check.
        others = [option for option in others if option.needed and not option.choices] or others
        return others[0] if len(others) == 1 else None

    def _go_to_named(self) -> bool:
        """Go to the option whose name was typed last, and remove that name from the option being edited."""
        value, _, word = self.editor.line.text.rpartition(" ")
        edited = self.editor.field
        found = matches(word, [option.name for option in self._options]) if edited else ()
        if not found:
            return False
        self.editor.leave()
        if value.strip():
            self.editor.chosen[edited] = value.strip()
        if len(found) > 1:
            self._could_be = found
            self.services.say(f"{shown(word)} could be {listed(found, 'or')}")
            return True
        if (named := self.shown.options.option(found[0])) is not None and named.name == edited:
            # The beginning of another option's name is not a value.
            named = evolve(named, value="")
        self.editor.go_to(named)
        self._is_named = True
        return True

    def _go_to_what_begins(self, character: str) -> None:
        """If one beginning named several options, go to the one whose value can begin with the character."""
        found = [option for option in self._options if option.name in self._could_be]
        words = [option for option in found if starting_with(character, option.choices)]
        others = [option for option in found if not option.choices]
        self._could_be = ()
        self.services.say("")
        self.editor.go_to((words or others or found)[0])
        self._is_named = True

    def _ends_option(self, event: Key) -> bool:
        """Return whether a key is the space after a named option, or after a word or number."""
        option = self._edited
        typed = self.editor.line.text
        if event.character != " " or option is None or not typed:
            return event.character == " " and self._is_named
        is_number = option.takes_number and not option.choices and _NUMBER.fullmatch(typed) is not None
        return self._is_named or bool(option.choices) or is_number

    def _begins_a_tag(self, event: Key) -> bool:
        """Return whether a key is the first digit of a target's tag, typed while a word is expected."""
        option = self._edited
        if self._is_alone or option is None or not option.choices or self.editor.line.text:
            return False
        is_digit = bool(event.character) and str(event.character).isdecimal()
        return is_digit and not starting_with(str(event.character), option.choices)

    def click(self, row: int) -> None:
        rows = self.shown.list.rows
        seen = len(rows) - self._covered
        found = rows[row - 1] if 0 < row <= seen and not self._is_alone else None
        if found is None or found.rule or not self._is_settled:
            return
        if found.key == self.shown.typed.marked:
            self._ask("enter")
            return
        self.services.say("")
        places = [each.key for each in rows if not each.rule]
        marked = places.index(self.subject) if self.subject in places else -1
        self._ask("move", places.index(found.key) - marked)
        self.refresh()

    def paste(self, text: str) -> None:
        line = " ".join(text.split())
        if self.editor.field or self._is_alone:
            for character in line:
                self._type_option(Key(character, character))
        else:
            self.line.insert(line)
            self._typed()
        self.refresh()

    @property
    def _left_by_escape(self) -> str:
        """Return the label of the option that Escape leaves; "" if it leaves the question."""
        begun = self._option or self.shown.options.first
        if self.editor.field in ("", begun) or self.shown.options.missing or self._is_alone:
            return ""
        option = self._edited
        return option.label if option else ""

    def _escape(self) -> None:
        """Go from an option back to the targets, or leave the question."""
        if self._left_by_escape:
            self.editor.leave()
            self._ask()
            return
        self.close()

    def _go(self, by: int) -> None:
        self.services.say("")
        self._is_chosen = True
        self.editor.go(by, self._options)
        self._take_from_line()
        self._ask()

    def _take_from_line(self) -> None:
        """Remove the option being edited from the line, which would contradict it."""
        option = self._edited
        if option is None or not option.value:
            return
        text, names = self.line.text, [each.name for each in self._options]
        with suppress(Misread):
            for word in reversed(words_of(text)):
                name, equals, _ = word.text.partition("=")
                if equals and matches(name, names) == (option.name,):
                    self.line.set(text[: word.start].rstrip() + text[word.end :])
                    self.editor.take(option)

    def _move(self, by: int) -> None:
        self.services.say("")
        self._ask("move", by)

    # Rows

    def rows(self, width: int, height: int) -> Sequence[Row]:
        room = max(1, height - _ROWS_AROUND)
        if self._is_settled and (room != self._height or not self.targets.is_known(self._asked)):
            self._height = room
            self._ask()
        self._height = room
        below = self._below(width)
        body = self._alone(width) if self._is_alone else self._targets(width)
        # Only what a typed option means is worth rows of the list; the rest is told in free rows.
        below = below[: room - 1 if self._is_typed else max(0, room - len(body))]
        self._covered = max(0, min(room, len(body)) - (room - len(below)))
        body = body[: room - len(below)]
        blank: list[Row] = [[]] * (room - len(body) - len(below))
        return [self._title(width), *body, *blank, *below, self._last(width)]

    @property
    def _is_typed(self) -> bool:
        """Return whether the option being edited has no choices, and its meaning says what to type."""
        return self._edited is not None and not self._edited.choices

    def _below(self, width: int) -> list[Row]:
        """Return the rows above the line for what it has no room for.

        That is the meaning of the option being edited, or the options after the `…`.
        """
        if self._is_alone or self.editor.listed(self._options) or self.shown.options.candidates:
            return []
        cells = self._cells_for_options(width)
        rest = self.editor.left_out(self._options, cells)
        told = f"more options: {', '.join(rest)}" if rest else self.editor.meaning(self._options, cells)
        return [[(f"   {line}", "muted")] for line in wrapped(told, width - 4)] if told else []

    @property
    def _does(self) -> str:
        """Return the action's title, to be shown after the names of the actors."""
        return " · ".join(["", self.shown.action.does, *filter(None, [printable(self.shown.action.about)])])

    @property
    def _who(self) -> str:
        """Return the names of the actors for the title."""
        return printable(self.shown.action.actor)

    def _missing(self) -> int:
        """Return how many targets, or choices of the option being edited, have no row."""
        choices = self.editor.listed(self._options)
        if choices:
            return max(0, len(choices.choices) - self._height)
        rows = self.shown.list.rows
        return self.shown.list.more + sum(not row.rule for row in rows[len(rows) - self._covered :])

    def _title(self, width: int) -> Row:
        refused = self.shown.list.all_refused
        has_no_odds = self._is_alone or refused or self.editor.listed(self._options)
        headings = "" if has_no_odds else self._columns(width).headings()
        room = width - cell_len(headings) - 1  # the headings end at the same column as the rows
        missing = self._missing()
        more = f" … {missing} more" if missing and not self._is_alone else ""
        if more and headings.endswith(" " * cell_len(more)):
            # After the title it would look like a number of actions.
            headings, more = headings[: -cell_len(more)] + more, ""
        # The reason why there is no target leaves no room for the weapon.
        left, does = room - 1 - cell_len(more), f" · {self.shown.action.does}" if refused else self._does
        if more and cell_len(f" {self._who}{does}") > left:
            # The `…` for the missing rows also replaces the rest of the title.
            does = f" · {self.shown.action.does}"
        # The header names the actor; the action is only named here.
        name = cut(self._who, max(_SHORTEST_NAME, left - 1 - cell_len(does)))
        title = cut(f" {name}{does}", left) + more
        if refused:
            return cut_row([(title, "strong"), (f" · {printable(refused)}", "warning")], width - 1)
        return [(fitted(title, room), "strong"), (headings, "muted")]

    def _columns(self, width: int) -> OddsColumns:
        rows = self.shown.list
        # A shorter title, for example with another weapon, does not move the columns.
        title = cell_len(f" {self._who}{self._does} ")
        self._longest_title = max(self._longest_title, title)
        return OddsColumns(
            rows.headings, width, rows.marks, rows.figures_wide, rows.names_wide, self._longest_title
        )

    def _targets(self, width: int) -> list[Row]:
        if choices := self.editor.choices(self._options, width, self._height):
            return choices
        if not self.shown.list.rows:
            return [[("   there are no targets", "warning")]] if self._has_begun else []
        columns = self._columns(width)
        rows = [self._row(columns, row, width) for row in self.shown.list.rows]
        if self.shown.notes.odds and len(rows) < self._height:
            rows.append([(f"   {printable(self.shown.notes.odds)}", "accent")])
        return rows

    def _row(self, columns: OddsColumns, row: TargetRow, width: int) -> Row:
        if row.rule:
            return [(fitted(f" ── {row.rule} ──", width), "muted")]
        # While targets are added one by one, the cursor is shown in addition to them.
        cursor = row.key == self.shown.typed.marked if self.shown.list.one_by_one else None
        return columns.row(row.person, row.odds, row.aimed, row.possible, cursor, row.mark)

    def _alone(self, width: int) -> list[Row]:
        """Return the rows of an action without target: its odds, and its options with their meanings."""
        told = self.shown.notes.odds
        odds: list[Row] = [[(f"   {printable(told)}", "")]] if told else []
        return [*odds, *self.editor.rows(self._options, width, self._height - len(odds))]

    def _last(self, cells: int) -> Row:
        """Return the line, followed by its error or by the options."""
        notes, options = self.shown.notes, self.shown.options
        if self._is_alone and not self.editor.field:
            does: Piece = (f" Enter {self.shown.action.does}", "accent strong")
            warning = self._warning()
            return [does, ("  ", ""), (printable(warning) or self._hint(), "warning" if warning else "muted")]
        start = self._line_start(cells)
        if not self.editor.field and (warning := self._warning()):
            return [*start, (printable(warning), "warning")]
        if notes.nobody and notes.nobody != self.services.messages.sentence:
            return [*start, (as_sentence(printable(notes.nobody)), "muted")]
        if options.candidates:
            return [*start, (printable(" · ".join(options.candidates)), "muted")]
        wrong = options.wrong if self.editor.field else ""
        found = self.editor.pieces(options.shown, self._cells_for_options(cells), wrong)
        return [*start, *(found or [(printable(notes.names), "muted")])]

    def _line_start(self, cells: int) -> list[Piece]:
        """Return the beginning of the line: the typed targets."""
        if self._is_alone:
            return [(" ", "")]
        return [(" target ", "accent strong"), *self.line.row(max(8, cells // 2)), ("  ", "")]

    def _cells_for_options(self, cells: int) -> int:
        return cells - width(self._line_start(cells))

    def _warning(self) -> str:
        """Return the error of the line in full. Next to the line only a part of it fits."""
        notes = self.shown.notes
        told = self.services.messages.is_error  # in full, on the line below
        refused = "" if told or notes.refused == self.shown.list.all_refused else notes.refused
        return as_sentence(("" if told else self.shown.options.wrong) or refused) or notes.warns

    def _hint(self) -> str:
        """Return the hint for an action without target."""
        return "Tab changes the options above" if self._options else ""
