"""Two copies of a log that differ are recognised and never mixed."""

from pathlib import Path

import pytest

from tests.tui.campaign.examples import campaign, event, events, is_one_line
from tui.campaign.campaign import load
from tui.campaign.log.divergence import compare, versions
from tui.campaign.log.file import LogWriter, read_log
from tui.campaign.problems import FileProblem
from tui.campaign.repair.check import check

LOG = "encounters/gate/log.toml"


@pytest.fixture
def docks(tmp_path: Path) -> Path:
    return campaign(tmp_path)


def log_of(folder: Path, *texts: str) -> bytes:
    """Return a log with three common events, then one per text."""
    path = folder / "written.toml"
    path.unlink(missing_ok=True)
    writer = LogWriter(path)
    writer.append(*events(3), *[event(4 + at, text, typed=text) for at, text in enumerate(texts)])
    return path.read_bytes()


@pytest.mark.parametrize(
    ("here", "there", "relation", "common", "line"),
    [
        ("a", "a", "same", 4, 0),
        ("ab", "a", "older", 4, 0),
        ("ab", "", "older", 3, 0),
        ("a", "abc", "newer", 4, 67),
        ("abc", "ax", "parted", 4, 67),
        ("a", "x", "parted", 3, 51),
    ],
)
def test_two_logs_are_compared_by_their_end_marks(
    tmp_path: Path, here: str, there: str, relation: str, common: int, line: int
) -> None:
    found = compare(log_of(tmp_path, *here), log_of(tmp_path, *there))
    assert (found.relation, found.common, found.line) == (relation, common, line)
    assert found.says.isprintable()


def test_a_file_that_is_no_log_is_unreadable_and_an_empty_log_is_older(tmp_path: Path) -> None:
    log = log_of(tmp_path, "a")
    for bad in (b"\xff", b"format = 3\n", b"format = 1\nx = \n", log.replace(b"n = 2", b"n = 9")):
        assert compare(log, bad).relation == "unreadable"
    assert compare(log, b"format = 2\n").relation == "older"
    assert compare(b"", b"").relation == "same"
    assert compare(b"", log).relation == "newer"


def test_another_copy_of_the_log_is_reported_with_the_event_after_which_it_differs(docks: Path) -> None:
    (docks / LOG).write_bytes(log_of(docks, "attack guard-1", "next"))
    other = "encounters/gate/log (Anna's conflicted copy).toml"
    (docks / other).write_bytes(log_of(docks, "attack guard-2"))
    (docks / "written.toml").unlink()
    (problem,) = check(docks)
    assert str(problem) == (
        f"{other}:51: is another copy of this fight's log; the two differ after event 3: log.toml goes on "
        'with "attack guard-1" and 1 more event, this one with "attack guard-2" and nothing more'
    )
    (said,) = load(docks).problems
    assert "is another copy of this fight's log and is not read" in str(said)
    assert len(read_log(docks / LOG).events) == 5


def conflict(ours: bytes, theirs: bytes) -> bytes:
    """Return the file that git leaves after both sides added events to the same log."""
    at = next(at for at in range(len(ours)) if ours[at : at + 1] != theirs[at : at + 1])
    at = ours.rfind(b"\n", 0, at) + 1
    return ours[:at] + b"<<<<<<< HEAD\n" + ours[at:] + b"=======\n" + theirs[at:] + b">>>>>>> other\n"


@pytest.mark.parametrize(("one", "two"), [("a", "x"), ("ab", "x"), ("a", "xyz"), ("abc", "xyz")])
def test_an_unresolved_merge_is_refused_and_split_into_its_versions(docks: Path, one: str, two: str) -> None:
    ours, theirs = log_of(docks, *one), log_of(docks, *two)
    merged = conflict(ours, theirs)
    (docks / LOG).write_bytes(merged)
    log = read_log(docks / LOG)
    assert "two versions of this file were merged here" in str(log.problem)
    with pytest.raises(FileProblem):
        LogWriter(docks / LOG)
    assert [str(one) for one in check(docks)] == [str(log.problem).replace("log.toml", LOG, 1)]
    assert (docks / LOG).read_bytes() == merged
    assert versions(merged) == (ours, theirs)
    base = merged.replace(b"=======\n", b"||||||| base\nwas\n=======\n")
    assert versions(base) == (ours, theirs)
    assert versions(merged.replace(b"\n", b"\r\n")) == (
        ours.replace(b"\n", b"\r\n"),
        theirs.replace(b"\n", b"\r\n"),
    )


@pytest.mark.parametrize("torn", [b"<<<<<<< HEAD\n", b"=======\n", b">>>>>>> other\n"])
def test_conflict_marks_that_do_not_match_give_no_versions(docks: Path, torn: bytes) -> None:
    merged = conflict(log_of(docks, "a"), log_of(docks, "b"))
    assert versions(merged.replace(torn, b"")) is None


@pytest.mark.parametrize(("one", "two"), [("a", "x"), ("ab", "x"), ("a", "xyz"), ("abc", "xyz")])
def test_a_log_written_twice_is_recognised(docks: Path, one: str, two: str) -> None:
    ours, theirs = log_of(docks, *one), log_of(docks, *two)
    at = theirs.index(b"[[event]]\nn = 4")
    (docks / LOG).write_bytes(ours + theirs[at:])
    log = read_log(docks / LOG)
    assert [each.n for each in log.events] == list(range(1, 4 + len(one)))
    assert f"does not follow event {3 + len(one)} but event 3: two copies" in str(log.problem)
    with pytest.raises(FileProblem):
        LogWriter(docks / LOG)
    assert all(map(is_one_line, check(docks)))


def test_conflict_copies_of_a_synchronised_folder_are_reported(docks: Path) -> None:
    for name in ("campaign (1).toml", "seats-laptop.toml", "encounters/gate/opening 2.toml"):
        (docks / name).write_text("format = 1\n")
    assert [str(one) for one in check(docks)] == [
        "encounters/gate/opening 2.toml: is not read; use the name opening.toml",
        "campaign (1).toml: is not read; use the name campaign.toml",
        "seats-laptop.toml: is not read; use the name seats.toml",
    ]
