"""The command `affray`: its verbs, its exit statuses, and its errors on one line.

Each verb is a module of `tui.verbs` with `run(arguments) -> exit status`, imported when it is asked
for. Status 0: done; 1: what was asked cannot be; 2: wrong usage.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

VERBS = (
    "open",
    "new",
    "list",
    "where",
    "check",
    "run",
    "show",
    "resolve",
    "odds",
    "roll",
    "systems",
    "export",
)


class _Parser(argparse.ArgumentParser):
    """argparse, with errors on one line."""

    def error(self, message: str) -> NoReturn:
        from systems.words import clean

        print(f"affray: {clean(message, 900)} (see affray --help)", file=sys.stderr)
        raise SystemExit(2)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        arguments = _parser().parse_args(_with_verb(words))
        return int(import_module(f"tui.verbs.{arguments.verb}").run(arguments))
    except BrokenPipeError:
        # Whoever read the output has left; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - the last line of defence: no traceback reaches a user
        return _told(error)


def _told(error: Exception) -> int:
    """One line for whatever went wrong; the traceback only for those who ask for it."""
    from systems.words import clean

    if os.environ.get("AFFRAY_TRACEBACK"):
        raise error
    known = isinstance(error, ValueError | OSError) or type(error).__module__.startswith(("tui.", "systems."))
    words = _words(error) if known else f"unexpected {type(error).__name__}: {error}"
    print(f"affray: {clean(words, 900)}", file=sys.stderr)
    return 1


def _words(error: Exception) -> str:
    if isinstance(error, OSError):
        from tui.campaign.problems import disk_words

        return f"{error.filename or 'the disk'}: {disk_words(error)}"
    return str(error)


def _with_verb(words: list[str]) -> list[str]:
    """`affray okado` is `affray open okado`."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        if words[at] in ("-h", "--help", "--version"):
            return words
        at += 2 if words[at] == "--campaigns" else 1
    if at < len(words) and words[at] in VERBS:
        return [words[at], *words[:at], *words[at + 1 :]]
    return ["open", *words]


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="affray",
        description="A combat tracker for game masters. With no verb it opens a campaign.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="affray [CAMPAIGN] opens a campaign; with no name the last one, or a chooser.",
    )
    parser.add_argument("--version", action=_Version)
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True, parser_class=_Parser)
    folder = _Parser(add_help=False)
    folder.add_argument("--campaigns", metavar="DIR", help="the folder of campaigns")
    campaign = _Parser(add_help=False, parents=[folder])
    campaign.add_argument("campaign", metavar="CAMPAIGN", help="a campaign's name, or the path of its folder")
    encounter = _Parser(add_help=False, parents=[campaign])
    encounter.add_argument("--encounter", metavar="ID", help="another encounter than the current one")
    _add_files(verbs, folder, encounter)
    _add_rules(verbs)
    return parser


class _Version(argparse.Action):
    """`--version`, without reading the version at every start."""

    def __init__(self, option_strings: Sequence[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="print the version and stop")

    def __call__(self, parser: argparse.ArgumentParser, *rest: object) -> None:
        from importlib.metadata import version

        print(f"affray {version('affray')}")
        parser.exit()


def _add_files(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]",
    folder: argparse.ArgumentParser,
    encounter: argparse.ArgumentParser,
) -> None:
    """The verbs that work on campaigns."""
    opens = verbs.add_parser("open", parents=[folder], help="open a campaign (the verb may be left out)")
    opens.add_argument("campaign", metavar="CAMPAIGN", nargs="?", help="a campaign's name or folder")
    opens.add_argument("--encounter", metavar="ID", help="another encounter than the current one")
    opens.add_argument("--seed", type=int, metavar="N", help="the same dice every time")
    new = verbs.add_parser("new", parents=[folder], help="make a campaign")
    new.add_argument("name", metavar="NAME")
    new.add_argument("--system", required=True, metavar="GAME", help="the game; affray systems lists them")
    new.add_argument("--title", metavar="TEXT")
    verbs.add_parser("list", parents=[folder], help="the campaigns and the samples")
    verbs.add_parser("where", parents=[folder], help="where campaigns are kept, and why there")
    check = verbs.add_parser("check", parents=[folder], help="every problem in a campaign's files")
    check.add_argument("campaign", metavar="CAMPAIGN", nargs="?", help="one campaign; without it all of them")
    runs = verbs.add_parser("run", parents=[encounter], help="commands from standard input, one a line")
    runs.add_argument("--seed", type=int, metavar="N", help="the same dice every time")
    show = verbs.add_parser("show", parents=[encounter], help="the present state of a fight")
    show.add_argument("--json", action="store_true", help="for programs")
    export = verbs.add_parser("export", parents=[encounter], help="the log of a fight as a document")
    export.add_argument("--format", choices=("md", "html", "jsonl"), default="md")


def _add_rules(verbs: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """The verbs that need no campaign."""
    for verb, what in (("resolve", "the rules alone"), ("odds", "exact odds")):
        rules = verbs.add_parser(verb, help=f"{what}: one JSON request a line in, one answer a line out")
        rules.add_argument("game", metavar="GAME")
    roll = verbs.add_parser("roll", help="roll dice such as 4d6kh3+2")
    roll.add_argument("dice", metavar="DICE", nargs="+")
    roll.add_argument("--odds", action="store_true", help="the exact distribution instead of a roll")
    roll.add_argument("--seed", type=int, metavar="N", help="the same dice every time")
    systems = verbs.add_parser("systems", help="the games, or all the words of one")
    systems.add_argument("game", metavar="GAME", nargs="?")
    systems.add_argument("--json", action="store_true", help="for programs")
