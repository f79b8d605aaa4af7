"""The log on the disk: no acknowledged event is lost, and no other one appears."""

import errno
import os
import tomllib
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.codec.events import plain_event, read_event
from tests.tui.campaign.examples import event, events, is_one_line, names_in
from tui.campaign.log import file as log_file
from tui.campaign.log.blocks import HEADER, LogEnd, encode
from tui.campaign.log.file import Log, LogWriter, read_log, tail
from tui.campaign.problems import UNSURE, Changed, FileProblem, NotSaved
from tui.campaign.toml.document import document


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "log.toml"


def written(path: Path, many: int) -> bytes:
    LogWriter(path).append(*events(many))
    return path.read_bytes()


def in_memory(many: int) -> bytes:
    mark, data = 0, HEADER
    for one in events(many):
        block, mark = encode(one, mark)
        data += block
    return data


def cut(path: Path, data: bytes) -> Log:
    path.write_bytes(data)
    return read_log(path, cache=False)


def test_a_missing_log_is_an_empty_one(path: Path) -> None:
    assert read_log(path) == Log([], LogEnd())


def test_appended_events_are_read_back(path: Path) -> None:
    writer = LogWriter(path)
    for one in events(5):
        writer.append(one)
    log = read_log(path)
    assert (log.events, log.end, log.notice) == (events(5), writer.end, "")


def test_several_events_are_appended_as_one_write(path: Path) -> None:
    assert written(path, 3) == in_memory(3)


def test_an_event_with_a_wrong_number_is_a_mistake_of_the_program(path: Path) -> None:
    with pytest.raises(ValueError, match="event 2 where 1 is next"):
        LogWriter(path).append(event(2))
    assert not path.exists()


def test_every_cut_of_the_last_block_loses_nothing_before_it(path: Path) -> None:
    data, kept = in_memory(3), len(in_memory(2))
    for size in range(kept, len(data) - 1):
        log = cut(path, data[:size])
        assert log.events == events(2), size
        assert bool(log.notice) == (size > kept + 1), size
        assert log.problem is None
    for size in (len(data) - 1, len(data)):
        assert cut(path, data[:size]).events == events(3)


def test_every_cut_of_the_first_write_is_an_empty_log(path: Path) -> None:
    data = in_memory(1)
    for size in range(len(data) - 1):
        log = cut(path, data[:size])
        assert (log.events, log.problem) == ([], None), size


def test_after_every_cut_the_fight_continues(path: Path) -> None:
    data, kept = in_memory(2), len(in_memory(1))
    for size in (0, 1, 5, 11, 12, 15, 30, kept, kept + 1, kept + 4, kept + 20, len(data) - 2, len(data) - 1):
        path.write_bytes(data[:size])
        writer = LogWriter(path)
        writer.append(event(writer.end.n + 1, "Going on."))
        log = read_log(path)
        assert log.problem is None
        assert not log.notice
        assert log.events[-1].text == "Going on."


def test_a_lost_page_at_the_end_is_a_torn_block(path: Path) -> None:
    data = in_memory(3)
    kept = len(in_memory(2))
    assert cut(path, data[:kept] + bytes(300)).events == events(2)
    assert cut(path, data[: kept + 60] + bytes(len(data) - kept - 60)).events == events(2)
    assert cut(path, bytes(len(data))).events == []


def test_a_torn_block_is_kept_in_its_own_file_which_is_never_overwritten(path: Path) -> None:
    data = in_memory(2)
    for number, lost in ((1, 9), (2, 30)):
        path.write_bytes(data[:-lost])
        writer = LogWriter(path)
        kept = path.with_name(f"torn-{number}.txt")
        assert data[:-lost].endswith(kept.read_bytes())
        assert kept.name in writer.notice
        assert "\n" not in writer.notice
        assert read_log(path).notice == ""
    assert path.with_name("torn-1.txt").read_bytes() != path.with_name("torn-2.txt").read_bytes()


