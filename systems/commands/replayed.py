"""Carry out an event again: its command with stored ids, and its dice.

Which combatants a line means was decided when it was typed. So they are taken from the data of the event, and
from the typed line only if the event has no such data.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import attrs

from systems.commands.declaration import Earlier
from systems.commands.step_forward import RecordedDice
from systems.commands.table import COMMANDS, NOT_MOVED
from systems.contract.outcome import Answer
from systems.contract.ruleset import Action, Ruleset
from systems.dice.scripted import ScriptedDice
from systems.dice.sources import Dice, DiceCounts, Given, Roll, TotalRoll
from systems.encounter.events import Event
from systems.encounter.lookup import single, targets
from systems.encounter.model import Encounter
from systems.encounter.prepared import is_untouched
from systems.errors import Refused
from systems.frozen import evolve, frozen
from systems.language.intents import (
    AMOUNT_OPTIONS,
    AMOUNT_PARTS,
    Act,
    ClearCondition,
    Command,
    Count,
    DamageOrHeal,
    Delay,
    DropHappening,
    Group,
    Hide,
    Intent,
    Next,
    OrderBeside,
    OrderValue,
    Ready,
    Remove,
    Return,
    RollDice,
    SetCondition,
    SetField,
    Start,
)
from systems.schema.conversion import replace
from systems.schema.fields import fields_of
from systems.schema.values import as_typed
from systems.text import listed, matches, shown

# The fields of intents that name combatants.
_PEOPLE = ("targets", "by", "who", "beside", "of")


def command_of(event: Event, command: Command, then: Encounter, here: Encounter) -> Command:
    """Return the command that an event carried out, with combatants named by their ids.

    `command`: the typed line as it was read. `then`: the original encounter before the event. `here`: the
    encounter in which it is carried out again.
    """
    kind = COMMANDS.get(command.name)
    if kind is not None and command.name not in NOT_MOVED:
        intent = kind.again(command.intent, Earlier(event, then, here))
    else:
        intent = _with_ids(command.intent, event, then, here)
    return evolve(command, intent=intent, dice=None, turn_of=event.turn_of)


def _with_ids(intent: Intent, event: Event, then: Encounter, here: Encounter) -> Intent:
    actor, several = event.actor, ",".join(event.targets)
    only = several if "," not in several else ""
    match intent:
        case Act():
            return _act(intent, event, then, here)
        case DamageOrHeal(named, by=by):
            aimed = _aimed(event, then, here, named)
            options = dict(intent.options)
            if event.options:
                options = _typed_options(event) | _sharers(intent, event, then, here, aimed.split(","))
            options.pop("amount", None)
            source = by and (actor or _id(then, by))
            return attrs.evolve(intent, targets=aimed, options=options, by=source)
        case Next(by):
            return Next(by and (actor or _id(then, by)))
        case Delay(who):
            return Delay(who and (actor or _id(then, who)))
        case Start(totals=totals) if totals:
            ids = event.targets or tuple(_id(then, who) for who, _ in totals)
            called = tuple(zip(ids, (total for _, total in totals), strict=False))
            return attrs.evolve(intent, totals=called)
        case Return(who) | Ready(who):
            return attrs.evolve(intent, who=actor or _id(then, who))
        case DropHappening(number):
            return DropHappening(_happening(here, event, number))
        case OrderBeside(who, beside):
            other = str(event.options.get("beside") or _id(then, beside))
            return attrs.evolve(intent, who=only or _id(then, who), beside=other)
        case SetField(who):
            # The name was accepted when the line was typed.
            return attrs.evolve(
                intent, who=only or _id(then, who), quoted=intent.quoted or "." in intent.field
            )
        case OrderValue(who) | Count(who):
            return attrs.evolve(intent, who=only or _id(then, who))
        case SetCondition(named, of=of, by=by):
            until, source = str(event.options.get("of") or _id(then, of)), actor or _id(then, by)
            aimed = several or _ids(then, named)
            found = attrs.evolve(intent, targets=aimed, of=of and until, by=by and source)
            # The name was understood when the line was typed.
            name = event.options.get("name")
            return attrs.evolve(found, name=str(name), quoted=True) if name else found
        case ClearCondition(named) | Remove(named) | Hide(named) | Group(named):
            return attrs.evolve(intent, targets=several or _ids(then, named))
        case RollDice(who=who):
            return attrs.evolve(intent, who=who and (actor or _id(then, who)))
    return intent


def _act(intent: Act, event: Event, then: Encounter, here: Encounter) -> Act:
    action = then.game.action(event.action or intent.action)
    if action is None or not event.action:
        return attrs.evolve(intent, targets=_ids(then, intent.targets), by=_id(then, intent.by))
    many = action.targets == "many"
    aimed = _aimed(event, then, here, intent.targets) if many else ",".join(event.targets)
    doers = dict.fromkeys([event.actor or each.actor for each in event.results])
    actor = event.actor
    if action.targets in ("none", "optional") and not aimed and not actor:
        # a joint action of several combatants
        together = ",".join(doers) or _ids(then, intent.targets or intent.by)
        return _as_named(Act(action.name, "", _typed_options(event), together))
    if action.targets == "none" and intent.targets:
        return _as_named(Act(action.name, actor, _typed_options(event)))
    # A command without `by` belongs to the combatant whose turn it is, or that takes up an offer. If another
    # combatant has the turn now, the original actor still carries it out.
    theirs = not intent.by and actor == then.progress.turn == here.progress.turn
    return _as_named(Act(action.name, aimed, _typed_options(event), "" if theirs else actor))


def _as_named(intent: Act) -> Act:
    """Return the action with quoted options, since their names were resolved when it was typed."""
    return attrs.evolve(intent, quoted=frozenset(intent.options))


def _aimed(event: Event, then: Encounter, here: Encounter, named: str) -> str:
    """Return the targets of an event, plus those that its line named but that had fallen at the time."""
    return ",".join(_meant(event.targets, then, here, named))


def _meant(held: Sequence[str], then: Encounter, here: Encounter, named: str) -> Sequence[str]:
    """Return the stored combatants, or all that the line named if the stored ones are among them."""
    with suppress(Refused):
        meant = [who for who in targets(then, named) if who in here.combatants]
        if {*held} <= {*meant}:
            return meant
    return held


def _sharers(
    intent: DamageOrHeal, event: Event, then: Encounter, here: Encounter, aimed: Sequence[str]
) -> dict[str, str]:
    """Return the combatants that take half or none of an amount, including present targets that had fallen
    then.
    """
    verb = then.game.heal if intent.heals else then.game.damage
    known = (*AMOUNT_OPTIONS, *_options(then.game.action(verb.action)))
    found: dict[str, str] = {}
    for word, named in intent.options.items():
        match matches(word, known):
            case [part] if part in AMOUNT_PARTS:
                held = [who for who in str(event.options.get(part, "")).split(",") if who]
                sharing = [who for who in _meant(held, then, here, named) if who in aimed]
                found |= {part: ",".join(sharing)} if sharing else {}
    return found


def _typed_options(event: Event) -> dict[str, str]:
    return {name: as_typed(value) for name, value in event.options.items() if value is not None}


def _happening(here: Encounter, event: Event, number: int) -> int:
    """Return the current number of the scheduled event that was dropped, if it is still scheduled."""
    names = [each.name for each in here.progress.happenings]
    name = str(event.options.get("text", ""))
    return names.index(name) + 1 if name in names else number


def renamed(command: Command, names: Mapping[str, str]) -> Command:
    """Return a command with other ids for combatants that joined under another id.

    `names`: the new ids by the old.
    """
    if not names:
        return command
    intent = command.intent

    def called(text: str) -> str:
        return ",".join(names.get(who, who) for who in text.split(","))

    changes: dict[str, Any] = {
        name: called(getattr(intent, name)) for name in _PEOPLE if hasattr(intent, name)
    }
    if isinstance(intent, Act | DamageOrHeal):
        changes["options"] = {name: called(value) for name, value in intent.options.items()}
    return attrs.evolve(command, intent=attrs.evolve(intent, **changes))


def renamed_answers(event: Event, names: Mapping[str, str]) -> Sequence[Answer]:
    """Return the answers of an event with other ids for the combatants that were asked."""
    return [attrs.evolve(answer, of=names.get(answer.of or "", answer.of)) for answer in event.answers]


def _id(then: Encounter, word: str) -> str:
    with suppress(Refused):
        return single(then, word).id if word else ""
    return word


def _ids(then: Encounter, text: str) -> str:
    with suppress(Refused):
        return ",".join(targets(then, text)) if text else ""
    return text


def with_options(command: Command, given: Mapping[str, str], by: str, game: Ruleset) -> Intent:
    """Return a command with other options or another actor. Raises Refused if the command has no options."""
    intent, kind = command.intent, COMMANDS.get(command.name)
    if kind is not None and command.name not in NOT_MOVED:
        return kind.amended(intent, given, by, game)
    match intent:
        case Act():
            options = _merged(_options(game.action(intent.action)), intent.options, given)
            return attrs.evolve(intent, options=options, by=by or intent.by)
        case DamageOrHeal():
            verb = game.heal if intent.heals else game.damage
            rest = dict(given)
            amount = next((rest.pop(name) for name in given if matches(name, ("amount",))), intent.amount)
            known = (*AMOUNT_OPTIONS, *_options(game.action(verb.action)))
            options = _merged(known, intent.options, rest)
            return attrs.evolve(intent, amount=amount, options=options, by=by or intent.by)
        case SetField() if not by:
            return attrs.evolve(intent, **_parts(given, ("value", "field"), ()))
        case SetCondition():
            parts = _parts(given, ("name",), ("value", "rounds"))
            if "rounds" in parts:
                parts |= {"until": "", "of": ""}
            return attrs.evolve(intent, **parts, by=by or intent.by)
    if given or by:
        raise Refused("this command has no options; amend it with the whole command")
    return intent


def _parts(given: Mapping[str, str], texts: Sequence[str], numbers: Sequence[str]) -> dict[str, Any]:
    """Return the given fields of a command by name.

    Raises Refused for an unknown name or an invalid number.
    """
    found: dict[str, Any] = {}
    for word, value in given.items():
        name = next(iter(matches(word, (*texts, *numbers))), "")
        if not name:
            raise Refused(f"this command has no option {shown(word)}; it has {listed((*texts, *numbers))}")
        if name in numbers and not re.fullmatch(r"-?[0-9]{1,4}", value):
            raise Refused(f"{name}: expected a whole number, got {shown(value)}")
        found[name] = int(value) if name in numbers else value
    return found


def _options(action: Action | None) -> tuple[str, ...]:
    return tuple(fields_of(action.options)) if action else ()


def _merged(known: Sequence[str], old: Mapping[str, str], given: Mapping[str, str]) -> dict[str, str]:
    """Return the old options, replaced by those given now; names are compared in any spelling."""
    replaced = {name for word in given for name in matches(word, known)}
    return {name: value for name, value in old.items() if name not in replaced} | dict(given)


class EventDice(RecordedDice):
    """The dice of an event that is carried out again: dice given now, then the recorded dice.

    A die given now replaces one with the same owner and reason. With `any_reason`, a recorded die with
    another reason is used if none fits. Raises WrongDie for an invalid die.
    """

    def __init__(self, rolls: Sequence[Roll | TotalRoll], given: Sequence[Given], rest: Dice) -> None:
        super().__init__(rolls, rest)
        self.given, self.any_reason = ScriptedDice(given), False

    def total(self, dice: DiceCounts, why: str = "", of: str = "") -> int | None:
        if not self.given.left:
            return super().total(dice, why, of)
        given = self.given.total(dice, why, of)
        if given is not None:
            self.drop(dice, why, of)
        return given

    def take_total(self, dice: DiceCounts, why: str, of: str) -> int | None:
        found = super().take_total(dice, why, of)
        if found is None and self.any_reason:
            found = self.take_total_like(dice, of)
        return found

    def face(self, sides: int, why: str = "", of: str = "") -> int:
        given = self.given.face(sides, why, of) if self.given.left else None
        fell = self.take(sides, why, of)
        if fell is None and self.any_reason:
            fell = self.take_like(sides, of)
        return next((face for face in (given, fell) if face is not None), None) or super().face(
            sides, why, of
        )


@frozen
class EarlierEntry:
    """A roster entry at the time of an event."""

    name: str
    side: str
    sheet: Any
    party: str = ""


def earlier_roster(
    event: Event, then: Encounter, after: Encounter, here: Encounter
) -> Mapping[str, EarlierEntry] | None:
    """Return the roster entries that an event brought the characters up to date with; None for other events.

    `then` and `after`: the original encounter before and after the event. `here`: the encounter in which the
    event is carried out again.
    """
    if event.command not in ("start", "refresh"):
        return None
    present = {combatant.state.kind: combatant.sheet for combatant in here}
    found = {}
    for combatant in then:
        kind = combatant.state.kind
        if kind is None or kind not in present or combatant.id not in after.combatants:
            continue
        later = after.combatants[combatant.id]
        taken = {
            name: getattr(later.sheet, name)
            for name, field in fields_of(type(later.sheet)).items()
            if combatant.state.prepared.get(name) != later.state.prepared.get(name)
            and is_untouched(later.state.prepared, later.sheet, field)
        }
        # A value that was not taken from the roster then is not taken now either, even if it differs by now.
        found[kind] = EarlierEntry(combatant.name, combatant.side, replace(present[kind], **taken))
    return found


def dice_of(
    event: Event, given: Sequence[Given], rest: Dice, names: Mapping[str, str] | None = None
) -> EventDice:
    """Return the dice of an event: those `given` first, then the recorded ones, then those of `rest`.

    `names`: see `renamed`.
    """
    rolls = event.rolls
    if names:
        rolls = tuple(attrs.evolve(roll, of=names.get(roll.of, roll.of)) for roll in rolls)
    return EventDice(rolls, given, rest)
