"""The turn that begins again after a step back: its start has no effect a second time.

Directly after a `back`, the next turn begins again with its recorded dice and answers. If a combatant had
already acted in that turn before the step back, its start is not run again. Instead the changes that the step
back removed are restored and merged with later changes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from systems.commands.effects import sync_conditions
from systems.commands.replayed import RecordedAnswers, RecordedDice
from systems.commands.step_back import TURN_FIELDS, undone
from systems.commands.transaction import Transaction
from systems.commands.turns import end_turn, end_turns
from systems.contract.table import Choices, ScriptedChoices, Table, WrongChoice
from systems.dice.scripted import ScriptedDice, WrongDie
from systems.dice.sources import (
    Dice,
    NeedsFace,
)
from systems.encounter.changes import Change, diff, reverse, taken_back
from systems.encounter.events import Event, given_in
from systems.encounter.history import History
from systems.encounter.model import Encounter
from systems.encounter.schedule import group_of
from systems.errors import Refused, Wrong
from systems.frozen import evolve, frozen

# Events searched by every `next` for a step back. A turn that was stepped back over usually begins again
# soon.
LOOKED_BACK = 400


@frozen
class _TakenBack:
    """An event that passed the turn on, and the step back over it.

    `since`: the later events that are not undone, the newest first. `played`: whether anything was done
    between the two.
    """

    event: Event
    step: Event
    since: Sequence[Event]
    played: bool


@dataclass(eq=False)
class SteppedBack:
    """The turns that were stepped back over lately, for a command that may pass the turn on."""

    _encounter: Encounter
    _log: History
    _restored: set[int] = field(default_factory=set, init=False)

    def dice(self, rest: Dice) -> Dice:
        """Return dice that repeat the recorded ones from when the current turn was passed on before."""
        found = self._of_present_turn
        return rest if found is None else RecordedDice(found.event.rolls, rest)

    def answers(self, rest: Choices) -> Choices:
        """Return the recorded answers, or `rest` if anything has been done since the step back."""
        found = self._of_present_turn
        if found is None or found.since[0] is not found.step:
            return rest
        return RecordedAnswers(found.event.answers, rest)

    def begin_turn(self, play: Transaction, who: str) -> bool:
        """Restore a combatant's turn; return whether it had begun and anything was done in it."""
        number = play.encounter.progress.round
        return self._begin(play, (who, "begun", number))

    def begin_round(self, play: Transaction, number: int) -> bool:
        """Restore a round; return whether it had begun and anything was done in it."""
        return self._begin(play, ("", "round", number))

    def began_together(self, play: Transaction, who: str, members: tuple[str, ...]) -> tuple[str, ...]:
        """Return the members whose turns begin with this combatant's.

        A member that was in the fight when this turn was played, and did not begin with it, has its own turn
        in this round. It may have joined the group during that turn.
        """
        number = play.encounter.progress.round
        for taken in self._all:
            began = {change.who for change in taken.event.changes if _begins(change, number)}
            if taken.played and who in began:
                before = _without(self._encounter, taken.since[: taken.since.index(taken.step) + 1])
                present = group_of(before, who)
                return tuple(each for each in members if each in began or each not in present)
        return members

    def came_next(self) -> str | None:
        """Return the combatant to which the current turn was passed on before, or None.

        In the sides style it has the turn again, even if it has no action left by now.
        """
        taken = self._of_present_turn
        changes = taken.event.changes if taken else ()
        return next((change.after for change in changes if (change.who, change.field) == ("", "turn")), None)

    def keep_reactions(self, play: Transaction) -> None:
        """Keep reactions used that were used in the turn after this one, before the step back.

        In the sides order, that turn may have begun earlier, so its start restores nothing.
        """
        taken = self._of_present_turn
        if taken is not None and taken.played and not self._restored:
            _keep_reactions(play, _without(self._encounter, taken.since[: taken.since.index(taken.step) + 1]))

    def _begin(self, play: Transaction, begun: tuple[str, str, int]) -> bool:
        for taken in self._all:
            fields = [(change.who, change.field, change.after) for change in taken.event.changes]
            if taken.played and begun in fields:
                if (number := taken.event.n) not in self._restored:
                    self._restored.add(number)
                    before = _without(self._encounter, taken.since[: taken.since.index(taken.step) + 1])
                    _give_back(play, before, self._started(taken, before))
                return True
        return False

    @cached_property
    def _of_present_turn(self) -> _TakenBack | None:
        progress = self._encounter.progress
        here = (progress.turn or "", progress.round)
        found = (taken for taken in self._all if (taken.event.turn, taken.event.round) == here)
        return next((taken for taken in found if taken.event.command == "next"), None)

    @cached_property
    def _all(self) -> Sequence[_TakenBack]:
        """Return the events that were stepped back over, the newest first."""
        recent = list(_recent(self._log, self._encounter.progress.round))
        if not any(event.kind == "back" for event in recent):
            return ()
        numbers = {event.n: event for event in recent}
        found = []
        for step in recent:
            for number in step.refs if step.kind == "back" else ():
                if event := numbers.get(number):
                    since = [other for other in recent if other.n > number]
                    found.append(_TakenBack(event, step, since, _was_played(since, step)))
        return found

    def _started(self, taken: _TakenBack, before_step: Encounter) -> Sequence[Change]:
        """Return changes that restore the part of the new turn that the step back removed."""
        begun = _without(before_step, taken.since[taken.since.index(taken.step) + 1 :])
        ended = _ended(_without(begun, [taken.event]), taken.event)
        without = before_step
        for change in reverse(diff(ended, begun)):
            without = undone(without, change)
        return diff(without, before_step)


