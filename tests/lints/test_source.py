"""Lint the source: the rules stay pure, games do not know each other, and `tui` names no game.

A game is any package in `systems/` that is not a subsystem, so a new one is checked automatically. Each test
lists every violation in the source.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path

from systems.plugins.loading import SUBSYSTEMS

ROOT = Path(__file__).resolve().parents[2]
SYSTEMS = ROOT / "systems"
TUI = ROOT / "tui"
GAMES = sorted(
    path.parent.name for path in SYSTEMS.glob("*/__init__.py") if path.parent.name not in SUBSYSTEMS
)
# A game's folder name as a word; `-`, `_` and `.` end a word.
ANY_GAME = re.compile(rf"(?<![^\W_])({'|'.join(map(re.escape, GAMES))})(?![^\W_])")
CATALOGUE = SYSTEMS / "plugins" / "loading.py"

# Modules of the standard library without file, clock, network, process, screen or global randomness.
PURE = frozenset(
    "__future__ abc bisect collections contextlib copy dataclasses decimal difflib enum fractions functools "
    "graphlib hashlib heapq itertools json keyword math numbers operator random re statistics string struct "
    "textwrap types typing unicodedata".split()
)
# Only the catalogue loads games, built-in ones and those from other distributions; a game loads its policy.
LOADERS = frozenset({"importlib", "pkgutil"})
MAY_IMPORT = {
    CATALOGUE: LOADERS,
    SYSTEMS / "contract" / "ruleset.py": frozenset({"importlib"}),
    SYSTEMS / "frozen.py": frozenset({"msgspec"}),
}
# The builtins that reach a file, a screen or code that is not in the source.
FORBIDDEN_CALLS = frozenset({"open", "print", "input", "breakpoint", "exec", "eval", "compile", "__import__"})


def sources(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.py"))


def shared_sources() -> list[Path]:
    """Return the sources of the rules outside the games."""
    return [path for path in sources(SYSTEMS) if path.relative_to(SYSTEMS).parts[0] not in GAMES]


def here(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=here(path))


@cache
def nodes(module: ast.Module) -> Sequence[ast.AST]:
    return tuple(ast.walk(module))


@cache
def imports(path: Path) -> list[tuple[int, str]]:
    """Yield line and dotted name of each import of a file, also in functions and type-checking blocks."""
    return list(imports_in(tree(path), path.relative_to(ROOT).with_suffix("").parts[:-1]))


def imports_in(module: ast.Module, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    for node in nodes(module):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    yield node.lineno, alias.name
            case ast.ImportFrom(module=name, names=names, level=level):
                base = ".".join([*package[: len(package) - level + 1], *([name] if name else [])])
                for alias in names:
                    yield node.lineno, f"{base if level else name}.{alias.name}"


def game_of(dotted: str) -> str | None:
    """Return the game that an import reaches into, or None."""
    parts = dotted.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "systems" and parts[1] in GAMES else None


def docstrings(module: ast.Module) -> set[ast.AST]:
    return {
        node.body[0].value
        for node in nodes(module)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }


def global_chance(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and description of every use of randomness other than a seeded `random.Random`."""
    for node in nodes(module):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    if alias.name == "random" and alias.asname:
                        yield node.lineno, "random under another name"
            case ast.ImportFrom(module="random", names=names):
                for alias in names:
                    if alias.name != "Random" or alias.asname:
                        yield node.lineno, f"{alias.name} of random"
            case ast.Attribute(value=ast.Name(id="random"), attr=attribute) if attribute != "Random":
                yield node.lineno, f"random.{attribute}"
            case ast.Call(func=function, args=[], keywords=[]) if names_random(function):
                yield node.lineno, "a generator without a seed"
            case ast.keyword(arg="factory" | "default_factory", value=value) if names_random(value):
                yield value.lineno, "a generator without a seed"


def names_random(node: ast.expr) -> bool:
    match node:
        case ast.Name(id="Random") | ast.Attribute(value=ast.Name(id="random"), attr="Random"):
            return True
    return False


def game_named_in(text: str) -> str | None:
    """Return the first game whose folder name is a word of the text, or None."""
    found = ANY_GAME.search(text)
    return found[1] if found else None


def test_there_are_games_to_check() -> None:
    assert GAMES


