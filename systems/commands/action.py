"""The actions of the game as a command: `attack guard-1 weapon=katana by okado`.

The parser reads an action with the words of the game, so it has no forms here.
"""

from collections.abc import Mapping

import attrs

from systems.commands.actions import do, read_action
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
from systems.commands.transaction import Transaction
from systems.commands.turns import extra_turn
from systems.commands.wording import action_words
from systems.contract.ruleset import Action, Ruleset
from systems.encounter.events import Event
from systems.encounter.model import Combatant, Encounter
from systems.encounter.schedule import may_act
from systems.language.declaration import ACTION
from systems.language.intents import Act, Intent
from systems.language.tokens import quote
from systems.schema.fields import combatant_options, fields_of, target_options
from systems.text import clean, matches, spoken


def _carry_out(transaction: Transaction, intent: Act) -> None:
    doing = read_action(transaction.encounter, intent)
    _take_turn(transaction, doing.actors[0])
    do(transaction, doing)
    transaction.after_action = transaction.encounter
    if transaction.extra:
        extra_turn(transaction, transaction.extra)


def _take_turn(transaction: Transaction, actor: str) -> None:
    """In the sides style, give the turn to the member of the side that acts."""
    here = transaction.encounter
    if here.style == "sides" and may_act(here, actor):
        if here.game.spent is not None:
            transaction.put(here.combatants[actor].with_state(acted=here.progress.round))
        transaction.encounter = transaction.encounter.with_progress(turn=actor)


def _line(intent: Act) -> str:
    words = [f"{name}={quote(word, always=name in intent.quoted)}" for name, word in intent.options.items()]
    by = f"by {intent.by}" if intent.by else ""
    return " ".join(word for word in (intent.action, intent.targets, *words, by) if word)


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
    return _as_named(Act(event.action, ",".join(event.targets), options_as_typed(event), by))


def _with_ids(intent: Act, recorded: Recorded) -> Intent:
    event, then = recorded.event, recorded.then
    action = then.game.action(event.action or intent.action)
    if action is None or not event.action:
        found = attrs.evolve(intent, targets=recorded.ids(intent.targets), by=recorded.id(intent.by))
        return _as_named(found)
    aimed = recorded.aimed(intent.targets) if action.targets == "many" else ",".join(event.targets)
    actor = event.actor
    if action.targets in ("none", "optional") and not aimed and not actor:
        # a joint action of several combatants
        doers = event.actors or dict.fromkeys(each.actor for each in event.results)
        together = ",".join(doers) or recorded.ids(intent.targets or intent.by)
        return _as_named(Act(action.name, "", options_as_typed(event), together))
    if action.targets == "none" and intent.targets:
        return _as_named(Act(action.name, actor, options_as_typed(event)))
    # A command without `by` belongs to the combatant whose turn it is, or that takes up an offer.
    own_turn = not intent.by and actor == then.progress.turn
    return _as_named(Act(action.name, aimed, options_as_typed(event), "" if own_turn else actor))


def _again(intent: Act, event: Event, here: Encounter) -> Intent:
    found = attrs.evolve(intent, targets=still_there(intent.targets, event, here))
    names_actor = intent.by or (intent.targets and not event.targets)
    if names_actor or here.progress.turn == event.actor:
        return found
    # If another combatant has the turn now, the original actor still acts.
    return attrs.evolve(found, by=event.actor)


def _as_named(intent: Act) -> Act:
    """Return the action with quoted options, since their names were resolved when it was typed."""
    return attrs.evolve(intent, quoted=frozenset(intent.options))


def _amended(intent: Act, given: Mapping[str, str], by: str, game: Ruleset) -> Intent:
    options = merged(options_of(game.action(intent.action)), intent.options, given)
    return attrs.evolve(intent, options=options, by=by or intent.by)


def _own_intent(asker: Requester, intent: Act) -> tuple[Combatant, Intent]:
    action = asker.seen.game.action(intent.action)
    aimed = action is not None and action.targets != "none"
    if intent.targets and not aimed and not intent.by:
        # Without a target the named combatant is the actor.
        actor = asker.own(intent.targets)
        return actor, attrs.evolve(intent, targets="", by=actor.id)
    actor = asker.actor(intent.by)
    aims = ",".join(asker.targets(intent.targets)) if intent.targets else ""
    options = _options_with_ids(asker, action, intent.options) if action else intent.options
    return actor, attrs.evolve(intent, targets=aims, by=actor.id, options=options)


def _options_with_ids(asker: Requester, action: Action, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options with the ids of the combatants they name."""
    known = tuple(fields_of(action.options))

    def meant(option: str, word: str) -> str:
        names = matches(option, known)
        if any(name in combatant_options(action.options) for name in names):
            return asker.single(word).id
        if any(name in target_options(action.options) for name in names):
            return ",".join(asker.targets(word))
        return word

    return {name: meant(name, word) for name, word in options.items()}


def _title(described: Described) -> str:
    name, doers = described.event.action, described.actor or described.doers
    if not name or not doers:
        return ""
    onto = f" on {described.targets}" if described.targets else ""
    return f"{doers}'s {action_title(name, described.game)}{onto}"


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
