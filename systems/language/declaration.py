"""The declaration of a command as the language sees it: its name, its forms, its help, and how it is read.

The parser and completion take a table of declarations as an argument.
"""

from collections.abc import Callable, Mapping

from systems.dice.expression import DiceError
from systems.errors import Misread
from systems.frozen import field, frozen
from systems.language.forms import Form, form_of
from systems.language.intents import Command, Intent
from systems.language.tokens import TokenLine, Word

ACTION = "action"
# The kind of text that each capitalised word of a form means.
SLOTS: Mapping[str, str] = {
    "TARGETS": "targets",
    "WHO": "combatant",
    "KIND": "roster entry",
    "FIELD": "field",
    "CONDITION": "condition",
    "SIDE": "side",
    "DICE": "dice",
    "AMOUNT": "dice",
    "N": "number",
    "xN": "number",
    "+N|-N": "number",
    "VALUE": "value",
    "NAME": "name",
    "TEXT": "text",
    "option=value": "option",
    "FACES": "faces",
    "COMMAND": "command",
}

ReadInner = Callable[[str, int], Command]


def _nothing(taken: TokenLine) -> Intent:
    raise AssertionError("this command is read as text")


@frozen
class Declaration:
    """One declared command of the language.

    `read` makes the intent from the words of a line. `read_text` makes it from the typed line, for commands
    that take any text. `read_line` does so for commands that contain another command; it gets the function
    that reads the inner command from its position. `stands_for`: capitalised words with a meaning other than
    in `SLOTS`. `amount`: "damage" or "heal" if the command takes the options of the game's action for it.
    """

    name: str
    forms: tuple[str, ...]
    help: str
    read: Callable[[TokenLine], Intent] = _nothing
    read_text: Callable[[str], Intent] | None = None
    read_line: Callable[[str, ReadInner], Intent] | None = None
    stands_for: Mapping[str, str] = field(factory=dict)
    amount: str = ""

    def parsed(self) -> tuple[Form, ...]:
        """Return the parsed forms."""
        return tuple(form_of(text) for text in self.forms)

    def meaning(self, slot: str) -> str:
        """Return the kind of text that a capitalised word means."""
        return self.stands_for.get(slot) or SLOTS.get(slot, "")

    @property
    def usage(self) -> str:
        """Return all forms on one line."""
        return "  or  ".join(self.forms)


Declarations = Mapping[str, Declaration]


def text_after(line: str) -> str:
    """Return the text after the first word of a line."""
    return " ".join(line.split(None, 1)[1:]).strip()


def checked_dice(word: Word, read: Callable[[str], object]) -> str:
    """Return dice as typed. Raises Misread that points at the wrong character."""
    try:
        read(word.text)
    except DiceError as error:
        at = word.start + min(error.position, word.end - word.start - 1)
        raise Misread(str(error), at, at + 1, names_word=True) from None
    return word.text
