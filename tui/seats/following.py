"""The campaign that the server follows: its fights, seats and settings as saved on disk."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from systems.codec.plain import to_plain
from systems.encounter.model import Encounter
from systems.errors import Wrong
from systems.visibility.build import ViewMaker, lines_since
from systems.visibility.changes import to_changes
from systems.visibility.view import View
from systems.visibility.viewer import Viewer
from tui.campaign.campaign import Campaign, load
from tui.campaign.encounters import FOLDER
from tui.campaign.folders import CAMPAIGN
from tui.campaign.notify import Notify
from tui.campaign.problems import FileProblem
from tui.campaign.seats import SEATS, Seat, Seats
from tui.campaign.seats import read_seats as seats_of
from tui.campaign.watch import Follower, Watch
from tui.session.opening import NoEncounter, OpenEncounter, chosen_encounter, open_fight
from tui.session.session import Session
from tui.wire.frames import Json, as_json

DELAY = 0.006  # seconds to wait after an event, so that the table's own screen is painted first
SETTLED = 0.1  # seconds to wait, because an editor may write a file in several steps
_MOST_FIGHTS = 8


@dataclass(slots=True)
class MadeView:
    """A view with its encounter, the number of its newest event, and its JSON if it was needed.

    `before`: the previous view of the same viewer.
    """

    encounter: Encounter | None
    n: int
    view: View
    before: View | None = None
    _json: Json | None = None
    _changes: Json | None = None

    @property
    def json(self) -> Json:
        """Return the view as JSON for the seats' programs."""
        if self._json is None:
            self._json = as_json(to_plain(self.view))
        return self._json

    @property
    def changes(self) -> Json:
        """Return the changes since the previous view, as JSON for the programs that have that view."""
        if self._changes is None:
            assert self.before is not None
            self._changes = as_json(to_changes(self.before, self.view))
        return self._changes


@dataclass(slots=True)
class FollowedFight:
    """An encounter opened read-only, with the follower of its log."""

    fight: OpenEncounter
    follower: Follower

    @property
    def session(self) -> Session:
        return self.fight.session

    @property
    def n(self) -> int:
        """Return the number of the newest event, or 0 before the first."""
        events = self.session.log.events
        return events[-1].n if events else 0


