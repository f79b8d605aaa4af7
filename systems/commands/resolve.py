"""Resolve an action with all that follows from it: its outcome, its sentences, saves and effects.

An action may set off effects and saves, which are actions too.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from systems.commands.effects import save_options, words_of_begin
from systems.commands.moments import DueEffect, affected_by, due_after
from systems.commands.offering import make_offers
from systems.commands.outcomes import apply_outcome
from systems.commands.scenes import (
    NOTHING,
    ONLY_TARGET,
    TargetPlace,
    others_of,
    out_of_reach,
    outcome_of,
    says_near,
    scene_of,
)
from systems.commands.transaction import People, Transaction
from systems.commands.unseen import unseen_effect
from systems.contract.action import Action
from systems.contract.marked_text import as_unseen
from systems.contract.outcome import Ask, Outcome, SaveMoment
from systems.contract.ruleset import Ruleset, SaveAction
from systems.encounter.durations import for_rounds
from systems.encounter.events import Result
from systems.encounter.model import ActiveCondition, Encounter, Offer
from systems.encounter.neighbours import without_near
from systems.errors import Refused, Wrong
from systems.frozen import evolve
from systems.text import listed, signed

if TYPE_CHECKING:
    from systems.contract.interruption import UsedInterruption

# More effects that set off one another mean that they never end.
MOST_EFFECTS_IN_A_ROW = 8


def act(
    transaction: Transaction,
    action: Action,
    actor: str,
    target: str | None,
    options: Any,
    before: Mapping[str, Any] = NOTHING,
    aim: TargetPlace = ONLY_TARGET,
) -> Outcome:
    """Resolve and apply one action. `aim`: its place among several targets.

    Raises Refused in the game's words, and Wrong if a value is invalid.
    """
    before_it = transaction.encounter
    scene = scene_of(before_it, action, actor, target, options, before, aim)
    others = others_of(before_it, action, options)
    transaction.roll_for({"actor": actor, "target": target or actor, **others})
    outcome = outcome_of(action, scene, transaction.table)
    if outcome.refused is not None:
        raise Refused(outcome.tell().text, code="against_the_rules")
    people = {"actor": actor, "target": target, **others}
    apply_outcome(transaction, outcome, action, actor, target, others)
    if transaction.tells:
        status = _status_after(transaction, before_it, actor, target)
        shows = newly_seen(before_it, transaction.encounter, target or actor)
        _tell(transaction, outcome, action, actor, target, others, status, before_it, shows)
    else:
        transaction.tell_ended()
    may_be_melee = transaction.tells and action.close is not None and says_near(before_it)
    if may_be_melee and target is not None and out_of_reach(action, scene):
        transaction.say(f"{scene.actor_name} is not near {scene.target_name}.", [actor, target])
    _follow(transaction, before_it, outcome, people)
    return outcome


def _follow(transaction: Transaction, before: Encounter, outcome: Outcome, people: People) -> None:
    """Carry out what follows from an outcome that has been applied. `before`: the encounter before it."""
    for role in outcome.moves:
        _part(transaction, people.get(role) or "")
    if transaction.change_cast is not None and (outcome.brings or outcome.becomes or outcome.sends):
        transaction.change_cast(transaction, outcome, people)
    for who in transaction.damaged:
        roll_ending_saves(transaction, who, "damaged")
    if outcome.hurt and transaction.encounter.game.effects is not None:
        run_effects(transaction, due_after(before, transaction.encounter, outcome, people))
    for ask in outcome.asks:
        if not ask.due or not transaction.carries_out_due:
            continue
        if transaction.waiting is not None:
            transaction.waiting.append(partial(_carry_out_due, transaction, ask, people))
        else:
            _carry_out_due(transaction, ask, people)


def _part(transaction: Transaction, who: str) -> None:
    """Part a combatant that moves from those near it, and offer to keep them near."""
    mover = transaction.encounter.combatants.get(who)
    near = [other.id for other in transaction.encounter.neighbours(mover)] if mover else []
    if not mover or not near:
        return
    transaction.encounter = without_near(transaction.encounter, mover.id, near)
    transaction.tell_near(mover.id, near, "is no longer near")
    names = listed(transaction.combatant(other).name for other in near)
    offer = Offer(
        says=f"{mover.name} has moved. Still near {names}?",
        command=f"near {mover.id} {','.join(near)}",
    )
    transaction.encounter = evolve(transaction.encounter, offers=(*transaction.encounter.offers, offer))
    transaction.say(offer.says, [mover.id, *near], seen="gm")


def run_effects(transaction: Transaction, due: Iterable[DueEffect]) -> None:
    """Run effects that are due, as far as their conditions hold.

    Raises Refused if effects set each other off without end.
    """
    for effect in tuple(due):
        transaction.setting_off.append(effect)
        if len(transaction.setting_off) > MOST_EFFECTS_IN_A_ROW:
            raise Refused(_endless(transaction.encounter, transaction.setting_off))
        _run_effect(transaction, effect)
        transaction.setting_off.pop()


def _run_effect(transaction: Transaction, due: DueEffect) -> None:
    rules = transaction.encounter.game.effects
    action = transaction.encounter.game.action(rules.action) if rules else None
    if rules is None or action is None or due.owner not in transaction.encounter.combatants:
        return
    types = due.line.types  # without them, all damage counts
    amount = min(9_999, sum(amount for type, amount in due.damage if not types or type in types))
    options = action.options(effect=due.line.name, does=due.does, amount=amount)
    before: Mapping[str, Any] = NOTHING
    for target in affected_by(transaction.encounter, due):
        if target is not None and target not in transaction.encounter.combatants:
            continue
        try:
            scene = scene_of(transaction.encounter, action, due.owner, target, options)
            if rules.applies(due.line, due.does, scene, due.damage, due.by):
                before = act(transaction, action, due.owner, target, options, before).facts
        except Wrong as mistake:
            transaction.say(
                f"{transaction.combatant(due.owner).name}, {due.line.name}: {mistake}.", [due.owner]
            )


def _status_after(transaction: Transaction, before: Encounter, actor: str, target: str | None) -> str:
    """Return the new status that a hidden actor gave to a visible target; "" if there is none."""
    here = transaction.encounter
    if target is None or not here.is_out_of_sight(actor) or here.is_out_of_sight(target):
        return ""
    then, now = (fight.status(fight.combatants[target]).name for fight in (before, here))
    return now if now != then else ""


def newly_seen(before: Encounter, after: Encounter, who: str) -> tuple[str, ...]:
    """Return what everybody sees of a combatant after a change and did not see before it.

    This is its band of health, and each condition that is not secret.
    """
    then, now = before.combatants.get(who), after.combatants.get(who)
    if then is None or now is None:
        return ()
    band = after.band(now)
    known = {(held.name, held.value) for held in then.conditions if not held.secret}
    new = [held for held in now.conditions if not held.secret and (held.name, held.value) not in known]
    labels = dict.fromkeys(held.label_in(after.game) for held in new)
    return (*((band,) if band != before.band(then) else ()), *labels)


def resolve_hook(transaction: Transaction, name: str, who: str) -> Outcome | None:
    """Run one of the game's hooks on a combatant, if the game has it; return its outcome if it happened.

    The text of its explanation is reported. An empty text or a refusal reports nothing. If the game
    raises Wrong, the error is reported as a sentence, so that it does not block the turn.
    """
    action = transaction.encounter.game.action(name)
    if action is None:
        return None
    idle = None if transaction.tells else _idle_outcome(transaction.encounter, action, who)
    if idle is not None:
        return idle
    try:
        outcome = _outcome_of_hook(transaction, action, who)
    except Wrong as mistake:
        transaction.say(f"{transaction.combatant(who).name}: {mistake}.", [who])
        return None
    if outcome.refused is not None:
        return None
    before_it = transaction.encounter
    apply_outcome(transaction, outcome, action, who, None)
    _tell(transaction, outcome, action, who, None, before=before_it)
    _follow(transaction, before_it, outcome, {"actor": who})
    return outcome


def _carry_out_due(transaction: Transaction, ask: Ask, people: People) -> None:
    """Carry out an action that the rules demand after an outcome, such as a death save."""
    action, by = transaction.encounter.game.action(ask.action), people.get(ask.by) or ""
    if action is None or by not in transaction.encounter.combatants:
        return
    try:
        act(transaction, action, by, people.get(ask.target or ""), action.options(**ask.options))
    except Refused:
        return  # what follows the outcome has made it needless
    except Wrong as mistake:
        # An error in the game's data must not block the turn.
        transaction.say(f"{transaction.combatant(by).name}: {mistake}.", [by], seen="gm")


def roll_ending_saves(transaction: Transaction, who: str, moment: SaveMoment) -> None:
    """Roll the saves against a combatant's conditions that are due at this moment; success ends them."""
    save = transaction.encounter.game.ending_save
    if save is None or transaction.is_saving or who not in transaction.encounter.combatants:
        return
    transaction.is_saving = True
    try:
        for held in transaction.combatant(who).conditions:
            if held.save and moment in held.again and _has(transaction, who, held):
                _roll_ending_save(transaction, save, who, held)
    finally:
        transaction.is_saving = False


