"""Effects as data, as a game uses them: the action that runs a line, and what an attack asks.

The parts that run effects are loaded with the first effect.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from systems.contract.action import Action, AnyScene, Refusal
from systems.contract.outcome import Ask, GivenCondition, Outcome
from systems.contract.reaction import TURN_END, Interrupt, Reaction, UsableAgain
from systems.contract.ruleset import HAPPENS
from systems.contract.table import Table
from systems.effects.field import running
from systems.effects.meaning import (
    ACTION,
    AURA,
    COUNTS,
    ITSELF,
    RECHARGES,
    STOPPER,
    STOPS,
    EffectMeaning,
    EffectOptions,
    is_aura,
    lines_of,
)
from systems.errors import Wrong, unknown
from systems.frozen import frozen
from systems.schema.conversion import entry_named, replace
from systems.text import find_word, shown

if TYPE_CHECKING:
    from systems.contract.interrupt import Interrupted
    from systems.effects.attacks import BeforeRoll, OnHit
    from systems.effects.words import EffectLine

SAVING = "saving"  # the moment of a save before it counts
USED = "used"  # the moment of an action before it counts
REACTION = "reaction"  # what all interrupts and reactions of effects spend together
FACTS = {
    "effect": "its name",
    "failed": "the saving throw failed; absent without one",
    "damage": "the damage that reached the target",
    "rolled": "the sum rolled for each type of damage, in order",
    "healed": "hit points restored",
    "recharged": "the die restored it",
    "chosen": "the effect that was chosen",
    "stopped": "another combatant has stopped it; absent if none has",
}


@frozen(eq=False)
class Effects:
    """The effects of one game, for its actions and for the tracker."""

    meaning: EffectMeaning
    action: str = ACTION

    def lines(self, sheet: Any) -> Sequence["EffectLine"]:
        """Return the effects of a sheet."""
        return self.meaning.lines(sheet)

    def without_lines(self, sheet: Any) -> Any:
        """Return a sheet without its effects, for viewers who do not know them."""
        return replace(sheet, effects=()) if sheet.effects else sheet

    def loose_names(self, sheet: Any, entries: Collection[str] = ()) -> Iterator[Wrong]:
        """Yield an error for each name that means nothing: no attack, effect, type or roster entry."""
        known, effects = self.meaning.names(sheet), [line.name for line in sheet.effects]
        counters = self.meaning.counters(sheet)
        for at, line in enumerate(sheet.effects):
            forms = (line.form,) if line.form not in (None, ITSELF) else ()
            # A line that stops an action names those of others.
            named = (("of", () if line.stops else line.of, known), ("choose", line.choose, effects))
            joined = (
                ("bring", (line.bring,) if line.bring not in (None, ITSELF) else (), entries),
                ("form", forms, entries),
            )
            for field, names, there in (*named, *joined):
                for place, name in enumerate(names):
                    if there and find_word(name, there) is None:
                        path = f"effects[{at}].{field}" + (f"[{place}]" if field in ("of", "choose") else "")
                        where = "in the roster" if there is entries else "on this sheet"
                        yield unknown(path, f"there is no {shown(name)} {where}", name, there)
            for place, name in enumerate(line.choose):
                chosen = entry_named(sheet.effects, name)
                if chosen is not None and (chosen.choose or chosen.use):
                    path = f"effects[{at}].choose[{place}]"
                    has = "has a choice of its own" if chosen.choose else "uses another action"
                    yield Wrong(path, f"{shown(name)} {has}; name effects without choose and use")
            known_saves = self.meaning.saves(sheet)
            if line.save is not None and known_saves and find_word(line.save, known_saves) is None:
                says = f"there is no save or skill {shown(line.save)}"
                yield unknown(f"effects[{at}].save", says, line.save, known_saves)
            if line.spends is not None and self.meaning.left(sheet, line.spends) is None:
                says = f"there is no counter {shown(line.spends)} on this sheet"
                yield unknown(f"effects[{at}].spends", says, line.spends, counters)
            if line.use is not None:
                yield from self._loose_use(sheet, line, f"effects[{at}].use")
        yield from running().misspelt_words(self.meaning, sheet)
        yield from self.meaning.misspelt(sheet)

    def _loose_use(self, sheet: Any, line: Any, path: str) -> Iterator[Wrong]:
        """Yield an error if `use` names nothing on the sheet, or an effect that carries out another one."""
        used = entry_named(sheet.effects, line.use)
        if self.meaning.use(sheet, line.use) is None and used is None:
            known = [*self.meaning.names(sheet), *(each.name for each in sheet.effects if each is not line)]
            yield unknown(path, f"there is no {shown(line.use)} on this sheet", line.use, known)
        elif self.meaning.use(sheet, line.use) is None and used is not None and used.use is not None:
            yield Wrong(path, f"{shown(line.use)} carries out another action; name that one")

    def line(self, lines: Sequence[Any], options: Any) -> Any | None:
        """Return the line that happens by these options of the action, or None."""
        return entry_named(lines, options.effect) if options.does == HAPPENS else None

    def uses(self, sheet: Any, line: Any) -> tuple[str, Mapping[str, object]] | None:
        """Return the action that a line carries out, and its options, or None."""
        if line.use is None:
            return None
        found = self.meaning.use(sheet, line.use)
        return found or (self.action, {ACTION: line.use})

    def aims(self, lines: Sequence[Any], line: Any) -> Any | None:
        """Return the line that says whom an effect affects; None if a person chooses."""
        return running().aiming_line(lines, line)

    def due(self, lines: Iterable[Any], when: str) -> Iterator[tuple["EffectLine", str]]:
        """Yield the lines that this moment concerns, each with the value of the option `does`."""
        for line in lines:
            if when == "damaged" and line.summed:
                yield line, COUNTS
            if line.when == when and not line.offered:
                yield line, HAPPENS
            if when == "damaged" and line.stopped_by and not line.stopped:
                yield line, STOPS
            if when == "start" and line.recharge is not None and line.spent:
                yield line, RECHARGES

    def applies(
        self, line: Any, does: str, scene: AnyScene, damage: Sequence[tuple[str, int]] = (), by: str = ""
    ) -> bool:
        """Return whether a line happens now. `damage`: the damage that sets it off, by type; `by`: whose.

        The actor of the scene is the owner of the line, and the target the combatant that it affects.
        """
        found: bool = running().applies_now(self.meaning, line, does, scene, damage, by)
        return found

    def reached(self, before: Any, after: Any, house: Any) -> list[str]:
        """Return the moments that a change of a sheet reaches: `bloodied` and `zero`."""
        then, now = self.meaning.states(before, house), self.meaning.states(after, house)
        return [state for state in ("bloodied", "zero") if state in now and state not in then]

    def before_roll(self, scene: AnyScene, attack: str) -> "BeforeRoll | None":
        """Return what the effects of both sides change about an attack; None if they have none."""
        own = lines_of(self.meaning, scene, "actor") or lines_of(self.meaning, scene, "target")
        if not own and not (scene.fight and scene.fight.ready(AURA)):
            return None
        found: BeforeRoll = running().before_roll(self.meaning, scene, attack)
        return found

    def before_check(self, scene: AnyScene, name: Literal["saves", "checks"]) -> "BeforeRoll | None":
        """Return what effects change about a save or a check of the actor; None if it has none."""
        if not lines_of(self.meaning, scene, "actor") and not (scene.fight and scene.fight.ready(AURA)):
            return None
        found: BeforeRoll = running().before_check(self.meaning, scene, name)
        return found

    def on_hit(
        self,
        scene: AnyScene,
        table: Table,
        attack: str,
        edge: int,
        *,
        is_critical: bool = False,
        when: Literal["hit", "missed"] = "hit",
    ) -> "OnHit | None":
        """Return the effects of a hit or a miss, or None if there are none.

        It rolls the saves that decide about damage.
        """
        if not lines_of(self.meaning, scene, "actor"):
            return None
        found: OnHit | None = running().on_hit(
            self.meaning, scene, table, attack, edge, when, is_critical=is_critical
        )
        return found

    def after_save(
        self, scene: AnyScene, attack: str, *, failed: bool
    ) -> tuple[tuple[GivenCondition, ...], tuple[str, ...]]:
        """Return the conditions that follow the save against an area, and reminders."""
        if not lines_of(self.meaning, scene, "actor"):
            return (), ()
        found: tuple[tuple[GivenCondition, ...], tuple[str, ...]] = running().after_save(
            self.meaning, scene, attack, failed=failed
        )
        return found

    def interrupts(self, *, again: UsableAgain = "own_turn") -> tuple[Interrupt, ...]:
        """Return the interrupts of effects: before an attack, a save or a whole action counts.

        `again`: when a combatant has its reaction again.
        """
        return (
            self._interrupt("effect_attacked", "target", "own", again),
            self._interrupt("effect_protects", "friends", "allies", again),
            self._interrupt("effect_hinders", "opponents", "any", again),
            Interrupt(
                STOPPER,
                "Use an effect of the sheet that stops the action.",
                USED,
                lambda scene, owner: running().stoppers(self.meaning, scene, owner),
                whose="opponents",
                ready=lambda sheet, house: any(line.stops for line in self.meaning.lines(sheet)),
                again=again,
                spends=REACTION,
            ),
            *(self._save_interrupt(whose, again) for whose in ("target", "actor", "others")),
            # It never interrupts; the fight finds the owners of auras by it.
            Interrupt(
                AURA,
                "An effect of the sheet that always counts for others.",
                "always",
                lambda scene, owner: (),
                whose="others",
                ready=lambda sheet, house: any(map(is_aura, self.meaning.lines(sheet))),
            ),
        )

    def stopped(self, scene: AnyScene, table: Table) -> "Interrupted":
        """Return whether others stop the actor's action before it counts; an action asks after refusals."""
        found: Interrupted = running().stopped(scene, table)
        return found

    def _save_interrupt(self, whose: Literal["target", "actor", "others"], again: UsableAgain) -> Interrupt:
        return Interrupt(
            f"effect_saves_{whose}",
            "Use an effect of the sheet that raises or lowers a saving throw.",
            SAVING,
            lambda scene, owner: running().save_changes(self.meaning, scene, owner),
            whose=whose,
            ready=lambda sheet, house: any(line.when == SAVING for line in self.meaning.lines(sheet)),
            again=again,
            spends=REACTION,
        )

    def _interrupt(
        self, name: str, whose: Literal["target", "friends", "opponents"], lines: str, again: UsableAgain
    ) -> Interrupt:
        return Interrupt(
            name,
            "Use an effect of the sheet that raises the defence or lowers the attack roll.",
            "attacked",
            lambda scene, owner: running().interruptions(self.meaning, scene, owner, lines),
            whose=whose,
            ready=lambda sheet, house: any(
                line.when == "attacked" and line.whose == lines for line in self.meaning.lines(sheet)
            ),
            again=again,
            spends=REACTION,
        )

    def reactions(self, *after: str, again: UsableAgain = "own_turn") -> tuple[Reaction, ...]:
        """Return the reactions that offer effects: at the end of others' turns, and after these actions."""
        return tuple(self._reaction(action, again) for action in (TURN_END, *after))

    def _reaction(self, after: str, again: UsableAgain) -> Reaction:
        def is_offered(line: "EffectLine") -> bool:
            when = "end" if after == TURN_END else "used"
            return line.offered and line.when == when and line.whose != "own"

        def offers(scene: AnyScene) -> tuple[Ask, ...]:
            lines = [line for line in self.meaning.lines(scene.actor) if is_offered(line)]
            found: tuple[Ask, ...] = running().offers(self.meaning, scene, lines, after)
            return found

        return Reaction(
            f"effect_after_{after}",
            "Use an effect of the sheet after another combatant's action or turn.",
            after,
            offers,
            whose="others",
            ready=lambda sheet, house: any(map(is_offered, self.meaning.lines(sheet))),
            quiet=True,
            menu=lambda sheet, house: running().menu_of(
                self.meaning, sheet, [line for line in self.meaning.lines(sheet) if is_offered(line)]
            ),
            again="turn" if after == TURN_END else again,
            spends="" if after == TURN_END else REACTION,
        )

    def run(self, scene: AnyScene, table: Table) -> Outcome:
        """Run the line that the options name."""
        outcome: Outcome = running().run(self.meaning, scene, table)
        return outcome


def _heading(scene: AnyScene, facts: Sequence[Mapping[str, Any]]) -> str:
    """Return `Boss: Fire Breath on 3.` for an effect on several targets."""
    return f"{scene.who_acts}: {facts[0].get(ACTION, ACTION)} on {len(facts)}." if len(facts) > 1 else ""


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
        heals="healed",
        itself=True,
        unable=True,
        heading=_heading,
        names_use=ACTION,
    )
