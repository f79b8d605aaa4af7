"""The parser of the command line, imported only for a line with options."""

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

Declares = Callable[[argparse.ArgumentParser], None]


class WrongUsage(Exception):
    """The command line is wrong. The message is one sentence."""


class _WordFormatter(argparse.HelpFormatter):
    """Wraps lines only between words, so that an option with a hyphen stays whole."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return _wrapped(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return "\n".join(f"{indent}{line}" for line in _wrapped(text, width - len(indent)))


def _wrapped(text: str, width: int) -> list[str]:
    from textwrap import wrap

    return wrap(" ".join(text.split()), width, break_long_words=False, break_on_hyphens=False)


class _Parser(argparse.ArgumentParser):
    """argparse with one-line errors."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _WordFormatter, **options})
        # The text that follows the list of verbs in the help.
        self.further: Callable[[], str] = lambda: ""

    def format_help(self) -> str:
        return super().format_help() + self.further()

    def error(self, message: str) -> NoReturn:
        raise WrongUsage(message)


def declare_log(parser: argparse.ArgumentParser) -> None:
    """Declare the option that every verb has."""
    parser.add_argument("--log", metavar="FILE", help="append a log to this file, for reporting a bug")


def parser_of(verbs: Mapping[str, tuple[str, Declares]], verb: str = "") -> argparse.ArgumentParser:
    """Return the parser of one verb, or of all verbs for the help. One verb is faster.

    `verbs`: the help of each verb, and the function that declares its arguments.
    """
    parser = _Parser(
        prog="affray",
        description="A combat tracker for game masters. affray [CAMPAIGN] opens a campaign; without a name, "
        "the last one or a chooser. affray --linear [CAMPAIGN] plays it one line at a time, for screen "
        "readers. affray help VERB explains the options of a verb.",
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action=_Version)
    below = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=_Parser)
    for name, (summary, declare) in verbs.items():
        if verb not in verbs or name == verb:
            about = f"{summary[0].upper()}{summary[1:]}."
            of_verb = below.add_parser(name, help=summary, description=about, allow_abbrev=False)
            declare(of_verb)
            declare_log(of_verb)
    if verb not in verbs:
        parser.further = lambda: _usages(below.choices)
    return parser


def _usages(parsers: Mapping[str, argparse.ArgumentParser]) -> str:
    """Return the words and options of every verb, wrapped between words."""
    from shutil import get_terminal_size

    lines = ["", "every verb with its options:"]
    width = max(20, get_terminal_size().columns - 2)
    for parser in parsers.values():
        usage = parser.format_usage().removeprefix("usage: affray ").replace("[-h] ", "", 1)
        # Keep an option and its value together.
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
    """The option `--version`, which looks up the version only when it is used."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="print the version and exit")

    def __call__(self, parser: argparse.ArgumentParser, *rest: object) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version("affray")
        except PackageNotFoundError:
            number = "(version unknown: not installed)"
        print(f"affray {number}")
        parser.exit()
