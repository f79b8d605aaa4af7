"""A field type for dice in any notation, such as `4d6kh3 + 2`; `Table.roll` rolls them."""

from typing import Any, Unpack

from systems.dice.expression import DiceError
from systems.dice.notation import maximum, minimum, parse
from systems.errors import Wrong
from systems.frozen import frozen
from systems.schema.fields import NEEDED, FieldDetails, declare_field
from systems.text import shown


@frozen
class DiceNotation:
    """One roll in dice notation; it may be a number alone, such as the `1` of a blowpipe."""

    expected = "dice such as 2d6 + 3, 4d6kh3 or 6d6c>=5"

    def check(self, value: object, path: str = "") -> str:
        if type(value) is int:
            value = str(value)
        if not isinstance(value, str):
            raise Wrong(path, f"expected {self.expected}, got {shown(value)}", code="wrong_type")
        try:
            if len(parse(value).formulas) != 1:
                raise Wrong(path, f"expected one roll, got {shown(value)}", code="wrong_type")
            minimum(value), maximum(value)  # finds numbers that are too large, and division by 0
        except DiceError as error:
            raise Wrong(path, f"expected {self.expected}: {error}", code="wrong_type") from None
        return value

    def typed(self, word: str, path: str = "") -> str:
        return self.check(word, path)


def notation(default: object = NEEDED, help: str = "", **details: Unpack[FieldDetails]) -> Any:
    """Declare dice in any notation, with numbers added, dice kept, rerolled, exploded or counted."""
    return declare_field(DiceNotation(), default, help, **details)
