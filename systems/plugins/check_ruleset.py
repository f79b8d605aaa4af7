"""Laws that any game must satisfy, for `affray systems GAME --check` and for authors' own tests.

results = check_ruleset(RULESET)
assert not [str(result) for result in results if result.mistake]
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from systems.contract.ruleset import Ruleset
from systems.errors import InputError
from systems.frozen import frozen
from systems.plugins.declarations import problem
from systems.plugins.editions import edition_problem
from systems.plugins.laws.example_requests import Request, smallest
from systems.plugins.laws.fight_laws import conditions_count, fight_goes_on, fights
from systems.plugins.laws.odds_law import odds_agree
from systems.plugins.laws.request_laws import (
    adds_up,
    answers,
    declares,
    is_pure,
    keeps_order,
    reads_back,
    reads_typed,
)
from systems.plugins.laws.trials import Trials, mistakes_heard
from systems.plugins.shape_checks import mistake
from systems.text import clean

LawTest = Callable[[Trials, Request], str]


@frozen
class Law:
    """A law: its name, the test of one example, and how many examples of each action to try."""

    name: str
    test: LawTest
    number: int

    @property
    def help(self) -> str:
        """Return what the law requires."""
        return (self.test.__doc__ or "").strip()


@frozen
class LawResult:
    """The result of a law: the number of examples, the first mistake, and the smallest example that shows it.

    `example` is a request as `affray resolve` reads it; for a fight, its sheets and lines.
    """

    law: str
    help: str
    tried: int
    mistake: str = ""
    example: Mapping[str, Any] | None = None

    def __str__(self) -> str:
        if not self.mistake:
            return f"{self.law:<12} ok    {self.help} ({self.tried} tried)"
        example = "" if self.example is None else f"\n    {json.dumps(self.example)}"
        return f"{self.law:<12} FAILS {self.mistake}{example}"


LAWS = (
    Law("answers", answers, 80),
    Law("order", keeps_order, 80),
    Law("declared", declares, 80),
    Law("terms", adds_up, 80),
    Law("pure", is_pure, 15),
    Law("sheets", reads_back, 25),
    Law("typed", reads_typed, 25),
    Law("odds", odds_agree, 8),
    Law("conditions", conditions_count, 4),
    Law("fights", fight_goes_on, 6),
)


def check_ruleset(
    game: Ruleset,
    *,
    seed: int = 1,
    share: float = 1.0,
    sheets: Sequence[Mapping[str, Any]] = (),
    only: Collection[str] = (),
) -> tuple[LawResult, ...]:
    """Test the laws on random examples of a game; the same seed gives the same examples.

    `share`: of the usual number of examples. `sheets`: plain sheets to try in addition to random ones and the
    game's templates, such as its creatures. `only`: the names of the laws to test; all if empty.
    """
    declared = "Names used in one declaration exist in another."
    if said := edition_problem(game) or problem(game):
        return (LawResult("declarations", declared, 1, said),)
    trials = Trials(game, seed, sheets)
    trials.look_over()
    results = (
        _tried(law, trials, _examples(law, trials, max(1, round(law.number * share))))
        for law in LAWS
        if not only or law.name in only
    )
    return (LawResult("declarations", declared, 1), *results)


def _examples(law: Law, trials: Trials, number: int) -> list[Request]:
    """Return examples of a law: fights, or requests for each action."""
    if law.test is fight_goes_on:
        return list(fights(trials, number))
    return [request for action in trials.game.actions for request in trials.requests(action, number)]


def _tried(law: Law, trials: Trials, examples: Iterable[Request]) -> LawResult:
    tried = 0
    for example in examples:
        tried += 1
        if _says(law, trials, example):
            least = smallest(example, lambda smaller: bool(_says(law, trials, smaller)))
            said = f"{least['action']}: " if "action" in least else ""
            return LawResult(
                law.name, law.help, tried, said + _says(law, trials, least), _with_dice(trials, least)
            )
    return LawResult(law.name, law.help, tried)


def _says(law: Law, trials: Trials, example: Request) -> str:
    """Return what is wrong with an example, including mistakes that were only reported; "" if nothing is.

    A request that is itself a mistake belongs to the first law alone.
    """
    if law.test is not answers and "action" in example and _says(LAWS[0], trials, example):
        return ""
    with mistakes_heard() as heard:
        try:
            said = law.test(trials, example)
        except InputError as error:
            said = str(error)
        except Exception as error:  # noqa: BLE001 - the game's own code may raise anything
            said = mistake(error)
    return clean(said or next(iter(heard), ""), 400)


def _with_dice(trials: Trials, example: Request) -> Request:
    """Return a request with the dice that were rolled, so that it gives the same result again."""
    if "action" not in example:
        return example
    with mistakes_heard():
        try:
            faces = trials.play(example).faces
        except Exception:  # noqa: BLE001 - this is the mistake to show
            return example
    return {**example, "dice": faces} if faces else example
