"""Return options last used between a pair of combatants, such as their distance, from the events."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, takewhile

from systems.contract.action import Action
from systems.contract.ruleset import Ruleset
from systems.encounter.events import Event, round_of
from systems.encounter.model import Combatant, Encounter
from systems.encounter.schedule import sharing_turn
from systems.errors import Wrong
from systems.frozen import frozen
from systems.language.tokens import quote
from systems.schema.fields import Field, fields_of, target_options
from systems.schema.naming import names_in
from systems.schema.types import Text
from systems.schema.values import as_typed

# Older events are ignored, so that a prompt does not become slower as a fight grows.
LOOKED_BACK = 400
NOBODY = ""


def last_target(newest: Iterable[Event], actor: str) -> str:
    """Return the id of the first target of the actor's last action with a target, or "".

    `newest`: the events in force, newest first.
    """
    found = (event.targets for event in _actions(newest) if actor in _actors_of(event))
    return next((targets[0] for targets in found if targets), "")


def last_aimed_at(newest: Iterable[Event]) -> str:
    """Return the id of the first target of the newest action with a target, or ""."""
    return next((targets[0] for event in _actions(newest) if (targets := event.targets)), "")


def acted_in_turn(newest: Iterable[Event], encounter: Encounter) -> frozenset[str]:
    """Return the ids of the combatants that have acted in the current turn.

    Each event carries its turn and its round. So if a turn comes again after a step back or an extra turn,
    its earlier actions still count. `newest`: the events in force, newest first.
    """
    done = _in_turn(newest, encounter)
    # An action of several combatants has an actor in each of its results.
    return frozenset(
        who for event in _actions(done) for who in (event.actor, *(result.actor for result in event.results))
    )


def actions_in_turn(
    newest: Iterable[Event], encounter: Encounter, counts: Callable[[str, str], bool]
) -> Counter[str]:
    """Return how many actions each combatant has carried out in the current turn; see acted_in_turn.

    `counts(who, action)`: whether an action of a combatant is one of its turn.
    """
    events = _actions(_in_turn(newest, encounter))
    return Counter(who for event in events for who in _actors_of(event) if counts(who, event.action))


def _in_turn(newest: Iterable[Event], encounter: Encounter) -> list[Event]:
    """Return the events of the current turn, or of its group."""
    number, turn = encounter.progress.round, encounter.progress.turn
    if turn is None:
        return []
    group = {turn, *sharing_turn(encounter, turn)}
    recent = takewhile(lambda event: round_of(event) >= number - 1, islice(newest, LOOKED_BACK))
    return [event for event in recent if round_of(event) == number and event.turn in group]


@frozen
class DoneBefore:
    """The last action of a combatant, to be repeated.

    `action` is None if the game no longer has it. `targets`: the ids of the targets that can still be chosen.
    `is_open`: it had targets and none is left, so `options` holds only those that suit another target.
    """

    name: str
    action: Action | None
    options: Mapping[str, str]
    targets: tuple[str, ...] = ()
    is_open: bool = False


def done_before(
    newest: Iterable[Event], encounter: Encounter, actor: Combatant, group: Collection[str] = ()
) -> DoneBefore | None:
    """Return the last action of the actor or its group, or None.

    `newest`: the events in force, newest first. `group`: the ids of the combatants that share the actor's
    turn.
    """
    doers = group or (actor.id,)
    own = (event for event in _actions(newest) if not {*doers}.isdisjoint(_actors_of(event)))
    event = next((event for event in own if not _uses_what_is_kept(event, encounter)), None)
    if event is None:
        return None
    name, named = event.action, event.targets
    action = encounter.game.action(name)
    options: Mapping[str, str] = {name: as_typed(value) for name, value in event.options.items()}
    standing = tuple(who for who in named if not _is_fallen_foe(encounter, actor, who))
    is_open = bool(named and not standing) and action is not None
    if action is not None:
        options = kept_for_another(action, options) if is_open else kept_for_again(action, options)
        fields, aimed = fields_of(action.options), [encounter.combatants[who] for who in standing]
        options = {name: _retyped(fields.get(name), word, actor, aimed) for name, word in options.items()}
    return DoneBefore(name, action, options, standing, is_open)


def _retyped(field: Field | None, word: str, actor: Combatant | None, targets: Sequence[Combatant]) -> str:
    """Return the word of an option for a new command: in quotes if, without them, it would mean another
    name or be refused as a near miss."""
    naming = field.naming if field else None
    if field is None or naming is None or not naming.free or not word:
        return word
    owners = targets if naming.of == "target" else (actor,) if actor else ()
    try:
        meant = naming.check(word, [getattr(owner.sheet, naming.field) for owner in owners], field.name)
    except Wrong:
        meant = ""
    return word if meant == word else quote(word, always=True)


def _is_fallen_foe(encounter: Encounter, actor: Combatant, who: str) -> bool:
    """Return whether an earlier target has left, or is on another side and can no longer act."""
    target = encounter.combatants.get(who)
    return target is None or (target.side != actor.side and not encounter.status(target).acts)


def _uses_what_is_kept(event: Event, encounter: Encounter) -> bool:
    """Return whether an action used something that its actor saves for others' turns; see `Naming.kept`."""
    action = encounter.game.action(event.action)
    actor = encounter.combatants.get(event.actor)
    if action is None or actor is None:
        return False
    given, fields = event.options, fields_of(action.options)
    return any(_is_kept(fields[name], actor, word) for name, word in given.items() if name in fields)