def _recent(log: History, number: int) -> Iterator[Event]:
    """Yield the recent events of this round and the one before that are not undone, the newest first."""
    for event in islice(log.newest(), LOOKED_BACK):
        if int(event.round) < number - 1:
            return
        yield event


def _begins(change: Change, number: int) -> bool:
    """Return whether a turn of this round begins with the change."""
    return change.field == "begun" and change.after == number


def _was_played(since: Sequence[Event], step: Event) -> bool:
    """Return whether anything was done between an event and the step back over it."""
    between = [event for event in since if event.n < step.n]
    taken = {number for event in between if event.kind == "back" for number in event.refs}
    return any(event.changes and event.kind != "back" and event.n not in taken for event in between)


def _without(encounter: Encounter, events: Iterable[Event]) -> Encounter:
    """Return the encounter before its newest events. `events`: the newest first."""
    return taken_back(encounter, events)


def _ended(before: Encounter, event: Event) -> Encounter:
    """Return the encounter between the end of the old turn and the begin of the new one in that event."""
    if event.command != "next":
        return before
    actor = event.actor
    if actor in before.combatants:
        before = before.with_progress(turn=actor)
    play = Transaction(
        before,
        Table(ScriptedDice(given_in(event)), ScriptedChoices([answer.value for answer in event.answers])),
    )
    try:
        if before.style == "sides" and not before.progress.interrupted:
            end_turns(play, _ended_in_side(before, event))
        else:
            end_turn(play)
    except (NeedsFace, WrongDie, WrongChoice, Refused, Wrong):
        return before  # The game has changed its rules since.
    return play.encounter


def _ended_in_side(before: Encounter, event: Event) -> list[str]:
    """Return the members of the side with the turn whose turns ended in an event, in line order."""
    ended = {change.who for change in event.changes if change.field == "done"}
    side, number = before.progress.side, before.progress.round
    begun = [each for each in map(before.combatants.get, before.progress.order) if each is not None]
    return [each.id for each in begun if each.id in ended and (each.side, each.state.begun) == (side, number)]


def _give_back(play: Transaction, before_step: Encounter, changes: Iterable[Change]) -> None:
    """Make the changes again, merged with later ones; reactions used in that turn stay used."""
    here, touched = play.encounter, set()
    for change in changes:
        if change.who or change.field not in TURN_FIELDS:
            here = undone(here, change)
            touched.add(change.who)
    play.encounter = here
    play.put(*(sync_conditions(here, here.combatants[who]) for who in touched & {*here.combatants}))
    _keep_reactions(play, before_step)


def _keep_reactions(play: Transaction, before_step: Encounter) -> None:
    """Leave the reactions used that were used before a step back, and withdraw their offers."""
    for combatant in before_step:
        if combatant.id in play.encounter.combatants:
            play.put(play.combatant(combatant.id).with_state(reacted=combatant.state.reacted))
    game = play.encounter.game
    had = {(each.id, name) for each in play.encounter for name in each.state.reacted}
    left = tuple(
        offer
        for offer in play.encounter.offers
        if not offer.reaction or (offer.by, game.spent_by(offer.reaction)) not in had
    )
    play.encounter = evolve(play.encounter, offers=left)
