"""Find the effects that are due: at the start and end of turns, and after damage.

The functions here only read an encounter. `Transaction.run_effects` carries out what they find.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from systems.commands.scenes import condition_lines
from systems.contract.outcome import Outcome
from systems.contract.ruleset import HAPPENS, EffectRules, Ruleset
from systems.encounter.model import Combatant, Encounter
from systems.frozen import frozen


@frozen
class DueEffect:
    """One line of effects that is due.

    `subject`: the combatant whose moment it is. `does`: see `EffectRules.due`.
    `by`: the combatant that caused the damage. `damage`: the damage that set it off, by type.
    """

    owner: str
    line: Any
    does: str
    subject: str
    by: str = ""
    damage: tuple[tuple[str, int], ...] = ()


def due_at_turn(encounter: Encounter, when: str, who: str) -> Iterator[DueEffect]:
    """Yield the effects that are due at the start or end of a turn of `who`."""
    if encounter.game.effects is not None:
        yield from _due(encounter, encounter.game.effects, when, encounter.combatants[who])


def due_after(
    before: Encounter, now: Encounter, outcome: Outcome, people: Mapping[str, str | None]
) -> Iterator[DueEffect]:
    """Yield the effects that the damage of an outcome sets off. `people`: its combatants by role."""
    rules = now.game.effects
    if rules is None:
        return
    doer = people.get("actor") or ""
    for hurt in outcome.hurt:
        who = people.get(hurt.role) or ""
        if not hurt.amount or who not in now.combatants or who not in before.combatants:
            continue
        subject, by = now.combatants[who], doer if doer != who else ""
        damage = hurt.types or (("", hurt.amount),)
        reached = rules.reached(before.combatants[who].sheet, subject.sheet, now.house)
        for when in ("damaged", *reached):
            yield from _due(now, rules, when, subject, by, damage)


def _due(
    encounter: Encounter,
    rules: EffectRules,
    when: str,
    subject: Combatant,
    by: str = "",
    damage: tuple[tuple[str, int], ...] = (),
) -> Iterator[DueEffect]:
    """Yield the effects of all combatants that a moment of `subject` concerns."""
    has_conditions = encounter.with_conditions()
    for owner in encounter if has_conditions else encounter.finding("known_lines", _lines_of_sheet):
        lines = rules.lines(owner.sheet)
        if owner.conditions:
            lines = (*lines, *condition_lines(encounter, owner))
        for line, does in rules.due(lines, when) if lines else ():
            whose = line.whose if does == HAPPENS else "own"
            if not _is_concerned(whose, owner, subject, by) or owner.state.arrives:
                continue
            # A fallen combatant has no effects but those of its own fall.
            if owner.id == subject.id or encounter.status(owner).in_order:
                yield DueEffect(owner.id, line, does, subject.id, by, damage)


def _lines_of_sheet(game: Ruleset, sheet: Any, house: Any) -> Sequence[Any]:
    return game.effects.lines(sheet) if game.effects is not None else ()


def _is_concerned(whose: str, owner: Combatant, subject: Combatant, by: str) -> bool:
    """Return whether a moment of `subject` concerns an effect of `owner`."""
    if owner.id == subject.id:
        return whose in ("own", "any")
    match whose:
        case "foes":
            return owner.side != subject.side
        case "allies":
            return owner.side == subject.side
        case "target":
            return owner.id == by
    return whose in ("others", "any")


def affected_by(encounter: Encounter, due: DueEffect) -> Iterable[str | None]:
    """Return the combatants that a due effect may affect; None for its owner."""
    match due.line.affected if due.does == HAPPENS else "self":
        case "self":
            return (None,)
        case "target":
            return (None if due.subject == due.owner else due.subject,)
        case "attacker":
            return (due.by,) if due.by and due.by != due.owner else ()
        case several:
            return [each.id for each in _group(encounter, encounter.combatants[due.owner], several)]


def affected_by_line(encounter: Encounter, owner: Combatant, line: Any) -> Iterable[str]:
    """Return the ids of the combatants that a line affects when its owner uses it."""
    if not line.is_for_group:
        return (owner.id,)
    return [each.id for each in _group(encounter, owner, line.affected)]


def _group(encounter: Encounter, owner: Combatant, whose: str) -> Iterator[Combatant]:
    for each in encounter:
        if each.state.arrives or not encounter.status(each).in_order:
            continue
        if whose == "everyone" or (each.id != owner.id and _is_concerned(whose, owner, each, "")):
            yield each
