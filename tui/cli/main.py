"""The command `affray`: its verbs, exit statuses, and one-line errors.

Each verb is a module of `tui.cli` with `run(arguments) -> exit status`, imported when it is used. It exits 0
on success, 1 on failure, and 2 on bad usage.
"""

import gc
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from importlib import import_module
from io import TextIOWrapper
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    import argparse

_LONGEST = 900
_NEGATIVE_DICE = r"-[0-9d(]"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb and return the exit status."""
    if os.environ.get("_ARGCOMPLETE"):
        from tui.cli.completion import complete
        from tui.cli.parser import parser_of

        complete(parser_of(VERBS), _open)
    _open_streams()
    words = _with_verb(list(sys.argv[1:] if argv is None else argv))
    end_tracebacks = _write_game_tracebacks(words[0][0]) if _wants_traceback() else None
    try:
        return _guarded(words)
    finally:
        if end_tracebacks:
            end_tracebacks()
        # The screens are painted on standard error, and the terminal may be gone.
        _discard(sys.stderr)


def _wants_traceback() -> bool:
    return bool(os.environ.get("AFFRAY_TRACEBACK"))


def _write_game_tracebacks(verb: str) -> Callable[[], None]:
    """Write tracebacks of games to standard error; return a function that stops it.

    The verb may have screens.
    """
    from tui.terminal.tracebacks import write_game_tracebacks

    return write_game_tracebacks(is_screen=verb in ("open", "watch"))


def _guarded(words: tuple[list[str], bool]) -> int:
    """Run one verb; turn every error into an exit status."""
    try:
        status = _run_verb(*words)
        # Report output that cannot be written now; when the interpreter ends, it is too late.
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The program that read the output has ended, so there is nothing to report to.
        _discard(sys.stdout)
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - the last line of defence: no traceback reaches a user
        _report(error)
        _discard(sys.stdout)
        return 1


def _run_verb(words: list[str], is_verb_left_out: bool) -> int:
    try:
        arguments = _without_options(words) or _parsed(words, is_verb_left_out)
    except SystemExit as stop:  # help, version or bad usage, already printed
        return int(stop.code or 0)
    arguments.is_verb_left_out = is_verb_left_out
    if asked := getattr(arguments, "symbols", None):
        from tui.terminal.symbols import VARIABLE

        # Programs started by this one use the same symbols.
        os.environ[VARIABLE] = asked
    # Imported modules live to the end. Searching them for garbage takes time and finds none.
    gc.disable()
    module = import_module(f"tui.cli.{_MODULES.get(arguments.verb, arguments.verb)}")
    gc.freeze()
    gc.enable()
    with _logged(arguments):
        return int(module.run(arguments))


def _logged(arguments: Any) -> AbstractContextManager[None]:
    """Log what the verb does, if `--log` or AFFRAY_LOG names a file. Raises OSError if it can't be opened."""
    file = os.environ.get("AFFRAY_LOG", "") if arguments.log is None else arguments.log
    if not file:
        return nullcontext()
    from tui.terminal.log_file import logged

    return logged(file, arguments.verb)


def _without_options(words: list[str]) -> Any:
    """Return the arguments of `affray [CAMPAIGN]` without options; None for other lines.

    Nearly every start of the screens is such a line, and argparse would take a hundredth of its time.
    """
    if words[0] != "open" or len(words) > 2 or any(word.startswith("-") for word in words):
        return None
    declared = _Defaults()
    _open(declared)  # type: ignore[arg-type]  # only add_argument is called
    arguments = SimpleNamespace(**declared.found, verb="open", log=None)
    arguments.campaign = words[1] if len(words) > 1 else None
    return arguments


class _Defaults:
    """A stand-in for a parser that collects the defaults of a verb's arguments."""

    def __init__(self) -> None:
        self.found: dict[str, object] = {}

    def add_argument(self, name: str, *, action: str = "", **_: object) -> None:
        self.found[name.removeprefix("--").replace("-", "_")] = False if action == "store_true" else None


def _parsed(words: list[str], is_verb_left_out: bool) -> Any:
    """Return the arguments as argparse reads them. Raises SystemExit after help, version or bad usage."""
    from tui.cli.parser import WrongUsage, parser_of

    try:
        arguments, unknown = parser_of(VERBS, words[0]).parse_known_args(words)
        if unknown:
            raise WrongUsage(_unknown_words(words if is_verb_left_out else [], unknown))
    except WrongUsage as wrong:
        _say(str(wrong), " (see affray --help)")
        raise SystemExit(2) from None
    return arguments


