"""The house rules of Atomic D20."""

from systems.schema.fields import choice, declare, whole


@declare
class House:
    """The house rules that a table can change."""

    boon_stacking: str = choice(
        ("sum", "replace", "cap"),
        "sum",
        "all add; replace: if any is large, only the large ones count; cap: at most 2 in all. "
        "Boons and banes each (ATO-66, ATO-77)",
    )
    spontaneous_penalty: int = whole(0, 20, 0, "a bane of this size on spontaneous manoeuvres (R6)")
    practice_limit: int = whole(0, 20, 5, "how many manoeuvres may be practised in a day (ATO-15)")
    spellburn: str = choice(
        ("failure", "always"), "failure", "a spell burns when it fails, or every time (ATO-19, ATO-20)"
    )
    spellburn_track: str = choice(("physical", "mental"), "physical", "what the spellburn hurts (R7)")
    critical_six: str = choice(
        ("reroll", "nothing"), "reroll", "a 6 on the critical table is rolled again, or does nothing (R9)"
    )
    armor_mode: str = choice(
        ("defense_bonus", "subtraction"),
        "defense_bonus",
        "armour is added to the defence, or subtracted from the damage (ATO-69, ATO-70)",
    )
    ties: str = choice(("actor", "defender"), "actor", "who wins equal totals (R1)")
    progression: str = choice(
        ("sheet", "character_1", "1", "2", "3", "4", "5"),
        "sheet",
        "the variant that the action progression uses; sheet: the numbers are typed on the sheet",
    )
    recovery_hearts: int = whole(0, 1, 0, "hearts after a miraculous recovery (R18)")
    foes_last_breaths: str = choice(
        ("choose", "none"),
        "choose",
        "whether foes choose how to spend their last breaths, or simply die (R38)",
    )
    foes_stamina: str = choice(
        ("asked", "spent", "kept"),
        "asked",
        "whether a foe takes a minor wound with stamina: asked, always, or never (R38)",
    )
    initiative: str = choice(
        ("gm", "reflex"), "gm", "the game master sets the order, or everybody rolls d20 + Reflex (R21)"
    )
