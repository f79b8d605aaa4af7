"""Make the offers of an outcome or a reaction, and say so; alike questions become one sentence."""

from collections.abc import Iterable, Sequence

from systems.commands.offers import is_quiet, is_same_offer, named_apart, offer_of, question_of
from systems.commands.transaction import Transaction
from systems.contract.fight import Read
from systems.contract.outcome import Ask
from systems.encounter.model import Offer
from systems.frozen import evolve


def make_offers(
    transaction: Transaction,
    asks: Iterable[Ask],
    actor: str,
    target: str | None,
    reaction: str = "",
    reads: tuple[Read, ...] = (),
) -> None:
    """Add and report the offers that an outcome or a reaction makes, until the next turn.

    An offer that a reaction has already made is not reported again. `reads`: what the reaction read
    about the other combatants.
    """
    if not transaction.tells:
        return
    open_asks = (ask for ask in asks if not ask.due)
    made = (offer_of(transaction.encounter, ask, actor, target, reaction, reads) for ask in open_asks)
    offers = tuple(offer for offer in made if offer is not None)
    if reaction:
        actors = {offer.by for offer in offers}
        known = [other for other in transaction.encounter.offers if other.by in actors]
        offers = tuple(
            named_apart(offer, known)
            for offer in offers
            if not any(is_same_offer(offer, other) for other in known)
        )
    if offers:
        transaction.encounter = evolve(transaction.encounter, offers=(*transaction.encounter.offers, *offers))
        named = [who for who in (actor, target) if who]
        for offer in offers:
            if transaction.held_offers is None:
                _tell(transaction, offer, named)
            else:
                transaction.held_offers.append((offer, named))


def _tell(transaction: Transaction, offer: Offer, named: Sequence[str]) -> None:
    """Report an offer, in one sentence with those of this command that are the same question."""
    asked = transaction.asked
    earlier = [(other, said) for other, said in asked if _is_one_question(transaction, other, offer)]
    offers = [*(other for other, _ in earlier), offer]
    about = dict.fromkeys([*(who for _, said in earlier for who in said.about), *named])
    if earlier:
        transaction.asked = [known for known in asked if known not in earlier]
        told = [said for _, said in earlier]
        transaction.sentences = [
            said for said in transaction.sentences if not any(said is old for old in told)
        ]
    if is_quiet(transaction.encounter, offer):
        return
    # Only its owner sees an offer. The game master sees those without an owner.
    owners = dict.fromkeys(str(other.by) for other in offers if other.by)
    transaction.say(
        question_of(transaction.encounter, offers), about, seen=None if owners else "gm", owners=owners
    )
    if offer.several:
        transaction.asked += [(other, transaction.sentences[-1]) for other in offers]


def _is_one_question(transaction: Transaction, offer: Offer, other: Offer) -> bool:
    """Return whether one sentence may report two offers; a player's decision is for that player alone."""
    if not offer.several or (offer.several, offer.action) != (other.several, other.action):
        return False
    about = [transaction.combatant(who) for who in (offer.about, other.about) if who]
    is_open = offer.action is None or not any(map(transaction.encounter.is_player, about))
    return is_open and len({combatant.in_sight for combatant in about}) == 1


def hold_offers(transaction: Transaction) -> None:
    """Collect offers without reporting them until `tell_offers`."""
    transaction.held_offers = []


def tell_offers(transaction: Transaction) -> None:
    """Report the offers collected since `hold_offers`."""
    held, transaction.held_offers = transaction.held_offers or [], None
    for offer, named in held:
        _tell(transaction, offer, named)