def _unknown_words(words: list[str], unknown: list[str]) -> str:
    """Return the error for words that a verb does not take.

    `words`: all words if the verb was left out, since then it may have been mistyped.
    """
    from tui.cli.other_words import EXTRA_WORDS, meant_verb

    typed = next((word for word in words[1:] if not word.startswith("-")), "")
    asks_help = typed == "help"
    if asks_help:
        typed = unknown[0]
    if typed in EXTRA_WORDS:
        return f"{typed} takes no {'options' if unknown[0].startswith('-') else 'other words'}"
    if typed and (meant := meant_verb(typed, VERBS)):
        return f'there is no verb "{typed}"; did you mean affray {meant}?'
    if asks_help or (typed and not unknown[0].startswith("-")):
        return f'there is no verb "{typed}"'
    return f"unrecognized arguments: {' '.join(unknown)}"


def _open_streams() -> None:
    """Make sure that all three streams exist, and that every character can be written somehow."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # Otherwise the next opened file would get the number of the closed stream.
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115 - open to the end
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _discard(stream: TextIO) -> None:
    """Discard unwritten output, so that the interpreter ends quietly and keeps the exit status."""
    try:
        stream.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _report(error: Exception) -> None:
    """Print one line for an error; with AFFRAY_TRACEBACK, raise it for its traceback instead."""
    if _wants_traceback():
        raise error
    known = isinstance(error, ValueError | OSError) or type(error).__module__.startswith(("tui.", "systems."))
    words = _words(error) if known else f"unexpected {type(error).__name__}: {error}"
    _say(words)


def _say(words: str, more: str = "") -> None:
    """Print one line on standard error, if it is still open."""
    from systems.text import clean

    with suppress(OSError):
        print(f"affray: {clean(words, _LONGEST)}{more}", file=sys.stderr, flush=True)


def _words(error: Exception) -> str:
    if isinstance(error, OSError):
        from tui.campaign.problems import disk_words

        return f"{error.filename or 'the output'}: {disk_words(error)}"
    return str(error)


def _with_verb(words: list[str]) -> tuple[list[str], bool]:
    """Return the words with the verb first, and whether it was left out.

    `affray okado` is `affray open okado`, `affray help roll` is `affray roll --help`.
    """
    at = 0
    while at < len(words) and words[at].startswith("-"):
        if words[at] in ("-h", "--help", "-V", "--version"):
            return words[at:], False
        at += 2 if words[at] in ("--campaigns", "--log") else 1
    verb, rest = (words[at], [*words[:at], *words[at + 1 :]]) if at < len(words) else ("", words)
    match verb:
        case "play":
            return ["open", *rest], False
        case "help" if not rest or rest[0] in VERBS:
            return [*rest[:1], "--help"], False
        case "version" if not rest:
            return ["--version"], False
    if verb not in VERBS:
        return ["open", *words], True
    if verb == "roll":
        # A space in front tells argparse that `-1d6` is not an option.
        rest = [f" {word}" if re.match(_NEGATIVE_DICE, word) else word for word in rest]
    return [verb, *rest], False


def _folder(parser: "argparse.ArgumentParser") -> None:
    parser.add_argument("--campaigns", metavar="DIR", help="the folder of campaigns")


def _campaign(parser: "argparse.ArgumentParser", **optional: str) -> None:
    about = "a campaign's name, or the path of its folder"
    parser.add_argument("campaign", metavar="CAMPAIGN", help=about, **optional)  # type: ignore[arg-type]  # only nargs
    _folder(parser)


def _encounter(parser: "argparse.ArgumentParser", default: str = "the current one", **optional: str) -> None:
    _campaign(parser, **optional)
    parser.add_argument("--encounter", metavar="ID", help=f"the encounter; by default {default}")


_PLAYED = "the fight in progress, else the one played last"


def _seed(parser: "argparse.ArgumentParser") -> None:
    parser.add_argument("--seed", type=_seed_number, metavar="N", help="roll the same dice every time")


def _json(parser: "argparse.ArgumentParser") -> None:
    parser.add_argument("--json", action="store_true", help="print JSON for programs")


def _symbols(parser: "argparse.ArgumentParser") -> None:
    parser.add_argument("--symbols", metavar="SET", help="symbols, or letters if the terminal shows none")


def _open(parser: "argparse.ArgumentParser") -> None:
    _encounter(parser, nargs="?")
    _seed(parser)
    parser.add_argument("--linear", action="store_true", help="play one line at a time, without painting")
    _symbols(parser)
    parser.add_argument("--theme", metavar="COLOURS", help="a theme for this time only, such as affray-light")


def _new(parser: "argparse.ArgumentParser") -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="the name of its folder")
    parser.add_argument("--system", metavar="GAME", help="the game; affray systems lists them")
    parser.add_argument("--title", metavar="TEXT", help="its title; by default the name")
    parser.add_argument(
        "--party", metavar="LINES", help='characters such as "Sera melee 45; Bram", separated by ;'
    )
    _folder(parser)


def _check(parser: "argparse.ArgumentParser") -> None:
    _campaign(parser, nargs="?")
    parser.add_argument(
        "--repair", action="store_true", help="offer to repair each problem; originals are kept"
    )
    parser.add_argument("--yes", action="store_true", help="with --repair: accept every repair")


def _import(parser: "argparse.ArgumentParser") -> None:
    _campaign(parser)
    about = "stat blocks as text, JSON or XML, a pack, TOML, or CSV with a heading line; - for standard input"
    parser.add_argument("file", metavar="FILE", nargs="?", help=about)
    _json(parser)


def _backup(parser: "argparse.ArgumentParser") -> None:
    _campaign(parser)
    parser.add_argument(
        "file", metavar="FILE", nargs="?", help="the file to write; by default NAME-DATE.zip in this folder"
    )
    parser.add_argument("--force", action="store_true", help="replace an existing file")


def _restore(parser: "argparse.ArgumentParser") -> None:
    parser.add_argument("file", metavar="FILE", help="a file that affray backup wrote")
    parser.add_argument("--as", dest="name", metavar="NAME", help="the name of the new campaign")
    _folder(parser)


def _run(parser: "argparse.ArgumentParser") -> None:
    _encounter(parser)
    _seed(parser)


def _show(parser: "argparse.ArgumentParser") -> None:
    _encounter(parser, _PLAYED)
    _json(parser)


def _recap(parser: "argparse.ArgumentParser") -> None:
    _show(parser)
    parser.add_argument(
        "--chances", action="store_true", help="add the players' chance to win after each round"
    )
    parser.add_argument(
        "--fights", type=_fights, default=100, metavar="N", help="fights played from each moment: 100"
    )


def _forecast(parser: "argparse.ArgumentParser") -> None:
    _encounter(parser, "the fight in progress, or the first prepared")
    parser.add_argument(
        "--fights", type=_fights, default=400, metavar="N", help="fights against foes of each temper: 400"
    )
    parser.add_argument(
        "--seed", type=_seed_number, default=1, metavar="N", help="the same seed gives the same forecast: 1"
    )
    _json(parser)


def _rules(parser: "argparse.ArgumentParser") -> None:
    parser.add_argument("game", metavar="GAME", help="a game; affray systems lists them")


def _roll(parser: "argparse.ArgumentParser") -> None:
    parser.add_argument("dice", metavar="DICE", nargs="+", help="such as 2d6+3, d%% or 4d6kh3")
    parser.add_argument("--odds", action="store_true", help="print the exact distribution instead of a roll")
    _seed(parser)


def _systems(parser: "argparse.ArgumentParser") -> None:
    parser.add_argument("game", metavar="GAME", nargs="?", help="one game, with all its words")
    _json(parser)
    parser.add_argument("--index", action="store_true", help="write the index of the creatures it ships")
    parser.add_argument("--check", action="store_true", help="test it against the laws of all games")


_FORMATS = ("md", "html", "jsonl", "toml", "csv")


def _export(parser: "argparse.ArgumentParser") -> None:
    _encounter(parser, _PLAYED)
    formats = "the format; by default Markdown (md); toml and csv export the roster"
    parser.add_argument("--format", choices=_FORMATS, default="md", help=formats)
    about = (
        "everything (table), or only what all could see (players); by default players for html, else table"
    )
    parser.add_argument("--for", dest="readers", choices=("players", "table"), help=about)
    pack = "write the encounter, its creatures and the house rules to one file for affray import"
    parser.add_argument("--pack", metavar="FILE", help=pack)


def _serve(parser: "argparse.ArgumentParser") -> None:
    _campaign(parser)
    _symbols(parser)
    parser.add_argument("--port", type=_port, metavar="N", help="the port; by default 2222")
    parser.add_argument(
        "--listen", metavar="ADDRESS", help="the address; by default every address of this machine"
    )
    parser.add_argument(
        "--host-key", metavar="FILE", help="the server's private key; created if it is missing"
    )


def _watch(parser: "argparse.ArgumentParser") -> None:
    _campaign(parser)
    _symbols(parser)
    viewers = parser.add_mutually_exclusive_group()
    viewers.add_argument("--seat", metavar="NAME", help="take that seat, with its player's view and actions")
    viewers.add_argument("--as", dest="look_as", metavar="NAME", help="watch what that seat sees")


def _invite(parser: "argparse.ArgumentParser") -> None:
    _campaign(parser)
    _json(parser)
    parser.add_argument("--seat", metavar="NAME", help="only this seat; by default all")
    lasts = "how long a password lasts: until it is used, for the evening, or for good; by default once"
    parser.add_argument("--lasts", choices=("once", "evening", "good"), default="once", help=lasts)


def _feed(parser: "argparse.ArgumentParser") -> None:
    _campaign(parser)
    webhook = "post the lines to a chat channel too; its address is in AFFRAY_WEBHOOK"
    parser.add_argument("--webhook", action="store_true", help=webhook)


def _completion(parser: "argparse.ArgumentParser") -> None:
    from tui.cli.completion import SHELLS

    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="the shell to complete in")


def _wrong_number(message: str) -> Exception:
    """Return the error with which argparse refuses a number."""
    from argparse import ArgumentTypeError

    return ArgumentTypeError(message)


def _seed_number(given: str) -> int:
    try:
        return int(given)
    except ValueError:
        raise _wrong_number("expected a whole number") from None


def _fights(given: str) -> int:
    if not (given.isascii() and given.isdigit() and 1 <= int(given[:9]) <= 100_000):
        raise _wrong_number("expected a number from 1 to 100000")
    return int(given)


def _port(given: str) -> int:
    if not (given.isascii() and given.isdigit() and int(given[:9]) <= 65_535):
        raise _wrong_number("expected a number from 0 to 65535")
    return int(given)


_MODULES = {"import": "import_roster"}  # no module can have this verb's name
_LINES = "one JSON request per line in, one answer per line out"
VERBS: "dict[str, tuple[str, Callable[[argparse.ArgumentParser], None]]]" = {
    "open": ("open a campaign; the verb may be left out", _open),
    "new": ("create a campaign; prompts for anything you omit", _new),
    "list": ("list the campaigns and the samples", _folder),
    "where": ("show the folder of campaigns, and why it was chosen", _folder),
    "check": ("report problems in the files of a campaign, or of all", _check),
    "run": ("carry out commands from standard input; answer each with a line of JSON", _run),
    "show": ("show the current state of a fight", _show),
    "recap": ("sum up a fight: damage, heaviest blows, luck, time", _recap),
    "danger": ("print how likely each character falls before its next turn", _show),
    "forecast": ("play a fight many times; print how likely the players win", _forecast),
    "serve": ("serve the players' seats over SSH", _serve),
    "watch": ("watch a fight as all players see it, or take a seat", _watch),
    "invite": ("print for each seat a message that invites its player", _invite),
    "feed": ("print what all players may see, one line per event", _feed),
    "import": ("add stat blocks, characters or a pack from a file; what exists is never changed", _import),
    "backup": ("save a campaign as one file", _backup),
    "restore": ("restore a campaign from a backup, under a free name", _restore),
    "export": ("export the log of a fight as a document, the roster, or an encounter to pass on", _export),
    "resolve": (f"apply a game's rules: {_LINES}", _rules),
    "odds": (f"calculate exact odds: {_LINES}", _rules),
    "roll": ("roll dice such as 4d6kh3+2", _roll),
    "systems": ("list the games, or all the words of one", _systems),
    "completion": ("print code that lets Tab complete in bash, zsh or fish", _completion),
}
