"""Private names of Textual: only the terminal's folder uses them, and the program works without each."""

import ast
import inspect
import logging
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from textual._compositor import Compositor
from textual.app import App
from textual.driver import Driver
from textual.drivers._writer_thread import WriterThread
from textual.drivers.linux_driver import LinuxDriver
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.widget import Widget

from tests.tui.table import app, at_the_gate, playing
from tui.screens.base import FightScreen
from tui.seats.app import SeatApp
from tui.terminal import private
from tui.terminal.private import USES, has
from tui.terminal.program_log import use
from tui.terminal.screen import PartialCompositor

KNOWS_TEXTUAL = (
    "textual",
    "tui.app",
    "tui.screens",
    "tui.terminal.screen",
    "tui.terminal.error",
    "tui.widgets",
)
TUI = Path(__file__).resolve().parents[3] / "tui"
NAMES = [(each, name) for each, names in USES.items() for name in names]


def private_names(owner: type) -> set[str]:
    """Return the names with one underscore of a class of Textual and of its instances."""
    bases = [base for base in owner.__mro__ if base.__module__.startswith("textual")]
    found = set().union(*map(vars, bases), *map(attributes_used, bases))
    return {name for name in found if name.startswith("_") and not name.startswith("__")}


@cache
def attributes_used(owner: type) -> frozenset[str]:
    """The attributes that the code of a class names."""
    classes = [node for node in classes_of(inspect.getmodule(owner)) if node.name == owner.__name__]
    parts = [part for node in classes for part in ast.walk(node)]
    return frozenset(part.attr for part in parts if isinstance(part, ast.Attribute))


@cache
def classes_of(module: ModuleType) -> list[ast.ClassDef]:
    return [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.ClassDef)]


@pytest.mark.parametrize("wanted", USES)
def test_textual_still_has_each_private_name_that_is_used(wanted: str) -> None:
    assert has(wanted)


class Log(logging.Logger):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__("affray")
        self.lines: list[str] = []

    def warning(self, text: object, *values: object, **_: object) -> None:
        self.lines.append(str(text) % values)


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[Log]:
    """The log, in a program that has not looked for a private name yet."""
    log = Log()
    use(log)
    has.cache_clear()
    monkeypatch.setattr(private, "USES", dict(USES))
    yield log
    has.cache_clear()
    use(None)


@pytest.mark.parametrize(("wanted", "name"), NAMES)
def test_a_missing_name_turns_off_what_used_it_and_nothing_else_and_is_logged(
    wanted: str, name: str, log: Log
) -> None:
    remove(wanted, name)
    assert [each for each in USES if not has(each)] == [wanted]
    assert not has(wanted)
    assert log.lines == [f"Textual has no {name}_renamed, so this is off: {wanted}"]


def remove(wanted: str, name: str) -> None:
    """Do as if Textual had renamed this."""
    private.USES[wanted] = tuple(f"{each}_renamed" if each == name else each for each in USES[wanted])


@pytest.mark.parametrize("wanted", USES)
async def test_the_program_works_without_each_use_of_private_names(wanted: str, log: Log) -> None:
    remove(wanted, USES[wanted][0])
    async with playing(at_the_gate()) as play:
        assert "Okado" in play.text
        await play.press("n?")
        await play.press("<Esc>:note hear ye<Enter>")
        assert "hear ye" in play.text
        await play.press("L")
        assert play.last.text in play.text
        await play.press("I")
        assert isinstance(play.app.screen, FightScreen)
        has_it = isinstance(play.app.screen._compositor, PartialCompositor)
        assert has_it == (wanted != "frames of only what changed")


async def test_without_its_names_textuals_own_driver_is_used(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(App, "get_driver_class", lambda self: LinuxDriver)
    assert app().get_driver_class() is not LinuxDriver
    assert SeatApp(None).get_driver_class() is not LinuxDriver
    has.cache_clear()
    remove("the quick driver", USES["the quick driver"][0])
    assert app().get_driver_class() is LinuxDriver
    assert SeatApp(None).get_driver_class() is LinuxDriver


WITHOUT = """
import importlib, sys
import textual.app, textual.drivers.linux_driver
module, _, name = sys.argv[1].partition(":")
delattr(importlib.import_module(module), name)
import tui.seats.app
import tui.terminal.driver
import tui.terminal.screen
from tui.terminal.private import USES, has
print(*(each for each in USES if not has(each)), sep=", ")
"""


@pytest.mark.parametrize(("wanted", "name"), [each for each in NAMES if "." not in each[1].partition(":")[2]])
def test_the_modules_that_use_a_private_class_are_imported_without_it(wanted: str, name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, name], capture_output=True, encoding="utf-8", check=False
    )
    assert (done.stdout.strip(), done.stderr) == (wanted, "")


def test_each_private_name_that_the_terminals_folder_uses_belongs_to_a_use() -> None:
    owners = (App, Screen, Compositor, ScrollView, Widget, LinuxDriver, WriterThread)
    theirs = set().union(*map(private_names, owners))
    used = set()
    for file in sorted((TUI / "terminal").rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        # A function outside a class overrides nothing.
        for node in set(ast.walk(tree)) - set(tree.body):
            match node:
                case ast.Attribute(attr=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    used |= {name} & theirs
    assert used == {name.rpartition(".")[2] for _, name in NAMES if ":" not in name.rpartition(".")[2]}


def test_no_private_name_of_textual_is_used_outside_the_terminals_folder() -> None:
    theirs = set().union(*map(private_names, (App, Screen, ScrollView, Widget, Driver)))
    offenders = []
    for file in sorted(TUI.rglob("*.py")):
        if file.is_relative_to(TUI / "terminal"):
            continue
        source = file.read_text(encoding="utf-8")
        if not any(module in source for module in KNOWS_TEXTUAL):
            continue
        tree = ast.parse(source)
        if not any(
            isinstance(node, ast.ImportFrom) and (node.module or "").startswith(KNOWS_TEXTUAL)
            for node in ast.walk(tree)
        ):
            # What knows no Textual has no such object.
            continue
        # A function outside a class overrides nothing.
        alone = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
        for node in ast.walk(tree):
            if node in alone:
                continue
            match node:
                case ast.Attribute(value=ast.Name(id="os")):
                    continue
                case ast.Attribute(attr=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    if name in theirs:
                        offenders.append(f"{file.relative_to(TUI)}:{node.lineno} {name}")
                case ast.ImportFrom(module=str(module)) if module.startswith("textual._"):
                    offenders.append(f"{file.relative_to(TUI)}:{node.lineno} {module}")
    assert not offenders, offenders
