"""Actions of the game inside an encounter: who acts, on whom, with which options."""

from collections.abc import Mapping
from typing import Any

import attrs

from systems.contract import Action, Outcome, Verb
from systems.encounter import Combatant, Encounter
from systems.fields import fields_of
from systems.intents import Act, Hurt
from systems.kinds import Wrong, shown
from systems.lookup import present, single, targets
from systems.notation import amount, roll
from systems.notation_line import DiceError
from systems.play import Play, Refused
from systems.table import Table
from systems.words import find_word, suggestion


@attrs.frozen
class Doing:
    """One action understood: who does it, on whom (none for an action without target), and how."""

    action: Action
    actors: tuple[str, ...]
    targets: tuple[str, ...]
    options: Any


def understood(encounter: Encounter, intent: Act) -> Doing:
    """What an action's words mean here. Raises Refused for people, Wrong for options."""
    action = encounter.game.action(intent.action)
    if action is None:
        known = [one.name for one in encounter.game.actions]
        raise Refused(
            f"{encounter.game.title} has no action {shown(intent.action)}{suggestion(intent.action, known)}"
        )
    options = typed_options(action, intent.options)
    if action.targets == "none":
        # Without a target the people named are those who do it: `reload aryk` is `reload by aryk`.
        doers = targets(encounter, intent.targets) if intent.targets and not intent.by else ()
        if intent.targets and intent.by:
            raise Refused(f"{action.name} takes no target")
        return Doing(action, doers or (_actor(encounter, intent.by).id,), (), options)
    actor = _actor(encounter, _offered_by(encounter, action, intent) or intent.by)
    return Doing(action, (actor.id,), _aimed(encounter, action, actor, intent), options)


def _actor(encounter: Encounter, by: str) -> Combatant:
    if by:
        one = single(encounter, by)
    elif encounter.turn is not None:
        one = encounter.turn
    else:
        raise Refused("nobody has the turn: start the fight, or say who with `by WHO`")
    if one.place.arrives:
        raise Refused(f"{one.name} arrives in round {one.place.arrives}")
    return one


def _offered_by(encounter: Encounter, action: Action, intent: Act) -> str:
    """Who was offered this action, where nobody is named (a counterattack)."""
    if intent.by:
        return ""
    return next((one.by or "" for one in encounter.offers if one.action == action.name), "")


def _aimed(encounter: Encounter, action: Action, actor: Combatant, intent: Act) -> tuple[str, ...]:
    text = intent.targets
    if not text:
        offers = [one for one in encounter.offers if one.action == action.name and one.by == actor.id]
        text = offers[0].target or "" if offers else ""
    if not text and action.targets == "optional":
        return ()
    if not text:
        raise Refused(f"{action.name} needs a target: {action.name} TARGET")
    found = [one for one in targets(encounter, text) if one != actor.id or text == actor.id]
    if actor.id in found or not found:
        raise Refused(f"{actor.name} cannot be the target of its own {action.name}")
    if len(found) > 1 and action.targets != "many":
        raise Refused(f"{action.name} takes one target, not {len(found)}")
    for one in found:
        present(encounter, encounter.combatants[one])
    return tuple(found)


def typed_options(action: Action, given: Mapping[str, str]) -> Any:
    """The options of an action from what was typed, in either spelling. Raises Wrong."""
    known = fields_of(action.options)
    values: dict[str, Any] = {}
    for name, word in given.items():
        found = find_word(name, known)
        if found is None:
            named = f"{action.name} has no option {shown(name)}"
            raise Wrong("", f"{named}{suggestion(name, known) or '; it takes none'}")
        values[found] = known[found].kind.typed(word, found)
    for name, field in known.items():
        if field.needed and name not in values:
            raise Wrong("", f"{action.name} needs {name}={field.kind.expected}")
    return action.options(**values)


def do(play: Play, doing: Doing) -> list[Outcome]:
    """Resolve an action for everybody concerned; all or nothing. Raises Refused."""
    if not doing.targets:
        return [play.act(doing.action, actor, None, doing.options) for actor in doing.actors]
    return [play.act(doing.action, doing.actors[0], one, doing.options) for one in doing.targets]


def resolve(encounter: Encounter, intent: Act, table: Table) -> Outcome:
    """What the action comes to for its first target. Nothing is changed.

    Raises Refused for what the rules or the people refuse, Wrong for options that cannot be, and
    whatever the table's dice raise when they run dry.
    """
    return do(Play(encounter, table), understood(encounter, intent))[0]


def hurt(play: Play, intent: Hurt) -> None:
    """`damage` and `heal`: the game's own action, once for each target, one amount for all."""
    game = play.encounter.game
    verb: Verb = game.heal if intent.heals else game.damage
    action = game.action(verb.action)
    assert action is not None
    number = _amount(play, intent)
    for who in targets(play.encounter, intent.targets):
        options = typed_options(action, {**intent.options, verb.amount: str(number)})
        play.act(action, who, None, options)


def _amount(play: Play, intent: Hurt) -> int:
    """The amount: a number, or dice thrown once. Never below 0."""
    try:
        found = amount(intent.amount)
        if isinstance(found, int):
            return found
        result = roll(found, Hands(play.table), "gm")
    except DiceError as error:
        raise Refused(f"the amount {error}") from None
    return max(0, result.total)


class Hands:
    """The dice of the table, as the notation asks for them."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        return self._table.d(sides, why or "roll", of)
