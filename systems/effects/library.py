"""Effects as data, as a game uses them: the action that runs a line, and what an attack asks.

The parts that run effects are loaded with the first effect.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from systems.contract.outcome import Outcome
from systems.contract.ruleset import HAPPENS, Action, Refusal, Scene
from systems.contract.table import Table
from systems.effects.field import running
from systems.effects.meaning import RECHARGES, STOPS, EffectMeaning, EffectOptions, lines_of
from systems.frozen import frozen

if TYPE_CHECKING:
    from systems.effects.attacks import BeforeRoll, OnHit
    from systems.effects.words import EffectLine

AnyScene = Scene[Any, Any, Any]
ACTION = "effect"
FACTS = {
    "failed": "the saving throw failed; absent without one",
    "damage": "the damage that reached the target",
    "rolled": "the sum rolled for each type of damage, in order",
    "healed": "hit points restored",
    "recharged": "the die restored it",
}


@frozen(eq=False)
class Effects:
    """The effects of one game, for its actions and for the tracker."""

    meaning: EffectMeaning
    action: str = ACTION

    def lines(self, sheet: Any) -> Sequence["EffectLine"]:
        """Return the effects of a sheet."""
        return self.meaning.lines(sheet)

    def due(self, lines: Iterable[Any], when: str) -> Iterator[tuple["EffectLine", str]]:
        """Yield the lines that this moment concerns, each with the value of the option `does`."""
        for line in lines:
            if line.when == when:
                yield line, HAPPENS
            if when == "damaged" and line.stopped_by and not line.stopped:
                yield line, STOPS
            if when == "start" and line.recharge is not None and line.spent:
                yield line, RECHARGES

    def applies(self, line: Any, does: str, scene: AnyScene, damage: Sequence[tuple[str, int]] = ()) -> bool:
        """Return whether a line happens now. `damage`: the damage that sets it off, by type.

        The actor of the scene is the owner of the line, and the target the combatant that it affects.
        """
        found: bool = running().applies_now(self.meaning, line, does, scene, damage)
        return found

    def reached(self, before: Any, after: Any, house: Any) -> list[str]:
        """Return the moments that a change of a sheet reaches: `bloodied` and `zero`."""
        then, now = self.meaning.states(before, house), self.meaning.states(after, house)
        return [state for state in ("bloodied", "zero") if state in now and state not in then]

    def before_roll(self, scene: AnyScene, attack: str) -> "BeforeRoll | None":
        """Return what the effects of both sides change about an attack; None if they have none."""
        if not (lines_of(self.meaning, scene, "actor") or lines_of(self.meaning, scene, "target")):
            return None
        found: BeforeRoll = running().before_roll(self.meaning, scene, attack)
        return found

    def on_hit(
        self, scene: AnyScene, table: Table, attack: str, edge: int, *, is_critical: bool
    ) -> "OnHit | None":
        """Return the effects of a hit, or None if there are none. It rolls saves that decide about damage."""
        if not lines_of(self.meaning, scene, "actor"):
            return None
        found: OnHit | None = running().on_hit(
            self.meaning, scene, table, attack, edge, is_critical=is_critical
        )
        return found

    def run(self, scene: AnyScene, table: Table) -> Outcome:
        """Run the line that the options name."""
        outcome: Outcome = running().run(self.meaning, scene, table)
        return outcome


def effect_action(effects: Effects) -> Action:
    """Return the action that runs one effect of the actor, on each target or on the actor itself."""
    return Action(
        effects.action,
        "Use an effect of the sheet, such as an aura or a breath.",
        effects.run,
        EffectOptions,
        targets="many",
        facts=FACTS,
        refusals=(Refusal("uses", "the effect has been used up"),),
        group="turn",
        amount="damage",
        itself=True,
        unable=True,
    )
