"""Offers: what an outcome lets a combatant do next. An offer has an actor, a target and a command."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from systems.commands.relevance import refusal_of
from systems.commands.scenes import unable_to
from systems.contract.action import Action
from systems.contract.fight import Read
from systems.contract.outcome import Ask, Role
from systems.contract.reaction import TURN_END
from systems.encounter.model import Encounter, Offer
from systems.language.tokens import quote
from systems.schema.conversion import replace
from systems.schema.fields import combatant_options, fields_of
from systems.schema.values import as_typed
from systems.text import several


def offer_of(
    encounter: Encounter,
    ask: Ask,
    actor: str,
    target: str | None,
    reaction: str = "",
    reads: tuple[Read, ...] = (),
) -> Offer | None:
    """Return the offer that an ask makes; None if its owner cannot act, or if no combatant can help.

    `reads`: what a reaction read about the other combatants.

    If the ask leaves the choice of a helper open, the first combatant of the same side that can help is
    filled in.
    """
    people: dict[Role | None, str | None] = {"actor": actor, "target": target, None: None}
    by, onto = people[ask.by], people[ask.target]
    about = people[ask.about] if ask.several else None
    action = encounter.game.action(ask.action)
    values = values_of_reaction(encounter, reaction, by, target) if reaction else ()
    if action is None:
        # The text may mention either combatant. Only players who may see both receive the offer.
        return Offer(
            says=ask.text,
            by=by,
            target=onto or target,
            reaction=reaction or None,
            reacts_to=target if reaction else None,
            several=ask.several or None,
            about=about,
        )
    if by and unable_to(encounter, action, encounter.combatants[by]):
        return None
    if (
        ask.quiet
        and by
        and onto is None
        and action.targets in ("one", "many")
        and not _has_enemy(encounter, by)
    ):
        return None
    options = _with_helpers(encounter, action, ask, by or actor, onto)
    if options is None:
        return None
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
        several=ask.several or None,
        about=about,
        lasts=ask.lasts,
        aims_itself=ask.aims_itself,
        quiet=ask.quiet,
        made_from=(*values, reads) if values else (),
    )


def _with_helpers(
    encounter: Encounter, action: Action, ask: Ask, actor: str, target: str | None
) -> dict[str, str] | None:
    """Return the options of an ask with the first helper for each choice; None if no combatant can help."""
    options = {name: as_typed(value) for name, value in ask.options.items() if value is not None}
    for name in combatant_options(action.options):
        if name in ask.choose and name not in options:
            helper = next(_helpers(encounter, action, name, ask.options, actor, target), None)
            if helper is None:
                return None
            options[name] = helper
    return options


def _has_enemy(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant has an enemy left. An offer to a visible one never reveals a hidden one."""
    owner = encounter.combatants[who]
    others = (other for other in encounter if other.side != owner.side and not other.state.arrives)
    return any(encounter.status(other).acts and (other.in_sight or not owner.in_sight) for other in others)


def values_of_reaction(
    encounter: Encounter, reaction: str, by: str | None, doer: str | None
) -> tuple[object, ...]:
    """Return all values that decide whether and how a reaction to the end of a turn is offered.

    Returns nothing for a reaction to an action, because its facts are no longer known.
    """
    found = encounter.game.reaction(reaction)
    reacts, acted = encounter.combatants.get(by or ""), encounter.combatants.get(doer or "")
    if found is None or found.after != TURN_END or reacts is None or acted is None:
        return ()
    return reacts.sheet, acted.sheet, encounter.house, reacts.name, acted.name


def to_take(encounter: Encounter) -> tuple[Offer, ...]:
    """Return the offers with a command, those about what has just happened first.

    Reactions to the end of a turn follow, then the rest of a volley, then the offers that last.
    """
    found = [offer for offer in encounter.offers if offer.command]
    reactions = encounter.game.reactions
    at_turn_end = {reaction.name for reaction in reactions if reaction.after == TURN_END}
    return tuple(
        sorted(found, key=lambda offer: (offer.lasts, bool(offer.actors), offer.reaction in at_turn_end))
    )


def is_quiet(encounter: Encounter, offer: Offer) -> bool:
    """Return whether an offer is a quiet one, such as a legendary action.

    It may stay open for many turns, so the request of a player comes before it.
    """
    if offer.quiet:
        return True
    reaction = encounter.game.reaction(offer.reaction or "")
    return reaction is not None and reaction.quiet


def is_late(encounter: Encounter, offer: Offer) -> bool:
    """Return whether a combatant is still offered something from before its turn that has begun."""
    if not offer.reaction or offer.by is None or offer.by != encounter.progress.turn:
        return False
    reaction = encounter.game.reaction(offer.reaction)
    return reaction is not None and reaction.late is not None


