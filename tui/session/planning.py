"""Carry out a plan: one ordinary command after the other, all of them one batch.

`RunningPlan` says which command comes next in the live fight. Its callers carry the commands out, each with
its own questions: the screens, linear mode and `affray run`.
"""

from collections.abc import Mapping, Sequence
from random import Random

from systems.commands.offers import to_take
from systems.commands.plan import PlayPlan
from systems.contract.table import ChoiceRequest
from systems.dice.sources import DieRequest
from systems.encounter.lookup import targets
from systems.encounter.history import Event
from systems.encounter.model import Encounter
from systems.encounter.remembered import actions_in_turn
from systems.encounter.schedule import sharing_turn
from systems.errors import Refused
from systems.forecast.choice import Temper
from systems.forecast.plan import Pick, Plan, PlannedAction, Planner, live_action, plan_of
from systems.forecast.worth import acts
from systems.frozen import frozen
from tui.session.attempt import CANNOT_BE, Done, Needs
from tui.session.session import Session

TEMPERS: tuple[Temper, ...] = ("careless", "sensible", "ruthless")


@frozen
class Step:
    """The next command of a plan. `action`: the action that it carries out, None for the end of a turn.

    `ends`: the ids of the combatants whose turn it ends.
    """

    line: str
    action: PlannedAction | None = None
    ends: tuple[str, ...] = ()


