"""Loading a game imports nothing of the kit that checks games for their authors."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import systems
from tests.command import environment

KIT = ("systems.plugins.laws", "systems.plugins.check_ruleset")
_LOAD = """
import json, sys
import systems
for game in sys.argv[1:]:
    systems.load(game)
print(json.dumps(list(sys.modules)))
"""


def kit_loaded_by(code: str, *words: str, folder: Path | None = None) -> list[str]:
    """Return the modules of the kit that code in another process imports."""
    path = environment(PYTHONPATH=str(folder)) if folder else environment()
    ran = subprocess.run(
        [sys.executable, "-c", code, *words], env=path, capture_output=True, text=True, check=True, timeout=60
    )
    return [name for name in json.loads(ran.stdout) if name.startswith(KIT)]


@pytest.mark.parametrize("game", systems.names())
def test_loading_a_game_imports_nothing_of_the_law_kit(game: str) -> None:
    assert kit_loaded_by(_LOAD, game) == []


def outside_game(folder: Path, code: str) -> None:
    """Write a distribution with the game `curious`, whose module has this code."""
    (folder / "curious_game.py").write_text(f"{code}from systems.simple import RULESET\n")
    about = folder / "curious_game-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Name: curious-game\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[affray.systems]\ncurious = curious_game:RULESET\n")


def test_loading_a_game_of_another_author_imports_nothing_of_the_law_kit(tmp_path: Path) -> None:
    outside_game(tmp_path, "")
    assert kit_loaded_by(_LOAD, "curious", folder=tmp_path) == []


def test_the_check_sees_a_game_that_imports_the_law_kit(tmp_path: Path) -> None:
    outside_game(tmp_path, "from systems.plugins.laws.trials import Trials\n")
    assert "systems.plugins.laws.trials" in kit_loaded_by(_LOAD, "curious", folder=tmp_path)
