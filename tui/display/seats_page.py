"""Rows of the page of seats."""

from collections.abc import Mapping, Sequence
from typing import Any

from systems.frozen import frozen
from tui.display.text import Piece, Row, cut, fitted, printable, under_cursor, width

_KEYS = (
    ("s", "server"),
    ("w", "word"),
    ("Enter", "take or let in"),
    ("o", "let in once"),
    ("Backspace", "refuse"),
    ("t", "take all"),
    ("k", "kick"),
    ("l", "lock"),
)


@frozen
class SeatsPage:
    """What the page shows. `state`: what the server said last; `waiting`: requests, the oldest first."""

    state: Mapping[str, Any]
    waiting: tuple[str, ...]
    server: str
    is_served: bool

    @property
    def seats(self) -> Sequence[Mapping[str, Any]]:
        """The seats of the campaign."""
        found: Sequence[Mapping[str, Any]] = self.state.get("seats", ())
        return found

    @property
    def knocks(self) -> Sequence[Mapping[str, Any]]:
        """Who waits to be let in."""
        found: Sequence[Mapping[str, Any]] = self.state.get("knocks", ())
        return found

    @property
    def names(self) -> Sequence[str]:
        """A name of its own for each row that can be marked."""
        knocks = [f"knock {knock['id']}" for knock in self.knocks]
        requests = [f"request {words}" for words in self.waiting]
        return [*knocks, *requests, *(f"seat {seat['name']}" for seat in self.seats)]

    @property
    def is_locked(self) -> bool:
        """Whether nobody new is let in."""
        return bool(self.state.get("locked"))

    @property
    def count(self) -> int:
        """How many rows can be marked."""
        return len(self.knocks) + len(self.waiting) + len(self.seats)


@frozen
class Picked:
    """What stands in a row: a knock, the place of what waits, or a seat; the others are None."""

    knock: Mapping[str, Any] | None = None
    waiting: int | None = None
    seat: Mapping[str, Any] | None = None


def picked(page: SeatsPage, marked: int) -> Picked:
    """Return what stands in a row."""
    if marked < len(page.knocks):
        return Picked(knock=page.knocks[marked])
    at = marked - len(page.knocks)
    if at < len(page.waiting):
        return Picked(waiting=at)
    at -= len(page.waiting)
    return Picked(seat=page.seats[at] if at < len(page.seats) else None)


def page_rows(page: SeatsPage, marked: int, cells: int, height: int) -> list[Row]:
    """Return the rows of the page: the server, knocks, requests, seats with what their players type, keys."""
    lock = " · locked" if page.is_locked else ""
    rows: list[Row] = [[(fitted(f" Seats: {printable(page.server)}{lock}", cells), "strong accent")]]
    for at, knock in enumerate(page.knocks):
        key = knock["fingerprint"] or "no key"
        words = f"{knock['name']} knocks from {knock['address']}, {key}"
        rows.append(_row(words, at == marked, cells, "warning"))
    for at, words in enumerate(page.waiting, len(page.knocks)):
        rows.append(_row(words, at == marked, cells, "accent"))
    for at, seat in enumerate(page.seats, len(page.knocks) + len(page.waiting)):
        rows.append(_row(_seat_words(page, seat), at == marked, cells, ""))
    keys = key_rows(cells)
    room = max(1, height - len(keys))
    top = max(0, min(marked + 2, len(rows)) - room)
    shown = rows[top : top + room]
    shown += [[]] * (room - len(shown))
    return [*shown, *keys]


def key_rows(cells: int) -> list[Row]:
    """Return the keys of the page as a footer has them, in as many rows as they need."""
    rows: list[Row] = []
    for key, does in _KEYS:
        shown: list[Piece] = [(key, "strong"), (f" {does}", "muted")]
        if rows and width(rows[-1]) + 2 + width(shown) < cells:
            rows[-1] = [*rows[-1], ("  ", ""), *shown]
        else:
            rows.append([(" ", ""), *shown])
    return rows


def _seat_words(page: SeatsPage, seat: Mapping[str, Any]) -> str:
    """A seat: the line that its player types, its word, who sits there, and by which keys it is known."""
    address, port = page.state.get("address", ""), page.state.get("port", "")
    host = "HOST" if address in ("", "0.0.0.0", "::") else address
    words = [f"ssh -p {port} {seat['name']}@{host}"]
    if seat["word"]:
        words.append(f"word {seat['word']}")
    if seat["screens"]:
        words.append(f"sits, from {', '.join(seat['screens'])}")
    elif seat["barred"]:
        words.append("kicked")
    words += [f"key {key}" for key in seat["keys"]] or ["no key yet"]
    return " · ".join(words)


def _row(words: str, is_marked: bool, cells: int, tone: str) -> Row:
    row: Row = [("  ", ""), (cut(printable(words), max(1, cells - 2)), tone)]
    return under_cursor(row, cells) if is_marked else row
