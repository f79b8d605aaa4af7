"""The parser of the command's arguments, which only a start with options has to import."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn

Declares = Callable[[argparse.ArgumentParser], None]


class WrongUsage(Exception):
    """What is wrong with the words of a command, in one sentence."""


class _Parser(argparse.ArgumentParser):
    """argparse, with errors on one line."""

    def error(self, message: str) -> NoReturn:
        raise WrongUsage(message)


def parser_of(verbs: Mapping[str, tuple[str, Declares]], verb: str = "") -> argparse.ArgumentParser:
    """The parser of that verb alone, which is what one start can afford; of all of them for the help.

    `verbs`: what each does, and what declares its arguments.
    """
    parser = _Parser(
        prog="affray",
        description="A combat tracker for game masters. With no verb it opens a campaign.",
        epilog="affray [CAMPAIGN] opens a campaign; with no name the last one, or a chooser. "
        "affray --linear [CAMPAIGN] plays it one line at a time, for screen readers.",
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action=_Version)
    below = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=_Parser)
    for name, (what, declare) in verbs.items():
        if verb not in verbs or name == verb:
            about = f"{what[0].upper()}{what[1:]}."
            declare(below.add_parser(name, help=what, description=about, allow_abbrev=False))
    return parser


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
