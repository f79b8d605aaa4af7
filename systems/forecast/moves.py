"""The moves of a combatant: those of its game's policy, or an attack with each of its weapons."""

from collections.abc import Iterator
from typing import Any

from systems.contract.policy import Move, Policy
from systems.contract.ruleset import Action, Ruleset
from systems.schema.fields import fields_of
from systems.schema.naming import names_in

# No turn has more actions than this, whatever a policy says.
MOST_ACTIONS = 12


def policy_of(game: Ruleset) -> Policy:
    """Return the game's policy, or one that attacks with each weapon once a turn."""
    return game.policy() if game.policy else Policy(lambda sheet, house: tuple(_attacks(game, sheet)))


def actions_in_turn(game: Ruleset, sheet: Any, house: Any) -> int:
    """Return how many actions a turn of this sheet has at most, from 1."""
    return max(1, min(policy_of(game).times(sheet, house), MOST_ACTIONS))


def _attacks(game: Ruleset, sheet: Any) -> Iterator[Move]:
    """Yield the game's attacks on foes: combat actions with odds and an amount, with each weapon."""
    for action in game.actions:
        is_attack = action.group == "combat" and action.success and action.amount and not action.itself
        if is_attack and action.targets in ("one", "many"):
            yield from _with_each(action, sheet)


def _with_each(action: Action, sheet: Any) -> Iterator[Move]:
    """Yield an attack with each entry of the sheet that its first naming option accepts, such as a weapon."""
    for field in fields_of(action.options).values():
        if field.naming is None or field.naming.of != "actor":
            continue
        kept = field.naming.kept(sheet)
        names = names_in(getattr(sheet, field.naming.field), field.naming.having)
        yield from (Move(action.name, {field.name: name}) for name in names if name not in kept)
        if names:
            return
    yield Move(action.name)
