"""The rules of the games: pure, typed, without file, clock, network, screen or global randomness.

A game is imported when it is asked for. Games beside this file are found by their folder, those of
others by the entry point group `affray.systems`, where each entry is the game's `Ruleset` object.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from systems.words import clean, find_word, suggestion

if TYPE_CHECKING:
    from systems.contract import Ruleset

GROUP = "affray.systems"


class NoSuchGame(ValueError):
    """No game of that name, or one that cannot be loaded: one sentence says which and why."""


def built_in() -> tuple[str, ...]:
    """The games beside this file, by folder name."""
    return tuple(sorted(module.name for module in iter_modules(__path__) if module.ispkg))


def _others() -> dict[str, Callable[[], Any]]:
    """Games that other distributions bring: name -> what loads it."""
    # importlib.metadata costs 6 ms and is only wanted when other people's games are.
    from importlib.metadata import entry_points

    return {point.name: point.load for point in entry_points(group=GROUP)}


def names() -> tuple[str, ...]:
    """Every game's name: the built-in ones, then other people's."""
    own = built_in()
    return own + tuple(sorted(name for name in _others() if name not in own))


@cache
def load(name: str) -> "Ruleset":
    """The game of that name, in either spelling. Raises NoSuchGame with one sentence."""
    if own := find_word(name, built_in()):
        ruleset: Ruleset = import_module(f"systems.{own}").RULESET
        return ruleset
    others = _others()
    found = find_word(name, others)
    if found is None:
        raise NoSuchGame(f'no game is called "{clean(name)}"{suggestion(name, names())}')
    return _checked(found, others[found])


def _checked(name: str, loads: Callable[[], Any]) -> "Ruleset":
    """Somebody else's game, or one sentence that says what is wrong with it."""
    from systems.contract import Ruleset

    try:
        found = loads()
    except Exception as error:
        why = clean(f"{type(error).__name__}: {error}", 200)
        raise NoSuchGame(f"the game {clean(name)} cannot be loaded: {why}") from error
    if not isinstance(found, Ruleset):
        raise NoSuchGame(f"the game {clean(name)} cannot be loaded: its entry point is no Ruleset")
    return found
