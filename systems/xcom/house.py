"""The house rules of the XCOM-inspired game."""

from systems.errors import Wrong
from systems.schema.fields import choice, declare, flag, listing
from systems.schema.types import Whole
from systems.text import shown


@declare
class House:
    """The house rules that a table can change."""

    hit_clamp: tuple[int, ...] = listing(
        Whole(-999, 999),
        (),
        "lowest and highest target value of an attack; empty: no limits (R3)",
        lengths=(0, 2),
    )
    reaction_shots: str = choice(
        ("offered", "at_once"),
        "offered",
        "overwatch shots at a moving foe: offered, or taken at once (R32)",
    )
    exposed_is_flanked: bool = flag(False, "a target without cover counts as flanked by ranged attacks (R11)")

    cover_against_blasts: bool = flag(
        False, "cover adds its +20 or +40 to the Defense check against an explosion (R36)"
    )

    def __post_init__(self) -> None:
        """Raise Wrong if the lowest limit is above the highest."""
        if self.hit_clamp and self.hit_clamp[0] > self.hit_clamp[1]:
            raise Wrong("house.hit_clamp", f"expected the lowest first, got {shown(self.hit_clamp)}")
