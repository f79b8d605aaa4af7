"""What a creature may do in its turn by an effect of its sheet, such as a breath that recharges."""

from collections.abc import Iterable, Iterator
from typing import Any

from systems.contract.policy import Move
from systems.effects.meaning import ACTION


def moves_by_effects(lines: Iterable[Any]) -> Iterator[Move]:
    """Yield the effects that are used by hand to harm foes, as often as the sheet allows.

    Without such a limit, an effect is not the action of a turn but something that others bring about. One
    with a save strikes an area.
    """
    for line in lines:
        is_limited = line.uses or line.recharge or line.spends
        is_harm = line.damage or (line.condition and line.save)
        if line.when != "asked" or line.use or not is_limited or not is_harm:
            continue
        if line.who in (None, "target"):
            yield Move(ACTION, {"effect": line.name}, "foes" if line.save else "foe")
        elif line.who == "foes":
            yield Move(ACTION, {"effect": line.name}, "all foes")
