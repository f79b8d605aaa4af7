"""Check the messages that other processes send: each has a known kind and the fields of that kind.

A message that fails is refused with one sentence, which repeats none of its texts. A kind has the fields of a
frozen class, which `content` returns, or a table of fields with their types; then others are ignored.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from systems.codec.plain import BadPlainData, from_plain
from systems.frozen import frozen
from systems.text import clean
from tui.wire.frames import Message
from tui.wire.request_list import REQUESTS, ListOfSeat
from tui.wire.server_report import Invited, ServerReport

T = TypeVar("T")

NUMBER_OR_TEXT = (int, str)
TEXTS = [str]
_WORDS = {str: "text", int: "a whole number", bool: "true or false", list: "a list", dict: "a table"}

# The type of a field: a class, several classes, a list with the type of its items, or the fields of a table.
Shape = Any
Kinds = Mapping[str, Mapping[str, Shape] | type]


@frozen
class Maybe:
    """The type of a field that may be left out."""

    shape: Shape


class Malformed(ValueError):
    """A message that no program of Affray would send. As text: one sentence."""


REFUSED = "refused"
NOT_UNDERSTOOD = "Affray did not understand this request, so nothing has changed."
_REFUSED: Mapping[str, Shape] = {"of": str, "text": str, "id": Maybe(str), "seat": Maybe(str)}
# From the server, or from `affray watch`, to the game master's program.
TO_TABLE: Kinds = {
    "hello": {},
    "state": ServerReport,
    "request": {
        "id": str,
        "seat": str,
        "characters": TEXTS,
        "encounter": str,
        "line": str,
        "n": int,
        "command": str,
        "intent": dict,
        "is_roll": Maybe(bool),
    },
    "reply": {"ask": int, "value": NUMBER_OR_TEXT, "seat": str},
    "trouble": {"text": str},
    "withdraw": {"id": str, "seat": str},
    "news": {"text": str},
    "take_over": {},
    REFUSED: _REFUSED,
}
_ANSWER: Mapping[str, Shape] = {"id": str, "seat": str, "ok": bool, "text": str}
# From the game master's program to the server and to `affray watch`.
FROM_TABLE: Kinds = {
    "result": _ANSWER,
    "waits": _ANSWER,
    "ask": {"ask": int, "character": str},
    "unask": {"ask": int},
    "missing": {"names": TEXTS},
    "turn_over": {"seat": str, "is_open": bool},
    REQUESTS: ListOfSeat,
    "let_in": {"knock": int, "seat": str, "for_good": bool, "second_key": bool},
    "turn_away": {"knock": int},
    "password": {"seat": str, "lasts": Maybe(str)},
    "kick": {"seat": str},
    "let_back": {"seat": str, "key": str},
    "remove_key": {"seat": str, "key": str},
    "lock": {"locked": bool},
    REFUSED: _REFUSED,
}
# From `affray invite` to the server, and its answer.
TO_SERVER: Kinds = {"invite": {"seats": TEXTS, "lasts": str}}
FROM_SERVER: Kinds = {
    "invited": Invited,
    REFUSED: _REFUSED,
}
# From a seat's program to the server. It is not trusted.
FROM_SEAT: Kinds = {
    "request": {"line": str, "token": str},
    "reply": {"ask": int, "value": NUMBER_OR_TEXT},
    "withdraw": {"id": str},
    "question": {"id": int},
    "spot": {"spot": dict},
}


def check(message: Message, kinds: Kinds) -> None:
    """Raise Malformed if a message is of none of these kinds, or if one of its fields is missing or wrong."""
    kind = message["kind"]
    if kind not in kinds:
        raise Malformed("a message of an unknown kind")
    fields = kinds[kind]
    if isinstance(fields, type):
        content(message, fields)
    else:
        _check_fields(message, fields, f"{kind}: ")


def content(message: Message, cls: type[T]) -> T:
    """Return the fields of a message as a value of the class of its kind. Raises Malformed."""
    fields = {name: value for name, value in message.items() if name != "kind"}
    try:
        return from_plain(cls, fields)
    except BadPlainData as error:
        raise Malformed(f"{message['kind']}: {error}") from None


def refusal(message: Message, error: Malformed) -> Message:
    """Return the answer to a malformed message. It names the request, if the message does."""
    named = {name: message[name] for name in ("id", "seat") if isinstance(message.get(name), str)}
    return {"kind": REFUSED, "of": clean(str(message.get("kind")), 40), "text": str(error), **named}


def _check_fields(found: Mapping[str, Any], fields: Mapping[str, Shape], place: str) -> None:
    for name, shape in fields.items():
        if name in found:
            _check_value(found[name], shape.shape if isinstance(shape, Maybe) else shape, f"{place}{name}")
        elif not isinstance(shape, Maybe):
            raise Malformed(f"{place}{name} is missing")


def _check_value(value: object, shape: Shape, place: str) -> None:
    kinds: Sequence[type] = shape if isinstance(shape, tuple) else (_class_of(shape),)
    if type(value) not in kinds:
        raise Malformed(f"{place} should be {' or '.join(_WORDS[kind] for kind in kinds)}")
    if isinstance(shape, list) and isinstance(value, list):
        for number, item in enumerate(value):
            _check_value(item, shape[0], f"{place}.{number}")
    elif isinstance(shape, dict) and isinstance(value, dict):
        _check_fields(value, shape, f"{place}.")


def _class_of(shape: Shape) -> type:
    return shape if isinstance(shape, type) else type(shape)
