"""Backups: a campaign is saved as one file and restored under a new name. Nothing is overwritten."""

import stat
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.campaign.examples import campaign, events, is_one_line, names_in
from tui.campaign.archive.backup import backup, files_of
from tui.campaign.archive.restore import BadBackup, restore
from tui.campaign.folders import CampaignsFolder, NoCampaign
from tui.campaign.lock import take
from tui.campaign.log.file import LogWriter, read_log
from tui.campaign.problems import NotSaved
from tui.campaign.repair.check import check
from tui.cli.main import main

LOG = "encounters/gate/log.toml"


@pytest.fixture
def docks(tmp_path: Path) -> Path:
    folder = campaign(tmp_path)
    LogWriter(folder / LOG).append(*events(5))
    return folder


def held(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def place(tmp_path: Path) -> CampaignsFolder:
    return CampaignsFolder(tmp_path / "elsewhere", "a test")


def test_a_restored_campaign_has_the_files_that_were_backed_up(docks: Path, tmp_path: Path) -> None:
    (docks / "README.md").write_text("read me")
    (docks / "encounters/gate/torn-1.txt").write_text("torn")
    (docks / "roster/guard.toml.format-0").write_text("older")
    before = held(docks)
    (docks / ".lock").write_text("pid 1")
    (docks / "encounters/gate/.log.cache").write_bytes(b"cache")
    (docks / "picture.png").write_bytes(b"not ours")
    assert backup(docks, tmp_path / "docks.zip") == len(before)
    found = restore(tmp_path / "docks.zip", place(tmp_path))
    assert (found.path.name, found.files, found.left) == ("docks", len(before), 0)
    assert held(found.path) == before
    assert check(found.path) == []


def test_an_existing_campaign_is_never_restored_into(docks: Path, tmp_path: Path) -> None:
    backup(docks, tmp_path / "docks.zip")
    here, before = CampaignsFolder(tmp_path, "a test"), held(docks)
    names = [restore(tmp_path / "docks.zip", here).path.name for _ in range(3)]
    assert names == ["docks-restored", "docks-restored-2", "docks-restored-3"]
    for name in ("docks", "docks-restored"):
        with pytest.raises(NotSaved, match="already exists; --as gives it another name"):
            restore(tmp_path / "docks.zip", here, name)
    for name in ("../up", "", ".hidden", "a/b", "/tmp/x"):
        with pytest.raises(NoCampaign):
            restore(tmp_path / "docks.zip", here, name)
    assert restore(tmp_path / "docks.zip", here, "Another one").path == tmp_path / "Another one"
    assert held(docks) == before
    assert names_in(tmp_path) == sorted([*names, "docks", "docks.zip", "Another one"])


def test_a_backup_is_only_overwritten_with_force_and_never_left_half_written(
    docks: Path, tmp_path: Path
) -> None:
    target = tmp_path / "it.zip"
    target.write_bytes(b"precious")
    with pytest.raises(NotSaved, match="already exists; --force replaces it"):
        backup(docks, target)
    assert target.read_bytes() == b"precious"
    backup(docks, target, force=True)
    assert zipfile.is_zipfile(target)
    with pytest.raises(NotSaved):
        backup(docks, tmp_path / "no" / "such" / "folder.zip")
    assert names_in(tmp_path) == ["docks", "it.zip"]


def test_a_backup_may_be_made_while_another_program_writes(docks: Path, tmp_path: Path) -> None:
    lock = take(docks)
    log = docks / LOG
    whole = log.read_bytes()
    log.write_bytes(whole + b'\n[[event]]\nn = 6\ntext = "half')
    backup(docks, tmp_path / "docks.zip")
    lock.release()
    found = restore(tmp_path / "docks.zip", place(tmp_path))
    assert (found.path / LOG).read_bytes() == whole + b"\n"
    assert (found.path / f"{LOG}.aside-0").read_bytes() == b'\n[[event]]\nn = 6\ntext = "half'[1:]
    assert read_log(found.path / LOG).notice == ""
    assert len(read_log(found.path / LOG).events) == 5


def test_logs_are_backed_up_before_openings_and_rosters(docks: Path) -> None:
    names = list(files_of(docks))
    assert names.index(LOG) < names.index("encounters/gate/opening.toml")
    assert names[0] == "campaign.toml"


def test_a_broken_file_is_backed_up_as_it_is(docks: Path, tmp_path: Path) -> None:
    (docks / "roster/guard.toml").write_bytes(b"\xff\x00 not toml")
    (docks / LOG).write_bytes((docks / LOG).read_bytes().replace(b"n = 2", b"n = 7"))
    before = held(docks)
    backup(docks, tmp_path / "docks.zip")
    assert held(restore(tmp_path / "docks.zip", place(tmp_path)).path) == before


# Archives made by others


def archive_of(path: Path, entries: dict[str, bytes], kind: int = 0) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (kind | 0o644) << 16 if name != "d/campaign.toml" else 0
            archive.writestr(entry, data)
    return path


HEAD = {"d/campaign.toml": b'format = 1\nsystem = "atlantis"\n'}


@pytest.mark.parametrize(
    "name",
    ["../evil.toml", "d/../../evil.toml", "/etc/evil.toml", "d\\..\\evil.toml", "C:/evil.toml", "d//x.toml",
     "d/./x.toml", "d/\x1b[31mred.toml", "d/" + "x" * 400 + ".toml", "d/a\nb.toml"],
)  # fmt: skip
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    bad = archive_of(tmp_path / "bad.zip", {**HEAD, name: b"x"})
    with pytest.raises(BadBackup) as caught:
        restore(bad, place(tmp_path))
    assert str(caught.value).isprintable()
    assert names_in(tmp_path) == ["bad.zip"]


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_devices_are_refused(tmp_path: Path, kind: int) -> None:
    bad = archive_of(tmp_path / "bad.zip", {**HEAD, "d/roster/guard.toml": b"/etc/passwd"}, kind)
    with pytest.raises(BadBackup, match="a link or not a file"):
        restore(bad, place(tmp_path))
    assert names_in(tmp_path) == ["bad.zip"]


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    bad = archive_of(tmp_path / "bad.zip", {**HEAD, "d/seats.toml": b"\0" * 70_000_000})
    assert bad.stat().st_size < 200_000
    with pytest.raises(BadBackup, match="would unpack to more than 64 MB"):
        restore(bad, place(tmp_path))


def test_an_archive_that_lies_about_a_size_is_refused(tmp_path: Path) -> None:
    bad = archive_of(tmp_path / "bad.zip", {**HEAD, "d/seats.toml": b"x" * 1000})
    data = bad.read_bytes()
    at = data.rindex(b"PK\1\2")
    lying = data[: at + 24] + (10).to_bytes(4, "little") + data[at + 28 :]
    bad.write_bytes(lying)
    with pytest.raises(BadBackup):
        restore(bad, place(tmp_path))
    assert names_in(tmp_path / "elsewhere") == []


@pytest.mark.parametrize(
    ("entries", "error"),
    [
        ({"readme.txt": b""}, "holds no campaign.toml"),
        ({"a/campaign.toml": b"", "b/campaign.toml": b""}, "holds more than one campaign.toml"),
        ({"a/b/c/campaign.toml": b""}, "holds no campaign.toml"),
        ({**HEAD, "d/seats.toml": b"", "d/Seats.toml": b""}, "twice"),
    ],
)
def test_a_folder_that_is_no_campaign_is_refused(
    tmp_path: Path, entries: dict[str, bytes], error: str
) -> None:
    with pytest.raises(BadBackup, match=error):
        restore(archive_of(tmp_path / "bad.zip", entries), place(tmp_path))


def test_a_folder_zipped_by_hand_can_be_restored(tmp_path: Path) -> None:
    entries = {
        **HEAD,
        "d/": b"",
        "d/.lock": b"",
        "d/roster/.DS_Store": b"",
        "d/map.png": b"",
        "x/y.toml": b"",
    }
    found = restore(archive_of(tmp_path / "by-hand.zip", entries), place(tmp_path))
    assert (found.files, found.left) == (1, 4)
    flat = archive_of(tmp_path / "flat.zip", {"campaign.toml": HEAD["d/campaign.toml"]})
    assert restore(flat, place(tmp_path)).path.name == "flat"


@given(st.data())
def test_a_damaged_backup_is_refused_in_one_sentence_or_restored_whole(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("any")
    docks = campaign(folder)
    backup(docks, folder / "it.zip")
    good = (folder / "it.zip").read_bytes()
    how = data.draw(st.sampled_from(["cut", "flip", "any", "insert"]))
    at = data.draw(st.integers(0, len(good) - 1))
    bad = {
        "cut": good[:at],
        "flip": good[:at] + bytes([good[at] ^ data.draw(st.integers(1, 255))]) + good[at + 1 :],
        "any": data.draw(st.binary(max_size=200)),
        "insert": good[:at] + data.draw(st.binary(max_size=9)) + good[at:],
    }[how]
    (folder / "it.zip").write_bytes(bad)
    here = CampaignsFolder(folder / "elsewhere", "a test")
    try:
        found = restore(folder / "it.zip", here)
    except (BadBackup, NotSaved) as error:
        assert is_one_line(error)  # noqa: PT017
        assert not here.path.exists() or names_in(here.path) == []
    else:
        for name, inside in held(found.path).items():
            assert inside == (docks / name).read_bytes()


# The verbs


def test_a_backup_that_does_not_exist_is_reported_as_such(tmp_path: Path) -> None:
    with pytest.raises(BadBackup, match=r"^docks\.zip does not exist") as caught:
        restore(tmp_path / "docks.zip", CampaignsFolder(tmp_path, "a test"))
    assert "gone" not in str(caught.value)


def test_the_verbs_back_up_and_restore(
    docks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AFFRAY_CAMPAIGNS", str(tmp_path))
    assert main(["backup", "docks"]) == 0
    (made,) = tmp_path.glob("docks-*.zip")
    assert main(["backup", "docks"]) == 1
    assert main(["backup", "docks", "--force"]) == 0
    assert main(["restore", made.name, "--as", "again"]) == 0
    assert held(tmp_path / "again") == held(docks)
    assert main(["restore", made.name, "--as", "again"]) == 1
    assert main(["restore", "nothing.zip"]) == 1
    said = capsys.readouterr()
    assert "affray: nothing.zip does not exist" in said.err
    assert all(line.isprintable() for line in (said.out + said.err).splitlines())
