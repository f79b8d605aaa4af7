"""Reactions: offers that a game makes to other combatants after an action or at the end of a turn."""

from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from operator import is_not
from typing import Any, cast

from systems.commands.escapes import has_escaped
from systems.commands.fights import Look, still_reads
from systems.commands.offering import make_offers
from systems.commands.offers import (
    as_lasting,
    is_late,
    is_same_offer,
    late_words,
    offer_of,
    values_of_reaction,
)
from systems.commands.resolve import act
from systems.commands.scenes import NOTHING, unable_to
from systems.commands.transaction import Transaction
from systems.contract.action import Scene
from systems.contract.fight import Read
from systems.contract.outcome import Ask
from systems.contract.reaction import TURN_END, Reaction, UsableAgain
from systems.encounter.model import Combatant, Encounter, Offer
from systems.errors import Refused, Wrong
from systems.frozen import evolve
from systems.schema.fields import NoOptions
from systems.sheets import changed


def offer_reactions(
    transaction: Transaction,
    after: str,
    who: str,
    options: object = None,
    facts: Mapping[str, Any] = NOTHING,
    among: Container[str] | None = None,
) -> None:
    """Offer the others their reactions to an action of `who`, or to the end of its turn.

    `among`: ids of the combatants that may react; None for all.
    """
    progress = transaction.encounter.progress
    if not progress.round or progress.over or who not in transaction.encounter.combatants:
        return
    for reaction in transaction.encounter.game.reactions_after(after):
        # Without offers, only those count that happen by themselves.
        if transaction.tells or reaction.by_itself(transaction.encounter.house):
            for other in transaction.encounter.in_line():
                if among is None or other.id in among:
                    given = NoOptions() if options is None else options
                    _offer_one(transaction, reaction, other.id, who, given, facts)


def offer_at_turn_end(transaction: Transaction, ended: Iterable[str]) -> None:
    """Offer the others their reactions to the end of these turns; used reactions are available again.

    After a hidden turn, only the combatants of its own side get their reactions back: a change on the other
    side would reveal the turn.
    """
    ended = tuple(ended)
    reacted = [combatant for combatant in transaction.encounter if combatant.state.reacted]
    if reacted:
        sides = {transaction.combatant(who).side for who in ended if transaction.combatant(who).state.hidden}
        in_sight = any(not transaction.combatant(who).state.hidden for who in ended)
        for combatant in reacted:
            if in_sight or combatant.side in sides:
                _has_again(transaction, combatant, "turn")
    for who in ended:
        if transaction.encounter.status(transaction.combatant(who)).in_order:
            offer_reactions(transaction, TURN_END, who)


def have_again(transaction: Transaction, moment: UsableAgain, who: str = "") -> None:
    """Give combatants the reactions back that they have again at this moment. `who`: only this one."""
    for combatant in (transaction.combatant(who),) if who else transaction.encounter:
        _has_again(transaction, combatant, moment)


def _has_again(transaction: Transaction, combatant: Combatant, moment: UsableAgain) -> None:
    if used := combatant.state.reacted:
        left = tuple(name for name in used if transaction.encounter.game.again_of(name) != moment)
        if left != used:
            transaction.put(combatant.with_state(reacted=left))


def end_offers(transaction: Transaction, turn: str | None, *, passes: bool = False) -> None:
    """Remove the offers when a turn is over, except those that last.

    Reactions stay if the turn `passes` at once, or was hidden.
    """
    stay = passes or (turn is not None and transaction.combatant(turn).state.hidden)
    left = tuple(offer for offer in transaction.encounter.offers if offer.lasts or (stay and offer.reaction))
    if left != transaction.encounter.offers:
        transaction.encounter = evolve(transaction.encounter, offers=left)


def end_late_offers(transaction: Transaction, actors: Iterable[str]) -> None:
    """Remove the offers from before the turn of these combatants, because they act in it now."""
    here, gone = transaction.encounter, {*actors}
    left = tuple(offer for offer in here.offers if offer.by not in gone or not is_late(here, offer))
    if left != here.offers:
        transaction.encounter = evolve(here, offers=left)


