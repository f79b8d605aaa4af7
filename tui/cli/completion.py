"""`affray completion SHELL`: let Tab complete verbs, options, campaigns, encounters, seats and games.

The printed code lets the shell start `affray` with `_ARGCOMPLETE` set at each Tab. Then `complete` answers
with words, and nothing else happens.
"""

import argparse
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tui.cli.parser import declare_log

SHELLS = ("bash", "zsh", "fish")

# zsh only completes after `compinit`, which a new user's `.zshrc` does not call.
ZSH_BEGINS = "(( ${+functions[compdef]} )) || { autoload -Uz compinit && compinit; }"
# zsh does not expand the words of a program, so it has to complete paths that begin with `~` itself.
ZSH_ENDS = """_affray() { if [[ $PREFIX == '~'* ]]; then _files; else _python_argcomplete "$@"; fi }
compdef _affray affray"""


def run(arguments: argparse.Namespace) -> int:
    """Print the code that the shell reads when it starts."""
    from argcomplete.shell_integration import shellcode

    lines = shellcode(["affray"], shell=arguments.shell).strip()
    print("\n".join((ZSH_BEGINS, lines, ZSH_ENDS)) if arguments.shell == "zsh" else lines)
    return 0


def complete(
    parser: argparse.ArgumentParser, declare_open: Callable[[argparse.ArgumentParser], None]
) -> None:
    """Answer the shell with the matching words, and end the program. `parser` knows every verb."""
    import argcomplete
    from argcomplete.completers import SuppressCompleter

    _use_named_folder()
    for declare in (declare_open, declare_log):
        declare(_OptionsOnly(parser))  # type: ignore[arg-type]  # only add_argument is called
    give_completers(parser)
    verbs = _verbs(parser)
    for name in campaigns(None):
        if name not in verbs.choices:
            # `affray NAME` opens the campaign, so its name is a verb with the options of `open`.
            opened = verbs.add_parser(name, help="open this campaign")
            for declare in (declare_open, declare_log):
                declare(opened)
            give_completers(opened)
            opened.set_defaults(campaign=name)
            named = next(action for action in opened._actions if action.dest == "campaign")
            named.completer = SuppressCompleter()  # type: ignore[attr-defined]  # argcomplete reads it
    argcomplete.autocomplete(parser, always_complete_options="long")


class _OptionsOnly:
    """Gives a parser only the declared options, which may come before the verb."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._parser = parser

    def add_argument(self, name: str, **described: Any) -> None:
        if name.startswith("-"):
            self._parser.add_argument(name, **described)


def _use_named_folder() -> None:
    """Use the folder that the line names with `--campaigns`, before or after the verb."""
    from argcomplete.lexers import split_line

    words = split_line(os.environ.get("COMP_LINE", ""))[3]
    for word, after in zip(words, [*words[1:], ""], strict=True):
        option, _, value = word.partition("=")
        if option == "--campaigns" and (folder := value or after):
            os.environ["AFFRAY_CAMPAIGNS"] = os.path.expanduser(folder)  # noqa: PTH111 - as shells do


def _verbs(parser: argparse.ArgumentParser) -> "argparse._SubParsersAction[argparse.ArgumentParser]":
    return next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))


def give_completers(parser: argparse.ArgumentParser) -> None:
    """Give each argument of every verb the function that lists its words."""
    from argcomplete.completers import SuppressCompleter

    words: dict[str, Any] = {
        "campaign": _campaign_words,
        "encounter": _encounter_words,
        "seat": _seat_words,
        "look_as": _seat_words,
        "game": _game_words,
        "system": _game_words,
        "campaigns": _folder_words,
        "file": _file_words,
        "host_key": _file_words,
        "log": _file_words,
        "theme": _theme_words,
        "symbols": _symbols_words,
    }
    for action in parser._actions:  # the only access to the arguments of a parser
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                give_completers(inner)
        elif action.nargs != 0 and action.choices is None:
            action.completer = words.get(action.dest, SuppressCompleter())  # type: ignore[attr-defined]  # argcomplete reads it


def campaigns(folder: str | None) -> list[str]:
    """Return the names of the campaigns and samples that a shell can show."""
    from tui.campaign import samples
    from tui.campaign.folders import where
    from tui.campaign.listing import folder_names

    return _shown({*folder_names(where(folder)), *samples.names()})


def _campaign_words(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
    return campaigns(parsed_args.campaigns)


def _encounter_words(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
    from tui.campaign.encounters import names_in

    folder = _folder(parsed_args)
    return _shown(names_in(folder / "encounters")) if folder else []


def _seat_words(prefix: str, parsed_args: argparse.Namespace, **_: object) -> list[str]:
    from tui.campaign.encounters import names_in
    from tui.campaign.seats import read_seats

    folder = _folder(parsed_args)
    if folder is None:
        return []
    characters = [name.removesuffix(".toml") for name in names_in(folder / "roster")]
    return _shown(read_seats(folder, characters).by_name)


def _game_words(prefix: str, **_: object) -> list[str]:
    from systems import names

    return list(names())


def _theme_words(prefix: str, **_: object) -> list[str]:
    from textual.theme import BUILTIN_THEMES

    from tui.terminal.themes import OWN

    return [*OWN, *BUILTIN_THEMES]


def _symbols_words(prefix: str, **_: object) -> Sequence[str]:
    from tui.terminal.symbols import SETS

    return SETS


def _file_words(prefix: str, **_: object) -> list[str]:
    """Return the files and folders with that prefix, a folder with `/` at its end. `~` is the home folder."""
    folder, begins = os.path.split(prefix)
    typed, found = prefix.removesuffix(begins), list[os.DirEntry[str]]()
    with suppress(OSError):
        found = list(os.scandir(os.path.expanduser(folder) or "."))  # noqa: PTH111 - as shells do
    return _shown(
        f"{typed}{entry.name}{'/' if entry.is_dir() else ''}"
        for entry in found
        if entry.name.startswith(begins) and (begins or entry.name[0] != ".")
    )


def _folder_words(prefix: str, **_: object) -> list[str]:
    return [word for word in _file_words(prefix) if word.endswith("/")]


def _folder(parsed_args: argparse.Namespace) -> Path | None:
    from tui.campaign.folders import where
    from tui.campaign.listing import find

    with suppress(ValueError, OSError):
        return find(where(parsed_args.campaigns), parsed_args.campaign)
    return None


def _shown(names: Iterable[str]) -> list[str]:
    """Return the names without control characters, which must not reach a shell."""
    return sorted(name for name in names if name.isprintable())
