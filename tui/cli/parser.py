"""The parser of the command's arguments, which only a start with options has to import."""

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

Declares = Callable[[argparse.ArgumentParser], None]


class WrongUsage(Exception):
    """What is wrong with the words of a command, in one sentence."""


class _WordFormatter(argparse.HelpFormatter):
    """Wraps lines between words alone: an option with a hyphen stays whole."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return _wrapped(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(f"{indent}{line}" for line in _wrapped(text, width - len(indent)))


def _wrapped(text: str, width: int) -> list[str]:
    from textwrap import wrap

    return wrap(" ".join(text.split()), width, break_long_words=False, break_on_hyphens=False)


class _Parser(argparse.ArgumentParser):
    """argparse, with errors on one line."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _WordFormatter, **options})
        # What the help of all verbs says after the list of verbs.
        self.further: Callable[[], str] = lambda: ""

    def format_help(self) -> str:
        return super().format_help() + self.further()

    def error(self, message: str) -> NoReturn:
        raise WrongUsage(message)


def parser_of(verbs: Mapping[str, tuple[str, Declares]], verb: str = "") -> argparse.ArgumentParser:
    """The parser of that verb alone, which is what one start can afford; of all of them for the help.

    `verbs`: what each does, and what declares its arguments.
    """
    parser = _Parser(
        prog="affray",
        description="A combat tracker for game masters. affray [CAMPAIGN] opens a campaign; with no name the "
        "last one, or a chooser. affray --linear [CAMPAIGN] plays it one line at a time, for screen readers. "
        "affray help VERB explains the options of a verb.",
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action=_Version)
    below = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=_Parser)
    for name, (what, declare) in verbs.items():
        if verb not in verbs or name == verb:
            about = f"{what[0].upper()}{what[1:]}."
            declare(below.add_parser(name, help=what, description=about, allow_abbrev=False))
    if verb not in verbs:
        parser.further = lambda: _usages(below.choices)
    return parser


def _usages(parsers: Mapping[str, argparse.ArgumentParser]) -> str:
    """Return the words and options of every verb, wrapped between them."""
    from shutil import get_terminal_size

    lines = ["", "every verb with its options:"]
    width = max(20, get_terminal_size().columns - 2)
    for parser in parsers.values():
        usage = parser.format_usage().removeprefix("usage: affray ").replace("[-h] ", "", 1)
        # An option and its value stay together.
        words = re.findall(r"\[[^\]]*\]|\S+", " ".join(usage.split()))
        line = " "
        for word in words:
            if len(line) + 1 + len(word) > width and line.strip():
                lines.append(line)
                line = " " * 5
            line = f"{line} {word}"
        lines.append(line)
    return "\n".join(lines) + "\n"


class _Version(argparse.Action):
    """`--version`, without reading the version at every start."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="print the version and stop")

    def __call__(self, parser: argparse.ArgumentParser, *rest: object) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version("affray")
        except PackageNotFoundError:
            number = "of a folder that is not installed"
        print(f"affray {number}")
        parser.exit()
