"""Work out the list of actions: by group, those that the rules refuse now last, and what is on offer."""

from collections.abc import Callable, Mapping

from systems.commands.actions import typed_options
from systems.contract.ruleset import Action
from systems.encounter.completion import lacking
from systems.encounter.model import Combatant, Offer
from systems.errors import Wrong
from systems.schema.fields import Field, fields_of
from systems.schema.types import Choice
from tui.display.frame import offer_does
from tui.lists.action_list import ActionRow, OfferRow
from tui.lists.given_options import given_out_of_turn
from tui.lists.possible_targets import PossibleTargets
from tui.lists.prepared_action import lacks_words
from tui.services import ActionSource

GROUPS = ("combat", "check", "turn", "health", "camp")
# So many targets are tried before an action counts as refused.
MOST_TRIED = 12


def action_rows(
    source: ActionSource,
    actor: Combatant | None,
    keys: Mapping[str, str],
    in_time: Callable[[], bool] = lambda: True,
) -> tuple[ActionRow, ...]:
    """Return the actions by group, those that the rules refuse last.

    `keys`: the key of an action by its name. Refusals are found out for as long as `in_time` says so.
    """
    actions = [action for group in GROUPS for action in source.game.actions if action.group == group]
    rows = [
        ActionRow(
            action.name,
            action.group,
            action.title,
            action.help,
            keys.get(action.name, ""),
            refusal_of(source, actor, action) if actor is not None and in_time() else "",
        )
        for action in actions
    ]
    return tuple(sorted(rows, key=lambda row: bool(row.refused)))


def offers_of(source: ActionSource, odds: Callable[[Offer], str]) -> tuple[OfferRow, ...]:
    """Return what is on offer. `odds`: those of an offer in words."""
    return tuple(
        OfferRow(offer.command, offer.says, odds(offer), offer_does(offer, source.encounter))
        if offer.command
        else OfferRow("", offer.says)
        for offer in source.encounter.offers
    )


def refusal_of(source: ActionSource, actor: Combatant, action: Action) -> str:
    """Why the rules refuse an action now, against any target; "" where they do not.

    Where a choice has to be made, such as a last breath: why they refuse each of them.
    """
    if lacks := lacking(actor.sheet, action.options):
        return lacks_words(actor, lacks)
    given = given_out_of_turn(source.encounter, action, [actor.id])
    reasons: list[str] = []
    for chosen in _choices(action, given):
        reasons.append(_refusal_with(source, actor, action, {**given, **chosen}))
        if not reasons[-1]:
            return ""
    return next(iter(reasons), "")


def is_asked_for_first(action: Action, actor: Combatant) -> bool:
    """Return whether a refusal is found out before the action is asked for.

    That is so for an action that is nothing but a choice, and for one that needs what the actor lacks.
    """
    return asks_for_a_choice(action) or bool(lacking(actor.sheet, action.options))


def asks_for_a_choice(action: Action) -> bool:
    """Return whether an action at nobody is nothing but a choice that has to be made."""
    return action.targets == "none" and bool(_needed_choice(action, {}))


def _needed_choice(action: Action, given: Mapping[str, str]) -> tuple[Field, Choice] | None:
    """The only option that has yet to be given, where that is one of a few words."""
    needed = [
        field for field in fields_of(action.options).values() if field.needed and field.name not in given
    ]
    kind = needed[0].type if len(needed) == 1 else None
    return (needed[0], kind) if isinstance(kind, Choice) else None


def _choices(action: Action, given: Mapping[str, str]) -> list[dict[str, str]]:
    """What may be given besides, to find out whether the rules refuse all of it."""
    if found := _needed_choice(action, given):
        field, kind = found
        return [{field.name: value} for value in kind.values]
    return [{}]


def _refusal_with(source: ActionSource, actor: Combatant, action: Action, given: Mapping[str, str]) -> str:
    try:
        options = typed_options(action, given)
    except Wrong:  # one has to be given
        return ""
    aims: list[str | None] = [None]
    if action.targets in ("one", "many"):
        possible = PossibleTargets(source, action, actor).everybody[:MOST_TRIED]
        aims = [target.id for target in possible if target]
    reasons: list[str] = []
    for aim in aims:
        try:
            reasons.append(source.refusal(action, actor.id, aim, options))
        except Exception:  # noqa: BLE001 - a rule that fails is told when it is carried out; the list is there
            return ""
        if not reasons[-1]:
            return ""
    return next(iter(reasons), "nobody is here to aim at")
