"""Prompts that a command opens: the face of a real die, or a choice in the middle of an action."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.events import Key

from systems.contract.marked_text import possessive
from systems.frozen import frozen
from tui.display.refusals import not_carried_out
from tui.display.text import Row, fitted, printable, under_cursor, wrapped
from tui.lists.dice_asked import ChoiceAsked, FaceAsked, TypedDie, WrongCall, read_dice, rolled_words
from tui.prompts.pick import go_to_word, none_begins
from tui.prompts.prompt import Prompt
from tui.services import FirstLook, Services
from tui.widgets.input_line import InputLine

if TYPE_CHECKING:
    from systems.dice.sources import Given


def _nothing() -> tuple[str, str]:
    return "", ""


@frozen
class DieShown:
    """A die to ask for: `given` takes the typed dice and returns an error, or "".

    `explain` returns the effect of the faces and the bonus; it is called once the question is shown.
    `before`: the dice of the same command before it was undone; `again` takes them. `of`: the id of its
    owner. `back`: what Escape does, if it does not leave the command.
    """

    asked: FaceAsked
    given: Callable[[Sequence[TypedDie]], str]
    explain: Callable[[], tuple[str, str]] = _nothing
    before: "Sequence[Given]" = ()
    again: Callable[[], None] | None = None
    of: str = ""
    back: Callable[[], None] | None = None


class FacePrompt(Prompt):
    """Asks for a real die: its owner, its purpose, and its number among several.

    You can type several faces at once; the others go to the next dice. `=22` is the total of a sum, including
    the bonus shown. Enter alone lets the program roll. While several combatants roll at the same time, Tab
    goes to the die of another.
    """

    def __init__(self, services: Services, die: DieShown, wrong: str = "") -> None:
        """`wrong`: text that is in the line from the start and is typed over."""
        super().__init__(services)
        self.die = die
        self.does, self.adds = "", ""
        self.line = InputLine(wrong)
        # A face that the die can't show stays in the line until you type over it.
        self._types_over = bool(wrong)
        # An Enter meant for the command before must not roll the die.
        self._first_look = FirstLook(services.now)
        # Goes on to the die of another, by 1 or -1. None if nobody else rolls.
        self.turn: Callable[[int], None] | None = None
        # Returns which players have not rolled yet.
        self.waiting: Callable[[], str] = str
        # The player who has just rolled the die that this line was typed for.
        self._rolled_by = ""
        # The player, and the time until which digits are held.
        self._holds_until = "", 0.0

    @property
    def asked(self) -> FaceAsked:
        return self.die.asked

    def show_die(self, die: DieShown, text: str = "") -> None:
        """Ask for another die in place of this one. `text`: the text typed for it."""
        self.die, self.does, self.adds = die, "", ""
        self.line.set(text)
        self._types_over, self._rolled_by = False, ""
        self.services.program.set_timer(0.001, self._explain)
        self.refresh()

    def hold(self, name: str, text: str) -> None:
        """Ignore keys up to Enter: they were typed for a die that this player has just rolled."""
        self._rolled_by = name
        self.line.set(text)
        self.refresh()

    def hold_until(self, name: str, time: float) -> None:
        """Hold digits that are typed before that time; see `hold`."""
        self._holds_until = name, time

    def opened(self) -> None:
        super().opened()
        self.services.program.set_timer(0.001, self._explain)

    def _explain(self) -> None:
        """Find the effect of the faces, after the first paint of the question."""
        if self.services.prompts.current is self:
            self.does, self.adds = self.die.explain()
            self.refresh()

    @property
    def escape_does(self) -> str:
        return "back" if self.die.back is not None else super().escape_does

    @property
    def enter_does(self) -> str:
        if self._rolled_by:
            return "go on"
        if self.line.text or self.asked.waits:
            return "accept"
        return "use them again" if self.die.before else "roll"

    def wanted_rows(self, width: int) -> int:
        return len(self._told(width)) + 1

    def rows(self, width: int, height: int) -> Sequence[Row]:
        self._first_look.paint(self)
        rows = self._told(width)[: max(0, height - 1)]
        rows += [[]] * (height - 1 - len(rows))
        return [*rows, [(f" d{self.asked.sides} ", "accent strong"), *self.line.row(width - 8)]]

    def _told(self, width: int) -> list[Row]:
        """Return the rows for the die, its effect and bonus, and the keys that answer."""
        die, before = self.asked, self.die.before
        # For `sling, after a 20` at Guard 1, the title is `sling at Guard 1, after a 20`.
        what, comma, when = (printable(die.why) or "roll").partition(",")
        at = f" at {printable(die.at)}" if die.at else ""
        asked = f" d{die.sides} for {possessive(printable(die.owner))} {what}{at}{comma}{when}{die.which}"
        several = " · several at once: 4 6 1" if die.which else ""
        alone = "Enter accepts it" if die.waits else "Enter alone rolls it"
        total = "" if die.is_one_die and not (self.adds and die.total_of) else " · =total"
        total += ", bonus included" if total and self.adds else ""
        does = f" · {printable(self.does)}" if self.does else ""
        rows: list[Row] = [[(asked, "strong accent"), (does, "strong")]]
        if cell_len(asked + does) > width - 1:
            cells = max(10, width - 5)
            head = wrapped(asked.strip(), cells)
            below = wrapped(printable(self.does), cells, "") if self.does else []
            rows = [[(f" {line}", "strong accent")] for line in head]
            rows += [[(f"   {line}", "strong")] for line in below]
        if self.adds:
            rows.append([(f"   added: {printable(self.adds)}", "")])
        if before:
            rolled = " ".join(map(rolled_words, before))
            rows.append([(f"   rolled before: {rolled}", "accent")])
            alone = f"Enter takes {'it' if len(before) == 1 else 'them'}, r rolls again"
        is_early = self._first_look.asks_again and not self.line.text
        if is_early:
            alone = alone.replace("Enter alone" if not before else "Enter", "Enter again", 1)
        how = f"   1 to {die.sides}{several} · {alone}{total}"
        rows.append([(how, "accent" if is_early else "muted")])
        if waiting := printable(self.waiting()):
            rows.append([(f"   {waiting}", "accent")])
        if self._rolled_by:
            rows.append([(f"   {printable(self._rolled_by)} has just rolled. Enter goes on", "warning")])
        if die.command:
            rows.append([(f"   {printable(die.command)}", "muted")])
        return rows

    def key(self, event: Key) -> None:
        name, until = self._holds_until
        if (
            not self._rolled_by
            and name
            and self.services.now() < until
            and (event.character or "").isdecimal()
        ):
            self._rolled_by = name
        if self._rolled_by:
            self._go_on(event)
            return
        match event.key:
            case "escape" if self.die.back is not None:
                self.die.back()
            case "escape":
                self.close()
                self.services.say("" if self.asked.waits else not_carried_out(self.asked.command))
            case "enter":
                self._enter()
            case "tab" | "shift+tab" if self.turn is not None:
                self.turn(1 if event.key == "tab" else -1)
            case "r" if self.die.before and not self.line.text:
                self._give([])
            case _:
                self._type_over(event.character)
                self.line.key(event)
                if event.character and event.character.isalpha():
                    self._ask_for_face()
                self.refresh()

    def _go_on(self, event: Key) -> None:
        """Take Enter or Escape for the text of another die, and drop the text."""
        if event.key in ("enter", "escape"):
            self._rolled_by = ""
            self.line.set("")
        self.refresh()

    def _type_over(self, character: str | None) -> None:
        if self._types_over and character and character.isprintable():
            self.line.set("")
        self._types_over = False

    def paste(self, text: str) -> None:
        if self._rolled_by:
            return
        self._type_over(text.strip()[:1])
        self.line.insert(" ".join(text.split()))
        self.refresh()

    def _enter(self) -> None:
        try:
            dice = read_dice(self.line.text, self.asked.sides)
        except WrongCall as error:
            self._refuse(str(error))
            return
        if not dice and self.asked.waits:
            self._ask_for_face()
        elif not dice and not self._first_look.takes(self):
            self.refresh()
        elif self.die.before and self.die.again and not dice:
            self.services.say("")
            self.die.again()
        else:
            self._give(dice)

    def _give(self, dice: Sequence[TypedDie]) -> None:
        self.services.say("")
        if wrong := self.die.given(dice):
            self._refuse(wrong)

    def _refuse(self, why: str) -> None:
        """Say what is wrong with the line. It stays until you type over it."""
        self.services.say(why, error=True)
        self._types_over = True
        self.refresh()

    def _ask_for_face(self) -> None:
        self.services.say(f"type what the die shows, 1 to {self.asked.sides}", error=True)


class DigitsForDie:
    """Digits for a real die that were typed just as a decision appeared. They are kept for the die.

    The first must come less than `GRACE` seconds after the first paint of the decision, and the others as
    quickly, up to Enter.
    """

    GRACE = FirstLook.GRACE

    def __init__(self, clock: Callable[[], float], keep: Callable[[str], None]) -> None:
        self._clock, self._keep = clock, keep
        self._until: float | None = None
        self._is_typing = False
        self.text = ""

    def paint(self) -> None:
        """Start the grace period when the decision is first painted."""
        if self._until is None:
            self._until = self._clock() + self.GRACE

    def takes(self, event: Key) -> bool:
        """Take a key that was meant for the die; return whether it was."""
        self.paint()
        now = self._clock()
        is_soon = self._until is not None and now < self._until
        is_part = event.character is not None and (event.character in "=, " or event.character.isdecimal())
        is_digit = is_part and event.character not in (",", " ")
        if not is_soon or not (is_part if self._is_typing else is_digit):
            is_end = is_soon and self._is_typing and event.key == "enter"
            self._is_typing = False
            return is_end
        self._is_typing, self._until = True, now + self.GRACE
        self.text += event.character or ""
        self._keep(self.text)
        return True


class ChoicePrompt(Prompt):
    """A decision. Type its number or the beginning of a choice; Enter takes the marked choice.

    If the choices are numbers, type the number itself and press Enter.
    """

    ENTER = "choose"

    def __init__(
        self,
        services: Services,
        asked: ChoiceAsked,
        given: Callable[[int], None],
        other: Callable[[str], None] = lambda number: None,
        keep: Callable[[str], None] | None = None,
    ) -> None:
        """`given` gets the index of the choice, `other` a number that is not listed.

        `keep`: takes digits that were typed for a real die; None if no die can follow.
        """
        super().__init__(services)
        self._for_die = DigitsForDie(services.now, keep) if keep is not None else None
        # An Enter meant for the command before must not choose.
        self._first_look = FirstLook(services.now)
        self.asked, self.given, self.other = asked, given, other
        # Without a suggestion no row is marked, so that an early Enter takes nothing.
        self.chosen = asked.suggested
        # The index of each numeric choice, by its digits.
        self.numbers = asked.numbers
        # The digits and the letters typed so far.
        self.typed = self._begun = ""
        # The index of the choice in each row.
        self._places: dict[int, int] = {}

    def _question(self, width: int) -> Sequence[str]:
        """Return the lines of the question, with the name of the combatant that decides."""
        question, owner = printable(self.asked.question), printable(self.asked.owner)
        return wrapped(question if owner in question else f"{question} ({owner})", width - 2)

    def rows(self, width: int, height: int) -> Sequence[Row]:
        choices = self.asked.choices
        rows: list[Row] = [[(f" {line}", "strong accent")] for line in self._question(width)]
        room = max(1, height - len(rows) - 1)
        top = max(0, self.chosen - room + 1)
        self._places = {len(rows) + at: top + at for at in range(min(room, len(choices) - top))}
        for at, choice in list(enumerate(choices))[top : top + room]:
            text = f"   {printable(choice)}" if self.numbers else f"   {at + 1}  {printable(choice)}"
            if at == self.asked.suggested:
                text += "  (suggested)"
            row: Row = [(fitted(text, width), "")]
            rows.append(under_cursor(row, width) if at == self.chosen else row)
        rows = rows[: height - 1]
        rows += [[]] * (height - 1 - len(rows))
        self._first_look.paint(self)
        if self._first_look.asks_again and self._is_untouched:
            return [*rows, [(f" Enter again chooses {printable(choices[self.chosen])}", "accent")]]
        if self._for_die is not None:
            self._for_die.paint()
            if self._for_die.text:
                kept = f"{self._for_die.text.strip()} is kept for the die"
                return [*rows, [(f" {kept} · now choose by number", "warning")]]
        if not self.numbers:
            # Enter would go to the next question, so a single digit needs none.
            behind = " answers at once" if len(choices) < 10 else ", then Enter"
            return [*rows, [(f" a number from 1 to {len(choices)}{behind}", "muted")]]
        said = f" {self.typed}   type {self.asked.numbers_in_words}"
        fits = not self.typed or self._meant is not None or self._other is not None
        return [*rows, [(said, "muted" if fits else "warning")]]

    @property
    def _is_untouched(self) -> bool:
        """Return whether nothing was typed and the mark is still on the suggestion."""
        return self.chosen == self.asked.suggested and not self.typed and not self._begun

    @property
    def _meant(self) -> int | None:
        """Return the index of the numeric choice that is typed or begun, or None."""
        exact = self.numbers.get(self.typed)
        if exact is not None or self.asked.most:
            return exact  # if any number can be typed, 1 does not begin 10
        return next((at for words, at in self.numbers.items() if words.startswith(self.typed)), None)

    @property
    def _other(self) -> str | None:
        """Return the typed number if it is not listed but allowed, else None."""
        return self.asked.other_number(self.typed) if self.typed and self._meant is None else None

    def wanted_rows(self, width: int) -> int:
        return len(self._question(width)) + len(self.asked.choices) + 1

    def click(self, row: int) -> None:
        at = self._places.get(row)
        if at is None:
            return
        if at == self.chosen:
            self.given(at)
            return
        self.chosen = at
        self.refresh()

    def key(self, event: Key) -> None:
        if self._for_die is not None and self._for_die.takes(event):
            self.refresh()
            return
        last = len(self.asked.choices) - 1
        match event.key:
            case "escape":
                self.close()
                self.services.say("" if self.asked.waits else not_carried_out(self.asked.command))
                return
            case "enter" if self._other is not None:
                self.other(self._other)
                return
            case "enter" if self.typed and self.numbers and self._meant is None:
                words = self.asked.numbers_in_words
                which = f"is not {words}" if self.asked.most else f"is not one of these: {words}"
                self.services.say(f"{self.typed} {which}", error=True)
            case "backspace" if self.numbers:
                self.typed = self.typed[:-1]
                self._mark_number()
            case "enter" if self.chosen < 0:
                self.services.say(f"type its number, 1 to {last + 1}", error=True)
            case "enter" if self._is_untouched and not self._first_look.takes(self):
                pass
            case "enter":
                self.given(self.chosen)
                return
            case "up" | "left" | "shift+tab":
                self.typed, self.chosen = "", (max(0, self.chosen) - 1) % (last + 1)
            case "down" | "right" | "tab":
                self.typed, self.chosen = "", (self.chosen + 1) % (last + 1)
            case _ if self.numbers and event.character and event.character.isdecimal():
                self.typed = (self.typed + event.character)[:9]
                self._mark_number()
            case _ if event.character and event.character.isdecimal():
                self._digit(event.character, last)
                return
            case _ if event.character and event.character.isprintable():
                begun = go_to_word(self.asked.choices, self._begun, event.character)
                self._begun, self.chosen = begun or (self._begun, self.chosen)
                self.services.say("" if begun else none_begins(event.character), error=not begun)
        self.refresh()

    def _mark_number(self) -> None:
        self.services.say("")
        if self._other is not None:
            self.chosen = -1
        else:
            self.chosen = self.asked.suggested if self._meant is None or not self.typed else self._meant

    def _digit(self, digit: str, last: int) -> None:
        """Answer with one digit. If there are ten or more choices, a digit only marks one."""
        self.typed = (self.typed + digit)[-2:] if last >= 9 else digit
        number = int(self.typed)
        if not 1 <= number <= last + 1:
            self.typed = digit
            number = int(digit)
        if 1 <= number <= last + 1:
            self.chosen = number - 1
            if last < 9:
                self.given(self.chosen)
                return
        self.refresh()
