"""The messages between the game master's program and the server of the seats or `affray watch`, as values."""

from collections.abc import Mapping
from typing import ClassVar

from systems.frozen import frozen
from tui.wire.messages import RefusedMessage, by_kind
from tui.wire.request_list import ListOfSeat
from tui.wire.server_report import ServerReport

Lines = tuple[str, ...]


# To the game master's program.


@frozen
class Hello:
    """A new connection, which knows none of the open questions."""

    kind: ClassVar[str] = "hello"


@frozen
class SentRequest:
    """A seat's line with its meaning: a command with ids, as data.

    `n`: the number of the event after which it was typed. `is_roll`: it was typed without a screen.
    """

    kind: ClassVar[str] = "request"
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

    kind: ClassVar[str] = "reply"
    ask: int
    value: int | str
    seat: str


@frozen
class Trouble:
    """A failure of the server, as a sentence."""

    kind: ClassVar[str] = "trouble"
    text: str


@frozen
class Withdraw:
    """A seat withdraws a request."""

    kind: ClassVar[str] = "withdraw"
    id: str
    seat: str


@frozen
class News:
    """A player's line was lost or is back, as a sentence."""

    kind: ClassVar[str] = "news"
    text: str


@frozen
class TakeOver:
    """Another program of the game master wants to write the fight."""

    kind: ClassVar[str] = "take_over"


TO_TABLE = by_kind(
    Hello,
    ServerReport,
    SentRequest,
    Reply,
    Trouble,
    Withdraw,
    News,
    TakeOver,
    RefusedMessage,
)


# From the game master's program.


@frozen
class RequestEnded:
    """The result of a request as a sentence. `ok`: it was carried out or withdrawn."""

    kind: ClassVar[str] = "result"
    id: str
    seat: str
    ok: bool
    text: str


@frozen
class RequestWaits:
    """A sentence about a request that continues."""

    kind: ClassVar[str] = "waits"
    id: str
    seat: str
    ok: bool
    text: str


@frozen
class SeatQuestion:
    """A question about a die or a choice of a character: one of `face` and `choice`, as plain data.

    `character`: "" for the programs of its seat.
    `does`: the effect of each face. `adds`: the bonus. `typed`: dice that were typed before. `wrong`: why
    they are impossible.
    """

    kind: ClassVar[str] = "ask"
    ask: int
    character: str = ""
    face: Mapping[str, object] | None = None
    choice: Mapping[str, object] | None = None
    does: str = ""
    adds: str = ""
    typed: str = ""
    wrong: str = ""


@frozen
class Answered:
    """A question is closed."""

    kind: ClassVar[str] = "unask"
    ask: int


@frozen
class Missing:
    """The players that have not rolled yet, while several roll at the same time."""

    kind: ClassVar[str] = "missing"
    names: Lines


@frozen
class TurnOver:
    """Whether a seat's request to end its turn is open. `seat`: "" for the programs of that seat."""

    kind: ClassVar[str] = "turn_over"
    is_open: bool
    seat: str = ""


@frozen
class LetIn:
    """Admit a guest. `for_good`: keep the key. `second_key`: even if the seat has another one."""

    kind: ClassVar[str] = "let_in"
    knock: int
    seat: str
    for_good: bool
    second_key: bool


@frozen
class TurnAway:
    """Turn a guest away."""

    kind: ClassVar[str] = "turn_away"
    knock: int


@frozen
class MakePassword:
    """Make a password for a seat. `lasts`: "once", "evening" or "good"."""

    kind: ClassVar[str] = "password"
    seat: str
    lasts: str = "once"


@frozen
class Kick:
    """End a seat and keep its keys out."""

    kind: ClassVar[str] = "kick"
    seat: str


@frozen
class LetBack:
    """Let a kicked key open its seat again. `key`: its fingerprint."""

    kind: ClassVar[str] = "let_back"
    seat: str
    key: str


@frozen
class RemoveKey:
    """Remove a key from a seat. `key`: its fingerprint."""

    kind: ClassVar[str] = "remove_key"
    seat: str
    key: str


@frozen
class LockTable:
    """Lock the table against new players, or unlock it."""

    kind: ClassVar[str] = "lock"
    locked: bool


FROM_TABLE = by_kind(
    RequestEnded,
    RequestWaits,
    SeatQuestion,
    Answered,
    Missing,
    TurnOver,
    ListOfSeat,
    LetIn,
    TurnAway,
    MakePassword,
    Kick,
    LetBack,
    RemoveKey,
    LockTable,
    RefusedMessage,
)
