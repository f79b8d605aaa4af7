"""The enemy's plan on the screens: show it, carry it out, and go on after a player was asked.

With `foes = "plan"` in `[table]` the plan runs by itself at the beginning of every creature's turn.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from systems.contract.table import ChoiceRequest
from systems.encounter.events import STEPS, Event
from systems.encounter.model import Encounter
from systems.errors import Misread, Refused
from systems.forecast.moves import actions_done
from systems.forecast.plan import EnemyPlan, PlannedAction, Planner, turns_of_plan
from systems.text import several
from tui.controllers.command_runner import CommandRunner
from tui.display.plan import waits_words
from tui.display.refusals import misread_words
from tui.prompts.plan import PlanPrompt
from tui.session.attempt import Attempt, Needs, Question
from tui.session.planning import (
    TEMPERS,
    PlanStep,
    RunningPlan,
    Waits,
    any_player_acts,
    begins_turn,
    is_of_player,
    pick_of,
    planned,
    plays_alone,
    targets_of_plan,
    why_not_to_plan,
)
from tui.session.session import Session

if TYPE_CHECKING:
    from tui.controllers.table import Table
    from tui.prompts.prompt import Prompt
    from tui.services import OpenPrompt


class Plans:
    """The plan that is being carried out at one table, if any, and the temper of the creatures."""

    def __init__(self, table: "Table") -> None:
        self.table, self.services = table, table.services
        self.temper = TEMPERS[1]
        self._running: RunningPlan | None = None
        # The reaction of a player for which the running plan waits.
        self._waits: Waits | None = None
        self._is_stepping = self._goes_on = False
        # The names of the creatures that have chosen again, by the reason.
        self._chosen_again: dict[str, list[str]] = {}

    def open(self, line: str, asked_by: "OpenPrompt | None" = None) -> None:
        """Show the plan that a line such as `plan` or `plan 2,4` asks for.

        `asked_by`: the prompt that the line comes from; it is opened again if the line is refused.
        """
        session = self.table.session
        if session is None:
            self.table.say_no_fight()
            return
        try:
            only = targets_of_plan(session, line)
            shown = _PlanOnScreen(self, session, only)
        except (Misread, Refused) as error:
            if asked_by is not None:
                self.services.prompts.open(asked_by)
            why = misread_words(line, error) if isinstance(error, Misread) else str(error)
            self.services.say(why, error=True)
        else:
            self.services.prompts.open(PlanPrompt(self.services, shown))

    def carry_out(self, session: Session, plan: EnemyPlan, only: Sequence[str] | None = None) -> None:
        """Carry out a plan from its first action. A plan that waits for a reaction goes on with it."""
        batch = self._running.batch if self._running is not None and self._waits is not None else 0
        self._running, self._waits = RunningPlan(session, plan, self.temper, only), None
        self._running.batch = batch
        self._go_on()

    def fight_moved(self, session: Session) -> None:
        """Go on with a plan after the awaited reaction, or begin one if creatures play by themselves."""
        event = session.log.events[-1]
        if self._is_stepping:
            return
        if self._waits is not None and event.command == "action" and event.actor == self._waits.of:
            self.services.program.call_later(self._resume)
            return
        if self._waits is not None and (event.kind in STEPS or begins_turn(event)):
            # The game master plays on by hand.
            self._running = self._waits = None
        if plays_alone(session, event):
            self.services.program.call_later(self._begin_alone, event)

    def _begin_alone(self, event: Event) -> None:
        session = self.table.session
        if session is None or self._is_stepping or session.log.events[-1] is not event:
            return
        plan, turn = planned(session, self.temper), session.encounter.turn
        if turn is not None and session.encounter.is_player(turn) and not plan.reacts:
            return
        if not why_not_to_plan(session.encounter, plan.due, reacts=plan.reacts):
            self.carry_out(session, plan)

    def _resume(self) -> None:
        """Go on after a reaction, unless a prompt is open."""
        if self._waits is not None and self.services.prompts.current is None:
            self._waits = None
            self._go_on()

    # Carrying out

    def _go_on(self) -> None:
        """Carry out steps until a person is asked or the plan ends. They are painted together."""
        if self._is_stepping:
            self._goes_on = True
            return
        self._is_stepping = self._goes_on = True
        try:
            while self._goes_on and self._running is not None:
                self._goes_on = False
                self._step(self._running)
        finally:
            self._is_stepping = False

    def _step(self, running: RunningPlan) -> None:
        if running.session is not self.table.session:
            self._stop()
            return
        step = running.next_step()
        if step is None:
            self._finish(running)
            return
        if step.action is not None and step.action.instead:
            name = running.session.encounter.combatants[step.action.who].name
            self._chosen_again.setdefault(step.action.instead, []).append(name)
        _PlanRunner(self, running, step).go()

    def stepped(self, running: RunningPlan, step: PlanStep, event: Event) -> None:
        """Go on after a step that was saved, unless a player may react to it."""
        waits = running.kept(step, event)
        if waits is None:
            self._go_on()
            return
        self._waits = waits
        self.services.show_change()
        asks = waits_words(running.session.encounter, waits.of, waits.kind)
        self._say(f"{asks} {self.services.key_names['plan']} goes on with the plan.")

    def skipped(self, running: RunningPlan, step: PlanStep) -> None:
        """Go on after a step that the rules refuse."""
        running.passed(step)
        self._go_on()

    def _finish(self, running: RunningPlan) -> None:
        self._stop()
        count = sum(event.batch == running.batch for event in running.session.log.events[-500:])
        undo = self.services.key_names["undo"]
        is_up = any_player_acts(running.session.encounter)
        ended = "The plan is carried out" if is_up else "The players are down"
        several = f", {count} commands" if count > 1 else ""
        self._say(f"{ended}. {undo} undoes the plan{several}." if running.batch else "")

    def stopped(self) -> None:
        """Stop a plan whose question was cancelled, or whose next command was refused."""
        self._stop()

    def _stop(self) -> None:
        self._running = self._waits = None
        self.services.show_change()

    def _say(self, sentence: str) -> None:
        again = [f"{why}: {several(names)} chose again." for why, names in self._chosen_again.items()]
        self.services.say(" ".join([*again, sentence]).strip())
        self._chosen_again = {}


class _PlanRunner(CommandRunner):
    """Carries out one step of a plan. Creatures make their choices as suggested; persons are asked."""

    def __init__(self, plans: Plans, running: RunningPlan, step: PlanStep) -> None:
        super().__init__(plans.table, step.line)
        self._plans, self._running, self._step = plans, running, step

    def keep(self, session: Session, done: Event) -> Event:
        return session.keep(done, batch=self._running.batch or done.n)

    async def choice(self, attempt: Attempt, needs: ChoiceRequest) -> Any:
        if not is_of_player(attempt.session.encounter, needs.of):
            return needs.suggest
        return await super().choice(attempt, needs)

    def show(self, needs: Needs, prompt: "Prompt", question: Question[Any], *, is_shared: bool) -> None:
        self.services.show_change()
        super().show(needs, prompt, question, is_shared=is_shared)

    def left(self) -> None:
        self._plans.stopped()

    def refused(self, sentence: str) -> None:
        session = self.table.session
        if self._step.action is not None and session is not None and not session.read_only:
            self._plans.skipped(self._running, self._step)
        else:
            self._plans.stopped()
            super().refused(sentence)

    def done(self, event: Event, before: Encounter) -> None:
        if self.prompt:
            self.prompt.close()
        self._plans.stepped(self._running, self._step, event)


class _PlanOnScreen:
    """A plan that is shown, and how it has been changed since."""

    def __init__(self, plans: Plans, session: Session, only: Sequence[str] | None) -> None:
        self._plans, self._session, self._only = plans, session, only
        self._make()

    def _make(self) -> None:
        """Plan for the first creature now, and for one more after each frame."""
        session, temper = self._session, self._plans.temper
        self.encounter = session.encounter
        self._done = actions_done(session.log.newest(), self.encounter)
        self._planner = Planner(self.encounter, temper, pick_of(session), only=self._only)
        # What creatures do because a turn has just ended comes first.
        self._actions: list[PlannedAction] = self._planner.part("")
        self._reacts = bool(self._actions)
        self._due = turns_of_plan(self.encounter, self._only, reacts=self._reacts)
        self._left = [*self._due]
        if not self._actions:
            self._plan_for_one()
        self._plan_next_later()

    def _plan_for_one(self) -> None:
        if self._left:
            who = self._left.pop(0)
            self._actions += self._planner.part(who, self._done[who])

    def _plan_next_later(self) -> None:
        if self._left:
            self._plans.services.program.call_later(self._plan_next, self._planner)

    def _plan_next(self, planner: Planner) -> None:
        """Plan for one more creature, unless the prompt was closed or a new plan was begun with `planner`."""
        prompts = self._plans.services.prompts
        if planner is self._planner and isinstance(prompts.current, PlanPrompt):
            self._plan_for_one()
            prompts.refresh()
            self._plan_next_later()

    @property
    def _plan(self) -> EnemyPlan:
        """Return the whole plan."""
        while self._left:
            self._plan_for_one()
        return EnemyPlan(self._due, tuple(self._actions), tuple(self._planner.failures), self._reacts)

    @property
    def actions(self) -> Sequence[PlannedAction]:
        return self._actions

    @property
    def expected(self) -> int:
        return max(len(self._actions), len(self._due))

    @property
    def temper(self) -> str:
        return self._plans.temper

    @property
    def notes(self) -> Sequence[str]:
        why = why_not_to_plan(self.encounter, self._due, self._only, reacts=self._reacts)
        return [*self._planner.failures, *([f"Not yet: {why}."] if why else [])]

    def change(self, at: int) -> str:
        others = self._planner.others(self._actions[at])
        lines, line = [other.line for other in others], self._actions[at].line
        if {*lines} <= {line}:
            return "This creature has no other action."
        after = lines.index(line) + 1 if line in lines else 0
        self._actions[at] = others[after % len(others)]
        return ""

    def leave_out(self, at: int) -> None:
        del self._actions[at]

    def change_temper(self) -> None:
        at = (TEMPERS.index(self._plans.temper) + 1) % len(TEMPERS)
        self._plans.temper = TEMPERS[at]
        self._make()

    def carry_out(self) -> None:
        session = self._plans.table.session
        if session is not self._session:
            return
        if why := why_not_to_plan(session.encounter, self._due, self._only, reacts=self._reacts):
            self._plans.services.say(why, error=True)
            return
        self._plans.carry_out(session, self._plan, self._only)
