"""Where campaigns are, how they are named, and the samples."""

import sys
import zipfile
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from systems.frozen import evolve
from tests.laws import examples
from tests.tui.campaign.examples import campaign
from tui.campaign import folders as places
from tui.campaign import samples, user_folders
from tui.campaign.campaign import load, new_campaign
from tui.campaign.folders import CampaignsFolder, NoCampaign, check_name, where
from tui.campaign.listing import campaigns, find, find_to_play
from tui.campaign.problems import FileProblem, NotSaved
from tui.cli import single_file


@pytest.fixture
def place(tmp_path: Path) -> CampaignsFolder:
    campaign(tmp_path)
    return CampaignsFolder(tmp_path, "a test")


@pytest.fixture
def carried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the samples of an installed program."""
    folder = tmp_path / "program" / "samples"
    folder.mkdir(parents=True)
    found = campaign(folder)
    (found / "README.md").write_text("About the docks", encoding="utf-8")
    (found / ".lock").write_text("pid 1", encoding="utf-8")
    monkeypatch.setattr(samples, "samples_folder", lambda: folder)
    return folder


def test_the_option_takes_precedence_over_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(places.VARIABLE, str(tmp_path / "named"))
    assert where(str(tmp_path / "given")) == CampaignsFolder(
        tmp_path / "given", "given with --campaigns", True
    )
    assert where() == CampaignsFolder(tmp_path / "named", f"named by {places.VARIABLE}", True)


def test_without_either_campaigns_are_next_to_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(places, "beside_program", lambda: tmp_path)
    assert where() == CampaignsFolder(tmp_path / "campaigns", "next to the program")


def test_if_that_folder_is_not_writable_the_users_own_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "campaigns").write_bytes(b"a file stands there")
    monkeypatch.setattr(places, "beside_program", lambda: tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert where().path == tmp_path / "data" / "affray" / "campaigns"
    assert "is not writable" in where().why
    monkeypatch.setattr(places, "beside_program", lambda: None)
    assert "installed" in where().why


def test_a_single_file_program_keeps_its_campaigns_next_to_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started = tmp_path / "affray"
    started.write_bytes(b"PK")
    (tmp_path / "link").symlink_to(started)
    monkeypatch.setenv(places.PROGRAM_FILE, "")  # put back afterwards
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "link"), "where"])
    assert single_file.main() == 0
    assert places.beside_program() == tmp_path
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / "campaigns"), "next to the program"]


def test_this_checkout_keeps_its_own_campaigns() -> None:
    root = Path(places.__file__).parents[2]
    assert places.beside_program() == root
    assert where().path == root / "campaigns"


@pytest.mark.parametrize("name", ["docks", "The Docks at Night", "Königsberg 🐉", "a" * 80, "a.b", "c'est"])
def test_a_plain_folder_name_can_be_a_campaigns_name(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["", " ", " a", "a ", ".", "..", ".hidden", "a/b", "a\\b", "-x", "a\nb", "a\x1b[31m", "\0", "a" * 81,
     "🐉" * 60, "x" * 300, "C:", "\ud800"],
)  # fmt: skip
def test_an_impossible_folder_name_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(NoCampaign) as caught:
        check_name(name)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 200


@examples(20)
@given(st.text(max_size=90))
def test_any_name_is_accepted_or_refused(name: str) -> None:
    try:
        folder = Path("/campaigns") / check_name(name)
    except NoCampaign:
        return
    assert folder.parent == Path("/campaigns")


def test_a_campaign_is_found_by_name_and_by_path(place: CampaignsFolder) -> None:
    docks = place.path / "docks"
    for given_ in ("docks", str(docks), str(docks) + "/", str(docks / "campaign.toml")):
        assert find(place, given_) == docks


@pytest.mark.parametrize("name", ["dcks", "./docks/none", "a\x1bb", "x" * 300, "", "../" * 2000])
def test_a_missing_campaign_is_reported_in_one_line(place: CampaignsFolder, name: str) -> None:
    with pytest.raises(NoCampaign) as caught:
        find(place, name)
    assert str(caught.value).isprintable()


def test_a_near_miss_is_suggested(place: CampaignsFolder) -> None:
    with pytest.raises(NoCampaign, match="did you mean docks"):
        find(place, "dcks")


def test_the_list_names_every_campaign_with_its_problem(place: CampaignsFolder) -> None:
    (place.path / "broken").mkdir()
    (place.path / "broken" / "campaign.toml").write_text("format = 1\ntitle =", encoding="utf-8")
    (place.path / "no campaign").mkdir()
    found = {one.name: one for one in campaigns(place) if not one.sample}
    assert set(found) == {"docks", "broken"}
    assert (found["docks"].title, found["docks"].system) == ("The docks", "atlantis")
    assert found["docks"].modified > 0
    assert str(found["broken"].problem).startswith("campaign.toml:2: expected a value")


def test_a_sample_is_copied_when_it_is_played_and_only_then(carried: Path, tmp_path: Path) -> None:
    place = CampaignsFolder(tmp_path / "mine", "a test")
    (entry,) = campaigns(place)
    assert (entry.name, entry.sample) == ("docks", True)
    assert find(place, "docks") == find(place, str(carried / "docks" / "campaign.toml")) == carried / "docks"
    assert not place.path.exists()
    folder = find_to_play(place, "docks")
    assert folder == place.path / "docks"
    copied = sorted(str(one.relative_to(folder)) for one in folder.rglob("*") if one.is_file())
    assert copied == [
        "README.md",
        "campaign.toml",
        "encounters/gate/opening.toml",
        "roster/guard.toml",
        "seats.toml",
    ]
    (folder / "campaign.toml").write_text('format = 1\ntitle = "Mine"\nsystem = "atlantis"', encoding="utf-8")
    assert find(place, "docks") == find_to_play(place, "docks") == folder
    assert [(one.title, one.sample) for one in campaigns(place)] == [("Mine", False)]


def test_a_sample_that_cannot_be_copied_leaves_nothing_behind(carried: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_bytes(b"")
    with pytest.raises(NotSaved, match="cannot be created"):
        find_to_play(CampaignsFolder(tmp_path / "mine", "a test"), "docks")
    (tmp_path / "other" / "docks").mkdir(parents=True)
    (tmp_path / "other" / "docks" / "something").write_bytes(b"")
    with pytest.raises(NotSaved, match="cannot be copied"):
        samples.copy_sample(CampaignsFolder(tmp_path / "other", "a test"), "docks")
    assert [one.name for one in (tmp_path / "other").iterdir()] == ["docks"]


def test_a_path_inside_the_samples_means_the_sample(carried: Path, tmp_path: Path) -> None:
    place = CampaignsFolder(tmp_path / "mine", "a test")
    inside = carried / "docks" / "encounters" / "gate"
    assert find(place, str(inside)) == carried / "docks"
    assert find_to_play(place, str(inside)) == find(place, str(carried / "docks")) == place.path / "docks"
    (tmp_path / "linked").symlink_to(carried / "docks")
    assert find_to_play(place, str(tmp_path / "linked")) == place.path / "docks"


def test_a_sample_is_started_again_next_to_the_one_that_was_played(carried: Path, tmp_path: Path) -> None:
    place = CampaignsFolder(tmp_path / "mine", "a test")
    played = samples.copy_sample(place, "docks")
    (played / "campaign.toml").write_text('format = 1\ntitle = "Mine"\nsystem = "atlantis"', encoding="utf-8")
    assert samples.copy_sample(place, "docks") == played
    again = [samples.copy_sample(place, "docks", again=True).name for _ in range(2)]
    assert again == ["docks-2", "docks-3"]
    assert {(entry.name, entry.title) for entry in campaigns(place)} == {
        ("docks", "Mine"), ("docks-2", "The docks"), ("docks-3", "The docks"),
    }  # fmt: skip


def test_nothing_is_created_in_the_folder_of_the_samples(carried: Path) -> None:
    before = sorted(carried.rglob("*"))
    place = CampaignsFolder(carried, "a test")
    assert find(place, "docks") == carried / "docks"
    with pytest.raises(NoCampaign, match="holds the samples"):
        find_to_play(place, "docks")
    with pytest.raises(NoCampaign, match="holds the samples"):
        new_campaign(place, "mine", "xcom")
    assert sorted(carried.rglob("*")) == before


def test_samples_inside_a_zip_file_are_read_and_copied_too(
    carried: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ZipFile(tmp_path / "program.zip", "w") as program:
        for path in carried.rglob("*"):
            program.write(path, path.relative_to(carried.parent))
    inside = zipfile.Path(tmp_path / "program.zip") / "samples"
    monkeypatch.setattr(samples, "samples_folder", lambda: inside)
    place = CampaignsFolder(tmp_path / "mine", "a test")
    assert load(find(place, "docks")).title == "The docks"
    assert not place.path.exists()
    assert load(find_to_play(place, "docks")).path == place.path / "docks"


def test_no_campaign_is_called_samples(place: CampaignsFolder) -> None:
    with pytest.raises(NoCampaign, match="folder of the samples"):
        new_campaign(place, "samples", "xcom")
    (place.path / "samples").mkdir()
    (place.path / "samples" / "campaign.toml").write_text("format = 1", encoding="utf-8")
    assert "samples" not in [entry.name for entry in campaigns(place)]


def test_own_campaigns_are_never_samples_in_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(samples, "__file__", str(tmp_path / "tui" / "campaign" / "samples.py"))
    monkeypatch.setattr(samples, "beside_program", lambda: tmp_path)
    campaign(tmp_path / "campaigns" / "samples")
    campaign(tmp_path / "campaigns").rename(tmp_path / "campaigns" / "mine")
    assert samples.names() == ["docks"]
    elsewhere = CampaignsFolder(tmp_path / "elsewhere", "a test")
    assert [entry.name for entry in campaigns(elsewhere)] == ["docks"]


def test_a_campaign_that_is_a_broken_link_is_reported_as_one(place: CampaignsFolder) -> None:
    (place.path / "lost").mkdir()
    (place.path / "lost" / "campaign.toml").symlink_to(place.path / "gone.toml")
    [entry] = [entry for entry in campaigns(place) if entry.name == "lost"]
    assert "is a link to" in str(entry.problem)
    assert "gone.toml, which does not exist" in str(entry.problem)
    with pytest.raises(FileProblem, match=r"campaign\.toml: is a link to .*gone\.toml, which does not exist"):
        load(find(place, "lost"))


@pytest.mark.parametrize(
    ("system", "variables", "found"),
    [
        ("linux", {}, ("home/.local/share", "home/.local/state", "home/.config")),
        ("linux", {"XDG_STATE_HOME": "{}/s", "XDG_CONFIG_HOME": "relative"},
         ("home/.local/share", "s", "home/.config")),
        ("darwin", {}, ("home/Library/Application Support",) * 3),
        ("darwin", {"XDG_CONFIG_HOME": "{}/c"}, (*("home/Library/Application Support",) * 2, "c")),
        ("win32", {"LOCALAPPDATA": "{}/local", "APPDATA": "{}/roaming"}, ("local", "local", "roaming")),
    ],
)  # fmt: skip
def test_a_users_folders_are_those_of_the_system(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    system: str,
    variables: dict[str, str],
    found: tuple[str, str, str],
) -> None:
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "APPDATA", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name, value in variables.items():
        monkeypatch.setenv(name, value.replace("{}", str(tmp_path)))
    monkeypatch.setattr(user_folders.sys, "platform", system)
    named = (user_folders.data_folder(), user_folders.state_folder(), user_folders.settings_folder())
    assert named == tuple(tmp_path / folder / "affray" for folder in found)


def test_the_campaign_opened_last_is_remembered_while_it_exists(
    place: CampaignsFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(place.path / "state"))
    assert places.last(place) is None
    places.remember(place.path / "docks")
    assert places.last(place) == place.path / "docks"
    chosen = CampaignsFolder(place.path, "a test", is_chosen=True)
    assert places.last(chosen) == place.path / "docks"
    # Another folder, or a stick, has campaigns of its own.
    assert places.last(evolve(chosen, path=place.path / "stick")) is None
    (place.path / "docks" / "campaign.toml").unlink()
    assert places.last(place) is None


def test_a_campaign_without_campaign_toml_is_listed_with_its_problem(place: CampaignsFolder) -> None:
    (place.path / "docks" / "campaign.toml").unlink()
    listed = next(entry for entry in campaigns(place) if entry.name == "docks")
    assert str(listed.problem) == "campaign.toml: is missing"
    assert find_to_play(place, "docks") == place.path / "docks"


def test_a_read_only_state_folder_does_no_harm(
    place: CampaignsFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(place.path / "docks" / "campaign.toml"))
    places.remember(place.path / "docks")
    assert places.last(place) is None
