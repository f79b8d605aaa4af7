"""Exact odds of an action in the current encounter, before it is carried out."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import gcd
from operator import is_
from typing import Any

from systems.commands.aims import aim_at, number_of_aims
from systems.commands.effect_lines import action_of_effect
from systems.commands.effects import barred, given_condition, has_condition, is_apart
from systems.commands.outcomes import apply_outcome
from systems.commands.relevance import refusal_of
from systems.commands.scenes import NOTHING, others_of, out_of_reach, outcome_of, says_near, scene_of
from systems.commands.transaction import Transaction
from systems.contract.action import Action, Need, Scene, needed
from systems.contract.fight import Read
from systems.contract.outcome import Fact, GivenCondition, Outcome
from systems.contract.ruleset import Ruleset
from systems.contract.share import Share, never_of
from systems.contract.table import Suggested, Table
from systems.dice.scripted import ScriptedDice
from systems.encounter.model import Combatant, Encounter
from systems.errors import Wrong
from systems.frozen import evolve, frozen
from systems.odds import Sums, TooManyDice, spread_of, spread_sums, spread_without_sums, ways_of
from systems.schema.conversion import hashable
from systems.schema.fields import fields_of
from systems.sheets import changed
from systems.text import plain_word, with_label

# With more branches, a list of targets would no longer appear at once.
MOST_BRANCHES = 20_000
# The tones of marks that tell something new of a combatant.
_TELLING = ("notice", "warning", "danger")


@frozen
class Preview:
    """The odds of one action on one target.

    - `refused`: the sentence with which the rules refuse it, or "".
    - `works`: the chance that it succeeds.
    - `drops`: the chance that it puts the target out of action, or further out of it (`Ruleset.drops`).
    - `amounts`: each possible amount with its chance.
    - `heals`: the amounts are what it heals, because it does nothing else that has an amount.
    - `results`: for each amount the ways it comes about, such as `hit` and `critical`, the likeliest first.
    - `effects`: what it may bring or end, with its chance, the likeliest first. Certain ends follow, and last
      the effect that says no more than `drops`.
    - `against`: the number that the total is compared with, if there is only one.
    - `needs`: how the total must compare with `against`.
    - `is_rolled`: dice decide what the total is compared with.
    - `notes`: what the game says before the roll; see Action.
    - `too_many`: the damage has too many dice for exact odds. Then `amounts`, `drops` and `effects` are
      unknown.
    - `reads`: what the action read about the other combatants.
    """

    refused: str = ""
    works: Fraction | None = None
    drops: Fraction | None = None
    amounts: Mapping[int, Fraction] = {}
    heals: bool = False
    results: Mapping[int, tuple[str, ...]] = {}
    effects: tuple[tuple[str, Fraction], ...] = ()
    against: int | None = None
    needs: Need = "more"
    is_rolled: bool = False
    notes: Mapping[str, str] = {}
    too_many: bool = False
    reads: tuple[Read, ...] = ()

    @property
    def needed(self) -> str:
        """Return the total that succeeds, such as `12 or more`; "" if it is not one number."""
        return "" if self.against is None else needed(self.against, self.needs)

    @property
    def expected(self) -> Fraction:
        """Return the expected amount."""
        return sum((value * chance for value, chance in self.amounts.items()), Fraction(0))


def preview(
    encounter: Encounter,
    action: Action,
    actor: str,
    target: str | None,
    options: Any,
    earlier: Sequence[str] = (),
    aims: Sequence[str] = (),
    *,
    interrupts: bool = True,
) -> Preview:
    """Return the odds of the action. Raises TooManyDice, and Wrong for invalid options.

    `earlier`: targets that the same command reaches before this one. Changes to the actor that are certain
    after each of them count, such as an attack that is used up. `aims`: all targets of that command, as often
    as they are named, for an action that divides something among them. `interrupts`: count those that others
    are suggested to use; a player does not know of them.
    """
    if (used := action_of_effect(encounter, action, encounter.combatants[actor], options)) is not None:
        if why := refusal_of(encounter, action, actor, None, options):
            return Preview(refused=why)
        action, options = used[0], used[0].options(**used[1])
        if target == actor and not action.itself:
            name = encounter.combatants[actor].name
            return Preview(refused=f"{name} cannot target itself with {action.title}.")
        target = None if action.targets == "none" else target
    action, options = _meant(encounter, action, actor, options)
    encounter, before, refused = _reached.after(encounter, action, actor, tuple(earlier), options)
    if refused:
        return Preview(refused=refused)
    aim = aim_at(action, encounter.combatants[actor].sheet, options, target, aims)
    scene = scene_of(encounter, action, actor, target, options, before, aim)
    if not interrupts and scene.interrupts:
        scene = evolve(scene, interrupts=())
    found = _foreseen(encounter, action, actor, target, scene)
    if found.refused:
        return found
    notes, needs = action.notes(scene), action.needs_in(scene)
    if says_near(encounter) and out_of_reach(action, scene):
        # The list of targets shows the same odds for alike targets, so no name is in these words.
        notes = {**notes, "": ", ".join(filter(None, (notes.get("", ""), "not near")))}
    return evolve(found, notes=notes, needs=needs, reads=scene.reads)


def _meant(encounter: Encounter, action: Action, actor: str, options: Any) -> tuple[Action, Any]:
    """Return the action that the options mean, such as all rays of a spell in place of one attack."""
    found = None
    if action.instead is not None:
        with suppress(Wrong):
            found = action.instead(encounter.combatants[actor].sheet, options)
    other = encounter.game.action(found[0]) if found is not None else None
    if found is None or other is None:
        return action, options
    shared = fields_of(action.options).keys() & fields_of(other.options).keys()
    return other, other.options(**{name: getattr(options, name) for name in shared} | dict(found[1]))


def _foreseen(
    encounter: Encounter, action: Action, actor: str, target: str | None, scene: Scene[Any, Any, Any]
) -> Preview:
    """Return the preview of a scene, without the game's notes. Raises TooManyDice."""
    others = others_of(encounter, action, scene.options)
    consequences = Consequences(encounter, action, actor, target, others)
    words: dict[str, str] = {}
    # Each set of consequences by its key, which is hashed only once for each branch.
    numbers: dict[Hashable, int] = {}
    kept: list[Outcome] = []

    def told(outcome: Outcome) -> tuple[_Effect, ...]:
        found = (
            (effect.words, _share_of(outcome.facts.get(effect.fact), effect.value))
            for effect in action.side_effects
        )
        used = ((used.name, None) for used in outcome.interruptions)
        return (*((words, share) for words, share in found if share is None or share.many), *used)

    def see(outcome: Outcome) -> tuple[Any, ...]:
        """Return a key that tells branches apart, so that equal branches are evaluated once."""
        if outcome.refused is not None:
            words["refused"] = outcome.tell().text
        facts = outcome.facts
        number = numbers.setdefault(consequences.key(outcome), len(kept))
        if number == len(kept):
            kept.append(outcome)
        return (
            facts.get(action.success),
            facts.get(action.amount),
            facts.get(action.heals) if action.heals else None,
            facts.get(action.against),
            told(outcome),
            action.result_words(outcome) if action.amount else "",
            number,
        )

    def run(table: Table) -> Outcome:
        table.brief = True
        return outcome_of(action, scene, table)

    try:
        found, whole = ways_of(run, see, Suggested(), MOST_BRANCHES)
    except TooManyDice:
        if number_of_aims(action, scene.actor, scene.options):
            one = encounter.game.action(encounter.game.default_action)
            title = one.title if one is not None else "attack"
            raise TooManyDice(f"too many dice at once; see the odds of one {title}") from None
        return _without_amounts(action, run)
    if "refused" in words:
        return Preview(refused=words["refused"])
    after = [consequences.of(outcome) for outcome in kept]
    return _summed(action, found, whole, after, _only_way_down(encounter.game))