def _has(transaction: Transaction, who: str, held: ActiveCondition) -> bool:
    return any(active.key == held.key for active in transaction.combatant(who).conditions)


def _roll_ending_save(transaction: Transaction, save: SaveAction, who: str, held: ActiveCondition) -> None:
    """Roll one save. If it fails, the condition stays, or becomes worse."""
    game, said = transaction.encounter.game, len(transaction.sentences)
    action = game.action(save.action)
    # In the fight as players see it, the difficulty is not known.
    if action is None or held.difficulty is None:
        return
    try:
        options = save_options(action, save, held.save, held.difficulty)
        with transaction.table.because_of(game.condition_label(held.name)):
            outcome = act(transaction, action, who, None, options)
    except Refused:
        return
    except Wrong as mistake:
        # An error in the game's data must not block the turn.
        transaction.say(f"{transaction.combatant(who).name}: {mistake}.", [who], seen="gm")
        return
    passed = action.succeeds(outcome.facts.get(action.success))
    if not passed and not held.worse and _has(transaction, who, held):
        transaction.say(f"{transaction.combatant(who).name} is still {held.label_in(game)}.", [who])
    if held.secret:
        transaction.sentences[said:] = [evolve(each, seen="gm") for each in transaction.sentences[said:]]
    elif held.source and transaction.encounter.is_out_of_sight(held.source):
        # The difficulty is that of a combatant which players do not see.
        transaction.sentences[said:] = [
            evolve(each, seen="gm") if each.arithmetic else each for each in transaction.sentences[said:]
        ]
    if passed or held.worse:
        transaction.end_condition(who, held)
        transaction.tell_ended()
    if held.worse and not passed:
        _worsen(transaction, who, held, held.worse)


