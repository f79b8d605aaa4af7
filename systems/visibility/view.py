"""What one viewer sees of a fight, as words and numbers: the values that every screen paints.

A view is sent to a seat as plain data (`plain.py`). It holds no id, no event, and no sheet but those of
the viewer's own characters, and those only as the words and numbers of a card.
"""

from typing import Literal

import attrs

from systems.contract.ruleset import Meter
from systems.frozen import frozen

Acting = Literal["ask", "turn", "free"]
OddsShown = Literal["own", "none", "exact"]
# What a word beside a name is about; where there is little room, a later group goes first.
Weight = Literal["state", "condition", "turn", "lasting"]
WEIGHTS: tuple[Weight, ...] = ("state", "condition", "turn", "lasting")


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
    """A few words beside a name, with their tone."""

    text: str
    tone: str = ""
    weight: Weight = "state"


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
class LogLine:
    """One sentence of the log, the round it belongs to, and whether it was undone."""

    round: int
    text: str
    undone: bool = False


@frozen
class Offered:
    """What the rules lay before one of the viewer's characters: a sentence, and the line that does it."""

    by: str
    says: str
    line: str = ""


@frozen
class SeatAction:
    """An action that the viewer's characters may try. `options`: name and what it may hold.

    `itself`: whoever does it may be its target.
    """

    name: str
    help: str
    targets: Literal["none", "optional", "one", "many"] = "none"
    options: tuple[tuple[str, str], ...] = ()
    itself: bool = False


@frozen
class LineHelp:
    """What helps with a line that a player types, worked out from what the viewer sees.

    `words`: what the last word may become, each with what it is. `odds`: what the action would come to,
    whoever the target is; `targets`: the same for single targets, by tag.
    """

    words: tuple[tuple[str, str], ...] = ()
    odds: str = ""
    targets: tuple[tuple[str, str], ...] = ()


@frozen
class Ahead:
    """How many turns come before that of one of the viewer's characters; 0: it has the turn."""

    name: str
    turns: int


@frozen
class View:
    """A fight as one viewer sees it.

    `round` 0: it has not begun. `turn` and `next`: names, "" for nobody. `side`: whose turn it is where
    sides take turns. `log`: the newest lines, the oldest first; `older`: there are more. `odds` and
    `acting`: what the table lets a seat see and do. `actions`: those of the game, the main one first.
    """

    title: str = ""
    game: str = ""
    round: int = 0
    over: bool = False
    turn: str = ""
    side: str = ""
    next: str = ""
    meters: tuple[MeterColumn, ...] = ()
    rows: tuple[OrderRow, ...] = ()
    own: tuple[Card, ...] = ()
    ahead: tuple[Ahead, ...] = ()
    offers: tuple[Offered, ...] = ()
    actions: tuple[SeatAction, ...] = ()
    log: tuple[LogLine, ...] = ()
    older: bool = False
    odds: OddsShown = "own"
    acting: Acting = "ask"


def meter_columns(meters: tuple[Meter, ...]) -> tuple[MeterColumn, ...]:
    """The meters of a game as a view holds them."""
    names = [field.name for field in attrs.fields(MeterColumn)]
    return tuple(MeterColumn(**{name: getattr(meter, name) for name in names}) for meter in meters)
