"""Errors that a user can correct: an invalid value, command or line of text.

Each has a sentence (`str(error)`) and, as data, a `code` (a declared word), a `path` (the field or place it
is about) and a `suggestion` (the word probably meant). Code branches on the data, never on the sentence.
"""

from collections.abc import Iterable
from typing import Literal

from systems.text import clean, nearest, spoken, suggestion

Code = Literal[
    "invalid",  # wrong in a way that only the sentence says
    "unknown_field",  # a field, key or option that is not declared
    "unknown_name",  # a name of nothing that exists: a weapon, a condition, an action
    "ambiguous",  # a word that fits two names or more
    "needed",  # a field or option that has to be given
    "wrong_type",  # a value of another type, such as a text where a number belongs
    "out_of_range",  # a number below or above what the field allows
    "not_a_choice",  # a word that is not among the choices
    "wrong_length",  # a list with too many or too few entries
    "refused",  # a valid request that is not possible now
    "against_the_rules",  # an action that the rules of the game refuse now
    "misread",  # a line that cannot be understood
    "dice",  # a die, a face or a dice expression that is not possible
    "unreadable",  # a file that cannot be opened or is no TOML
    "encoding",  # a file that is not UTF-8
    "newer",  # a file written by a newer version
    "not_an_id",  # a file or folder whose name is not a valid id
    "not_read",  # a file whose name is nearly that of a known file
    "log",  # a log whose events are broken or out of order
    "misfit",  # a log whose events do not fit the opening
    "not_saved",  # a change that is not on the disk
    "game",  # a game that cannot be loaded or has a mistake
]


class InputError(Exception):
    """An error that a user can correct.

    `path`: a field such as `options.weapon`, a place such as `dice[2]`, or "" for the whole input.
    `word`: the typed word that `suggestion` would replace; see `systems.language.corrections`.
    """

    code: Code = "invalid"
    path: str = ""
    suggestion: str = ""
    word: str = ""

    def __init__(
        self, sentence: str, *, code: Code | None = None, path: str = "", suggestion: str = "", word: str = ""
    ):
        if code is not None:
            self.code = code
        self.path, self.suggestion, self.word = path, suggestion, word
        super().__init__(sentence)


class Wrong(InputError, ValueError):
    """An invalid value: `field` is its path, `message` says what would be right.

    The sentence names the field as users read it, without underscores.
    """

    def __init__(
        self, field: str, message: str, *, code: Code = "invalid", suggestion: str = "", word: str = ""
    ) -> None:
        self.field = clean(field, 120)
        self.message = message
        sentence = f"{spoken(self.field)}: {message}" if field else message
        super().__init__(sentence, code=code, path=self.field, suggestion=suggestion, word=word)

    @property
    def as_written(self) -> str:
        """Return the sentence with the path as a file has it."""
        return f"{self.field}: {self.message}" if self.field else self.message

    def at(self, field: str) -> "Wrong":
        """Return the same error with another path."""
        return self.saying(self.message, field)

    def saying(self, message: str, field: str = "") -> "Wrong":
        """Return the same error with another message, and with another path."""
        return Wrong(field, message, code=self.code, suggestion=self.suggestion, word=self.word)


def unknown(
    field: str,
    sentence: str,
    word: object,
    known: Iterable[object],
    code: Code = "unknown_name",
    kind: str = "known",
    alike: float = 0.6,
) -> Wrong:
    """Return the error for an unknown word: the sentence, then the word probably meant.

    `field` is the path of the value, `word` the word itself, and `kind` the kind of the known words, such as
    `games`. `alike`: how near the word probably meant has to be, from 0 to 1.
    """
    words = [str(name) for name in known]
    near = nearest(str(word), words, alike)
    says = f"{sentence}{suggestion(str(word), words, kind, alike)}"
    return Wrong(field, says, code=code, suggestion=near, word=str(word))


class Refused(InputError, ValueError):
    """A command that is not possible now; one sentence says why. Nothing has changed."""

    code: Code = "refused"


class Misread(InputError, ValueError):
    """A line that cannot be understood: the sentence, and the place of the wrong word in the line.

    `names_word`: the sentence names that word itself.
    """

    code = "misread"

    def __init__(
        self, sentence: str, start: int = 0, end: int = 0, *, names_word: bool = False, suggestion: str = ""
    ) -> None:
        self.start, self.end, self.names_word = start, end, names_word
        super().__init__(sentence, path=f"{start}-{end}" if end else "", suggestion=suggestion)
