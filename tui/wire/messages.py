"""Read the messages that other processes send: each has a known kind and the fields of that kind.

A message that fails is refused with one sentence, which repeats none of its texts. A seat's program is not
trusted and sends tables, of which only the declared fields are checked. All other messages are values.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from systems.codec.plain import BadPlainData, from_plain, to_plain
from systems.text import clean
from tui.wire.frames import Message
from tui.wire.server_report import Invite, Invited
from tui.wire.table_messages import FROM_TABLE, REFUSED, TO_TABLE, RefusedMessage, SeatQuestion

T = TypeVar("T")
# The class of each kind of message, or the types of its fields.
Kinds = Mapping[str, type | Mapping[str, tuple[type, ...]]]
NOT_UNDERSTOOD = "Affray did not understand this request, so nothing has changed."
# From `affray invite` to the server, and its answer.
TO_SERVER: Mapping[str, type] = {"invite": Invite}
FROM_SERVER: Mapping[str, type] = {"invited": Invited, REFUSED: RefusedMessage}
# From a seat's program to the server.
FROM_SEAT: Kinds = {
    "request": {"line": (str,), "token": (str,)},
    "reply": {"ask": (int,), "value": (int, str)},
    "withdraw": {"id": (str,)},
    "question": {"id": (int,)},
    "spot": {"spot": (dict,)},
}
_KINDS = {
    cls: kind for kinds in (TO_TABLE, FROM_TABLE, TO_SERVER, FROM_SERVER) for kind, cls in kinds.items()
}
_WORDS = {str: "text", int: "a whole number", dict: "a table"}


class Malformed(ValueError):
    """A message that no program of Affray would send. As text: one sentence."""


def read(message: Message, kinds: Kinds) -> Any:
    """Return a message as the value of its kind, or unchanged if its kind is declared by fields.

    Raises Malformed if it is of none of these kinds, or if one of its fields is missing or wrong.
    """
    kind = message["kind"]
    if kind not in kinds:
        raise Malformed("a message of an unknown kind")
    declared = kinds[kind]
    if isinstance(declared, type):
        return content(message, declared)
    for name, types in declared.items():
        if name not in message:
            raise Malformed(f"{kind}: {name} is missing")
        if type(message[name]) not in types:
            raise Malformed(f"{kind}: {name} should be {' or '.join(_WORDS[each] for each in types)}")
    return message


def content(message: Message, cls: type[T]) -> T:
    """Return the fields of a message as a value of a class. Raises Malformed."""
    fields = {name: value for name, value in message.items() if name != "kind"}
    try:
        return from_plain(cls, fields)
    except BadPlainData as error:
        raise Malformed(f"{message['kind']}: {error}") from None


def plain_message(value: object) -> Message:
    """Return a value as a message, with its kind."""
    return value if isinstance(value, Mapping) else {"kind": _KINDS[type(value)], **to_plain(value)}


def for_seat(question: SeatQuestion) -> Message:
    """Return a question of the table as the seat of its character gets it."""
    return {name: value for name, value in plain_message(question).items() if name != "character"}


def refusal(message: Message, error: Malformed) -> Message:
    """Return the answer to a malformed message. It names the request, if the message does."""
    named = {name: message[name] for name in ("id", "seat") if isinstance(message.get(name), str)}
    return {"kind": REFUSED, "of": clean(str(message.get("kind")), 40), "text": str(error), **named}
