"""The actions of the game as a command: `attack guard-1 weapon=katana by okado`.

The parser reads an action with the words of the game, so it has no forms here.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from systems.commands.actions import ActionCommand, read_action, typed_options
from systems.commands.aims import named_aims, number_of_aims, repeated_targets, shots
from systems.commands.declaration import (
    CommandKind,
    Described,
    Recorded,
    Requester,
    merged,
    options_as_typed,
    options_of,
    still_there,
)
from systems.commands.effect_lines import action_of_effect
from systems.commands.offers import action_line, is_late
from systems.commands.reactions import end_late_offers, give_back, offer_reactions, take_up
from systems.commands.resolve import act
from systems.commands.scenes import NOTHING, TargetPlace, scene_of
from systems.commands.transaction import Transaction
from systems.commands.turns import extra_turn
from systems.commands.wording import action_words
from systems.contract.action import Action
from systems.contract.marked_text import as_actor, possessive
from systems.contract.outcome import Outcome
from systems.contract.ruleset import Ruleset
from systems.contract.table import Table
from systems.encounter.events import Event, Seen
from systems.encounter.losses import losses
from systems.encounter.model import Combatant, Encounter, Offer
from systems.encounter.schedule import may_act
from systems.errors import Refused, Wrong
from systems.frozen import evolve
from systems.language.declaration import ACTION
from systems.language.intents import Act, Intent
from systems.language.tokens import quote
from systems.schema.conversion import plain_of
from systems.schema.fields import combatant_options, fields_of, target_options
from systems.schema.values import as_typed
from systems.text import as_sentence, clean, listed, matches, several, spoken


def _carry_out(transaction: Transaction, intent: Act) -> None:
    take_action(transaction, read_action(transaction.encounter, intent))


def take_action(transaction: Transaction, doing: ActionCommand) -> None:
    """Resolve an action, and begin the extra turn that follows from it. Raises Refused."""
    do(transaction, doing)
    transaction.after_action = transaction.encounter
    if transaction.extra:
        extra_turn(transaction, transaction.extra)


def do(transaction: Transaction, doing: ActionCommand) -> list[Outcome]:
    """Resolve an action for every actor and target; all or nothing, except in a volley. Raises Refused.

    An offer that it takes is removed.
    """
    transaction.record(actors=doing.actors, targets=doing.targets, action=doing.action.name)
    if transaction.tells:
        given = {name: plain_of(value) for name, value in doing.given.items() if value is not None}
        transaction.options = given
    return _volley(transaction, doing) if doing.each else _resolved(transaction, doing)


def _resolved(transaction: Transaction, doing: ActionCommand) -> list[Outcome]:
    """Resolve an action without recording what the command was. Raises Refused."""
    if transaction.encounter.style == "sides":
        for actor in doing.actors:
            _take_turn(transaction, actor)
    offer = doing.offer
    late = offer is not None and is_late(transaction.encounter, offer)
    if transaction.encounter.offers and not late:
        end_late_offers(transaction, doing.actors)
    if offer is not None:
        take_up(transaction, offer)
    outcomes = _carried_out(transaction, doing)
    if offer is not None and late:
        give_back(transaction, offer)
    return outcomes


def _carried_out(transaction: Transaction, doing: ActionCommand) -> list[Outcome]:
    """Resolve an action after the offer that it takes is removed. Raises Refused."""
    game = transaction.encounter.game
    is_effect = game.effects is not None and doing.action.name == game.effects.action
    if is_effect and (used := _used(transaction.encounter, doing)) is not None:
        act(transaction, doing.action, doing.actors[0], None, doing.options)
        return _carried_out(transaction, used)
    outcomes = _on_each(transaction, doing) if doing.targets else _by_each(transaction, doing)
    for actor, outcome in zip(doing.actors, outcomes, strict=False) if game.reactions else ():
        offer_reactions(transaction, doing.action.name, actor, doing.options, outcome.facts)
    return outcomes


def _used(encounter: Encounter, doing: ActionCommand) -> ActionCommand | None:
    """Return the command of the action that an effect carries out, or None."""
    owner = encounter.combatants[doing.actors[0]]
    found = action_of_effect(encounter, doing.action, owner, doing.options)
    if found is None:
        return None
    action, options = found
    aims = "" if action.targets == "none" else ",".join(doing.targets)
    words = {name: as_typed(value) for name, value in options.items()}
    read = read_action(encounter, Act(action.name, aims, words, owner.id, quoted=frozenset(words)))
    return evolve(read, offer=None)


def _take_turn(transaction: Transaction, actor: str) -> None:
    """Give the turn to the member of a side that acts."""
    here = transaction.encounter
    if may_act(here, actor):
        if here.game.spent is not None:
            transaction.put(here.combatants[actor].with_state(acted=here.progress.round))
        transaction.encounter = transaction.encounter.with_progress(turn=actor)


def _volley(transaction: Transaction, doing: ActionCommand) -> list[Outcome]:
    """Resolve an action for one actor after the other, each at its own cost. Raises Refused if none may act.

    Once the targets have fallen, the others keep their actions. If an outcome makes an offer, the others wait
    for it: a further offer lets them go on.
    """
    start, first = len(transaction.sentences), transaction.encounter
    _drop_rest(transaction, doing.actors)
    found: dict[str, Outcome] = {}
    refused: Refused | None = None
    for at, command in enumerate(doing.each):
        left = [who for who in command.targets if not _has_fallen(transaction.encounter, first, who)]
        if not left:
            _tell_kept(transaction, doing.actors[at:], command.targets)
            break
        before, said, results = transaction.encounter, len(transaction.sentences), len(transaction.results)
        try:
            outcomes = _resolved(transaction, evolve(command, targets=tuple(left)))
        except Refused as error:
            refused = refused or error
            transaction.encounter = before
            del transaction.sentences[said:]
            seen: Seen | None = None if before.is_player(before.combatants[doing.actors[at]]) else "gm"
            transaction.say(as_sentence(str(error)), [doing.actors[at]], seen=seen)
            continue
        found[doing.actors[at]] = outcomes[0]
        _note_losses(transaction, before, results)
        rest = doing.actors[at + 1 :]
        if rest and _is_offered_more(before, transaction.encounter):
            _pause(transaction, doing, rest)
            break
    if not found and refused is not None:
        raise refused
    _tell_spent(transaction, doing.spent)
    transaction.say_heading(
        tuple(found),
        lambda group: _heading_of_volley(first, doing, [found[who] for who in group]),
        start,
        doing.targets,
    )
    return list(found.values())


def _note_losses(transaction: Transaction, before: Encounter, since: int) -> None:
    """Note in each result from this index on what its target lost, since several actors may harm it."""
    here = transaction.encounter
    by_target = {loss.who: loss for loss in losses(before, here, here.progress.ids)}
    for at, result in enumerate(transaction.results[since:], since):
        if (loss := by_target.get(result.target or "")) is not None:
            transaction.results[at] = evolve(result, lost=loss.lost, felled=loss.felled)


def _has_fallen(encounter: Encounter, first: Encounter, who: str) -> bool:
    """Return whether a target of a volley is out of the fight, or can no longer act because of it."""
    now, then = encounter.status(encounter.combatants[who]), first.status(first.combatants[who])
    return not now.in_order or (then.acts and not now.acts)


def _tell_kept(transaction: Transaction, kept: Sequence[str], targets: Sequence[str]) -> None:
    """Say that actors of a volley keep their actions because its targets have fallen."""
    fallen = [transaction.combatant(who) for who in targets]
    how = transaction.encounter.status(fallen[0]).name.replace("_", " ") if len(fallen) == 1 else "down"
    down = f"{listed(each.name for each in fallen)} {'is' if len(fallen) == 1 else 'are'} {how}"
    for group in transaction.in_sight(kept):
        names = several([transaction.combatant(who).name for who in group])
        keeps = "keeps its action" if len(group) == 1 else "keep their actions"
        transaction.say(f"{names} {keeps}: {down}.", [*targets, *group])


def _tell_spent(transaction: Transaction, spent: Sequence[str]) -> None:
    """Say which combatants named for a volley have no action left."""
    for group in transaction.in_sight(spent):
        combatants = [transaction.combatant(who) for who in group]
        has = "has" if len(group) == 1 else "have"
        seen: Seen | None = None if all(map(transaction.encounter.is_player, combatants)) else "gm"
        names = several([each.name for each in combatants])
        transaction.say(f"{names} {has} no action left.", group, seen=seen)


def _is_offered_more(before: Encounter, after: Encounter) -> bool:
    """Return whether there is a new offer to decide on."""
    return any(offer.command and offer not in before.offers for offer in after.offers)


def _pause(transaction: Transaction, doing: ActionCommand, rest: Sequence[str]) -> None:
    """Offer the rest of a volley, to be taken after the offers that it waits for."""
    here = transaction.encounter
    names = several([here.combatants[who].name for who in rest])
    options = {name: as_typed(value) for name, value in doing.given.items() if value is not None}
    line = action_line(doing.action.name, doing.targets, options, ",".join(rest))
    onto = listed(here.combatants[who].name for who in doing.targets)
    goes = "goes" if len(rest) == 1 else "go"
    offer = Offer(
        says=f"{names} {goes} on: {doing.action.title} on {onto}.", command=line, actors=tuple(rest)
    )
    transaction.encounter = evolve(here, offers=(*here.offers, offer))
    transaction.say(offer.says, [*doing.targets, *rest], seen="gm")


def _drop_rest(transaction: Transaction, actors: Sequence[str]) -> None:
    """Remove the offer of the rest of an earlier volley that these actors carry out now."""
    offers = transaction.encounter.offers
    left = tuple(offer for offer in offers if not {*offer.actors} & {*actors})
    if left != offers:
        transaction.encounter = evolve(transaction.encounter, offers=left)


def _heading_of_volley(first: Encounter, doing: ActionCommand, outcomes: Sequence[Outcome]) -> str:
    """Return `Attack on Mara by 4, 2 hit.`; "" for a single actor."""
    if len(outcomes) < 2:
        return ""
    action = doing.action
    onto = listed(first.combatants[who].name for who in doing.targets)
    what = f"{action.title.capitalize()} on {onto} by {len(outcomes)}"
    if not action.success or action.success_value is not True:
        return f"{what}."
    done = sum(action.succeeds(outcome.facts.get(action.success)) for outcome in outcomes)
    return f"{what}, {done or 'none'} {action.success.replace('_', ' ')}."


def _by_each(transaction: Transaction, doing: ActionCommand) -> list[Outcome]:
    """Resolve an action without target for each of its actors."""
    start, action = len(transaction.sentences), doing.action
    outcomes = {actor: act(transaction, action, actor, None, doing.options) for actor in doing.actors}
    if len(doing.actors) > 1:

        def heading(group: Sequence[str]) -> str:
            return _heading_of_doers(action, [outcomes[who] for who in group])

        transaction.say_heading(doing.actors, heading, start)
    return list(outcomes.values())


def _heading_of_doers(action: Action, outcomes: Sequence[Outcome]) -> str:
    """Return `Check by 3: 2 pass, 1 fails.`"""
    what = f"{action.title.capitalize()} by {len(outcomes)}"
    if not action.success:
        return f"{what}."
    passed = sum(action.succeeds(outcome.facts.get(action.success)) for outcome in outcomes)
    failed = len(outcomes) - passed
    told = [f"{passed} pass{'es' if passed == 1 else ''}"] * bool(passed)
    told += [f"{failed} fail{'s' if failed == 1 else ''}"] * bool(failed)
    return f"{what}: {', '.join(told)}."


def _heading_of_targets(action: Action, who: str, facts: Sequence[Mapping[str, Any]]) -> str:
    """Return `Okado: attack on 3, 2 hit.` for an action that declares no heading of its own."""
    what = f"{who}: {action.title} on {len(facts)}"
    if not action.success or action.success_value is not True:
        return f"{what}."
    done = sum(action.succeeds(target.get(action.success)) for target in facts)
    return f"{what}, {done or 'none'} {action.success.replace('_', ' ')}."


def _on_each(transaction: Transaction, doing: ActionCommand) -> list[Outcome]:
    """Resolve an action for each of its targets. Name the targets that are not reached.

    Raises Refused if the rules allow fewer targets, whatever the dice.
    """
    start, first = len(transaction.sentences), transaction.encounter
    each = shots(doing.action, doing.targets)
    transaction.waiting = [] if doing.action.at_once else None
    resolved, ended_by = _until_refused(transaction, doing, each)
    waiting, transaction.waiting = transaction.waiting or (), None
    for carry_out in waiting:
        carry_out()
    if not transaction.tells:
        return [outcome for _, outcome in resolved]
    facts = [(who, outcome.facts) for who, outcome in resolved]
    reached = tuple(dict.fromkeys(who for who, _ in resolved))
    left = tuple(dict.fromkeys(who for who, _ in each if who not in reached))

    def heading(group: Sequence[str]) -> str:
        action, actor = doing.action, doing.actors[0]
        some = tuple(told for who, told in facts if who in group)
        if action.heading is not None:
            scene = scene_of(first, action, actor, group[0], doing.options, aim=each[0][1])
            if words := action.heading(scene, some):
                return words
        name = as_actor(first.combatants[actor].name)
        return _heading_of_targets(action, name, some) if len(some) > 1 else ""

    transaction.say_heading(reached, heading, start, doing.actors[:1])
    if not ended_by and (unused := len(each) - len(resolved)):
        # Their targets had fallen.
        aims = "1 aim" if unused == 1 else f"{unused} aims"
        about = dict.fromkeys((*doing.actors, *doing.targets))
        transaction.say(f"{aims} of {doing.action.title} left: the target has fallen.", about)
    for group in transaction.in_sight(left) if left else ():
        names = listed(transaction.combatant(who).name for who in group)
        # The reason may name the actor and the first of them.
        why, named = (f": {ended_by}", doing.actors[:1]) if left[0] in group else (".", ())
        verb = "is" if len(group) == 1 else "are"
        transaction.say(f"{names} {verb} not reached{why}", (*named, *group), exact=True)
    return [outcome for _, outcome in resolved]


def _until_refused(
    transaction: Transaction, doing: ActionCommand, each: Sequence[tuple[str, TargetPlace]]
) -> tuple[list[tuple[str, Outcome]], str]:
    """Resolve an action for its targets until the dice end it, such as a gun that jams; return the reason.

    A target that has fallen is not struck again.
    """
    outcomes: list[tuple[str, Outcome]] = []
    first = transaction.encounter
    for who, aim in each:
        before = outcomes[-1][1].facts if outcomes else NOTHING
        if any(who == other for other, _ in outcomes) and _has_fallen(transaction.encounter, first, who):
            continue
        try:
            outcome = act(transaction, doing.action, doing.actors[0], who, doing.options, before, aim)
            outcomes.append((who, outcome))
        except Refused as refused:
            if not outcomes:
                raise
            counted = number_of_aims(doing.action, first.combatants[doing.actors[0]].sheet, doing.options)
            if not counted and _is_refused_anyhow(first, doing, len(outcomes)):
                reached = f"{doing.action.title} reaches {len(outcomes)} of these {len(each)} targets"
                raise Refused(f"{reached}; after that: {refused}", code=refused.code) from None
            return outcomes, str(refused)
    return outcomes, ""


def _is_refused_anyhow(encounter: Encounter, doing: ActionCommand, count: int) -> bool:
    """Return whether the rules refuse the target after the first `count`, whatever the dice."""
    # Playing does not need the walker of the odds.
    from systems.commands.preview import preview
    from systems.odds import TooManyDice

    *earlier, target = doing.targets[: count + 1]
    try:
        odds = preview(encounter, doing.action, doing.actors[0], target, doing.options, earlier)
    except TooManyDice:
        return False
    return bool(odds.refused)


def resolve(encounter: Encounter, intent: Act, table: Table) -> Outcome:
    """Return the outcome of an action for its first target, without changing anything.

    Raises Refused if the rules or the combatants refuse it, Wrong for invalid options, and what the dice
    raise when no given face is left.
    """
    return do(Transaction(encounter, table), read_action(encounter, intent))[0]


def _line(intent: Act) -> str:
    words = [f"{name}={quote(word, always=name in intent.quoted)}" for name, word in intent.options.items()]
    by = f"by {intent.by}" if intent.by else ""
    reaction = f"as {intent.reaction}" if intent.reaction else ""
    return " ".join(word for word in (intent.action, intent.targets, *words, by, reaction) if word)


def _words(encounter: Encounter, intent: Act) -> str:
    action = encounter.game.action(intent.action)
    return action_words(encounter, action, intent.targets, intent.options) if action else intent.action


def _table_words(encounter: Encounter, intent: Act) -> str:
    doing = read_action(encounter, intent)
    aims, doers = ",".join(doing.targets), ",".join(doing.actors)
    return action_words(encounter, doing.action, aims, intent.options, doers)


def _held(event: Event, blank: Act) -> Intent:
    by = "" if event.actor == event.turn else event.actor
    by = by or ",".join(event.actors)
    # The names in the options were resolved when they were typed, as if they were quoted.
    options = options_as_typed(event)
    return Act(event.action, ",".join(event.targets), options, by, frozenset(options))


def _with_ids(intent: Act, recorded: Recorded) -> Intent:
    """Return the action with the ids that its event has for actors and targets."""
    event, then = recorded.event, recorded.then

    action = then.game.action(event.action or intent.action)
    if action is None or not event.action:
        targets, by = recorded.ids(intent.targets), recorded.id(intent.by)
        return evolve(intent, targets=targets, by=by, quoted=frozenset(intent.options))
    name, options = action.name, options_as_typed(event)

    def named(targets: str, by: str = "") -> Act:
        return Act(name, targets, options, by, frozenset(options), reaction=intent.reaction)

    aims = recorded.meant(event.targets, intent.targets) if action.targets == "many" else event.targets
    aimed = ",".join(aims)
    if action.aims is not None and _had_aims(recorded, action):
        aimed = _recorded_aims(recorded, intent.targets)
    actor = event.actor
    doers = event.actors or (actor,)
    together = recorded.meant(doers, intent.by) if intent.by and aimed else doers
    if len(together) > 1 and aimed:
        # Combatants named for a volley that had fallen at the time take part if they have not.
        return named(aimed, ",".join(together))
    if action.targets in ("none", "optional") and not aimed and not actor:
        # a joint action of several combatants
        joint = event.actors or dict.fromkeys(each.actor for each in event.results)
        return named("", ",".join(joint) or recorded.ids(intent.targets or intent.by))
    if action.targets == "none" and intent.targets:
        return named(actor)
    # A command without `by` belongs to the combatant whose turn it is, or that takes up an offer.
    own_turn = not intent.by and actor == then.progress.turn
    return named(aimed, "" if own_turn else actor)


def _had_aims(recorded: Recorded, action: Action) -> bool:
    """Return whether the action of an event had a number of aims."""
    actor = recorded.then.combatants.get(recorded.event.actor)
    try:
        options = typed_options(action, options_as_typed(recorded.event))
    except Wrong:
        return False
    return actor is not None and number_of_aims(action, actor.sheet, options) > 0


def _recorded_aims(recorded: Recorded, named: str) -> str:
    """Return the targets as often as the line named them, so that a changed number is split again."""
    with suppress(Refused):
        typed = named_aims(recorded.then, named)
        if {*typed} == {*recorded.event.targets}:
            return ",".join(typed)
    return ",".join(recorded.event.targets)


def _again(intent: Act, event: Event, here: Encounter) -> Intent:
    by = [who for who in intent.by.split(",") if who in event.actors or who in here.combatants]
    found = evolve(intent, targets=still_there(intent.targets, event, here))
    if len(by) > 1:
        return evolve(found, by=",".join(by))
    names_actor = intent.by or (intent.targets and not event.targets)
    if names_actor or here.progress.turn == event.actor:
        return found
    # If another combatant has the turn now, the original actor still acts.
    return evolve(found, by=event.actor)


def _amended(intent: Act, given: Mapping[str, str], by: str, game: Ruleset) -> Intent:
    options = merged(options_of(game.action(intent.action)), intent.options, given)
    return evolve(intent, options=options, by=by or intent.by)


def _own_intent(asker: Requester, intent: Act) -> tuple[Combatant, Intent]:
    action = asker.seen.game.action(intent.action)
    aimed = action is not None and action.targets != "none"
    if intent.targets and not aimed and not intent.by:
        # Without a target the named combatant is the actor.
        actor = asker.own(intent.targets)
        return actor, evolve(intent, targets="", by=actor.id)
    actors = asker.all_own(intent.by) if intent.by else [asker.actor("")]
    if action is not None and action.aims is not None:
        named: Sequence[str] = repeated_targets(intent.targets, asker.targets)
    else:
        named = asker.targets(intent.targets) if intent.targets else ()
    options = _options_with_ids(asker, action, intent.options) if action else intent.options
    by = ",".join(actor.id for actor in actors)
    # If one of several has no turn, the request waits as that one's would.
    late = next((actor for actor in actors if not asker.has_turn(actor)), actors[0])
    return late, evolve(intent, targets=",".join(named), by=by, options=options)


def _options_with_ids(asker: Requester, action: Action, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options with the ids of the combatants they name."""
    known = tuple(fields_of(action.options))

    def meant(option: str, word: str) -> str:
        names = matches(option, known)
        if any(name in combatant_options(action.options) for name in names):
            return asker.helper(word)
        if any(name in target_options(action.options) for name in names):
            return ",".join(asker.targets(word))
        return word

    return {name: meant(name, word) for name, word in options.items()}


