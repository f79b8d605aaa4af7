"""The parts of a view that every screen paints, as values: a row of the order, a card, a line of the log.

They are words and numbers only; no id, no event and no sheet is in them.
"""

from typing import Literal

import attrs

from systems.contract.ruleset import Meter
from systems.frozen import frozen

# What a word beside a name is about; where there is little room, a later group goes first.
Weight = Literal["state", "condition", "turn", "lasting"]
WEIGHTS: tuple[Weight, ...] = ("state", "condition", "turn", "lasting")
# What stands out in a line of the log: who acts, health that grew or shrank, a status by its tone.
MarkTone = Literal["actor", "grew", "shrank", "good", "warning", "danger", "condition"]
LineMark = tuple[int, int, MarkTone]  # from where to where in the line


@frozen
class MeterColumn:
    """How one meter of the game is drawn: a bar, or pips with a full and an empty symbol or a letter."""

    label: str
    style: Literal["bar", "pips"] = "bar"
    symbols: tuple[str, str] = ("●", "○")
    letter: str = ""


@frozen
class Level:
    """The figure of a meter and its maximum."""

    now: int
    full: int


@frozen
class Word:
    """A few words beside a name, with their tone. `short`: what is told where there is little room."""

    text: str
    tone: str = ""
    weight: Weight = "state"
    short: str = ""


@frozen
class OrderRow:
    """One combatant in the order.

    `turn`: it has the turn ("now"), or acts in it as well ("with"). `levels`: one for each meter of the
    view; None where it has no such meter. `instead`: what stands in place of the meters, such as a band
    of health, `dead` or `arrives in round 3`. `own`: a character of the viewer.
    """

    tag: str
    name: str
    side: str
    turn: Literal["", "now", "with"] = ""
    acts: bool = True
    levels: tuple[Level | None, ...] = ()
    instead: Word | None = None
    words: tuple[Word, ...] = ()
    own: bool = False


@frozen
class Figure:
    """A worked-out number, with a note."""

    label: str
    value: int
    note: str = ""


@frozen
class ConditionLine:
    """A condition in full: its name and value, when it ends, and what it means."""

    label: str
    tone: str
    ends: str
    help: str = ""


@frozen
class Card:
    """One combatant in full, without its place in the order.

    `fields`: label and value of what the sheet holds besides; `this_turn`: of what counts for this turn or
    round only; `entries`: weapons and the like, each with what is said of it. `state`: hidden, waiting and
    the like.
    """

    name: str
    side: str
    status: Word
    levels: tuple[Level | None, ...] = ()
    state: tuple[str, ...] = ()
    marks: tuple[Word, ...] = ()
    figures: tuple[Figure, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    this_turn: tuple[tuple[str, str], ...] = ()
    entries: tuple[tuple[str, str], ...] = ()
    conditions: tuple[ConditionLine, ...] = ()
    notes: str = ""


@frozen
class LogText:
    """Words of the log, what stands out in them, in order, and the arithmetic below them, or ""."""

    text: str
    marks: tuple[LineMark, ...] = ()
    arithmetic: str = ""


@frozen
class LogLine:
    """One sentence of the log, the round it belongs to, whether it was undone, and what stands out in it.

    At the table it is a whole event; `below`: what came to each of several, on lines of their own. `quiet`:
    it is a change of turn, and dimmed; at a seat none is, for what command a line came with might tell of
    somebody hidden. `arithmetic`: the numbers that decided it, dimmed on a line of their own, or "".
    """

    round: int
    text: str
    undone: bool = False
    below: tuple[LogText, ...] = ()
    marks: tuple[LineMark, ...] = ()
    quiet: bool = False
    arithmetic: str = ""

    @property
    def whole(self) -> str:
        """Return the text and the arithmetic on one line."""
        return f"{self.text} {self.arithmetic}" if self.arithmetic else self.text


def meter_columns(meters: tuple[Meter, ...]) -> tuple[MeterColumn, ...]:
    """The meters of a game as a view holds them."""
    names = [field.name for field in attrs.fields(MeterColumn)]
    return tuple(MeterColumn(**{name: getattr(meter, name) for name in names}) for meter in meters)
