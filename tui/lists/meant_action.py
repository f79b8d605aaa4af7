"""Find the action that options mean instead of the chosen one, such as a grenade's explosion."""

from collections.abc import Mapping

import attrs

from systems.contract.ruleset import Action
from systems.schema.fields import fields_of
from systems.schema.values import as_typed
from tui.lists.prepared_action import PreparedAction
from tui.lists.target_list import Asked, TargetList


def meant_instead(prepared: PreparedAction, asked: Asked) -> tuple[Action, Asked] | None:
    """Return the action that the options mean instead of the prepared one, and the question about it.

    Return None if they belong to the prepared action itself.
    """
    prepared.take(asked)
    options = prepared.options_for(prepared.subject)
    found = None if options is None else prepared.action.instead(prepared.actor.sheet, options)
    action = prepared.source.game.action(found[0]) if found is not None else None
    if found is None or action is None:
        return None
    fields = fields_of(action.options)
    needs: Mapping[str, str] = {name: as_typed(value) for name, value in found[1].items()}
    chosen = {name: word for name, word in {**dict(asked.chosen), **needs}.items() if name in fields}
    field = asked.field if asked.field in fields else ""
    return action, attrs.evolve(asked, chosen=tuple(chosen.items()), field=field)


def with_choices_of(prepared: PreparedAction, found: TargetList) -> TargetList:
    """Return the answer with the prepared action's own choices, so that another weapon can be chosen."""
    own = {option.name: option for option in prepared.shown_options({})}
    options = tuple(
        attrs.evolve(option, choices=own[option.name].choices) if option.name in own else option
        for option in found.options
    )
    return attrs.evolve(found, options=options)
