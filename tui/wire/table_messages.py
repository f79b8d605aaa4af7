"""The messages between the game master's program and the server of the seats or `affray watch`, as values."""

from collections.abc import Mapping

from systems.frozen import frozen
from tui.wire.request_list import REQUESTS, ListOfSeat
from tui.wire.server_report import ServerReport

REFUSED = "refused"
Lines = tuple[str, ...]


@frozen
class RefusedMessage:
    """The answer to a malformed message of the kind `of`. `id`, `seat`: those of a request, else ""."""

    of: str
    text: str
    id: str = ""
    seat: str = ""


# To the game master's program.


@frozen
class Hello:
    """A new connection, which knows none of the open questions."""


@frozen
class SentRequest:
    """A seat's line with its meaning: a command with ids, as data.

    `n`: the number of the event after which it was typed. `is_roll`: it was typed without a screen.
    """

    id: str
    seat: str
    characters: Lines
    encounter: str
    line: str
    n: int
    command: str
    intent: Mapping[str, object]
    is_roll: bool = False


@frozen
class Reply:
    """A seat's answer to a question about a die or a choice."""

    ask: int
    value: int | str
    seat: str


@frozen
class Trouble:
    """A failure of the server, as a sentence."""

    text: str


@frozen
class Withdraw:
    """A seat withdraws a request."""

    id: str
    seat: str


@frozen
class News:
    """A player's line was lost or is back, as a sentence."""

    text: str


@frozen
class TakeOver:
    """Another program of the game master wants to write the fight."""


TO_TABLE: Mapping[str, type] = {
    "hello": Hello,
    "state": ServerReport,
    "request": SentRequest,
    "reply": Reply,
    "trouble": Trouble,
    "withdraw": Withdraw,
    "news": News,
    "take_over": TakeOver,
    REFUSED: RefusedMessage,
}


# From the game master's program.


@frozen
class RequestEnded:
    """The result of a request as a sentence. `ok`: it was carried out or withdrawn."""

    id: str
    seat: str
    ok: bool
    text: str


@frozen
class RequestWaits:
    """A sentence about a request that continues."""

    id: str
    seat: str
    ok: bool
    text: str


@frozen
class SeatQuestion:
    """A question about a die or a choice of a character: one of `face` and `choice`, as plain data.

    `does`: the effect of each face. `adds`: the bonus. `typed`: dice that were typed before. `wrong`: why
    they are impossible.
    """

    ask: int
    character: str
    face: Mapping[str, object] | None = None
    choice: Mapping[str, object] | None = None
    does: str = ""
    adds: str = ""
    typed: str = ""
    wrong: str = ""


@frozen
class Answered:
    """A question is closed."""

    ask: int


@frozen
class Missing:
    """The players that have not rolled yet, while several roll at the same time."""

    names: Lines


@frozen
class TurnOver:
    """Whether a seat's request to end its turn is open."""

    seat: str
    is_open: bool


@frozen
class LetIn:
    """Admit a guest. `for_good`: keep the key. `second_key`: even if the seat has another one."""

    knock: int
    seat: str
    for_good: bool
    second_key: bool


@frozen
class TurnAway:
    """Turn a guest away."""

    knock: int


@frozen
class MakePassword:
    """Make a password for a seat. `lasts`: "once", "evening" or "good"."""

    seat: str
    lasts: str = "once"


@frozen
class Kick:
    """End a seat and keep its keys out."""

    seat: str


@frozen
class LetBack:
    """Let a kicked key open its seat again. `key`: its fingerprint."""

    seat: str
    key: str


@frozen
class RemoveKey:
    """Remove a key from a seat. `key`: its fingerprint."""

    seat: str
    key: str


@frozen
class LockTable:
    """Lock the table against new players, or unlock it."""

    locked: bool


FROM_TABLE: Mapping[str, type] = {
    "result": RequestEnded,
    "waits": RequestWaits,
    "ask": SeatQuestion,
    "unask": Answered,
    "missing": Missing,
    "turn_over": TurnOver,
    REQUESTS: ListOfSeat,
    "let_in": LetIn,
    "turn_away": TurnAway,
    "password": MakePassword,
    "kick": Kick,
    "let_back": LetBack,
    "remove_key": RemoveKey,
    "lock": LockTable,
    REFUSED: RefusedMessage,
}
