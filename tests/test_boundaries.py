"""The lines that hold the house together, drawn from the source and from a running interpreter.

The rules are pure, games do not know one another, and what touches a screen, a disk or a wire knows none
by name. A game is any folder of `systems/` that is a package, so a new one is held to the same lines at once.
"""

import ast
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from systems.plugins.loading import SUBSYSTEMS

ROOT = Path(__file__).resolve().parent.parent
SYSTEMS = ROOT / "systems"
TUI = ROOT / "tui"
GAMES = sorted(
    path.parent.name for path in SYSTEMS.glob("*/__init__.py") if path.parent.name not in SUBSYSTEMS
)
CATALOGUE = SYSTEMS / "plugins" / "loading.py"

# Names the standard library gives to what is neither file, clock, network, process, screen nor global chance.
PURE = frozenset(
    "__future__ abc bisect collections contextlib copy decimal difflib enum fractions functools graphlib "
    "hashlib heapq itertools json keyword math numbers operator random re statistics string struct textwrap "
    "types typing unicodedata".split()
)
# The catalogue alone loads games, its own and those that others install.
LOADERS = frozenset({"importlib", "pkgutil"})
# The builtins that reach a file, a screen or code that no reader of the source can see.
FORBIDDEN_CALLS = frozenset({"open", "print", "input", "breakpoint", "exec", "eval", "compile", "__import__"})
# What must not be loaded by the rules, not even by way of something else.
FORBIDDEN_MODULES = frozenset(
    "tui textual rich asyncio asyncssh concurrent curses http logging multiprocessing select selectors "
    "socket ssl subprocess tomli_w tomlkit tomllib".split()
)
# `importlib.metadata`, which finds games that others install, reads their metadata with the email parser,
# and that imports these two for purposes of its own.
LOADED_BY_THE_CATALOGUE = frozenset({"select", "selectors", "socket"})


def sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def here(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=here(path))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and absolute dotted name of all that a file imports, in functions and type-checking blocks too."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(tree(path)):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    yield node.lineno, alias.name
            case ast.ImportFrom(module=module, names=names, level=level):
                base = ".".join([*package[: len(package) - level + 1], *([module] if module else [])])
                name = base if level else str(module)
                for alias in names:
                    yield node.lineno, f"{name}.{alias.name}"


def game_of(dotted: str) -> str | None:
    """The game that an import reaches into, or None."""
    parts = dotted.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "systems" and parts[1] in GAMES else None


def docstrings(module: ast.Module) -> set[ast.AST]:
    return {
        node.body[0].value
        for node in ast.walk(module)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }


def python(*arguments: str, **environment: str) -> str:
    """What a new interpreter prints, started in the checkout."""
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


def test_there_are_games_to_hold_to_the_lines() -> None:
    assert GAMES


@pytest.mark.parametrize("path", sources(SYSTEMS), ids=here)
def test_the_rules_import_only_what_is_pure(path: Path) -> None:
    allowed = PURE | {"attr", "attrs", "systems"} | (LOADERS if path == CATALOGUE else frozenset())
    strays = [f"line {line}: {name}" for line, name in imports(path) if name.split(".")[0] not in allowed]
    assert not strays


@pytest.mark.parametrize("path", sources(SYSTEMS), ids=here)
def test_the_rules_touch_no_file_and_no_screen(path: Path) -> None:
    calls = [
        f"line {node.lineno}: {node.func.id}"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS
    ]
    assert not calls


