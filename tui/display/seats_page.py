"""The page of seats: its values, its rows, and its lines for linear mode."""

from collections.abc import Sequence

from systems.frozen import frozen
from tui.display.text import Piece, Row, printable, under_cursor, width, wrapped
from tui.wire.server_report import ReportedKnock, ReportedSeat, ServerReport

_KEYS = (
    ("i", "invite"),
    ("m", "make a seat"),
    ("M", "make all"),
    ("s", "server"),
    ("w", "password"),
    ("Enter", "accept or let in"),
    ("o", "let in once"),
    ("Backspace", "refuse or remove"),
    ("t", "accept all"),
    ("k", "kick"),
    ("l", "lock"),
)
_LASTING = {"evening": " (for the evening)", "good": " (for good)"}


@frozen
class SeatsPage:
    """The values on the page.

    `report`: the server's last report. `waiting`: requests, oldest first. `warning`: a warning about settings
    that can reveal hidden combatants, or "". `on_file`: the seats of seats.toml, for a page without a server.
    `without_seat`: the id, the name and the new seat's name of each character without a seat.
    """

    report: ServerReport | None
    waiting: tuple[str, ...]
    server: str
    is_served: bool
    warning: str = ""
    on_file: Sequence[ReportedSeat] = ()
    without_seat: Sequence[tuple[str, str, str]] = ()

    @property
    def seats(self) -> Sequence[ReportedSeat]:
        """Return the seats of the campaign."""
        return self.on_file if self.report is None else self.report.seats

    @property
    def knocks(self) -> Sequence[ReportedKnock]:
        """Return the guests who wait for admission."""
        return () if self.report is None else self.report.knocks

    @property
    def problems(self) -> Sequence[str]:
        """Return the mistakes in seats.toml, each with its line. Their seats are left out."""
        return () if self.report is None else self.report.problems

    @property
    def names(self) -> Sequence[str]:
        """Return a unique name for each item that can be marked."""
        return [
            *(f"knock {knock.id}" for knock in self.knocks),
            *(f"request {words}" for words in self.waiting),
            *(f"seat {row.seat.name} {row.key}" for row in self.seat_items if row.seat),
            *(f"character {id}" for id, _, _ in self.without_seat),
        ]

    @property
    def seat_items(self) -> "Sequence[Picked]":
        """Return each seat, followed by its keys and its kicked keys."""
        return [
            item
            for seat in self.seats
            for item in (
                Picked(seat=seat),
                *(Picked(seat=seat, key=key) for key in seat.keys),
                *(Picked(seat=seat, key=key, is_kicked=True) for key in seat.kicked),
            )
        ]

    def seat_of(self, knock: ReportedKnock) -> ReportedSeat | None:
        """Return the seat that a guest has named, or None if no seat has exactly that name."""
        return next((seat for seat in self.seats if knock.seat and seat.name == knock.seat), None)

    def new_seat_of(self, knock: ReportedKnock) -> tuple[str, str, str] | None:
        """Return the character without a seat that a guest's name means, or None."""
        if self.seat_of(knock) is not None:
            return None
        return next((each for each in self.without_seat if knock.seat and each[2] == knock.seat), None)

    def may_bind(self, knock: ReportedKnock) -> bool:
        """Return whether a guest's key can be added to a seat: it belongs to none, or to the named one."""
        return bool(knock.fingerprint) and knock.key_of in ("", knock.seat)

    @property
    def is_locked(self) -> bool:
        """Return whether new players are kept out."""
        return self.report is not None and self.report.is_locked

    @property
    def count(self) -> int:
        """Return the number of items that can be marked."""
        return len(self.names)


@frozen
class Picked:
    """An item of the page: a knock, the number of a request, a seat, a key of a seat, or a character.

    `key`: a fingerprint, "" for the seat itself. `character`: the id of a character without a seat, or "".
    """

    knock: ReportedKnock | None = None
    waiting: int | None = None
    seat: ReportedSeat | None = None
    key: str = ""
    is_kicked: bool = False
    character: str = ""


def picked(page: SeatsPage, marked: int) -> Picked:
    """Return the marked item."""
    if marked < len(page.knocks):
        return Picked(knock=page.knocks[marked])
    at = marked - len(page.knocks)
    if at < len(page.waiting):
        return Picked(waiting=at)
    at -= len(page.waiting)
    items = page.seat_items
    if at < len(items):
        return items[at]
    at -= len(items)
    return Picked(character=page.without_seat[at][0]) if at < len(page.without_seat) else Picked()


def page_rows(page: SeatsPage, marked: int, cells: int, height: int) -> list[Row]:
    """Return the rows of the page, scrolled to the marked item, and its keys.

    Lines are wrapped and never cut, because fingerprints are compared in full.
    """
    items = item_rows(page, marked, cells)
    keys = key_rows(cells)
    room = max(1, height - len(keys))
    # The item after the marked one stays visible, too.
    end = sum(map(len, items[: marked + 3]))
    start = sum(map(len, items[: marked + 1]))
    top = max(0, min(end - room, start))
    shown = [row for item in items for row in item][top : top + room]
    shown += [[]] * (room - len(shown))
    return [*shown, *keys]


