"""A mistake in a game is one sentence with file and line; its traceback is printed on request."""

import pytest

from systems import load
from systems.plugins import check_ruleset
from tests.command import affray, commands, start
from tests.systems.plugins.test_catalogue import distribution

GAME = """
from systems.frozen import evolve
from systems import load
XCOM = load("xcom")

def count_shells(scene, table):
    return {}["shells"]

GAME = evolve(XCOM, actions=tuple(
    evolve(action, run=count_shells) if action.name == "status" else action for action in XCOM.actions
))
"""
SAID = "the game broken_shells has a mistake in status (broken_shells.py, line 7): KeyError: 'shells'"


@pytest.fixture
def shells(tmp_path, monkeypatch):
    """Return the folder of a game whose action raises."""
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "broken_shells.py").write_text(GAME)
    distribution(folder, "shells", "broken_shells = broken_shells:GAME\n")
    monkeypatch.syspath_prepend(str(folder))
    load.cache_clear()
    yield folder
    load.cache_clear()


@pytest.mark.parametrize("wanted", [False, True])
def test_a_mistake_in_play_is_one_sentence_and_its_traceback_goes_to_standard_error(wanted, shells):
    more = {"AFFRAY_TRACEBACK": "1"} if wanted else {}
    ran = start(
        "resolve", "broken_shells", given=b'{"action": "status"}\n' * 2, PYTHONPATH=str(shells), **more
    )
    assert [answer["error"] for answer in ran.answers] == [SAID, SAID]
    assert ran.err.count("Traceback") == (2 if wanted else 0)
    assert ran.err.count('broken_shells.py", line 7, in count_shells') == (2 if wanted else 0)


def test_the_command_is_refused_and_the_fight_goes_on(shells, tmp_path):
    assert affray("new", "night", "--system", "broken_shells", "--campaigns", tmp_path).status == 0
    (tmp_path / "night" / "roster").mkdir(exist_ok=True)
    (tmp_path / "night" / "roster" / "vega.toml").write_text('format = 1\nname = "Vega"\nside = "players"\n')
    answers = commands(tmp_path, "night", "add vega", "start", "status", "next")
    assert [answer["ok"] for answer in answers] == [True, True, False, True]
    assert answers[2]["error"] == SAID


def test_the_laws_name_it_and_show_a_request_that_is_answered_so(shells, monkeypatch):
    monkeypatch.setattr(check_ruleset, "LAWS", check_ruleset.LAWS[:1])
    ran = affray("systems", "broken_shells", "--check")
    assert ran.status == 1
    law, example = ran.out.splitlines()[1:3]
    assert law == f"answers      FAILS status: {SAID}"
    [answer] = affray("resolve", "broken_shells", given=example.strip()).answers
    assert answer["error"] == SAID
    [found, *_] = affray("systems", "broken_shells", "--check", "--json").answers
    assert [(law["law"], law["ok"]) for law in found][:2] == [("declarations", True), ("answers", False)]


def test_a_game_that_keeps_the_laws_has_status_0(monkeypatch):
    monkeypatch.setattr(check_ruleset, "LAWS", check_ruleset.LAWS[-1:])
    ran = affray("systems", "simple", "--check")
    assert ran.status == 0
    assert [line.split()[:2] for line in ran.out.splitlines()] == [
        ["declarations", "ok"],
        ["fights", "ok"],
        ["creatures", "ok"],
    ]


def test_the_laws_belong_to_one_game():
    assert affray("systems", "--check").complaint == "--check needs a game: affray systems GAME --check"
