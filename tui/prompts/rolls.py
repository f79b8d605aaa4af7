"""The quick roll: any dice, with the range before and the result after."""

from systems.dice.notation import maximum, minimum, parse
from systems.encounter.lookup import single
from systems.encounter.reading import read_command
from systems.errors import Misread, Refused
from systems.language.intents import RollDice
from tui.display.refusals import misread_words
from tui.prompts.line import LinePrompt, Reading


class RollPrompt(LinePrompt):
    """`r`: dice, Enter."""

    ENTER = "roll"
    TAB = ""
    label = "roll"

    def title(self) -> str:
        return "Roll: 2d6+3 · 4d6kh3 · adv d20+5 · d% · for 3 · secret"

    def read(self) -> Reading:
        text = self.line.text.strip()
        if not text:
            return Reading(says="which dice?")
        line = f"roll {text}"
        try:
            intent = read_command(self.source.encounter, line).intent
            assert isinstance(intent, RollDice)
            dice = parse(intent.dice)
            whose = single(self.source.encounter, intent.who).name if intent.who else ""
        except Misread as error:
            return Reading(wrong=misread_words(line, error))
        except Refused as error:
            return Reading(wrong=str(error))
        says = f"{minimum(dice)} to {maximum(dice)}"
        says += f", for {whose}" if whose else ""
        return Reading(line, f"{says}, secret" if intent.secret else says)
