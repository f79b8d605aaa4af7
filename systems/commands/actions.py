"""Read actions of the game in an encounter: the actors, the targets, the options."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from systems.commands.aims import named_aims, number_of_aims, spread_aims
from systems.commands.effect_lines import targets_of_effect
from systems.commands.escapes import is_escape
from systems.commands.offers import is_named_apart
from systems.commands.scenes import NOTHING
from systems.contract.action import Action
from systems.contract.table import Table, TableDice
from systems.dice.expression import DiceError
from systems.dice.notation import RollResult, roll
from systems.encounter.completion import lacking, named_on, option_words
from systems.encounter.lookup import arrived, present, single, standing, targets, targets_once
from systems.encounter.model import Combatant, Encounter, Offer
from systems.encounter.schedule import is_spent
from systems.errors import Refused, Wrong, unknown
from systems.frozen import frozen
from systems.language.intents import Act
from systems.schema.conversion import replace
from systems.schema.fields import Field, combatant_options, fields_of, target_options
from systems.schema.types import CombatantName, TargetNames, Text
from systems.schema.values import as_typed
from systems.text import listed, matches, nearest, plain_word, shown, spoken, suggestion


@frozen
class ActionCommand:
    """An action command as read in an encounter: action, actors, targets (ids, may be empty), options.

    `given`: the options that were given, by name. `offer`: the offer that it takes. `each`: in a volley, the
    command of each actor. `spent`: those named that have no action left.
    """

    action: Action
    actors: tuple[str, ...]
    targets: tuple[str, ...]
    options: Any
    given: Mapping[str, Any] = {}
    offer: Offer | None = None
    each: "tuple[ActionCommand, ...]" = ()
    spent: tuple[str, ...] = ()


def read_action(encounter: Encounter, intent: Act) -> ActionCommand:
    """Return action, combatants and options that a line means.

    Raises Refused for combatants, Wrong for options.
    """
    action = _action(encounter, intent.action)
    if intent.words:
        word = intent.words[0].text
        raise Refused(f"{action.title}: {shown(word)} needs the name of its option, as in NAME=VALUE")
    offer = _offered(encounter, action, intent) if encounter.offers else None
    try:
        values = option_values(action, intent.options, offer.options if offer else {})
    except Wrong as error:
        raise _with_choices(encounter, action, intent, error) from None
    options = action.options(**values)
    quoted = {option_meant(action, name, intent.options[name]).name for name in intent.quoted}
    if action.instead is not None:
        other = _meant_instead(encounter, action, options, intent, offer)
        if other is not None:
            return read_action(encounter, other)
    if action.targets == "none":
        if intent.targets and intent.by:
            raise Refused(f"{action.title} takes no target; leave it out")
        # Without a target the named combatants are the actors: `reload aryk` is `reload by aryk`.
        doers = _doers(encounter, intent.targets or intent.by) or (_actor(encounter, "", offer).id,)
        return _by_all(encounter, action, doers, options, values, quoted, offer)
    if action.targets == "optional" and not intent.targets and offer is None:
        doers = _doers(encounter, intent.by)
        if len(doers) > 1:
            return _by_all(encounter, action, doers, options, values, quoted, offer)
    doers = _doers(encounter, intent.by) if action.targets != "optional" else ()
    if len(doers) > 1:
        return _volley(encounter, intent, standing(encounter, doers))
    actor = _actor(encounter, intent.by, offer)
    aimed = _aimed(encounter, action, actor, intent, offer, options)
    options = _with_names(encounter, action, options, actor.id, aimed, quoted)
    options = with_people(encounter, action, options)
    if target_options(action.options):
        options = _with_marks(encounter, action, options, aimed)
    given = {name: getattr(options, name) for name in values}
    return ActionCommand(action, (actor.id,), aimed, options, given, offer)


def _meant_instead(
    encounter: Encounter, action: Action, options: Any, intent: Act, offer: Offer | None
) -> Act | None:
    """Return the action that the options mean instead of this one, such as a thrown grenade, or None."""
    assert action.instead is not None
    try:
        actor = _actor(encounter, intent.by, offer)
        found = action.instead(actor.sheet, _with_names(encounter, action, options, actor.id, (), ()))
    except (Refused, Wrong):
        return None  # reported when the action itself is read
    if found is None:
        return None
    name, needs = found
    other = encounter.game.action(name)
    known = fields_of(other.options) if other is not None else {}
    given = {**_given_values(action, intent.options), **needs}
    given = {option: value for option, value in given.items() if option in known}
    words = {option: as_typed(value) for option, value in given.items()}
    return replace(intent, action=name, options=words, quoted=frozenset())


def _with_choices(encounter: Encounter, action: Action, intent: Act, error: Wrong) -> Wrong:
    """Return the error about a missing option, with the names on the actor's sheet that fit it."""
    field = fields_of(action.options).get(error.suggestion.removesuffix("="))
    actor = encounter.turn
    with suppress(Refused):
        actor = single(encounter, intent.by) if intent.by else actor
    if error.code == "needed" and actor and (lacks := lacking(actor.sheet, action.options)):
        return Wrong("", f"{actor.name} has no {lacks}")
    words = option_words(actor.sheet, field) if error.code == "needed" and field and actor else ()
    if not words or field is None:
        return error
    says = f"{action.title} needs {field.label}: {listed(words, 'or')}"
    return Wrong("", says, code="needed", suggestion=error.suggestion)


