"""The page of seats: knocks, requests, seats with the line each player types, keys, and the server."""

from collections.abc import Callable, Sequence

from textual.events import Key

from systems.text import listed, shown
from tui.controllers.desk import Desk
from tui.controllers.seat_words import seats_page
from tui.controllers.served_seats import Inviting
from tui.display.invitation import Invitation, invitation_rows, message_text
from tui.display.seats_page import (
    SeatsPage,
    item_rows,
    key_rows,
    key_words,
    objections,
    page_rows,
    picked,
    taken,
)
from tui.display.text import Row
from tui.prompts.prompt import Prompt
from tui.prompts.question import TextPrompt, yes_or_no
from tui.services import FirstLook, Services
from tui.wire.server_report import ReportedKnock

_IF_ALLOWED = ", if this terminal lets programs copy."
_LASTING = (
    ("once", "once: until used; after that the player's key opens the seat"),
    ("evening", "evening: until the server ends"),
    ("good", "good: until you make a new one or kick the player"),
)


class SeatsPrompt(Prompt):
    """Lists knocks, requests and seats, with a mark on one of them.

    The mark stays with its item when a knock arrives and the rows move. If its item is gone, it moves to
    another one; a key pressed too early after that does not count for the new item.
    """

    TAB = "next"
    ESCAPE = "close"

    def __init__(self, services: Services, desk: Desk) -> None:
        super().__init__(services)
        self.desk, self.marked = desk, 0
        self._marked_name = ""
        # The item that the mark went to by itself; "" after a key has moved the mark.
        self._new_name = ""
        self._first_look = FirstLook(services.now)

    @property
    def enter_does(self) -> str:
        # The footer may be painted before the rows, and a knock moves the rows.
        page = self._page
        self._follow(page)
        row = picked(page, self.marked)
        if row.knock and (new := page.new_seat_of(row.knock)):
            return f"make seat {new[2]} for {new[1]}"
        if row.knock and page.seat_of(row.knock) is None:
            return "choose a seat"
        if row.knock:
            return "let in for good" if page.may_bind(row.knock) else "let in once"
        if row.is_kicked:
            return "let in again"
        return "accept the request" if row.waiting is not None else ""

    @property
    def _page(self) -> SeatsPage:
        return seats_page(self.desk)

    def wanted_rows(self, width: int) -> int:
        page = self._page
        return sum(map(len, item_rows(page, self.marked, width))) + len(key_rows(width))

    def rows(self, width: int, height: int) -> Sequence[Row]:
        page = self._page
        self._follow(page)
        return page_rows(page, self.marked, width, height)

    def _follow(self, page: SeatsPage) -> None:
        """Move the mark to its item. If that is gone, the mark keeps its position."""
        names = page.names
        if self._marked_name in names:
            self.marked = names.index(self._marked_name)
            return
        self._mark(page, min(self.marked, max(0, page.count - 1)))
        self._new_name = self._marked_name
        self._first_look.paint(self._new_name)

    def _mark(self, page: SeatsPage, at: int) -> None:
        self.marked, self._new_name = at, ""
        self._marked_name = page.names[at] if page.names else ""

    def key(self, event: Key) -> None:
        page = self._page
        count = max(1, page.count)
        self._follow(page)
        self.services.say("")
        match event.character or event.key:
            case _ if event.key == "escape":
                self.close()
                return
            case _ if event.key in ("down", "tab"):
                self._mark(page, (self.marked + 1) % count)
            case _ if event.key in ("up", "shift+tab"):
                self._mark(page, (self.marked - 1) % count)
            case "s":
                self.desk.server.start_or_stop()
            case "l":
                self.desk.server.lock(not page.is_locked)
            case "q":
                self.services.say_how_to_quit()
            case "i":
                self._invite(page)
                return
            case "M":
                self.desk.server.inviting.make_seats([id for id, _, _ in page.without_seat])
            case "t":
                self.close()
                self.desk.take_all()
                return
            case _:
                self._act(page, event)
        self.refresh()

    def _act(self, page: SeatsPage, event: Key) -> None:
        """Handle a key for the marked knock, request or seat."""
        if self._new_name and not self._first_look.takes(self._new_name):
            name = event.key.capitalize() if len(event.key) > 1 else event.key
            self.services.say(f"The mark has just moved to this row: {name} again.", error=True)
            return
        self._new_name = ""
        row = picked(page, self.marked)
        refuses = event.key in ("backspace", "delete")
        match event.character or event.key:
            case "m" if row.character:
                self.desk.server.inviting.make_seats([row.character])
            case "w" if row.seat and not row.key:
                self.desk.server.hand_out_password(row.seat.name)
            case "k" if row.seat and not row.key and not row.seat.keys and not row.seat.screens:
                self.services.say(f"{row.seat.name} has no key and no occupant to kick", error=True)
            case "k" if row.seat and not row.key:
                self.desk.server.kick(row.seat.name)
            case _ if event.key in ("enter", "o") and row.knock:
                self._let_in(page, row.knock, for_good=event.key == "enter" and page.may_bind(row.knock))
            case _ if refuses and row.knock:
                self.desk.server.turn_away(row.knock.id)
            case _ if event.key == "enter" and row.seat and row.is_kicked:
                self.desk.server.let_back(row.seat.name, row.key)
            case _ if refuses and row.seat and row.key:
                self._remove_key(row.seat.name, row.key)
            case _ if event.key == "enter" and row.waiting is not None:
                self.desk.take_waiting(row.waiting)
            case _ if refuses and row.waiting is not None:
                self.desk.refuse_waiting(row.waiting)

    def _let_in(self, page: SeatsPage, knock: ReportedKnock, *, for_good: bool) -> None:
        """Admit a guest at the seat with the typed name. Ask for a seat if none has that name."""
        seat = page.seat_of(knock)
        if new := page.new_seat_of(knock):
            self.desk.server.inviting.make_seats([new[0]])
        elif seat is not None:
            self._let_in_at(seat.name, knock, for_good=for_good)
        elif page.seats:
            choices = [(seat.name, ", ".join([seat.name, *taken(seat, knock)])) for seat in page.seats]

            def answered(name: str) -> str | None:
                if name not in [each.name for each in page.seats]:
                    wrong = f"there is no seat {shown(name)}: " if name else ""
                    return f"{wrong}type one of the names listed"
                self._let_in_at(name, knock, for_good=for_good)
                return None

            asked = f"No seat is named {knock.name}. Which seat does this guest take ({key_words(knock)})?"
            self._ask(TextPrompt(self.services, asked, answered, does="let in", choices=choices))
        else:
            fault = next(iter(page.problems), "add one to seats.toml")
            self.services.say(f"no seat can be taken: {fault}", error=True)

    def _let_in_at(self, name: str, knock: ReportedKnock, *, for_good: bool) -> None:
        """Admit a guest at a seat. Ask first if the seat or the guest's key may be another player's."""
        facts = objections(self._page, knock, name)

        def let_in() -> None:
            self.desk.server.let_in(knock.id, name, for_good=for_good, second_key=for_good and bool(facts))

        if not facts:
            let_in()
            return
        how = f", and add the key {knock.fingerprint} for good" if for_good else " once"
        self._confirm(" ".join([*facts, f"Let {knock.name} in at {name}{how}?"]), let_in)

    def _invite(self, page: SeatsPage) -> None:
        """Ask how long passwords last, then show the invitations. Without any seat, make them all first."""
        if not page.seats and not page.without_seat:
            self.services.say("the roster has no character of the players to invite", error=True)
            self.refresh()
            return
        if not page.seats:
            self.desk.server.inviting.make_seats([id for id, _, _ in page.without_seat])

        def answered(word: str) -> str | None:
            lasts = next((lasts for lasts, _ in _LASTING if word and lasts.startswith(word.casefold())), "")
            if not lasts:
                return "type once, evening or good"
            self.desk.server.inviting.invite(lasts)
            invitations = InvitationsPrompt(self.services, self.desk.server.inviting)
            invitations.on_close = self.resume
            self.services.prompts.open(invitations)
            return None

        asked = "How long do the players' passwords last?"
        self._ask(TextPrompt(self.services, asked, answered, does="invite", text="once", choices=_LASTING))

    def _remove_key(self, name: str, key: str) -> None:
        """Ask whether to remove a key from a seat."""
        asked = f"Remove the key {key} from {name}? Its screens end."
        self._confirm(asked, lambda: self.desk.server.remove_key(name, key))

    def _confirm(self, asked: str, do: Callable[[], None]) -> None:
        self._ask(yes_or_no(self.services, asked, do, "Nothing was changed."))

    def _ask(self, question: TextPrompt) -> None:
        """Open a question in place of the page, which returns afterwards."""
        question.on_close = self.resume
        self.services.prompts.open(question)