class FollowedCampaign:
    """A campaign that other programs write.

    `moved` is called a moment after a change, `vanished` once when the campaign no longer exists, and `say`
    with each line for the server's log.
    """

    def __init__(
        self,
        path: Path,
        moved: Callable[[], None],
        vanished: Callable[[], None],
        say: Callable[[str], None],
    ) -> None:
        self.path = path
        self._moved, self._vanished, self._say = moved, vanished, say
        self.campaign: Campaign = load(path)
        self.fights: dict[str, FollowedFight] = {}
        self.current = ""
        self._views: dict[tuple[str, Viewer], MadeView] = {}
        self._makers: dict[tuple[str, Viewer], ViewMaker] = {}
        self.seats = Seats()
        self._watch = Watch(path)
        self._notify = Notify(self._folders, self._look)
        self._moving: asyncio.TimerHandle | None = None
        self._rereading: asyncio.TimerHandle | None = None
        self._missing = 0
        self.read_seats()
        self._choose()

    def start(self) -> None:
        """Start following in the running event loop."""
        self._notify.start()

    def stop(self) -> None:
        """Stop following."""
        self._notify.stop()
        for timer in (self._moving, self._rereading):
            if timer:
                timer.cancel()

    # Views for seats

    def fight_of(self, seat: Seat | None) -> FollowedFight | None:
        """Return the fight that a seat follows: one in progress with its characters, else the current one."""
        if seat is not None:
            for name in self._running():
                fight = self._opened(name)
                if fight is not None and _has_one_of(fight.session, seat):
                    return fight
        return self._opened(self.current) if self.current else None

    def view_of(self, seat: Seat | None) -> tuple[View, int]:
        """Return the view of a seat (None: the public view) and the number of the newest event."""
        made = self.made_for(seat)
        return made.view, made.n

    def made_for(self, seat: Seat | None) -> MadeView:
        """Return the view of a seat (None: the public view), made once for all seats that see the same.

        While nothing visible changes, the same view object is returned.
        """
        fight = self.fight_of(seat)
        key = (fight.fight.encounter if fight else "", viewer_of(seat))
        made = self._views.get(key)
        if fight is None:
            if made is None:
                made = self._views[key] = MadeView(None, 0, View(title=self.campaign.title))
            return made
        session = fight.session
        if made is None or made.encounter is not session.encounter or made.n != fight.n:
            maker = self._makers.setdefault(key, ViewMaker(key[1]))
            seen = maker.view(session.encounter, session.log, self.campaign.seats)
            if made is not None and made.view == seen:
                made.encounter, made.n = session.encounter, fight.n
            else:
                made = self._views[key] = MadeView(
                    session.encounter, fight.n, seen, made.view if made else None
                )
        return made

    def name_of_fight(self, seat: Seat | None) -> str:
        """Return the id of the encounter that a seat follows, or ""."""
        fight = self.fight_of(seat)
        return fight.fight.encounter if fight else ""

    def lines_since(self, seat: Seat, encounter: str, number: int) -> int:
        """Return the number of log lines that a seat may read after an event of that encounter."""
        fight = self.fight_of(seat)
        if fight is None or fight.fight.encounter != encounter:
            return 0
        session = fight.session
        return lines_since(session.encounter, session.log, viewer_of(seat), self.campaign.seats, number)

    def _running(self) -> Iterator[str]:
        for name, info in self.campaign.encounters.items():
            if info.state == "running" and info.problem is None:
                yield name

    def _opened(self, name: str) -> FollowedFight | None:
        if name not in self.fights:
            if len(self.fights) >= _MOST_FIGHTS:
                self.fights.pop(next(iter(self.fights)))
            try:
                fight = open_fight(self.path, name, write=False)
            except (FileProblem, NoEncounter):
                return None
            self.fights[name] = FollowedFight(fight, Follower(self.path, name, fight.end))
        return self.fights[name]

    # Changes on disk

    def _folders(self) -> Iterator[Path]:
        yield from self._watch.folders()
        yield from (fight.follower.path.parent for fight in self.fights.values())

    def _look(self) -> None:
        """Read new events after a change on disk."""
        for name, followed in list(self.fights.items()):
            try:
                events = followed.follower.news()
                if events:
                    followed.session.follow(events)
                    self._move()
            except (FileProblem, Wrong, KeyError, ValueError):
                # The log was replaced: read it from the start when it is next needed.
                del self.fights[name]
                self._move()
        if self._rereading is None:
            self._rereading = asyncio.get_running_loop().call_later(SETTLED, self._reread)

    def _move(self) -> None:
        if self._moving is None:
            self._moving = asyncio.get_running_loop().call_later(DELAY, self._tell)

    def _tell(self) -> None:
        self._moving = None
        self._moved()

    def _reread(self) -> None:
        """Reload changed files, except the logs."""
        self._rereading = None
        if not (self.path / CAMPAIGN).is_file():
            self._missing += 1
            if self._missing == 3:
                self._vanished()
            return
        self._missing = 0
        changed = self._watch.changed()
        names = set(self.campaign.encounters) ^ set(self._encounter_names())
        if not changed and not names:
            return
        with suppress(FileProblem):
            self.campaign = load(self.path)
        self._views.clear()
        self._makers.clear()
        if any(file == CAMPAIGN or file.startswith(FOLDER) for file in changed) or names:
            self.fights.clear()
        if SEATS in changed or any(file.startswith("roster/") for file in changed):
            self.read_seats()
        self._choose()
        self._move()

    def _encounter_names(self) -> list[str]:
        with suppress(OSError):
            return [folder.name for folder in (self.path / FOLDER).iterdir() if folder.is_dir()]
        return []

    def read_seats(self) -> None:
        """Reload the seats. If the file can't be read at all, keep the previous seats."""
        found = seats_of(self.path, self.campaign.roster)
        if found.problems != self.seats.problems:
            for problem in found.problems:
                self._say(str(problem))
        kept = self.seats.by_name if found.problems and not found.by_name else found.by_name
        self.seats = Seats(kept, found.problems)

    def _choose(self) -> None:
        try:
            self.current = chosen_encounter(self.campaign, None, skip_bad=True)
        except (NoEncounter, FileProblem):
            self.current = ""


def viewer_of(seat: Seat | None) -> Viewer:
    """Return the viewer of a seat for the rules of visibility. None gives the public viewer."""
    return Viewer(frozenset(seat.characters)) if seat else Viewer()


def _has_one_of(session: Session, seat: Seat) -> bool:
    viewer = viewer_of(seat)
    return any(viewer.owns(combatant) for combatant in session.encounter.combatants.values())
