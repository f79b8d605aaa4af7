"""Laws of the writer: its output is TOML and reads back unchanged."""

import tomllib
from datetime import date, time, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.codec.events import plain_event, read_event
from tui.campaign.log.blocks import encode, scan
from tui.campaign.log.parse import decode
from tui.campaign.toml import text as toml_text
from tui.campaign.toml.document import document
from tui.campaign.toml.edit import same

texts = st.text(max_size=30) | st.text(
    alphabet="\"'\\\n\r\t[]{}=#. \x00\x7f\x85\u2028\ufeff🐉end", max_size=12
)
offsets = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
scalars = (
    texts
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.dates()
    | st.times(timezones=st.none())
    | st.datetimes(timezones=st.none() | offsets)
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
tables = st.dictionaries(texts, values, max_size=5)


def without_surrogates(value: Any) -> Any:
    """Return a value without characters that UTF-8 cannot hold."""
    match value:
        case str():
            return "".join("\ufffd" if "\ud800" <= one <= "\udfff" else one for one in value)
        case list():
            return [without_surrogates(one) for one in value]
        case dict():
            return {without_surrogates(name): without_surrogates(one) for name, one in value.items()}
    return value


@given(tables)
def test_a_document_reads_back_as_it_was_written(data: dict[str, Any]) -> None:
    assert same_or_equal(tomllib.loads(document(data).decode()), without_surrogates(data))


@given(tables)
def test_a_document_harms_no_terminal(data: dict[str, Any]) -> None:
    written = document(data).decode()
    assert not any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in written if letter not in "\n\t")
    assert not any(letter in "\u200e\u202e\u2028\ufeff" for letter in written)


@given(tables, st.integers(0, 2**32 - 1))
def test_an_event_reads_back_as_what_was_written_whatever_its_texts(data: dict[str, Any], mark: int) -> None:
    data = {"n": 1, **{name: one for name, one in data.items() if name not in ("n", "end")}}
    block, new_mark = encode(read_event(data), mark)
    (found,) = tomllib.loads(block.decode())["event"]
    assert found.pop("end") == f"{new_mark:08x}"
    assert next(iter(found)) == "n"
    assert same_or_equal(found, without_surrogates(data))
    blocks = scan(block, 0, mark)
    assert blocks.mark == new_mark
    (event,) = decode(block, blocks, "log.toml")
    assert same_or_equal(plain_event(event), found)


def same_or_equal(one: Any, other: Any) -> bool:
    return same(one, other) or one == other


@given(texts)
def test_a_text_stays_on_its_line_and_harms_no_terminal(text: str) -> None:
    written = toml_text.quoted(text)
    assert len(written.splitlines()) == 1
    assert not any(ord(one) < 32 or 127 <= ord(one) < 160 for one in written)


def test_none_cannot_be_written() -> None:
    with pytest.raises(TypeError, match="NoneType"):
        toml_text.value({"deep": [None]})


def test_numbers_dates_and_flags_keep_their_types() -> None:
    plain = {"i": 1, "f": 1.0, "t": True, "big": 1e300, "day": date(2025, 1, 2), "at": time(20, 14)}
    assert same(tomllib.loads(document(plain).decode()), plain)
