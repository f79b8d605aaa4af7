"""What a combatant may do at the end of another's turn by a reaction that the game offers, such as legendary
actions.
"""

from collections.abc import Iterator
from typing import Any

from systems.commands.reactions import asks_at_turn_end
from systems.contract.policy import Aim, Move
from systems.contract.reaction import TURN_END
from systems.contract.ruleset import Ruleset
from systems.encounter.model import Encounter
from systems.forecast.moves import policy_of
from systems.frozen import frozen


@frozen
class TurnEndMove:
    """A move at the end of another's turn.

    `spends`: moves with the same word exclude each other at the end of one turn. `target`: the id of its only
    possible target, "" if it has a choice.
    """

    move: Move
    spends: str
    target: str = ""


def acts_after_turns(game: Ruleset) -> bool:
    """Return whether a game offers anything at the end of another's turn."""
    return bool(game.reactions_after(TURN_END))


def is_paid_late(game: Ruleset) -> bool:
    """Return whether a reaction to the end of a turn costs nothing of its own turn that has begun since."""
    return any(reaction.late is not None for reaction in game.reactions_after(TURN_END))


def with_late_cost_back(encounter: Encounter, who: str, spends: str) -> Encounter:
    """Return the encounter in which a combatant has back what a reaction before its turn has cost.

    `spends`: the word of the reaction, as in TurnEndMove.
    """
    combatant = encounter.combatants[who]
    for reaction in encounter.game.reactions_after(TURN_END):
        if reaction.late is not None and spends == (reaction.spends or reaction.name):
            return encounter.with_combatants(
                combatant.with_sheet(reaction.late(combatant.sheet, encounter.house))
            )
    return encounter


def is_ready_after_turns(encounter: Encounter, who: str) -> bool:
    """Return whether a combatant may react to the end of turns, now or once its own turn has come."""
    return encounter.worked_out(encounter.combatants[who].sheet, "known_after_turns", _is_ready)


def is_anybody_ready_after_turns(encounter: Encounter) -> bool:
    """Return whether any combatant may react to the end of turns; see `is_ready_after_turns`."""
    return bool(encounter.finding("known_after_turns", _is_ready))


def _is_ready(game: Ruleset, sheet: Any, house: Any) -> bool:
    return any(reaction.ready(sheet, house) for reaction in game.reactions_after(TURN_END))


def moves_after_turn(encounter: Encounter, who: str, ended: str) -> Iterator[TurnEndMove]:
    """Yield the moves that the game would offer a combatant if the turn of `ended` were over now."""
    game, sheet = encounter.game, encounter.combatants[who].sheet
    for reaction, ask in asks_at_turn_end(encounter, who, ended):
        action = game.action(ask.action)
        if action is None:
            continue
        aim: Aim = "foe"
        if ask.target == "actor" or action.targets == "none":
            aim = "itself"
        elif ask.aims_itself:
            aim = "all foes"
        elif policy_of(game).is_area(sheet, ask.options):
            aim = "foes"
        target = ended if ask.target == "target" and aim != "itself" else ""
        options = {name: value for name, value in ask.options.items() if value is not None}
        yield TurnEndMove(Move(ask.action, options, aim), reaction.spends or reaction.name, target)