class InvitationsPrompt(Prompt):
    """Shows the message for each player, and copies the marked one to the terminal's clipboard."""

    TAB = "next"
    ESCAPE = "close"

    def __init__(self, services: Services, inviting: Inviting) -> None:
        super().__init__(services)
        self._inviting, self._marked = inviting, 0
        self._copied = ""

    @property
    def enter_does(self) -> str:
        return "copy the message"

    @property
    def _found(self) -> Sequence[Invitation]:
        """Return the invitations, or none while passwords are still to come."""
        return self._inviting.complete

    def wanted_rows(self, width: int) -> int:
        return max(1, len(invitation_rows(self._found, self._marked, width)))

    def rows(self, width: int, height: int) -> Sequence[Row]:
        found = self._found
        if found and not self._copied:
            # The first message is copied as soon as its password is there.
            self._copy(found)
        return invitation_rows(found, self._marked, width)[:height]

    def key(self, event: Key) -> None:
        found = self._found
        match event.key:
            case "escape":
                self.close()
                return
            case "down" | "tab" if found:
                self._marked = (self._marked + 1) % len(found)
                self._copy(found)
            case "up" | "shift+tab" if found:
                self._marked = (self._marked - 1) % len(found)
                self._copy(found)
            case "enter" | "i" if found:
                self._copy(found)
            case "a" if found:
                self._copy_all(found)
        self.refresh()

    def _copy(self, found: Sequence[Invitation]) -> None:
        invitation = found[self._marked]
        self._copied = invitation.seat
        self.services.program.copy_to_clipboard(message_text([invitation]))
        self.services.say(f"Copied the message for {invitation.seat}{_IF_ALLOWED}")

    def _copy_all(self, found: Sequence[Invitation]) -> None:
        self.services.program.copy_to_clipboard(message_text(found))
        self.services.say(f"Copied the messages for {listed(each.seat for each in found)}{_IF_ALLOWED}")
