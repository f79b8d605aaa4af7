"""Apply the outcome of an action to the encounter, without saying so."""

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from systems.commands.effects import given_condition, sync_conditions
from systems.commands.scenes import NOTHING
from systems.commands.transaction import People, Transaction
from systems.contract.action import Action
from systems.contract.outcome import EndedCondition, GivenCondition, Outcome
from systems.encounter.durations import for_rounds, until_turn
from systems.encounter.losses import harmed_and_healed
from systems.encounter.model import Encounter

if TYPE_CHECKING:
    from systems.contract.interruption import UsedInterruption


def apply_outcome(
    transaction: Transaction,
    outcome: Outcome,
    action: Action,
    actor: str,
    target: str | None,
    others: Mapping[str, str] = NOTHING,
) -> None:
    """Apply an outcome to the encounter without reporting it. `others`: see `others_of`."""
    people = {"actor": actor, "target": target, **others}
    before = transaction.encounter
    for role, changes in outcome.changes.items():
        who = people.get(role)
        if who is not None and changes:
            changed = transaction.combatant(who).with_sheet(changes)
            transaction.put(
                sync_conditions(transaction.encounter, changed) if changed.conditions else changed
            )
    transaction.damaged = ()
    here = transaction.encounter.combatants
    has_conditions = any(here[who].conditions for who in people.values() if who and who in here)
    if has_conditions or outcome.gives or outcome.interruptions:
        _end_at_harm(transaction, before, outcome, people)
    for ends in outcome.ends:
        if transaction.waiting is not None and ends.given_by == "target":
            transaction.waiting.append(partial(_end_later, transaction, ends, people))
        else:
            _end_conditions(transaction, ends, people)
    for gives in outcome.gives:
        _give_condition(transaction, gives, action, people)
    for used in outcome.interruptions:
        _pay(transaction, used, action, people)
    if outcome.extra_turn:
        transaction.extra = actor if outcome.extra_turn == "actor" else target


def _pay(transaction: Transaction, used: "UsedInterruption", action: Action, people: People) -> None:
    """Apply what an interruption changes and gives, and note that its owner has used it in this turn."""
    who = people.get(used.of) or used.of
    owner = transaction.combatant(who)
    spent = transaction.encounter.game.spent_by(used.interrupt)
    reacted = tuple(dict.fromkeys((*owner.state.reacted, spent)))
    changed = owner.with_state(reacted=reacted).with_sheet(used.changes)
    transaction.put(sync_conditions(transaction.encounter, changed))
    for gives in used.gives:
        _give_condition(transaction, gives, action, {**people, "actor": who})


def _end_at_harm(transaction: Transaction, before: Encounter, outcome: Outcome, people: People) -> None:
    """End the conditions of combatants that the outcome has damaged or healed, if they end then."""
    if transaction.encounter is before and not outcome.hurt:
        return
    transaction.damaged, healed = harmed_and_healed(before, transaction.encounter, outcome, people)
    for event, who in (
        *(("damaged", who) for who in transaction.damaged),
        *(("healed", who) for who in healed),
    ):
        for held in transaction.combatant(who).conditions:
            if event in held.ends_when:
                transaction.end_condition(who, held)


def _end_conditions(transaction: Transaction, ends: EndedCondition, people: People) -> None:
    giver = people.get(ends.given_by or "")
    for who in _receivers(transaction, ends.who, people):
        for held in transaction.combatant(who).conditions:
            named = ends.condition in ("", held.name)
            if named and (ends.given_by is None or held.source == giver):
                transaction.end_condition(who, held, ends.value)


def _end_later(transaction: Transaction, ends: EndedCondition, people: People) -> None:
    _end_conditions(transaction, ends, people)
    transaction.tell_ended()


def _give_condition(transaction: Transaction, gives: GivenCondition, action: Action, people: People) -> None:
    actor = str(people["actor"])
    held = given_condition(gives, action, actor)
    if gives.until is not None:
        held = until_turn(transaction.encounter, held, gives.until, people[gives.of] or actor)
    elif gives.rounds is not None:
        held = for_rounds(transaction.encounter, held, gives.rounds)
    for who in _receivers(transaction, gives.who, people):
        transaction.give(who, held)


def _receivers(transaction: Transaction, who: str, people: People) -> list[str]:
    """Return the ids that a role means: one of the action's combatants, or several still in the order."""
    here = transaction.encounter
    if who == "everybody":
        return list(here.progress.ids)
    if who not in ("allies", "foes"):
        named = people.get(who)
        return [named] if named else []
    actor = transaction.combatant(str(people["actor"]))
    others = [ally for ally in here if ally.id != actor.id]
    meant = [ally for ally in others if (ally.side == actor.side) == (who == "allies")]
    return [ally.id for ally in meant if not ally.state.arrives and here.status(ally).in_order]
