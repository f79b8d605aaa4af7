"""The combatants that an action could be aimed at, in the order of the list."""

from systems.contract.action import Action
from systems.encounter.model import Combatant, Encounter
from systems.visibility.rows import band
from tui.services import ActionSource

# Health bands, the worst first.
HURT = ("down", "badly hurt", "hurt", "fresh")


class PossibleTargets:
    """The possible targets of one action, in the order of the list.

    The side that the action is meant for comes first: the actor's last target, then the others in turn order,
    fallen combatants after them, hidden combatants last. An action for `friends` begins with the combatant in
    the worst health. The other side follows. The actor belongs to its own side. `everybody` begins with None
    if the action needs no target.
    """

    def __init__(self, source: ActionSource, action: Action, actor: Combatant, *, friends: bool) -> None:
        encounter: Encounter = source.encounter
        self.friends = friends
        last = source.last_target(actor.id)

        def rank(combatant: Combatant, acts: bool) -> int:
            return HURT.index(band(combatant, encounter).text) if friends else int(not acts)

        here = [
            (
                (combatant.side == actor.side) != friends,
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
        # The number of targets above the rule; all of them if no rule is needed.
        self.usual = len(nobody) + sum((other.side == actor.side) == friends for other in ranked)

    @property
    def rule(self) -> str:
        """Return the label of the rule between the two sides; "" if no rule is needed."""
        if self.usual in (0, len(self.everybody)):
            return ""
        return "others" if self.friends else "friends"