def _doers(encounter: Encounter, text: str) -> tuple[str, ...]:
    """Return the ids of the actors of a joint action; () if none are named. Raises Refused."""
    doers = targets(encounter, text) if text else ()
    for who in doers:
        arrived(encounter.combatants[who])
    return doers


def _by_all(
    encounter: Encounter,
    action: Action,
    doers: tuple[str, ...],
    options: Any,
    values: Mapping[str, Any],
    quoted: Collection[str],
    offer: Offer | None,
) -> ActionCommand:
    """Return an action without a target, with one or several actors."""
    options = _with_names(encounter, action, options, doers[0], (), quoted)
    options = with_people(encounter, action, options)
    given = {name: getattr(options, name) for name in values}
    return ActionCommand(action, doers, (), options, given, offer)


def _volley(encounter: Encounter, intent: Act, doers: Sequence[str]) -> ActionCommand:
    """Return an action of several actors against the same targets; those without an action left stay out."""
    spent = [who for who in doers if is_spent(encounter, who)]
    able = [who for who in doers if who not in spent] or doers
    each = tuple(read_action(encounter, replace(intent, by=who)) for who in able)
    first = each[0]
    if not each[1:] and not spent:
        return first
    left_out = tuple(spent) if able is not doers else ()
    return ActionCommand(
        first.action, tuple(able), first.targets, first.options, first.given, each=each, spent=left_out
    )


def _with_names(
    encounter: Encounter,
    action: Action,
    options: Any,
    actor: str,
    aimed: Sequence[str],
    quoted: Collection[str],
) -> Any:
    """Return the options with names spelled as on the sheets.

    An option that the action needs, and that was left out, names the first entry that fits, such as the
    first weapon that reloads. Raises Wrong for a misspelled name, unless its option is among the `quoted`.
    """
    sheet = encounter.combatants[actor].sheet
    changes: dict[str, str] = {}
    for name, field in fields_of(action.options).items():
        word, naming = getattr(options, name), field.naming
        if word is None and naming is not None and naming.needs:
            if fitting := option_words(sheet, field):
                changes[name] = fitting[0]
            continue
        if (
            word is None
            or not isinstance(field.type, Text)
            or isinstance(field.type, CombatantName | TargetNames)
        ):
            continue
        if naming is None:
            # The game refuses unknown names; here a beginning is completed (weapon=kat).
            meant = matches(word, named_on(sheet, name))
            changes[name] = meant[0] if len(meant) == 1 else word
            continue
        whose = (actor,) if naming.of == "actor" else aimed
        if not whose:
            raise Refused(f"{name.replace('_', ' ')} depends on the target; name one: {action.name} TARGET")
        inside = [getattr(encounter.combatants[who].sheet, naming.field) for who in whose]
        changes[name] = naming.check(word, inside, name, quoted=name in quoted)
    return replace(options, **changes) if changes else options