def test_the_rules_import_only_pure_modules() -> None:
    allowed = PURE | {"systems"}
    assert not [
        f"{here(path)}:{line}: {name}"
        for path in sources(SYSTEMS)
        for line, name in imports(path)
        if name.split(".")[0] not in allowed | MAY_IMPORT.get(path, frozenset())
    ]


def test_the_rules_touch_no_file_and_no_screen() -> None:
    assert not [
        f"{here(path)}:{node.lineno}: {node.func.id}"
        for path in sources(SYSTEMS)
        for node in nodes(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS
    ]


def test_the_rules_use_only_seeded_randomness() -> None:
    """`random.Random` may be named and, with a seed, made; the module's own generator may not be touched."""
    assert not [
        f"{here(path)}:{line}: {use}" for path in sources(SYSTEMS) for line, use in global_chance(tree(path))
    ]


def test_a_game_imports_no_other_game() -> None:
    assert not [
        f"{here(path)}:{line}: {name}"
        for game in GAMES
        for path in sources(SYSTEMS / game)
        for line, name in imports(path)
        if game_of(name) not in (None, game)
    ]


def test_neither_the_shared_rules_nor_the_terminal_import_a_game() -> None:
    assert not [
        f"{here(path)}:{line}: {name}"
        for path in (*shared_sources(), *sources(TUI))
        for line, name in imports(path)
        if game_of(name)
    ]


def test_the_code_of_tui_names_no_game() -> None:
    assert not [
        f"{here(path)}:{node.lineno}: {node.value!r}"
        for path in sources(TUI)
        for prose in [docstrings(tree(path))]
        for node in nodes(tree(path))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node not in prose
        and game_named_in(node.value)
    ]


def test_the_styles_of_tui_name_no_game() -> None:
    assert not [
        f"{here(path)}: {game}"
        for path in sorted(TUI.rglob("*.tcss"))
        if (game := game_named_in(path.read_text(encoding="utf-8")))
    ]


def test_each_lint_finds_its_violations() -> None:
    module = ast.parse(
        "import os\nfrom . import fields\nimport random as chance\nfrom random import choice\n"
        "random.seed()\nRandom()\n"
    )
    assert list(imports_in(module, ("systems", "schema"))) == [
        (1, "os"),
        (2, "systems.schema.fields"),
        (3, "random"),
        (4, "random.choice"),
    ]
    assert sorted(line for line, _ in global_chance(module)) == [3, 4, 5, 6]
    assert game_of(f"systems.{GAMES[0]}.sheet") == GAMES[0]
    assert game_of("systems.contract.outcome") is None
    assert game_named_in(f"a {GAMES[0]}-like game") == GAMES[0]


IGNORES = re.compile(r"# (?:type: ignore|noqa)(?:\[[\w, -]+\]|: [A-Z0-9, ]+)(?P<reason>.*)")


def test_every_silenced_finding_has_a_reason() -> None:
    """The reason is on the same line or is the comment above it."""
    assert not [
        f"{here(path)}:{number}: {line.strip()}"
        for path in (*sources(SYSTEMS), *sources(TUI))
        for number, (above, line) in enumerate(pairwise(["", *path.read_text("utf-8").splitlines()]), 1)
        if (found := IGNORES.search(line))
        and not found["reason"].strip(" -#")
        and not above.strip().startswith("#")
    ]


# Command lines, typed lines of sheets, TOML.
QUOTING = {"systems/language/tokens.py", "systems/schema/entry_lines.py", "tui/campaign/toml/text.py"}


def test_each_language_has_one_function_that_quotes() -> None:
    found = [
        here(path)
        for path in (*sources(SYSTEMS), *sources(TUI))
        for node in nodes(tree(path))
        if isinstance(node, ast.FunctionDef) and node.name.strip("_") in ("quote", "quoted")
    ]
    assert sorted(found) == sorted(QUOTING)


def test_no_other_code_decides_whether_a_word_needs_quotes() -> None:
    pattern = re.compile(r"""f'"\{\w+(?:\.\w+)*\}"' if .*\bin\b""")
    assert not [
        f"{here(path)}:{number}: {line.strip()}"
        for path in (*sources(SYSTEMS), *sources(TUI))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if pattern.search(line)
    ]


# An import inside a function delays a module that the first picture, a light verb or a seat does not need.
# This is the only way in which modules are imported late. More of them need a reason.
MOST_LATE_IMPORTS = 206
IMPORTS = (ast.Import, ast.ImportFrom)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in (*sources(SYSTEMS), *sources(TUI))
}


