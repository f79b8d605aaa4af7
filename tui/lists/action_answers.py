"""Work out the list of actions: by group, those that the rules refuse now last, and what is on offer."""

from collections.abc import Callable, Mapping

from systems.commands.actions import typed_options
from systems.contract.ruleset import Action
from systems.encounter.model import Combatant, Offer
from systems.errors import Wrong
from tui.display.frame import offer_does
from tui.lists.action_list import ActionRow, OfferRow
from tui.lists.given_options import given_out_of_turn
from tui.lists.possible_targets import PossibleTargets
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
    """Why the rules refuse an action now, against any target; "" where they do not."""
    try:
        options = typed_options(action, given_out_of_turn(source.encounter, action, [actor.id]))
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
