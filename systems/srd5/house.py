"""The house rules of SRD 5.2."""

from systems.schema.fields import choice, declare, flag


@declare
class House:
    """The house rules that a table can change."""

    critical: str = choice(
        ("double_dice", "max_plus_dice", "double_result"),
        "double_dice",
        "a critical hit rolls the dice twice, or rolls them once and adds their greatest sum, "
        "or doubles their sum (SRD-17, R5)",
    )
    flanking: str = choice(
        ("none", "advantage", "plus_two"), "none", "what the option flanking gives a melee attack (R13)"
    )
    massive_damage: bool = flag(
        True, "damage left over at 0 hit points of the maximum or more kills (SRD-43)"
    )
    natural_tests: bool = flag(False, "20 succeeds and 1 fails in ability checks and saves too (R14)")
    exhaustion_at_zero: bool = flag(
        False, "a character that falls unconscious at 0 hit points gains a level of exhaustion (R15)"
    )
    creature_damage: str = choice(
        ("rolled", "average"),
        "rolled",
        "creatures that die at 0 hit points deal average damage without rolling (R16)",
    )
    hit_dice_back: str = choice(
        ("all", "half"), "all", "hit dice that a long rest gives back; half: at least 1 (R17)"
    )
