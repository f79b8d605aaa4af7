"""One command: an intent performed on an encounter becomes one event, or a refusal that changes nothing."""

from collections.abc import Mapping
from typing import Any

import attrs

from systems.commands.actions import do, hurt, rolled, understood
from systems.commands.conditions import clear, set_condition
from systems.commands.edit import count_field, set_field
from systems.commands.membership import RosterEntry, add, hide, remove
from systems.commands.refresh import bring_up_to_date, refresh
from systems.commands.reorder import come_back, delay, move, set_value
from systems.commands.step_back import back
from systems.commands.transaction import ActionReport, Transaction
from systems.commands.turns import extra_turn, give_turn, next_turn, start
from systems.contract.outcome import Step
from systems.contract.table import Choices, Table
from systems.dice.notation import describe
from systems.dice.sources import Dice, NeedsFace, Roll, ScriptedDice, WrongFace
from systems.encounter.changes import diff
from systems.encounter.history import History, redo, undo
from systems.encounter.lookup import single, targets
from systems.encounter.model import Encounter
from systems.encounter.schedule import can_come
from systems.errors import Refused
from systems.language.intents import (
    Act,
    Add,
    Back,
    ClearCondition,
    Command,
    Count,
    Delay,
    End,
    Hide,
    Hurt,
    Intent,
    Next,
    Note,
    OrderBeside,
    OrderValue,
    Redo,
    Refresh,
    Remove,
    Return,
    RollDice,
    SetCondition,
    SetField,
    Start,
    Undo,
)
from systems.requests import plain_term
from systems.text import printable


@attrs.frozen
class Done:
    """A command carried out: the encounter as it is now, and the event to keep (without its time)."""

    encounter: Encounter
    event: dict[str, Any]

    @property
    def text(self) -> str:
        return str(self.event["text"])


def perform(
    encounter: Encounter,
    log: History,
    roster: Mapping[str, RosterEntry],
    command: Command,
    dice: Dice,
    choices: Choices,
) -> Done:
    """Carry out one command. Pure: the same dice and choices give the same event.

    Dice given with the command go before `dice`. Raises Refused or Wrong with one sentence, and
    whatever `dice` and `choices` raise when they run dry (NeedsFace, NeedsChoice).
    """
    if command.dice is not None and isinstance(command.intent, Undo | Redo | Back):
        raise Refused(f"{_verb(command.intent)} takes no dice")
    match command.intent:
        case Undo(number):
            return _step("undo", command, encounter, log, undo(encounter, log, number))
        case Redo(number):
            return _step("redo", command, encounter, log, redo(encounter, log, number))
        case Back():
            return _step("back", command, encounter, log, back(encounter, log))
    scripted = None if command.dice is None else ScriptedDice(command.dice)
    play = Transaction(encounter, Table(scripted or dice, choices))
    try:
        _carry_out(play, roster, command.intent)
        give_turn(play)
    except (NeedsFace, WrongFace) as error:
        if scripted is None:
            raise
        raise Refused(_dice_sentence(error, len(command.dice or ()))) from None
    if scripted is not None and scripted.left:
        used, given = len(play.table.rolls), len(command.dice or ())
        raise Refused(f"too many dice: {given} given, {used or 'none'} used")
    return Done(play.encounter, _event(command, encounter, log, play))


def _dice_sentence(error: NeedsFace | WrongFace, given: int) -> str:
    if isinstance(error, WrongFace):
        return str(error)
    return f"too few dice: {given} given, the next is a d{error.sides} ({error.why})"


def _carry_out(play: Transaction, roster: Mapping[str, RosterEntry], intent: Intent) -> None:
    here = play.encounter
    match intent:
        case Act():
            doing = understood(here, intent)
            _take_turn(play, doing.actors[0])
            do(play, doing)
            if play.extra:
                extra_turn(play, play.extra)
        case Hurt():
            hurt(play, intent)
        case Start(as_prepared):
            if not as_prepared and not here.progress.round:
                bring_up_to_date(play, roster)
            start(play)
        case Refresh():
            refresh(play, roster)
        case Next(by):
            next_turn(play, single(here, by).id if by else None)
        case End():
            _end(play)
        case Delay(who):
            delay(play, _waiting(here, who))
        case Return(who):
            come_back(play, single(here, who).id)
        case OrderBeside(who, beside, after):
            move(play, single(here, who).id, single(here, beside).id, after)
        case OrderValue(who, value):
            set_value(play, single(here, who).id, value)
        case SetField(who, field, value):
            set_field(play, single(here, who).id, field, value)
        case Count(who, field, by):
            count_field(play, single(here, who).id, field, by)
        case SetCondition():
            set_condition(play, targets(here, intent.targets), intent)
        case ClearCondition(who):
            clear(play, targets(here, who), intent)
        case Add():
            add(play, roster, intent)
        case Remove(who):
            remove(play, targets(here, who))
        case Hide(who, hidden):
            hide(play, targets(here, who), hidden)
        case RollDice():
            _roll(play, intent)
        case Note(text):
            play.say(text)


