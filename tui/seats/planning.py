"""A player's plan for the next turn: prepared while others act, and sent with Enter in the player's own turn.

It lives in the seat's process. Its line is stored with the player's place, so it outlasts a lost connection.
"""

from collections.abc import Callable
from itertools import count

from systems.frozen import evolve, frozen
from systems.text import as_sentence, listed
from systems.visibility.view import View
from tui.display.seat import is_own_turn
from tui.display.text import printable
from tui.lists.plan import PlanShown
from tui.prompts.command import CommandPrompt
from tui.prompts.targets import TargetPrompt
from tui.seats.seat_messages import PlanAsked
from tui.seats.wire_lists import Newest, RunTask, Wire

LONGEST_LINE = 500  # characters that a player's place holds
_MARK = "planned"


class PlannedTargetPrompt(TargetPrompt):
    """The prompt of an action for the player's next turn. Enter plans it."""

    @property
    def enter_does(self) -> str:
        return f"plan {self.shown.action.does}".rstrip()

    @property
    def _does(self) -> str:
        return f"{super()._does} · {_MARK}"


class PlannedCommandPrompt(CommandPrompt):
    """The command line with a plan that can't be read. Enter plans it."""

    enter_does = "plan it"


@frozen
class Plan:
    """A planned line.

    `number`: that of the plan. `title`: that of the fight. `down`: the names of the targets that were down
    when the line was planned, None until it is known.
    """

    line: str
    number: int = 0
    title: str = ""
    down: tuple[str, ...] | None = None


class TurnPlan:
    """The plan of a seat, if there is one, and what it means in the newest view.

    `changed` is called when more is known.
    """

    def __init__(self, wire: Wire | None, run: RunTask, changed: Callable[[], None]) -> None:
        self._news = Newest(wire, run, PlanShown, PlanShown())
        self._news.came = self._came
        self._changed = changed
        self._view = View()
        self._numbers = count(1)
        self._turns = 0
        self._is_ready = self.is_turn_over = False
        self.plan: Plan | None = None
        # The plan that was sent, until the table has answered.
        self._sent: Plan | None = None

    # Changes

    def make(self, line: str) -> None:
        """Plan a line, in place of an earlier plan."""
        if len(line) > LONGEST_LINE:
            return
        self._keep(Plan(line, title=self._view.title))

    def drop(self) -> None:
        """Drop the plan."""
        self.plan = None

    def restore(self, line: str, title: str) -> None:
        """Plan a line from before a lost connection, in the fight with that title."""
        self._keep(Plan(line, title=title))

    def _keep(self, plan: Plan) -> None:
        self.plan = evolve(plan, number=next(self._numbers))
        if not self._is_known:
            self._news.value = PlanShown()
            self._ask()
        elif plan.down is None:
            self.plan = evolve(self.plan, down=self.shown.down)

    def send(self) -> str:
        """Return the line to send now. A refusal brings the plan back."""
        assert self.plan is not None
        self._sent, self.plan = self.plan, None
        return self._sent.line

    def hear(self, *, is_refused: bool) -> None:
        """Handle the table's answer to the sent line."""
        sent, self._sent = self._sent, None
        if sent is not None and is_refused and self.plan is None:
            self._keep(sent)

    def follow(self, view: View) -> None:
        """Work out what the plan means in a new view. It ends with its fight."""
        self._view = view
        if self.plan is not None and (view.over or (view.rows and view.title != self.plan.title)):
            self.plan = None
        self._news.forget()
        self._ask()
        self.look()

    def look(self) -> None:
        """Note whether the turn for the plan has begun."""
        is_ready = self.is_ready
        self._turns += is_ready and not self._is_ready
        self._is_ready = is_ready

    # The meaning of the plan

    def _ask(self) -> None:
        if self.plan is not None:
            self._news.want(PlanAsked(line=self.plan.line))

    def _came(self) -> None:
        self._ask()
        if self.plan is not None and self.plan.down is None and self._is_known:
            self.plan = evolve(self.plan, down=self.shown.down)
        self.look()
        self._changed()

    @property
    def _is_known(self) -> bool:
        return self.plan is not None and self._news.is_answer_to(PlanAsked(line=self.plan.line))

    @property
    def shown(self) -> PlanShown:
        """Return what the plan means, as far as it is known."""
        return self._news.value

    @property
    def words(self) -> str:
        """Return the plan in words, or its line until they are known."""
        return printable(self.shown.words or (self.plan.line if self.plan is not None else ""))

    @property
    def wrong(self) -> str:
        """Return why the plan can't be carried out any more, as a sentence, or ""."""
        if self.shown.wrong:
            return as_sentence(printable(self.shown.wrong))
        before = self.plan.down if self.plan is not None else None
        down = [name for name in self.shown.down if before is not None and name not in before]
        return f"{printable(listed(down))} {'is' if len(down) == 1 else 'are'} down." if down else ""

    @property
    def may_act(self) -> bool:
        """Return whether the player may act now, so that nothing needs to be planned."""
        return is_own_turn(self._view) and not self.is_turn_over

    @property
    def can_plan(self) -> bool:
        """Return whether a turn of the player is to come."""
        return bool(self._view.own) and not self._view.over and not self.may_act

    @property
    def is_ready(self) -> bool:
        """Return whether the turn for the plan has begun, so that Enter sends it."""
        if self.plan is None or not self.may_act:
            return False
        acting = [ahead.name for ahead in self._view.ahead if ahead.turns == 0]
        return not self.shown.by or self.shown.by in acting

    @property
    def first_look(self) -> object:
        """Return a value that is new with each plan and each turn in which Enter may send it."""
        return ("plan", self.plan.number if self.plan is not None else 0, self._turns)
