"""The screen of a seat: the order, one's own characters, the log that one may know, and one line to type.

It is painted from a `View` and knows nothing else of the fight; what is typed goes to the table as a line.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.events import Key, Paste
from textual.screen import Screen

from systems.visibility.view import SeatAction, View
from tui.display.card import card_rows
from tui.display.log_tail import tail_rows
from tui.display.seat import HELP, call, call_row, header_row, is_own_turn, targets_of
from tui.display.text import Row, cut, printable, wrapped
from tui.terminal.symbols import symbols
from tui.terminal.title import write_title
from tui.widgets.input_line import InputLine
from tui.widgets.lines import TONE_CLASSES, Lines
from tui.widgets.order_list import OrderList

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


class Wire(Protocol):
    """What a seat's screen asks of its connection; each answers whether the table could be reached."""

    def request(self, line: str) -> bool:
        """Ask the table to carry out a line of the command language."""
        ...

    def reply(self, ask: int, value: Any) -> bool:
        """Answer a question of the table: the face of a die, or a choice."""
        ...


class SeatQuestion:
    """One line that is asked for: what for, what was typed, and what Enter does with it.

    `rows` list what helps; `finish` makes the request of the text, or a sentence that says what is wrong.
    """

    def __init__(
        self,
        title: str,
        finish: Callable[[str], bool],
        rows: Callable[[str], Sequence[Row]] = lambda text: (),
        complete: Callable[[str], str] = lambda text: text,
        text: str = "",
    ) -> None:
        self.title, self.finish, self.rows, self.complete = title, finish, rows, complete
        self.line = InputLine(text)
        # The number of what the table asked, where it is an answer to that.
        self.asked: Any = None


