"""The view of one viewer: a fight as words and numbers.

A view is sent to a seat as plain data (`plain.py`). It holds no id, no event, and no sheet except those of
the viewer's own characters, and those only as the words and numbers of a card.
"""

from typing import Literal

from systems.frozen import frozen
from systems.visibility.parts import Card, LogLine, MeterColumn, OrderRow
from systems.visibility.viewer import Acting, OddsShown


@frozen
class Offered:
    """An offer to one of the viewer's characters: a sentence, and the line that takes it.

    `does`: the effect of taking it, in words. `is_open`: a choice is left; `action`, `target` (its tag) and
    `options` are what is known, and `first` is the option to ask for first.
    """

    by: str
    says: str
    line: str = ""
    does: str = ""
    is_open: bool = False
    action: str = ""
    target: str = ""
    first: str = ""
    options: tuple[tuple[str, str], ...] = ()


@frozen
class SeatAction:
    """An action that the viewer's characters may try. `options`: names and types. `itself`: the actor may be
    a target.

    `letter`: the key that asks for it, or "".
    """

    name: str
    help: str
    targets: Literal["none", "optional", "one", "many"] = "none"
    options: tuple[tuple[str, str], ...] = ()
    itself: bool = False
    title: str = ""
    letter: str = ""


@frozen
class Ahead:
    """The number of turns before that of one of the viewer's characters; 0: it has the turn."""

    name: str
    turns: int


@frozen
class View:
    """A fight as one viewer sees it.

    `round` 0: it has not begun. `turn` and `next`: names, or "". `side`: the side with the turn, if sides
    take turns. `log`: the newest lines, the oldest first; `older`: there are more. `odds` and `acting`: what
    the table lets a seat see and do. `actions`: those of the game, the main one first.
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
