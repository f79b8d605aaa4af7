"""The options of one attack and of several."""

from systems.schema.fields import choice, declare, flag, text, whole
from systems.schema.naming import Naming
from systems.srd5.rolls import RollOptions
from systems.srd5.sheet import damage_texts
from systems.srd5.spells import slot_of, slot_option


@declare
class StrikeOptions(RollOptions):
    """The options of a single attack and of a multiattack."""

    damage_modifier: int = whole(-99, 99, 0, "added to the first damage of each hit")
    cover: str = choice(
        ("none", "half", "three_quarters", "total"),
        "none",
        "the target's: 2 or 5 more armour class (SRD-14)",
        remembered="aimed",
    )
    distance: int | None = whole(
        0,
        9999,
        None,
        "feet (SRD-15)",
        when_absent="5 in melee; for a ranged attack beyond 5 and within its range",
        unit="feet",
        remembered="between",
    )
    threatened: bool | None = flag(
        None,
        "an able enemy that sees the actor is within 5 feet of it, for a ranged attack (SRD-16)",
        when_absent="whether the target is such an enemy",
    )
    charge: bool = flag(
        False,
        "the actor has moved straight at the target right before, as far as an effect needs",
        one_off=True,
    )
    flanking: bool = flag(False, "an ally is opposite, by house rule (R13)")
    ally_near: bool = flag(False, "an able ally is within 5 feet of the target (SRD-85)")
    actor_seen: bool = flag(False, "the target sees the actor all the same (SRD-20)")
    target_seen: bool = flag(False, "the actor sees the target all the same (SRD-20)")
    fear_in_sight: bool = flag(True, "the source of its fear is within sight (SRD-52)")
    against_grappler: bool = flag(False, "the target grapples the actor (SRD-53)")
    charmer: bool = flag(False, "the target has charmed the actor (SRD-49)")
    knock_out: bool = flag(False, "to 0 hit points means 1 and unconscious, in melee (SRD-36)")
    gives: bool = flag(True, "no: conditions are left out (R32)")
    save_advantage: int = whole(0, 9, 0, "how many things help the save that a hit brings")
    save_disadvantage: int = whole(0, 9, 0, "how many things hinder it")
    save_modifier: int = whole(-99, 99, 0, "added to it")
    legendary_resistance: bool = flag(
        False, "a failed save becomes a success, for a legendary resistance (SRD-76)", one_off=True
    )


@declare
class AttackOptions(StrikeOptions):
    weapon: str | None = text(
        None,
        "an attack of the sheet by name, or unarmed",
        when_absent="the first",
        remembered="aimed",
        naming=Naming("attacks", also=("unarmed",), free=False, rank=slot_of),
    )
    opportunity: bool = flag(False, "an opportunity attack: spends the reaction (SRD-19)", one_off=True)
    reaction: bool = flag(False, "made with the reaction, such as a readied attack", one_off=True)
    extra_damage: tuple[str, ...] = damage_texts("further damage of this hit, such as 3d6 piercing")
    halved: bool = flag(False, "the target halves the damage of this attack (R3)", one_off=True)
    slot: int | None = slot_option()
