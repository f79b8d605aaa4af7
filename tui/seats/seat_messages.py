"""The messages between a seat's program and the server of the seats or `affray watch`, as values.

A seat's program is not trusted: the server reads all that it sends as one of the classes of FROM_SEAT, and
limits lengths and numbers where it uses them.
"""

from typing import ClassVar, Literal

from systems.frozen import frozen
from tui.lists.dice_asked import LONGEST_ANSWER
from tui.lists.target_list import Asked
from tui.wire.messages import by_kind

# From the program.


@frozen
class CommandRequested:
    """A line of the command language for the table. `token`: of the newest view."""

    kind: ClassVar[str] = "request"
    line: str
    token: str


@frozen
class SeatReply:
    """The answer to a question of the table, by its number: typed dice, or the number of a choice."""

    kind: ClassVar[str] = "reply"
    ask: int
    value: int | str


def is_short(reply: SeatReply) -> bool:
    """Return whether a program of a seat would send an answer of this length."""
    return len(str(reply.value)) <= LONGEST_ANSWER


@frozen
class SeatWithdraws:
    """A request that waits is withdrawn."""

    kind: ClassVar[str] = "withdraw"
    id: str


@frozen
class SeatSpot:
    """Where the player was: the cursor, the bell, and the line that is being typed.

    `planned`: the line is for a plan. `plan`: the planned line, and `fight`: the title of its fight.
    """

    kind: ClassVar[str] = "spot"
    cursor: str = ""
    bell: Literal[0, 1] = 1
    line: str = ""
    planned: Literal[0, 1] = 0
    plan: str = ""
    fight: str = ""


@frozen(kw_only=True)
class AskedBySeat:
    """A question of the program, which the server answers from what the seat may see.

    `id`: the number that its answer repeats; 0 until it is sent.
    """

    id: int = 0


@frozen
class OlderAsked(AskedBySeat):
    """Asks for older lines of the log. `skip`: the number of newest lines that are known."""

    kind: ClassVar[str] = "older"
    skip: int


@frozen
class HelpAsked(AskedBySeat):
    """Asks for help with a line of the command language. `at`: the place of the cursor."""

    kind: ClassVar[str] = "command"
    line: str
    at: int


@frozen(kw_only=True)
class TargetsAsked(AskedBySeat):
    """Asks for the targets of an action. `by`: the actor, or "" for the default one.

    `planned`: the action is for the actor's next turn.
    """

    kind: ClassVar[str] = "targets"
    action: str
    asked: Asked
    by: str = ""
    planned: bool = False


@frozen(kw_only=True)
class OddsAsked(TargetsAsked):
    """Asks for the odds page of an action. `cells`: the width of the page."""

    kind: ClassVar[str] = "odds"
    cells: int


@frozen
class PlanAsked(AskedBySeat):
    """Asks what a planned line means."""

    kind: ClassVar[str] = "plan"
    line: str


@frozen
class ActionsAsked(AskedBySeat):
    """Asks for the list of actions. `planned`: for the actor's next turn."""

    kind: ClassVar[str] = "actions"
    planned: bool = False


@frozen
class AgainAsked(AskedBySeat):
    """Asks for the action that `.` repeats."""

    kind: ClassVar[str] = "again"


@frozen
class RecapAsked(AskedBySeat):
    """Asks for the recap that the game master shows. `cells`: the width of the page."""

    kind: ClassVar[str] = "recap"
    cells: int


@frozen
class OffersAsked(AskedBySeat):
    """Asks for the odds of these offers. The server answers for the newest ones."""

    kind: ClassVar[str] = "offers"
    lines: tuple[str, ...]


FROM_SEAT = by_kind(
    CommandRequested,
    SeatReply,
    SeatWithdraws,
    SeatSpot,
    OlderAsked,
    HelpAsked,
    TargetsAsked,
    OddsAsked,
    PlanAsked,
    ActionsAsked,
    AgainAsked,
    RecapAsked,
    OffersAsked,
)