def item_rows(page: SeatsPage, marked: int, cells: int) -> list[list[Row]]:
    """Return the rows of the server, and of each guest, request, seat and key, item by item."""
    lock = " · locked" if page.is_locked else ""
    head = wrapped(f"Seats: {printable(page.server)}{lock}", cells - 1, "")
    items = [
        *((_knock_words(page, knock), "warning") for knock in page.knocks),
        *((words, "accent") for words in page.waiting),
        *(_seat_item(page, item) for item in page.seat_items),
        *((f"{name} has no seat: m makes {seat}", "muted") for _, name, seat in page.without_seat),
    ]
    return [
        [
            *([(f" {line}".ljust(cells), "strong accent")] for line in head),
            *(
                [(f" {line}", "warning")]
                for words in (*map(printable, page.problems), page.warning)
                for line in wrapped(words, cells - 1, "")
                if line
            ),
        ],
        *(_rows(words, at == marked, cells, tone) for at, (words, tone) in enumerate(items)),
    ]


def taken(seat: ReportedSeat, knock: ReportedKnock) -> Sequence[str]:
    """Return why a seat may be another player's: it is occupied, or has another key."""
    reasons = ["is occupied"] if seat.screens else []
    if any(key != knock.fingerprint for key in seat.keys):
        reasons.append("has another key")
    return reasons


def objections(page: SeatsPage, knock: ReportedKnock, name: str) -> Sequence[str]:
    """Return sentences about why a seat or a guest's key may be another player's."""
    seat = next((seat for seat in page.seats if seat.name == name), None)
    reasons = taken(seat, knock) if seat is not None else ()
    facts = [f"{name} {' and '.join(reasons)}."] if reasons else []
    if knock.key_of not in ("", name):
        facts.append(f"The key {knock.fingerprint} belongs to {knock.key_of}.")
    return facts


def page_lines(page: SeatsPage) -> Sequence[str]:
    """Return the page as lines for a screen reader, with the number or name that a command takes."""
    lock = ", locked" if page.is_locked else ""
    lines = [f"Seats: {page.server}{lock}", *page.problems, *filter(None, [page.warning])]
    guests = (_knock_words(page, knock).replace(" → ", ", ") for knock in page.knocks)
    lines += [f"guest {number}: {words}" for number, words in enumerate(guests, 1)]
    lines += [f"request {number}: {words}" for number, words in enumerate(page.waiting, 1)]
    for item in page.seat_items:
        words, _ = _seat_item(page, item)
        is_key = item.key and item.seat is not None
        lines.append(f"{words}, of {item.seat.name}" if is_key and item.seat else f"seat: {words}")
    lines += [f"{name} has no seat: seats make {name}" for _, name, _ in page.without_seat]
    return [printable(line) for line in lines]


def key_words(knock: ReportedKnock) -> str:
    """Return the full fingerprint of a guest's key."""
    return knock.fingerprint or "no key"


def _knock_words(page: SeatsPage, knock: ReportedKnock) -> str:
    """Return the text of a guest: the name, the seat it would take, objections, and the key."""
    seat = page.seat_of(knock)
    new = page.new_seat_of(knock)
    place = f"seat {seat.name}" if seat else "no seat of that name"
    words = [f"{knock.name} knocks → {f'make seat {new[2]} for {new[1]}' if new else place}"]
    words += [reason.removeprefix("is ") for reason in taken(seat, knock)] if seat else []
    if knock.kicked_from:
        words.append(f"kicked from {knock.kicked_from}")
    if knock.key_of not in ("", knock.seat):
        words.append(f"its key belongs to {knock.key_of}")
    return " · ".join([*words, f"from {knock.address}", key_words(knock)])


def _seat_item(page: SeatsPage, item: Picked) -> tuple[str, str]:
    """Return the text and tone of a seat or of one of its keys."""
    assert item.seat is not None
    if item.is_kicked:
        return f"kicked {item.key}", "warning"
    return (f"key {item.key}", "muted") if item.key else (_seat_words(page, item.seat), "")


def key_rows(cells: int) -> list[Row]:
    """Return the keys of the page like a footer, in as many rows as needed."""
    rows: list[Row] = []
    for key, does in _KEYS:
        shown: list[Piece] = [(key, "strong"), (f" {does}", "muted")]
        if rows and width(rows[-1]) + 2 + width(shown) < cells:
            rows[-1] = [*rows[-1], ("  ", ""), *shown]
        else:
            rows.append([(" ", ""), *shown])
    return rows


def _seat_words(page: SeatsPage, seat: ReportedSeat) -> str:
    """Return the text of a seat: the player's ssh line, the password, and the occupants."""
    address, port = (page.report.where.address, page.report.where.port) if page.report else ("", 0)
    host = "HOST" if address in ("", "0.0.0.0", "::") else address
    words = [f"ssh -p {port} {seat.name}@{host}" if port else f"seat {seat.name}"]
    if seat.password:
        words.append(f"password {seat.password}{_LASTING.get(seat.lasts, '')}")
    elif seat.lasts:
        words.append("has a lasting password")
    if seat.screens:
        words.append(f"sits, from {', '.join(seat.screens)}")
    if not seat.keys and not seat.kicked and not seat.lasts:
        words.append("no key yet")
    return " · ".join(words)


def _rows(words: str, is_marked: bool, cells: int, tone: str) -> list[Row]:
    """Return the rows of one item."""
    rows: list[Row] = [[(f"  {line}", tone)] for line in wrapped(printable(words), max(1, cells - 2))]
    return [under_cursor(row, cells) for row in rows] if is_marked else rows
