"""What the screens show of Atlantis: bars, marks, briefings and worked-out figures."""

from systems.atlantis.checks import hurt_term
from systems.atlantis.house import House
from systems.atlantis.sheet import Sheet, life_lost, life_status, wound_penalty
from systems.contract import Condition, Figure, Mark, Meter, StatusWord, Term
from systems.words import plain_number

METERS = (Meter("life", "life", "max_life"),)
STATUSES = (
    StatusWord("conscious", "good"),
    StatusWord("unconscious", "danger", acts=False),
    StatusWord("dead", "muted", acts=False, in_order=False),
)
CONDITIONS = (
    Condition("prone", "lying on the ground; the game master gives the modifier", "warning"),
    Condition("surprised", "did not see it coming; opposes nothing (ATL-21)", "warning"),
)


def status(sheet: Sheet, house: House) -> str:
    return life_status(sheet)


def join(sheet: Sheet, is_player: bool) -> dict[str, object]:
    """Who is a player character follows from the side (ATL-45)."""
    return {"is_pc": is_player}


def glance(sheet: Sheet, house: House) -> tuple[Mark, ...]:
    marks = []
    if sheet.max_armour_pool:
        marks.append(Mark(f"armour {sheet.armour_pool}", "plain" if sheet.armour_pool else "muted"))
    if life_status(sheet) == "conscious" and wound_penalty(sheet):
        marks.append(Mark(f"{plain_number(wound_penalty(sheet))} hurt", "warning"))
    if sheet.action_spent:
        marks.append(Mark("action spent", "muted"))
    elif sheet.attacks_made:
        marks.append(Mark(f"attacked {sheet.attacks_made}/{sheet.attacks_per_round}", "muted"))
    if sheet.passive_used:
        marks.append(Mark(f"resisted {sheet.passive_used}", "muted"))
    return tuple(marks)


def brief(sheet: Sheet, house: House) -> tuple[str, ...]:
    if life_status(sheet) == "unconscious":
        return ("Unconscious, cannot act",)
    penalty = wound_penalty(sheet)
    return (f"Hurt: {plain_number(penalty)} to everything",) if penalty else ()


def figures(sheet: Sheet, house: House) -> tuple[Figure, ...]:
    """The wound penalty, and each ability as it stands now."""
    lost = Figure("life lost", life_lost(sheet), note=f"{plain_number(wound_penalty(sheet))} to everything")
    hurt = hurt_term(sheet)
    now = (
        Figure(name, value + hurt.value, (Term(name, value), hurt)) for name, value in sheet.abilities.items()
    )
    return (lost, *now)
