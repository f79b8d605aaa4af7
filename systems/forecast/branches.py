"""Every way an action can turn out, each as the encounter after it, with its exact chance."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from systems.commands.effect_lines import action_of_effect
from systems.commands.effects import sync_conditions
from systems.commands.outcomes import apply_outcome
from systems.commands.scenes import others_of, outcome_of, scene_of
from systems.commands.transaction import Transaction
from systems.contract.action import Action
from systems.contract.fight import Read
from systems.contract.outcome import GivenCondition, Outcome
from systems.contract.table import Suggested, Table
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import Dice
from systems.encounter.model import ActiveCondition, Combatant, Encounter
from systems.frozen import evolve, frozen
from systems.odds.walker import Walker, ways_seen
from systems.odds.weights import Sums
from systems.schema.conversion import plain_of, read
from systems.schema.fields import fields_of

Branch = tuple[Fraction, Encounter]
_PLAIN = frozenset((int, str, bool, type(None)))


@frozen
class Branches:
    """The ways an action can turn out: none if the rules refuse it.

    `reads_pair`: the action looked at actor or target as a part of the fight, so that conditions count which
    change nothing by themselves. `reads_others`: it looked at others, so that more than these two decides.
    `reads`: all that it read about the fight. `summed`: branches that differ only in one field of the target.
    """

    found: tuple[Branch, ...] = ()
    reads_pair: bool = False
    reads_others: bool = False
    reads: tuple[Read, ...] = ()
    summed: tuple["SummedBranch", ...] = ()


@frozen
class SummedBranch:
    """Branches that differ only in one field of the target: the first of them, and the field's values.

    `chances`: for each value its chance.
    """

    first: Encounter
    chances: Mapping[int, Fraction]


def branches_of(
    encounter: Encounter,
    action: Action,
    actor: str,
    target: str | None,
    options: Any,
    most: int,
    summed: str = "",
) -> Branches:
    """Return the encounters after the action, with their chances; none if the rules refuse it.

    Questions get their suggested answers, and nothing is reported. Outcomes that change the same are one
    branch. `summed`: a field of the target; branches that differ only in it stay together. Raises TooManyDice
    above `most` rolls, and Wrong for invalid options.
    """
    used = _used(encounter, action, actor, options)
    if used is None:
        return _branches(encounter, action, actor, target, options, most, summed)
    # An effect that uses another action: the effect is paid, then the other action is carried out.
    paid = _branches(encounter, action, actor, None, options, most)
    found: list[Branch] = []
    reads, reads_pair, reads_others = paid.reads, paid.reads_pair, paid.reads_others
    for chance, here in paid.found:
        then = _branches(here, used[0], actor, target, used[1], most)
        found += [(chance * share, after) for share, after in then.found]
        reads, reads_pair = (*reads, *then.reads), reads_pair or then.reads_pair
        reads_others = reads_others or then.reads_others
    return Branches(tuple(found), reads_pair, reads_others, reads)


def _used(encounter: Encounter, action: Action, actor: str, options: Any) -> tuple[Action, Any] | None:
    """Return the action that an effect of the actor carries out, with its options; None for other actions."""
    found = action_of_effect(encounter, action, encounter.combatants[actor], options)
    if found is None:
        return None
    used, given = found
    return used, read(used.options, {name: plain_of(value) for name, value in given.items()})


def _branches(
    encounter: Encounter,
    action: Action,
    actor: str,
    target: str | None,
    options: Any,
    most: int,
    summed: str = "",
) -> Branches:
    scene = scene_of(encounter, action, actor, target, options)
    alike = _Alike()
    walker = Walker(Suggested())
    walker.only_changes = True
    ways, whole = ways_seen(walker, lambda table: outcome_of(action, scene, table), alike.number_of, most)
    if any(outcome.refused is not None for outcome in alike.outcomes):
        return Branches(reads=scene.reads)
    others = others_of(encounter, action, scene.options)
    found: list[Branch] = []
    together: list[SummedBranch] = []
    parts = ((alike.outcomes[number], Fraction(many, whole)) for number, many in ways.items())
    for outcome, chance, values in _merged(parts):
        for share, gives in _shared(outcome.gives):
            given = evolve(outcome, gives=gives) if gives != outcome.gives else outcome
            after = _after(encounter, given, action, actor, target, others)
            if values is None:
                found.append((chance * share, after))
                continue
            who, name = {"actor": actor, "target": target, **others}[values.role] or "", values.field
            if name == summed and who == target:
                chances = {value: part * share for value, part in values.chances.items()}
                together.append(SummedBranch(after, chances))
                continue
            for value, part in values.chances.items():
                here = after.with_combatants(after.combatants[who].with_sheet({name: value}))
                found.append((part * share, here))
    pair = {("person", who) for who in (actor, target) if who}
    # That nobody is ready to interrupt says nothing about the others.
    read = {what for what, value in scene.reads if value != frozenset()}
    return Branches(tuple(found), bool(read & pair), bool(read - pair), scene.reads, tuple(together))


@frozen
class _PossibleValues:
    """The values of one changed field in outcomes that differ in nothing else, with their chances."""

    role: str
    field: str
    chances: dict[int, Fraction]


def _merged(
    outcomes: Iterable[tuple[Outcome, Fraction]],
) -> Iterator[tuple[Outcome, Fraction, _PossibleValues | None]]:
    """Yield outcomes with their chances; those with a number that represents several are put together.

    Such an outcome has the first of these values. Between two levels of damage nothing else differs.
    """
    together: dict[Hashable, tuple[Outcome, Fraction, _PossibleValues]] = {}
    for outcome, chance in outcomes:
        several = [
            (role, name, value)
            for role, fields in outcome.changes.items()
            for name, value in fields.items()
            if isinstance(value, Sums)
        ]
        if not several:
            yield outcome, chance, None
            continue
        [(role, name, sums)] = several
        one = next(iter(sums.ways))
        changes = {**outcome.changes, role: {**outcome.changes[role], name: one}}
        first = evolve(outcome, changes=changes)
        others = {
            other: fields if other != role else {**fields, name: None} for other, fields in changes.items()
        }
        key = (_key(evolve(outcome, changes=others)), outcome.hurt)
        _, before, values = together.setdefault(key, (first, Fraction(0), _PossibleValues(role, name, {})))
        together[key] = together[key][0], before + chance, values
        for value, many in sums.ways.items():
            values.chances[value] = values.chances.get(value, Fraction(0)) + chance * many / sums.total
    yield from together.values()


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
    used = _used(encounter, action, actor, options)
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
        found.append((Fraction(1, plays), transaction.encounter))
    return Branches(tuple(found), reads_others=True)


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


def _shared(gives: Sequence[GivenCondition]) -> Iterator[tuple[Fraction, tuple[GivenCondition, ...]]]:
    """Yield each combination of the conditions of rolls that made no branch, with its chance."""
    rolls: dict[int, dict[bool, Fraction]] = {}
    for share in (given.share for given in gives):
        if share is not None:
            chance = Fraction(share.many, share.of)
            rolls[share.roll] = {share.result: chance, not share.result: 1 - chance}
    for results in product(*(ways.items() for ways in rolls.values())):
        known = {roll: result for roll, (result, _) in zip(rolls, results, strict=True)}
        chance = Fraction(1)
        for _, each in results:
            chance *= each
        if chance:
            yield (
                chance,
                tuple(
                    evolve(given, share=None)
                    for given in gives
                    if given.share is None or known[given.share.roll] == given.share.result
                ),
            )


def hashable(fields: Mapping[str, object]) -> Hashable:
    """Return a key that is equal for equal fields, also if one of them is a table."""
    key = tuple(fields.items())
    try:
        hash(key)
    except TypeError:
        return repr(key)
    return key


def changed_fields(now: Combatant, first: Combatant) -> Hashable:
    """Return a key for the fields of a sheet that have changed since `first`."""
    if now.sheet is first.sheet:
        return ()
    values, before = vars(now.sheet), vars(first.sheet)
    return hashable(
        {
            name: value
            for name in fields_of(type(now.sheet))
            if (value := values[name]) is not before[name] and value != before[name]
        }
    )


def felt(encounter: Encounter, combatant: Combatant) -> tuple[ActiveCondition, ...]:
    """Return the conditions of a combatant that change something by the game's rules, without being read."""
    known = ((held, encounter.game.condition(held.name)) for held in combatant.conditions)
    return tuple(held for held, own in known if own and (own.effects or own.field or own.acting))
