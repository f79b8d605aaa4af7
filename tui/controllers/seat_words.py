"""Carry out the lines about the seats, which do in words what the page of seats does by keys."""

from collections.abc import Sequence

from systems.errors import Refused, unknown
from systems.text import listed, shown
from tui.controllers.desk import Desk
from tui.display.seats_page import SeatsPage, objections, page_lines
from tui.lists.seat_words import ALL, ANYWAY, SeatOrder, read_seat_line
from tui.wire.server_report import ReportedKnock, ReportedSeat

_NO_SERVER = "no server is running: seats start starts one"
_NEEDS_SERVER = frozenset({"lock", "unlock", "password", "admit", "dismiss", "kick", "readmit", "remove"})


def seats_page(desk: Desk) -> SeatsPage:
    """Return the values of the page of seats."""
    server, waiting = desk.server, tuple(desk.waiting_words)
    made = server.inviting
    without = tuple((id, name, made.seat_name(id)) for id, name in made.without_seat)
    warning = server.settings_warning
    return SeatsPage(
        server.report, waiting, server.words, server.is_served, warning, made.seats_on_file, without
    )


def carry_out_seat_line(desk: Desk, line: str) -> Sequence[str]:
    """Carry out a line about the seats, and return what to say. Raises Misread, Refused or Wrong."""
    order, page = read_seat_line(line), seats_page(desk)
    if order.word in _NEEDS_SERVER and page.report is None:
        raise Refused(_NO_SERVER)
    server = desk.server
    match order.word:
        case "list":
            return page_lines(page)
        case "make":
            server.inviting.make_seats(_without_seat(page, order.name))
        case "invite":
            if not page.seats:
                server.inviting.make_seats(_without_seat(page, ALL))
            server.inviting.invite(order.lasts)
        case "start" | "stop":
            _start_or_stop(desk, is_to_run=order.word == "start")
        case "lock" | "unlock":
            server.lock(order.word == "lock")
            return [f"The table is {'locked' if order.word == 'lock' else 'open'} for new guests."]
        case "accept" | "refuse":
            _answer(desk, order)
        case "admit" | "dismiss":
            return _answer_knock(desk, page, order)
        case _:
            return _change_seat(desk, page, order)
    return ()


def _without_seat(page: SeatsPage, typed: str) -> Sequence[str]:
    """Return the ids of the characters that a name means among those without a seat, or all of them."""
    found = {id: name for id, name, _ in page.without_seat}
    if not typed or typed.casefold() == ALL:
        return list(found)
    meant = [id for id, name in found.items() if typed.casefold() in (id.casefold(), name.casefold())]
    if not meant:
        names = found.values()
        raise unknown("", f"no character without a seat is named {shown(typed)}", typed, names)
    return meant


def _start_or_stop(desk: Desk, *, is_to_run: bool) -> None:
    server = desk.server
    runs = server.is_served or server.is_starting
    if runs == is_to_run:
        raise Refused(f"the server is {'running already' if runs else 'not running'}")
    server.start_or_stop()


def _answer(desk: Desk, order: SeatOrder) -> None:
    """Accept or refuse a request by its number."""
    waiting, accepts = desk.waiting_words, order.word == "accept"
    if not waiting:
        raise Refused("no request waits")
    if order.name.casefold() == ALL and accepts:
        desk.take_all()
        return
    number = int(order.name) if order.name.isascii() and order.name.isdecimal() else 0
    if order.name and not 1 <= number <= len(waiting):
        raise Refused(f"there is no request {shown(order.name)}: type a number from 1 to {len(waiting)}")
    at = max(0, number - 1)
    if accepts:
        desk.take_waiting(at)
    else:
        desk.refuse_waiting(at)


def _answer_knock(desk: Desk, page: SeatsPage, order: SeatOrder) -> Sequence[str]:
    """Let a guest in, or turn the guest away."""
    knock = _guest(page, order.name)
    if order.word == "dismiss":
        desk.server.turn_away(knock.id)
        return [f"{knock.name} is turned away."]
    if not order.at and (new := page.new_seat_of(knock)):
        desk.server.inviting.make_seats([new[0]])
        return [f"The seat {new[2]} is new: type the line again to let {knock.name} in."]
    seat = _seat(page, order.at or knock.seat)
    for_good = not order.is_once and bool(knock.fingerprint) and knock.key_of in ("", seat.name)
    facts = objections(page, knock, seat.name)
    if facts and not order.is_sure:
        raise Refused(f"{' '.join(facts)} Add {ANYWAY} to let {knock.name} in")
    desk.server.let_in(knock.id, seat.name, for_good=for_good, second_key=for_good and bool(facts))
    return [f"{knock.name} is let in at {seat.name}{', for good' if for_good else ', once'}."]


def _guest(page: SeatsPage, typed: str) -> ReportedKnock:
    """Return the guest with that name or number. Raises Wrong."""
    for number, knock in enumerate(page.knocks, 1):
        if typed in (knock.name, knock.seat, str(number)):
            return knock
    raise unknown("", f"no guest {shown(typed)} knocks", typed, (knock.name for knock in page.knocks))


def _seat(page: SeatsPage, typed: str) -> ReportedSeat:
    """Return the seat with that name. Raises Wrong."""
    for seat in page.seats:
        if seat.name == typed.casefold():
            return seat
    raise unknown("", f"there is no seat {shown(typed)}", typed, (seat.name for seat in page.seats))


def _change_seat(desk: Desk, page: SeatsPage, order: SeatOrder) -> Sequence[str]:
    """Make a password for a seat, kick its player, or change its keys."""
    seat, server = _seat(page, order.name), desk.server
    match order.word:
        case "password":
            server.hand_out_password(seat.name, order.lasts)
            return [f"A new password for {seat.name} is being made."]
        case "kick" if not (seat.keys or seat.screens):
            raise Refused(f"{seat.name} has no key and no occupant to kick")
        case "kick":
            server.kick(seat.name)
            return [f"{seat.name} is kicked."]
        case "readmit":
            key = _key(seat.kicked, order.key, seat.name)
            server.let_back(seat.name, key)
            return [f"The key {key} opens {seat.name} again."]
    key = _key((*seat.keys, *seat.kicked), order.key, seat.name)
    server.remove_key(seat.name, key)
    return [f"The key {key} is removed from {seat.name}."]


def _key(keys: Sequence[str], typed: str, seat: str) -> str:
    """Return the only key whose fingerprint begins with a text. Raises Refused."""
    found = [key for key in keys if key.removeprefix("SHA256:").startswith(typed.removeprefix("SHA256:"))]
    if len(found) != 1:
        which = f"its keys: {listed(keys)}" if keys else "it has no such key"
        raise Refused(f"{shown(typed)} is the beginning of no single key of {seat}; {which}")
    return found[0]