def _is_kept(field: Field, actor: Combatant | None, word: object) -> bool:
    return actor is not None and field.naming is not None and word in field.naming.kept(actor.sheet)


def _instead_of_kept(fields: Mapping[str, Field], actor: Combatant | None) -> Iterator[tuple[str, str]]:
    """Yield each option whose default is saved for the turns of others, with the first other name."""
    for name, field in fields.items():
        naming = field.naming
        if actor is None or naming is None or not naming.needs:
            continue
        names = names_in(getattr(actor.sheet, naming.field), naming.having)
        others = [other for other in names if not _is_kept(field, actor, other)]
        if others and others[0] != names[0]:
            yield name, others[0]


def remembered_options(
    newest: Iterable[Event], encounter: Encounter, action: Action, actor: str
) -> dict[str, dict[str, str]]:
    """Return the remembered options of an action by target, as typed, without default values.

    The newest action between the two that has an option decides its value. An option remembered for the actor
    comes from its newest use of the same action. NOBODY has the options for any other target. Names that the
    actor saves for the turns of others are not remembered. `newest`: the events in force, newest first.
    """
    game, doer_now = encounter.game, encounter.combatants.get(actor)
    wanted = {name: field for name, field in fields_of(action.options).items() if field.remembered}
    own = {name: field for name, field in wanted.items() if field.remembered == "actor"}
    shared = {name: field for name, field in wanted.items() if name not in own}
    known: dict[str, dict[str, str]] = {}
    usual: dict[str, str] = {}
    for event in _actions(newest) if wanted else ():
        doer, aimed = event.actor, event.targets
        if doer == actor and event.action == action.name:
            given = event.options
            words = {
                name: _retyped(field, _typed(field, given), doer_now, ())
                for name, field in own.items()
                if not _is_kept(field, doer_now, given.get(name))
            }
            usual = {**words, **usual}
        others = aimed if doer == actor else (doer,) if actor in aimed else ()
        done = game.action(event.action) if others else None
        if done is None:
            continue
        for name, field in shared.items():
            # Another action may have an option of the same name with another meaning, such as a grenade.
            is_same = fields_of(done.options).get(name) == field
            if is_same and (doer == actor or field.remembered == "between"):
                if doer == actor and _is_kept(field, doer_now, event.options.get(name)):
                    continue
                word = _typed(field, event.options)
                for other in others:
                    known.setdefault(other, {}).setdefault(name, word)
    usual = {
        **dict(_instead_of_kept(wanted, doer_now)),
        **{name: word for name, word in usual.items() if word},
    }
    if usual:
        known[NOBODY] = {}
    return {
        other: {name: last for name in wanted if (last := options.get(name) or usual.get(name))}
        for other, options in known.items()
    }


def remembered_for(known: Mapping[str, Mapping[str, str]], target: str) -> Mapping[str, str]:
    """Return the options remembered for a target, or for any other target; see remembered_options."""
    return known.get(target, known.get(NOBODY, {}))


def kept_for_another(action: Action, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options that also suit another target: a weapon does, a distance does not."""
    own = {
        name
        for name, field in fields_of(action.options).items()
        if field.remembered in ("", "actor") or isinstance(field.type, Text)
    }
    return {name: word for name, word in kept_for_again(action, options).items() if name in own}


def kept_for_again(action: Action, options: Mapping[str, str]) -> dict[str, str]:
    """Return the options that apply when the action is repeated.

    One-off options are left out, and so are the targets that resisted: they may not resist again.
    """
    marks, fields = target_options(action.options), fields_of(action.options)
    return {
        name: word
        for name, word in options.items()
        if name not in marks and (name not in fields or fields[name].is_repeated)
    }


def _actors_of(event: Event) -> Collection[str]:
    """Return the ids of the combatants that carried out an action, alone or together."""
    return event.actors or (event.actor,)


def _actions(newest: Iterable[Event]) -> Iterator[Event]:
    """Return the actions among the newest events."""
    return (event for event in islice(newest, LOOKED_BACK) if event.command == "action")


def _typed(field: Field, options: Mapping[str, object]) -> str:
    """Return the value of an option in an event as typed, or "" if it is the default or invalid."""
    word = as_typed(options[field.name]) if field.name in options else ""
    try:
        return word if word and field.type.typed(word, field.name) != field.default else ""
    except Wrong:
        return ""


def last_check(newest: Iterable[Event], game: Ruleset) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the ids that passed and failed in the newest command if it was a check by several, else None."""
    event = next(iter(newest), None)
    action = game.action(event.action) if event is not None else None
    if event is None or action is None or action.targets not in ("none", "optional") or not action.success:
        return None
    found: tuple[list[str], list[str]] = ([], [])
    for result in event.results:
        if result.action == event.action:
            passed = action.succeeds(result.facts.get(action.success))
            found[0 if passed else 1].append(result.actor)
    return (tuple(found[0]), tuple(found[1])) if len(found[0]) + len(found[1]) > 1 else None
