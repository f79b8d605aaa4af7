"""`affray completion SHELL`: what makes Tab complete verbs, options, campaigns, encounters, seats and games.

The printed lines let the shell start `affray` with `_ARGCOMPLETE` set at each Tab; then `complete` answers
with words, and nothing else happens.
"""

import argparse
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

SHELLS = ("bash", "zsh", "fish")


def run(arguments: argparse.Namespace) -> int:
    """Print what the shell has to read at its start."""
    from argcomplete.shell_integration import shellcode

    print(shellcode(["affray"], shell=arguments.shell).strip())
    return 0


def complete(
    parser: argparse.ArgumentParser, declare_open: Callable[[argparse.ArgumentParser], None]
) -> None:
    """Answer the shell with the words that fit, and end the program. `parser` knows every verb."""
    import argcomplete
    from argcomplete.completers import SuppressCompleter

    give_completers(parser)
    verbs = _verbs(parser)
    for name in campaigns(None):
        if name not in verbs.choices:
            # `affray NAME` opens it: here the name is a verb whose options are those of `open`.
            opened = verbs.add_parser(name, help="open this campaign")
            declare_open(opened)
            give_completers(opened)
            opened.set_defaults(campaign=name)
            next(action for action in opened._actions if action.dest == "campaign").completer = (  # type: ignore[attr-defined]
                SuppressCompleter()
            )
    argcomplete.autocomplete(parser, always_complete_options="long")


def _verbs(parser: argparse.ArgumentParser) -> "argparse._SubParsersAction[argparse.ArgumentParser]":
    return next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))


def give_completers(parser: argparse.ArgumentParser) -> None:
    """Tell each argument of every verb where its words come from."""
    from argcomplete.completers import DirectoriesCompleter, FilesCompleter, SuppressCompleter

    words: dict[str, Any] = {
        "campaign": _campaign_words,
        "encounter": _encounter_words,
        "seat": _seat_words,
        "look_as": _seat_words,
        "game": _game_words,
        "system": _game_words,
        "campaigns": DirectoriesCompleter(),
        "file": FilesCompleter(),
        "host_key": FilesCompleter(),
    }
    for action in parser._actions:  # the one way to the arguments of a parser
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                give_completers(inner)
        elif action.nargs != 0 and action.choices is None:
            action.completer = words.get(action.dest, SuppressCompleter())  # type: ignore[attr-defined]


def campaigns(folder: str | None) -> list[str]:
    """Return the names of the campaigns and samples, those a shell can show."""
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


def _folder(parsed_args: argparse.Namespace) -> Path | None:
    from tui.campaign.folders import where
    from tui.campaign.listing import find

    with suppress(ValueError, OSError):
        return find(where(parsed_args.campaigns), parsed_args.campaign)
    return None


def _shown(names: Iterable[str]) -> list[str]:
    """Names without control characters, which no shell shall be sent."""
    return sorted(name for name in names if name.isprintable())