def with_people(encounter: Encounter, action: Action, options: Any) -> Any:
    """Return the options with the ids of the combatants they name.

    Raises Refused for one not in the fight.
    """
    changes: dict[str, str] = {}
    for name in combatant_options(action.options):
        if (word := getattr(options, name)) is not None:
            combatant = single(encounter, word)
            present(encounter, combatant)
            changes[name] = combatant.id
    return replace(options, **changes) if changes else options


def _with_marks(encounter: Encounter, action: Action, options: Any, aimed: Sequence[str]) -> Any:
    """Return the options with the ids of the targets they mark.

    Raises Refused for one that is not a target.
    """
    changes: dict[str, str] = {}
    marked: dict[str, str] = {}
    for name in target_options(action.options):
        found: dict[str, None] = {}
        for word in (getattr(options, name) or "").split(","):
            named = targets(encounter, word) if word.strip() else ()
            inside = [who for who in named if who in aimed]
            if named and not inside:
                whom = encounter.combatants[named[0]].name
                raise Refused(f"{name}: {whom} is not a target of {action.title}")
            found |= dict.fromkeys(inside)
        for who in found:
            if who in marked:
                called = encounter.combatants[who].name
                raise Refused(f"{called} is given for both {marked[who]} and {name}; choose one")
            marked[who] = name
        if found:
            changes[name] = ",".join(found)
    return replace(options, **changes) if changes else options


def _action(encounter: Encounter, name: str) -> Action:
    game = encounter.game
    action = game.action(name)
    if action is None:
        known = [declared.name for declared in game.actions if declared.group != "hook"]
        says = f"{game.title} has no action {shown(name)}{suggestion(name, known, 'actions')}"
        raise Refused(says, code="unknown_name", suggestion=nearest(name, known))
    if action.group == "hook":
        raise Refused(f"{action.title} runs automatically; it cannot be used as a command")
    return action


def _offered(encounter: Encounter, action: Action, intent: Act) -> Offer | None:
    """Return the newest offer of this action that matches the command, such as a counterattack; or None."""
    for offer in reversed(encounter.offers):
        if offer.action == action.name and _fits(encounter, offer, intent, action.targets != "none"):
            return offer
    return None


def _fits(encounter: Encounter, offer: Offer, intent: Act, aimed: bool) -> bool:
    """Return whether an offer matches the typed command: actor and target.

    A reaction is out of turn, so its owner must be named, with the options that make it one, and with its
    name if another reaction has the same line.
    """
    if offer.reaction and not (intent.by and _has_options_of(encounter, offer, intent)):
        return False
    if offer.quiet and not _has_options_of(encounter, offer, intent):
        return False  # the action as a whole, not what is left of it
    if is_escape(encounter, offer) and not _has_options_of(encounter, offer, intent):
        return False  # another check than that to get free
    if intent.reaction != (offer.reaction if is_named_apart(offer) or intent.reaction else ""):
        return False
    if intent.by and targets(encounter, intent.by) != (offer.by,):
        return False
    if not intent.targets:
        return True
    if aimed and offer.target is None:  # the offer has an owner but no target yet
        return bool(intent.by) or offer.by == encounter.progress.turn
    named = targets(encounter, intent.targets)
    return named == ((offer.target or offer.by),)


def _has_options_of(encounter: Encounter, offer: Offer, intent: Act) -> bool:
    """Return whether the options of an offer were typed, in any spelling."""
    action = _action(encounter, intent.action)
    offered, typed = (_given_values(action, each) for each in (offer.options, intent.options))
    return all(name in typed and _is_same(value, typed[name]) for name, value in offered.items())


def _is_same(value: object, other: object) -> bool:
    """Return whether two values of an option are the same; names may be in any spelling."""
    if isinstance(value, str) and isinstance(other, str):
        return plain_word(value) == plain_word(other)
    return value == other


def _actor(encounter: Encounter, by: str, offer: Offer | None) -> Combatant:
    """Return the actor: the one named, else the owner of the offer, else the one with the turn.

    Raises Refused.
    """
    if by:
        combatant = single(encounter, by)
    elif offer is not None and offer.by:
        combatant = encounter.combatants[offer.by]
    elif encounter.turn is not None:
        combatant = encounter.turn
    else:
        name = next((combatant.name for combatant in encounter), "")
        who = f", or name the actor, such as: by {name}" if name else ""
        raise Refused(f"nobody has the turn; start the fight{who}")
    arrived(combatant)
    return combatant