def word_late_offers(transaction: Transaction, who: str) -> None:
    """Say of what a combatant was offered before its turn, which begins now, that it is from before it."""
    here = transaction.encounter
    if not here.offers:
        return
    offers = tuple(
        evolve(offer, says=late_words(offer.says)) if offer.by == who and is_late(here, offer) else offer
        for offer in here.offers
    )
    if any(map(is_not, offers, here.offers)):
        transaction.encounter = evolve(here, offers=offers)


def give_back(transaction: Transaction, offer: Offer) -> None:
    """Give a combatant back what a reaction cost that belongs to the time before its turn."""
    here = transaction.encounter
    reaction = here.game.reaction(offer.reaction or "")
    if reaction is not None and reaction.late is not None:
        reacts = here.combatants[str(offer.by)]
        transaction.put(evolve(reacts, sheet=changed(reacts.sheet, reaction.late(reacts.sheet, here.house))))


def take_up(transaction: Transaction, offer: Offer) -> None:
    """Remove an offer that is being carried out, and note the reaction that it uses."""
    left = tuple(standing for standing in transaction.encounter.offers if standing is not offer)
    transaction.encounter = evolve(transaction.encounter, offers=left)
    if offer.reaction and offer.by:
        _use(transaction, offer.reaction, offer.by)


def update_offers(transaction: Transaction) -> None:
    """Remove offers that are no longer possible, and update the text of reactions and lasting offers."""
    here = transaction.encounter
    present = [_as_of_now(here, offer) for offer in here.offers]
    if any(map(is_not, present, here.offers)):
        left = tuple(offer for offer in present if offer is not None)
        transaction.encounter = evolve(here, offers=left)


