"""The command `amend`: change one earlier event, and replay everything after it.

Each later event is carried out again as its original command (replayed.py), with its recorded dice and
answers. Affray rolls and asks only for new ones. If the amended history skips a turn, the `next` that ended
it is dropped; if it has a turn that was never played, that turn passes.

A later event may no longer be possible, or it may be a reaction, such as a counterattack, whose cause is
gone. The amendment is then refused with all of these events (`AmendmentConflict`). To leave them out in the
same step, name them with `drop=`.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, Protocol

from systems.commands.actions import read_action
from systems.commands.refresh import REFRESH
from systems.commands.replayed import (
    EarlierCast,
    EventDice,
    RecordedAnswers,
    command_of,
    dice_of,
    earlier_roster,
    renamed,
    renamed_answers,
)
from systems.commands.start import START
from systems.commands.table import kind_of, title_of
from systems.contract.table import Choices, WrongChoice
from systems.dice.scripted import WrongDie
from systems.dice.sources import Dice, NeedsFace
from systems.encounter.amendment import names_of
from systems.encounter.changes import apply, diff, taken_back
from systems.encounter.events import Event
from systems.encounter.history import AMEND, History, before_event
from systems.encounter.model import Encounter, Offer
from systems.encounter.roster import JoiningEntry
from systems.encounter.schedule import can_have_turn, may_act
from systems.errors import Misread, Refused, Wrong
from systems.frozen import evolve, frozen
from systems.language.intents import Act, Amend, Command
from systems.schema.conversion import replace
from systems.schema.fields import fields_of

KEEP, ADD = "keep", "add"
_CANNOT = (Misread, Refused, Wrong, WrongDie, WrongChoice)
_MOST_PASSED = 200  # turns that pass by themselves in one event
_MOST_TOLD, _MOST_DROPPED = 2, 40  # events that a refusal tells of, and that it offers to leave out
StillPassing = Callable[[Encounter], bool]


class CarryOut(Protocol):
    """Carry out one command: return the encounter after it, and its event.

    `still_passing`: turns pass as long as it returns True for the encounter. `roster`: replaces the current
    roster.
    """

    def __call__(
        self,
        here: Encounter,
        log: History,
        command: Command,
        dice: Dice,
        choices: Choices,
        still_passing: StillPassing,
        roster: Mapping[str, JoiningEntry] | None,
    ) -> tuple[Encounter, Event]: ...


@frozen
class ReplayProgress:
    """The progress of a replay: events `done` of `count`."""

    done: int
    count: int


@frozen
class AmendedHistory:
    """The result of an amendment: the encounter after it, the changed events and the dropped numbers."""

    encounter: Encounter
    replaced: tuple[Event, ...]
    dropped: tuple[int, ...]


@frozen
class ConflictingEvent:
    """A later event that does not fit the amended history.

    `title`: a few words that name it. `why`: why the rules refuse it; "" for a reaction that has only
    lost its cause.
    """

    number: int
    title: str
    why: str


class AmendmentConflict(Refused):
    """An amendment that later events do not fit; its sentence names the options that leave them out.

    `events`: these events, oldest first. Each assumes that the ones before it are left out.
    """

    def __init__(self, events: Sequence[ConflictingEvent]) -> None:
        self.events = tuple(events)
        super().__init__(_conflict_words(self.events))


def _conflict_words(events: Sequence[ConflictingEvent]) -> str:
    """Return the sentence about events that do not fit an amendment."""
    told = [
        f"event {event.number} stops it, {event.title}: {event.why}"
        if event.why
        else f"event {event.number} has lost its cause, {event.title}"
        for event in events[:_MOST_TOLD]
    ]
    if more := len(events) - len(told):
        told.append(
            f"{more} more later event{'s' if more > 1 else ''} no longer fit{'s' if more == 1 else ''}"
        )
    if len(events) > _MOST_DROPPED:
        return f"{'; '.join(told)}; amend or undo the latest of these first"
    numbers = ",".join(str(event.number) for event in events)
    they = "it" if len(events) == 1 else "they"
    says = f"{'; '.join(told)}; if {they} did not happen either, add drop={numbers}"
    without_cause = ",".join(str(event.number) for event in events if not event.why)
    return f"{says}; if {they} did, add keep={without_cause}" if without_cause else says


@frozen
class _Past:
    """One event before the amendment, with the encounter before and after it."""

    event: Event
    then: Encounter
    after: Encounter

    @property
    def number(self) -> int:
        return self.event.n


def amending(
    encounter: Encounter, log: History, intent: Amend, dice: Dice, choices: Choices, carry_out: CarryOut
) -> Generator[ReplayProgress, None, AmendedHistory]:
    """Replay history from an event on, with that event changed or left out; yield the progress.

    Raises AmendmentConflict with the later events that do not fit it, Refused for any other mistake, and
    whatever `dice` and `choices` raise when they run out.
    """
    check_amendable(log, intent.number)
    if intent.drop or intent.keep:
        _check_later(log, intent)
    if intent.command and not kind_of(intent.command).in_history:
        raise Refused(f"{intent.command.name} cannot be put into history")
    past = yield from _past(encounter, log, intent.number)
    replay = _Replay(past[0].then, log, intent, dice, choices, carry_out)
    last_dropped = max(intent.drop, default=0)
    for at, moment in enumerate(past):
        following = past[at + 1] if at + 1 < len(past) else None
        if at == 0 and intent.never:
            replay.drop(moment)
        elif at == 0:
            replay.first(moment, _amended_command(intent, moment), intent, following)
        elif moment.number > last_dropped and replay.is_as_it_was(moment):
            # From here on everything is unchanged, too.
            return replay.result(encounter)
        elif moment.number in intent.drop:
            replay.drop(moment)
        else:
            replay.again(moment, following)
        yield ReplayProgress(at + 1, len(past))
    return replay.result(replay.here)


def _check_later(log: History, intent: Amend) -> None:
    """Raise Refused unless the events to drop and to keep come after the amended one and can be amended."""
    for name, numbers in (("drop", intent.drop), ("keep", intent.keep)):
        for number in numbers:
            if number <= intent.number:
                raise Refused(f"{name}: event {number} does not come after event {intent.number}")
            check_amendable(log, number)
    if both := {*intent.drop} & {*intent.keep}:
        raise Refused(f"event {min(both)} cannot be dropped and kept")


def check_amendable(log: History, number: int) -> None:
    """Raise Refused unless the event of that number can be amended."""
    event = log.event(number)
    if event.kind in ("undo", "redo"):
        raise Refused(f"event {number} undoes or redoes others; amend the command itself")
    if event.command == KEEP:
        raise Refused(f"event {number} wrote to the roster; undo takes it back")
    if event.command == AMEND:
        changed = next(iter(event.refs), "")
        raise Refused(f"event {number} is an amendment itself; amend event {changed} again, or undo it")
    if number not in log.standing_since(number):
        dropped = number in log.amended and log.amended[number] is None
        why = "did not happen, as amended" if dropped else "was undone"
        raise Refused(f"event {number} {why}; it cannot be amended")


def _past(encounter: Encounter, log: History, number: int) -> Generator[ReplayProgress, None, list[_Past]]:
    """Return the events that stand from that number on, oldest first, each with the encounter before it."""
    found: list[_Past] = []
    count = len(log.standing_since(number))
    for event in log.newest():
        yield ReplayProgress(0, count)
        if event.n < number:
            break
        before = taken_back(encounter, (event,))
        found.append(_Past(event, before, encounter))
        encounter = before
    return found[::-1]


def _amended_command(intent: Amend, moment: _Past) -> Command:
    if intent.command is not None:
        return evolve(intent.command, dice=None, turn_of=moment.event.turn_of)
    command = command_of(moment.event, moment.then)
    if not intent.options and not intent.by:
        return command
    kind = kind_of(command)
    meant = kind.amended(command.intent, intent.options, intent.by, moment.then.game)
    return evolve(command, intent=meant, line=kind.line(meant))


class _Replay:
    """The events that are carried out again: the encounter so far, and the events that differ now."""

    def __init__(
        self,
        here: Encounter,
        log: History,
        intent: Amend,
        dice: Dice,
        choices: Choices,
        carry_out: CarryOut,
    ) -> None:
        number = intent.number
        self.here, self._number, self._keeps = here, number, intent.keep
        self._amended: dict[int, Event | None] = dict(log.amended)
        self._log = before_event(log, number, self._amended)
        self._dice, self._choices, self._carry_out = dice, choices, carry_out
        self.replaced: list[Event] = []
        self.dropped: list[int] = []
        self._conflicts: list[ConflictingEvent] = []
        # Combatants that joined under another id than before, by their earlier id.
        self._renamed: dict[str, str] = {}
        self._differs = ""
        # What a step back does depends on events before it.
        self._steps_back = any(
            event.kind == "back" for event in log.events[number - 1 :] if event.n >= number
        )

    def result(self, present: Encounter) -> AmendedHistory:
        """Return the result of the amendment. Raises AmendmentConflict if later events do not fit it."""
        if self._conflicts:
            raise AmendmentConflict(self._conflicts)
        return AmendedHistory(present, tuple(self.replaced), tuple(self.dropped))

    def is_as_it_was(self, moment: _Past) -> bool:
        """Return whether the encounter equals the encounter before an event."""
        here, then = self.here.combatants, moment.then.combatants
        # Who differs mostly goes on to differ: that is seen at once, all others are compared only then.
        if self._steps_back or here.get(self._differs) != then.get(self._differs):
            return False
        self._differs = next((who for who in then if here.get(who) != then[who]), "")
        # Equal values may differ in what is written down of them.
        return self.here == moment.then and not diff(moment.then, self.here)

    def first(self, moment: _Past, command: Command, intent: Amend, following: _Past | None) -> None:
        """Carry out the amended event. Raises Refused for dice too many or impossible."""
        given = (intent.command.dice if intent.command else intent.dice) or ()
        dice = dice_of(moment.event, given, self._dice)
        dice.any_reason = intent.any_reason
        try:
            typed = self._run(moment, command, dice, following, intent.answers)
        except WrongDie as error:
            raise Refused(str(error)) from None
        if dice.given.left:
            used = len(given) - dice.given.left
            raise Refused(f"too many dice: {len(given)} given, {used or 'none'} used")
        if left := len(typed.typed_left):
            asked = len(intent.answers) - left
            raise Refused(f"too many answers: {len(intent.answers)} given, {asked or 'none'} asked for")
        if not self.replaced:
            raise Refused(f"nothing would change: this is how event {moment.number} was")

    def again(self, moment: _Past, following: _Past | None) -> None:
        """Carry out a later event again, or drop it. An event that does not fit is noted and left out."""
        if self._drops(moment):
            self.drop(moment)
            return
        if moment.event.command == KEEP:
            # The roster has been written. In the fight a rest set figures, and these are set again.
            self.here = apply(self.here, moment.event)
            self._log = self._log.with_standing(moment.number)
            return
        try:
            was = command_of(moment.event, moment.then)
            intent = kind_of(was).again(was.intent, moment.event, self.here)
            command = renamed(evolve(was, intent=intent), self._renamed)
            if moment.number not in self._keeps and self._has_lost_its_cause(moment, was, command):
                self._strand(moment)
                return
            self._run(moment, command, dice_of(moment.event, (), self._dice, self._renamed), following)
        except _CANNOT as error:
            self._strand(moment, str(error).rstrip("."))

    def _has_lost_its_cause(self, moment: _Past, was: Command, command: Command) -> bool:
        """Return whether an event took up an offer that is not made now.

        The game's main action needs no offer in its actor's own turn, unless it was a reaction.
        """
        if not isinstance(command.intent, Act) or not moment.then.offers:
            return False
        if not isinstance(was.intent, Act):
            return False
        taken = _offer_taken(moment.then, was.intent)
        if taken is None:
            return False
        now = read_action(self.here, command.intent)
        is_ordinary = now.action.name == self.here.game.default_action and not taken.reaction
        in_own_turn = any(may_act(self.here, who) for who in now.actors)
        return now.offer is None and not (is_ordinary and in_own_turn)

    def _strand(self, moment: _Past, why: str = "") -> None:
        """Note that an event does not fit the amended history, and continue without it to find the others."""
        title = title_of(moment.event, names_of(moment.then) | names_of(moment.after), self.here.game)
        self._conflicts.append(ConflictingEvent(moment.number, title, why))
        self.drop(moment)

    def drop(self, moment: _Past) -> None:
        """Leave an event out: it did not happen."""
        self.dropped.append(moment.number)
        self._amended[moment.number] = None

    def _drops(self, moment: _Past) -> bool:
        """Return whether an event has nothing to do: the turn that it ends was passed over."""
        match moment.event.command:
            case "next":
                return not _same_turn(self.here, moment.then)
            case "delay" if moment.event.actor == moment.then.progress.turn:
                return not _same_turn(self.here, moment.then)
            case "back":
                return any(number in self.dropped for number in moment.event.refs)
        return False

    def _run(
        self,
        moment: _Past,
        command: Command,
        dice: EventDice,
        following: _Past | None,
        typed: Sequence[str] = (),
    ) -> RecordedAnswers:
        """Carry out an event again. `typed`: other answers to its questions. Return its answers."""
        old = moment.event
        answers = renamed_answers(old, self._renamed) if self._renamed else old.answers
        choices = RecordedAnswers(answers, self._choices, typed)
        passed = 0

        def still_passing(here: Encounter) -> bool:
            nonlocal passed
            passed += 1
            return following is not None and passed <= _MOST_PASSED and _is_due(here, following.then)

        brings = command.name in (START.name, REFRESH.name)
        roster: Mapping[str, JoiningEntry] | None = None
        if brings:
            roster = earlier_roster(old, moment.then, moment.after, self.here)
        elif command.name != ADD:
            roster = EarlierCast(moment.then, moment.after)
        try:
            after, event = self._carry_out(
                self.here, self._log, command, dice, choices, still_passing, roster
            )
        except NeedsFace as needs:

            def again(dice: Dice, choices: Choices) -> Event:
                here, log = self.here, self._log
                return self._carry_out(here, log, command, dice, choices, lambda here: False, roster)[1]

            raise needs.knowing(again=again) from None
        if event.kind == "back" and event.refs != old.refs:
            self.drop(moment)  # what it took back has not happened
            return choices
        if (added := self._as_added(after, moment)) is not after:
            after = added
            event = evolve(event, changes=diff(self.here, after))
        new = evolve(event, n=moment.number, time=old.time, who=old.who, batch=old.batch)
        if _bare(new) != _bare(old):
            self.replaced.append(new)
            self._amended[moment.number] = new
        self._log = self._log.with_standing(moment.number)
        self.here = after
        return choices

    def _as_added(self, after: Encounter, moment: _Past) -> Encounter:
        """Return the encounter with newcomers as they joined then. The roster may have changed since."""
        event, known = moment.event, moment.after.combatants
        wholes = [change.who for change in event.changes if not change.field and change.before is None]
        if not wholes:
            return after
        then = [who for who in wholes if who in known]
        now = [who for who in after.progress.ids if who not in self.here.combatants]
        if len(then) != len(now):
            return after
        self._renamed |= {old: new for old, new in zip(then, now, strict=True) if old != new}
        if event.n == self._number or event.command != ADD:
            return after  # another combatant should have joined, or an action has brought it
        sheets = {new: known[old].sheet for old, new in zip(then, now, strict=True)}
        joined = [after.combatants[who] for who in sheets]
        new = [evolve(each, sheet=_in_this_turn(sheets[each.id], each.sheet)) for each in joined]
        return after.with_combatants(*new)


def _offer_taken(encounter: Encounter, intent: Act) -> Offer | None:
    """Return the offer that an action takes up; None if it takes up none, or is not possible."""
    try:
        return read_action(encounter, intent).offer
    except _CANNOT:
        return None


def _in_this_turn(sheet: Any, now: Any) -> Any:
    """Return a sheet with what only this turn and round know as it is now: turns may have passed since."""
    fields = fields_of(type(sheet)).items()
    passing = {name: getattr(now, name) for name, field in fields if field.lasts in ("turn", "round")}
    return replace(sheet, **passing)


def _bare(event: Event) -> Event:
    """Return an event without the fields that only say how it was written.

    Events in older logs have no intent.
    """
    return evolve(event, time="", who="", game_version=1, intent=None)


def _same_turn(here: Encounter, then: Encounter) -> bool:
    """Return whether the same turn is on."""
    progress, was = here.progress, then.progress
    if here.style == "sides" and not (progress.interrupted or was.interrupted):
        return (progress.side, progress.round) == (was.side, was.round)
    return (progress.turn, progress.round) == (was.turn, was.round)


def _is_due(here: Encounter, then: Encounter) -> bool:
    """Return whether a turn that was never played has to pass before the turn in `then`."""
    progress, was = here.progress, then.progress
    if not was.turn or not progress.turn or progress.over or _same_turn(here, then):
        return False
    if was.interrupted and not progress.interrupted:
        return False
    if was.turn not in here.combatants or progress.round > was.round:
        return False
    begun = here.combatants[was.turn].state.begun
    if progress.interrupted and not was.interrupted:
        return True
    return begun < was.round and can_have_turn(here, was.turn)