@pytest.mark.parametrize("path", sources(SYSTEMS), ids=here)
def test_the_rules_take_chance_only_from_a_seeded_generator(path: Path) -> None:
    """`random.Random` may be named and, with a seed, made; the module's own generator may not be touched."""
    strays = []
    for node in ast.walk(tree(path)):
        match node:
            case ast.Import(names=names):
                strays += [
                    f"line {node.lineno}: random under another name"
                    for alias in names
                    if alias.name == "random" and alias.asname
                ]
            case ast.ImportFrom(module="random", names=names):
                strays += [
                    f"line {node.lineno}: {alias.name} of random"
                    for alias in names
                    if alias.name != "Random" or alias.asname
                ]
            case ast.Attribute(value=ast.Name(id="random"), attr=attribute) if attribute != "Random":
                strays.append(f"line {node.lineno}: random.{attribute}")
            case ast.Call(func=function, args=[], keywords=[]) if names_random(function):
                strays.append(f"line {node.lineno}: a generator without a seed")
            case ast.keyword(arg="factory" | "default_factory", value=value) if names_random(value):
                strays.append(f"line {value.lineno}: a generator without a seed")
    assert not strays


def names_random(node: ast.expr) -> bool:
    match node:
        case ast.Name(id="Random") | ast.Attribute(value=ast.Name(id="random"), attr="Random"):
            return True
    return False


@pytest.mark.parametrize("game", GAMES)
def test_a_game_imports_no_other_game(game: str) -> None:
    strays = [
        f"{here(path)}:{line}: {name}"
        for path in sources(SYSTEMS / game)
        for line, name in imports(path)
        if game_of(name) not in (None, game)
    ]
    assert not strays


SHARED = [path for path in sources(SYSTEMS) if path.relative_to(SYSTEMS).parts[0] not in GAMES]


@pytest.mark.parametrize("path", SHARED, ids=here)
def test_what_games_share_knows_no_game(path: Path) -> None:
    reached = [f"line {line}: {name}" for line, name in imports(path) if game_of(name)]
    assert not reached


@pytest.mark.parametrize("path", sources(TUI), ids=here)
def test_the_terminal_imports_no_game(path: Path) -> None:
    reached = [f"line {line}: {name}" for line, name in imports(path) if game_of(name)]
    assert not reached


@pytest.mark.parametrize("path", sources(TUI), ids=here)
def test_the_terminal_names_no_game_in_its_code(path: Path) -> None:
    module = tree(path)
    prose = docstrings(module)
    named = [
        f"line {node.lineno}: {node.value!r}"
        for node in ast.walk(module)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node not in prose
        and game_named_in(node.value)
    ]
    assert not named


@pytest.mark.parametrize("path", sorted(TUI.rglob("*.tcss")), ids=here)
def test_the_terminal_names_no_game_in_its_styles(path: Path) -> None:
    assert not game_named_in(path.read_text(encoding="utf-8"))


def game_named_in(text: str) -> str | None:
    """The first game whose folder name is a word of the text; `-`, `_` and `.` end a word."""
    spaced = r"(?<![^\W_]){}(?![^\W_])"
    return next((game for game in GAMES if re.search(spaced.format(re.escape(game)), text)), None)


def test_loading_every_game_loads_no_screen_no_file_format_and_no_network() -> None:
    loaded = modules_loaded_by("import systems\nfor name in systems.names(): systems.load(name)")
    strays = {name.split(".")[0] for name in loaded} & FORBIDDEN_MODULES
    if "importlib.metadata" in loaded:
        strays -= LOADED_BY_THE_CATALOGUE
    assert not strays
    assert {f"systems.{game}" for game in GAMES} <= loaded


def test_no_game_is_loaded_before_it_is_asked_for() -> None:
    loaded = modules_loaded_by("import systems\nsystems.names()")
    assert not [name for name in loaded if game_of(name)]


def modules_loaded_by(code: str) -> set[str]:
    report = (
        "import json, sys\nbefore = set(sys.modules)\n{}\nprint(json.dumps([*{{*sys.modules}} - before]))"
    )
    return set(json.loads(python("-c", report.format(code))))


def test_what_the_rules_declare_does_not_depend_on_the_hash_seed() -> None:
    one, other = (python("-m", "tui", "systems", "--json", PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert one == other
