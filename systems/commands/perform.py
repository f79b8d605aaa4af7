"""Carry out one command: an intent becomes one event, or a refusal that changes nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

import attrs

from systems.commands.actions import do, read_action, roll_notation
from systems.commands.amend import AmendedHistory, ReplayProgress, StillPassing, amending
from systems.commands.amounts import damage_or_heal
from systems.commands.conditions import clear, count_condition, set_condition
from systems.commands.edit import count_field, set_field
from systems.commands.given_back import apply_again, in_turn_of
from systems.commands.groups import group, ungroup
from systems.commands.happenings import add_happening, drop_happening
from systems.commands.keep import keep
from systems.commands.membership import RosterEntry, add, bring_up_to_date, hide, refresh, remove
from systems.commands.reactions import update_offers
from systems.commands.readiness import get_ready
from systems.commands.reorder import delay, move, return_to_order, set_totals, set_value
from systems.commands.step_back import back
from systems.commands.step_forward import SteppedBack
from systems.commands.table import COMMANDS, NOT_MOVED
from systems.commands.titles import title_of
from systems.commands.transaction import Transaction
from systems.commands.turns import extra_turn, give_turn, next_turn, start
from systems.contract.marked_text import as_actor
from systems.contract.table import Choices, Table
from systems.dice.notation import describe
from systems.dice.scripted import ScriptedDice, WrongDie
from systems.dice.sources import Dice, NeedsFace
from systems.encounter.amendment import amendment_sentences, names_ever, names_of
from systems.encounter.changes import apply, diff
from systems.encounter.events import (
    NOTHING_CHANGED,
    Event,
    Kind,
    Seen,
    Sentence,
    combatants_in,
    logged,
    logged_result,
    out_of_sight,
    seen_of,
)
from systems.encounter.history import History, redo, undo
from systems.encounter.lookup import single, targets, valued_condition
from systems.encounter.losses import passing
from systems.encounter.model import Encounter
from systems.encounter.remembered import acted_in_turn
from systems.encounter.schedule import may_act
from systems.encounter.step_runs import MOST_NAMED, steps_in_words
from systems.errors import Refused
from systems.language.intents import (
    Act,
    Add,
    Amend,
    Back,
    ClearCondition,
    Command,
    Count,
    DamageOrHeal,
    Delay,
    DropHappening,
    End,
    Group,
    Happen,
    Hide,
    Intent,
    Keep,
    Next,
    OrderBeside,
    OrderValue,
    Ready,
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
from systems.language.paths import field_and_value
from systems.text import printable


@attrs.frozen
class Done:
    """The result of a command: the event to save, without its time. `apply` applies it to the encounter."""

    event: Event

    @property
    def text(self) -> str:
        return self.event.text


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
    match command.intent:
        case Undo() | Redo() | Back():
            return Done(_step(command, encounter, log))
        case Amend():
            steps = performing(encounter, log, roster, command, dice, choices)
            return next(step for step in steps if isinstance(step, Done))
    transaction = carry_out(encounter, roster, command, dice, choices, log)
    event = _head("command", command, encounter, log)
    return Done(_filled(event, transaction, transaction.encounter))


def performing(
    encounter: Encounter,
    log: History,
    roster: Mapping[str, RosterEntry],
    command: Command,
    dice: Dice,
    choices: Choices,
) -> Iterator[ReplayProgress | Done]:
    """Carry out a command step by step, for commands that may take long. The last step is the result.

    Raises what `perform` raises.
    """
    if not isinstance(command.intent, Amend):
        yield perform(encounter, log, roster, command, dice, choices)
        return
    past = yield from amending(encounter, log, command.intent, dice, choices, partial(_again, roster))
    yield Done(_amendment(command, encounter, log, past))


def _again(
    roster: Mapping[str, RosterEntry],
    here: Encounter,
    log: History,
    command: Command,
    dice: Dice,
    choices: Choices,
    still_passing: StillPassing,
    roster_then: Mapping[str, RosterEntry] | None,
) -> tuple[Encounter, Event]:
    """Carry out an earlier command of the history again; see amend.CarryOut."""
    if isinstance(command.intent, Back):
        event = _step(command, here, log)
        return apply(here, event), event
    known = roster if roster_then is None else roster_then
    transaction = carry_out(here, known, command, dice, choices, log)
    while still_passing(transaction.encounter):
        next_turn(transaction)
        _settle(transaction)
    event = _filled(_head("command", command, here, log), transaction, transaction.encounter)
    return transaction.encounter, event


def _settle(transaction: Transaction) -> None:
    """Do what follows every command: end conditions that lost their source, begin a turn if there is none,
    update offers.
    """
    transaction.end_unsustained()
    transaction.tell_ended()
    give_turn(transaction)
    transaction.tell_ended()
    update_offers(transaction)


def carry_out(
    encounter: Encounter,
    roster: Mapping[str, RosterEntry],
    command: Command,
    dice: Dice,
    choices: Choices,
    log: History | None = None,
) -> Transaction:
    """Carry out any command except undo, redo and back. Raises what `perform` raises.

    `log`: the events so far. Without it, a turn that was stepped back over begins from its start.
    """
    scripted = None if command.dice is None else ScriptedDice(command.dice)
    before = None if log is None else SteppedBack(encounter, log)
    if before and not scripted and isinstance(command.intent, Next):
        dice, choices = before.dice(dice), before.answers(choices)
    present = encounter
    if command.turn_of and log is not None:
        encounter = in_turn_of(present, log, command.turn_of)
    transaction = Transaction(encounter, Table(scripted or dice, choices), roster)
    transaction.stepped_back = before
    if log is not None and isinstance(command.intent, Next):
        transaction.acted = lambda: acted_in_turn(log.newest(), transaction.encounter)
    try:
        if command.name in NOT_MOVED or command.name not in COMMANDS:
            _run_intent(transaction, roster, command.intent)
        else:
            COMMANDS[command.name].carry_out(transaction, command.intent)
        _settle(transaction)
    except (NeedsFace, WrongDie) as error:
        if scripted is None:
            raise
        raise Refused(_dice_sentence(error, len(command.dice or ()))) from None
    if scripted is not None and scripted.left:
        used, given = len(transaction.table.rolls), len(command.dice or ())
        raise Refused(f"too many dice: {given} given, {used or 'none'} used")
    if encounter is not present:
        apply_again(transaction, encounter, present)
    return transaction


def _dice_sentence(error: NeedsFace | WrongDie, given: int) -> str:
    if isinstance(error, WrongDie):
        return str(error)
    return f"too few dice: {given} given, the next is a d{error.request.sides} ({error.request.why})"


def _run_intent(transaction: Transaction, roster: Mapping[str, RosterEntry], intent: Intent) -> None:
    here = transaction.encounter
    match intent:
        case Act():
            doing = read_action(here, intent)
            _take_turn(transaction, doing.actors[0])
            do(transaction, doing)
            transaction.after_action = transaction.encounter
            if transaction.extra:
                extra_turn(transaction, transaction.extra)
        case DamageOrHeal():
            damage_or_heal(transaction, intent)
            transaction.after_action = transaction.encounter
        case Start(as_prepared, totals):
            if not as_prepared and not here.progress.round:
                bring_up_to_date(transaction, roster)
            set_totals(transaction, totals)
            start(transaction)
        case Refresh():
            refresh(transaction, roster)
        case Next(by):
            ends = single(here, by).id if by else None
            transaction.record(actor=ends or here.progress.turn or "")
            next_turn(transaction, ends)
        case End():
            _end(transaction)
        case Add():
            transaction.record(**attrs.asdict(intent) | {"arrives": intent.arrives or None})
            add(transaction, roster, intent)
        case RollDice():
            _roll(transaction, intent)
        case Happen(text, number, hidden):
            transaction.record(text=text, round=number, hidden=hidden)
            add_happening(transaction, text, number, hidden)
        case DropHappening(number):
            transaction.record(text=drop_happening(transaction, number))
        case Keep():
            keep(transaction, roster, intent)
        case _:
            _change_people(transaction, intent)


def _change_people(transaction: Transaction, intent: Intent) -> None:
    """Carry out the commands that name combatants: order, fields, conditions, hiding."""
    here = transaction.encounter
    match intent:
        case Delay(who):
            waits = _waiting(here, who)
            transaction.record(actor=waits)
            delay(transaction, waits)
        case Return(who):
            returns = single(here, who).id
            transaction.record(actor=returns)
            return_to_order(transaction, returns)
        case Ready(who, text):
            readies = single(here, who).id
            transaction.record(actor=readies, text=text)
            get_ready(transaction, readies, text)
        case OrderBeside(who, beside, after):
            moved, other = single(here, who).id, single(here, beside).id
            transaction.record(targets=[moved], beside=other, place="after" if after else "before")
            move(transaction, moved, other, after)
        case OrderValue(who, value):
            moved = single(here, who).id
            transaction.record(targets=[moved], value=value)
            set_value(transaction, moved, value)
        case SetField(who, field, value, quoted):
            changed = single(here, who).id
            field, value = field_and_value(here.combatants[changed].sheet, field, value)
            transaction.record(targets=[changed], field=field, value=value)
            set_field(transaction, changed, field, value, quoted=quoted)
        case Count(who, field, by):
            changed = single(here, who).id
            if name := valued_condition(here, changed, field):
                transaction.record(targets=[changed], name=name, value=by)
                count_condition(transaction, changed, name, by)
            else:
                transaction.record(targets=[changed], field=field, value=by)
                count_field(transaction, changed, field, by)
        case SetCondition(who):
            set_condition(transaction, targets(here, who), intent)
        case ClearCondition(who):
            clear(transaction, targets(here, who), intent)
        case Remove(who) | Hide(who) | Group(who):
            ids = targets(here, who)
            transaction.record(targets=ids)
            _place(transaction, intent, ids)


def _place(transaction: Transaction, intent: Remove | Hide | Group, ids: Sequence[str]) -> None:
    """Carry out the commands that remove or hide combatants, or let them share a turn."""
    match intent:
        case Remove():
            remove(transaction, ids)
        case Hide(hidden=hidden):
            hide(transaction, ids, hidden)
        case Group(together=together):
            (group if together else ungroup)(transaction, ids)


def _waiting(here: Encounter, who: str) -> str:
    """Return the id of the combatant that delays: the one named, or else the one whose turn it is.

    Raises Refused.
    """
    if not who and here.turn is None:
        raise Refused("nobody has the turn; name the combatant that waits")
    return single(here, who).id if who else str(here.progress.turn)


def _take_turn(transaction: Transaction, actor: str) -> None:
    """In the sides style, give the turn to the member of the side that acts."""
    if transaction.encounter.style == "sides" and may_act(transaction.encounter, actor):
        transaction.encounter = transaction.encounter.with_progress(turn=actor)


def _end(transaction: Transaction) -> None:
    progress = transaction.encounter.progress
    if not progress.round:
        raise Refused("the fight has not begun, so it cannot end")
    if progress.over:
        raise Refused("the fight is over already")
    # Offers that the end of the fight makes remain, such as an ability to learn.
    transaction.encounter = transaction.encounter.without_offers()
    for combatant in list(transaction.encounter):
        if not combatant.state.arrives:
            transaction.hook("encounter_end", combatant.id)
    transaction.encounter = transaction.encounter.with_progress(over=True)
    transaction.say(f"The fight is over after {progress.round} round{'' if progress.round == 1 else 's'}.")


def _roll(transaction: Transaction, intent: RollDice) -> None:
    who = single(transaction.encounter, intent.who) if intent.who else None
    transaction.record(actor=who.id if who else "", dice=intent.dice, secret=intent.secret)
    transaction.table.people = {}
    transaction.is_secret = intent.secret
    result = roll_notation(transaction.table, intent.dice, who.id if who else "gm")
    seen: Seen | None = "gm" if intent.secret else None
    says = f"{as_actor(who.name)} rolls" if who else "Rolled"
    transaction.say(f"{says} {describe(result)}.", [who.id] if who else [], seen=seen)


def _head(kind: Kind, command: Command, before: Encounter, log: History) -> Event:
    """Return the event with the fields that every event begins with."""
    return Event(
        n=len(log.events) + 1,
        kind=kind,
        command=command.name,
        typed=printable(command.line),
        round=before.progress.round,
        turn=before.progress.turn or "",
        turn_of=command.turn_of,
        game_version=before.game.version,
    )


def _filled(head: Event, transaction: Transaction, after: Encounter) -> Event:
    """Return the event with everything that a transaction recorded."""
    if not any(printable(sentence.text) for sentence in transaction.sentences):
        transaction.say(NOTHING_CHANGED, [who for who in (transaction.actor, *transaction.targets) if who])
    before = transaction.before
    text, sentences = logged(transaction.sentences, out_of_sight(before, after), before.progress.round)
    return attrs.evolve(
        head,
        action=transaction.action,
        actor=transaction.actor,
        targets=transaction.targets,
        options=transaction.options,
        text=text,
        sentences=sentences,
        rolls=tuple(transaction.table.rolls),
        answers=tuple(transaction.table.answers),
        results=tuple(map(logged_result, transaction.results)),
        passing=passing(transaction.after_action, after),
        roster=transaction.roster,
        seen_changes=tuple(transaction.seen_changes),
        changes=diff(before, after),
    )


def _amendment(command: Command, before: Encounter, log: History, past: AmendedHistory) -> Event:
    """Return the event of an amendment, which carries the events that it replaces."""
    assert isinstance(command.intent, Amend)
    head = attrs.evolve(
        _head("command", command, before, log),
        refs=(command.intent.number,),
        dropped=past.dropped,
        replaced=past.replaced,
    )
    names = {**names_ever(before, log), **names_of(past.encounter)}
    sentences = amendment_sentences(log, head, names, lambda event: title_of(event, names, before.game))
    return _changing(head, sentences, before, past.encounter)


def _changing(head: Event, sentences: Iterable[Sentence], before: Encounter, after: Encounter) -> Event:
    """Return the event that leads from one encounter to the other with these sentences."""
    text, said = logged(sentences, out_of_sight(before, after), before.progress.round)
    return attrs.evolve(head, text=text, sentences=said, changes=diff(before, after))


def _steps_told(
    kind: str, log: History, refs: Sequence[int], before: Encounter, after: Encounter
) -> tuple[list[str], list[Sentence]]:
    """Return the titles of the undone or redone commands, for the event, and the sentence about them."""
    names = names_of(before) | names_of(after)
    named = refs if len(refs) <= MOST_NAMED else (refs[0], refs[-1])
    events = [log.event(number) for number in named]
    titles = [title_of(event, names, after.game) for event in events]
    about = {who for event in events for who in combatants_in(event)}
    seen: Seen | None = "gm" if all(seen_of(event) == "gm" for event in events) else None
    return titles, [Sentence(steps_in_words(kind, len(refs), titles), tuple(sorted(about)), seen)]


def _step(command: Command, before: Encounter, log: History) -> Event:
    """Return the event of an undo, a redo or a step back. Raises Refused."""
    if command.dice is not None:
        raise Refused(f"{command.name} takes no dice; leave them out")
    kind: Kind = "back"
    titles: Sequence[str] = ()
    match command.intent:
        case Undo(number):
            kind = "undo"
            after, refs = undo(before, log, number)
            titles, sentences = _steps_told(kind, log, refs, before, after)
        case Redo(number):
            kind = "redo"
            after, refs = redo(before, log, number)
            titles, sentences = _steps_told(kind, log, refs, before, after)
        case _:
            after, refs, sentences = back(before, log)
    head = attrs.evolve(_head(kind, command, before, log), refs=tuple(refs), titles=tuple(titles))
    return _changing(head, sentences, before, after)
