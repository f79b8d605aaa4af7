"""Encode a message as bytes: its length in four bytes, then plain data as JSON."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

Message = Mapping[str, Any]
LARGEST = 4 * 1024 * 1024  # a view with its log lines is far smaller
LARGEST_REQUEST = 1024  # bytes of a line that a player types
LARGEST_FROM_SEAT = 8 * 1024  # a request with the names of its fields


class Json(str):
    """Text that is already JSON: a value shared by several messages, encoded once."""

    __slots__ = ()


class BadMessage(ValueError):
    """The bytes are not a message, or the message is too long. As text: one sentence."""


def as_json(value: object) -> Json:
    """Return plain data as a value that messages carry unchanged."""
    return Json(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def encode(message: Message) -> bytes:
    """Return the bytes of one message. Raises BadMessage if it is too long."""
    written = {name: value for name, value in message.items() if isinstance(value, Json)}
    text = as_json({name: value for name, value in message.items() if name not in written})
    for name, value in written.items():
        text = Json(f"{text[:-1]},{as_json(name)}:{value}}}")
    data = text.encode("utf-8", "replace")
    if len(data) > LARGEST:
        raise BadMessage("the message is too long")
    return len(data).to_bytes(4, "big") + data


class FrameReader:
    """Builds messages from bytes as they arrive. `most` is the largest message in bytes."""

    def __init__(self, most: int = LARGEST) -> None:
        self._most = most
        self._held = bytearray()

    def feed(self, data: bytes) -> Iterator[Message]:
        """Yield the complete messages. Raises BadMessage, after which nothing more can be read."""
        self._held += data
        while len(self._held) >= 4:
            length = int.from_bytes(self._held[:4], "big")
            if length > self._most:
                raise BadMessage("the message is too long")
            if len(self._held) < 4 + length:
                return
            body = bytes(self._held[4 : 4 + length])
            del self._held[: 4 + length]
            yield _decoded(body)


def _decoded(body: bytes) -> Message:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        raise BadMessage("the message is not JSON") from None
    if not isinstance(message, dict) or not isinstance(message.get("kind"), str):
        raise BadMessage("the message has no kind")
    return message
