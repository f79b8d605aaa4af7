"""The dispatcher: look a command up, carry it out, and make its event, or refuse it and change nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from systems.commands.cast import change_cast, leave_unbound
from systems.commands.given_back import apply_again, in_turn_of
from systems.commands.next import Next
from systems.commands.reactions import update_offers
from systems.commands.replay import AmendedHistory, ReplayProgress, StillPassing, amending
from systems.commands.replayed import EarlierCast
from systems.commands.step_forward import SteppedBack
from systems.commands.table import kind_of, title_of
from systems.commands.transaction import Transaction
from systems.commands.turns import give_turn, next_turn
from systems.contract.table import Choices, Table
from systems.dice.scripted import ScriptedDice, WrongDie
from systems.dice.sources import Dice, NeedsFace
from systems.encounter.amendment import amendment_sentences, names_ever, names_of
from systems.encounter.changes import apply, diff
from systems.encounter.events import (
    NOTHING_CHANGED,
    Event,
    EventKind,
    Loss,
    Seen,
    Sentence,
    combatants_in,
    logged,
    logged_result,
    out_of_sight,
    seen_of,
)
from systems.encounter.history import History
from systems.encounter.losses import losses
from systems.encounter.model import Encounter
from systems.encounter.remembered import acted_in_turn
from systems.encounter.roster import JoiningEntry
from systems.encounter.step_runs import MOST_NAMED, steps_in_words
from systems.errors import Refused
from systems.frozen import evolve
from systems.language.intents import Amend, Command
from systems.text import printable


def perform(
    encounter: Encounter,
    log: History,
    roster: Mapping[str, JoiningEntry],
    command: Command,
    dice: Dice,
    choices: Choices,
) -> Event:
    """Carry out one command; return its event, without a time. `apply` applies it to the encounter.

    Pure: the same dice and choices give the same event. Dice given with the command go before `dice`. Raises
    Refused or Wrong with one sentence, and whatever `dice` and `choices` raise when they run dry (NeedsFace,
    NeedsChoice).
    """
    steps = performing(encounter, log, roster, command, dice, choices)
    return next(step for step in steps if isinstance(step, Event))


def performing(
    encounter: Encounter,
    log: History,
    roster: Mapping[str, JoiningEntry],
    command: Command,
    dice: Dice,
    choices: Choices,
) -> Iterator[ReplayProgress | Event]:
    """Carry out a command step by step, since an amendment may take long. The last step is the event.

    Raises what `perform` raises.
    """
    if kind_of(command).step is not None:
        yield _step(command, encounter, log)
    elif isinstance(command.intent, Amend):
        past = yield from amending(encounter, log, command.intent, dice, choices, partial(_again, roster))
        yield _amendment(command, encounter, log, past)
    else:
        transaction = carry_out(encounter, roster, command, dice, choices, log)
        yield _filled(_head("command", command, encounter, log), command, transaction)


def _again(
    roster: Mapping[str, JoiningEntry],
    here: Encounter,
    log: History,
    command: Command,
    dice: Dice,
    choices: Choices,
    still_passing: StillPassing,
    roster_then: Mapping[str, JoiningEntry] | None,
) -> tuple[Encounter, Event]:
    """Carry out an earlier command of the history again; see amend.CarryOut."""
    if kind_of(command).step is not None:
        event = _step(command, here, log)
        return apply(here, event), event
    known = roster if roster_then is None else roster_then
    if isinstance(known, EarlierCast):
        known.rest = roster
    transaction = carry_out(here, known, command, dice, choices, log)
    while still_passing(transaction.encounter):
        next_turn(transaction)
        settle(transaction)
    event = _filled(_head("command", command, here, log), command, transaction)
    return transaction.encounter, event


def settle(transaction: Transaction) -> None:
    """Do what follows every command: end conditions that lost their source, begin a turn if there is none,
    update offers.
    """
    if any(combatant.conditions for combatant in transaction.encounter.combatants.values()):
        transaction.end_unsustained()
    transaction.tell_ended()
    if any(combatant.state.bound for combatant in transaction.encounter):
        leave_unbound(transaction)
    if transaction.encounter.progress.turn is None:
        give_turn(transaction)
    transaction.tell_ended()
    if transaction.encounter.offers:
        update_offers(transaction)


def carry_out(
    encounter: Encounter,
    roster: Mapping[str, JoiningEntry],
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
    transaction.change_cast = change_cast
    if log is not None and isinstance(command.intent, Next):
        transaction.acted = lambda: acted_in_turn(log.newest(), transaction.encounter)
    try:
        kind_of(command).carry_out(transaction, command.intent)
        settle(transaction)
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


def _head(kind: EventKind, command: Command, before: Encounter, log: History) -> Event:
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


def _filled(head: Event, command: Command, transaction: Transaction) -> Event:
    """Return the event with everything that a transaction recorded."""
    after = transaction.encounter
    if not any(printable(sentence.text) for sentence in transaction.sentences):
        transaction.say(NOTHING_CHANGED, [who for who in (transaction.actor, *transaction.targets) if who])
    before, acted = transaction.before, transaction.after_action
    passing: Sequence[Loss] = ()
    if acted is not None and acted is not after:
        passing = losses(acted, after, after.progress.ids)
    text, sentences = logged(transaction.sentences, out_of_sight(before, after), before.progress.round)
    event = evolve(
        head,
        action=transaction.action,
        actor=transaction.actor,
        actors=transaction.actors,
        targets=transaction.targets,
        options=transaction.options,
        text=text,
        sentences=sentences,
        rolls=tuple(transaction.table.rolls),
        answers=tuple(transaction.table.answers),
        results=tuple(map(logged_result, transaction.results)),
        passing=tuple(passing),
        roster=transaction.roster,
        seen_changes=tuple(transaction.seen_changes),
        changes=diff(before, after),
    )
    return evolve(event, intent=kind_of(command).stored_intent(command.intent, event, before))


def _amendment(command: Command, before: Encounter, log: History, past: AmendedHistory) -> Event:
    """Return the event of an amendment, which carries the events that it replaces."""
    assert isinstance(command.intent, Amend)
    head = evolve(
        _head("command", command, before, log),
        refs=(command.intent.number,),
        dropped=past.dropped,
        replaced=past.replaced,
    )
    head = evolve(head, intent=kind_of(command).stored_intent(command.intent, head, before))
    names = {**names_ever(before, log), **names_of(past.encounter)}
    sentences = amendment_sentences(log, head, names, lambda event: title_of(event, names, before.game))
    return _changing(head, sentences, before, past.encounter)


def _changing(head: Event, sentences: Iterable[Sentence], before: Encounter, after: Encounter) -> Event:
    """Return the event that leads from one encounter to the other with these sentences."""
    text, said = logged(sentences, out_of_sight(before, after), before.progress.round)
    return evolve(head, text=text, sentences=said, changes=diff(before, after))


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
    step = kind_of(command).step
    assert step is not None
    found = step(before, log, command.intent)
    titles: Sequence[str] = ()
    sentences = found.sentences
    if not sentences:
        titles, sentences = _steps_told(found.kind, log, found.refs, before, found.after)
    head = _head(found.kind, command, before, log)
    head = evolve(head, refs=tuple(found.refs), titles=tuple(titles), batch=found.batch)
    head = evolve(head, intent=kind_of(command).stored_intent(command.intent, head, before))
    return _changing(head, sentences, before, found.after)
