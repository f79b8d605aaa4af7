"""The house rules for any game: how it rolls, and what happens at 0 hit points."""

from systems.errors import Wrong
from systems.schema.fields import choice, declare, flag, whole
from systems.schema.fields import dice as dice_text

ANY_DICE = (2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 30, 100)
USUAL_DICE = {"over": "1d20", "under": "1d100", "bands": "2d6"}


@declare
class House:
    """The house rules: how dice are rolled and read, what a hit does, and who goes first."""

    roll: str = choice(
        ("over", "under", "bands", "pool"),
        "over",
        "over: dice and bonus reach a number; under: dice at or under a skill; bands: dice and bonus fall "
        "into miss, partial or full; pool: a number of dice, each counts or not (R1)",
    )
    dice: str | None = dice_text(
        None,
        "the dice of a roll; a pool takes the sides of the first",
        sides=ANY_DICE,
        when_absent="1d20 over, 1d100 under, 2d6 in bands, d6 in a pool",
    )
    ties_succeed: bool = flag(True, "over: a total equal to the number is enough (R2)")
    naturals: bool = flag(
        True, "over and under: the best roll of the dice always succeeds, the worst always fails (R3)"
    )
    critical: str = choice(
        ("double_dice", "double_damage", "none"), "double_dice", "the effect of the best roll on damage (R3)"
    )
    partial_from: int = whole(-99, 99, 7, "bands: the least total of a partial success (R4)")
    full_from: int = whole(-99, 99, 10, "bands: the least total of a full success (R4)")
    partial_damage: str = choice(("full", "half"), "full", "bands: damage of a partial success (R4)")
    counts_from: int = whole(1, 100, 5, "pool: the lowest face that counts (R5)")
    below_zero: bool = flag(False, "hit points go below 0 (R8)")
    order: str = choice(("initiative", "sides", "manual"), "initiative", "the order of turns")
    initiative_dice: str = dice_text(
        "1d20", "the dice for initiative, such as 2d6, 1d10 or 1d52 for a card", sides=(*ANY_DICE, 52)
    )
    initiative_first: str = choice(
        ("high", "low"), "high", "whether high or low initiative comes first (R11)"
    )

    def __post_init__(self) -> None:
        """Raise Wrong if a partial success would be harder than a full one."""
        if self.partial_from > self.full_from:
            raise Wrong("house.partial_from", f"expected at most full_from, which is {self.full_from}")

    @property
    def rolled(self) -> str:
        """Return the dice of a roll as written; for a pool, one die."""
        if self.roll == "pool":
            return f"1d{(self.dice or '1d6').partition('+')[0].partition('d')[2]}"
        return self.dice or USUAL_DICE[self.roll]
