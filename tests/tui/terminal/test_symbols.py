"""What the terminal can show: symbols or letters by the locale, colours by its name."""

import os
import subprocess
import sys

import pytest

from tui.terminal.symbols import forget_noted_size, tell_depth

ASKS = "from tui.terminal.symbols import symbols; print(symbols().letters)"


@pytest.mark.parametrize(
    ("locale", "letters"),
    [
        ({"LANG": "C"}, True),
        ({"LC_ALL": "C", "LANG": "C.UTF-8"}, True),
        ({"LC_ALL": "POSIX"}, True),
        ({"LANG": "C", "AFFRAY_SYMBOLS": "symbols"}, False),
        ({}, False),
        ({"LANG": "C.UTF-8"}, False),
        ({"LANG": "C", "LC_ALL": "C.UTF-8"}, False),
    ],
)
def test_letters_replace_symbols_if_the_locale_needs_them(locale: dict[str, str], letters: bool) -> None:
    names = ("LANG", "LC_ALL", "LC_CTYPE", "AFFRAY_SYMBOLS", "PYTHONUTF8")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    ran = subprocess.run(
        [sys.executable, "-c", ASKS], env=environment | locale, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == str(letters)


@pytest.mark.parametrize("term", ["vt100", "vt220", "dumb", "xterm-mono", "linux-m"])
def test_a_terminal_without_colours_is_painted_without_them(term: str) -> None:
    environment = {"TERM": term}
    tell_depth(environment)
    assert environment["NO_COLOR"] == "1"


@pytest.mark.parametrize("term", ["xterm", "linux", "screen", "xterm-256color", "vtnt", ""])
def test_of_other_terminals_the_library_knows_the_colours(term: str) -> None:
    environment = {"TERM": term}
    tell_depth(environment)
    assert environment == {"TERM": term}


def test_a_size_that_was_noted_once_is_left_out() -> None:
    environment = {"TERM": "xterm", "COLUMNS": "500", "LINES": "300"}
    forget_noted_size(environment)
    assert environment == {"TERM": "xterm"}


def test_a_direct_terminal_has_all_colours_unless_it_says_otherwise() -> None:
    environment = {"TERM": "tmux-direct", "COLORTERM": ""}
    tell_depth(environment)
    assert environment["COLORTERM"] == "truecolor"
    environment = {"TERM": "xterm-direct", "COLORTERM": "no"}
    tell_depth(environment)
    assert environment["COLORTERM"] == "no"
