"""Aim one action at several targets: the same target twice, an even split, and the place of each."""

import re
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from systems.commands.scenes import ONLY_TARGET, TargetPlace
from systems.contract.action import Action
from systems.encounter.lookup import targets
from systems.encounter.model import Encounter
from systems.errors import Refused, Wrong

_TIMES = re.compile(r"(?P<name>.+?)\s*\*\s*(?P<times>[0-9]{1,3})")


def repeated_targets(text: str, meant: Callable[[str], Sequence[str]]) -> tuple[str, ...]:
    """Return the ids that TARGETS names, as often as it names them: `2,2,3` or `2*2,3`.

    `meant` returns the ids of one word, and raises Refused.
    """
    found: list[str] = []
    for word in filter(None, map(str.strip, text.split(","))):
        times = _TIMES.fullmatch(word)
        ids = meant(times["name"] if times else word)
        found += [who for who in ids for _ in range(int(times["times"]) if times else 1)]
    return tuple(found)


def named_aims(encounter: Encounter, text: str) -> tuple[str, ...]:
    """Return the targets in an encounter, as often as TARGETS names them. Raises Refused."""
    return repeated_targets(text, lambda word: targets(encounter, word))


def number_of_aims(action: Action, sheet: Any, options: Any) -> int:
    """Return how many aims one use has with these options, such as three darts; 0: any number of targets.

    Wrong options have no aims, so that their error is reported where they are read.
    """
    try:
        return 0 if action.aims is None or options is None else action.aims(sheet, options)
    except Wrong:
        return 0


def spread_aims(action: Action, sheet: Any, options: Any, named: Sequence[str]) -> tuple[str, ...]:
    """Return all aims of an action with a number of them, those at one target together.

    Aims that are not named go to the targets with the fewest, so that the split is even. Raises Refused for
    too many.
    """
    number = number_of_aims(action, sheet, options)
    if not number:
        return tuple(dict.fromkeys(named))
    counts = {who: named.count(who) for who in named}
    if len(named) > number:
        has = "only one aim" if number == 1 else f"{number} aims"
        raise Refused(f"{action.title} has {has}, and {len(named)} are named; name fewer")
    for _ in range(number - len(named) if counts else 0):
        fewest = min(counts, key=lambda who: counts[who])
        counts[fewest] += 1
    return tuple(who for who, times in counts.items() for _ in range(times))


def shots(action: Action, aims: Sequence[str]) -> list[tuple[str, TargetPlace]]:
    """Return each resolution of an action: its target, and its place among the others."""
    if action.together:
        each = [(who, aims.count(who)) for who in dict.fromkeys(aims)]
    else:
        each = [(who, 1) for who in aims]
    before = [0, *accumulate(aimed for _, aimed in each)]
    return [(who, (place, len(each), aimed, before[place])) for place, (who, aimed) in enumerate(each)]


def counts_aims(action: Action, sheet: Any, options: Any) -> bool:
    """Return whether an action depends on how many targets it has."""
    return action.splits or number_of_aims(action, sheet, options) > 0


def aims_with(aims: Sequence[str], target: str) -> tuple[str, ...]:
    """Return the targets of a command that takes this one too: instead of a single other, or after several.

    So the odds of all rows compare while only the cursor has chosen a target.
    """
    if target in aims:
        return tuple(aims)
    return (*aims, target) if len(aims) > 1 else (target,)


def counted_aims(
    action: Action, sheet: Any, options: Any, aims: Sequence[str], target: str
) -> tuple[str, ...]:
    """Return all targets of a command with this one, if the action depends on how many it has."""
    return aims_with(aims, target) if target and counts_aims(action, sheet, options) else ()


def aims_before(aims: Sequence[str], target: str) -> tuple[str, ...]:
    """Return the targets that a command reaches before this one."""
    return tuple(aims[: aims.index(target)]) if target in aims else ()


def aim_at(action: Action, sheet: Any, options: Any, target: str | None, aims: Sequence[str]) -> TargetPlace:
    """Return the place of a target among the aims of a command, for odds; it may not be one of them yet."""
    if target is None or not counts_aims(action, sheet, options):
        return ONLY_TARGET
    try:
        found = shots(action, spread_aims(action, sheet, options, aims_with(aims, target)))
    except Refused:
        return ONLY_TARGET
    return next(aim for who, aim in found if who == target)
