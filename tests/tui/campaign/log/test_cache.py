"""The cache of a log: it returns the events of the log, and a damaged cache does no harm."""

from collections.abc import Callable
from datetime import date
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from systems.codec.events import read_event
from tests.tui.campaign.examples import event, events
from tui.campaign.log import cache as log_cache
from tui.campaign.log import file as log_file
from tui.campaign.log.file import LogWriter, read_log

MANY = 300  # more than one pack holds


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.toml"


@pytest.fixture(autouse=True)
def _small_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_file, "_WORTH_CACHING", 3)
    monkeypatch.setattr(log_file, "_MUCH", 2)


def cached(path: Path, many: int, extra: Callable[[], Any] = lambda: None) -> Path:
    """Return a log of that many events with its cache."""
    writer = LogWriter(path)
    writer.append(*events(many))
    writer.keep_cache(events(many), 0, extra)
    return path.with_name(log_cache.NAME)


def test_the_events_are_the_same_with_a_cache_without_one_and_with_a_longer_log(path: Path) -> None:
    cache = cached(path, MANY)
    assert read_log(path).cached.end.n == MANY
    assert list(read_log(path).events) == events(MANY)
    LogWriter(path).append(event(MANY + 1))
    assert list(read_log(path).events) == events(MANY + 1)
    assert read_log(path).end == read_log(path, cache=False).end
    cache.unlink()
    assert list(read_log(path).events) == events(MANY + 1)


def test_events_are_found_in_any_order_and_from_either_end(path: Path) -> None:
    cached(path, MANY)
    found = read_log(path).events
    for at in (0, 130, 1, -1, 299, 256, 255, 127, 128, -300):
        assert found[at] == events(MANY)[at]
    assert list(found[120:140]) == events(MANY)[120:140]
    assert list(reversed(found)) == events(MANY)[::-1]
    for at in (MANY, -MANY - 1):
        with pytest.raises(IndexError):
            found[at]


def test_the_newest_event_stays_the_same_object_while_others_are_read(path: Path) -> None:
    cached(path, MANY)
    found = read_log(path).events
    newest = found[-1]
    assert len(list(found)) == MANY
    assert found[0] == event(1)
    assert found[-1] is newest


def test_closing_a_log_writes_a_cache_after_many_events(path: Path) -> None:
    cache = cached(path, 3, lambda: {"round": 2})
    found = log_cache.load(path, BytesIO(path.read_bytes()))
    assert (list(found.events), found.extra) == (events(3), {"round": 2})
    cache.unlink()
    writer = LogWriter(path)
    writer.append(event(4))
    writer.keep_cache(events(4), 3, lambda: None)
    assert not cache.exists()
    writer.append(event(5))
    writer.keep_cache(events(5), 3, lambda: None)
    assert cache.exists()


def test_no_cache_is_written_of_a_log_that_others_edited_while_it_was_open(path: Path) -> None:
    writer = LogWriter(path)
    writer.append(*events(5))
    good = path.read_bytes()
    for edited in (good.replace(b"n = 2\n", b"n = 7\n"), good[: good.rfind(b"[[event]]")], good[:-9], b""):
        path.write_bytes(edited)
        writer.keep_cache(events(5), 0, lambda: None)
        assert log_cache.load(path, BytesIO(edited)).end.n == 0
        assert not path.with_name(log_cache.NAME).exists()
    path.unlink()
    writer.keep_cache(events(5), 0, lambda: None)
    # A comment changes no event.
    commented = good.replace(b"[[event]]", b"# the tide\n[[event]]", 1)
    path.write_bytes(commented)
    writer.keep_cache(events(5), 0, lambda: None)
    assert read_log(path).cached.end.n == 5
    assert read_log(path).end == read_log(path, cache=False).end
    assert list(read_log(path).events) == events(5)


def test_reading_writes_no_cache(path: Path) -> None:
    LogWriter(path).append(*events(MANY))
    read_log(path)
    assert not path.with_name(log_cache.NAME).exists()


def test_a_cached_log_still_shows_its_torn_end_and_its_comments(path: Path) -> None:
    cached(path, 5)
    data = path.read_bytes()
    path.write_bytes(data + b"# a comment\n")
    assert (list(read_log(path).events), read_log(path).notice) == (events(5), "")
    path.write_bytes(data + b"\n[[event]]\nn = 6")
    assert "cut short" in read_log(path).notice
    assert list(LogWriter(path).events) == events(5)
    assert path.read_bytes().rstrip() == data.rstrip()


