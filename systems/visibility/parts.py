"""Parts of a view that every screen paints: a row of the order, a card, a line of the log.

They hold only text and numbers: no id, no event and no sheet.
"""

from functools import lru_cache
from typing import Literal

from systems.contract.display import Meter
from systems.contract.marked_text import MarkedText
from systems.contract.ruleset import Ruleset
from systems.frozen import fields, frozen

# The subject of a word next to a name. If there is little room, later groups are dropped first.
Weight = Literal["state", "condition", "turn", "lasting"]
WEIGHTS: tuple[Weight, ...] = ("state", "condition", "turn", "lasting")
LONGEST_LINE = 1_000
# The highlights of a log line: the actor, health that rose or fell, a status by its tone.
MarkTone = Literal["actor", "grew", "shrank", "good", "warning", "danger", "condition"]
LineMark = tuple[int, int, MarkTone]  # start and end in the line


@frozen
class MeterColumn:
    """How one meter of the game is drawn: a bar, or pips with a full and an empty symbol or a letter."""

    label: str
    style: Literal["bar", "pips"] = "bar"
    symbols: tuple[str, str] = ("●", "○")
    letter: str = ""


@frozen
class Level:
    """The value of a meter and its maximum."""

    now: int
    full: int


@frozen
class ShownWord:
    """A short text next to a name, with its tone.

    `short`: a version for narrow screens. `column`: the column of a figure that the game shows at a glance.
    """

    text: str
    tone: str = ""
    weight: Weight = "state"
    short: str = ""
    column: str = ""


@frozen
class OrderRow:
    """One combatant in the order.

    `ours`: it is on the players' side. `initiative`: None before it is rolled, and if sides take turns.
    `turn`: it has the turn ("now"), or acts in it as well ("with"). `levels`: one for each meter of the view;
    None if it lacks that meter. `instead`: the text in place of the meters, such as a band of health, `dead`
    or `arrives in round 3`. `last`: what the last event did to it. `own`: a character of the viewer.
    `fallen`: it is out of the fight, and comes after the others.
    """

    tag: str
    name: str
    side: str
    ours: bool = False
    initiative: int | None = None
    turn: Literal["", "now", "with"] = ""
    acts: bool = True
    levels: tuple[Level | None, ...] = ()
    instead: ShownWord | None = None
    last: tuple[ShownWord, ...] = ()
    words: tuple[ShownWord, ...] = ()
    own: bool = False
    fallen: bool = False


@frozen
class ShownFigure:
    """A calculated number, with a note."""

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

    `fields`: label and value of other fields of the sheet; `this_turn`: of fields for this turn or round
    only; `entries`: weapons and other entries, each with the rest of its line. `state`: hidden, waiting and
    other states.
    """

    name: str
    side: str
    status: ShownWord
    levels: tuple[Level | None, ...] = ()
    state: tuple[str, ...] = ()
    marks: tuple[ShownWord, ...] = ()
    figures: tuple[ShownFigure, ...] = ()
    fields: tuple[tuple[str, str], ...] = ()
    this_turn: tuple[tuple[str, str], ...] = ()
    entries: tuple[tuple[str, str], ...] = ()
    conditions: tuple[ConditionLine, ...] = ()
    notes: str = ""


@frozen
class LogText:
    """Words of the log, their highlights in order, and the arithmetic below them, or ""."""

    text: str
    marks: tuple[LineMark, ...] = ()
    arithmetic: str = ""


@frozen
class LogLine:
    """One sentence of the log, its round, whether it was undone, and its highlights.

    At the table it is a whole event; `below`: the results for each of several, on lines of their own.
    `quiet`: a change of turn, which is dimmed; never at a seat, because the command of a line could reveal a
    hidden combatant. `arithmetic`: the numbers that decided it, dimmed on a line of their own, or "".
    `result`: whether, at a seat, the sentence tells the result of an action.
    """

    round: int
    text: str
    undone: bool = False
    below: tuple[LogText, ...] = ()
    marks: tuple[LineMark, ...] = ()
    quiet: bool = False
    arithmetic: str = ""
    result: bool = False

    @property
    def whole(self) -> str:
        """Return the text and the arithmetic on one line."""
        return f"{self.text} {self.arithmetic}" if self.arithmetic else self.text


@lru_cache(maxsize=8)
def meter_columns(meters: tuple[Meter, ...]) -> tuple[MeterColumn, ...]:
    """Return the meters of a game as a view holds them."""
    names = [field.name for field in fields(MeterColumn)]
    return tuple(MeterColumn(**{name: getattr(meter, name) for name in names}) for meter in meters)


def highlights(text: MarkedText, game: Ruleset) -> tuple[LineMark, ...]:
    """Return the highlights of a text. A plain or undeclared status gets none."""
    found: list[LineMark] = []
    for mark in text.marks:
        match mark.what:
            case "unseen" | "unseen_owner":
                pass
            case "status":
                if tone := _tone(mark.status, game):
                    found.append((mark.start, mark.end, tone))
            case what:
                found.append((mark.start, mark.end, what))
    return tuple(found)


def _tone(status: str, game: Ruleset) -> MarkTone | None:
    """Return the tone of a status. Elsewhere the dead are muted; in the log a death is important."""
    match game.status_word(status).tone if status else "plain":
        case "good" | "warning" | "danger" as tone:
            return tone
        case "muted":
            return "danger"
        case "notice" | "accent":
            return "condition"
        case "plain":
            return None