def _worsen(transaction: Transaction, who: str, held: ActiveCondition, name: str) -> None:
    """Give the condition that another one becomes."""
    worse = ActiveCondition(
        name=name,
        source=held.source,
        through=held.through,
        secret=held.secret,
        save=held.save if held.worse_again else None,
        difficulty=held.difficulty if held.worse_again else None,
        again=held.worse_again,
        ends_when=held.worse_ends_when,
    )
    if held.worse_rounds is not None:
        worse = for_rounds(transaction.encounter, worse, held.worse_rounds)
    transaction.give(who, worse)
    if any(active.name == name for active in transaction.combatant(who).conditions):
        words = words_of_begin(transaction.encounter.game, worse)
        transaction.say(
            f"{transaction.combatant(who).name} {words}.", [who], seen="gm" if held.secret else None
        )
    transaction.tell_ended()


def _outcome_of_hook(transaction: Transaction, action: Action, who: str) -> Outcome:
    """Return the outcome of a hook.

    Hooks are run for every combatant in every round, and most of them do nothing. That is found out once for
    each sheet, if it depends on nothing else: on no condition, die, choice or other combatant.
    """
    here, table = transaction.encounter, transaction.table
    idle = _idle_outcome(here, action, who)
    if idle is not None:
        return idle
    combatant = here.combatants[who]
    rolled = len(table.rolls), len(table.answers)
    scene = scene_of(here, action, who, None, action.options())
    transaction.roll_for({"actor": who, "target": who})
    outcome = outcome_of(action, scene, table)
    depends_on_more = combatant.conditions or scene.reads or rolled != (len(table.rolls), len(table.answers))
    if not depends_on_more and outcome.does_nothing and not outcome.tell().text:
        # Without the scene, which the words would keep alive with the whole encounter.
        idle_hooks = here.worked_out(combatant.sheet, "idle_hooks", _no_outcomes)
        idle_hooks[action.name, who, combatant.name] = Outcome(outcome.facts, degree=outcome.degree)
    return outcome