def without_reactions(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Return the offers that are not reactions."""
    return tuple(offer for offer in offers if not offer.reaction)


def _offer_one(
    transaction: Transaction,
    reaction: Reaction,
    other: str,
    who: str,
    options: object,
    facts: Mapping[str, Any],
) -> None:
    here = transaction.encounter
    reacts, doer = here.combatants[other], here.combatants[who]
    try:
        if not _may_react(here, reaction, reacts, doer):
            return
        scene = _scene(here, reacts, doer, options, facts)
        asks = reaction.offers(scene)
        # A hidden combatant that reacts by itself would give itself away, so the game master decides.
        by_itself = reaction.by_itself(here.house) and not reacts.state.hidden
    except Wrong as mistake:
        # An error in the game's data must not block the turn.
        transaction.say(f"{reacts.name}: {mistake}.", [other])
        return
    if by_itself:
        _react(transaction, reaction, asks, other, who)
    else:
        make_offers(transaction, asks, other, who, reaction.name, scene.reads)


def asks_at_turn_end(encounter: Encounter, who: str, ended: str) -> Iterator[tuple[Reaction, Ask]]:
    """Yield what the game would offer a combatant if the turn of `ended` were over now, as in a forecast.

    Reactions that it has again at the end of a turn count as unused. An error in the game's data offers
    nothing.
    """
    reacts, doer = encounter.combatants[who], encounter.combatants[ended]
    if used := reacts.state.reacted:
        left = tuple(name for name in used if encounter.game.again_of(name) != "turn")
        reacts = reacts.with_state(reacted=left)
    for reaction in encounter.game.reactions_after(TURN_END):
        with suppress(Wrong):
            if _may_react(encounter, reaction, reacts, doer):
                scene = _scene(encounter, reacts, doer, NoOptions(), NOTHING)
                yield from ((reaction, ask) for ask in reaction.offers(scene))


def _may_react(here: Encounter, reaction: Reaction, reacts: Combatant, doer: Combatant) -> bool:
    """Return whether a combatant may react; nobody reacts to a hidden combatant of another side."""
    if reacts.id == doer.id or reacts.state.arrives:
        return False
    friends = reacts.side == doer.side
    if (doer.state.hidden and not friends) or reaction.whose == ("foes" if friends else "allies"):
        return False
    return here.game.spent_by(reaction.name) not in reacts.state.reacted and _is_ready(here, reaction, reacts)


def _is_ready(here: Encounter, reaction: Reaction, reacts: Combatant) -> bool:
    return reaction.ready(reacts.sheet, here.house) and here.status(reacts).acts


def _scene(
    here: Encounter, reacts: Combatant, doer: Combatant, options: object, facts: Mapping[str, Any]
) -> Scene[Any, Any, Any]:
    return Scene(
        actor=reacts.sheet,
        target=doer.sheet,
        options=options,
        house=here.house,
        actor_name=reacts.name,
        target_name=doer.name,
        has_target=True,
        before=facts,
        look=Look(here),
        actor_id=reacts.id,
        target_id=doer.id,
    )


def _react(transaction: Transaction, reaction: Reaction, asks: tuple[Ask, ...], other: str, who: str) -> None:
    """Carry out the first of these that the rules allow."""
    for ask in asks:
        action = transaction.encounter.game.action(ask.action)
        if action is None:
            continue
        target = {"actor": other, "target": who, None: None}[ask.target] if action.targets != "none" else None
        if target is None and action.targets in ("one", "many"):
            continue
        try:
            act(transaction, action, other, target, action.options(**ask.options))
        except Refused:
            continue
        _use(transaction, reaction.name, other)
        return


def _use(transaction: Transaction, reaction: str, who: str) -> None:
    """Note that a combatant has used a reaction; `update_offers` removes those that would spend the same."""
    spent = transaction.encounter.game.spent_by(reaction)
    had = transaction.combatant(who).state.reacted
    transaction.put(transaction.combatant(who).with_state(reacted=tuple(dict.fromkeys((*had, spent)))))


def _as_of_now(here: Encounter, offer: Offer) -> Offer | None:
    """Return an offer as the game would make it now, or None if it is no longer possible.

    A reaction to an action keeps its text, because the facts of the action are no longer known.
    """
    if offer.lasts:
        return as_lasting(here, offer)
    if _is_out_of_action(here, offer) or _is_used(here, offer) or has_escaped(here, offer):
        return None
    if not offer.reaction or _is_unchanged(here, offer):
        return offer
    if not _is_possible(here, offer):
        return None
    reaction, doer = here.game.reaction(offer.reaction), here.combatants.get(offer.reacts_to or "")
    if reaction is None or reaction.after != TURN_END or doer is None or offer.choose:
        return offer
    reacts = here.combatants[str(offer.by)]
    scene = _scene(here, reacts, doer, NoOptions(), NOTHING)
    try:
        asks = reaction.offers(scene)
    except Wrong:
        return offer  # reported when it is offered
    reads = scene.reads
    made = (offer_of(here, ask, reacts.id, doer.id, reaction.name, reads) for ask in asks)
    found = next((now for now in made if now is not None and is_same_offer(now, offer)), None)
    return evolve(found, says=late_words(found.says)) if found and is_late(here, offer) else found


def _is_out_of_action(here: Encounter, offer: Offer) -> bool:
    """Return whether the owner of an offer can no longer take its action."""
    action, owner = here.game.action(offer.action or ""), here.combatants.get(offer.by or "")
    return action is not None and owner is not None and bool(unable_to(here, action, owner))


def _is_used(here: Encounter, offer: Offer) -> bool:
    """Return whether the owner of a reaction's offer has used it since, such as by stepping in."""
    owner = here.combatants.get(offer.by or "")
    return bool(offer.reaction and owner and here.game.spent_by(offer.reaction) in owner.state.reacted)


def _is_unchanged(here: Encounter, offer: Offer) -> bool:
    """Return whether nothing has changed that decides about the offer of a reaction since it was made."""
    if not offer.made_from or offer.target not in (None, offer.reacts_to):
        return False
    *values, reads = offer.made_from
    now = values_of_reaction(here, str(offer.reaction), offer.by, offer.reacts_to)
    return tuple(values) == now and still_reads(here, cast(tuple[Read, ...], reads))


def _is_possible(here: Encounter, offer: Offer) -> bool:
    """Return whether the reaction's owner can still react and its target is still in the fight."""
    reaction, reacts = here.game.reaction(str(offer.reaction)), here.combatants.get(offer.by or "")
    if reaction is None or reacts is None:
        return False
    target = here.combatants.get(offer.target or "")
    if offer.target and (target is None or not here.status(target).in_order):
        return False
    try:
        return _is_ready(here, reaction, reacts)
    except Wrong:
        return True  # reported when it is offered