class SeatScreen(Screen[None]):
    """Everything that a seat shows. `show_view` takes a new view, `say` a sentence of the table."""

    COMPONENT_CLASSES = TONE_CLASSES
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]
    BINDINGS = [
        Binding("ctrl+q", "leave", "leave", show=False, priority=True),
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j", "move(1)", "down", show=False),
        Binding("pageup", "scroll_log(1)", "older", show=False),
        Binding("pagedown", "scroll_log(-1)", "newer", show=False),
    ]
    CSS_PATH = "seat.tcss"

    def __init__(self, wire: Wire | None = None) -> None:
        super().__init__()
        self.wire = wire
        self.view = View()
        self.question: SeatQuestion | None = None
        # What was being typed when the table asked something.
        self._typing: SeatQuestion | None = None
        self.sentence, self.is_lost, self.bell = "", False, True
        self.page: Literal["", "help", "own"] = ""
        self.scrolled = 0
        self._cursor = ""
        self._shapes = symbols()
        self.header = Lines(self._header_rows, id="header")
        self.order = OrderList(id="order", empty=NOBODY)
        self.card = Lines(self._card_rows, id="card")
        self.side_card = Lines(self._card_rows, id="right")
        self.log_lines = Lines(self._log_rows, id="log")
        self.message = Lines(self._message_rows, id="message")
        self.keys = Lines(self._keys_rows, id="keys")

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
        if self.scrolled:
            # What is read stays where it is while lines come in below.
            self.scrolled = min(len(view.log), self.scrolled + max(0, len(view.log) - len(self.view.log)))
        self.view, self.is_lost = view, False
        self._cursor = self._cursor or view.turn
        if began:
            self.sentence = ""
        write_title(self.app, call(view) or view.title or "Affray")
        if began and self.bell:
            self.app.bell()
        self.refresh_all()

    def say(self, sentence: str) -> None:
        """Show a sentence of the table."""
        self.sentence = printable(sentence)
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
        """The order is as high as its rows, up to half of the room; the own card has a third at most."""
        room = max(4, self.size.height - 4)
        order = max(1, min(len(self.view.rows) or 1, room // 2))
        card = min(self._card_height(self.size.width), room // 3) if self.view.own else 0
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

    def _card_height(self, width: int) -> int:
        return len(self._card_rows(max(20, width), 99))

    def _card_rows(self, width: int, height: int) -> Sequence[Row]:
        rows: list[Row] = []
        for card in self.view.own:
            rows.append([(card.name, "strong accent")])
            rows += card_rows(card, self.view.meters, width, self._shapes)
        return rows

    def _log_rows(self, width: int, height: int) -> Sequence[Row]:
        if self.page == "help":
            return [[(f" {key:<10}", "strong"), (words, "")] for key, words in HELP]
        if self.page == "own":
            return self._card_rows(width, height)
        if self.question:
            return self._question_rows(self.question, width, height)
        newest = len(self.view.log) - self.scrolled
        return tail_rows(self.view.log[:newest], width, height)

    def _question_rows(self, question: SeatQuestion, width: int, height: int) -> list[Row]:
        text = question.line.text
        head: Row = [
            (f" {question.title} ", "strong"),
            *question.line.row(max(8, width - len(question.title) - 3)),
        ]
        return [head, *list(question.rows(text))[: max(0, height - 1)]]

    def _message_rows(self, width: int, height: int) -> Sequence[Row]:
        if self.sentence:
            tone = "danger" if self.is_lost else "accent"
            return [[(" ", ""), (cut(self.sentence, width - 2), tone)]]
        if self.view.offers:
            offer = self.view.offers[0]
            does = f" (Enter: {offer.line})" if offer.line else ""
            return [[(" ", ""), (cut(printable(f"{offer.says}{does}"), width - 2), "accent")]]
        return []

    def _keys_rows(self, width: int, height: int) -> Sequence[Row]:
        if self.question:
            return [QUESTION_KEYS]
        if not self.view.own:
            return [call_row(self.view, _LOOKING, width)]
        return [call_row(self.view, _TURN_KEYS if is_own_turn(self.view) else _KEYS, width)]

    # Keys

    def action_leave(self) -> None:
        self.app.exit(0)

    def action_move(self, by: int) -> None:
        self.order.move(by)
        self._cursor = self.order.under_cursor

    def action_scroll_log(self, pages: int) -> None:
        """Back in the log by a page, or forth again."""
        page = max(1, self.log_lines.size.height - 2)
        self.scrolled = max(0, min(len(self.view.log) - 1, self.scrolled + pages * page))
        self.log_lines.show()

    def on_key(self, event: Key) -> None:
        event.stop()
        if self.question:
            self._take(self.question, event)
            return
        if self.page:
            self.page = ""
            self.log_lines.show()
            return
        self.sentence = "" if not self.is_lost else self.sentence
        match event.character or event.key:
            case "?":
                self.page = "help"
                self.log_lines.show()
            case "s":
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
                self._ask("Command", self._send, self._command_rows, self._completed)
            case "\r" | "enter":
                self._take_offer()
        self.message.show()

    def on_paste(self, event: Paste) -> None:
        event.stop()
        if self.question:
            for character in printable(event.text.split("\n", 1)[0])[:LONGEST_LINE]:
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
                question.line = InputLine(question.complete(question.line.text))
            case _ if len(question.line.text) < LONGEST_LINE or not event.is_printable:
                question.line.key(event)
        self.log_lines.show()

    def _ask(
        self,
        title: str,
        finish: Callable[[str], bool],
        rows: Callable[[str], Sequence[Row]] = lambda text: (),
        complete: Callable[[str], str] = lambda text: text,
    ) -> None:
        self.question = SeatQuestion(title, finish, rows, complete)
        self.order.dim(True)
        self.log_lines.show()
        self.keys.show()

    def _close(self) -> None:
        self.question = None
        self.order.dim(False)
        self.log_lines.show()
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
        """Ask the player for the face of a die, or for one of several choices."""
        sides, choices = asked.get("sides", 0), asked.get("choices", ())
        name, why = printable(str(asked.get("name", ""))), printable(str(asked.get("why", "")))
        title = f"{name}: d{sides} {why}, 1 to {sides}" if sides else f"{name}: {why}"
        rows: list[Row] = [
            [(f"   {at}  ", "muted"), (printable(str(choice)), "")] for at, choice in enumerate(choices, 1)
        ]
        if self.question is None or self.question.asked is None:
            self._typing = self.question
        self.page = ""
        self._ask(title, lambda text: self._answer(text, sides or len(choices)), lambda text: rows)
        assert self.question is not None
        self.question.asked = asked["ask"]
        if self.bell:
            self.app.bell()

    def ask_no_more(self, ask: object) -> None:
        """The table needs no answer any more; what was typed before goes on."""
        if self.question is not None and self.question.asked == ask:
            self._close()
            self.question, self._typing = self._typing, None
            self.log_lines.show()
            self.keys.show()

    def _answer(self, text: str, most: int) -> bool:
        """Send the answer to what the table asked; False if it is none."""
        if not (text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= most):
            self.say(f"Type a number from 1 to {most}.")
            return False
        asked = self.question.asked if self.question else None
        if self.wire is None or asked is None or not self.wire.reply(asked, int(text)):
            self.say("The table cannot be reached just now.")
            return False
        self.say("")
        return True

    # Actions and their targets

    def _ask_main(self) -> None:
        if self.view.actions:
            self._ask_action(self.view.actions[0])

    def _ask_action(self, action: SeatAction) -> None:
        if action.targets == "none" and not action.options:
            self._send(action.name)
            return
        title = action.name.replace("_", " ").capitalize()
        self._ask(
            title,
            lambda text: (
                self._send(f"{action.name} {text}".strip()) if self._is_aimed(action, text) else False
            ),
            lambda text: self._target_rows(action, text),
            lambda text: self._with_option(action, text),
        )

    def _is_aimed(self, action: SeatAction, text: str) -> bool:
        if text or action.targets in ("none", "optional"):
            return True
        self.say("Type the tag of the target.")
        return False

    def _ask_actions(self) -> None:
        def finish(text: str) -> bool:
            found = [action for action in self.view.actions if action.name.startswith(text.replace(" ", "_"))]
            if text and found:
                self._close()
                self._ask_action(found[0])
                return False
            self.say("Type the beginning of an action.")
            return False

        self._ask("Action", finish, self._action_rows, self._completed)

    def _action_rows(self, text: str) -> list[Row]:
        fitting = [each for each in self.view.actions if each.name.startswith(text.replace(" ", "_"))]
        return [[(f"   {each.name:<16}", "strong"), (each.help, "muted")] for each in fitting]

    def _target_rows(self, action: SeatAction, text: str) -> list[Row]:
        """Whom it may aim at, the ones typed marked, and its options."""
        typed = {part.strip() for part in text.split(" ", maxsplit=1)[0].split(",")}
        rows: list[Row] = []
        for row in targets_of(self.view, action):
            state = row.instead.text if row.instead else ""
            mark = self._shapes.edge if row.tag in typed else " "
            rows.append(
                [(mark, "edge"), (f" {row.tag:>3} ", "muted"), (row.name, ""), (f"  {state}", "muted")]
            )
        names = "  ".join(f"{name}=" for name, _ in action.options)
        if names:
            rows += [
                [("   ", ""), (line, "muted")] for line in wrapped(names, max(20, self.size.width - 6), "")
            ]
        return rows

    def _with_option(self, action: SeatAction, text: str) -> str:
        """The text with the option completed that its last word begins."""
        *before, last = text.split(" ")
        found = [name for name, _ in action.options if last and name.startswith(last)]
        return " ".join([*before, f"{found[0]}="]) if len(found) == 1 else text

    def _command_rows(self, text: str) -> list[Row]:
        return self._action_rows(text) if " " not in text else []

    def _completed(self, text: str) -> str:
        found = [each.name for each in self.view.actions if text and each.name.startswith(text)]
        return f"{found[0]} " if found else text

    def _take_offer(self) -> None:
        if self.view.offers and self.view.offers[0].line:
            offer = self.view.offers[0]
            self._send(f'{offer.line} by "{offer.by}"' if " " in offer.by else f"{offer.line} by {offer.by}")
