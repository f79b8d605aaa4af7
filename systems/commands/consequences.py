"""The consequences of one outcome: whether its target drops, and marks and conditions that change."""

from collections.abc import Hashable, Mapping

import attrs

from systems.commands.effects import has_condition
from systems.commands.transaction import Transaction
from systems.contract.outcome import GivenCondition, Outcome
from systems.contract.ruleset import Action, Mark
from systems.contract.table import Table
from systems.dice.scripted import ScriptedDice
from systems.encounter.model import ActiveCondition, Combatant, Encounter
from systems.sheets import changed
from systems.text import plain_word


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
        self.role = "target" if target else "actor"
        known = [who for who in (actor, target, *others.values()) if who]
        self._may_lose = any(self._depends_on_sheet(encounter.combatants[who]) for who in known)

    def key(self, outcome: Outcome) -> Hashable:
        """Return a key that is equal for outcomes with equal consequences."""
        changes = outcome.changes
        if not (self._may_lose or outcome.ends):
            return _key(changes.get(self.role, {})), outcome.gives
        return tuple((role, _key(fields)) for role, fields in changes.items()), outcome.gives, outcome.ends

    def of(self, outcome: Outcome) -> tuple[bool, tuple[str, ...], tuple[str, ...]]:
        """Return whether the subject drops, the effects that it gains, and those that end."""
        changes = outcome.changes.get(self.role, {})
        drops, effects = self._of_changes(changes)
        shown = {plain_word(effect) for effect in effects}
        given = dict.fromkeys(filter(None, map(self._given, outcome.gives)))
        effects += tuple(label for label in given if plain_word(label) not in shown)
        may_end = outcome.ends or (self._may_lose and any(outcome.changes.values()))
        return drops, effects, self._ended(outcome) if may_end else ()

    def _of_changes(self, changes: Mapping[str, object]) -> tuple[bool, tuple[str, ...]]:
        game, house, sheet = self.encounter.game, self.encounter.house, self.subject.sheet
        after_sheet = changed(sheet, changes)
        before, after = self.encounter.status(self.subject), game.status_word(game.status(after_sheet, house))
        marks = {mark.text for mark in game.glance(sheet, house)}
        gained = [mark for mark in game.glance(after_sheet, house) if _tells(mark) and mark.text not in marks]
        effects = tuple(mark.text for mark in gained)
        effects = (after.name, *effects) if after.name != before.name else effects
        return game.drops(before, after), effects

    def _given(self, gives: GivenCondition) -> str | None:
        """Return the label of a given condition as the log writes it.

        None if the subject already has it, and for a condition that the odds don't name.
        """
        own = self.encounter.game.condition(gives.condition)
        if own and not own.foreseen:
            return None
        held = ActiveCondition(name=gives.condition, value=gives.value)
        if gives.who == self.role:
            borne = self.subject.conditions
            same = any((active.name, active.value) == (held.name, held.value) for active in borne)
            known = same or (gives.value is None and has_condition(self.encounter, self.subject, held.name))
            return None if known else held.label_in(self.encounter.game)
        people = {"actor": self.actor, **self.others}
        named = people.get(gives.who)
        who = self.encounter.combatants[named].name if named else gives.who
        return f"{held.label_in(self.encounter.game)} for {who}"

    def _depends_on_sheet(self, combatant: Combatant) -> bool:
        """Return whether a change of the sheet may end a condition of a combatant."""
        known = [self.encounter.game.condition(held.name) for held in combatant.conditions]
        return any(condition and (condition.field or condition.acting) for condition in known)

    def _ended(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the conditions that end or lose value on any combatant, calculated without changing
        anything.
        """
        transaction = Transaction(self.encounter, Table(ScriptedDice(())))
        ends_only = attrs.evolve(outcome, gives=(), extra_turn=None)
        transaction.apply(ends_only, self.action, self.actor, self.target, self.others)
        found = []
        for before in self.encounter:
            after = {held.name: held for held in transaction.combatant(before.id).conditions}
            whose = "" if before.id == self.subject.id else f" for {before.name}"
            for held in before.conditions:
                own = self.encounter.game.condition(held.name)
                if own and not own.foreseen:
                    continue
                if held.name not in after:
                    found.append(f"no longer {held.label_in(self.encounter.game)}{whose}")
                elif after[held.name].value != held.value:
                    found.append(f"{after[held.name].label_in(self.encounter.game)}{whose}")
        return tuple(dict.fromkeys(found))


def _key(changes: Mapping[str, object]) -> Hashable:
    """Return a hashable key that is equal for equal changes."""
    key = tuple(changes.items())
    try:
        hash(key)
    except TypeError:  # a table among them
        return repr(key)
    return key


def _tells(mark: Mark) -> bool:
    return mark.tone in ("notice", "warning", "danger")
