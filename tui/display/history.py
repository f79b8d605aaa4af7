"""A figure's way through the fight as one line of blocks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from systems.contract.ruleset import Meter
from systems.encounter.model import Combatant

if TYPE_CHECKING:
    from tui.session.session import Session

BLOCKS = "▁▂▃▄▅▆▇"


def plot(values: Sequence[int], full: int) -> str:
    """One block for each value, from nothing to `full`."""
    high = max(full, 1)
    top = len(BLOCKS) - 1
    return "".join(BLOCKS[round(top * min(max(value, 0), high) / high)] for value in values)


def history_of(session: "Session", combatant: Combatant, meter: Meter, cells: int) -> str:
    """The curve of a meter through the fight; nothing while there is nothing to see."""
    now, full = getattr(combatant.sheet, meter.now), getattr(combatant.sheet, meter.full)
    values = session.curves.sampled(session.log, combatant.id, meter.now, now, cells)
    return plot(values, full) if len(values) > 2 else ""
