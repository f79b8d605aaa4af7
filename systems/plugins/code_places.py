"""Find where in another author's game a mistake is, as `duel/attack.py, line 63`."""

from collections.abc import Callable, Iterator
from functools import partial
from types import CodeType
from typing import Any

from systems.contract.ruleset import Ruleset


class CodePlaces:
    """Places in the code of one game: the packages of its sheet, its house rules and its actions."""

    def __init__(self, game: Ruleset) -> None:
        modules = [game.sheet.__module__, game.house.__module__]
        modules += [str(getattr(_plain(action.run), "__module__", "")) for action in game.actions]
        self._packages = frozenset(name.partition(".")[0] for name in modules) - {"systems", ""}

    def of(self, error: BaseException, function: Any) -> str:
        """Return the deepest line of the game in a traceback, or else the start of the function; or ""."""
        found = ""
        for module, code, line in _lines(error):
            if self._is_own(module):
                found = _place(module, code, line)
        return found or self._beginning(_plain(function))

    def _beginning(self, function: Callable[..., Any]) -> str:
        module = str(getattr(function, "__module__", ""))
        code = getattr(function, "__code__", None)
        known = isinstance(code, CodeType) and self._is_own(module)
        return _place(module, code, code.co_firstlineno) if known and code else ""

    def _is_own(self, module: str) -> bool:
        return module.partition(".")[0] in self._packages


def _plain(function: Any) -> Any:
    """Return the function inside partial applications and decorators such as `lru_cache`."""
    while isinstance(function, partial) or hasattr(function, "__wrapped__"):
        function = function.func if isinstance(function, partial) else function.__wrapped__
    return function


def _lines(error: BaseException) -> Iterator[tuple[str, CodeType, int]]:
    """Yield module, code and line of each call in a traceback, the outermost first."""
    trace = error.__traceback__
    while trace is not None:
        yield str(trace.tb_frame.f_globals.get("__name__", "")), trace.tb_frame.f_code, trace.tb_lineno
        trace = trace.tb_next


def _place(module: str, code: CodeType, line: int) -> str:
    """Return file and line, with the file's path inside its package."""
    steps = code.co_filename.replace("\\", "/").split("/")
    own = len(module.split(".")) + (steps[-1] == "__init__.py")
    return f"{'/'.join(steps[-own:])}, line {line}"
