"""Plot a meter through the fight as one line of blocks."""

from collections.abc import Sequence

from systems.contract.ruleset import Meter
from systems.encounter.history import History
from systems.encounter.model import Combatant
from systems.encounter.timeline import Timeline
from systems.visibility.rows import level_of

BLOCKS = "▁▂▃▄▅▆▇"
# Fewer values than this say nothing that the meter itself does not.
LEAST_VALUES = 3


def plot(values: Sequence[int], full: int) -> str:
    """Return one block for each value, from nothing to `full`."""
    high = max(full, 1)
    top = len(BLOCKS) - 1
    return "".join(BLOCKS[round(top * min(max(value, 0), high) / high)] for value in values)


def meter_curve(timeline: Timeline, log: History, combatant: Combatant, meter: Meter, cells: int) -> str:
    """Return the plot of a meter from the opening to now in at most `cells` cells.

    Returns "" for too few values, and if nothing changed. `timeline`: the values of the log that were already
    read.
    """
    level = level_of(combatant, meter)
    if level is None:
        return ""
    values = timeline.sampled(log, combatant.id, meter.now, level.now, cells)
    return plot(values, level.full) if len(values) >= LEAST_VALUES and len(set(values)) > 1 else ""
