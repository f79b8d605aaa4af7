"""Player actions at a seat: open prompts, send lines, and answer the table's questions."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from systems.contract.marked_text import possessive
from systems.encounter.events import Event
from systems.frozen import evolve
from systems.language.intents import Command
from systems.language.tokens import quote
from systems.visibility.view import Offered, SeatAction, View
from tui.display.seat import is_own_turn
from tui.lists.action_list import ActionList, Again, OfferWords
from tui.lists.command_help import CommandHelp
from tui.lists.dice_asked import LONGEST_ANSWER, ChoiceAsked, FaceAsked, TypedDie
from tui.lists.plan import planned_line
from tui.lists.target_list import ActionShown, Asked, OddsPage, TargetList
from tui.prompts.actions import ActionsPrompt
from tui.prompts.command import CommandPrompt
from tui.prompts.dice_and_choices import ChoicePrompt, DieShown, FacePrompt
from tui.prompts.line import RollPrompt
from tui.prompts.requests import RequestsPrompt
from tui.prompts.targets import TargetPrompt
from tui.seats.planning import PlannedCommandPrompt, PlannedTargetPrompt, TurnPlan
from tui.seats.seat_messages import AgainAsked, OddsAsked, OffersAsked, RecapAsked
from tui.seats.table_questions import TableQuestion, TableQuestions
from tui.seats.wire_lists import (
    NO_ANSWER,
    Newest,
    RunTask,
    Wire,
    WireActions,
    WireCommands,
    WireTargets,
)
from tui.services import OpenPrompt, Services
from tui.wire.request_list import ListedRequest

_UNHEARD = 4.0  # seconds before a missing answer of the table is reported
UNREACHED = "The table cannot be reached just now; nothing was sent."


class SeatPlay:
    """The prompts of one seat.

    `run` runs a coroutine in the background. `answered` is called after each answer of the server. `cells`
    returns the width of a page.
    """

    def __init__(
        self,
        services: Services,
        wire: Wire | None,
        run: RunTask,
        answered: Callable[[], None],
        cells: Callable[[], int],
    ) -> None:
        self.services, self.wire, self._cells = services, wire, cells
        self._run, self._answered = run, answered
        self.view = View()
        self.asked = TableQuestions()
        # The requests of this seat that wait, and the last ones that were refused or lapsed.
        self.requests: Sequence[ListedRequest] = ()
        # The players who have not rolled yet, while several roll at the same time.
        self.missing: Sequence[str] = ()
        # Digits that were typed for a die before a decision was made.
        self._kept = ""
        # The prompt that a question of the table interrupted, and the number of that question.
        self._typing: OpenPrompt | None = None
        self._answering: int | None = None
        # The open prompt ends with the player's own turn, or with an offer.
        self._of_turn = False
        self._of_offer: Offered | None = None
        # The prompt whose line was sent last. It opens again if the line is refused immediately.
        self._sent_by: OpenPrompt | None = None
        # The number of lines sent, and how many of them the table has answered.
        self._sent = self._heard = 0
        # The reopened prompt, until a key is pressed in it.
        self._refused: OpenPrompt | None = None
        self._newest: list[Newest[Any]] = []
        # The action to repeat, until the server has answered.
        self._again: Newest[Again] | None = None
        self._odds = Newest(wire, run, OfferWords, OfferWords(), services.show_message)
        self.plan = TurnPlan(wire, run, services.show_message)
        # The prompt that changes the plan in the player's own turn. Its line replaces the plan.
        self._changing: OpenPrompt | None = None
        # The name of the character that acts next, if the player has chosen one of several.
        self.chosen = ""
        services.command = self._carry_out

    # The newest view

    def show_view(self, view: View) -> None:
        """Show a new view. If the open prompt no longer applies, close it and say so."""
        before, self.view = self.view, view
        for newest in (*self._newest, self._odds):
            newest.forget()
        if view.offers:
            self._odds.want(self._offers_asked)
        self.plan.follow(view)
        asked_of_player = self._typing if self._answering is not None else self.services.prompts.current
        if not isinstance(asked_of_player, TargetPrompt | ActionsPrompt):
            return
        over = ""
        if self._of_offer is not None and self._of_offer not in view.offers:
            over = "The offer is gone: nothing was sent."
        elif self._of_offer is None and self._of_turn and not is_own_turn(view):
            whose = next((ahead.name for ahead in before.ahead if ahead.turns == 0), "")
            over = (
                f"{possessive(whose)} turn is over: nothing was sent."
                if whose
                else "Your turn is over: nothing was sent."
            )
        if over:
            if self._answering is not None:
                self._typing = None
            else:
                asked_of_player.close()
            self.services.say(over)

    def _new(self, kind: type[Any], first: Any) -> Newest[Any]:
        """Return the request channel for a prompt that is about to open."""
        newest: Newest[Any] = Newest(
            self.wire, self._run, kind, first, self._answered, lambda: self._say_unanswered(newest)
        )
        self._newest = [*self._newest[-3:], newest]
        return newest

    def _say_unanswered(self, newest: Newest[Any]) -> None:
        """Report that the newest question got no answer. The typed text stays."""
        if self._again is newest:
            self._again = None
        if self._newest[-1:] == [newest]:
            self.services.say(NO_ANSWER, error=True)

    def ask_again(self) -> None:
        """Repeat the newest question if it got no answer."""
        if self.services.messages.sentence == NO_ANSWER:
            self.services.say("")
        for newest in self._newest[-1:]:
            newest.ask_again()

    # Questions

    def _open(self, prompt: OpenPrompt, offer: Offered | None = None) -> None:
        is_planned = isinstance(prompt, PlannedTargetPrompt)
        self._of_turn, self._of_offer = is_own_turn(self.view) and not is_planned, offer
        self.services.prompts.open(prompt)

    def end_turn(self) -> None:
        """End the turn of the chosen character, or the turn of the only one."""
        self.services.command(self._with_actor("next"))

    def _with_actor(self, line: str) -> str:
        return f"{line} by {quote(self.chosen, always=True)}" if self.chosen else line

    def main_action(self) -> None:
        """Open the prompt for the target of the main action."""
        if self.view.actions:
            self.action(self.view.actions[0])

    def action(
        self,
        action: SeatAction,
        offer: Offered | None = None,
        given: Mapping[str, str] | None = None,
        line: str = "",
    ) -> None:
        """Open the prompt of an action, or carry it out if it needs none.

        Before the player's own turn, it is planned. `offer`: the offer that this action accepts. `given`:
        options to fill in. `line`: the first text of the line.
        """
        is_planned = offer is None and action.in_turn and self.plan.can_plan
        if is_planned:
            self.chosen = self.chosen or self._next_of_several
        if action.targets == "none" and not action.options:
            if is_planned:
                self.plan_line(self._with_actor(action.name))
            else:
                self.services.command(self._with_actor(action.name))
            return
        actor = self.chosen or next((ahead.name for ahead in self.view.ahead if ahead.turns == 0), "")
        actor = offer.by if offer else actor or next((card.name for card in self.view.own), "")
        first = TargetList(ActionShown(actor=actor, does=action.title, targets=action.targets))
        by = offer.by if offer else self.chosen
        newest = self._new(TargetList, first)

        def plot(asked: Asked) -> None:
            self._plot(action.name, by, asked, is_planned=is_planned)

        targets = WireTargets(newest, action.name, by, plot, is_planned=is_planned)
        filled, option = given, ""
        if offer is not None:
            filled, option, line = dict(offer.options), offer.first, offer.target
        kind = PlannedTargetPrompt if is_planned else TargetPrompt
        self._open(kind(self.services, targets, filled, option=option, line=line), offer)

    def repeat(self) -> None:
        """Repeat the last action of the combatant with the turn. Open its prompt if no target is left."""
        newest = self._again = self._new(Again, Again())

        def came() -> None:
            if self._again is not newest:
                return
            self._again, again = None, newest.value
            action = self._action_of(again.action)
            if again.line and self.plan.can_plan:
                self.plan_line(again.line)
            elif again.line:
                self.services.command(again.line)
            elif action is not None:
                self.action(action, given=dict(again.options))
            else:
                self.main_action()

        newest.came = came
        newest.want(AgainAsked())

    @property
    def is_waiting(self) -> bool:
        """Return whether an earlier key waits for the server. Later keys then wait too."""
        return self._again is not None

    def odds(self, under_cursor: str) -> None:
        """Show the odds page of the main action, against the combatant under the cursor if possible."""
        if self.view.actions:
            row = next((row for row in self.view.rows if row.name == under_cursor and not row.own), None)
            self._plot(self.view.actions[0].name, "", Asked(line=row.tag if row is not None else ""))

    def _plot(self, action: str, by: str, asked: Asked, *, is_planned: bool = False) -> None:
        """Show the odds page that the table allows, over the open prompt. Arguments as in WireTargets."""
        newest, question = self._new(OddsPage, OddsPage()), self.services.prompts.current

        def came() -> None:
            page = newest.value
            if self.services.prompts.current is not question:
                return
            if page.why:
                self.services.say(page.why, error=True)
            elif page.rows:
                self.services.open_page(page.title, lambda cells: page.rows)

        newest.came = came
        cells = self._cells()
        newest.want(OddsAsked(action=action, by=by, asked=asked, planned=is_planned, cells=cells))

    def recap(self) -> None:
        """Show the recap that the game master shows to the players."""
        newest = self._new(OddsPage, OddsPage())

        def came() -> None:
            page = newest.value
            if self.view.recap and page.rows and self.services.prompts.current is None:
                self.services.open_page(page.title, lambda cells: page.rows)

        newest.came = came
        newest.want(RecapAsked(cells=self._cells()))

    def action_called(self, name: str) -> None:
        """Open the prompt of an action by name."""
        if (action := self._action_of(name)) is not None:
            self.action(action)

    def _action_of(self, name: str) -> SeatAction | None:
        return next((each for each in self.view.actions if each.name == name), None)

    def actions(self) -> None:
        """List all actions."""
        newest = self._new(ActionList, ActionList(next((card.name for card in self.view.own), "")))
        listed = WireActions(
            newest, self.action_called, self.take, self.view.offers, is_planned=self.plan.can_plan
        )
        self._open(ActionsPrompt(self.services, listed))

    def roll(self) -> None:
        """Open the prompt for dice."""
        self._open(RollPrompt(self.services))

    def command(self, text: str = "") -> None:
        """Open the command line."""
        commands = WireCommands(self._new(CommandHelp, CommandHelp()))
        self._open(CommandPrompt(self.services, commands, text))

    def typed(self) -> str:
        """Return the line of the command language that is being typed, or ""."""
        prompt = self._typing if self._answering is not None else self.services.prompts.current
        match prompt:
            case CommandPrompt():
                return prompt.line.text
            case TargetPrompt(targets=WireTargets(action=action)):
                return f"{action} {prompt.line.text}"
        return ""

    # The plan for the next turn

    @property
    def _next_of_several(self) -> str:
        """Return the name of the player's character that has the next turn, or "" for an only one."""
        coming = min(self.view.ahead, key=lambda ahead: ahead.turns, default=None)
        return coming.name if coming is not None and len(self.view.own) > 1 else ""

    def plan_line(self, line: str) -> None:
        """Plan a line for the next turn."""
        self.plan.make(line)
        self.services.show_message()

    def take_plan(self) -> None:
        """Send the plan in its turn. Open it to change it before that, or if it is no longer possible."""
        wrong, is_ready = self.plan.wrong, self.plan.is_ready
        if is_ready and not wrong:
            self.services.command(self.plan.send())
            return
        self._change_plan()
        if wrong:
            self.services.say(wrong, error=True)

    def _change_plan(self) -> None:
        """Open the plan in its prompt, with its text."""
        shown, plan = self.plan.shown, self.plan.plan
        action = self._action_of(shown.action)
        if action is not None and (action.targets != "none" or action.options):
            self.chosen = shown.by if len(self.view.own) > 1 else ""
            self.action(action, given=dict(shown.options), line=shown.targets)
        elif plan is not None:
            self.write_plan(plan.line)
        self._changing = self.services.prompts.current

    def write_plan(self, text: str) -> None:
        """Open the command line for a plan."""
        commands = WireCommands(self._new(CommandHelp, CommandHelp()))
        kind = PlannedCommandPrompt if self.plan.can_plan else CommandPrompt
        self._open(kind(self.services, commands, text))

    def drop_plan(self) -> None:
        """Drop the plan."""
        if self.plan.plan is not None:
            self.services.say(f"Plan dropped: {self.plan.words}")
            self.plan.drop()

    @property
    def is_planning(self) -> bool:
        """Return whether the open prompt is for a plan."""
        return isinstance(self.services.prompts.current, PlannedTargetPrompt | PlannedCommandPrompt)

    @property
    def enter_takes_plan(self) -> bool:
        """Return whether Enter is for the plan.

        A question of the table comes first. So does an offer, except in the turn for the plan.
        """
        if self.plan.plan is None or self.asked.oldest is not None:
            return False
        return self.plan.is_ready or self.offer is None or not self.offer.line

    # Requests that wait

    def list_requests(self) -> None:
        """List the requests of this seat, to withdraw one."""
        self._open(RequestsPrompt(self.services, lambda: self.requests, self._withdraw))

    def _withdraw(self, id: str) -> None:
        if self.wire is None or not self.wire.withdraw(id):
            self.services.say(UNREACHED, error=True)

    @property
    def waiting_words(self) -> str:
        """Return the oldest request that waits, and the number of others."""
        waiting = [each.text for each in self.requests if each.is_open]
        if not waiting:
            return ""
        more = f" and {len(waiting) - 1} more" if len(waiting) > 1 else ""
        return f"Waiting: {waiting[0]}{more}"

    # Sending lines

    def _carry_out(
        self,
        line: str,
        then: Callable[[Event], None] | None = None,
        asked_by: OpenPrompt | None = None,
        read: Command | None = None,
    ) -> None:
        planned = planned_line(line)
        if planned or isinstance(asked_by, PlannedTargetPrompt | PlannedCommandPrompt):
            self.plan_line((planned or line).strip())
            return
        if asked_by is not None and asked_by is self._changing:
            self.plan.drop()
        reached = self.wire is not None and self.wire.request(line)
        self._sent_by, self._kept = asked_by if reached else None, ""
        self.services.say(f"Sent: {line}" if reached else UNREACHED)
        if reached:
            self._sent += 1
            self.services.program.set_timer(_UNHEARD, partial(self._say_unheard, line, self._sent))
        else:
            self.plan.hear(is_refused=True)
            if asked_by is not None:
                self.services.prompts.open(asked_by)
                self.services.say(UNREACHED, error=True)

    def _say_unheard(self, line: str, number: int) -> None:
        """Report that the table has not answered a line, unless it asks this seat for a die or a choice.

        It may still answer later.
        """
        if self._sent == number and self._heard < number and self.asked.oldest is None:
            self.services.say(f"No answer from the table yet; it may still come: {line}", error=True)

    def hear(self, *, error: bool) -> None:
        """Handle the table's answer to a line. After a refusal, reopen its prompt with the typed text."""
        prompt, self._sent_by = self._sent_by, None
        self._heard = self._sent
        self.plan.hear(is_refused=error)
        if error and prompt is not None and self.services.prompts.current is None:
            self.services.prompts.open(prompt)
            self._refused = prompt

    def replaces_line(self, character: str | None) -> bool:
        """Replace a refused line with a new command line if the key is `:`. Return whether it did."""
        refused, self._refused = self._refused, None
        is_open = isinstance(refused, CommandPrompt) and self.services.prompts.current is refused
        if is_open and character == ":":
            self.command()
            return True
        return False

    @property
    def is_answering(self) -> bool:
        """Return whether a question of the table is open."""
        return self._answering is not None

    def offer_odds(self, offer: Offered) -> str:
        """Return the odds of an offer as text, or "" until the server has sent them."""
        odds, at = self._odds.value.words, self.view.offers.index(offer)
        is_known = self._odds.is_answer_to(self._offers_asked) and at < len(odds)
        return odds[at] if is_known else ""

    @property
    def _offers_asked(self) -> OffersAsked:
        return OffersAsked(lines=tuple(offer.line for offer in self.view.offers))

    @property
    def taken_up(self) -> Offered | None:
        """Return the offer that the open prompt accepts, or None."""
        return self._of_offer if self.services.prompts.current is not None else None

    @property
    def offer(self) -> Offered | None:
        """Return the first offer that Enter accepts, else the first reminder, else None."""
        offers = self.view.offers
        return next((offer for offer in offers if offer.line), offers[0] if offers else None)

    def take_offer(self) -> None:
        """Answer the table's oldest question, or accept the offer if there is no question."""
        if self.asked.oldest is not None:
            self._open_asked()
        elif (offer := self.offer) is not None and offer.menu:
            self.actions()
        elif offer is not None:
            self.take(offer)

    def take(self, offer: Offered) -> None:
        """Accept an offer. Open a prompt for anything it leaves open."""
        if not offer.line:
            return
        action = self._action_of(offer.action)
        if offer.is_open and action is not None:
            self.action(action, offer)
            return
        self.services.command(f"{offer.line} by {quote(offer.by)}")

    # Questions of the table: the face of a real die, or a choice

    def ask_for(self, question: TableQuestion) -> bool:
        """Queue a die or a choice of the table, and open it if possible. Return whether it is new."""
        is_new = self.asked.add(question)
        prompt = self.services.prompts.current
        if isinstance(prompt, FacePrompt) and self._answering == question.number:
            assert isinstance(question.asked, FaceAsked)
            prompt.die = evolve(prompt.die, asked=question.asked)
            prompt.does, prompt.adds = question.does, question.adds
            prompt.refresh()
        elif is_new and self._answering is None and not self._is_typing_line(question):
            self._open_asked()
        return is_new

    def _is_typing_line(self, question: TableQuestion) -> bool:
        """Return whether keys typed for a line could be mistaken for the number of a choice."""
        line = getattr(self.services.prompts.current, "line", None)
        return isinstance(question.asked, ChoiceAsked) and line is not None and bool(line.text)

    def _open_asked(self) -> None:
        """Open the table's oldest question. The interrupted prompt continues afterwards."""
        if (question := self.asked.oldest) is None:
            return
        self._typing, self._answering = self.services.prompts.current, question.number
        prompt: FacePrompt | ChoicePrompt
        if isinstance(question.asked, ChoiceAsked):
            prompt = ChoicePrompt(
                self.services, question.asked, lambda at: self._send_answer(at + 1), keep=self._keep_for_die
            )
        else:
            number = question.number
            typed, self._kept = question.typed or self._kept, ""
            die = DieShown(question.asked, self._answer, lambda: self.asked.explanation(number))
            prompt = FacePrompt(self.services, die, wrong=typed)
        prompt.on_close = self._go_on
        self.services.prompts.open(prompt)
        if question.wrong:
            self.services.say(question.wrong, error=True)

    def _keep_for_die(self, typed: str) -> None:
        self._kept = typed

    def _answer(self, given: Sequence[TypedDie]) -> str:
        """Send the typed dice to the table, which reads them. Return why they are too many, or ""."""
        text = " ".join(map(str, given))
        if len(text) > LONGEST_ANSWER:
            return f"{len(given)} dice are too many for one line; type fewer"
        self._send_answer(text)
        return ""

    def _send_answer(self, value: int | str) -> None:
        """Send the answer to the table's question."""
        number = self._answering
        if number is None or self.wire is None or not self.wire.reply(number, value):
            self.services.say(UNREACHED, error=True)
        else:
            self.asked.drop(number)
            self._close_asked()

    def _close_asked(self) -> None:
        prompt = self.services.prompts.current
        if isinstance(prompt, FacePrompt | ChoicePrompt):
            prompt.close()

    def _go_on(self) -> None:
        """Reopen the interrupted prompt, and open the table's next question if there is one."""
        left, self._answering = self._answering, None
        typing, self._typing = self._typing, None
        if typing is not None:
            self.services.prompts.open(typing)
        first = self.asked.oldest
        if first is not None and first.number != left:
            self._open_asked()

    def ask_no_more(self, number: object) -> None:
        """Withdraw a question of the table. The interrupted prompt continues."""
        self.asked.drop(number)
        if number is not None and self._answering == number:
            self._close_asked()

    def table_left(self) -> None:
        """Withdraw all questions, because the game master's program has disconnected."""
        self.asked.clear()
        self.missing = ()
        if self._answering is not None:
            self._close_asked()
