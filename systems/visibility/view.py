"""The view of one viewer: a fight as text and numbers.

A view is sent to a seat as plain data (`plain.py`). It holds no id and no event. Sheets appear only as the
text and numbers of cards, and only those of the viewer's own characters.
"""

from typing import Literal

from systems.frozen import frozen
from systems.visibility.parts import Card, LogLine, MeterColumn, OrderRow
from systems.visibility.viewer import Acting, OddsShown


@frozen
class Offered:
    """An offer to one of the viewer's characters: a sentence, and the line that accepts it.

    `does`: the effect of accepting it. `is_open`: a choice is left. Then `action`, `target` (its tag) and
    `options` are the known parts, and `first` is the option to ask for first. `menu`: the words for all
    choices of its reaction, if there are several.
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
    menu: str = ""


@frozen
class SeatAction:
    """An action that the viewer's characters may try.

    `options`: names and types. `itself`: the actor may be a target. `letter`: the key of the action, or "".
    `in_turn`: it belongs into the actor's own turn, so it can be planned.
    """

    name: str
    help: str
    targets: Literal["none", "optional", "one", "many"] = "none"
    options: tuple[tuple[str, str], ...] = ()
    itself: bool = False
    title: str = ""
    letter: str = ""
    in_turn: bool = False


@frozen
class Ahead:
    """The number of turns before one of the viewer's characters has the turn, 0 during it."""

    name: str
    turns: int


@frozen
class View:
    """A fight as one viewer sees it.

    `round`: 0 before the beginning. `turn` and `next`: names, or "". `side`: the side with the turn, if sides
    take turns. `log`: the newest lines, oldest first. `older`: whether there are more. `odds` and `acting`:
    the table's settings for seats. `actions`: those of the game, the main one first. `recap`: the game master
    shows the recap of the finished fight.
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
    recap: bool = False
