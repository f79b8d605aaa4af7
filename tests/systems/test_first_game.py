"""The first game of the authors' page: its blocks, as they stand there, are a game that works."""

import json
import re
import sys
import tomllib
import types
from pathlib import Path

import pytest

import systems
from systems.contract.ruleset import Ruleset
from systems.plugins import loading
from systems.plugins.check_ruleset import LAWS
from tests.command import affray, commands, present

PAGE = (Path(systems.__file__).parent / "README.md").read_text(encoding="utf-8")
LAW_TABLE = PAGE[PAGE.index("| law | what holds |") :].split("\n\n")[0]


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


GAME, TEST, *_EXAMPLES, REQUESTS = blocks("python")
PROJECT, ANA, *_LATER = blocks("toml")
COMMANDS, FIGHT = blocks("text")


def run(source: str, name: str, **known: object) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__dict__.update(known)
    sys.modules[name] = module
    exec(compile(source, f"{name}.py", "exec"), module.__dict__)
    return module


@pytest.fixture(scope="module")
def module():
    yield run(GAME, "pebbles")
    del sys.modules["pebbles"]


@pytest.fixture
def game(module, monkeypatch) -> Ruleset:
    """The game as an installed one, found by its entry point."""
    points = tomllib.loads(PROJECT)["project"]["entry-points"][loading.GROUP]
    [(name, where)] = points.items()
    module_name, _, attribute = where.partition(":")
    loads = {name: lambda: getattr(sys.modules[module_name], attribute)}
    monkeypatch.setattr(loading, "_others", lambda: loads)
    systems.load.cache_clear()
    yield systems.load("pebbles")
    systems.load.cache_clear()


def test_its_own_test_passes_which_tries_the_laws_of_any_game(module):
    run(TEST, "test_pebbles").test_the_game_keeps_the_laws()


def test_the_requests_in_the_documentation_have_the_stated_answers(module):
    run(REQUESTS, "pebbles_requests", RULESET=module.RULESET)


def test_the_fight_of_the_page_can_be_played(game, tmp_path):
    verb, name, *_ = COMMANDS.splitlines()[2].split()[1:]
    assert affray(verb, name, "--system", "pebbles", "--campaigns", tmp_path).status == 0
    (tmp_path / name / "roster").mkdir(exist_ok=True)
    (tmp_path / name / "roster" / "ana.toml").write_text(ANA, encoding="utf-8")
    answers = commands(tmp_path, name, *FIGHT.splitlines())
    assert [answer["ok"] for answer in answers] == [True] * len(answers)
    assert answers[3]["text"] == "Ana hits Bo for 4 (hp 6 → 2). 8 against 6."
    _, bo = present(tmp_path, name)["combatants"]
    assert [held["name"] for held in bo["conditions"]] == ["dizzy"]


def test_the_request_of_the_page_is_answered(game):
    [request] = blocks("json")
    [answer] = affray("resolve", "pebbles", given=request).answers
    assert answer["text"] == "Ana hits Bo for 4 (hp 6 → 2). 8 against 6.".replace("Ana", "actor")
    assert json.loads(request)["dice"] == [roll["face"] for roll in answer["rolls"]]


def test_its_words_are_listed(game):
    shown = affray("systems", "pebbles").out
    assert "throw TARGETS: Throw a stone." in shown


def test_the_page_lists_every_law():
    names = re.findall(r"^\| `(\w+)`", LAW_TABLE, re.MULTILINE)
    assert names == ["declarations", *(law.name for law in LAWS)]
