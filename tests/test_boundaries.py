"""Check which modules the rules load, and that the output does not depend on the hash seed."""

import json
import os
import subprocess
import sys
from pathlib import Path

from systems.plugins.loading import SUBSYSTEMS

ROOT = Path(__file__).resolve().parent.parent
SYSTEMS = ROOT / "systems"
GAMES = {path.parent.name for path in SYSTEMS.glob("*/__init__.py")} - SUBSYSTEMS

# The rules must not load these, directly or indirectly.
FORBIDDEN_MODULES = frozenset(
    "tui textual rich asyncio asyncssh concurrent curses http logging multiprocessing select selectors "
    "socket ssl subprocess tomli_w tomlkit tomllib".split()
)
# `importlib.metadata`, which finds installed games, reads their metadata with the email parser, and that
# imports these two.
LOADED_BY_THE_CATALOGUE = frozenset({"select", "selectors", "socket"})


def python(*arguments: str, **environment: str) -> str:
    """Return the output of a new interpreter that was started in the checkout."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_loading_every_game_loads_no_screen_no_file_format_and_no_network() -> None:
    loaded = modules_loaded_by("import systems\nfor name in systems.names(): systems.load(name)")
    strays = {name.split(".")[0] for name in loaded} & FORBIDDEN_MODULES
    if "importlib.metadata" in loaded:
        strays -= LOADED_BY_THE_CATALOGUE
    assert not strays
    assert {f"systems.{game}" for game in GAMES} <= loaded


def test_no_game_is_loaded_before_it_is_needed() -> None:
    loaded = modules_loaded_by("import systems\nsystems.names()")
    assert not loaded & {f"systems.{game}" for game in GAMES}


def modules_loaded_by(code: str) -> set[str]:
    report = (
        "import json, sys\nbefore = set(sys.modules)\n{}\nprint(json.dumps([*{{*sys.modules}} - before]))"
    )
    return set(json.loads(python("-c", report.format(code))))


def test_the_declarations_of_the_rules_do_not_depend_on_the_hash_seed() -> None:
    first, second = (python("-m", "tui", "systems", "--json", PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert first == second
