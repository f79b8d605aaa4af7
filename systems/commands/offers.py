"""Offers: what an outcome lets a combatant do next. An offer has an actor, a target and a command."""

from collections.abc import Iterable, Iterator, Mapping

from systems.commands.relevance import refusal_of
from systems.contract.outcome import Ask, Role
from systems.contract.ruleset import Action
from systems.encounter.model import Encounter, Offer
from systems.schema.fields import combatant_options, fields_of
from systems.schema.values import as_typed


def offer_of(
    encounter: Encounter, ask: Ask, actor: str, target: str | None, reaction: str = ""
) -> Offer | None:
    """Return the offer that an ask makes, or None if nobody can help with it.

    If the ask leaves the choice of a helper open, the first combatant of the same side that can help is
    filled in.
    """
    people: dict[Role | None, str | None] = {"actor": actor, "target": target, None: None}
    by, onto = people[ask.by], people[ask.target]
    action = encounter.game.action(ask.action)
    if action is None:
        # The text may mention either combatant. Only players who may see both receive the offer.
        return Offer(
            says=ask.text,
            by=by,
            target=onto or target,
            reaction=reaction or None,
            reacts_to=target if reaction else None,
        )
    options = {name: as_typed(value) for name, value in ask.options.items() if value is not None}
    for name in combatant_options(action.options):
        if name in ask.choose and name not in options:
            helper = next(_helpers(encounter, action, name, ask, by or actor, onto), None)
            if helper is None:
                return None
            options[name] = helper
    return Offer(
        says=ask.text,
        command=action_line(ask.action, [onto] if onto else [], options, by or ""),
        by=by,
        target=onto,
        action=ask.action,
        options=options,
        choose=ask.choose,
        reaction=reaction or None,
        reacts_to=target if reaction else None,
    )


def is_same_offer(offer: Offer, other: Offer) -> bool:
    """Return whether two offers give the same command to the same combatant, whatever their texts say."""
    if not offer.action or not other.action:
        return offer == other
    return (offer.by, offer.command, offer.reaction) == (other.by, other.command, other.reaction)


def _helpers(
    encounter: Encounter, action: Action, option: str, ask: Ask, by: str, onto: str | None
) -> Iterator[str]:
    """Yield the ids of combatants on the side of `by` that the option accepts without a refusal.

    An offer to a visible combatant never names a hidden one.
    """
    owner = encounter.combatants[by]
    for other in encounter.in_line():
        is_near = other.side == owner.side and (other.in_sight or not owner.in_sight)
        if other.id != by and is_near and not other.state.arrives:
            options = action.options(**{**ask.options, option: other.id})
            if not refusal_of(encounter, action, by, onto, options):
                yield other.id


def leaves_open(action: Action, offer: Offer) -> bool:
    """Return whether an offer needs a choice or a decision, or leaves the target open."""
    if offer.choose:
        return True
    if action.targets == "none":
        return any(option.needed for option in fields_of(action.options).values())
    return action.targets != "optional" and offer.target is None


def first_choice(action: Action, offer: Offer) -> str:
    """Return the first option that an offer leaves open, or "" if there is none."""
    return next((name for name in fields_of(action.options) if name in offer.choose), "")


def action_line(action: str, targets: Iterable[str], options: Mapping[str, str], by: str) -> str:
    """Return the command line of an action: name, targets (ids), options as typed, actor."""
    named = ",".join(targets)
    words = [action, named, *(f"{name}={_quoted(word)}" for name, word in options.items())]
    return " ".join(word for word in [*words, f"by {by}" if by else ""] if word)


def _quoted(word: str) -> str:
    return f'"{word}"' if " " in word else word