def test_reading_a_torn_log_changes_nothing(path: Path) -> None:
    data = in_memory(2)[:-9]
    assert "cut short" in cut(path, data).notice
    assert path.read_bytes() == data
    assert names_in(path.parent) == ["log.toml"]


def test_a_changed_block_in_the_middle_is_named_and_the_log_is_not_written(path: Path) -> None:
    data = in_memory(4).replace(b"2025-01-01T20:14:02", b"2025-01-01T20:14:59")
    log = cut(path, data)
    assert log.events == events(1)
    assert log.problem is not None
    assert log.problem.line == data[: data.index(b"n = 2\n")].count(b"\n")
    with pytest.raises(FileProblem, match=r"log.toml:\d+: event: this event was changed or damaged"):
        LogWriter(path)
    assert path.read_bytes() == data


def test_a_missing_block_in_the_middle_is_noticed(path: Path) -> None:
    one, two, three = len(in_memory(1)), len(in_memory(2)), in_memory(3)
    log = cut(path, three[:one] + three[two:] + three[two:])
    assert log.events == events(1)
    assert log.problem


def test_comments_between_events_stay_and_are_no_torn_block(path: Path) -> None:
    data = in_memory(1) + b"\n# What a blow!\n\n  # really"
    path.write_bytes(data)
    writer = LogWriter(path)
    assert not writer.notice
    writer.append(event(2))
    assert path.read_bytes().startswith(data)
    assert read_log(path).events == events(2)


def test_line_ends_that_a_tool_has_rewritten_do_no_harm(path: Path) -> None:
    path.write_bytes(in_memory(2).replace(b"\n", b"\r\n"))
    LogWriter(path).append(event(3))
    assert read_log(path).events == events(3)


def test_a_newer_log_is_refused(path: Path) -> None:
    path.write_bytes(in_memory(1).replace(b"format = 2", b"format = 3"))
    with pytest.raises(FileProblem, match="a newer Affray is needed"):
        read_log(path)


@given(st.binary(max_size=200) | st.text(max_size=100).map(str.encode))
def test_any_bytes_as_a_log_are_read_or_refused(tmp_path_factory: Any, data: bytes) -> None:
    folder = tmp_path_factory.mktemp("any")
    for whole in (data, in_memory(2) + data, in_memory(1)[:-20] + data, HEADER + b"[[event]]\n" + data):
        (folder / "log.toml").write_bytes(whole)
        try:
            log = read_log(folder / "log.toml")
        except FileProblem as problem:
            log = Log([], LogEnd(), problem=problem)
        assert log.events[:2] == events(len(log.events[:2]))
        assert log.problem is None or is_one_line(log.problem)


@given(st.integers(0, len(in_memory(3)) - 1), st.integers(1, 255))
def test_a_flipped_byte_never_changes_what_an_event_says(tmp_path_factory: Any, at: int, flip: int) -> None:
    data = bytearray(in_memory(3))
    data[at] ^= flip
    path = tmp_path_factory.mktemp("flip") / "log.toml"
    path.write_bytes(data)
    try:
        found = read_log(path).events
    except FileProblem:
        return
    assert found == events(len(found))


# A disk that fails


class Disk:
    """Makes a system call fail from its nth use on, after it has done part of its work."""

    def __init__(self, patch: pytest.MonkeyPatch, call: str, number: int, code: int) -> None:
        self.left, self.code, self.real = number, code, getattr(os, call)
        patch.setattr(os, call, self)

    def __call__(self, descriptor: int, *rest: Any) -> Any:
        if self.left > 1:
            self.left -= 1
            return self.real(descriptor, *rest)
        if self.real.__name__ == "write":
            self.real(descriptor, bytes(rest[0])[:20])
        raise OSError(self.code, os.strerror(self.code))


WORDS = {errno.ENOSPC: "no space left on the disk", errno.EIO: "input/output error", errno.EROFS: "read-only"}


