"""The message line of a seat: a sentence, or what waits for the player."""

from collections.abc import Sequence

from rich.cells import cell_len

from systems.text import as_sentence, listed
from systems.visibility.view import View
from tui.display.seat import NO_TABLE, TURN_OVER, offer_words, plan_rows
from tui.display.text import Row, cut, printable
from tui.seats.log_reading import LogReading
from tui.seats.playing import SeatPlay
from tui.services import Services

BEFORE_IT = "Esc, then: "  # prefix of a question or offer while another prompt is open
_SAID_LINES = 6  # most lines of the log that one command writes


class MessageLine:
    """Makes the rows of the message line.

    `passes`: the sentence repeats the log, and disappears with the turn. `is_lost`: the server can't be
    reached. `table_is_there`: the game master's program is connected with the server.
    """

    def __init__(self, services: Services, play: SeatPlay, reading: LogReading) -> None:
        self._services, self._play, self._reading = services, play, reading
        self.view = View()
        self.passes, self.is_lost, self.table_is_there = False, False, True

    @property
    def _sentence_in_sight(self) -> str:
        """Return the visible text of the message line, or "" if the footer or the log repeats it."""
        whole = self._services.messages.sentence
        if self._play.plan.is_turn_over and whole == TURN_OVER:
            return ""
        is_log = self._services.prompts.current is None and not self._reading.log.back
        texts = [line.whole for line in self.view.log[-_SAID_LINES:]] if self.passes and is_log else []
        # A full stop was added to an answer without one.
        sentence = whole.removesuffix(".")
        same = any(" ".join(texts[at:]).removesuffix(".") == sentence for at in range(len(texts)))
        return "" if same else whole

    def rows(self, width: int, height: int) -> Sequence[Row]:
        """Return the visible sentence, then the question, offer, notice and plan that wait."""
        is_free = self._services.prompts.current is None
        if not (sentence := self._sentence_in_sight):
            return self._waiting_rows(width, is_free=is_free)
        is_error = self._services.messages.is_error
        tone = "danger" if self.is_lost or is_error else "accent"
        text = cut(as_sentence(sentence) if is_error else sentence, width - 2)
        waiting = self._waiting_rows(width, is_free=True, notices=False) if is_free else []
        return [[(" ", ""), (text, tone)], *waiting]

    def _waiting_rows(self, width: int, *, is_free: bool, notices: bool = True) -> Sequence[Row]:
        """Return the table's question, else an offer, else another notice, or no rows; and the plan.

        The row for which Enter counts comes first.
        """
        plan = self._plan_rows(width) if is_free else []
        others = self._asked_rows(width, is_free=is_free)
        if not others and notices:
            others = self._notice_rows(width, is_free)
        return [*plan, *others] if self._play.enter_takes_plan else [*others, *plan]

    def _asked_rows(self, width: int, *, is_free: bool) -> Sequence[Row]:
        """Return the table's question, else the players who have not rolled, else an offer, or no rows."""
        asked, offer = self._play.asked.words(width - 2 - len(BEFORE_IT)), self._play.offer
        if is_free and asked:
            return [[(" ", ""), (cut(asked, width - 2), "accent strong")]]
        if asked and not self._play.is_answering:
            return [[(" ", ""), (cut(f"{BEFORE_IT}{asked}", width - 2), "accent strong")]]
        if self._play.missing:
            words = f"Waiting for {listed(map(printable, self._play.missing))}"
            return [[(" ", ""), (cut(words, width - 2), "accent")]]
        if offer is not None and offer != self._play.taken_up:
            together = [each for each in self.view.offers if offer.menu and each.menu == offer.menu]
            others = len(self.view.offers) - max(1, len(together))
            before, more = "" if is_free else BEFORE_IT, f" · {others} more" if others else ""
            look = self._services.first_look
            key = "Enter"
            if is_free and self._play.enter_takes_plan:
                key = "then Enter"
            elif is_free:
                look.paint(offer)
                key = "Enter again" if look.asks_again else key
            words = offer_words(offer, width - 2 - len(before + more), self._play.offer_odds(offer), key)
            return [[(" ", ""), (before + words + more, "accent")]]
        return []

    def _plan_rows(self, width: int) -> Sequence[Row]:
        """Return the plan, and why it is no longer possible, or no rows."""
        plan, look = self._play.plan, self._services.first_look
        if plan.plan is None or not self.view.own:
            return []
        enter = "Enter changes"
        if plan.is_ready and self._play.enter_takes_plan:
            look.paint(plan.first_look)
            does = "changes" if plan.wrong else "sends"
            enter = f"Enter {'again ' if look.asks_again else ''}{does}"
        keys = (enter if self._play.enter_takes_plan else "", "Backspace drops")
        shown = [key for key in keys if key]
        return plan_rows(plan.words, plan.shown.odds, plan.wrong, shown, width - 2)

    def _notice_rows(self, width: int, is_free: bool) -> Sequence[Row]:
        """Return a notice about the log, the table or the waiting requests, or no rows."""
        if back := self._reading.log.back:
            words = f"{back} newer lines below: PgDn, End"
            return [[(" ", ""), (cut(words, width - 2), "muted")]]
        if not self.table_is_there:
            return [[(" ", ""), (cut(NO_TABLE, width - 2), "warning")]]
        if is_free and (words := self._play.waiting_words):
            key = " (w lists requests)"
            return [[(" ", ""), (cut(printable(words), width - 2 - cell_len(key)) + key, "muted")]]
        return []
