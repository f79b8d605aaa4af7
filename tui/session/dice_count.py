"""The place of a real die in its pool, such as the third of nine."""

from collections.abc import Callable, Sequence

from systems.contract.table import NeedsChoice, ScriptedChoices
from systems.dice.sources import NeedsFace
from tui.session.made_up_dice import MadeUpRun
from tui.session.session import Attempt

# More dice than these are not counted beforehand.
MOST = 300


class _CountingDice:
    """The faces given so far, then made-up ones; `asked` is every die that was asked for."""

    def __init__(self, faces: Sequence[int], made_up: Callable[[int], int]) -> None:
        self._faces, self._made_up = faces, made_up
        self.asked: list[tuple[int, str, str]] = []

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        at = len(self.asked)
        if at == MOST:
            raise ValueError
        self.asked.append((sides, why, of))
        return self._faces[at] if at < len(self._faces) else self._made_up(sides)


def place_of(attempt: Attempt, needs: NeedsFace) -> tuple[int, int | None]:
    """Return the place of the next die among those like it in a row, and how many these are.

    None where that depends on what falls: the dice are counted once with the lowest faces and once
    with the highest.
    """
    run = MadeUpRun(attempt, needs)
    here = len(run.faces)
    counts: set[int | None] = set()
    place = 1
    for made_up in (lambda sides: 1, lambda sides: sides):
        asked, ended = _asked(run, made_up)
        if len(asked) <= here:
            return 1, None
        start = end = here
        while start and asked[start - 1] == asked[here]:
            start -= 1
        while end < len(asked) and asked[end] == asked[here]:
            end += 1
        place = here - start + 1
        counts.add(end - start if ended or end < len(asked) else None)
    return place, counts.pop() if len(counts) == 1 else None


def _asked(run: MadeUpRun, made_up: Callable[[int], int]) -> tuple[list[tuple[int, str, str]], bool]:
    """The dice of the command with made-up faces from here on, and whether these are all of them."""
    dice = _CountingDice(run.faces, made_up)
    try:
        run.event(dice, ScriptedChoices(run.answers))
    except NeedsChoice:
        # What has fallen before a choice is whole.
        return dice.asked, True
    except Exception:  # noqa: BLE001 - what cannot be is told when it happens, not while dice are counted
        return dice.asked, False
    return dice.asked, True
