"""Find and load games: the game packages of `systems`, and entry points of other distributions."""

from collections.abc import Callable, Iterable
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from systems.errors import InputError
from systems.frozen import evolve
from systems.text import clean, find_word, nearest, suggestion

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

    from systems.contract.ruleset import Ruleset

GROUP = "affray.systems"
# Folders of `systems` that are not games; their names are reserved.
SUBSYSTEMS = frozenset(
    (
        "schema",
        "dice",
        "contract",
        "effects",
        "forecast",
        "language",
        "odds",
        "encounter",
        "codec",
        "commands",
        "visibility",
        "plugins",
        "stat_blocks",
    )
)


class NoSuchGame(InputError, ValueError):
    """No game of this name exists, or it cannot be loaded. One sentence says which and why."""

    code = "game"


def built_in() -> tuple[str, ...]:
    """Return the games of this distribution by folder name: the packages of `systems` except subsystems."""
    # Only a list of games pays for this import.
    from pkgutil import iter_modules

    spec = find_spec("systems")
    packages = (
        (module.name for module in iter_modules(spec.submodule_search_locations) if module.ispkg)
        if spec
        else ()
    )
    return tuple(sorted(name for name in packages if name not in SUBSYSTEMS))


def _is_built_in(name: str) -> bool:
    """Return whether this is the exact name of a game of this distribution, without listing them all."""
    if not name.isidentifier() or name in SUBSYSTEMS:
        return False
    spec = find_spec(f"systems.{name}")
    return spec is not None and spec.submodule_search_locations is not None


def _others() -> dict[str, Callable[[], Any]]:
    """Return the games of other distributions: name -> its loader."""
    # importlib.metadata costs 6 ms and is needed only for games by other authors.
    from importlib.metadata import distributions

    found: dict[str, Callable[[], Any]] = {}
    values: dict[str, str] = dict.fromkeys((*built_in(), *SUBSYSTEMS), "")
    for distribution in distributions():
        for point in _points(distribution):
            # If two share a name, the first on the path counts, as for modules.
            if values.setdefault(point.name, point.value) == point.value:
                found.setdefault(point.name, point.load)
            else:
                whose = f"{point.name} of {distribution.name}"
                found.setdefault(whose, partial(_taken, whose, point.name))
    return found


def _taken(whose: str, name: str) -> None:
    raise NoSuchGame(f"the game {clean(whose)} is not used: there is another {clean(name)}")


def _points(distribution: "Distribution") -> "Iterable[EntryPoint]":
    try:
        return distribution.entry_points.select(group=GROUP)
    except Exception:  # noqa: BLE001 - a damaged distribution brings no game
        return ()


def names() -> tuple[str, ...]:
    """Return every game's name: the built-in ones, then those by other authors."""
    own = built_in()
    return own + tuple(sorted(name for name in _others() if name not in own))


@cache
def load(name: str) -> "Ruleset":
    """Return the game of this name, in either spelling. Raises NoSuchGame."""
    if own := name if _is_built_in(name) else find_word(name, built_in()):
        ruleset: Ruleset = import_module(f"systems.{own}").RULESET
        return ruleset
    others = _others()
    found = find_word(name, others)
    if found is None:
        known = names()
        says = f'no game is called "{clean(name)}"' + suggestion(name, known, "games")
        raise NoSuchGame(says, code="unknown_name", suggestion=nearest(name, known))
    return _checked(found, others[found])


def _checked(name: str, loads: Callable[[], Any]) -> "Ruleset":
    """Return another author's game, guarded. Raises NoSuchGame."""
    from systems.contract.ruleset import Ruleset
    from systems.plugins.declarations import problem
    from systems.plugins.editions import edition_problem, is_of_an_older_edition, what_moved
    from systems.plugins.guard import guarded

    try:
        found = loads()
    except NoSuchGame:
        raise
    except ImportError as error:
        moved = f"; {what_moved()}" if is_of_an_older_edition(error) else ""
        raise NoSuchGame(_broken(name, f"{type(error).__name__}: {error}") + moved) from error
    except (Exception, SystemExit) as error:
        raise NoSuchGame(_broken(name, f"{type(error).__name__}: {error}")) from error
    if not isinstance(found, Ruleset):
        raise NoSuchGame(_broken(name, "its entry point is not a Ruleset"))
    if edition := edition_problem(found):
        raise NoSuchGame(f"the game {clean(name)} cannot be played: {edition}")
    if slip := problem(found):
        raise NoSuchGame(f"the game {clean(name)} is broken: {clean(slip, 200)}")
    # A campaign stores its game by this name and must find it again.
    return guarded(evolve(found, name=name))


def declared_function(name: str) -> Callable[..., Any]:
    """Return a function that a game declares as `module:function`. Raises NoSuchGame."""
    module, _, function = name.partition(":")
    try:
        found = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        says = f"the function {clean(name)} cannot be loaded: {clean(str(error), 200)}"
        raise NoSuchGame(says) from error
    if not callable(found):
        raise NoSuchGame(f"{clean(name)} is not a function")
    return cast(Callable[..., Any], found)


def _broken(name: str, why: str) -> str:
    return f"the game {clean(name)} cannot be loaded: {clean(why, 200)}"
