"""The place of a real die in its pool, such as the third of nine."""

from systems.contract.table import NeedsChoice, ScriptedChoices
from systems.dice.sources import DieRequest
from tui.session.attempt import Attempt
from tui.session.made_up_dice import GivenThenMadeUp, MadeUpRun

# With more dice than these, the pool is not counted in advance.
MOST = 300


def place_of(attempt: Attempt, needs: DieRequest) -> tuple[int, int | None]:
    """Return the place of the next die in its run of equal dice, and the length of that run.

    The length is None if it depends on the faces: the dice are counted once with the lowest and once with the
    highest faces.
    """
    run = MadeUpRun(attempt, needs)
    counts: set[int | None] = set()
    place = 1
    for made_up in (lambda sides: 1, lambda sides: sides):
        dice = GivenThenMadeUp(run.faces, made_up, MOST)
        ended, asked, here = _is_whole(run, dice), dice.asked, dice.begins
        if here is None:
            return 1, None
        start = end = here
        while start and asked[start - 1] == asked[here]:
            start -= 1
        while end < len(asked) and asked[end] == asked[here]:
            end += 1
        place = here - start + 1
        counts.add(end - start if ended or end < len(asked) else None)
    return place, counts.pop() if len(counts) == 1 else None


def _is_whole(run: MadeUpRun, dice: GivenThenMadeUp) -> bool:
    """Run the command with these dice; return whether it needs no more."""
    try:
        run.event(dice, ScriptedChoices(run.answers))
    except NeedsChoice:
        # The dice before a choice are all known.
        return True
    except Exception:  # noqa: BLE001 - an error is reported when it happens, not while dice are counted
        return False
    return True
