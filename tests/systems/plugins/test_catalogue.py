"""The catalogue of games: built-in ones, and those of other distributions."""

import json
from pathlib import Path

import pytest

from systems import NoSuchGame, built_in, load, names
from tests.command import affray, commands, present, start

GOOD = """
from systems.frozen import evolve
from systems import load
GAME = evolve(load("xcom"), name="something_else", title="Skirmish \\x1b[31m", credit="a friend")
NO_RULES = 3
"""


def distribution(folder: Path, name: str, points: str | bytes) -> None:
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    data = points if isinstance(points, bytes) else points.encode()
    (info / "entry_points.txt").write_bytes(b"[affray.systems]\n" + data)


@pytest.fixture
def others(tmp_path, monkeypatch):
    """Install a good game, and others that are broken in every way."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "skirmish_game.py").write_text(GOOD)
    (folder / "game_that_exits.py").write_text("raise SystemExit('bye')")
    (folder / "game_that_is_no_python.py").write_text("x = = 1")
    distribution(folder, "skirmish", "skirmish = skirmish_game:GAME\n")
    distribution(
        folder,
        "broken",
        "gone = nowhere_at_all:GAME\nexits = game_that_exits:GAME\ngarbled = game_that_is_no_python:GAME\n"
        "number = skirmish_game:NO_RULES\nnothing = skirmish_game:MISSING\natlantis = nowhere_at_all:GAME\n",
    )
    distribution(folder, "damaged", "this line has no equals sign\n")
    distribution(folder, "binary", b"\xff\xfe\x00 = \x80\n")
    monkeypatch.syspath_prepend(str(folder))
    load.cache_clear()
    yield folder
    load.cache_clear()


BROKEN = {
    "gone": "No module named 'nowhere_at_all'",
    "exits": "SystemExit: bye",
    "garbled": "SyntaxError",
    "number": "not a Ruleset",
    "nothing": "MISSING",
    "atlantis of broken": "is not used: there is another atlantis",
}


def test_the_games_of_this_folder_are_found_by_their_folders():
    assert built_in() == ("arden", "atlantis", "atomic_d20", "simple", "srd5", "waygate", "xcom")
    assert names()[: len(built_in())] == built_in()


@pytest.mark.parametrize("name", built_in())
def test_a_game_is_named_after_its_folder(name):
    assert load(name).name == name


@pytest.mark.parametrize("spelling", ["atomic-d20", "Atomic D20", "ATOMIC_D20"])
def test_a_game_is_found_in_every_spelling(spelling):
    assert load(spelling) is load("atomic_d20")


@pytest.mark.parametrize("name", ["chess", "", "../atlantis", "atlantis.sheet", "\x1b[31m", "x" * 5000])
def test_an_unknown_game_gets_one_sentence(name):
    with pytest.raises(NoSuchGame) as error:
        load(name)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 1000


@pytest.mark.usefixtures("others")
def test_an_installed_game_is_known_by_its_entry_point():
    assert names() == (*built_in(), *sorted(("skirmish", *BROKEN)))
    assert load("skirmish").name == "skirmish"
    assert load("atlantis").credit == "Carlo Nicora"


@pytest.mark.usefixtures("others")
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_game_is_named_in_one_sentence(name):
    with pytest.raises(NoSuchGame) as error:
        load(name)
    assert name in str(error.value)
    assert BROKEN[name] in str(error.value)


@pytest.mark.usefixtures("others")
def test_a_broken_game_does_not_stop_the_list():
    ran = affray("systems")
    assert (ran.status, ran.err) == (0, "")
    for line, name in zip(ran.out.splitlines(), names(), strict=True):
        assert line.startswith(f"{name} ")
    assert "Skirmish [31m, by a friend" in ran.out
    [games] = affray("systems", "--json").answers
    problems = {one["name"]: one["problem"] for one in games if "problem" in one}
    assert set(problems) == set(BROKEN)
    assert all(BROKEN[name] in problem for name, problem in problems.items())


@pytest.mark.usefixtures("others")
def test_a_game_with_wrong_declarations_does_not_stop_the_list(others):
    (others / "hollow_game.py").write_text(
        "from systems import load\nfrom systems.frozen import evolve\n"
        "GAME = evolve(load('xcom'), sheet=int)\n"
    )
    distribution(others, "hollow", "hollow = hollow_game:GAME\n")
    ran = affray("systems")
    assert ran.status == 0
    assert "the game hollow is broken" in ran.out


@pytest.mark.usefixtures("others")
def test_an_installed_game_is_played_like_any_other(tmp_path):
    folder = tmp_path / "campaigns"
    assert affray("new", "duel", "--system", "skirmish", "--campaigns", folder).status == 0
    (folder / "duel" / "roster" / "brute.toml").write_text("format = 1\nhealth = 9\n")
    answers = commands(folder, "duel", "add brute", "start", "attack brute-1", "damage brute 3", "undo 3")
    assert [one["ok"] for one in answers] == [True, True, False, True, True]
    assert present(folder, "duel")["system"] == "skirmish"
    assert affray("check", "duel", "--campaigns", folder).status == 0


def test_a_campaign_without_its_game_says_so(tmp_path):
    (tmp_path / "duel").mkdir()
    (tmp_path / "duel" / "campaign.toml").write_text('format = 1\nsystem = "skirmish"\n')
    ran = affray("show", "duel", "--campaigns", tmp_path)
    assert ran.status == 1
    assert 'no game is called "skirmish"' in ran.complaint


def test_a_started_program_finds_the_games_on_its_path(others):
    ran = start("systems", "skirmish", "--json", PYTHONPATH=str(others))
    assert ran.status == 0
    words = json.loads(ran.out)
    assert words["title"] == "Skirmish [31m"
    assert {"actions", "fields", "options", "house", "conditions"} <= set(words)


@pytest.mark.parametrize("name", built_in())
def test_the_words_of_a_game_are_complete(name):
    game = load(name)
    [words] = affray("systems", name, "--json").answers
    assert list(words["actions"]) == [one.name for one in game.actions]
    assert list(words["conditions"]) == [one.name for one in game.conditions]
    for action in game.actions:
        assert set(words["actions"][action.name]["options"]) <= set(words["options"])
    page = affray("systems", name).out
    for group in ("fields", "actions", "options", "house", "conditions", "reactions"):
        assert all(one in page for one in words[group])
    [games] = affray("systems", "--json").answers
    [same] = [one for one in games if one["name"] == name]
    assert same == {"built_in": True, **words}
