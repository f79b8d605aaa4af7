"""The house rules of the XCOM-inspired game."""

from systems.fields import declare, flag, listing
from systems.kinds import Whole


@declare
class House:
    """What a table may decide differently."""

    hit_clamp: tuple[int, ...] = listing(
        Whole(-999, 999),
        (),
        "lowest and highest target value of an attack; empty: no limits (R3)",
        lengths=(0, 2),
    )
    exposed_is_flanked: bool = flag(False, "a target without cover counts as flanked by ranged attacks (R11)")
