"""Handle errors in games by other authors: a mistake in their code becomes a sentence, and nothing is saved.

Answers of actions are checked before they are applied (answers.py). Values that are only shown get a
replacement.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from functools import partial
from types import CodeType
from typing import Any, TypeVar

from systems.contract.action import Action, Need, Scene
from systems.contract.condition import Condition, Effect
from systems.contract.display import Figure, Mark
from systems.contract.mistakes import report
from systems.contract.outcome import Ask, Explanation, Fact, Outcome
from systems.contract.reaction import Reaction
from systems.contract.ruleset import EffectRules, Initiative, Rest, Ruleset
from systems.contract.sheet import Templates
from systems.contract.table import NeedsChoice, Table, WrongChoice
from systems.dice.scripted import WrongDie
from systems.dice.sources import NeedsFace
from systems.errors import Wrong
from systems.frozen import evolve
from systems.odds import TooManyDice, Walker
from systems.plugins.answers import Answers, check_words
from systems.plugins.shape_checks import BadGame, check_shape, mistake
from systems.text import shown

# Exceptions that an action only passes on: the table's requests for dice, and errors written for people.
_PASSED_ON = (Wrong, NeedsFace, WrongDie, NeedsChoice, WrongChoice, TooManyDice)
_UNKNOWN = "unknown"
T = TypeVar("T")


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


def guarded(game: Ruleset) -> Ruleset:
    """Return the game with its functions guarded."""
    safe = _Guard(game)
    return evolve(
        game,
        actions=tuple(
            evolve(
                action,
                run=safe.run(action),
                heading=safe.heading(action),
                notes=safe.notes(action),
                close=safe.close(action),
                needs=safe.needs(action),
            )
            for action in game.actions
        ),
        conditions=tuple(safe.condition(condition) for condition in game.conditions),
        reactions=tuple(safe.reaction(reaction) for reaction in game.reactions),
        rests=tuple(safe.rest(rest) for rest in game.rests),
        initiative=safe.initiative if game.initiative else None,
        status=safe.status,
        order=safe.order,
        join=safe.join,
        spent=safe.spent if game.spent else None,
        immune=safe.immune,
        keeps_up=game.keeps_up and safe.keeps_up,
        effects=GuardedEffects(safe, game.effects) if game.effects else None,
        glance=safe.glance,
        brief=safe.brief,
        figures=safe.figures,
        templates=safe.templates,
        migrate=safe.migrate,
    )


class _Guard:
    """Wraps the functions of one game."""

    def __init__(self, game: Ruleset) -> None:
        self.game = game
        self._answers = Answers(game)
        self._places = CodePlaces(game)

    def _said(self, what: str, error: Exception, function: Any) -> str:
        """Return the sentence about a mistake in a function of the game, with file and line."""
        place = self._places.of(error, function)
        where = f"{what} ({place})" if place else what
        sentence = f"the game {self.game.name} has a mistake in {where}: {_why(error)}"
        report(error, sentence)
        return sentence

    def _wrong(self, what: str, error: Exception, function: Any) -> Wrong:
        return Wrong("", self._said(what, error, function), code="game")

    @contextmanager
    def _named(
        self, what: str, function: Any, passes: tuple[type[Exception], ...] = _PASSED_ON
    ) -> Iterator[None]:
        """Raise Wrong for an error inside, as a mistake in a function of the game, unless its type passes."""
        try:
            yield
        except passes:
            raise
        except Exception as error:
            raise self._wrong(what, error, function) from error

    # Actions

    def run(self, action: Action) -> Callable[[Scene[Any, Any, Any], Table], Outcome]:
        """Return a function that runs the action and checks its answer.

        Raises Wrong if it cannot be applied.
        """

        def run(scene: Scene[Any, Any, Any], table: Table) -> Outcome:
            try:
                outcome = action.run(scene, table)
                self._answers.check(action, outcome)
                if isinstance(table, Walker) and "refused" not in outcome.facts:
                    return outcome  # The words of a branch of the odds are never read or saved.
                self._answers.check_whole(action, outcome)
            except _PASSED_ON:
                raise
            except Exception as error:
                raise self._wrong(action.name, error, action.run) from error
            return evolve(outcome, tell=lambda: self._told(action, scene, outcome))

        return run

    def heading(
        self, action: Action
    ) -> Callable[[Scene[Any, Any, Any], tuple[Mapping[str, Fact], ...]], str] | None:
        """Return the heading before the targets; a mistake in it is reported in its place."""
        if (own := action.heading) is None:
            return None

        def heading(scene: Scene[Any, Any, Any], facts: tuple[Mapping[str, Fact], ...]) -> str:
            try:
                found = own(scene, facts)
                if not isinstance(found, str):
                    raise BadGame(f"{shown(found)} is not a text")
            except Exception as error:  # noqa: BLE001 - the game's own code
                return f"({self._said(f'the heading of {action.name}', error, own)})"
            return found

        return heading

    def close(self, action: Action) -> Callable[[Scene[Any, Any, Any]], bool] | None:
        """Return the function that says whether an action reaches only near targets, with mistakes named."""
        if (own := action.close) is None:
            return None

        def close(scene: Scene[Any, Any, Any]) -> bool:
            with self._named(action.name, own):
                return bool(own(scene))

        return close

    def notes(self, action: Action) -> Callable[[Scene[Any, Any, Any]], Mapping[str, str]]:
        """Return the notes before the roll; a mistake in them is reported in their place."""

        def notes(scene: Scene[Any, Any, Any]) -> Mapping[str, str]:
            try:
                found = action.notes(scene)
                check_shape("what it notes", found, Mapping[str, str])
            except Exception as error:  # noqa: BLE001 - the game's own code
                return {"": self._said(f"the notes of {action.name}", error, action.notes)}
            return found

        return notes

    def needs(self, action: Action) -> Need | Callable[[Scene[Any, Any, Any]], Need]:
        """Return how the total must compare with its number; a mistake raises Wrong."""
        if not callable(action.needs):
            return action.needs

        def needs(scene: Scene[Any, Any, Any]) -> Need:
            with self._named(f"the needs of {action.name}", action.needs, ()):
                check_shape("it", found := action.needs_in(scene), Need)
                return found

        return needs

    def _told(self, action: Action, scene: Scene[Any, Any, Any], outcome: Outcome) -> Explanation:
        """Return the explanation of an outcome, or a replacement if making it fails."""
        try:
            explanation = outcome.tell()
            check_words(explanation)
        except Exception as error:  # noqa: BLE001 - the game's own code
            said = self._said(f"the words of {action.name}", error, action.run)
            return Explanation(f"{scene.actor_name}: {action.name} ({said}).")
        return explanation

    # Reactions of other combatants.

    def rest(self, rest: Rest) -> Rest:
        """Return the rest with its function guarded; a mistake in it raises Wrong."""

        def denied(sheet: Any, house: Any) -> str:
            with self._named(f"the rest {rest.name}", rest.denied, ()):
                found = rest.denied(sheet, house)
                if not isinstance(found, str):
                    raise BadGame(f"{shown(found)} is not a text")
                return found

        return evolve(rest, denied=denied)

    def reaction(self, declared: Reaction) -> Reaction:
        """Return the guarded reaction; a mistake raises Wrong, which is reported in its place."""
        what = f"the reaction {declared.name}"

        def offers(scene: Scene[Any, Any, Any]) -> tuple[Ask, ...]:
            with self._named(what, declared.offers):
                self._answers.check_asks(found := declared.offers(scene))
                return found

        def answered(function: Callable[..., bool], *given: Any) -> bool:
            with self._named(what, function, ()):
                return bool(function(*given))

        return evolve(
            declared,
            offers=offers,
            ready=partial(answered, declared.ready),
            by_itself=partial(answered, declared.by_itself),
        )

    # The turn order.

    def initiative(self, house: Any) -> Initiative:
        """Return the guarded initiative under these house rules; a mistake raises Wrong when it is rolled."""
        try:
            rule = self.game.initiative_under(house)
            check_shape("it", rule, Initiative)
        except Exception as error:  # noqa: BLE001 - the game's own code
            return Initiative(partial(_raise, self._wrong("initiative", error, self.game.initiative)))

        def rolled(score: Callable[[Any, Table], int], sheet: Any, table: Table) -> int:
            with self._named("initiative", score):
                return int(score(sheet, table))

        def tie(sheet: Any) -> int:
            with self._named("initiative", rule.tie, ()):
                return int(rule.tie(sheet))

        surprised = None if rule.surprised is None else partial(rolled, rule.surprised)
        return evolve(rule, score=partial(rolled, rule.score), tie=tie, surprised=surprised)

    def order(self, house: Any) -> Any:
        return self._instead("order", lambda error: "manual", house)

    def join(self, sheet: Any, is_player: bool) -> Mapping[str, object]:
        """Return the fields that the game fills in. Raises Wrong if the sheet cannot hold them."""
        return self._for_sheet("join", self.game.join, sheet, is_player)

    def migrate(self, version: int, sheet: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a plain sheet of the next version. Raises Wrong if the game fails."""
        with self._named("migrate", self.game.migrate, ()):
            found: Any = self.game.migrate(version, deepcopy(dict(sheet)))
            if not isinstance(found, Mapping):
                raise BadGame(f"it answers {shown(found)}, not a table")
            return found

    def _for_sheet(
        self, what: str, function: Callable[..., Mapping[str, object]], *given: object
    ) -> Mapping[str, object]:
        """Return fields that the game sets. Raises Wrong if it fails, or if the sheet cannot hold them."""
        with self._named(what, function, ()):
            found = function(*given)
            for name, value in found.items():
                self._answers.fit(name, value)
            return found

    def condition(self, declared: Condition) -> Condition:
        effects = tuple(self._effect(declared, effect) for effect in declared.effects)
        return evolve(
            declared, effects=effects, also_changes=self._also_changes(declared), lines=self._lines(declared)
        )

    def _lines(self, declared: Condition) -> Callable[[], tuple[Any, ...]]:
        """Return the effects that a condition gives; none after a mistake."""

        def lines() -> tuple[Any, ...]:
            try:
                return tuple(declared.lines())
            except Exception as error:  # noqa: BLE001 - the game's own code
                self._said(f"the condition {declared.name}", error, declared.lines)
                return ()

        return lines

    def _also_changes(self, declared: Condition) -> Callable[[Any, Any, bool], Mapping[str, object]]:
        """Return what a condition changes apart from its field. Raises Wrong if the sheet cannot hold it."""

        def also_changes(sheet: Any, house: Any, held: bool) -> Mapping[str, object]:
            return self._for_sheet(
                f"the condition {declared.name}", declared.also_changes, sheet, house, held
            )

        return also_changes

    def _effect(self, declared: Condition, effect: Effect) -> Effect:
        def when(actor: Any, options: Any) -> bool:
            # Wrong names an impossible option, such as a weapon that the actor does not have.
            with self._named(f"the condition {declared.name}", effect.when, (Wrong,)):
                return bool(effect.when(actor, options))

        return evolve(effect, when=when)

    # Values that are only shown.

    def status(self, sheet: Any, house: Any) -> str:
        """Return the status; `unknown`, which can act, for an undeclared one or after a mistake."""
        found = self._instead("status", lambda error: _UNKNOWN, sheet, house)
        return found if found in [status.name for status in self.game.statuses] else _UNKNOWN

    def spent(self, sheet: Any, house: Any) -> bool:
        """Return whether no action is left; False after a mistake, so that no combatant loses its turn."""
        return bool(self._instead("spent", lambda error: False, sheet, house))

    def keeps_up(self, sheet: Any) -> Collection[str]:
        """Return the conditions that a sheet keeps up; none after an error."""
        found = self._instead("keeps_up", lambda error: (), sheet)
        return found if isinstance(found, Collection) and not isinstance(found, str) else ()

    def immune(self, sheet: Any, house: Any) -> Collection[str]:
        """Return the conditions that a sheet cannot get; none after a mistake."""
        found = self._instead("immune", lambda error: (), sheet, house)
        return found if isinstance(found, Collection) and not isinstance(found, str) else ()

    def glance(self, sheet: Any, house: Any) -> tuple[Mark, ...]:
        broken = (Mark("glance fails", "danger"),)
        return self._several("glance", Mark, lambda error: broken, sheet, house)

    def brief(self, sheet: Any, house: Any) -> tuple[str, ...]:
        return self._several("brief", str, lambda error: (error[:1].upper() + error[1:],), sheet, house)

    def figures(self, sheet: Any, house: Any) -> tuple[Figure, ...]:
        def figure(error: str) -> tuple[Figure, ...]:
            return (Figure("mistake", 0, (), error),)

        return self._several("figures", Figure, figure, sheet, house)

    def templates(self, house: Any) -> Templates:
        """Return the values of new sheets; nothing after a mistake."""
        found: Any = self._instead("templates", lambda error: Templates(), house)
        return found if isinstance(found, Templates) else Templates()

    def _several(
        self, what: str, kind: type[T], instead: Callable[[str], tuple[T, ...]], *given: object
    ) -> tuple[T, ...]:
        """Return what the game shows, all of one type, or a replacement after a mistake."""
        found: Any = self._instead(what, instead, *given)
        if not isinstance(found, tuple):
            return instead(self._said_of(what, BadGame(f"{shown(found)} is not a tuple")))
        try:
            for shown_part in found:
                check_shape("what it shows", shown_part, kind)
        except BadGame as slip:
            return instead(self._said_of(what, slip))
        return found

    def _instead(self, what: str, instead: Callable[[str], Any], *given: object) -> Any:
        """Return the game's answer, or a replacement after a mistake."""
        try:
            return getattr(self.game, what)(*given)
        except Exception as error:  # noqa: BLE001 - the game's own code
            return instead(self._said_of(what, error))

    def _said_of(self, what: str, error: Exception) -> str:
        """Return the sentence about a mistake in a function of the ruleset itself, such as `glance`."""
        return self._said(what, error, getattr(self.game, what))