def late_words(says: str) -> str:
    """Return the words for an offer from before a turn that has begun."""
    sign = says[-1:] if says.endswith(("?", ".")) else "?"
    return f"{says.rstrip('?.')}, before its turn{sign}"


def alike(encounter: Encounter, offer: Offer) -> tuple[Offer, ...]:
    """Return the offers that are one question with this one, itself too.

    They are those of several deaths, or the choices that one reaction gives to one combatant.
    """
    if offer.reaction and offer.by:
        menu = (offer.reaction, offer.by)
        return tuple(other for other in encounter.offers if (other.reaction, other.by) == menu)
    if not offer.several:
        return (offer,)
    key = (offer.several, offer.action)
    return tuple(other for other in encounter.offers if (other.several, other.action) == key)


def question_of(encounter: Encounter, offers: Sequence[Offer]) -> str:
    """Return the words for offers that are one question: `Ash Tyrant: 3 legendary actions`."""
    first = offers[0]
    owner = encounter.combatants.get(first.by or "")
    if owner is not None and is_late(encounter, first):
        return late_words(f"{owner.name}: {len(offers)} choices") if len(offers) > 1 else first.says
    if len(offers) > 1 and first.reaction and owner is not None:
        reaction = encounter.game.reaction(first.reaction)
        called = reaction.menu(owner.sheet, encounter.house) if reaction else ""
        return f"{owner.name}: {called or f'{len(offers)} choices'}"
    if len(offers) == 1 or first.several is None:
        return first.says
    names = [encounter.combatants[who].name for offer in offers if (who := offer.about)]
    return first.several.replace("{names}", several(names))


def as_lasting(encounter: Encounter, offer: Offer) -> Offer | None:
    """Return a lasting offer as it is possible now, if need be with another helper; None if it is not."""
    action, by = encounter.game.action(offer.action or ""), offer.by or ""
    if action is None or by not in encounter.combatants:
        return None
    fields = fields_of(action.options)
    given = {name: fields[name].type.typed(word, name) for name, word in offer.options.items()}
    if not refusal_of(encounter, action, by, offer.target, action.options(**given)):
        return offer
    for name in combatant_options(action.options):
        if name in offer.choose:
            helper = next(_helpers(encounter, action, name, given, by, offer.target), None)
            if helper is not None:
                options = {**offer.options, name: helper}
                aimed = [offer.target] if offer.target else []
                line = action_line(action.name, aimed, options, by)
                return replace(offer, options=options, command=line)
    return None


def is_same_offer(offer: Offer, other: Offer) -> bool:
    """Return whether two offers give the same command to the same combatant, whatever their texts say."""
    if not offer.action or not other.action:
        return offer == other
    if (offer.by, offer.reaction) != (other.by, other.reaction):
        return False
    lines = {(each.command or "").removesuffix(f" as {each.reaction}") for each in (offer, other)}
    return len(lines) == 1


def named_apart(offer: Offer, known: Iterable[Offer]) -> Offer:
    """Return a reaction's offer, its line with the name of the reaction if another one has that line."""
    if any(other.command == offer.command and other.reaction != offer.reaction for other in known):
        return replace(offer, command=f"{offer.command} as {offer.reaction}")
    return offer


def is_named_apart(offer: Offer) -> bool:
    """Return whether the line of an offer ends with the name of its reaction."""
    return bool(offer.reaction and offer.command and offer.command.endswith(f" as {offer.reaction}"))


def _helpers(
    encounter: Encounter,
    action: Action,
    option: str,
    given: Mapping[str, object],
    by: str,
    onto: str | None,
) -> Iterator[str]:
    """Yield the ids of combatants on the side of `by` that the option accepts without a refusal.

    An offer to a visible combatant never names a hidden one.
    """
    owner = encounter.combatants[by]
    for other in encounter.in_line():
        is_near = other.side == owner.side and (other.in_sight or not owner.in_sight)
        if other.id != by and is_near and not other.state.arrives:
            options = action.options(**{**given, option: other.id})
            if not refusal_of(encounter, action, by, onto, options):
                yield other.id


def leaves_open(action: Action, offer: Offer) -> bool:
    """Return whether an offer needs a choice or a decision, or leaves the target open."""
    if offer.choose:
        return True
    if action.targets == "none":
        return any(option.needed for option in fields_of(action.options).values())
    return action.targets != "optional" and offer.target is None and not offer.aims_itself


def first_choice(action: Action, offer: Offer) -> str:
    """Return the first option that an offer leaves open, or "" if there is none."""
    return next((name for name in fields_of(action.options) if name in offer.choose), "")


def action_line(action: str, targets: Iterable[str], options: Mapping[str, str], by: str) -> str:
    """Return the command line of an action: name, targets (ids), options as typed, actor."""
    named = ",".join(targets)
    words = [action, named, *(f"{name}={quote(word)}" for name, word in options.items())]
    return " ".join(word for word in [*words, f"by {by}" if by else ""] if word)
