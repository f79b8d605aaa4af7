"""Every way an action can turn out, each as the encounter after it, with its exact weight.

Weights are whole numbers out of one total, so that counting on with them is fast.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import product
from math import lcm, prod
from typing import Any

from systems.commands.effect_lines import action_of_effect
from systems.commands.effects import sync_conditions
from systems.commands.outcomes import apply_outcome
from systems.commands.scenes import others_of, outcome_of, scene_of
from systems.commands.transaction import Transaction
from systems.contract.action import Action, Scene
from systems.contract.fight import Read
from systems.contract.outcome import GivenCondition, Outcome
from systems.contract.table import Suggested, Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import Dice
from systems.encounter.model import ActiveCondition, Combatant, Encounter
from systems.frozen import asdict, evolve, frozen
from systems.odds.walker import Walker, ways_seen
from systems.odds.weights import Sums
from systems.schema.conversion import hashable, plain_of, read
from systems.schema.fields import fields_of

# A weight out of the whole of its Branches, and the encounter.
Branch = tuple[int, Encounter]
_PLAIN = frozenset((int, str, bool, type(None)))


@frozen
class Branches:
    """The ways an action can turn out: none if the rules refuse it.

    `whole`: the total of all weights. `reads_pair`: the action looked at actor or target as a part of the
    fight, so that conditions count which change nothing by themselves. `reads_others`: it looked at others,
    so that more than these two decides. `reads`: all that it read about the fight. `summed`: branches that
    differ only in one field of the target.
    """

    found: tuple[Branch, ...] = ()
    whole: int = 1
    reads_pair: bool = False
    reads_others: bool = False
    reads: tuple[Read, ...] = ()
    summed: tuple["SummedBranch", ...] = ()


@frozen
class SummedBranch:
    """Branches that differ only in one field of the target: the first of them, and the field's values.

    `ways`: for each value its weight out of the whole of its Branches.
    """

    first: Encounter
    ways: Mapping[int, int]

    def times(self, factor: int) -> "SummedBranch":
        """Return the same with each weight multiplied."""
        return SummedBranch(self.first, {value: weight * factor for value, weight in self.ways.items()})


def branches_of(
    encounter: Encounter,
    action: Action,
    actor: str,
    target: str | None,
    options: Any,
    most: int,
    summed: str = "",
) -> Branches:
    """Return the encounters after the action, with their weights; none if the rules refuse it.

    Questions get their suggested answers, and nothing is reported. Outcomes that change the same are one
    branch. `summed`: a field of the target; branches that differ only in it stay together. Raises TooManyDice
    above `most` rolls, and Wrong for invalid options.
    """
    used = used_by_effect(encounter, action, actor, options)
    if used is None:
        return _branches(encounter, action, scene_of(encounter, action, actor, target, options), most, summed)
    # An effect that uses another action: the effect is paid, then the other action is carried out.
    paid = _branches(encounter, action, scene_of(encounter, action, actor, None, options), most)
    parts: list[tuple[int, int, Branches]] = []
    for weight, here in paid.found:
        then = _branches(here, used[0], scene_of(here, used[0], actor, target, used[1]), most, summed)
        parts.append((weight, paid.whole * then.whole, then))
    whole = lcm(*(of for _, of, _ in parts))
    found: list[Branch] = []
    together: list[SummedBranch] = []
    for weight, of, then in parts:
        factor = weight * (whole // of)
        found += [(many * factor, after) for many, after in then.found]
        together += [each.times(factor) for each in then.summed]
    every = paid, *(then for _, _, then in parts)
    return Branches(
        tuple(found),
        whole,
        any(each.reads_pair for each in every),
        any(each.reads_others for each in every),
        tuple(read for each in every for read in each.reads),
        tuple(together),
    )


def used_by_effect(
    encounter: Encounter, action: Action, actor: str, options: Any
) -> tuple[Action, Any] | None:
    """Return the action that an effect of the actor carries out, with its options; None for other actions."""
    found = action_of_effect(encounter, action, encounter.combatants[actor], options)
    if found is None:
        return None
    used, given = found
    return used, read(used.options, {name: plain_of(value) for name, value in given.items()})


def _branches(
    encounter: Encounter, action: Action, scene: Scene[Any, Any, Any], most: int, summed: str = ""
) -> Branches:
    actor, target = scene.actor_id, scene.target_id or None
    alike = _Alike()
    walker = Walker(Suggested())
    walker.only_changes = True
    ways, whole = ways_seen(walker, lambda table: outcome_of(action, scene, table), alike.number_of, most)
    if any(outcome.refused is not None for outcome in alike.outcomes):
        return Branches(reads=scene.reads)
    others = others_of(encounter, action, scene.options)
    people = {"actor": actor, "target": target, **others}
    found: list[Branch] = []
    together: list[SummedBranch] = []
    merged, whole = _merged([(alike.outcomes[number], many) for number, many in ways.items()], whole)
    parts, whole = _split(merged, whole)
    for weight, outcome, values in parts:
        after = _after(encounter, outcome, action, actor, target, others)
        if values is None:
            found.append((weight, after))
            continue
        who, name = people[values.role] or "", values.field
        share = weight // values.whole
        shares = {value: many * share for value, many in values.ways.items()}
        if name == summed and who == target:
            together.append(SummedBranch(after, shares))
            continue
        changed = after.combatants[who]
        found += [
            (many, after.with_combatants(changed.with_sheet({name: value}))) for value, many in shares.items()
        ]
    pair = {("person", who) for who in (actor, target) if who}
    read = {what for what, value in scene.reads if not _is_same_for_all_foes(encounter, target, value)}
    return Branches(tuple(found), whole, bool(read & pair), bool(read - pair), scene.reads, tuple(together))


def _is_same_for_all_foes(encounter: Encounter, target: str | None, value: object) -> bool:
    """Return whether a value says that nobody is ready to interrupt, or only the target and its friends."""
    if not isinstance(value, frozenset):
        return False
    side = encounter.combatants[target].side if target is not None else ""
    return all(encounter.combatants[who].side == side for who in value)


@frozen
class _PossibleValues:
    """The values of one changed field in outcomes that differ in nothing else, with their weights."""

    role: str
    field: str
    ways: dict[int, int]

    @property
    def whole(self) -> int:
        """Return the total of the weights."""
        return sum(self.ways.values())


_Merged = tuple[int, Outcome, _PossibleValues | None]


def _merged(outcomes: Sequence[tuple[Outcome, int]], whole: int) -> tuple[list[_Merged], int]:
    """Return outcomes with their weights; those with a number that represents several are put together.

    Such an outcome has the first of these values. Between two levels of damage nothing else differs. Also
    return the total of the weights.
    """
    factor = lcm(*(sums.total for outcome, _ in outcomes for _, _, sums in _sums_of(outcome)))
    found: list[_Merged] = []
    together: dict[Hashable, tuple[Outcome, _PossibleValues]] = {}
    for outcome, many in outcomes:
        several = _sums_of(outcome)
        if not several:
            found.append((many * factor, outcome, None))
            continue
        [(role, name, sums)] = several
        one = next(iter(sums.ways))
        changes = {**outcome.changes, role: {**outcome.changes[role], name: one}}
        first = evolve(outcome, changes=changes)
        others = {
            other: fields if other != role else {**fields, name: None} for other, fields in changes.items()
        }
        key = (_key(evolve(outcome, changes=others)), outcome.hurt)
        _, values = together.setdefault(key, (first, _PossibleValues(role, name, {})))
        share = many * (factor // sums.total)
        for value, each in sums.ways.items():
            values.ways[value] = values.ways.get(value, 0) + share * each
    found += [(values.whole, outcome, values) for outcome, values in together.values()]
    return found, whole * factor


def _sums_of(outcome: Outcome) -> list[tuple[str, str, Sums]]:
    """Return the changes of an outcome that represent several values, with role and field."""
    return [
        (role, name, value)
        for role, fields in outcome.changes.items()
        for name, value in fields.items()
        if isinstance(value, Sums)
    ]


def _split(merged: Sequence[_Merged], whole: int) -> tuple[list[_Merged], int]:
    """Split outcomes whose conditions depend on rolls that made no branch; also return the new total."""
    found: list[tuple[int, int, Outcome, _PossibleValues | None]] = []
    for weight, outcome, values in merged:
        for many, of, gives in _shared(outcome.gives):
            given = evolve(outcome, gives=gives) if gives != outcome.gives else outcome
            found.append((weight * many, of, given, values))
    factor = lcm(*(of for _, of, _, _ in found))
    scaled = [(weight * (factor // of), outcome, values) for weight, of, outcome, values in found]
    return scaled, whole * factor


def _after(
    encounter: Encounter,
    outcome: Outcome,
    action: Action,
    actor: str,
    target: str | None,
    others: Mapping[str, str],
) -> Encounter:
    """Return the encounter after an outcome."""
    is_plain = not (outcome.gives or outcome.ends or outcome.interruptions)
    if is_plain and (after := _with_changes(encounter, outcome, actor, target, others)) is not None:
        return after
    transaction = Transaction(encounter, Table(ScriptedDice(())))
    apply_outcome(transaction, outcome, action, actor, target, others)
    return transaction.encounter


def _with_changes(
    encounter: Encounter, outcome: Outcome, actor: str, target: str | None, others: Mapping[str, str]
) -> Encounter | None:
    """Return the encounter with the changed sheets, or None if anybody has a condition, which could end."""
    people = {"actor": actor, "target": target, **others}
    after = encounter
    for role, changes in outcome.changes.items():
        who = people.get(role)
        if who is not None and changes:
            changed = sync_conditions(after, after.combatants[who].with_sheet(changes))
            after = after.with_combatants(changed)
    if any(combatant.conditions for here in (encounter, after) for combatant in here):
        return None
    return after


def sampled_branches(
    encounter: Encounter, action: Action, actor: str, target: str | None, options: Any, dice: Dice, plays: int
) -> Branches:
    """Return the encounters after `plays` random plays of the action, equally likely.

    For actions with too many dice for `branches_of`. None if the rules refuse the action in any of them.
    """
    found: list[Branch] = []
    used = used_by_effect(encounter, action, actor, options)
    steps = (
        [(action, target, options)] if used is None else [(action, None, options), (used[0], target, used[1])]
    )
    for _ in range(plays):
        transaction = Transaction(encounter, Table(dice, Suggested()))
        for step, aimed, given in steps:
            here = transaction.encounter
            scene = scene_of(here, step, actor, aimed, given)
            outcome = outcome_of(step, scene, transaction.table)
            if outcome.refused is not None:
                return Branches()
            apply_outcome(transaction, outcome, step, actor, aimed, others_of(here, step, scene.options))
        found.append((1, transaction.encounter))
    return Branches(tuple(found), plays, reads_others=True)


class _Alike:
    """The outcomes of an action that change different things, numbered from 0."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []
        self._numbers: dict[Hashable, int] = {}
        # By the identity of values that are slow to compare. `_held` keeps them, so that no id is used again.
        self._by_id: dict[Hashable, int] = {}
        self._held: list[Outcome] = []

    def number_of(self, outcome: Outcome) -> int:
        """Return the number of the first outcome that changes the same."""
        key = _key_by_id(outcome)
        number = self._by_id.get(key)
        if number is None:
            self._held.append(outcome)
            number = self._by_id[key] = self._numbers.setdefault(_key(outcome), len(self._numbers))
            if number == len(self.outcomes):
                self.outcomes.append(outcome)
        return number


