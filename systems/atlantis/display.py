"""What the screens show for Atlantis: bars, marks, briefings and calculated values."""

from systems.atlantis.checks import hurt_term, total_of
from systems.atlantis.defence import UNOPPOSED, passive_terms
from systems.atlantis.house import House
from systems.atlantis.sheet import Sheet, life_lost, life_status, wound_penalty
from systems.contract.condition import Condition, Effect
from systems.contract.display import Figure, Mark, Meter, StatusWord, Tone
from systems.contract.outcome import Term
from systems.text import plain_number

METERS = (Meter("life", "life", "max_life"),)
STATUSES = (
    StatusWord("conscious", "good"),
    StatusWord("unconscious", "danger", acts=False),
    StatusWord("dead", "muted", acts=False, in_order=False),
)
CONDITIONS = (
    Condition(
        "defending",
        "the next attack on it meets an active defence, until its next turn begins (R37)",
        "good",
        field="defending",
        acting=True,
        rules=("ATL-19", "ATL-20"),
    ),
    Condition("prone", "lying on the ground; the game master gives the modifier", "warning"),
    Condition(
        "surprised",
        "did not see it coming: attacks on it meet the plain 25 (ATL-21)",
        "warning",
        effects=(Effect("attack", "defence", "target", value="none"),),
        rules=("ATL-21",),
    ),
    Condition(
        "trotting",
        "attacks on it are at −5, as in an earlier edition (R16)",
        "accent",
        effects=(Effect("attack", "modifier", "target", amount=-5),),
        rules=("ATL-22",),
    ),
    Condition(
        "running",
        "attacks on it are at −10, as in an earlier edition (R16)",
        "accent",
        effects=(Effect("attack", "modifier", "target", amount=-10),),
        rules=("ATL-22",),
    ),
)


def status(sheet: Sheet, house: House) -> str:
    return life_status(sheet)


def join(sheet: Sheet, is_player: bool) -> dict[str, object]:
    """Return the sheet's changes on joining: the side says who is a player character (ATL-45)."""
    return {"is_pc": is_player}


def glance(sheet: Sheet, house: House) -> tuple[Mark, ...]:
    marks = []
    if sheet.max_armour_pool or sheet.armour_pool:
        tone: Tone = "plain" if sheet.armour_pool else "muted"
        marks.append(Mark(f"armour {sheet.armour_pool}", tone, tells="armour_pool", column="armour"))
    if life_status(sheet) == "conscious" and wound_penalty(sheet):
        marks.append(Mark(f"hurt {plain_number(wound_penalty(sheet))}", "warning", tells="life lost"))
    if sheet.defending:
        marks.append(Mark("defending", "good"))
    elif sheet.action_spent:
        marks.append(Mark("action spent", "muted", tells="action_spent"))
    elif sheet.attacks_made:
        done = f"attacked {sheet.attacks_made}/{sheet.attacks_per_round}"
        marks.append(Mark(done, "muted", tells="attacks_made", column="attacked"))
    if sheet.passive_used:
        marks.append(Mark(f"resisted {sheet.passive_used}", "muted", tells="passive_used", column="resisted"))
    return tuple(marks)


def brief(sheet: Sheet, house: House) -> tuple[str, ...]:
    if life_status(sheet) == "unconscious":
        return ("Unconscious, cannot act",)
    penalty = wound_penalty(sheet)
    return (f"Hurt: {plain_number(penalty)} to everything",) if penalty else ()


def figures(sheet: Sheet, house: House) -> tuple[Figure, ...]:
    """Return the life lost, each ability's current value, and the passive resistance of the weapon's own."""
    penalty = plain_number(wound_penalty(sheet))
    hurt = hurt_term(sheet)
    now = (
        Figure(name, value + hurt.value, (Term(name, value), hurt)) for name, value in sheet.abilities.items()
    )
    return (
        Figure("life lost", life_lost(sheet), note=f"{penalty} to everything"),
        *now,
        *_resistance(sheet, house),
    )


def _resistance(sheet: Sheet, house: House) -> tuple[Figure, ...]:
    """Return what the first weapon's ability would oppose to the next melee attack (ATL-23, ATL-24)."""
    own = next((weapon.ability for weapon in sheet.weapons if weapon.kind == "melee"), None)
    if own not in sheet.abilities or life_status(sheet) != "conscious":
        return ()
    terms = passive_terms(sheet, own, house)
    value = total_of(terms)
    note = "25 is better" if house.passive_floor and value <= UNOPPOSED else ""
    return (Figure("passive resistance", value, terms, note),)