def _title(described: Described) -> str:
    name, doers = described.event.action, described.actor or described.doers
    if not name or not doers:
        return ""
    onto = f" on {described.targets}" if described.targets else ""
    return f"{possessive(doers)} {_name_of_use(described) or action_title(name, described.game)}{onto}"


def _name_of_use(described: Described) -> str:
    """Return what an action of such things used, such as the power ember breath; "" if it has no name."""
    event = described.event
    action = described.game.action(event.action) if described.game is not None else None
    if action is None or action.names_use != action.name:
        return ""
    used = {
        str(result.facts.get(action.name, "")) for result in event.results if result.action == action.name
    }
    return clean(used.pop(), 40) if len(used) == 1 else ""


def action_title(name: str, game: Ruleset | None) -> str:
    """Return the title of an action, even if the game no longer has it."""
    action = game.action(name) if game is not None else None
    return clean(action.title if action is not None else spoken(name), 40)


GAME_ACTION = CommandKind(
    ACTION,
    (),
    "an action of the game",
    carry_out=_carry_out,
    line=_line,
    words=_words,
    table_words=_table_words,
    blank=Act(""),
    held=_held,
    with_ids=_with_ids,
    again=_again,
    amended=_amended,
    title=_title,
    own_intent=_own_intent,
    goes_through="in own turn",
)