@pytest.mark.parametrize("call", ["write", "fdatasync", "open", "fstat"])
@pytest.mark.parametrize("code", WORDS)
def test_an_event_that_could_not_be_saved_leaves_no_trace_and_can_be_tried_again(
    path: Path, call: str, code: int
) -> None:
    if not hasattr(os, call):
        pytest.skip("this system has no such call")
    writer = LogWriter(path)
    writer.append(event(1))
    before = path.read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        Disk(patch, call, 1, code)
        with pytest.raises(NotSaved, match=WORDS[code]):
            writer.append(event(2))
    assert path.read_bytes() == before
    writer.append(event(2), event(3))
    assert read_log(path).events == events(3)


def test_a_write_that_could_not_be_undone_is_undone_before_the_next_event(path: Path) -> None:
    writer = LogWriter(path)
    writer.append(event(1))
    with pytest.MonkeyPatch.context() as patch:
        Disk(patch, "fdatasync" if hasattr(os, "fdatasync") else "fsync", 1, errno.EIO)
        Disk(patch, "ftruncate", 1, errno.EIO)
        with pytest.raises(NotSaved):
            writer.append(event(2, "Never happened."))
    assert len(read_log(path).events) == 2
    writer.append(event(2))
    assert read_log(path).events == events(2)


def test_an_event_is_undone_even_if_the_disk_fails_after_its_sync(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    signature = log_file._signature
    for many in (0, 1):
        writer = LogWriter(path)

        def fails(descriptor: int, end: int = writer.end.size) -> tuple[int, int, int]:
            found = signature(descriptor)
            if found[1] > end:
                raise OSError(errno.EIO, "Input/output error")
            return found

        with monkeypatch.context() as broken:
            broken.setattr(log_file, "_signature", fails)
            with pytest.raises(NotSaved):
                writer.append(event(many + 1))
        assert read_log(path).events == events(many)
        writer.append(event(many + 1))
        assert read_log(path).events == events(many + 1)


def test_short_writes_are_completed(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data)[:7]))
    assert written(path, 2) == in_memory(2)


def test_a_missing_folder_is_reported(path: Path) -> None:
    folder = path.parent / "first"
    folder.mkdir()
    writer = LogWriter(folder / "log.toml")
    folder.rmdir()
    with pytest.raises(NotSaved, match=r"log.toml was not saved: the file or its folder is gone"):
        writer.append(event(1))
    with pytest.raises(FileProblem, match="is missing"):
        LogWriter(folder / "log.toml")


def test_a_log_that_was_changed_outside_is_not_written_to(path: Path) -> None:
    data = written(path, 2)
    writer = LogWriter(path)
    writer.append(event(3))
    path.write_bytes(data)
    with pytest.raises(Changed, match="changed outside"):
        writer.append(event(4))
    assert path.read_bytes() == data


