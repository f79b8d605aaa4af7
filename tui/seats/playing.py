"""What a player does at a seat: questions are opened, lines are sent, and what the table asks is answered."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from systems.visibility.plain import to_plain
from systems.visibility.view import Offered, SeatAction, View
from tui.display.seat import is_own_turn
from tui.lists.action_list import ActionList, Again, OfferWords
from tui.lists.command_help import CommandHelp
from tui.lists.dice_asked import ChoiceAsked, TypedDie
from tui.lists.target_list import Asked, OddsPage, TargetList
from tui.prompts.actions import ActionsPrompt
from tui.prompts.command import CommandPrompt
from tui.prompts.dice_and_choices import ChoicePrompt, FacePrompt
from tui.prompts.rolls import RollPrompt
from tui.prompts.targets import TargetPrompt
from tui.seats.table_questions import TableQuestion, TableQuestions
from tui.seats.wire_lists import NO_ANSWER, Newest, Run, Wire, WireActions, WireCommands, WireTargets
from tui.services import Question, Services

_UNHEARD = 4.0  # seconds until it is said that the table has not answered a line
UNREACHED = "The table cannot be reached just now; nothing was sent."
_ONE_NUMBER = "one die is asked for: type one number"


class SeatPlay:
    """The questions of one seat.

    `run`: runs a coroutine beside the screen; `answered` is called after each answer of the server; `cells`:
    the width of a page.
    """

    def __init__(
        self,
        services: Services,
        wire: Wire | None,
        run: Run,
        answered: Callable[[], None],
        cells: Callable[[], int],
    ) -> None:
        self.services, self.wire, self._cells = services, wire, cells
        self._run, self._answered = run, answered
        self.view = View()
        self.asked = TableQuestions()
        # Digits that were typed for a die before a decision had been made.
        self._kept = ""
        # What was being typed when the table asked something, and the number of what it asked.
        self._typing: Question | None = None
        self._answering: int | None = None
        # What the open question hangs on: one's own turn, or something on offer.
        self._of_turn = False
        self._of_offer: Offered | None = None
        # The question whose line was sent last: opened again where that is refused at once.
        self._sent_by: Question | None = None
        # How many lines were sent, and how many of them the table has said something of.
        self._sent = self._heard = 0
        # The question that was opened again, until a key is pressed in it.
        self._refused: Question | None = None
        self._newest: list[Newest[Any]] = []
        # What is to be done again, until the server has told what that is.
        self._again: Newest[Again] | None = None
        self._odds = Newest(wire, run, "offers", OfferWords, OfferWords(), services.show_message)
        services.carry_out_with(self._carry_out)

    # What was seen last

    def show_view(self, view: View) -> None:
        """Go on with the fight as it is now; close a question whose moment has passed, and say so."""
        before, self.view = self.view, view
        for newest in (*self._newest, self._odds):
            newest.forget()
        if view.offers:
            self._odds.want(lines=self._offered_lines)
        asked_of_player = self._typing if self._answering is not None else self.services.prompts.current
        if not isinstance(asked_of_player, TargetPrompt | ActionsPrompt):
            return
        over = ""
        if self._of_offer is not None and self._of_offer not in view.offers:
            over = "That is no longer on offer: nothing was sent."
        elif self._of_offer is None and self._of_turn and not is_own_turn(view):
            whose = next((ahead.name for ahead in before.ahead if ahead.turns == 0), "")
            over = (
                f"{whose}'s turn is over: nothing was sent."
                if whose
                else "Your turn is over: nothing was sent."
            )
        if over:
            if self._answering is not None:
                self._typing = None
            else:
                asked_of_player.close()
            self.services.say(over)

    def _new(self, what: str, kind: type[Any], first: Any) -> Newest[Any]:
        """What asks the server for the question that is about to open."""
        newest: Newest[Any] = Newest(
            self.wire, self._run, what, kind, first, self._answered, lambda: self._say_unanswered(newest)
        )
        self._newest = [*self._newest[-3:], newest]
        return newest

    def _say_unanswered(self, newest: Newest[Any]) -> None:
        """Say that nobody answers the newest question; what was typed stays."""
        if self._again is newest:
            self._again = None
        if self._newest[-1:] == [newest]:
            self.services.say(NO_ANSWER, error=True)

    def ask_again(self) -> None:
        """Ask again what nobody has answered."""
        if self.services.messages.sentence == NO_ANSWER:
            self.services.say("")
        for newest in self._newest[-1:]:
            newest.ask_again()

    # Questions

    def _open(self, prompt: Question, offer: Offered | None = None) -> None:
        self._of_turn, self._of_offer = is_own_turn(self.view), offer
        self.services.prompts.open(prompt)

    def main_action(self) -> None:
        """Ask for the target of the main action."""
        if self.view.actions:
            self.action(self.view.actions[0])

    def action(
        self, action: SeatAction, offer: Offered | None = None, given: Mapping[str, str] | None = None
    ) -> None:
        """Ask for what an action needs, or do it. `offer`: what it takes up. `given`: options filled in."""
        if action.targets == "none" and not action.options:
            self.services.command(action.name)
            return
        actor = next((ahead.name for ahead in self.view.ahead if ahead.turns == 0), "")
        actor = offer.by if offer else actor or next((card.name for card in self.view.own), "")
        first = TargetList(actor=actor, does=action.title, targets=action.targets)
        by = offer.by if offer else ""
        newest = self._new("targets", TargetList, first)
        targets = WireTargets(newest, action.name, by, lambda asked: self._plot(action.name, by, asked))
        filled, option, line = given, "", ""
        if offer is not None:
            filled, option, line = dict(offer.options), offer.first, offer.target
        self._open(TargetPrompt(self.services, targets, filled, option=option, line=line), offer)

    def repeat(self) -> None:
        """Do again what the character with the turn did last; where nobody is left of its targets, ask."""
        newest = self._again = self._new("again", Again, Again())

        def came() -> None:
            if self._again is not newest:
                return
            self._again, told = None, newest.value
            action = self._action_of(told.action)
            if told.line:
                self.services.command(told.line)
            elif action is not None:
                self.action(action, given=dict(told.options))
            else:
                self.main_action()

        newest.came = came
        newest.want()

    @property
    def is_waiting(self) -> bool:
        """Whether a key that was pressed waits for the server: those behind it wait, too."""
        return self._again is not None

    def odds(self, under_cursor: str) -> None:
        """Show the odds in full of the main action, against whom the cursor is on where that can be."""
        if self.view.actions:
            row = next((row for row in self.view.rows if row.name == under_cursor and not row.own), None)
            self._plot(self.view.actions[0].name, "", Asked(line=row.tag if row is not None else ""))

    def _plot(self, action: str, by: str, asked: Asked) -> None:
        """Show the odds in full, as far as the table shows them, over the question that is open now."""
        newest, question = self._new("odds", OddsPage, OddsPage()), self.services.prompts.current

        def came() -> None:
            page = newest.value
            if self.services.prompts.current is not question:
                return
            if page.why:
                self.services.say(page.why, error=True)
            elif page.rows:
                self.services.open_page(page.title, lambda cells: page.rows)

        newest.came = came
        newest.want(action=action, by=by, asked=to_plain(asked), cells=self._cells())

    def action_called(self, name: str) -> None:
        """Ask for what the action of that name needs."""
        if (action := self._action_of(name)) is not None:
            self.action(action)

    def _action_of(self, name: str) -> SeatAction | None:
        return next((each for each in self.view.actions if each.name == name), None)

    def actions(self) -> None:
        """List all actions."""
        newest = self._new("actions", ActionList, ActionList(next((card.name for card in self.view.own), "")))
        listed = WireActions(newest, self.action_called, self.take, self.view.offers)
        self._open(ActionsPrompt(self.services, listed))

    def roll(self) -> None:
        """Ask for dice."""
        self._open(RollPrompt(self.services))

    def command(self, text: str = "") -> None:
        """Ask for a line of the command language."""
        commands = WireCommands(self._new("command", CommandHelp, CommandHelp()))
        self._open(CommandPrompt(self.services, commands, text))

    def typed(self) -> str:
        """Return the line of the command language that is being typed; "" where none is."""
        prompt = self._typing if self._answering is not None else self.services.prompts.current
        match prompt:
            case CommandPrompt():
                return prompt.line.text
            case TargetPrompt(targets=WireTargets(action=action)):
                return f"{action} {prompt.line.text}"
        return ""

    # What is sent

    def _carry_out(
        self, line: str, then: Callable[[Mapping[str, Any]], None] | None, asked_by: Question | None
    ) -> None:
        reached = self.wire is not None and self.wire.request(line)
        self._sent_by, self._kept = asked_by if reached else None, ""
        self.services.say(f"Sent: {line}" if reached else UNREACHED)
        if reached:
            self._sent += 1
            self.services.program.set_timer(_UNHEARD, partial(self._say_unheard, line, self._sent))
        elif asked_by is not None:
            self.services.prompts.open(asked_by)
            self.services.say(UNREACHED, error=True)

    def _say_unheard(self, line: str, number: int) -> None:
        """Say that the table has not answered a line that was sent; it may still come to it."""
        if self._sent == number and self._heard < number:
            self.services.say(f"The table has not answered yet, and may still do so: {line}", error=True)

    def hear(self, *, error: bool) -> None:
        """The table has said something of a line: a refusal opens its question again, as it was typed."""
        prompt, self._sent_by = self._sent_by, None
        self._heard = self._sent
        if error and prompt is not None and self.services.prompts.current is None:
            self.services.prompts.open(prompt)
            self._refused = prompt

    def begins_anew(self, character: str | None) -> bool:
        """Begin a new line in place of the one that was refused, if the key is `:`; return whether it is."""
        refused, self._refused = self._refused, None
        is_open = isinstance(refused, CommandPrompt) and self.services.prompts.current is refused
        if is_open and character == ":":
            self.command()
            return True
        return False

    @property
    def is_answering(self) -> bool:
        """Whether a question of the table is open."""
        return self._answering is not None

    def offer_odds(self, offer: Offered) -> str:
        """Return the odds of an offer in words, once the server has told them."""
        told, at = self._odds.value.words, self.view.offers.index(offer)
        is_told = self._odds.is_answer_to(lines=self._offered_lines) and at < len(told)
        return told[at] if is_told else ""

    @property
    def _offered_lines(self) -> list[str]:
        return [offer.line for offer in self.view.offers]

    @property
    def taken_up(self) -> Offered | None:
        """What the open question takes up of what is on offer; None where it is none of that."""
        return self._of_offer if self.services.prompts.current is not None else None

    @property
    def offer(self) -> Offered | None:
        """The first thing on offer that Enter would do, else the first reminder."""
        offers = self.view.offers
        return next((offer for offer in offers if offer.line), offers[0] if offers else None)

    def take_offer(self) -> None:
        """Answer what the table asks, else take what is on offer."""
        if self.asked.oldest is not None:
            self._open_asked()
        elif (offer := self.offer) is not None:
            self.take(offer)

    def take(self, offer: Offered) -> None:
        """Take what is on offer; what it leaves open is asked for."""
        if not offer.line:
            return
        action = self._action_of(offer.action)
        if offer.is_open and action is not None:
            self.action(action, offer)
            return
        by = f'by "{offer.by}"' if " " in offer.by else f"by {offer.by}"
        self.services.command(f"{offer.line} {by}")

    # What the table asks: the face of a real die, or a choice

    def ask_for(self, question: TableQuestion) -> bool:
        """Ask for a die or a choice, after what was asked before; return whether it is new."""
        is_new = self.asked.add(question)
        prompt = self.services.prompts.current
        if isinstance(prompt, FacePrompt) and self._answering == question.number:
            prompt.does, prompt.adds = question.does, question.adds
            prompt.refresh()
        elif is_new and self._answering is None and not self._is_typing_beside(question):
            self._open_asked()
        return is_new

    def _is_typing_beside(self, question: TableQuestion) -> bool:
        """Whether keys that are meant for a line could be taken for the number of a choice."""
        line = getattr(self.services.prompts.current, "line", None)
        return isinstance(question.asked, ChoiceAsked) and line is not None and bool(line.text)

    def _open_asked(self) -> None:
        """Open what the table has asked first; what is being typed goes on afterwards."""
        if (question := self.asked.oldest) is None:
            return
        self._typing, self._answering = self.services.prompts.current, question.number
        prompt: FacePrompt | ChoicePrompt
        if isinstance(question.asked, ChoiceAsked):
            prompt = ChoicePrompt(
                self.services, question.asked, lambda at: self._send_answer(at + 1), keep=self._keep_for_die
            )
        else:
            known = (question.does, question.adds)
            typed, self._kept = question.typed or self._kept, ""
            prompt = FacePrompt(self.services, question.asked, self._answer, lambda: known, wrong=typed)
        prompt.on_close = self._go_on
        self.services.prompts.open(prompt)
        if question.wrong:
            self.services.say(question.wrong, error=True)

    def _keep_for_die(self, typed: str) -> None:
        self._kept = typed

    def _answer(self, given: Sequence[TypedDie]) -> str:
        """Send what was typed for a die to the table; return why it cannot be, or ""."""
        if len(given) != 1:
            return _ONE_NUMBER
        self._send_answer(given[0] if isinstance(given[0], int) else str(given[0]))
        return ""

    def _send_answer(self, value: int | str) -> None:
        """Send the answer to what the table asked."""
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
        """What was being typed when the table asked something goes on, or what it asked next is opened."""
        left, self._answering = self._answering, None
        typing, self._typing = self._typing, None
        if typing is not None:
            self.services.prompts.open(typing)
        first = self.asked.oldest
        if first is not None and first.number != left:
            self._open_asked()

    def ask_no_more(self, number: object) -> None:
        """The table needs no answer any more; what was typed before goes on."""
        self.asked.drop(number)
        if number is not None and self._answering == number:
            self._close_asked()

    def table_left(self) -> None:
        """The game master's program has left: what it asked is asked no more."""
        self.asked.clear()
        if self._answering is not None:
            self._close_asked()