def _aimed(
    encounter: Encounter, action: Action, actor: Combatant, intent: Act, offer: Offer | None, options: Any
) -> tuple[str, ...]:
    """Return the ids of the targets, each as often as the action is aimed at it.

    Of several named targets the fallen are left out, and the actor if it can't be a target.
    """
    text = intent.targets or (offer.target or "" if offer else "")
    if not text and (found := targets_of_effect(encounter, action, actor, options)):
        return found
    if not text and action.targets == "optional":
        return ()
    if not text and action.is_for_itself(actor.sheet, options):
        return (actor.id,)
    if not text:
        raise Refused(f"{action.title} needs a target: {action.name} TARGET")
    is_counted = number_of_aims(action, actor.sheet, options) > 0
    named = named_aims(encounter, text) if is_counted else targets_once(encounter, text)
    meant = [who for who in named if action.itself or who != actor.id]
    found = standing(encounter, meant) if len(named) > 1 else named
    if found == (actor.id,) and not action.itself:
        raise Refused(f"{actor.name} cannot target itself with {action.title}")
    if len(found) > 1 and action.targets != "many":
        raise Refused(f"{action.title} takes one target, not {len(found)}; name only one")
    for who in found:
        present(encounter, encounter.combatants[who])
    return tuple(found) if action.aims is None else spread_aims(action, actor.sheet, options, found)


def typed_options(action: Action, given: Mapping[str, str]) -> Any:
    """Return the options of an action read from typed text, in either spelling. Raises Wrong."""
    return action.options(**option_values(action, given))


def option_values(
    action: Action, given: Mapping[str, str], offered: Mapping[str, str] = NOTHING
) -> dict[str, Any]:
    """Return the values of typed options by their declared names, and of the `offered` ones not typed.

    Raises Wrong, also for a missing option.
    """
    values = {**_given_values(action, offered), **_given_values(action, given)}
    for name, field in fields_of(action.options).items():
        if field.needed and name not in values:
            says = f"{action.title} needs {field.label}: {field.type.expected}"
            raise Wrong("", says, code="needed", suggestion=f"{name}=")
    return values


def _given_values(action: Action, given: Mapping[str, str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, word in given.items():
        field = option_meant(action, name, word)
        if field.name in values:
            raise Wrong("", f"{field.label} is given twice; give it once")
        # A text may keep the quotes in which it was typed.
        plain = word.strip('"') if isinstance(field.type, Text) else word
        values[field.name] = field.type.typed(plain, field.name)
    return values


def option_meant(
    action: Action, name: str, word: str = "", words: Callable[[Field], Sequence[str]] = lambda field: ()
) -> Field:
    """Return the option that a name or its beginning means. Raises Wrong.

    Of several with this beginning, those that can have the value `word` count: `m=burst` is a mode, not a
    modifier. A text can hold anything, so it counts only if `words`, the names that it can mean, has one.
    """
    known = fields_of(action.options)
    found = matches(name, known)
    if len(found) > 1:
        found = tuple(option for option in found if word and _can_be(known[option], word, words)) or found
    if len(found) > 1:
        known_as = listed(map(spoken, found), "or")
        raise Wrong("", f"{shown(name)} could be {known_as}", code="ambiguous")
    if not found:
        named = f"{action.title} has no option {shown(name)}"
        sentence = named if known else f"{named}; it takes none"
        raise unknown("", sentence, name, map(spoken, known), "unknown_field")
    return known[found[0]]


def _can_be(field: Field, word: str, words: Callable[[Field], Sequence[str]]) -> bool:
    if isinstance(field.type, Text):
        return bool(matches(word, words(field)))
    try:
        field.type.typed(word, field.name)
    except Wrong:
        return False
    return True


def roll_notation(table: Table, dice: str, of: str) -> RollResult:
    """Roll dice given in notation. Raises Refused if they are invalid."""
    try:
        return roll(dice, TableDice(table), of)
    except DiceError as error:
        raise Refused(str(error)) from None
