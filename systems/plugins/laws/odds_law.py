"""The law that the exact odds of a request match its dice, by every roll or by many."""

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from random import Random
from typing import Any

from systems.contract.action import Action, Scene
from systems.contract.outcome import Outcome
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import NeedsFace, RandomDice
from systems.odds import TooManyDice, facts_odds
from systems.plugins.laws.example_requests import Request
from systems.plugins.laws.trials import Trials
from systems.plugins.shape_checks import mistake
from systems.requests import as_text, read_request

MOST_BRANCHES = 10_000  # more results are not compared
_MOST_THROWS = 1_500  # more rolls are not enumerated
_MANY_THROWS = 800
_FAR = 5.5  # standard deviations; chance exceeds them once in thirty million
Chances = dict[str, dict[str, float]]


def odds_agree(trials: Trials, request: Request) -> str:
    """The exact odds are those of its dice."""
    if trials.play(request).wrong is not None:
        return ""
    action, scene, _ = read_request(trials.unguarded, request)
    try:
        odds = _texts(facts_odds(lambda table: action.run(scene, table), most=MOST_BRANCHES))
    except TooManyDice:
        return ""
    except Exception as error:  # noqa: BLE001 - the game's own code may raise anything
        return f"it can be played, but its odds fail: {mistake(error)}"
    every = _every_throw(action, scene)
    if every is not None:
        return _first_difference(odds, every, exact=True)
    said = _first_difference(odds, _many_throws(action, scene, 1), exact=False)
    # A difference by chance does not happen twice.
    return said and _first_difference(odds, _many_throws(action, scene, 2), exact=False)


def _texts(found: dict[str, dict[Any, Fraction]]) -> Chances:
    spread: Chances = {}
    for fact, ways in found.items():
        texts = spread.setdefault(fact, {})
        for value, chance in ways.items():
            texts[as_text(value)] = texts.get(as_text(value), 0.0) + float(chance)
    return spread


def _every_throw(action: Action, scene: Scene[Any, Any, Any]) -> Chances | None:
    """Return fact -> value -> probability over every roll of the dice; None if there are too many."""
    spread: Chances = {}
    waiting: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    for _ in range(_MOST_THROWS):
        if not waiting:
            return spread
        faces, chance = waiting.pop()
        try:
            _count(spread, action.run(scene, Table(ScriptedDice(faces))), chance)
        except NeedsFace as dry:
            sides = dry.request.sides
            waiting += [((*faces, face), chance / sides) for face in range(1, sides + 1)]
            if len(waiting) > _MOST_THROWS:
                return None
    return None


def _many_throws(action: Action, scene: Scene[Any, Any, Any], seed: int) -> Chances:
    spread: Chances = {}
    table = Table(RandomDice(Random(seed)))
    for _ in range(_MANY_THROWS):
        _count(spread, action.run(scene, table), 1 / _MANY_THROWS)
    return spread


def _count(spread: Chances, outcome: Outcome, chance: float) -> None:
    for fact, value in outcome.facts.items():
        if value is not None:
            into = spread.setdefault(fact, {})
            into[as_text(value)] = into.get(as_text(value), 0.0) + chance


def _first_difference(odds: Chances, thrown: Chances, *, exact: bool) -> str:
    """Return the first fact whose odds differ from the rolls; facts without odds are skipped."""
    for fact, value, expected in _chances(odds, thrown):
        found = thrown.get(fact, {}).get(value, 0.0)
        near = 1e-9 if exact else _FAR * sqrt(expected * (1 - expected) / _MANY_THROWS) + 2 / _MANY_THROWS
        if abs(found - expected) > near or (expected == 0 and found > 0):
            of = "all throws" if exact else f"{_MANY_THROWS} throws"
            return f"the odds of {fact} {value} are {expected:.2%}, and {found:.2%} of {of} come to it"
    return ""


def _chances(odds: Chances, thrown: Chances) -> Iterator[tuple[str, str, float]]:
    for fact, ways in odds.items():
        for value in dict.fromkeys((*ways, *thrown.get(fact, {}))):
            yield fact, value, min(1.0, ways.get(value, 0.0))