def calls_in(pattern: str) -> set[str]:
    """Return the files of the product with a match."""
    files = (path for folder in (SYSTEMS, TUI) for path in sources(folder))
    return {here(path) for path in files if re.search(pattern, path.read_text(encoding="utf-8"))}


def test_a_request_for_a_die_is_made_in_one_place() -> None:
    assert calls_in(r"\bDieRequest\(") == {"systems/dice/scripted.py"}


def test_no_attribute_of_a_request_is_assigned() -> None:
    assert calls_in(r"\n *(request|needs|asked)\.\w+(, \S+)* [+|]?= ") == set()


def test_only_one_loop_gives_a_command_its_dice_and_answers() -> None:
    assert calls_in(r"\battempt\.(give|roll|answer)\(") == {"tui/session/attempt.py"}


def modules_in(nodes: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the modules that these imports import, of our own with their packages."""
    for node in nodes:
        for _, dotted in imports_in(ast.Module([node], []), ()):
            name = dotted if dotted in MODULES or isinstance(node, ast.Import) else dotted.rpartition(".")[0]
            yield from accumulate(name.split("."), "{}.{}".format)


def is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


@cache
def imports_at_top(path: Path) -> frozenset[str]:
    """Return the modules that are imported together with this file, but not what those import."""
    left, found = list[ast.AST](tree(path).body), list[ast.stmt]()
    while left:
        node = left.pop()
        if isinstance(node, IMPORTS):
            found.append(node)
        elif not isinstance(node, FUNCTIONS) and not is_for_types(node):
            left += ast.iter_child_nodes(node)
    return frozenset(modules_in(found))


def imported_with(path: Path) -> set[str]:
    """Return all modules that are imported with this file, directly or by others."""
    left, found = set(imports_at_top(path)), set[str]()
    while left:
        name = left.pop()
        found.add(name)
        left |= (imports_at_top(MODULES[name]) if name in MODULES else set()) - found
    return found


@cache
def late_imports(path: Path) -> list[ast.stmt]:
    functions = (node for node in nodes(tree(path)) if isinstance(node, FUNCTIONS))
    found = {each for node in functions for each in ast.walk(node) if isinstance(each, IMPORTS)}
    return sorted(found, key=lambda node: node.lineno)


def test_imports_inside_functions_do_not_become_more() -> None:
    assert sum(len(late_imports(path)) for path in MODULES.values()) <= MOST_LATE_IMPORTS


def test_no_import_inside_a_function_is_of_a_loaded_module() -> None:
    assert not [
        f"{here(path)}:{node.lineno}: {ast.unparse(node)}"
        for path in MODULES.values()
        for node in late_imports(path)
        if set(modules_in([node])) <= imported_with(path)
    ]


# Names of types with two meanings that are kept, each with its reason.
SHARED_NAMES = {
    "Sheet": "the base in the contract, which every game calls `contract.Sheet`",
    "Table": "game authors know a source of dice and choices by it, and the program the game master's table",
}


def names_of_types(path: Path) -> Iterator[str]:
    """Yield the names of the classes in a file, and of the types at its top that got a name."""
    for node in nodes(tree(path)):
        if isinstance(node, ast.ClassDef):
            yield node.name
    for node in tree(path).body:
        match node:
            case ast.Assign(targets=[ast.Name(name)], value=ast.Subscript() | ast.BinOp() | ast.Name()):
                if re.fullmatch(r"[A-Z][a-z][A-Za-z]*", name):
                    yield name


def test_the_name_of_a_type_has_one_meaning() -> None:
    """Only games, which never meet, may use the same name for the same job."""
    found: dict[str, set[str]] = {}
    for path in (*sources(SYSTEMS), *sources(TUI)):
        for name in names_of_types(path):
            found.setdefault(name, set()).add(here(path))
    twice = {
        name: sorted(paths)
        for name, paths in found.items()
        if len(paths) > 1
        and len({game for path in paths if (game := path.split("/")[1]) in GAMES}) < len(paths)
    }
    assert {name: paths for name, paths in twice.items() if name not in SHARED_NAMES} == {}
    assert set(SHARED_NAMES) == set(twice)
