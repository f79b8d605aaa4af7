"""The house rules of Atlantis."""

from systems.schema.fields import choice, declare, flag


@declare
class House:
    """The rules that a table may decide differently."""

    tie_passes: bool = flag(
        True, "a result equal to the threshold passes, the unconsciousness check too (R3)"
    )
    passive_penalty: str = choice(
        ("cumulative", "flat"),
        "cumulative",
        "−5 for each passive resistance already used this round, or −5 once (R11)",
    )
    passive_floor: bool = flag(True, "a passive ability only replaces the 25 when it is higher (R10)")
    use_modifiers: bool = flag(True, "size, distance and coverage count (ATL-27)")
    npc_bleeding: str = choice(
        ("none", "roll"), "none", "whether unconscious others make the Body check too (R28)"
    )
    wound_on_bleeding: bool = flag(False, "wounds count in the unconsciousness check (R24)")
