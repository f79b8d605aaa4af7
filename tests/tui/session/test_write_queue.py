"""Saving in the background: events reach the disk in order, and `saved` always says which."""

from collections.abc import Mapping
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from tests.tui.campaign.examples import events
from tui.campaign.log.file import LogWriter, read_log
from tui.campaign.problems import Changed, NotSaved
from tui.session.write_queue import AT_ONCE, LONGEST_PAUSE, MOST, Saved, WriteQueue, longer

SOON = 20.0  # only reached if something is broken
NEVER = 3600.0
FULL = "log.toml was not saved: no space left on the disk"


class Disk:
    """A disk that answers when allowed, and refuses a given number of times."""

    def __init__(self, *, slow: bool = False, refusals: int = 0) -> None:
        self.events: list[Mapping[str, Any]] = []
        self.batches: list[int] = []
        self.refusals = refusals
        self.asked, self.answers = Event(), Event()
        if not slow:
            self.answers.set()

    def append(self, *given: Mapping[str, Any]) -> None:
        self.asked.set()
        assert self.answers.wait(SOON)
        self.batches.append(len(given))
        if self.refusals:
            self.refusals -= 1
            raise NotSaved(FULL, why="no space left on the disk")
        self.events += given


class Told:
    """Records the reports of changes."""

    def __init__(self) -> None:
        self.heard = Event()

    def __call__(self) -> None:
        self.heard.set()


def queue(disk: Any, told: Told | None = None, **more: Any) -> WriteQueue:
    return WriteQueue(disk, told or Told(), now=lambda: "20:14", **{"grace": 0.0, **more})


def test_a_fast_disk_has_an_event_when_append_returns_and_no_second_report_follows() -> None:
    disk, told = Disk(), Told()
    kept = queue(disk, told, grace=SOON)
    for one in events(50):
        kept.append(one)
        assert kept.saved == Saved()
    assert disk.events == events(50)
    assert not told.heard.is_set()


def test_a_slow_disk_does_not_block_play_and_nothing_is_called_saved_too_early() -> None:
    disk, told = Disk(slow=True), Told()
    kept = queue(disk, told)
    for number, one in enumerate(events(20), 1):
        kept.append(one)
        assert kept.saved.waiting == number
    assert kept.saved.words == "saving 20 events"
    assert disk.events == []
    disk.answers.set()
    assert kept.drain(SOON)
    assert kept.saved == Saved()
    assert kept.saved.words == ""
    assert disk.events == events(20)
    assert told.heard.wait(SOON)


def test_one_unsaved_event_is_reported_in_one_word() -> None:
    disk = Disk(slow=True)
    kept = queue(disk)
    kept.append(*events(1))
    assert kept.saved == Saved(1, "20:14")
    assert kept.saved.words == "saving"
    disk.answers.set()


def test_a_full_disk_is_named_with_the_time_and_the_number_of_events() -> None:
    disk, told = Disk(refusals=1), Told()
    kept = queue(disk, told, pause=NEVER)
    kept.append(*events(3))
    assert told.heard.wait(SOON)
    assert kept.saved.words == "unsaved since 20:14, no space left on the disk (3 events)"
    assert kept.saved.brief == "unsaved since 20:14 (3 events)"
    assert disk.events == []


def test_the_queue_tries_again_until_the_disk_has_everything_in_order() -> None:
    disk = Disk(refusals=5)
    kept = queue(disk, pause=0.0)
    for one in events(7):
        kept.append(one)
    while not kept.drain(SOON):
        assert disk.refusals
    assert disk.events == events(7)


def test_the_next_event_makes_the_queue_try_again_at_once() -> None:
    disk, told = Disk(refusals=1), Told()
    kept = queue(disk, told, pause=NEVER)
    first, second = events(2)
    kept.append(first)
    assert told.heard.wait(SOON)
    kept.append(second)
    assert kept.drain(SOON)
    assert disk.events == [first, second]
    assert kept.saved == Saved()


def test_the_pauses_grow_up_to_a_bound() -> None:
    pause, pauses = 0.5, []
    for _ in range(10):
        pauses.append(pause)
        pause = longer(pause)
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE


def test_the_queue_has_a_limit_and_refuses_events_beyond_it() -> None:
    disk = Disk(slow=True)
    kept = queue(disk)
    kept.append(*events(MOST))
    with pytest.raises(NotSaved, match=f"{MOST} events are unsaved, and no more are accepted"):
        kept.append({"n": MOST + 1})
    assert kept.saved.waiting == MOST
    disk.answers.set()
    assert kept.drain(SOON)
    assert len(disk.events) == MOST
    assert max(disk.batches) == AT_ONCE


def test_closing_waits_for_a_limited_time_and_returns_unsaved_events() -> None:
    disk = Disk(slow=True)
    kept = queue(disk)
    kept.append(*events(2))
    assert not kept.drain(0.0)
    assert kept.close() == tuple(events(2))
    with pytest.raises(NotSaved, match="closed"):
        kept.append({"n": 3})
    disk.answers.set()


def test_closing_does_not_wait_for_a_disk_that_refuses() -> None:
    disk, told = Disk(refusals=100), Told()
    kept = queue(disk, told, pause=NEVER)
    kept.append(*events(1))
    assert told.heard.wait(SOON)
    assert not kept.drain(NEVER)
    assert kept.close(NEVER) == tuple(events(1))


def test_an_unexpected_error_is_reported_and_the_events_are_tried_again() -> None:
    class Odd(Disk):
        def append(self, *given: Mapping[str, Any]) -> None:
            if self.refusals:
                self.refusals -= 1
                raise KeyError("n\x1b[31m")
            super().append(*given)

    disk, told = Odd(refusals=1), Told()
    kept = queue(disk, told, pause=NEVER)
    kept.append(*events(1))
    assert told.heard.wait(SOON)
    assert kept.saved.words.isprintable()
    assert "unexpected KeyError" in kept.saved.words
    kept.retry()
    assert kept.drain(SOON)


def test_events_of_many_threads_are_all_saved() -> None:
    disk = Disk()
    kept = queue(disk)
    hands = [Thread(target=lambda: [kept.append(one) for one in events(50)]) for _ in range(4)]
    for one in hands:
        one.start()
    for one in hands:
        one.join(SOON)
    assert kept.drain(SOON)
    assert len(disk.events) == 200


def test_drained_events_are_in_the_log_on_the_disk(tmp_path: Path) -> None:
    path = tmp_path / "log.toml"
    kept = WriteQueue(LogWriter(path))
    for one in events(30):
        kept.append(one)
    assert kept.close(SOON) == ()
    assert read_log(path).events == events(30)


def test_a_log_that_was_changed_outside_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "log.toml"
    first = LogWriter(path)
    kept = queue(first, pause=NEVER, grace=SOON)
    kept.append(*events(1))
    path.write_bytes(path.read_bytes().replace(b"Okado", b"Tamsi"))
    before = path.read_bytes()
    kept.append(events(2)[1])
    assert "was changed outside" in kept.saved.words
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (NotSaved(FULL, why="no space left on the disk"), "no space left on the disk"),
        (Changed("log.toml"), "log.toml was changed outside Affray since it was read"),
    ],
)
def test_the_reason_is_available_apart_from_the_sentence(error: NotSaved, said: str) -> None:
    assert error.why == said