def test_the_first_event_reads_the_log_again_only_if_it_was_changed_since_it_was_opened(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = written(path, 3)
    changed = LogWriter(path)
    path.write_bytes(data.replace(b"n = 2\n", b"n = 7\n"))
    with pytest.raises(Changed):
        changed.append(event(4))
    path.write_bytes(data)
    writer = LogWriter(path)
    monkeypatch.setattr(log_file, "read_bytes", None)
    writer.append(event(4))
    assert writer.end.n == 4


def test_a_change_of_the_same_length_is_noticed_too(path: Path) -> None:
    writer = LogWriter(path)
    writer.append(*events(3))
    data = path.read_bytes().replace(b"n = 2\n", b"n = 7\n")
    path.write_bytes(data)
    with pytest.raises(Changed):
        writer.append(event(4))


def test_a_log_that_is_gone_is_not_created_again(path: Path) -> None:
    writer = LogWriter(path)
    writer.append(*events(3))
    path.unlink()
    with pytest.raises(NotSaved, match="gone"):
        writer.append(event(4))
    assert not path.exists()


def test_a_comment_added_meanwhile_stays(path: Path) -> None:
    writer = LogWriter(path)
    writer.append(*events(2))
    with path.open("ab") as opened:
        opened.write(b"# from the editor\n")
    writer.append(event(3))
    assert b"# from the editor\n" in path.read_bytes()
    assert read_log(path).events == events(3)


# Looking on


def test_a_second_program_reads_only_what_is_new(path: Path) -> None:
    writer = LogWriter(path)
    writer.append(*events(2))
    known = read_log(path, cache=False)
    assert tail(path, known.end).events == []
    writer.append(event(3))
    more = tail(path, known.end)
    assert more.events == [event(3)]
    assert more.end == writer.end


def test_a_block_that_is_still_being_written_is_left_for_later(path: Path) -> None:
    written(path, 1)
    end = read_log(path).end
    whole = in_memory(2)
    for size in range(end.size, len(whole) - 1, 7):
        path.write_bytes(whole[:size])
        assert tail(path, end).events == []
    path.write_bytes(whole)
    assert tail(path, end).events == [event(2)]


def test_a_second_program_notices_that_the_log_was_replaced(path: Path) -> None:
    written(path, 3)
    end = read_log(path).end
    for other in (in_memory(2), in_memory(3) + in_memory(1)[len(HEADER) :]):
        path.write_bytes(other)
        with pytest.raises(FileProblem):
            tail(path, end)


def test_following_works_before_there_is_a_log(path: Path) -> None:
    assert tail(path, LogEnd()).events == []
    written(path, 2)
    assert tail(path, LogEnd()).events == events(2)


def signed(body: str) -> bytes:
    """Return a forged block: any text with a valid end mark."""
    text = body.encode()
    return HEADER + b"\n[[event]]\n" + text + b'end = "%08x"\n' % zlib.crc32(text)


@pytest.mark.parametrize(
    "body",
    ["n = 1\nn = 2\n", "n = 1\n[x]\n", "text = 'a'\n", "n = 0\n", "n = true\n", "n = 1\na = \"\\ud800\"\n",
     "n = 1\na = " + "[" * 9000 + "\n", "n = 1\n[[event]]\nn = 2\n", "n = 1\na\n", '"}": 1\n'],
)  # fmt: skip
def test_a_forged_block_is_refused_or_read_as_the_toml_that_it_is(path: Path, body: str) -> None:
    path.write_bytes(signed(body))
    try:
        log = read_log(path)
    except FileProblem as problem:
        log = Log([], LogEnd(), problem=problem)
    for one in log.events:
        document(plain_event(one))
    assert log.events == [] or log.events[0].n in (1, 2)


@pytest.mark.parametrize(
    "body", ["n = 0x1\n", "n = 1\na = 'single'\n", "n = 1\na.b = 1_000\n", "n = 1\nd = 1979-05-27\n"]
)
def test_toml_that_is_not_json_is_read_too(path: Path, body: str) -> None:
    path.write_bytes(signed(body))
    assert read_log(path).events == [read_event(tomllib.loads(body))]


def test_a_failed_write_that_was_undone_is_not_reported_as_doubtful(path: Path) -> None:
    writer = LogWriter(path)
    for undone in (True, False):
        with pytest.MonkeyPatch.context() as patch:
            Disk(patch, "fdatasync" if hasattr(os, "fdatasync") else "fsync", 1, errno.EIO)
            if not undone:
                Disk(patch, "ftruncate", 1, errno.EIO)
            with pytest.raises(NotSaved) as failure:
                writer.append(event(1))
        assert (UNSURE in str(failure.value)) is not undone


def test_blocks_of_the_program_itself_are_read_without_the_slower_toml(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(path, 300)
    parsed: list[str] = []
    loads = tomllib.loads
    monkeypatch.setattr(tomllib, "loads", lambda text: parsed.append(text) or loads(text))
    assert read_log(path, cache=False).events == events(300)
    assert not [text for text in parsed if "[[event]]" in text]


def test_a_problem_while_following_a_log_names_its_file(path: Path) -> None:
    data = written(path, 2)
    end = read_log(path).end
    path.write_bytes(data[:40])
    with pytest.raises(FileProblem, match=r"^log\.toml\b"):
        tail(path, end)
