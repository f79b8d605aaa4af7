"""A figure's way through the fight as one line of blocks; see systems.encounter.timeline for its values."""

from collections.abc import Sequence

BLOCKS = "▁▂▃▄▅▆▇"


def plot(values: Sequence[int], full: int) -> str:
    """One block for each value, from nothing to `full`."""
    high = max(full, 1)
    top = len(BLOCKS) - 1
    return "".join(BLOCKS[round(top * min(max(one, 0), high) / high)] for one in values)
