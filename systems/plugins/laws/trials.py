"""Play one request at its own table and record everything that the laws examine."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any

from systems.contract.action import Action, Scene
from systems.contract.mistakes import listen
from systems.contract.outcome import Explanation, Outcome
from systems.contract.ruleset import Ruleset
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import Dice, RandomDice, Roll
from systems.errors import Wrong
from systems.frozen import frozen
from systems.plugins.guard import guarded
from systems.plugins.laws.example_requests import Request, RequestMaker
from systems.requests import read_request

MISTAKE = "game"  # the code of an error that is the game's own mistake


@frozen
class Played:
    """The result of one request: an error, or an outcome with its explanation; and the rolled dice."""

    action: Action | None
    scene: Scene[Any, Any, Any] | None
    rolls: Sequence[Roll]
    outcome: Outcome | None = None
    explanation: Explanation | None = None
    wrong: Wrong | None = None

    @property
    def faces(self) -> list[int]:
        return [roll.face for roll in self.rolls]

    @property
    def refused(self) -> str | None:
        """Return the reason of a refusal, or None."""
        return self.outcome.refused if self.outcome else None


class Trials:
    """Plays requests of one game; the same seed gives the same trials.

    `unguarded` is the game itself, for functions that run thousands of times and were already checked.
    """

    def __init__(self, game: Ruleset, seed: int, sheets: Sequence[Any] = ()) -> None:
        self.game, self.unguarded = guarded(game), game
        self.chance = Random(seed)
        begun = self.game.templates(game.house())
        templates = [sheet for sheet in (begun.player, begun.creature) if sheet]
        self.maker = RequestMaker(self.game, self.chance, [*sheets, *templates])
        self._answered: dict[str, Request | None] = {}

    def requests(self, action: Action, number: int) -> list[Request]:
        """Return requests for an action, keeping only the first few with an error in the same field."""
        found: list[Request] = []
        errors: Counter[str] = Counter()
        for request in self.maker.requests(action, number * 4):
            if len(found) == number:
                break
            if (wrong := self.play(request).wrong) is not None:
                errors[wrong.field] += 1
                if errors[wrong.field] > 3:
                    continue
            found.append(request)
        return found

    def answered(self, action: Action) -> Request | None:
        """Return a request for an action that is neither wrong nor refused, if `look_over` has found one."""
        return self._answered.get(action.name)

    def look_over(self) -> None:
        """Find a request for each action that is neither wrong nor refused."""
        for action in self.game.actions:
            made = self.maker.requests(action, 60)
            self._answered[action.name] = next(filter(self._is_fine, made), None)

    def _is_fine(self, request: Request) -> bool:
        played = self.play(request)
        return played.outcome is not None and played.refused is None

    def play(self, request: Request, dice: Dice | None = None) -> Played:
        """Play a request with these dice, or with its own, or with random ones."""
        try:
            action, scene, faces = read_request(self.game, request)
        except Wrong as wrong:
            return Played(None, None, (), wrong=wrong)
        if dice is None:
            dice = RandomDice(Random(7)) if faces is None else ScriptedDice(faces)
        return play_scene(action, scene, dice)


def play_scene(action: Action, scene: Scene[Any, Any, Any], dice: Dice) -> Played:
    """Play an action on a scene and make its explanation. Raises NeedsFace when scripted dice run out."""
    table = Table(dice)
    try:
        outcome = action.run(scene, table)
    except Wrong as wrong:
        return Played(action, scene, table.rolled, wrong=wrong)
    return Played(action, scene, table.rolled, outcome, outcome.tell())


@contextmanager
def mistakes_heard() -> Iterator[list[str]]:
    """Collect the sentences about a game's mistakes, even if something else is shown in their place."""
    found: list[str] = []
    stop = listen(lambda error, sentence: found.append(sentence))
    try:
        yield found
    finally:
        stop()