def _key_by_id(outcome: Outcome) -> Hashable:
    """Return a key that is equal only for outcomes that change the same, and fast to compare."""
    parts: list[object] = []
    for role, fields in outcome.changes.items():
        if fields:
            parts.append(role)
            for name, value in fields.items():
                parts += (name, type(value), value if type(value) in _PLAIN else id(value))
    parts += map(id, outcome.gives)
    parts.append(None)
    parts += map(id, outcome.ends)
    return outcome.facts.get("refused"), *parts


def _key(outcome: Outcome) -> Hashable:
    """Return a key that is equal for outcomes that change the same."""
    if outcome.refused is not None:
        return "refused"
    changes = tuple((role, hashable(fields)) for role, fields in outcome.changes.items() if fields)
    return changes, outcome.gives, outcome.ends


def _shared(gives: Sequence[GivenCondition]) -> Iterator[tuple[int, int, tuple[GivenCondition, ...]]]:
    """Yield each combination of the conditions of rolls that made no branch, with its weight and a total."""
    rolls: dict[int, tuple[int, dict[bool, int]]] = {}
    for share in (given.share for given in gives):
        if share is not None:
            rolls[share.roll] = share.of, {share.result: share.many, not share.result: share.of - share.many}
    of = prod(of for of, _ in rolls.values())
    for results in product(*(ways.items() for _, ways in rolls.values())):
        known = {roll: result for roll, (result, _) in zip(rolls, results, strict=True)}
        if many := prod(each for _, each in results):
            yield (
                many,
                of,
                tuple(
                    evolve(given, share=None)
                    for given in gives
                    if given.share is None or known[given.share.roll] == given.share.result
                ),
            )


def changed_fields(now: Combatant, first: Combatant) -> Hashable:
    """Return a key for the fields of a sheet that have changed since `first`."""
    return hashable(changed_values(now, first))


def changed_values(now: Combatant, first: Combatant) -> dict[str, object]:
    """Return the fields of a sheet that have changed since `first`."""
    if now.sheet is first.sheet:
        return {}
    values, before = asdict(now.sheet), asdict(first.sheet)
    return {
        name: value
        for name in fields_of(type(now.sheet))
        if (value := values[name]) is not before[name] and value != before[name]
    }


def felt(encounter: Encounter, combatant: Combatant) -> tuple[ActiveCondition, ...]:
    """Return the conditions of a combatant that change something by the game's rules, without being read."""
    known = ((held, encounter.game.condition(held.name)) for held in combatant.conditions)
    return tuple(held for held, own in known if own and (own.effects or own.field or own.acting))
