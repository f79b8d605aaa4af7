"""Private names of Textual: each that is used is named here, and used in the terminal's folder alone."""

import ast
import inspect
from functools import cache
from pathlib import Path
from types import ModuleType

from textual._compositor import Compositor
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.widget import Widget

KNOWS_TEXTUAL = (
    "textual",
    "tui.app",
    "tui.screens",
    "tui.terminal.screen",
    "tui.terminal.error",
    "tui.widgets",
)
TUI = Path(__file__).resolve().parents[3] / "tui"
# What Textual may rename without notice, and where it stands.
USED = {
    App: (
        "_batch_count",
        "_check_bindings",
        "_css_update_count",
        "_driver",
        "_exception",
        "_exception_event",
        "_exit_renderables",
        "_handle_exception",
        "_return_code",
    ),
    MessagePump: ("_close_messages_no_wait", "_dispatch_message", "_is_mounted"),
    Screen: (
        "_compositor",
        "_compositor_refresh",
        "_css_update_count",
        "_dirty_widgets",
        "_extend_compose",
        "_get_breakpoint_classes",
        "_on_screen_resume",
    ),
    Widget: ("_check_refresh", "_set_dirty"),
    Compositor: ("_dirty_regions", "_regions_to_spans"),
    Driver: ("_app", "_mouse"),
    LinuxDriver: (
        "_auto_restart",
        "_debug",
        "_enable_mouse_support",
        "_file",
        "_must_signal_resume",
        "_sigcont_application",
        "_writer_thread",
    ),
}


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


def test_textual_still_has_each_private_name_that_is_used() -> None:
    assert XTermParser.feed
    missing = {owner.__name__: set(names) - private_names(owner) for owner, names in USED.items()}
    assert not {owner: names for owner, names in missing.items() if names}


def test_each_private_name_that_the_terminals_folder_uses_is_named_here() -> None:
    theirs = set().union(*map(private_names, (App, Screen, Compositor, ScrollView, Widget, LinuxDriver)))
    used = set()
    for file in sorted((TUI / "terminal").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            match node:
                case ast.Attribute(attr=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    used |= {name} & theirs
    assert used == set().union(*USED.values())


def test_no_private_name_of_textual_is_used_outside_the_terminals_folder() -> None:
    theirs = set().union(*map(private_names, (App, Screen, ScrollView, Widget, Driver)))
    offenders = []
    for file in sorted(TUI.rglob("*.py")):
        if file.is_relative_to(TUI / "terminal"):
            continue
        tree = ast.parse(file.read_text(encoding="utf-8"))
        if not any(
            isinstance(node, ast.ImportFrom) and (node.module or "").startswith(KNOWS_TEXTUAL)
            for node in ast.walk(tree)
        ):
            # What knows no Textual has no such object.
            continue
        # A function that stands alone overrides nothing.
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
