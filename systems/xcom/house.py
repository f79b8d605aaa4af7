"""The house rules of the XCOM-inspired game."""

from systems.errors import Wrong
from systems.schema.fields import choice, declare, flag, listing
from systems.schema.types import Whole
from systems.text import shown


@declare
class House:
    """What a table may decide differently."""

    hit_clamp: tuple[int, ...] = listing(
        Whole(-999, 999),
        (),
        "lowest and highest target value of an attack; empty: no limits (R3)",
        lengths=(0, 2),
    )
    reaction_shots: str = choice(
        ("offered", "at_once"),
        "offered",
        "what one on overwatch does about a foe that moves: the shot is offered, or taken at once (R32)",
    )
    exposed_is_flanked: bool = flag(False, "a target without cover counts as flanked by ranged attacks (R11)")

    cover_against_blasts: bool = flag(
        False, "cover adds its +20 or +40 to the Defense check against an explosion (R36)"
    )

    def __attrs_post_init__(self) -> None:
        """Raises Wrong when no target value could stand between the two limits."""
        if self.hit_clamp and self.hit_clamp[0] > self.hit_clamp[1]:
            raise Wrong("house.hit_clamp", f"expected the lowest first, got {shown(self.hit_clamp)}")
