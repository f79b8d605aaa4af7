"""Offers to get free of a condition with an escape number, in the turn of the combatant that has it."""

from systems.commands.offers import offer_of
from systems.commands.transaction import Transaction
from systems.contract.outcome import Ask
from systems.encounter.model import Encounter, Offer
from systems.frozen import evolve


def offer_escapes(transaction: Transaction, who: str) -> None:
    """Offer a combatant whose turn begins to get free of each such condition. The log says nothing of it."""
    here = transaction.encounter
    escape, combatant = here.game.escape, here.combatants.get(who)
    if escape is None or combatant is None or not transaction.tells or not here.status(combatant).acts:
        return
    offers: dict[str, Offer] = {}
    if escape.held is not None:
        found = _offer(here, who, escape.held(combatant.sheet), dict(escape.options))
        offers |= {"": found} if found is not None else {}
    for held in combatant.conditions:
        if held.escape is None or held.secret or escape.held is not None:
            continue
        options = {**escape.options, escape.difficulty: held.escape, escape.condition: held.name}
        offer = _offer(here, who, (held.name, held.escape), options)
        if offer is not None:
            offers.setdefault(held.name, offer)
    if offers:
        transaction.encounter = evolve(here, offers=(*here.offers, *offers.values()))


def _offer(
    encounter: Encounter, who: str, held: tuple[str, int] | None, options: dict[str, object]
) -> Offer | None:
    """Return the offer to get free of a condition with its number, or None if there is none."""
    escape = encounter.game.escape
    if held is None or escape is None:
        return None
    label = encounter.game.condition_label(held[0])
    says = f"{encounter.combatants[who].name} may try to get free of {label} ({held[1]})."
    return offer_of(encounter, Ask(says, escape.action, options=options), who, None)


def is_escape(encounter: Encounter, offer: Offer) -> bool:
    """Return whether an offer is one to get free of a condition."""
    escape = encounter.game.escape
    if escape is None or offer.action != escape.action:
        return False
    return escape.held is not None or escape.condition in offer.options


def has_escaped(encounter: Encounter, offer: Offer) -> bool:
    """Return whether the owner of such an offer no longer has the condition."""
    escape, owner = encounter.game.escape, encounter.combatants.get(offer.by or "")
    if escape is None or owner is None or not is_escape(encounter, offer):
        return False
    if escape.held is not None:
        return escape.held(owner.sheet) is None
    return not any(held.name == offer.options[escape.condition] for held in owner.conditions)
