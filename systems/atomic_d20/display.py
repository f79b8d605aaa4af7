"""Display of Atomic D20: pips, marks, briefings, conditions and calculated values."""

from systems.atomic_d20.checks import LARGE, SMALL
from systems.atomic_d20.house import House
from systems.atomic_d20.sheet import SAVES, Sheet, can_act
from systems.atomic_d20.wounds import PLACES
from systems.contract.condition import VALUE, Condition, Effect
from systems.contract.display import Figure, Mark, Meter, StatusWord, Tone
from systems.contract.outcome import Term
from systems.text import plain_number

METERS = (
    Meter("hearts", "hearts", "max_hearts", "pips", ("♥", "♡"), "H"),
    Meter("brains", "brains", "max_brains", "pips", ("◆", "◇"), "B"),
)
STATUSES = (
    StatusWord("active", "good"),
    StatusWord("adrenaline", "accent"),
    StatusWord("conscious", "warning"),
    StatusWord("unconscious", "warning", acts=False),
    StatusWord("catatonic", "muted", acts=False, in_order=False),
    StatusWord("dying", "danger", acts=False),
    StatusWord("dead", "muted", acts=False, in_order=False),
)


def _hampering(size: int) -> tuple[Effect, ...]:
    """Return the effects of a bane of that size on the bearer's rolls and defence."""
    rolls = (Effect(action, "banes", amount=size) for action in ("maneuver", "attack", "cast"))
    return (*rolls, Effect("attack", "defence_modifier", "target", amount=-size))


CONDITIONS = (
    Condition(
        "boon",
        "N small boons saved, each for one roll: asked at the roll, or use_boon=yes (ATO-48, ATO-49)",
        "good",
        field="boon",
        on=VALUE,
        off=0,
        rules=("ATO-48", "ATO-49"),
        counted=True,
        most=9,
        foreseen=False,
    ),
    Condition(
        "bane",
        "a small bane on manoeuvres, attacks, spells and defence while it lasts (ATO-33)",
        effects=_hampering(SMALL),
        rules=("ATO-33", "ATO-82"),
    ),
    Condition(
        "large_bane",
        "a large bane on manoeuvres, attacks, spells and defence while it lasts (ATO-82)",
        effects=_hampering(LARGE),
        rules=("ATO-82",),
    ),
    Condition(
        "flat_footed",
        "unaware: only armour defends (ATO-73)",
        effects=(Effect("attack", "awareness", "target", value="flat_footed"),),
        rules=("ATO-73",),
        label="flat-footed",
    ),
    *(
        Condition(
            f"wounded_{place}",
            f"a major wound in the {place.replace('_', ' ')}; its bane is counted already (ATO-37, ATO-43)",
            rules=("ATO-37", "ATO-43"),
            # Each of the fifteen places is rare, and its bane already shows the wound.
            foreseen=False,
        )
        for place in PLACES
    ),
)


def join(sheet: Sheet, is_player: bool) -> dict[str, object]:
    """Return the field that marks a player's character, which follows from its side (R38)."""
    return {"is_pc": is_player}


def status(sheet: Sheet, house: House) -> str:
    return sheet.status


def glance(sheet: Sheet, house: House) -> tuple[Mark, ...]:
    marks = []
    if sheet.stamina != sheet.max_stamina:
        tone: Tone = "plain" if sheet.stamina else "muted"
        marks.append(Mark(f"stamina {sheet.stamina}", tone, tells="stamina", column="stamina"))
    if sheet.armor:
        marks.append(Mark(f"armour {plain_number(sheet.armor)}", tells="armor", column="armour"))
    if sheet.wound_banes:
        marks.append(Mark(f"bane {plain_number(-sheet.wound_banes)}", "warning", column="bane"))
    if sheet.status == "dying":
        chosen = "holding on" if sheet.death_choice == "miraculous" else "last breath to choose"
        marks.append(Mark(chosen, "danger"))
    return tuple(marks)


_STATE = {
    "adrenaline": "On adrenaline, death at the end of this turn",
    "unconscious": "Unconscious, cannot act",
    "catatonic": "Catatonic, cannot act",
    "dead": "Dead, cannot act",
}


def brief(sheet: Sheet, house: House) -> tuple[str, ...]:
    if sheet.status == "dying":
        # A dying character without a choice is asked as its turn begins, so no reminder is needed.
        return ("Dying and holding on, cannot act",) if sheet.death_choice == "miraculous" else ()
    lines = [_STATE[sheet.status]] if sheet.status in _STATE else []
    if sheet.boon and can_act(sheet):
        lines.append(
            f"{sheet.boon} boons of {SMALL} to spend" if sheet.boon > 1 else f"A boon of {SMALL} to spend"
        )
    if sheet.status == "conscious" and sheet.hearts == 0:
        lines.append("Conscious with no heart left: the next physical wound means dying")
    if sheet.wound_banes and can_act(sheet):
        lines.append(f"Wounded: {plain_number(-sheet.wound_banes)} to every roll")
    return tuple(lines)


def figures(sheet: Sheet, house: House) -> tuple[Figure, ...]:
    """Return the current value of each save, and of the defence by dodging and enduring."""
    hurt = Term("wounds", -sheet.wound_banes, "" if sheet.wound_banes else "no major wound")
    if house.armor_mode == "subtraction":
        armour = Term("armour", 0, "subtracted from the damage instead")
    else:
        armour = Term("armour", sheet.armor)
    saves = (_figure(name, (Term(name, getattr(sheet, name)), hurt)) for name in SAVES)
    defences = (
        _figure(label, (Term(save, getattr(sheet, save)), armour, hurt))
        for label, save in (("dodge", "reflex"), ("endure", "fortitude"))
    )
    return (*defences, *saves)


def _figure(label: str, terms: tuple[Term, ...]) -> Figure:
    return Figure(label, sum(term.value for term in terms), terms)