def _waiting(here: Encounter, who: str) -> str:
    """Who is to wait: the one named, else the one whose turn it is. Raises Refused."""
    if not who and here.turn is None:
        raise Refused("nobody has the turn; say who waits: delay WHO")
    return single(here, who).id if who else str(here.progress.turn)


def _take_turn(play: Transaction, actor: str) -> None:
    """Where a side has the turn, whoever of it acts has it now."""
    progress = play.encounter.progress
    one = play.one(actor)
    if play.encounter.style != "sides" or progress.side != one.side or progress.interrupted or progress.over:
        return
    if one.state.done < progress.round and can_come(play.encounter, actor):
        play.encounter = play.encounter.with_progress(turn=actor)


def _end(play: Transaction) -> None:
    progress = play.encounter.progress
    if not progress.round:
        raise Refused("the fight has not begun")
    if progress.over:
        raise Refused("the fight is over already")
    for one in list(play.encounter):
        if not one.state.arrives:
            play.hook("encounter_end", one.id)
    play.encounter = play.encounter.without_offers().with_progress(over=True)
    play.say(f"The fight is over after {progress.round} round{'' if progress.round == 1 else 's'}.")


def _roll(play: Transaction, intent: RollDice) -> None:
    who = single(play.encounter, intent.who) if intent.who else None
    result = rolled(play.table, intent.dice, who.id if who else "gm")
    play.say(f"{f'{who.name} rolls' if who else 'Rolled'} {describe(result)}.")


def _event(command: Command, before: Encounter, log: History, play: Transaction) -> dict[str, Any]:
    """What happened, as plain data."""
    event = _head("command", command, before, log)
    event["text"] = printable(" ".join(play.sentences)) or "Nothing changed."
    if isinstance(command.intent, RollDice) and command.intent.secret:
        event["secret"] = True
    if play.table.rolls:
        event["rolls"] = [_plain_roll(one) for one in play.table.rolls]
    if play.table.answers:
        event["answers"] = list(play.table.answers)
    event |= _reckoning(play.told)
    event["changes"] = [one.plain() for one in diff(before, play.encounter)]
    return event


def _reckoning(told: list[ActionReport]) -> dict[str, Any]:
    """The terms and steps behind the numbers, each with whom it is about, and the rules."""
    terms = [{"of": one.who, **plain_term(term)} for one in told for term in one.account.terms]
    steps = [{"of": one.who, **_plain_step(step)} for one in told for step in one.account.steps]
    rules = list(dict.fromkeys(rule for one in told for rule in one.account.rules))
    found = {"terms": terms, "steps": steps, "rules": rules}
    return {name: value for name, value in found.items() if value}


def _plain_step(step: Step) -> dict[str, str]:
    plain = {"label": step.label, "value": step.value}
    return {**plain, "note": step.note} if step.note else plain


def _plain_roll(one: Roll) -> dict[str, Any]:
    return {"sides": one.sides, "face": one.face, "why": one.why, "of": one.of}


def _head(kind: str, command: Command, before: Encounter, log: History) -> dict[str, Any]:
    return {
        "n": len(log.events) + 1,
        "kind": kind,
        "verb": _verb(command.intent),
        "round": before.progress.round,
        "turn": before.progress.turn or "",
        "command": printable(command.line),
    }


def _verb(intent: Intent) -> str:
    return type(intent).__name__.lower()


def _step(
    kind: str,
    command: Command,
    before: Encounter,
    log: History,
    found: tuple[Encounter, list[int], str],
) -> Done:
    """The event of an undo, a redo or a step back."""
    after, refs, text = found
    event = _head(kind, command, before, log)
    event |= {"text": printable(text), "refs": refs, "changes": [one.plain() for one in diff(before, after)]}
    return Done(after, event)
