"""Turn messages into values and back: the class of a message declares its kind and its fields.

A message that fails is refused with one sentence, which repeats none of its texts.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar

from systems.codec.plain import BadPlainData, from_plain, to_plain
from systems.frozen import frozen
from systems.text import clean
from tui.wire.frames import Message

T = TypeVar("T")
# The class of each kind of message. Two directions may have different classes for one kind.
Kinds = Mapping[str, type[Any]]
NOT_UNDERSTOOD = "Affray did not understand this request, so nothing has changed."


class Malformed(ValueError):
    """A message that no program of Affray would send. As text: one sentence."""


@frozen
class RefusedMessage:
    """The answer to a malformed message of the kind `of`. `id`, `seat`: those of a request, else ""."""

    kind: ClassVar[str] = "refused"
    of: str
    text: str
    id: str = ""
    seat: str = ""


def by_kind(*classes: type[Any]) -> Kinds:
    """Return classes of messages by their kinds."""
    return {cls.kind: cls for cls in classes}


def read(message: Message, kinds: Kinds) -> Any:
    """Return a message as the value of its kind.

    Raises Malformed if it is of none of these kinds, or if one of its fields is missing or wrong.
    """
    kind = message["kind"]
    if kind not in kinds:
        raise Malformed("a message of an unknown kind")
    return content(message, kinds[kind])


def content(message: Message, cls: type[T]) -> T:
    """Return the fields of a message as a value of a class. Raises Malformed."""
    fields = {name: value for name, value in message.items() if name != "kind"}
    try:
        return from_plain(cls, fields)
    except BadPlainData as error:
        raise Malformed(f"{message['kind']}: {error}") from None


def plain_message(value: Any) -> Message:
    """Return a value as a message, with its kind."""
    return value if isinstance(value, Mapping) else {"kind": value.kind, **to_plain(value)}


def refusal(message: Message, error: Malformed) -> RefusedMessage:
    """Return the answer to a malformed message. It names the request, if the message does."""
    named = {name: message[name] for name in ("id", "seat") if isinstance(message.get(name), str)}
    return RefusedMessage(clean(str(message.get("kind")), 40), str(error), **named)