class GuardedEffects:
    """The effects of another author's game: what they mean is code of the game and may fail.

    A mistake raises Wrong, which is reported in place of the effect.
    """

    def __init__(self, guard: _Guard, effects: EffectRules) -> None:
        self._guard, self._effects = guard, effects
        self.action = effects.action

    def _tried(self, function: Callable[..., T], *given: object) -> T:
        with self._guard._named("its effects", function):
            return function(*given)

    def lines(self, sheet: Any) -> Sequence[Any]:
        return self._tried(self._effects.lines, sheet)

    def without_lines(self, sheet: Any) -> Any:
        return self._tried(self._effects.without_lines, sheet)

    def loose_names(self, sheet: Any, entries: Collection[str] = ()) -> Iterable[Wrong]:
        return self._tried(lambda: list(self._effects.loose_names(sheet, entries)))

    def due(self, lines: Iterable[Any], when: str) -> Iterable[tuple[Any, str]]:
        return self._tried(lambda: list(self._effects.due(lines, when)))

    def applies(
        self,
        line: Any,
        does: str,
        scene: Scene[Any, Any, Any],
        damage: Sequence[tuple[str, int]] = (),
        by: str = "",
    ) -> bool:
        return self._tried(self._effects.applies, line, does, scene, damage, by)

    def line(self, lines: Sequence[Any], options: Any) -> Any | None:
        return self._tried(self._effects.line, lines, options)

    def uses(self, sheet: Any, line: Any) -> tuple[str, Mapping[str, object]] | None:
        return self._tried(self._effects.uses, sheet, line)

    def aims(self, lines: Sequence[Any], line: Any) -> Any | None:
        return self._tried(self._effects.aims, lines, line)

    def reached(self, before: Any, after: Any, house: Any) -> Iterable[str]:
        return self._tried(self._effects.reached, before, after, house)


def _raise(error: Exception, *given: object) -> int:
    raise error


def _why(error: Exception) -> str:
    """Describe a mistake in a few words."""
    return str(error) if isinstance(error, BadGame) else mistake(error)
