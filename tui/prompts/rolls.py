"""The prompt for any dice: it shows their range before the roll and the result after it."""

from systems.dice.notation import maximum, minimum, parse
from systems.encounter.lookup import names_in_lines, single
from systems.errors import Misread, Refused
from tui.display.refusals import misread_words
from tui.display.text import printable
from tui.prompts.line import LinePrompt, Reading


class RollPrompt(LinePrompt):
    """Prompt of `r`: dice to roll, in dice notation."""

    ENTER = "roll"
    TAB = ""
    label = "roll"

    def title(self) -> str:
        return "Roll: 2d6+3 · 4d6kh3 · adv d20+5 · d% · for 3 · secret"

    def read(self) -> Reading:
        text = self.line.text.strip()
        if not text:
            return Reading(says="which dice?")
        # Most players roll by an action. Only a typed roll pays for the table of commands.
        from systems.commands.table import parse_roll

        line = f"roll {text}"
        # A seat has no encounter. The server checks the names.
        here = self.services.source.encounter if self.services.source else None
        try:
            intent = parse_roll(line, names_in_lines(here) if here else ())
            whose = single(here, intent.who).name if here and intent.who else intent.who
        except Misread as error:
            return Reading(wrong=misread_words(line, error))
        except Refused as error:
            return Reading(wrong=str(error))
        dice = parse(intent.dice)
        says = f"{minimum(dice)} to {maximum(dice)}"
        says += f", for {printable(whose)}" if whose else ""
        return Reading(line, f"{says}, secret" if intent.secret else says)
