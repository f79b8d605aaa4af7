"""The quick roll: any dice, with the range before and the result after."""

from systems.dice.expression import DiceError
from systems.dice.notation import maximum, minimum, parse
from systems.text import clean
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
        dice = _dice_of(text)
        try:
            line = parse(dice)
            low, high = minimum(line), maximum(line)
        except DiceError as error:
            return Reading(wrong=clean(str(error), 200))
        return Reading(f"roll {text}", f"{low} to {high}")


def _dice_of(text: str) -> str:
    """The dice alone, without `for WHO` and `secret`."""
    words = text.split(" ")
    if len(words) > 1 and words[-1].casefold() == "secret":
        words.pop()
    if len(words) > 2 and words[-2].casefold() == "for":
        del words[-2:]
    return " ".join(words)
