"""Ask for what an action needs, or do it where there is nothing to ask."""

from collections.abc import Mapping

from systems.contract.ruleset import Action
from systems.encounter.model import Combatant, Offer
from systems.schema.fields import fields_of
from tui.prompts.own_action import OwnActionPrompt, is_for_the_party
from tui.prompts.targets import TargetPrompt
from tui.services import Question, Services


def prepare(
    services: Services,
    action: Action,
    target: str = "",
    given: Mapping[str, str] | None = None,
    actor: Combatant | None = None,
    asked_by: Question | None = None,
) -> None:
    """Ask for the targets and options of an action, or do it when there is nothing to ask.

    `target`: the id that is marked at first, by default the combatant under the cursor. `given`: options
    that are filled in. `actor`: by default the combatant whose turn it is.
    `asked_by`: the question that is opened again where the action is refused.
    """
    actor = actor or services.actor
    if actor is None:
        services.say("nobody has the turn: n begins the fight, + adds somebody", error=True)
    elif (
        action.targets == "none" and not fields_of(action.options) and not is_for_the_party(services, action)
    ):
        services.command(f"{action.name} by {actor.id}", asked_by=asked_by)
    elif action.targets == "none":
        services.prompts.open(OwnActionPrompt(services, action, actor, given))
    else:
        services.prompts.open(TargetPrompt(services, action, actor, given, marked=target))


def take(services: Services, offer: Offer, asked_by: Question | None = None) -> None:
    """Do what is on offer; where something is left open, ask for it with what is suggested filled in.

    `asked_by`: the question that is opened again where it is refused.
    """
    source = services.source
    action = source.game.action(offer.action or "") if source else None
    by = source.encounter.combatants.get(offer.by or "") if source else None
    if action is not None and by is not None and _leaves_open(action, offer):
        prompt: TargetPrompt
        if action.targets == "none":
            prompt = OwnActionPrompt(services, action, by, offer.options)
        else:
            prompt = TargetPrompt(services, action, by, offer.options, marked=offer.target or "")
        first = next((field for field in prompt.options.fields if field.name in offer.choose), None)
        if first is not None:
            prompt.options.go_to(first)
        services.prompts.open(prompt)
    else:
        services.command(offer.command or "", asked_by=asked_by)


def _leaves_open(action: Action, offer: Offer) -> bool:
    """Whether an offer is a choice or a decision, or leaves the target open."""
    if offer.choose:
        return True
    if action.targets == "none":
        return any(option.needed for option in fields_of(action.options).values())
    return action.targets != "optional" and offer.target is None