@pytest.mark.parametrize("cache", [True, False])
def test_closing_a_longer_log_packs_only_what_is_new(
    path: Path, monkeypatch: pytest.MonkeyPatch, cache: bool
) -> None:
    cached(path, MANY)
    writer = LogWriter(path, log=read_log(path, cache=cache))
    more = [event(MANY + 1), event(MANY + 2)]
    writer.append(*more)
    packed: list[int] = []
    pack = log_cache._pack
    monkeypatch.setattr(log_cache, "_pack", lambda some: packed.append(len(some)) or pack(some))
    writer.keep_cache([*events(MANY), *more], MANY, lambda: None)
    assert packed == [(MANY + 2) % log_cache._AT_ONCE]
    assert list(read_log(path).events) == [*events(MANY), *more]
    assert read_log(path).cached.end.n == MANY + 2


def test_a_log_that_was_cut_or_changed_since_is_read_as_it_is(path: Path) -> None:
    cache = cached(path, 5)
    data, kept = path.read_bytes(), cache.read_bytes()
    for size in range(0, len(data), 41):
        path.write_bytes(data[:size])
        with_cache, without = read_log(path), read_log(path, cache=False)
        assert list(with_cache.events) == list(without.events), size
        assert (with_cache.end, with_cache.notice) == (without.end, without.notice), size
    path.write_bytes(data.replace(b"[[event]]", b"[[event]] ", 1))
    assert read_log(path).cached.end.n == 0
    path.unlink()
    LogWriter(path).append(*[event(n, "Something else") for n in range(1, 6)])
    cache.write_bytes(kept)
    assert read_log(path).events[0].text == "Something else"


def test_a_damaged_cache_is_ignored(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = cached(path, 5)
    good, log = cache.read_bytes(), path.read_bytes()
    for at in range(0, len(good), 37):
        for bad in (good[:at], good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :], good + bytes(at)):
            cache.write_bytes(bad)
            assert log_cache.load(path, BytesIO(log)).end.n == (5 if bad == good else 0), at
            assert list(read_log(path).events) == events(5)
    cache.write_bytes(good)
    assert log_cache.load(path, BytesIO(log)).end.n == 5
    # With another key it is another user's cache.
    monkeypatch.setenv("XDG_STATE_HOME", str(path.parent / "other"))
    assert log_cache.load(path, BytesIO(log)).end.n == 0


def test_the_cache_of_another_program_is_ignored(path: Path) -> None:
    cache = cached(path, 5)
    good, log = cache.read_bytes(), path.read_bytes()
    first, rest = good.split(b"\n", 1)
    cache.write_bytes(first.replace(b"Python", b"python") + b"\n" + rest)
    assert log_cache.load(path, BytesIO(log)).end.n == 0
    # All is valid except that the key is not this user's.
    inside = rest[32:]
    summed = inside + crc32(log).to_bytes(4, "big")
    forged = blake2b(summed, key=bytes(32), digest_size=32).digest()
    cache.write_bytes(first + b"\n" + forged + inside)
    assert log_cache.load(path, BytesIO(log)).end.n == 0


def test_nothing_is_said_if_no_cache_can_be_written(path: Path) -> None:
    path.with_name(log_cache.NAME).mkdir()
    cached(path, 5)
    assert list(read_log(path).events) == events(5)


def test_many_events_that_had_to_be_parsed_are_packed_unless_they_cannot_be(path: Path) -> None:
    LogWriter(path).append(*events(MANY))
    assert isinstance(read_log(path).events, log_cache.PackedEvents)
    dated = read_event({"n": MANY + 1, "when": date(2026, 1, 2)})
    LogWriter(path).append(dated)
    assert read_log(path).events == [*events(MANY), dated]


def test_events_that_a_cache_cannot_hold_leave_no_cache(path: Path) -> None:
    assert not cached(path, 5, lambda: {"what": object()}).exists()


def test_the_secret_of_caches_is_for_its_user_alone(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    state = path.parent / "state"
    monkeypatch.setattr(log_cache, "state_folder", lambda: state)
    cached(path, MANY)
    [secret] = state.iterdir()
    assert (secret.name, secret.stat().st_mode & 0o777) == ("cache.key", 0o600)