def _without_amounts(action: Action, run: Callable[[Table], Outcome]) -> Preview:
    """Return the preview without amounts, for damage with too many dice. Raises TooManyDice."""
    if not action.success:
        raise TooManyDice
    found = spread_without_sums(
        run,
        lambda outcome: (
            action.succeeds(outcome.facts.get(action.success)),
            outcome.facts.get(action.against),
        ),
        Suggested(),
        MOST_BRANCHES,
    )
    beaten = {against for _, against in found}
    return Preview(
        works=sum((chance for (works, _), chance in found.items() if works), Fraction(0)),
        against=_only(beaten),
        is_rolled=_is_rolled(beaten),
        too_many=True,
    )


class _Reached:
    """The state after an action has reached its first targets, for the latest encounter, action and options.

    It makes the previews of twenty targets take twenty steps instead of two hundred.
    """

    def __init__(self) -> None:
        self._asked: tuple[Any, ...] = ()
        self._known: dict[tuple[str, ...], tuple[Encounter, Mapping[str, Any], str]] = {}

    def after(
        self, encounter: Encounter, action: Action, actor: str, earlier: tuple[str, ...], options: Any
    ) -> tuple[Encounter, Mapping[str, Any], str]:
        """Return the state after the action has reached all of `earlier`, as `_after_one` does."""
        if not earlier:
            return encounter, NOTHING, ""
        asked = (encounter, action, actor)
        is_same = self._asked and all(map(is_, self._asked[:3], asked)) and self._asked[3] == options
        if not is_same:
            self._asked, self._known = (*asked, options), {}
        if earlier not in self._known:
            here, before, refused = self.after(encounter, action, actor, earlier[:-1], options)
            if not refused:
                here, before, refused = _after_one(here, action, actor, earlier[-1], options, before)
            self._known[earlier] = here, before, refused
        return self._known[earlier]