@frozen
class Waits:
    """A player is asked for something, so a plan waits.

    `kind`: a die, a choice or a reaction. `of`: the id of the combatant whose player is asked. `asked`: the
    question. `line`: the command that needs it, or the one that takes the reaction.
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
    return Random(len(session.log.events)).randrange


def planned(session: Session, temper: Temper = "sensible", only: Sequence[str] | None = None) -> Plan:
    """Return the plan of the present fight. `only`: the ids of the creatures to plan for; None for all."""
    encounter = session.encounter
    done = actions_in_turn(session.log.newest(), encounter)
    return plan_of(encounter, temper, pick_of(session), done, only)


def only_of(encounter: Encounter, intent: PlayPlan) -> tuple[str, ...] | None:
    """Return the ids of the creatures that `plan TARGETS` names; None without targets. Raises Refused."""
    if not intent.targets:
        return None
    found = targets(encounter, intent.targets)
    for who in found:
        if encounter.is_player(encounter.combatants[who]):
            raise Refused(f"{encounter.combatants[who].name} is on the players' side; a plan is for the others")
    return found


def why_not_to_plan(encounter: Encounter, plan: Plan, only: Sequence[str] | None = None) -> str:
    """Return why no plan can be carried out now, or ""."""
    progress, turn = encounter.progress, encounter.turn
    if progress.over:
        return "the fight is over"
    if not progress.round or turn is None:
        return "the fight has not begun; start it first"
    if encounter.is_player(turn):
        return f"it is {turn.name}'s turn; end it with next, then plan"
    present = turns_now(encounter)
    if only is not None and not {*present} & {*only}:
        return f"it is {turn.name}'s turn, so it comes first in a plan"
    return "" if plan.due else "no creature can act before the next player"


def turns_now(encounter: Encounter) -> tuple[str, ...]:
    """Return the ids of the combatants that have the turn and act in it before it ends."""
    turn = encounter.turn
    return () if turn is None else sharing_turn(encounter, turn.id)


class RunningPlan:
    """A plan that is being carried out.

    `plan`: its actions as they were shown. `only`: the creatures whose turns it plays; None for all. `batch`:
    the number of its first event, 0 before that.
    """

    def __init__(
        self, session: Session, plan: Plan, temper: Temper = "sensible", only: Sequence[str] | None = None
    ) -> None:
        self.session, self._temper, self._only = session, temper, only
        self.batch = 0
        self._rows: dict[str, list[PlannedAction]] = {who: [] for who in plan.due}
        for action in plan.actions:
            self._rows.setdefault(action.who, []).append(action)
        self._failures = [*plan.failures]
        self._told: set[str] = set()
        # The creatures whose turns this plan has ended. If one comes again, all others are out of action.
        self._ended: set[str] = set()
        self._offers = to_take(session.encounter)

    def next_step(self) -> Step | None:
        """Return the next command in the live fight, or None if the plan has ended."""
        encounter = self.session.encounter
        progress, turn = encounter.progress, encounter.turn
        if progress.over or not progress.round or turn is None or encounter.is_player(turn):
            return None
        present = {*turns_now(encounter)}
        is_meant = self._only is None or present & {*self._only}
        if not is_meant or present & self._ended or not _any_player_acts(encounter):
            return None
        while self._failures:
            if (failure := self._failures.pop(0)) not in self._told:
                self._told.add(failure)
                return Step(f"note {failure}, so the default policy has chosen.")
        for who in turns_now(encounter):
            if (action := self._next_action(encounter, who)) is not None:
                return Step(action.line, action)
        return Step(f"next by {turn.id}" if encounter.style == "sides" else "next", ends=tuple(present))

    def _next_action(self, encounter: Encounter, who: str) -> PlannedAction | None:
        """Return what a creature does next in its turn, or None."""
        if encounter.is_player(encounter.combatants[who]) or not acts(encounter, who):
            return None
        if who not in self._rows:
            # Its turn was not foreseen: it has just arrived, say.
            planner = Planner(encounter, self._temper, pick_of(self.session))
            self._rows[who] = planner.turn(who, actions_in_turn(self.session.log.newest(), encounter)[who])
            self._failures += planner.failures
        rows = self._rows[who]
        while rows:
            action = live_action(encounter, rows[0], self._temper, pick_of(self.session))
            if action is not None:
                return action
            rows.pop(0)
        return None

    def passed(self, step: Step) -> None:
        """Note that a step was carried out, or that it cannot be."""
        self._ended |= {*step.ends}
        if step.action is not None:
            del self._rows[step.action.who][:1]

    def kept(self, step: Step, event: Event) -> Waits | None:
        """Note that a step was saved as an event. Return the reaction that it offers a player, if any."""
        self.passed(step)
        self.batch = self.batch or event.n
        encounter = self.session.encounter
        offers, before = to_take(encounter), self._offers
        self._offers = offers
        new = (offer for offer in offers if offer not in before and _is_of_player(encounter, offer.by or ""))
        offer = next(new, None)
        return Waits("reaction", offer.by or "", offer.says, offer.command or "") if offer else None


def person_asked(encounter: Encounter, step: Step, needs: Needs) -> Waits | None:
    """Return the question if a person has to answer it; None for a choice that a creature makes."""
    if isinstance(needs, DieRequest):
        return Waits("die", needs.of, f"d{needs.sides} for {needs.why}", step.line)
    if _is_of_player(encounter, needs.of):
        return Waits("choice", needs.of, needs.question, step.line)
    return None


@frozen
class StepDone:
    """A step that was carried out as far as possible.

    `event`: None if a person is asked before it. `waits`: what a person is asked.
    """

    step: Step
    event: Event | None = None
    waits: Waits | None = None


def running_plan(session: Session, line: str) -> RunningPlan:
    """Return the plan of a line such as `plan 2,4`, ready to be carried out. Raises Misread or Refused."""
    intent = session.begin(line).command.intent
    assert isinstance(intent, PlayPlan)
    only = only_of(session.encounter, intent)
    plan = planned(session, only=only)
    if why := why_not_to_plan(session.encounter, plan, only):
        raise Refused(why)
    return RunningPlan(session, plan, only=only)


def carry_out_next(running: RunningPlan) -> StepDone | None:
    """Carry out the next command of a plan without prompts, and save it; None if the plan has ended.

    Raises what reading, carrying out and saving raise.
    """
    session = running.session
    while (step := running.next_step()) is not None:
        try:
            found = _run(session, step)
        except CANNOT_BE:
            if step.action is None:
                raise
            running.passed(step)
            continue
        if isinstance(found, Waits):
            return StepDone(step, waits=found)
        event = session.keep(found, batch=running.batch or found.event.n)
        return StepDone(step, event, running.kept(step, event))
    return None


def _run(session: Session, step: Step) -> Done | Waits:
    """Run a command. Creatures make their choices as suggested."""
    attempt = session.begin(step.line, asks=True)
    while not isinstance(found := attempt.run(), Done):
        waits = person_asked(session.encounter, step, found)
        if waits is not None:
            return waits
        assert isinstance(found, ChoiceRequest)
        attempt.answer(found.suggest)
    return found


def _is_of_player(encounter: Encounter, who: str) -> bool:
    combatant = encounter.combatants.get(who)
    return combatant is not None and encounter.is_player(combatant)


def _any_player_acts(encounter: Encounter) -> bool:
    return any(encounter.is_player(each) and acts(encounter, each.id) for each in encounter)
