"""The presence of players: whose seat is empty, and the news of a lost or recovered line."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from systems.contract.marked_text import possessive
from systems.text import clean, listed
from systems.visibility.sight import sees
from systems.visibility.view import View
from systems.visibility.viewer import Viewer
from tui.campaign.seats import Seat
from tui.seats.following import FollowedCampaign, viewer_of
from tui.session.session import Session

SETTLED = 3.0  # seconds for which a lost line is not mentioned, because most return at once
# A line that is lost again and again is reported at most this often in a window of that many seconds.
MOST_NEWS, WINDOW = 4, 60.0
PresenceChange = Literal["dropped", "left", "back"]


@dataclass(slots=True)
class _Line:
    """The connection of one seat.

    `is_known_here`: its state as the others know it. `news`: the times of its news.
    """

    is_here: bool = True
    is_known_here: bool = True
    has_left: bool = False
    news: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_NEWS))
    timer: asyncio.TimerHandle | None = None


class PresentPlayers:
    """Decides which changes of a seat's line are news. `say` gets the seat's name and what happened to it.

    A lost line is news after `SETTLED` seconds, and its return at once. The first login of a seat is no news.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, say: Callable[[str, PresenceChange], None]) -> None:
        self._loop, self._say = loop, say
        self._lines: dict[str, _Line] = {}
        self._is_over = False

    def update(self, seat: str, *, is_here: bool, has_left: bool = False) -> None:
        """Note whether a seat has a screen. `has_left`: its player has left, and the line was not lost."""
        line = self._lines.get(seat)
        if line is None:
            if is_here:
                self._lines[seat] = _Line()
            return
        if line.is_here == is_here or self._is_over:
            return
        line.is_here, line.has_left = is_here, has_left
        if line.timer is not None:
            line.timer.cancel()
            line.timer = None
        if is_here == line.is_known_here:
            return
        now = self._loop.time()
        due = now if is_here or has_left else now + SETTLED
        if len(line.news) == MOST_NEWS:
            due = max(due, line.news[0] + WINDOW)
        if due <= now:
            self._tell(seat, line)
        else:
            line.timer = self._loop.call_at(due, self._tell, seat, line)

    def _tell(self, seat: str, line: _Line) -> None:
        line.timer, line.is_known_here = None, line.is_here
        line.news.append(self._loop.time())
        self._say(seat, "back" if line.is_here else "left" if line.has_left else "dropped")

    def stop(self) -> None:
        """Tell no more news, because the table is closed."""
        self._is_over = True
        for line in self._lines.values():
            if line.timer is not None:
                line.timer.cancel()


class PresentScreen(Protocol):
    """An open screen."""

    @property
    def seat(self) -> Seat: ...


def empty_characters(seats: Iterable[Seat], screens: Iterable[PresentScreen]) -> frozenset[str]:
    """Return the characters that have a seat without any screen, by their ids in the roster."""
    taken = {screen.seat.name for screen in screens}
    played = {id for seat in seats if seat.name in taken for id in seat.characters}
    return frozenset(id for seat in seats for id in seat.characters if id not in played)


def empty_rows(session: Session | None, view: View, viewer: Viewer, empty: frozenset[str]) -> Sequence[str]:
    """Return the names of the rows in a view whose seats are empty. Names that are not in it are left out."""
    if session is None or not empty:
        return ()
    ours = {row.name for row in view.rows if row.ours}
    return sorted(
        combatant.name
        for combatant in session.encounter
        if combatant.name in ours
        and sees(viewer, combatant)
        and (combatant.state.kind or combatant.id) in empty
    )


def rows_of_empty_seats(followed: FollowedCampaign, seat: Seat, empty: frozenset[str]) -> Sequence[str]:
    """Return the names of the rows that a seat shows as players without a line."""
    fight = followed.fight_of(seat)
    view, _ = followed.view_of(seat)
    return empty_rows(fight.session if fight is not None else None, view, viewer_of(seat), empty)


def news_of(names: Mapping[str, str], seat: Seat, change: PresenceChange) -> str:
    """Return the news of a seat as a sentence: `Okado's line dropped.` `names`: of the roster, by id."""
    player = clean(listed(names[id] for id in seat.characters if id in names) or seat.name, 80)
    match change:
        case "dropped":
            return f"{possessive(player)} line dropped."
        case "left":
            return f"{player} left."
        case "back":
            return f"{player} is back."
