"""What a command asks on its way: the face of a real die, or a decision in the middle of an action."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from textual.events import Key

from systems.dice import NeedsFace
from systems.table import NeedsChoice
from systems.words import clean
from tui.prompts.prompt import Line, Prompt
from tui.widgets.text import Row, fitted, printable, wrapped

if TYPE_CHECKING:
    from tui.app import AffrayApp


def whose(app: "AffrayApp", of: str) -> str:
    """The name behind an id; the game master's own otherwise."""
    one = app.session.encounter.combatants.get(of) if app.session else None
    return one.name if one else "the game master"


class FacePrompt(Prompt):
    """A real die: its sides, what rolls on it, and whose it is. Enter alone lets the program roll it."""

    def __init__(
        self,
        app: "AffrayApp",
        needs: NeedsFace,
        doing: str,
        given: Callable[[int | None], None],
    ) -> None:
        super().__init__(app)
        self.needs, self.doing, self.given = needs, doing, given
        self.line = Line()

    def rows(self, width: int, height: int) -> Sequence[Row]:
        needs = self.needs
        why = f" {printable(needs.why)}" if needs.why else ""
        owner = whose(self.app, needs.of)
        asked = f" d{needs.sides}{why}, {printable(owner)}'s die"
        rows: list[Row] = [
            [(asked, "strong accent")],
            [(f"   {printable(self.doing)}", "muted")],
            [
                (
                    f"   1 to {needs.sides}, Enter · Enter alone rolls it · Esc leaves everything as it was",
                    "muted",
                )
            ],
        ]
        rows = rows[: max(0, height - 1)]
        rows += [[]] * (height - 1 - len(rows))
        return [*rows, [(f" d{needs.sides} ", "accent strong"), *self.line.row(width - 8)]]

    def key(self, event: Key) -> None:
        match event.key:
            case "escape":
                self.close()
                self.app.say("Nothing has happened.")
            case "enter":
                self._enter()
            case _:
                is_digit = bool(event.character and event.character.isdecimal())
                if is_digit or not (event.character and event.character.isprintable()):
                    self.line.key(event)
                self.refresh()

    def paste(self, text: str) -> None:
        self.line.insert("".join(one for one in text if one.isdecimal()))
        self.refresh()

    def _enter(self) -> None:
        text = self.line.text
        if not text:
            self.given(None)
            return
        face = int(text) if len(text) < 9 else 0
        if not 1 <= face <= self.needs.sides:
            self.app.say(
                f"a d{self.needs.sides} cannot show {text[:12]}: 1 to {self.needs.sides}", error=True
            )
            self.line.set("")
            self.refresh()
            return
        self.given(face)


class ChoicePrompt(Prompt):
    """A decision: its number, or Enter for what is suggested."""

    def __init__(
        self,
        app: "AffrayApp",
        needs: NeedsChoice,
        doing: str,
        given: Callable[[Any], None],
    ) -> None:
        super().__init__(app)
        self.needs, self.doing, self.given = needs, doing, given
        self.chosen = self._suggested()
        self.typed = ""

    def _suggested(self) -> int:
        choices = self.needs.choices
        return next((at for at, one in enumerate(choices) if one == self.needs.suggest), 0)

    def rows(self, width: int, height: int) -> Sequence[Row]:
        owner = printable(whose(self.app, self.needs.of))
        question = wrapped(f"{printable(self.needs.question)} ({owner})", width - 2)
        rows: list[Row] = [[(f" {line}", "strong accent")] for line in question]
        room = max(1, height - len(rows) - 1)
        top = max(0, self.chosen - room + 1)
        for at, one in list(enumerate(self.needs.choices))[top : top + room]:
            text = f"   {at + 1}  {_worded(one)}"
            if at == self._suggested():
                text += "  (suggested)"
            rows.append([(fitted(text, width), "strong reverse" if at == self.chosen else "")])
        rows = rows[: height - 1]
        rows += [[]] * (height - 1 - len(rows))
        hint = (
            f" 1 to {len(self.needs.choices)} · Enter takes the marked one · Esc leaves everything as it was"
        )
        return [*rows, [(hint, "muted")]]

    def key(self, event: Key) -> None:
        last = len(self.needs.choices) - 1
        match event.key:
            case "escape":
                self.close()
                self.app.say("Nothing has happened.")
                return
            case "enter":
                self.given(self.needs.choices[self.chosen])
                return
            case "up" | "left" | "shift+tab":
                self.chosen = (self.chosen - 1) % (last + 1)
            case "down" | "right" | "tab":
                self.chosen = (self.chosen + 1) % (last + 1)
            case _ if event.character and event.character.isdecimal():
                self._digit(event.character, last)
                return
            case _ if event.character in ("y", "n") and set(self.needs.choices) == {True, False}:
                self.given(event.character == "y")
                return
        self.refresh()

    def _digit(self, digit: str, last: int) -> None:
        """One digit answers; where there are ten or more choices, it marks and Enter answers."""
        self.typed = (self.typed + digit)[-2:] if last >= 9 else digit
        number = int(self.typed)
        if not 1 <= number <= last + 1:
            self.typed = digit
            number = int(digit)
        if 1 <= number <= last + 1:
            self.chosen = number - 1
            if last < 9:
                self.given(self.needs.choices[self.chosen])
                return
        self.refresh()


def _worded(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return clean(str(value).replace("_", " "))
