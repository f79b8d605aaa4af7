"""An event carried out again: the command that it was, with stored ids, and the dice that fell in it.

Whom a line means was decided when it was typed. So combatants are taken from the data of the event, and the
words of the line only where the event has none.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import attrs

from systems.commands.step_forward import KeptDice
from systems.contract.ruleset import Action
from systems.dice.sources import Dice, ScriptedDice
from systems.encounter.events import Event, ids_in, options_of, results_of, tables_in, word_in
from systems.encounter.lookup import single, targets
from systems.encounter.model import Encounter
from systems.errors import Refused
from systems.language.intents import (
    Act,
    ClearCondition,
    Command,
    Count,
    DamageOrHeal,
    Delay,
    Hide,
    Intent,
    Next,
    OrderBeside,
    OrderValue,
    Remove,
    Return,
    RollDice,
    SetCondition,
    SetField,
)
from systems.language.parser import parse
from systems.schema.fields import fields_of
from systems.schema.values import as_typed
from systems.text import matches


def command_of(event: Event, then: Encounter) -> Command:
    """Return the command that an event carried out, in which people stand by their ids.

    `then`: the encounter as it stood before the event. Raises Misread when its line cannot be read any more.
    """
    command = parse(word_in(event, "typed"), then.game)
    return attrs.evolve(command, intent=_with_ids(command.intent, event, then), dice=None)


def _with_ids(intent: Intent, event: Event, then: Encounter) -> Intent:
    actor, several = word_in(event, "actor"), ",".join(ids_in(event, "targets"))
    only = several if "," not in several else ""
    match intent:
        case Act():
            return _act(intent, event, then)
        case DamageOrHeal(named, by=by):
            return attrs.evolve(intent, targets=several or _ids(then, named), by=by and (actor or by))
        case Next(by):
            return Next(by and (actor or _id(then, by)))
        case Delay(who):
            return Delay(who and (actor or _id(then, who)))
        case Return(who):
            return Return(actor or _id(then, who))
        case OrderBeside(who, beside):
            other = str(options_of(event).get("beside") or _id(then, beside))
            return attrs.evolve(intent, who=only or _id(then, who), beside=other)
        case OrderValue(who) | SetField(who) | Count(who):
            return attrs.evolve(intent, who=only or _id(then, who))
        case SetCondition(named, of=of, by=by):
            until, source = str(options_of(event).get("of") or _id(then, of)), actor or _id(then, by)
            return attrs.evolve(
                intent, targets=several or _ids(then, named), of=of and until, by=by and source
            )
        case ClearCondition(named) | Remove(named) | Hide(named):
            return attrs.evolve(intent, targets=several or _ids(then, named))
        case RollDice(who=who):
            return attrs.evolve(intent, who=who and (actor or _id(then, who)))
    return intent


def _act(intent: Act, event: Event, then: Encounter) -> Act:
    action = then.game.action(word_in(event, "action") or intent.action)
    if action is None or not word_in(event, "action"):
        return attrs.evolve(intent, targets=_ids(then, intent.targets), by=_id(then, intent.by))
    options = {name: as_typed(value) for name, value in options_of(event).items() if value is not None}
    aimed = ",".join(ids_in(event, "targets"))
    doers = dict.fromkeys([word_in(event, "actor") or word_in(each, "actor") for each in results_of(event)])
    actor = word_in(event, "actor")
    if action.targets == "none" and intent.targets:
        # The people named are those who do it.
        return Act(action.name, ",".join(doers) or _ids(then, intent.targets), options)
    # Without a name it is done by whoever has the turn, or takes up an offer of its own.
    theirs = not intent.by and actor == then.progress.turn
    return Act(action.name, aimed, options, "" if theirs else actor)


def _id(then: Encounter, word: str) -> str:
    with suppress(Refused):
        return single(then, word).id if word else ""
    return word


def _ids(then: Encounter, text: str) -> str:
    with suppress(Refused):
        return ",".join(targets(then, text)) if text else ""
    return text


def with_options(intent: Intent, given: Mapping[str, str], by: str, game: Any) -> Intent:
    """Return a command with other options, done by another. Raises Refused for one that has none."""
    match intent:
        case Act():
            action = game.action(intent.action)
            return attrs.evolve(intent, options=_merged(action, intent.options, given), by=by or intent.by)
        case DamageOrHeal():
            verb = game.heal if intent.heals else game.damage
            rest = dict(given)
            amount = next((rest.pop(name) for name in given if matches(name, ("amount",))), intent.amount)
            options = _merged(game.action(verb.action), intent.options, rest)
            return attrs.evolve(intent, amount=amount, options=options, by=by or intent.by)
    if given or by:
        raise Refused("only actions, damage and healing have options; amend it with the whole command")
    return intent


def _merged(action: Action | None, old: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Return the options with those given in the place of the same ones, in whatever spelling."""
    known = fields_of(action.options) if action else {}
    replaced = {name for word in given for name in matches(word, known)}
    return {name: value for name, value in old.items() if name not in replaced} | dict(given)


class FallenDice(KeptDice):
    """The dice of an event that is carried out again: faces given anew, then those that fell in it.

    A face given anew takes the place of one that fell for the same owner and reason. Raises WrongFace for
    one that its die does not have.
    """

    def __init__(self, rolls: Sequence[Mapping[str, Any]], given: Sequence[int], rest: Dice) -> None:
        super().__init__(rolls, rest)
        self.given = ScriptedDice(given)

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        if not self.given.left:
            return super().face(sides, why, of)
        face = self.given.face(sides, why, of)
        self.take(sides, why, of)
        return face


def dice_of(event: Event, given: Sequence[int], rest: Dice) -> FallenDice:
    """Return the dice of an event, those `given` first; what it lacks is thrown by `rest`."""
    return FallenDice(tables_in(event, "rolls"), given, rest)
