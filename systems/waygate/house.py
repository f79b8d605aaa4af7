"""The house rules of Enter the Waygate."""

from systems.schema.fields import choice, declare, flag, whole


@declare
class House:
    """The house rules that a table can change."""

    hit_on: str = choice(
        ("exceed", "meet"), "exceed", "a hit test must beat the armor rating, or may equal it (R1, WAY-N5)"
    )
    jam_blocks_shot: bool = flag(True, "a face of 2 that jams also loses the shot (R5)")
    auto_cap: str = choice(
        ("burst", "clip"),
        "burst",
        "most bullets of an auto attack: the weapon's burst number and never more than the rounds fired, "
        "or always the rounds fired (R12)",
    )
    mayhem_at: str = choice(
        ("at_or_below_half", "below_half"),
        "at_or_below_half",
        "Magical Mayhem at half of the Mystic Test or lower, or only below it (R7)",
    )
    half_health: str = choice(
        ("exact", "down"), "exact", "half of an odd maximum: exact, or rounded down (R22)"
    )
    dying_rounds: int = whole(1, 99, 3, "the number of its own turns begun below 0 that kills (WAY-44)")
