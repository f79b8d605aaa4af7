"""Carry out a plan: one ordinary command after the other, all of them one batch.

`RunningPlan` says which command comes next in the live fight. Its callers carry the commands out, each with
its own questions: the screens, linear mode and `affray run`.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from systems.commands.offers import to_take
from systems.commands.plan import PlayPlan
from systems.commands.replay import AmendmentConflict
from systems.contract.marked_text import possessive
from systems.contract.table import ChoiceRequest
from systems.dice.sources import DieRequest, Given
from systems.encounter.events import STEPS, Event
from systems.encounter.lookup import targets
from systems.encounter.model import Encounter
from systems.encounter.schedule import sharing_turn
from systems.errors import Refused
from systems.forecast.choice import Temper
from systems.forecast.known_worths import KnownWorths
from systems.forecast.moves import actions_done
from systems.forecast.plan import (
    EnemyPlan,
    Pick,
    PlannedAction,
    Planner,
    creatures_due,
    live_action,
    plan_of,
    reactions_open,
)
from systems.forecast.worth import acts
from systems.frozen import frozen
from tui.session.attempt import CANNOT_BE, Attempt, Needs, at_once, carry_out
from tui.session.session import Session

TEMPERS: tuple[Temper, ...] = ("careless", "sensible", "ruthless")


@frozen
class PlanStep:
    """The next command of a plan. `action`: the action that it carries out, None for the end of a turn.

    `ends`: the ids of the combatants whose turn it ends.
    """

    line: str
    action: PlannedAction | None = None
    ends: tuple[str, ...] = ()


@frozen
class Waits:
    """The question for which a plan waits.

    `kind`: a die, a choice or a reaction. `of`: the id of the combatant whose player answers. `asked`: the
    question. `line`: the command to type: it needs the answer and has the dice that have fallen so far, or it
    takes the reaction.
    """

    kind: str
    of: str
    asked: str
    line: str

    @property
    def plain(self) -> Mapping[str, str]:
        """Return the fields for JSON."""
        return {"for": self.kind, "of": self.of, "asked": self.asked, "line": self.line}


def pick_of(session: Session) -> Pick:
    """Return the chance that careless creatures choose by. It is the same until the fight changes."""
    return pick_after(len(session.log.events))


def pick_after(events: int) -> Pick:
    """Return the chance that careless creatures choose by, after this number of events."""
    return Random(events).randrange


def planned(session: Session, temper: Temper = "sensible", only: Sequence[str] | None = None) -> EnemyPlan:
    """Return the plan of the present fight. `only`: the ids of the creatures to plan for; None for all."""
    encounter = session.encounter
    done = actions_done(session.log.newest(), encounter)
    return plan_of(encounter, temper, pick_of(session), done, only)


def _only_of(encounter: Encounter, intent: PlayPlan) -> tuple[str, ...] | None:
    """Return the ids of the creatures that `plan TARGETS` names; None without targets. Raises Refused."""
    if not intent.targets:
        return None
    found = targets(encounter, intent.targets)
    for who in found:
        if encounter.is_player(encounter.combatants[who]):
            raise Refused(
                f"{encounter.combatants[who].name} is on the players' side; a plan is for the others"
            )
    return found


def why_not_to_plan(
    encounter: Encounter, due: Sequence[str], only: Sequence[str] | None = None, *, reacts: bool = False
) -> str:
    """Return why no plan can be carried out now, or "". `due`, `reacts`: those of the plan."""
    progress, turn = encounter.progress, encounter.turn
    if progress.over:
        return "the fight is over"
    if not progress.round or turn is None:
        return "the fight has not begun; start it first"
    if encounter.is_player(turn) and not reacts:
        return f"it is {possessive(turn.name)} turn; end it with next, then plan"
    if not any_player_acts(encounter):
        return "no character of the players can act"
    if reacts:
        return ""
    if only is not None and not {*_turns_now(encounter, only)} & {*only}:
        if encounter.style == "sides":
            return "none of these can still act in this turn of their side"
        return f"it is {possessive(turn.name)} turn, so it comes first in a plan"
    return "" if due else "no creature can act before the next player"


def begins_turn(event: Event) -> bool:
    """Return whether a turn or a round begins with this event."""
    return any(not change.who and change.field in ("turn", "round") for change in event.changes)


def plays_alone(session: Session, event: Event) -> bool:
    """Return whether a plan plays by itself after this newest event.

    It begins a creature's turn, or creatures may act because a turn has ended.
    """
    turn = session.encounter.turn
    is_ours = session.plays_foes and event.kind not in STEPS and begins_turn(event)
    if not is_ours or turn is None or not any_player_acts(session.encounter):
        return False
    return not session.encounter.is_player(turn) or bool(reactions_open(session.encounter))


def _turns_now(encounter: Encounter, only: Sequence[str] | None) -> tuple[str, ...]:
    """Return the ids of the combatants that act next, in one turn.

    The members of a side act in any order, so `only` says which of them are next.
    """
    turn = encounter.turn
    if turn is None:
        return ()
    if only is not None and encounter.style == "sides" and not encounter.progress.interrupted:
        return creatures_due(encounter, only)[:1]
    return sharing_turn(encounter, turn.id)


class RunningPlan:
    """A plan that is being carried out.

    `plan`: its actions when it began. `only`: the creatures whose turns it plays; None for all. `batch`:
    the number of its first event, 0 before that.
    """

    def __init__(
        self,
        session: Session,
        plan: EnemyPlan,
        temper: Temper = "sensible",
        only: Sequence[str] | None = None,
    ) -> None:
        self.session, self.plan = session, plan
        self._temper, self._only = temper, only
        self.batch = 0
        self._worths = KnownWorths()
        self._rows: dict[str, list[PlannedAction]] = {who: [] for who in plan.due}
        # What creatures do at the end of others' turns, by that turn and by creature.
        self._reactions: dict[tuple[str, str], list[PlannedAction]] = {}
        self._foreseen = {*plan.due, *reactions_open(session.encounter).values()}
        for action in plan.actions:
            if action.after:
                self._reactions.setdefault((action.after, action.who), []).append(action)
            else:
                self._rows.setdefault(action.who, []).append(action)
        self._failures = [*plan.failures]
        self._told: set[str] = set()
        # The creatures whose turns this plan has ended. If one comes again, all others are out of action.
        self._ended: set[str] = set()
        self._offers = to_take(session.encounter)

    def next_step(self) -> PlanStep | None:
        """Return the next command in the live fight, or None if the plan has ended."""
        encounter = self.session.encounter
        progress, turn = encounter.progress, encounter.turn
        if progress.over or not progress.round or turn is None:
            return None
        if any_player_acts(encounter) and (reaction := self._next_reaction(encounter)) is not None:
            return PlanStep(reaction.line, reaction)
        if encounter.is_player(turn):
            return None
        present = _turns_now(encounter, self._only)
        is_meant = self._only is None or {*present} & {*self._only}
        if not is_meant or {*present} & self._ended or not any_player_acts(encounter):
            return None
        while self._failures:
            if (failure := self._failures.pop(0)) not in self._told:
                self._told.add(failure)
                return PlanStep(f"note {failure}, so the default policy has chosen.")
        for who in present:
            if (action := self._next_action(encounter, who)) is not None:
                return PlanStep(action.line, action)
        return PlanStep(f"next by {present[0]}" if encounter.style == "sides" else "next", ends=present)

    def _next_reaction(self, encounter: Encounter) -> PlannedAction | None:
        """Return what a creature does next because a turn has ended, such as a legendary action; or None."""
        for who, ended in reactions_open(encounter, self._only).items():
            if ended not in self._foreseen and (ended, who) not in self._reactions:
                self._reactions[ended, who] = self._foresee(encounter, who, ended)
            rows = self._reactions.get((ended, who), [])
            if (action := self._live(encounter, rows)) is not None:
                return action
        return None

    def _foresee(self, encounter: Encounter, who: str, ended: str) -> list[PlannedAction]:
        planner = Planner(encounter, self._temper, pick_of(self.session), self._worths)
        found = planner.after_turn(who, ended)
        self._failures += planner.failures
        return found

    def _next_action(self, encounter: Encounter, who: str) -> PlannedAction | None:
        """Return what a creature does next in its turn, or None."""
        if encounter.is_player(encounter.combatants[who]) or not acts(encounter, who):
            return None
        if who not in self._rows:
            # Its turn was not foreseen: it has just arrived, say.
            planner = Planner(encounter, self._temper, pick_of(self.session), self._worths)
            self._rows[who] = planner.turn(who, actions_done(self.session.log.newest(), encounter)[who])
            self._failures += planner.failures
        return self._live(encounter, self._rows[who])

    def _live(self, encounter: Encounter, rows: list[PlannedAction]) -> PlannedAction | None:
        """Return the first of these actions that is possible now, and drop those before it; or None."""
        while rows:
            action = live_action(encounter, rows[0], self._temper, pick_of(self.session), self._worths)
            if action is not None:
                return action
            rows.pop(0)
        return None

    def passed(self, step: PlanStep) -> None:
        """Note that a step was carried out, or that it cannot be."""
        self._ended |= {*step.ends}
        if (action := step.action) is not None:
            rows = self._reactions[action.after, action.who] if action.after else self._rows[action.who]
            del rows[:1]

    def kept(self, step: PlanStep, event: Event) -> Waits | None:
        """Note that a step was saved as an event. Return the reaction that it offers a player, if any."""
        self.passed(step)
        self.batch = self.batch or event.n
        encounter = self.session.encounter
        offers, before = to_take(encounter), self._offers
        self._offers = offers
        new = (offer for offer in offers if offer not in before and is_of_player(encounter, offer.by or ""))
        offer = next(new, None)
        return Waits("reaction", offer.by or "", offer.says, offer.command or "") if offer else None


@frozen
class PlanStepDone:
    """A step that was carried out as far as possible.

    `event`: None if a person is asked before it. `waits`: what a person is asked.
    """

    step: PlanStep
    event: Event | None = None
    waits: Waits | None = None


def targets_of_plan(session: Session, line: str) -> tuple[str, ...] | None:
    """Return the ids of the creatures that a line such as `plan 2,4` names; None if it names none.

    Raises Misread or Refused.
    """
    command = session.begin(line).command
    intent = command.intent
    assert isinstance(intent, PlayPlan)
    if command.dice is not None:
        raise Refused("plan takes no dice; leave them out")
    return _only_of(session.encounter, intent)


def running_plan(session: Session, line: str) -> RunningPlan:
    """Return the plan of a line such as `plan 2,4`, ready to be carried out. Raises Misread or Refused."""
    only = targets_of_plan(session, line)
    plan = planned(session, only=only)
    if why := why_not_to_plan(session.encounter, plan.due, only, reacts=plan.reacts):
        raise Refused(why)
    return RunningPlan(session, plan, only=only)


def carry_out_next(running: RunningPlan) -> PlanStepDone | None:
    """Carry out the next command of a plan without prompts, and save it; None if the plan has ended.

    Raises what reading, carrying out and saving raise.
    """
    session = running.session
    while (step := running.next_step()) is not None:
        try:
            attempt = session.begin(step.line, asks=True)
            found = at_once(carry_out(attempt, _NoPrompts(step)))
        except _PersonAsked as asked:
            return PlanStepDone(step, waits=asked.waits)
        except CANNOT_BE:
            if step.action is None:
                raise
            running.passed(step)
            continue
        event = session.keep(found, batch=running.batch or found.n)
        return PlanStepDone(step, event, running.kept(step, event))
    return None


class _PersonAsked(Exception):
    """A person has to answer before the command can go on."""

    def __init__(self, waits: Waits) -> None:
        super().__init__(waits)
        self.waits = waits


class _NoPrompts:
    """Asks nobody: creatures make their choices as suggested, and a person's question ends the attempt."""

    def __init__(self, step: PlanStep) -> None:
        self._step = step

    async def run(self, attempt: Attempt) -> Event | Needs:
        return attempt.run()

    async def die(self, attempt: Attempt, needs: DieRequest) -> Given | None:
        raise _PersonAsked(self._waits(attempt, "die", needs.of, f"d{needs.sides} for {needs.why}"))

    async def choice(self, attempt: Attempt, needs: ChoiceRequest) -> Any:
        if is_of_player(attempt.session.encounter, needs.of):
            raise _PersonAsked(self._waits(attempt, "choice", needs.of, needs.question))
        return needs.suggest

    async def leave_out(self, attempt: Attempt, refused: AmendmentConflict) -> Attempt:
        raise refused

    async def go_ahead(self, attempt: Attempt, done: Event) -> None:
        pass

    def _waits(self, attempt: Attempt, kind: str, of: str, asked: str) -> Waits:
        dice = f" dice={','.join(map(str, attempt.faces))}" if attempt.faces else ""
        return Waits(kind, of, asked, self._step.line + dice)


def is_of_player(encounter: Encounter, who: str) -> bool:
    """Return whether this id is that of a combatant on the players' side."""
    combatant = encounter.combatants.get(who)
    return combatant is not None and encounter.is_player(combatant)


def any_player_acts(encounter: Encounter) -> bool:
    """Return whether a combatant on the players' side can act."""
    return any(encounter.is_player(each) and acts(encounter, each.id) for each in encounter)
