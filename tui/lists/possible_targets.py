"""Whom an action may be aimed at, in the order of the list: the likeliest first, the others behind a rule."""

from systems.contract.ruleset import Action
from systems.encounter.model import Combatant, Encounter
from systems.visibility.rows import band
from tui.services import ActionSource

# How somebody looks, the worst first.
HURT = ("down", "badly hurt", "hurt", "fresh")


class PossibleTargets:
    """The possible targets of one action. `everybody` begins with None where the action needs no target.

    The targets that the action is for come first: the actor's last target, then the others in the order of
    turns, the fallen after them, hidden ones at the end. An action for friends begins with the combatant that
    looks worst. The other side follows; the actor itself is among its own.
    """

    def __init__(self, source: ActionSource, action: Action, actor: Combatant) -> None:
        encounter: Encounter = source.encounter
        self._action = action
        last = source.last_target(actor.id)

        def rank(combatant: Combatant, acts: bool) -> int:
            return HURT.index(band(combatant, encounter).text) if action.friends else int(not acts)

        here = [
            (
                not is_usual(action, actor, combatant),
                not combatant.in_sight and combatant.id != last,
                rank(combatant, status.acts),
                combatant.id != last,
                at,
                combatant,
            )
            for at, combatant in enumerate(encounter.in_line())
            if (action.itself or combatant.id != actor.id)
            and not combatant.state.arrives
            and (status := encounter.status(combatant)).in_order
        ]
        ranked = [combatant for *_, combatant in sorted(here, key=lambda ranked: ranked[:5])]
        nobody: list[Combatant | None] = [None] if action.targets == "optional" else []
        self.everybody: list[Combatant | None] = [*nobody, *ranked]
        # How many stand above the rule; all of them where no rule is needed.
        self.usual = len(nobody) + sum(is_usual(action, actor, combatant) for combatant in ranked)

    @property
    def rule(self) -> str:
        """What stands on the rule above the rest; "" where there is none."""
        if self.usual in (0, len(self.everybody)):
            return ""
        return "others" if self._action.friends else "friends"


def is_usual(action: Action, actor: Combatant, target: Combatant) -> bool:
    """Return whether a target is of the side that an action is for: the others, or the actor's own."""
    return (target.side == actor.side) == action.friends