_reached = _Reached()


def _after_one(
    encounter: Encounter, action: Action, actor: str, target: str, options: Any, before: Mapping[str, Any]
) -> tuple[Encounter, Mapping[str, Any], str]:
    """Return the encounter after the action has reached `target`, the certain facts, and the refusal or "".

    A fact or change is certain if all possible rolls share it. Nothing else is applied.
    """
    scene = scene_of(encounter, action, actor, target, options, before)
    try:
        outcomes = spread_of(
            lambda table: outcome_of(action, scene, table),
            lambda outcome: outcome,
            Suggested(),
            MOST_BRANCHES,
        )
    except TooManyDice:
        return encounter, before, ""
    some = next(iter(outcomes))
    if some.refused is not None:
        return encounter, before, some.tell().text
    certain = _common([outcome.changes.get("actor", {}) for outcome in outcomes])
    subject = encounter.combatants[actor]
    acted = evolve(subject, sheet=changed(subject.sheet, certain))
    return encounter.with_combatants(acted), _common([outcome.facts for outcome in outcomes]), ""


def _common(those: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the entries that all of these mappings share; a fact with several values is not certain."""
    first, *others = those
    return {
        name: value
        for name, value in first.items()
        if type(value) is not Sums and all(name in other and other[name] == value for other in others)
    }


def _only_way_down(game: Ruleset) -> str:
    """Return the only status in which a combatant cannot act, or "" if there are several."""
    found = [status.name for status in game.statuses if not status.acts]
    return found[0] if len(found) == 1 else ""


# An effect in words, and the share of the branch in which it happens; None for the whole branch.
_Effect = tuple[str, Share | None]
_CERTAINLY_NOT = Share(0, False, 0, 1)


def _share_of(fact: Fact, value: Fact) -> Share | None:
    """Return the share of a branch in which a fact has this value; None for the whole branch."""
    if type(fact) is Sums:
        return Share(fact.roll, bool(value), fact.ways.get(value, 0), fact.total)
    return None if fact == value else _CERTAINLY_NOT


def _summed(
    action: Action,
    found: Mapping[tuple[Any, ...], int],
    whole: int,
    after: Sequence[tuple[bool, tuple[_Effect, ...], tuple[str, ...]]],
    way_down: str,
) -> Preview:
    """Return the combined odds of all branches: weights out of `whole`.

    `way_down`: the effect that says no more than `drops`.
    """
    by_success: dict[Fact, int] = {}
    by_result: dict[str, dict[Fact, int]] = {}
    # Many branches have the same effects, and few of them share.
    by_effects: dict[tuple[_Effect, ...], int] = {}
    ends: set[str] = set()
    drops = 0
    beaten: set[Any] = set()
    heals = _only_heals(found)
    for (success, amount, healed, against, told, result, number), ways in found.items():
        down, gained, ended = after[number]
        ends.update(ended)
        by_success[success] = by_success.get(success, 0) + ways
        drops += ways if down else 0
        amounts = by_result.setdefault(result, {})
        done = (healed if heals else amount) or 0
        amounts[done] = amounts.get(done, 0) + ways
        beaten.add(against)
        together = (*told, *gained, *((words, None) for words in ended))
        by_effects[together] = by_effects.get(together, 0) + ways
    values, results = _amounts_of(by_result, whole)
    return Preview(
        # Without the fact there is nothing to succeed in, such as the save against a spell that heals.
        works=_chance_of(action, by_success, whole) if action.success and {None} != {*by_success} else None,
        drops=Fraction(drops, whole),
        amounts=dict(sorted(values.items())) if action.amount else {},
        heals=heals,
        results={
            value: tuple(sorted(filter(None, ways), key=lambda way: -ways[way]))
            for value, ways in results.items()
        }
        if action.amount
        else {},
        effects=_chances_of(by_effects, whole, ends, way_down),
        against=_only(beaten),
        is_rolled=_is_rolled(beaten),
    )


def _chances_of(
    by_effects: Mapping[tuple[_Effect, ...], int], whole: int, ends: Collection[str], way_down: str
) -> tuple[tuple[str, Fraction], ...]:
    """Return each effect with its chance, the likeliest first: weights out of `whole` by effects together.

    A certain one of `ends` comes after the others, and `way_down`, which says no more than `drops`, last.
    """
    # For each effect the numerators of its parts by their denominators.
    parts_of: dict[str, dict[int, int]] = {}
    for together, ways in by_effects.items():
        for effect, (many, of) in _shares_of(together).items():
            common = gcd(ways, of)
            parts = parts_of.setdefault(effect, {})
            parts[of // common] = parts.get(of // common, 0) + ways // common * many

    def place(effect: tuple[str, Fraction]) -> tuple[bool, bool, Fraction]:
        words, chance = effect
        return words == way_down, chance == 1 and words in ends, -chance

    found = (
        (words, sum((Fraction(many, of * whole) for of, many in parts.items()), Fraction(0)))
        for words, parts in parts_of.items()
    )
    return tuple(sorted(found, key=place))


def _only_heals(found: Iterable[tuple[Any, ...]]) -> bool:
    """Return whether some branches heal, and none has another amount."""
    facts = [(amount, healed) for _, amount, healed, *_ in found]
    return any(_is_any(healed) for _, healed in facts) and not any(_is_any(amount) for amount, _ in facts)


def _is_any(fact: Fact) -> bool:
    """Return whether a fact can be other than 0."""
    return any(fact.ways) if type(fact) is Sums else bool(fact)


def _chance_of(action: Action, by_success: Mapping[Fact, int], whole: int) -> Fraction:
    """Return the chance that the action succeeds."""
    ways, total = spread_sums(by_success, whole)
    return Fraction(sum(many for value, many in ways.items() if action.succeeds(value)), total)


def _amounts_of(
    by_result: Mapping[str, Mapping[Fact, int]], whole: int
) -> tuple[dict[int, Fraction], dict[int, dict[str, Fraction]]]:
    """Return the chance of each amount, and the chance of each result in words with that amount."""
    amounts: dict[int, Fraction] = {}
    results: dict[int, dict[str, Fraction]] = {}
    for result, values in by_result.items():
        ways, total = spread_sums(values, whole)
        for value, many in ways.items():
            chance = Fraction(many, total)
            amounts[value] = amounts[value] + chance if value in amounts else chance
            results.setdefault(value, {})[result] = chance
    return amounts, results


def _shares_of(effects: Sequence[_Effect]) -> Mapping[str, tuple[int, int]]:
    """Return each effect with the part of a branch in which it has any of its causes: many out of."""
    found: dict[str, tuple[int, int]] = {}
    shares: dict[str, dict[Share, None]] = {}
    for words, share in effects:
        if share is None:
            found[words] = 1, 1
        else:
            shares.setdefault(words, {})[share] = None
    for words, causes in shares.items():
        if words not in found:
            never, of = never_of(causes)
            found[words] = of - never, of
    return found


def _only(beaten: Collection[int | None]) -> int | None:
    """Return the number that the total is compared with, or None if it depends on the roll."""
    return next(iter(beaten)) if len(beaten) == 1 else None


def _is_rolled(beaten: Collection[int | None]) -> bool:
    """Return whether dice decide the number that the total is compared with."""
    return len({number for number in beaten if number is not None}) > 1


class Consequences:
    """The consequences of the outcomes of one action for its target, or for the actor without one."""

    def __init__(
        self,
        encounter: Encounter,
        action: Action,
        actor: str,
        target: str | None,
        others: Mapping[str, str],
    ) -> None:
        self.encounter, self.action, self.actor, self.target = encounter, action, actor, target
        self.others = others
        self.subject = encounter.combatants[target or actor]
        self._labels: dict[Hashable, str | None] = {}
        self._by_changes: dict[Hashable, tuple[bool, tuple[str, ...]]] = {}
        self.role = "target" if target else "actor"
        known = [who for who in (actor, target, *others.values()) if who]
        self._may_lose = any(self._depends_on_sheet(encounter.combatants[who]) for who in known)

    def key(self, outcome: Outcome) -> Hashable:
        """Return a key that is equal for outcomes with equal consequences."""
        changes, cast = outcome.changes, _cast_words(outcome)
        if not (self._may_lose or outcome.ends):
            return hashable(changes.get(self.role, {})), outcome.gives, cast
        hurt = frozenset(each.role for each in outcome.hurt if each.amount)
        fields = tuple((role, hashable(fields)) for role, fields in changes.items())
        return fields, outcome.gives, outcome.ends, hurt, cast

    def of(self, outcome: Outcome) -> tuple[bool, tuple[_Effect, ...], tuple[str, ...]]:
        """Return whether the subject drops, the effects that it gains, and those that end."""
        changes = outcome.changes.get(self.role, {})
        certain_ones = tuple(given.condition for given in outcome.gives if self._is_certain(given))
        key = hashable(changes), certain_ones
        if key not in self._by_changes:
            self._by_changes[key] = self._of_changes(changes, certain_ones)
        drops, effects = self._by_changes[key]
        shown = {plain_word(effect) for effect in effects}
        given = ((self._label(gives), gives.share) for gives in outcome.gives)
        gained = tuple((label, share) for label, share in given if label and plain_word(label) not in shown)
        may_end = outcome.ends or (self._may_lose and any(outcome.changes.values()))
        certain = tuple((effect, None) for effect in (*effects, *_cast_words(outcome)))
        return drops, (*certain, *gained), self._ended(outcome) if may_end else ()

    def _of_changes(
        self, changes: Mapping[str, object], conditions: Sequence[str]
    ) -> tuple[bool, tuple[str, ...]]:
        """Return whether the subject drops, and what it gains, from changes and certain conditions."""
        game, house, sheet = self.encounter.game, self.encounter.house, self.subject.sheet
        after_sheet = changed(sheet, changes)
        held = [*(each.name for each in self.subject.conditions), *conditions]
        before = self.encounter.status(self.subject)
        after = game.worsened(game.status_word(game.status(after_sheet, house)), held)
        marks = {mark.text for mark in game.glance(sheet, house)}
        effects = tuple(
            with_label(mark.text, mark.column)
            for mark in game.glance(after_sheet, house)
            if mark.tone in _TELLING and mark.text not in marks
        )
        if after.name != before.name:
            recovers = after.name == game.statuses[0].name
            word = f"no longer {before.name}" if recovers else after.name
            # A condition says more than the status that it brings, such as paralyzed and incapacitated.
            effects = (*effects, word) if game.condition(word) else (word, *effects)
        return game.drops(before, after), effects

    def _is_certain(self, gives: GivenCondition) -> bool:
        """Return whether the subject gets a condition in every case, because nothing bars it."""
        if gives.who != self.role or gives.share is not None:
            return False
        return not barred(self.encounter, self.subject, given_condition(gives, self.action, self.actor))

    def _label(self, gives: GivenCondition) -> str | None:
        """Return the label of a given condition, worked out once for all shares of it."""
        lasts = gives.save, gives.escape, gives.ends_when, gives.brought_by
        key = (gives.who, gives.condition, gives.value, lasts)
        if key not in self._labels:
            self._labels[key] = self._given(gives)
        return self._labels[key]

    def _given(self, gives: GivenCondition) -> str | None:
        """Return the label of a given condition as the log writes it.

        None if the subject already has it, and for a condition that the odds don't name.
        """
        own = self.encounter.game.condition(gives.condition)
        if own and not own.foreseen:
            return None
        held = given_condition(gives, self.action, self.actor)
        people = {"actor": self.actor, "target": self.target, **self.others}
        named = people.get(gives.who)
        if named and barred(self.encounter, self.encounter.combatants[named], held):
            return None
        if gives.who == self.role:
            borne = self.subject.conditions
            if is_apart(own, held) and not any(active.source == self.actor for active in borne):
                return held.label_in(self.encounter.game)
            same = any((active.name, active.value) == (held.name, held.value) for active in borne)
            known = same or (gives.value is None and has_condition(self.encounter, self.subject, held.name))
            return None if known else held.label_in(self.encounter.game)
        who = self.encounter.combatants[named].name if named else gives.who
        return f"{held.label_in(self.encounter.game)} for {who}"

    def _depends_on_sheet(self, combatant: Combatant) -> bool:
        """Return whether a change of the sheet may end a condition of a combatant, or one that it gave."""
        known = [self.encounter.game.condition(held.name) for held in combatant.conditions]
        if any(condition and (condition.field or condition.acting) for condition in known):
            return True
        if any(held.ends_when for held in combatant.conditions):
            return True
        return combatant.id in _needed_sources.of(self.encounter)

    def _ended(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the conditions that end or lose value on any combatant, calculated without changing
        anything.
        """
        transaction = Transaction(self.encounter, Table(ScriptedDice(())))
        ends_only = evolve(outcome, gives=(), extra_turn=None)
        apply_outcome(transaction, ends_only, self.action, self.actor, self.target, self.others)
        found = []
        for before in self.encounter:
            after = {held.key: held for held in transaction.combatant(before.id).conditions}
            whose = "" if before.id == self.subject.id else f" for {before.name}"
            for held in before.conditions:
                own = self.encounter.game.condition(held.name)
                if own and not own.foreseen:
                    continue
                if held.key not in after:
                    found.append(f"no longer {held.label_in(self.encounter.game)}{whose}")
                elif after[held.key].value != held.value:
                    found.append(f"{after[held.key].label_in(self.encounter.game)}{whose}")
        return tuple(dict.fromkeys(found))


class _NeededSources:
    """The combatants without whom a condition ends, for the latest encounter."""

    def __init__(self) -> None:
        self._latest: tuple[Encounter, frozenset[str]] | None = None

    def of(self, encounter: Encounter) -> frozenset[str]:
        """Return the ids of these combatants."""
        if self._latest is None or self._latest[0] is not encounter:
            held = (held for combatant in encounter for held in combatant.conditions)
            found = (each.source for each in held if each.source and each.ends_with_source)
            self._latest = encounter, frozenset(found)
        return self._latest[1]


_needed_sources = _NeededSources()


def _cast_words(outcome: Outcome) -> tuple[str, ...]:
    """Return who comes, changes form or goes, in words."""
    if not (outcome.brings or outcome.becomes or outcome.sends):
        return ()
    words = [f"{brought.kind.replace('-', ' ') or 'another'} comes" for brought in outcome.brings]
    forms = [form.kind.replace("-", " ") for form in outcome.becomes]
    words += [f"turns into {form}" if form else "turns back" for form in forms]
    words += ["is away"] * bool(outcome.sends)
    return tuple(dict.fromkeys(words))
