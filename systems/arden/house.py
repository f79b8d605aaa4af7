"""The house rules of The Ages of Arden."""

from systems.schema.fields import choice, declare, flag


@declare
class House:
    """The rules that a table may decide differently."""

    match_hits: bool = flag(False, "a score equal to the DC hits, except in a piercing attack (R1)")
    split_scope: str = choice(
        ("both", "action"),
        "both",
        "the −2 of split attention lowers score and effectiveness, or the score only (R14)",
    )
    ap_half_rounding: str = choice(
        ("down", "up"), "down", "how half of an odd number of action points is rounded, at least 1 (R9)"
    )
    flat_footed: str = choice(
        ("lower_of", "fixed"),
        "lower_of",
        "the flat-footed have DC 10 (the unconscious 5) at most, or exactly (R22)",
    )