def _idle_outcome(here: Encounter, action: Action, who: str) -> Outcome | None:
    """Return the outcome of a hook that is known to do nothing for this sheet, or None."""
    combatant = here.combatants[who]
    if combatant.conditions:
        return None
    idle_hooks = here.worked_out(combatant.sheet, "idle_hooks", _no_outcomes)
    return idle_hooks.get((action.name, who, combatant.state.name))


def _no_outcomes(game: Ruleset, sheet: Any, house: Any) -> dict[tuple[str, str, str], Outcome]:
    return {}


def _tell_interruption(transaction: Transaction, used: "UsedInterruption", people: People) -> None:
    """Say that an interruption was used, before the outcome in which it counts.

    Players read of a third party out of sight that something unseen interferes.
    """
    owner = transaction.combatant(people.get(used.of) or used.of)
    worth = f" ({signed(used.change)})" if used.worth is not None else ""
    if used.unseen:
        unseen = as_unseen(owner.id, f"{owner.name}, by {used.name}{worth},")
        transaction.say(f"{unseen} interferes.", [people["target"] or people["actor"] or owner.id])
        return
    transaction.say(f"{owner.name} uses {used.name}{worth}.", [owner.id])
    if used.withstood and (actor := people["actor"]):
        transaction.say(f"{transaction.combatant(actor).name} withstands it.", [actor])


def _tell(
    transaction: Transaction,
    outcome: Outcome,
    action: Action,
    actor: str,
    target: str | None,
    others: Mapping[str, str] = NOTHING,
    status: str = "",
    before: Encounter | None = None,
    shows: tuple[str, ...] = (),
) -> None:
    if not transaction.tells:
        transaction.tell_ended()
        return
    explanation = outcome.tell()
    # An unseen combatant that an option names is about the sentence only if the sentence names it.
    is_out_of_sight = transaction.encounter.is_out_of_sight
    helpers = [who for who in others.values() if not is_out_of_sight(who)]
    about = [actor, *([target] if target else []), *helpers]
    for used in outcome.interruptions:
        _tell_interruption(transaction, used, {"actor": actor, "target": target, **others})
    number = len(transaction.results)
    public = None
    if before is not None and any(map(is_out_of_sight, about)):
        public = unseen_effect(before, transaction.encounter, action, actor, target)
    transaction.say(explanation.text, about, result=number, exact=True, public=public)
    if explanation.text:
        transaction.say(explanation.arithmetic, about, result=number, exact=True, arithmetic=True)
    if explanation.text or action.group != "hook":
        degree = outcome.degree or _degree(action, outcome)
        transaction.results.append(
            Result(action.name, actor, target, degree, outcome.facts, explanation, status, shows=shows)
        )
    transaction.tell_ended()
    if outcome.asks:
        make_offers(transaction, outcome.asks, actor, target)


def _endless(encounter: Encounter, effects: Sequence[DueEffect]) -> str:
    """Return the sentence about effects that set each other off."""
    names = dict.fromkeys(
        f"{effect.line.name} of {encounter.combatants[effect.owner].name}" for effect in effects[-2:]
    )
    if len(names) == 1:
        return f"{listed(names)} sets itself off without end; change it first"
    return f"{listed(names)} set each other off without end; change one of them first"


def _degree(action: Action, outcome: Outcome) -> str:
    """Return `success` or `failure` from the action's `success` fact, for an outcome without a degree."""
    succeeded = outcome.facts.get(action.success) if action.success else None
    return "" if succeeded is None else "success" if succeeded else "failure"
