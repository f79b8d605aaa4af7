"""Messages as bytes: any that were sent arrive, and bytes that are none are refused."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.wire.frames import LARGEST, BadMessage, FrameReader, Message, as_json, encode

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
MESSAGES = st.builds(
    lambda kind, fields: {**fields, "kind": kind}, TEXTS, st.dictionaries(TEXTS, PLAIN, max_size=4)
)


def read_in_pieces(data: bytes, pieces: list[int]) -> list[Message]:
    """What comes of bytes that arrive cut into pieces of these sizes."""
    reader, found = FrameReader(), []
    at = 0
    for size in [*pieces, len(data)]:
        found += reader.feed(data[at : at + size])
        at += size
    return found


@given(st.lists(MESSAGES, max_size=5), st.lists(st.integers(0, 40), max_size=20))
def test_messages_arrive_as_they_were_however_the_bytes_are_torn(messages, pieces) -> None:
    data = b"".join(map(encode, messages))
    assert read_in_pieces(data, pieces) == messages


@given(MESSAGES, PLAIN)
def test_a_plain_json_value_arrives_unchanged(message, value) -> None:
    assert list(FrameReader().feed(encode({**message, "ready": as_json(value)}))) == [
        {**message, "ready": value}
    ]


def test_half_a_character_is_sent_as_a_question_mark_and_does_not_break_the_line() -> None:
    assert list(FrameReader().feed(encode({"kind": "said", "text": "a\ud800b"}))) == [
        {"kind": "said", "text": "a?b"}
    ]


@given(st.binary(max_size=60))
def test_any_bytes_are_messages_or_wait_or_are_refused(data: bytes) -> None:
    with suppress(BadMessage):
        for message in FrameReader(most=40).feed(data):
            assert isinstance(message["kind"], str)


@given(PLAIN | st.binary(max_size=20).map(lambda data: data.decode("latin-1")))
def test_a_frame_that_holds_no_message_is_refused(value) -> None:
    if isinstance(value, dict) and isinstance(value.get("kind"), str):
        return
    body = value.encode("latin-1", "replace") if isinstance(value, str) else json.dumps(value).encode()
    with pytest.raises(BadMessage):
        list(FrameReader().feed(len(body).to_bytes(4, "big") + body))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[" * 100_000,
        b'{"kind":' * 50_000,
        b'{"kind":"x","n":' + b"9" * 5_000 + b"}",
        b'{"kind":7}',
        b'{"kind":"x"} {"kind":"x"}',
        b'\xff{"kind":"x"}',
    ],
)
def test_hostile_frames_are_refused(body: bytes) -> None:
    with pytest.raises(BadMessage):
        list(FrameReader().feed(len(body).to_bytes(4, "big") + body))


def test_a_long_message_is_refused_by_its_length_before_it_has_come() -> None:
    with pytest.raises(BadMessage, match="too long"):
        list(FrameReader(most=1_000).feed((1_001).to_bytes(4, "big")))
    assert list(FrameReader(most=1_000).feed((1_000).to_bytes(4, "big"))) == []


def test_a_message_that_is_too_long_is_not_sent() -> None:
    with pytest.raises(BadMessage, match="too long"):
        encode({"kind": "said", "text": "x" * LARGEST})


def test_messages_before_a_bad_one_are_read() -> None:
    messages = FrameReader().feed(encode({"kind": "first"}) + b"\0\0\0\2[]" + encode({"kind": "last"}))
    assert next(messages) == {"kind": "first"}
    with pytest.raises(BadMessage):
        next(messages)
