"""Display of Enter the Waygate: bars, marks, briefings and calculated values."""

from systems.contract.condition import Condition, Effect
from systems.contract.display import Figure, Mark, Meter, StatusWord, Tone
from systems.contract.outcome import Term
from systems.text import signed
from systems.waygate.hit_test import DAMAGE_ATTRIBUTE, HIT_ATTRIBUTE, AttackOptions, in_melee
from systems.waygate.house import House
from systems.waygate.sheet import (
    BARE_ARMOR,
    Sheet,
    Weapon,
    attribute_of,
    deadly_loss,
    is_dying,
    life_status,
)
from systems.waygate.terms import attribute_term

METERS = (Meter("hp", "hp", "max_hp"),)
STATUSES = (
    StatusWord("conscious", "good"),
    StatusWord("unconscious", "danger", acts=False),
    StatusWord("dead", "muted", acts=False, in_order=False),
)


def _at_range(actor: Sheet, options: AttackOptions) -> bool:
    return options.spell is None and not in_melee(actor, options)


def _easier_to_hit(amount: int) -> tuple[Effect, ...]:
    """Return the effect of a condition that adds a number to attacks against its bearer."""
    return (Effect("attack", "modifier", "target", amount),)


CONDITIONS = (
    Condition("covered", "behind cover: −2 to hit it", "good", effects=_easier_to_hit(-2), rules=("WAY-N6",)),
    Condition(
        "defensive_stance",
        "makes no attack: −4 to hit it",
        "good",
        effects=_easier_to_hit(-4),
        rules=("WAY-N6",),
    ),
    Condition(
        "flanked",
        "attacked in melee from two sides: +2 to hit it in melee",
        effects=(Effect("attack", "modifier", "target", 2, when=in_melee),),
        rules=("WAY-N6",),
    ),
    Condition(
        "berserk", "after a berserk attack: +2 to hit it", effects=_easier_to_hit(2), rules=("WAY-N6",)
    ),
    Condition(
        "stunned",
        "no actions; +2 to hit it; a Vit test above 13 at the end of its turn ends it",
        "warning",
        effects=(*_easier_to_hit(2), Effect("turn_end", "stunned", "actor", value=True)),
        rules=("WAY-N11",),
    ),
    Condition(
        "prone",
        "+2 to hit it with melee weapons, −2 with ranged ones",
        effects=(
            Effect("attack", "modifier", "target", 2, when=in_melee),
            Effect("attack", "modifier", "target", -2, when=_at_range),
        ),
        rules=("WAY-N6",),
    ),
    Condition(
        "bleeding",
        "1d4 damage at the start of its turn; with a value N, Nd4",
        "danger",
        effects=(Effect("bleed", "dice_number"),),
        rules=("WAY-N11",),
        each_turn="bleed",
    ),
    Condition(
        "burned",
        "1d4 fire damage at the start of its turn; with a value N, Nd4",
        "danger",
        effects=(Effect("burn", "dice_number"),),
        rules=("WAY-N11",),
        each_turn="burn",
    ),
    Condition("shocked", "one action fewer on its next turn", rules=("WAY-N11",)),
    Condition("frozen", "slowed on its next turn", rules=("WAY-N11",)),
)


def status(sheet: Sheet, house: House) -> str:
    return life_status(sheet, house)


def _gun_words(weapon: Weapon) -> str:
    """Return a gun's rounds and state, such as `rifle 1/2, jammed`."""
    words = f"{weapon.name} {weapon.loaded}/{weapon.clip}" if weapon.clip else weapon.name
    return f"{words}, jammed" if weapon.jammed else words


def glance(sheet: Sheet, house: House) -> tuple[Mark, ...]:
    """Return the short marks of a sheet, such as `AR 12 · rifle 1/2, jammed · dying 2/3 · Aether Mark`.

    A gun that is fully loaded is left out.
    """
    word = life_status(sheet, house)
    if word == "dead":
        return ()
    marks = [Mark(f"AR {sheet.armor}", tells="armor", column="AR")]
    for weapon in sheet.weapons:
        if weapon.jammed or weapon.loaded != weapon.clip:
            trouble: Tone = "plain" if weapon.loaded and not weapon.jammed else "notice"
            marks.append(Mark(_gun_words(weapon), trouble, column="gun"))
    if is_dying(sheet, house):
        marks.append(Mark(f"dying {sheet.rounds_below_zero}/{house.dying_rounds}", "danger"))
    elif word == "unconscious":
        marks.append(Mark("stable", "warning"))
    if sheet.aether_marks:
        marks.append(Mark("Aether Mark", "accent", tells="aether_marks"))
    return tuple(marks)


def brief(sheet: Sheet, house: House) -> tuple[str, ...]:
    """Return the reminders for the start of a turn. Jammed and empty guns have offers instead."""
    if is_dying(sheet, house):
        return (f"Dying: {sheet.rounds_below_zero} of {house.dying_rounds} turns below 0, cannot act",)
    if life_status(sheet, house) == "unconscious":
        return ("Unconscious at 0, stable, cannot act",)
    return ()


def figures(sheet: Sheet, house: House) -> tuple[Figure, ...]:
    """Return the calculated values: armor rating by parts, the point of death, weapons, spells and skills."""
    worn = Term("armor value", sheet.armor - BARE_ARMOR - sheet.dex, "the rest of the rating")
    rating = Figure("armor", sheet.armor, (Term("everybody", BARE_ARMOR), _of(sheet, "dex"), worn))
    dead = Figure("dead at", -deadly_loss(sheet.max_hp, house), note=f"half of {sheet.max_hp} below 0")
    weapons = (_weapon_figure(sheet, weapon) for weapon in sheet.weapons)
    spells = (
        Figure(
            f"{spell.name} to hit", sheet.magic, (_of(sheet, "magic"),), f"{spell.damage}{_plus(sheet.magic)}"
        )
        for spell in sheet.spells
        if spell.damage
    )
    skills = (
        Figure(
            skill.name,
            attribute_of(sheet, skill.attribute) + skill.training,
            (_of(sheet, skill.attribute), Term("training", skill.training)),
        )
        for skill in sheet.skills
    )
    initiative = Figure("initiative", sheet.dex, (_of(sheet, "dex"),))
    return (rating, initiative, dead, *weapons, *spells, *skills)


def _of(sheet: Sheet, attribute: str) -> Term:
    return attribute_term(sheet, attribute)


def _plus(number: int) -> str:
    return f" {signed(number)} damage" if number else " damage"


def _weapon_figure(sheet: Sheet, weapon: Weapon) -> Figure:
    hit = _of(sheet, HIT_ATTRIBUTE[weapon.kind])
    damage = attribute_of(sheet, DAMAGE_ATTRIBUTE[weapon.kind]) + weapon.damage_mod
    terms = (hit, Term(weapon.name, weapon.hit_mod))
    note = f"{weapon.damage}{_plus(damage)}"
    return Figure(f"{weapon.name} to hit", hit.value + weapon.hit_mod, terms, note)
