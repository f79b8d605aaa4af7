"""The screen of a seat: the order, one's own characters, the log that one may know, and one line to type.

It is painted from a `View` and knows nothing else of the fight; what is typed goes to the table as a line.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.events import Key, Paste

from systems.visibility.parts import LogLine
from systems.visibility.plain import BadPlainData, from_plain
from systems.visibility.view import Offered, SeatAction, View
from tui.display.card import titled
from tui.display.seat import (
    NO_TABLE,
    OFFER_WAITS,
    call,
    call_row,
    gives_way,
    header_row,
    help_rows,
    is_own_turn,
    offer_words,
)
from tui.display.seat_cards import OwnCards
from tui.display.seat_lists import action_rows, actions_begun, command_rows, target_rows
from tui.display.seat_log import SeatLog
from tui.display.text import Row, cut, printable
from tui.seats.seat_question import SeatQuestion, Wire
from tui.seats.table_questions import TableQuestions, choice_rows, face_of, most_of, title_of
from tui.seats.typed_line import TypedLineHelp
from tui.terminal.symbols import symbols
from tui.terminal.title import write_title
from tui.widgets.least_size import LeastSizeScreen
from tui.widgets.order_list import OrderList
from tui.widgets.text_rows import TONE_CLASSES, TextRows

NOBODY = " Nobody is here yet."
LONGEST_LINE = 500
_TURN_KEYS = (("a", "attack"), ("r", "roll"), ("n", "done"), ("x", "actions"), ("?", "help"))
_KEYS = (("r", "roll"), ("x", "actions"), (":", "command"), ("?", "help"), ("Ctrl+Q", "leave"))
QUESTION_KEYS: Row = (
    (" Enter ", "strong"),
    ("sends it  ", "muted"),
    ("Tab ", "strong"),
    ("completes  ", "muted"),
    ("Esc ", "strong"),
    ("leaves it", "muted"),
)
_LOOKING = (("?", "help"), ("Ctrl+Q", "leave"))


class SeatScreen(LeastSizeScreen):
    """Everything that a seat shows. `show_view` takes a new view, `say` a sentence of the table."""

    COMPONENT_CLASSES = TONE_CLASSES
    AUTO_FOCUS = ""
    BINDINGS = [
        Binding("ctrl+q", "leave", "leave", show=False, priority=True),
    ]
    CSS_PATH = "seat.tcss"

    def __init__(self, wire: Wire | None = None) -> None:
        super().__init__()
        self.wire = wire
        self.view = View()
        self.question: SeatQuestion | None = None
        # What was being typed when the table asked something.
        self._typing: SeatQuestion | None = None
        self.asked = TableQuestions()
        self.sentence, self._passes, self.is_lost, self.bell = "", False, False, True
        self.page: Literal["", "help", "own"] = ""
        self.log_read = SeatLog()
        self.table_is_there = True
        self._cursor = ""
        self._fetches = False
        self._spot: dict[str, Any] = {}
        self._card_needed: tuple[object, int] = ((), 0)
        self._cards = OwnCards()
        self._shapes = symbols()
        self.header = TextRows(self._header_rows, id="header")
        self.order = OrderList(id="order", empty="")
        self.card = TextRows(self._card_rows, id="card")
        self.side_card = TextRows(self._card_rows, id="right")
        self.log_lines = TextRows(self._log_rows, id="log")
        self.message = TextRows(self._message_rows, id="message")
        self.keys = TextRows(self._keys_rows, id="keys")
        self._help = TypedLineHelp(
            wire,
            lambda: self.question,
            lambda work: self.run_worker(work, group="help"),
            self.log_lines.show,
        )

    def compose(self) -> ComposeResult:
        yield self.header
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield self.order
                yield self.card
                yield self.log_lines
            yield self.side_card
        yield self.message
        yield self.keys

    # What comes over the wire

    def show_view(self, view: View) -> None:
        """Show the fight as it is now; call when one's own turn has come."""
        began = is_own_turn(view) and not is_own_turn(self.view)
        self.log_read.follow(view.log, view.older)
        if self.is_lost:
            self.is_lost, self.sentence = False, ""
        before, is_first, self.view = self.view, not self.view.rows, view
        self._cursor = self._cursor or view.turn
        self.order.empty = NOBODY
        if (began and not is_first) or (self._passes and gives_way(before, view)):
            self.sentence = ""
        write_title(self.app, call(view) or view.title or "Affray")
        if began and self.bell:
            self.app.bell()
        self.refresh_all()

    def say(self, sentence: str, *, passes: bool = False) -> None:
        """Show a sentence of the table. `passes`: it stands in the log, and goes when the turn does."""
        self.sentence, self._passes = printable(sentence), passes
        self.message.show()

    def sit_down(self, spot: Mapping[str, Any], missed: int) -> None:
        """Go on where the player was before, and mark the lines of the log that came since."""
        self._cursor = str(spot.get("cursor", ""))
        self.bell = bool(spot.get("bell", 1))
        self.log_read.missed = 0
        if missed:
            self.log_read.missed = missed
            self.say(f"{missed} {'line' if missed == 1 else 'lines'} since you left; PgUp goes back")
        if line := str(spot.get("line", "")):
            self._ask("Command", self._send, self._command_rows, "", line)
        self._spot = dict(spot)

    def set_table(self, is_there: bool) -> None:
        """The game master's program has come, or left: then what it asked is asked no more."""
        self.table_is_there = is_there
        if not is_there:
            if self.view.rows and not self.is_lost:
                # Who has just come back is told first how much came meanwhile.
                self.sentence = ""
            self.asked.clear()
            if self.question is not None:
                self.ask_no_more(self.question.asked)
        self.message.show()

    def lose(self, sentence: str) -> None:
        """Say that the table cannot be reached; what was seen last stays."""
        self.is_lost, self.sentence = True, printable(sentence)
        self.refresh_all()

    def refresh_all(self) -> None:
        """Everything in sight as it is now."""
        if not self.is_mounted:
            return
        self._share_room()
        names = [row.name for row in self.view.rows]
        self.order.show_rows(self.view.rows, names, self.view.meters, self._cursor)
        for lines in (self.header, self.card, self.side_card, self.log_lines, self.message, self.keys):
            lines.show()

    def _share_room(self) -> None:
        """The order is as high as its rows, up to half of the room; the own card has a third at most.

        A pane that changes its height has the whole screen laid out and painted anew, so the card keeps the
        height that it once needed.
        """
        room = max(4, self.size.height - 4)
        order = max(1, min(len(self.view.rows) or 2, room // 2))
        card = 0 if self.has_class("-wide") else min(self._card_height(), room // 3)
        if self.question and len(self.view.rows) > 4:
            # What a question lists needs the room.
            card = 0
        self.card.set_class(not card, "-away")
        for widget, height in ((self.order, order), (self.card, card)):
            if widget.styles.height is None or widget.styles.height.value != height:
                widget.styles.height = height

    def on_resize(self) -> None:
        self.refresh_all()

    def on_mount(self) -> None:
        self.refresh_all()

    # Rows

    def _header_rows(self, width: int, height: int) -> Sequence[Row]:
        return [header_row(self.view, width)]

    def _card_height(self) -> int:
        """How many rows the card below the order has needed since the terminal was made this wide."""
        shown = (self.size.width, tuple(card.name for card in self.view.own))
        needed = len(self._card_rows(max(20, shown[0]), 99))
        before = self._card_needed[1] if self._card_needed[0] == shown else 0
        self._card_needed = (shown, max(before, needed))
        return self._card_needed[1]

    def _card_rows(self, width: int, height: int) -> Sequence[Row]:
        return self._cards.rows(self.view, width, self._shapes)

    def _log_rows(self, width: int, height: int) -> Sequence[Row]:
        if self.page == "help":
            return help_rows(self.view, width, height)
        if self.page == "own":
            return self._card_rows(width, height)
        if self.question:
            return self._question_rows(self.question, width, height)
        return self.log_read.rows(width, height)

    def _question_rows(self, question: SeatQuestion, width: int, height: int) -> list[Row]:
        text = question.line.text
        head: Row = [
            (f" {question.title} ", "strong"),
            *question.line.row(max(8, width - len(question.title) - 3)),
        ]
        rows, room = list(question.rows(text)), max(0, height - 1)
        if len(rows) > room > 0:
            rows = [*rows[: room - 1], [(f"   … {len(rows) - room + 1} more", "muted")]]
        return [head, *rows]

    def _message_rows(self, width: int, height: int) -> Sequence[Row]:
        if self.sentence:
            tone = "danger" if self.is_lost else "accent"
            waits = OFFER_WAITS if self.asked.words or self._offer is not None else ""
            told = cut(self.sentence, width - 2 - len(waits))
            return [[(" ", ""), (told, tone), (waits, "muted")]]
        if not self.question and (asked := self.asked.words):
            return [[(" ", ""), (cut(asked, width - 2), "accent strong")]]
        if offer := self._offer:
            others = len(self.view.offers) - 1
            more = f" · {others} more" if others else ""
            return [[(" ", ""), (offer_words(offer, width - 2 - len(more)), "accent"), (more, "accent")]]
        if self.log_read.back:
            words = f"{self.log_read.back} newer lines below: PgDn, End"
            return [[(" ", ""), (cut(words, width - 2), "muted")]]
        if not self.table_is_there:
            return [[(" ", ""), (cut(NO_TABLE, width - 2), "warning")]]
        return []

    def _keys_rows(self, width: int, height: int) -> Sequence[Row]:
        if self.question:
            return [QUESTION_KEYS]
        if not self.view.own:
            return [call_row(self.view, _LOOKING, width)]
        keys = _TURN_KEYS if is_own_turn(self.view) else _KEYS
        letters = [(each.letter, each.title) for each in self.view.actions if each.letter]
        return [call_row(self.view, [*keys, *letters], width)]

    # Keys

    def action_leave(self) -> None:
        self.app.exit(0)

    def _moves(self, key: str) -> bool:
        """Move in the order or in the log; whether the key does so."""
        match key:
            case "up" | "k":
                self._move(-1)
            case "down" | "j":
                self._move(1)
            case "pageup":
                self._scroll_log(1)
            case "pagedown":
                self._scroll_log(-1)
            case "end":
                self.log_read.to_newest()
                self._show_log()
            case _:
                return False
        return True

    def _move(self, by: int) -> None:
        self.order.move(by)
        self._cursor = self.order.under_cursor

    def _scroll_log(self, pages: int) -> None:
        """Back in the log by a page, or forth again; older lines are asked for before they are wanted."""
        size = self.log_lines.size
        if self.log_read.scroll(pages, size.width, size.height) and not self._fetches:
            self._fetches = True
            self.run_worker(self._fetch_older(), group="older")
        self._show_log()

    def _show_log(self) -> None:
        self.log_lines.show()
        self.message.show()

    async def _fetch_older(self) -> None:
        """Ask for lines of the log before those that are known."""
        known = len(self.log_read.lines)
        found = await self.wire.ask("older", skip=known) if self.wire else None
        self._fetches = False
        if not isinstance(found, list) or len(self.log_read.lines) != known:
            return
        try:
            self.log_read.take_older([from_plain(LogLine, line) for line in found])
        except BadPlainData:
            return
        self._show_log()

    def on_key(self, event: Key) -> None:
        event.stop()
        if self.is_too_small:
            return
        self._take_key(event)
        self._remember()

    def _remember(self) -> None:
        """Have the server keep where the player is, for the next time that the seat is taken."""
        question = self.question
        if question is not None and question.asked is not None:
            question = self._typing
        line = question.typed if question is not None else ""
        spot = {"cursor": self._cursor[:80], "bell": int(self.bell), "line": line[:LONGEST_LINE]}
        if spot != self._spot and self.wire is not None and self.view.own:
            self._spot = spot
            self.wire.remember(spot)

    def _take_key(self, event: Key) -> None:
        if self.question:
            self._take(self.question, event)
            return
        if self._moves(event.key):
            return
        if self.page:
            self.page = ""
            self.log_lines.show()
            return
        was_said = self.sentence
        self.sentence = "" if not self.is_lost else self.sentence
        match event.character or event.key:
            case "?":
                self.page = "help"
                self.log_lines.show()
            case letter if self.view.own and (action := self._action_of(letter)):
                self._ask_action(action)
            case "s" | "S":
                self.page = "own"
                self.log_lines.show()
            case "b":
                self.bell = not self.bell
                self.say(f"The bell is {'on' if self.bell else 'off'}.")
            case _ if not self.view.own:
                pass
            case "a":
                self._ask_main()
            case "x":
                self._ask_actions()
            case "r":
                self._ask("Roll", lambda text: self._send(f"roll {text}" if text.strip() else ""))
            case "n":
                self._send("next")
            case ":":
                self._ask("Command", self._send, self._command_rows, "")
            case "\r" | "enter" if not was_said:
                # What was said stood in place of what is on offer: nothing is taken that is not in sight.
                self._take_offer()
        self.message.show()

    def on_paste(self, event: Paste) -> None:
        event.stop()
        if self.question and not self.is_too_small:
            room = LONGEST_LINE - len(self.question.line.text)
            for character in printable(event.text.split("\n", 1)[0])[: max(0, room)]:
                self.question.line.insert(character)
            self.log_lines.show()

    def _take(self, question: SeatQuestion, event: Key) -> None:
        """A key while a line is asked for."""
        match event.key:
            case "escape":
                self._close()
            case "enter":
                if question.finish(question.line.text.strip()):
                    self._close()
            case "tab":
                self._help.complete()
            case _ if len(question.line.text) < LONGEST_LINE or not event.is_printable:
                self._help.leave()
                question.line.key(event)
        self._help.want()
        self.log_lines.show()

    def _ask(
        self,
        title: str,
        finish: Callable[[str], bool],
        rows: Callable[[str], Sequence[Row]] = lambda text: (),
        command: str | None = None,
        text: str = "",
    ) -> None:
        self._show_question(SeatQuestion(title, finish, rows, command, text))

    def _close(self) -> None:
        """Close the question. What was being typed when the table asked something goes on."""
        closed, typing = self.question, self._typing
        if closed is None or closed.asked is None:
            self._show_question(None)
            return
        self._typing = None
        self._show_question(typing)
        first = self.asked.oldest
        if first is not None and first["ask"] != closed.asked:
            self._open_asked()

    def _show_question(self, question: SeatQuestion | None) -> None:
        """Ask for a line, or for none."""
        self.question = question
        self._help.leave()
        self.order.dim(question is not None)
        if self.is_mounted:
            self._share_room()
        self.log_lines.show()
        self._show_foot()
        self._help.want()

    def _show_foot(self) -> None:
        self.message.show()
        self.keys.show()

    def _send(self, line: str) -> bool:
        """Send a line to the table; False if there is nothing to send."""
        if not line.strip():
            self.say("Type what you want to do, or Esc.")
            return False
        reached = self.wire is not None and self.wire.request(line)
        self.say(f"Sent: {line}" if reached else "The table cannot be reached just now; nothing was sent.")
        return True

    # What the table asks: the face of a real die, or a choice

    def ask_for(self, asked: Mapping[str, Any]) -> None:
        """Ask for the face of a die, or for one of several choices, after what was asked before."""
        self.asked.add(asked)
        if self.question is None or self.question.asked is None:
            self._open_asked()
        if self.bell:
            self.app.bell()

    def _open_asked(self) -> None:
        """Open what the table has asked first; what is being typed goes on afterwards."""
        if (asked := self.asked.oldest) is None:
            return
        number, most, rows = asked["ask"], most_of(asked), choice_rows(asked)
        question = SeatQuestion(
            title_of(asked), lambda text: self._answer(number, text, most), lambda text: rows
        )
        question.asked = number
        self._typing, self.page = self.question, ""
        self._show_question(question)

    def ask_no_more(self, ask: object) -> None:
        """The table needs no answer any more; what was typed before goes on."""
        self.asked.drop(ask)
        if ask is not None and self.question is not None and self.question.asked == ask:
            self._close()
        self.message.show()

    def _answer(self, ask: int, text: str, most: int) -> bool:
        """Send the answer to what the table asked; False if it is none."""
        if (face := face_of(text, most)) is None:
            self.say(f"Type a number from 1 to {most}.")
            return False
        if self.wire is None or not self.wire.reply(ask, face):
            self.say("The table cannot be reached just now.")
            return False
        self.asked.drop(ask)
        self.say("")
        return True

    # Actions and their targets

    def _action_of(self, letter: str) -> SeatAction | None:
        """The action whose letter that is."""
        return next((each for each in self.view.actions if letter and each.letter == letter), None)

    def _ask_main(self) -> None:
        if self.view.actions:
            self._ask_action(self.view.actions[0])

    def _ask_action(self, action: SeatAction) -> None:
        if action.targets == "none" and not action.options:
            self._send(action.name)
            return
        title = titled(action.title)
        self._ask(
            title,
            lambda text: (
                self._send(f"{action.name} {text} {self._help.filled}".strip())
                if self._is_aimed(action, text)
                else False
            ),
            lambda text: self._target_rows(action, text),
            f"{action.name} ",
        )

    def _is_aimed(self, action: SeatAction, text: str) -> bool:
        if text or action.targets in ("none", "optional"):
            return True
        self.say("Type the tag of the target.")
        return False

    def _ask_actions(self) -> None:
        def finish(text: str) -> bool:
            found = actions_begun(self.view.actions, text)
            if text and found:
                self._close()
                self._ask_action(found[0])
                return False
            self.say("Type the beginning of an action.")
            return False

        self._ask("Action", finish, self._action_rows, "")

    def _action_rows(self, text: str) -> list[Row]:
        return action_rows(self.view.actions, text)

    def _target_rows(self, action: SeatAction, text: str) -> list[Row]:
        known, filled = self._help.known(f"{action.name} "), self._help.filled
        return target_rows(self.view, action, text, known, filled, self.size.width, self._shapes.edge)

    def _command_rows(self, text: str) -> Sequence[Row]:
        return command_rows(self.view, text, self._help.known(text.split(" ", 1)[0]), self.size.width)

    @property
    def _offer(self) -> Offered | None:
        """The first thing on offer that Enter would do, else the first reminder."""
        offers = self.view.offers
        return next((offer for offer in offers if offer.line), offers[0] if offers else None)

    def _take_offer(self) -> None:
        if self.asked.oldest is not None:
            self._open_asked()
            return
        if (offer := self._offer) is None or not offer.line:
            return
        by = f'by "{offer.by}"' if " " in offer.by else f"by {offer.by}"
        name, _, options = offer.line.partition(" ")
        action = next((each for each in self.view.actions if each.name == name), None)
        if not offer.needs_target or action is None:
            self._send(f"{offer.line} {by}")
            return
        self._ask(
            titled(action.title),
            lambda text: (
                self._send(" ".join((name, text, options, by))) if self._is_aimed(action, text) else False
            ),
            lambda text: self._target_rows(action, text),
            f"{name} ",
        )
